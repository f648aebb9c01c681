// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=o,g=o,h=so
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

module attributes {rng.default_algorithm = #rng.philox<rounds = 3>} {
  rng.generator @g {algorithm = #rng.philox<rounds = 2>, seed = -7 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = 4294967296 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64, i64) {
    %v2 = arith.constant 0 : i64
    %t1 = arith.constant 3 : i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.andi %v2, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n1 = arith.index_cast %t4 : i64 to index
    %t5 = arith.constant 0 : i64
    %t6 = arith.index_cast %n1 : index to i64
    %t7 = arith.constant 2 : i64
    %v6, %v7 = scf.for %v3 = %t5 to %t6 step %t7 iter_args(%v4 = %v2, %v5 = %v2) -> (i64, i64) : i64 {
      %n3 = arith.index_cast %v3 : i64 to index
      vector.print %v4 : i64
      %t8 = arith.constant 10.0 : f32
      %t9 = arith.constant 11.0 : f32
      %t10 = rng.uniform range(%t8, %t9) : f16
      scf.yield %v4, %v5 : i64, i64
    }
    %t11 = arith.constant 0 : i64
    %t12 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t11 : i64) outs(%t12 : memref<8xi64>)
    %t13 = arith.constant 0 : index
    %t14 = arith.constant 0 : index
    %t15 = arith.constant 1 : index
    scf.forall (%n8) = (%t13) to (%t14) step (%t15) {
      %v8 = arith.index_cast %n8 : index to i64
      %v9 = func.call @leaf(%v8) : (i64) -> i64
      %v11 = arith.constant 0 : i64
      %v10 = arith.muli %v11, %v7 : i64
      memref.store %v7, %t12[%n8] : memref<8xi64>
    }
    %t16 = memref.cast %t12 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t16) : (memref<*xi64>) -> ()
    %v12, %v13 = func.call @f0() : () -> (i64, i64)
    %v14 = arith.constant -1 : i64
    %v15 = arith.constant 7 : i64
    rng.set_state @h, %v14, %v15 : i64, i64
    %v16 = arith.subi %v7, %v14 : i64
    %t17 = arith.constant 1.0 : f32
    %t18 = rng.bernoulli @g prob(%t17) : vector<2x3xi1>
    %t19 = vector.extract %t18[0, 2] : i1 from vector<2x3xi1>
    %v17 = arith.extui %t19 : i1 to i64
    return %v14, %v15 : i64, i64
  }
  func.func private @leaf(%v1: i64) -> (i64) {
    %t1 = rng.bits @h : i32
    %v2 = arith.extui %t1 : i32 to i64
    %t2 = arith.constant 1.0 : f32
    %t3 = rng.bernoulli prob(%t2) : i1
    %v3 = arith.extui %t3 : i1 to i64
    %v4 = arith.addi %v1, %v2 : i64
    return %v4 : i64
  }
  func.func private @f0() -> (i64, i64) {
    %v2 = arith.constant 2683909840820614755 : i64
    %v3 = arith.constant 2147483648 : i64
    %b1 = arith.cmpi ult, %v2, %v3 : i64
    cf.cond_br %b1, ^bb2(%v2 : i64), ^bb2(%v3 : i64)
  ^bb2(%v4: i64):
    %v5 = func.call @leaf(%v4) : (i64) -> i64
    %t1 = arith.constant 0.75 : f32
    %t2 = rng.bernoulli prob(%t1) : vector<1xi1>
    %t3 = vector.extract %t2[0] : i1 from vector<1xi1>
    %v6 = arith.extui %t3 : i1 to i64
    %v8 = arith.constant -9223372036854775808 : i64
    %b7 = arith.cmpi ugt, %v4, %v8 : i64
    cf.cond_br %b7, ^bb3, ^bb4
  ^bb3:
    cf.br ^bb5(%v6 : i64)
  ^bb4:
    %v9 = arith.constant 1 : i64
    vector.print %v9 : i64
    cf.br ^bb5(%v5 : i64)
  ^bb5(%v10: i64):
    %t4 = arith.constant 0.75 : f32
    %t5 = rng.bernoulli @g prob(%t4) : tensor<5x1xi1>
    return %v8, %v8 : i64, i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 1
// CHECK-NEXT: -1
// CHECK-NEXT: 7
// CHECK-NEXT: 0
// CHECK-NEXT: 2
// CHECK-NEXT: -7
// CHECK-NEXT: 2
// CHECK-NEXT: -1
// CHECK-NEXT: 7
// CHECK-NOT: {{.+}}
