// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=o,g=o,h=o
// DEFINE: %{run} = %rng_opt -rng-to-cpu | %run_cpu | \
// DEFINE:   FileCheck --match-full-lines %s
// RUN: %rng_opt %s -rng-reserve-draws | %{entries} | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=state | \
// RUN:   %{entries} --entry=state | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=state -canonicalize -cse -inline | \
// RUN:   %{entries} --entry=state | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=arguments | \
// RUN:   %{entries} --entry=arguments | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=arguments -canonicalize -cse -inline | \
// RUN:   %{entries} --entry=arguments | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=memory | \
// RUN:   %{entries} --entry=memory | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=memory -canonicalize -cse -inline | \
// RUN:   %{entries} --entry=memory | %{run}

module attributes {rng.default_algorithm = #rng.philox<rounds = 1>} {
  rng.generator @g {seed = 4294967296 : i64}
  rng.generator @h {seed = 42 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64) {
    %t1 = rng.bits : i64
    %v2 = arith.constant -1 : i64
    %t2 = arith.constant 1 : i64
    %t3 = arith.constant 0 : i64
    %t4 = arith.andi %v2, %t2 : i64
    %t5 = arith.addi %t4, %t3 : i64
    %n1 = arith.index_cast %t5 : i64 to index
    %t6 = arith.constant 1 : i64
    %t7 = arith.constant 1 : i64
    %t8 = arith.andi %v2, %t6 : i64
    %t9 = arith.addi %t8, %t7 : i64
    %n3 = arith.index_cast %t9 : i64 to index
    %t10 = arith.constant 0 : i64
    %t11 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t10 : i64) outs(%t11 : memref<8xi64>)
    %t12 = arith.constant 4 : index
    scf.forall (%n4) = (%n1) to (%t12) step (%n3) {
      %v4 = arith.index_cast %n4 : index to i64
      %t13 = rng.uniform @h : f32
      memref.store %v4, %t11[%n4] : memref<8xi64>
    }
    %t14 = memref.cast %t11 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t14) : (memref<*xi64>) -> ()
    %v5 = func.call @f0(%v2) : (i64) -> i64
    vector.print %v2 : i64
    %t15 = rng.uniform @h : f16
    %t16 = arith.bitcast %t15 : f16 to i16
    %v6 = arith.extui %t16 : i16 to i64
    %t17 = arith.constant 1.0 : f32
    %t18 = rng.bernoulli @h prob(%t17) : i1
    %v7 = arith.extui %t18 : i1 to i64
    %v8 = arith.muli %v7, %v5 : i64
    %t19 = arith.constant 3 : i64
    %t20 = arith.constant 0 : i64
    %t21 = arith.andi %v6, %t19 : i64
    %t22 = arith.addi %t21, %t20 : i64
    %n9 = arith.index_cast %t22 : i64 to index
    %t23 = arith.constant 0 : index
    %t24 = arith.constant 2 : index
    %v15, %v16 = scf.for %n10 = %t23 to %n9 step %t24 iter_args(%v11 = %v5, %v12 = %v2) -> (i64, i64) {
      %v10 = arith.index_cast %n10 : index to i64
      %t25 = rng.bits @h : i1
      %v13 = arith.extui %t25 : i1 to i64
      %t26 = arith.constant -1.5 : f32
      %t27 = arith.constant 2.25 : f32
      %t28 = rng.uniform @g range(%t26, %t27) : f32
      %t29 = arith.bitcast %t28 : f32 to i32
      %v14 = arith.extui %t29 : i32 to i64
      vector.print %v10 : i64
      scf.yield %v10, %v6 : i64, i64
    }
    return %v8 : i64
  }
  func.func @f0(%v1: i64) -> (i64) {
    %t1 = arith.constant 0.75 : f32
    %b2 = rng.bernoulli prob(%t1) : i1
    %v3 = arith.constant 1099511627776 : i64
    cf.cond_br %b2, ^bb2(%v3 : i64), ^bb2(%v1 : i64)
  ^bb2(%v4: i64):
    vector.print %v3 : i64
    %v5, %v6 = rng.get_state @h : i64, i64
    vector.print %v6 : i64
    cf.br ^bb4(%v3 : i64)
  ^bb3:
    %v7 = arith.constant -6746349818717859792 : i64
    vector.print %v7 : i64
    %t2 = rng.uniform @h : f32
    %t3 = arith.bitcast %t2 : f32 to i32
    %v8 = arith.extui %t3 : i32 to i64
    cf.br ^bb4(%v5 : i64)
  ^bb4(%v9: i64):
    %t4 = arith.constant 3 : i64
    %t5 = arith.constant 0 : i64
    %t6 = arith.andi %v5, %t4 : i64
    %t7 = arith.addi %t6, %t5 : i64
    %n10 = arith.index_cast %t7 : i64 to index
    %t8 = rng.bits sizes(%n10) : tensor<3x?xi1>
    return %v9 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000000 0000000000000001 0000000000000000 0000000000000003 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 1099511627776
// CHECK-NEXT: 2
// CHECK-NEXT: -1
// CHECK-NEXT: 1099511627776
// CHECK-NEXT: 0
// CHECK-NEXT: 3
// CHECK-NEXT: 4294967296
// CHECK-NEXT: 0
// CHECK-NEXT: 42
// CHECK-NEXT: 4
// CHECK-NOT: {{.+}}
