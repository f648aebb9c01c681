// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=so,g=o,h=o
// DEFINE: %{run} = %rng_opt -rng-to-cpu | %run_cpu | \
// DEFINE:   FileCheck --match-full-lines %s
// RUN: %rng_opt %s -rng-reserve-draws | %{entries} | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=state | \
// RUN:   %{entries} --entry=state | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=state -canonicalize -cse | \
// RUN:   %{entries} --entry=state | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=arguments | \
// RUN:   %{entries} --entry=arguments | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=arguments -canonicalize -cse | \
// RUN:   %{entries} --entry=arguments | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=memory | \
// RUN:   %{entries} --entry=memory | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=memory -canonicalize -cse | \
// RUN:   %{entries} --entry=memory | %{run}

module attributes {rng.default_algorithm = #rng.philox<rounds = 1>} {
  rng.generator @g {algorithm = #rng.philox<rounds = 4>, seed = -1 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = -7 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func private @f0(%v1: i64) {
    %t1 = arith.constant -1.5 : f32
    %t2 = arith.constant 2.25 : f32
    %t3 = rng.uniform range(%t1, %t2) : bf16
    %t4 = arith.constant 0.10000000149011612 : f64
    %t5 = arith.constant 0.699999988079071 : f64
    %t6 = rng.uniform range(%t4, %t5) : vector<1xf64>
    %t7 = vector.extract %t6[0] : f64 from vector<1xf64>
    %v2 = arith.bitcast %t7 : f64 to i64
    %v3, %v4 = rng.get_state : i64, i64
    %t8 = rng.stateless_bits %v3, %v4 {algorithm = #rng.philox<rounds = 1>} : i32
    %v5 = arith.extui %t8 : i32 to i64
    %v6 = rng.advance %v4 by bits i32 {algorithm = #rng.philox<rounds = 1>}
    rng.set_state %v3, %v6 : i64, i64
    return
  }
  func.func @prog() -> (i64, i64) {
    %v1 = arith.constant 0 : i64
    func.call @f0(%v1) : (i64) -> ()
    func.call @f0(%v1) : (i64) -> ()
    %t1 = arith.constant 3 : i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.andi %v1, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n2 = arith.index_cast %t4 : i64 to index
    %t5 = arith.constant 0 : i64
    %t6 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t5 : i64) outs(%t6 : memref<8xi64>)
    %v6 = affine.parallel (%n3) = (0) to (%n2) step (2) reduce ("addi") -> (i64) {
      %v3 = arith.index_cast %n3 : index to i64
      %t7 = arith.constant 0.8999999761581421 : f32
      %t8 = rng.bernoulli @g prob(%t7) : i1
      %v4 = arith.extui %t8 : i1 to i64
      %t9 = rng.uniform @g : f32
      %t10 = arith.bitcast %t9 : f32 to i32
      %v5 = arith.extui %t10 : i32 to i64
      memref.store %v1, %t6[%n3] : memref<8xi64>
      affine.yield %v1 : i64
    }
    %t11 = memref.cast %t6 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t11) : (memref<*xi64>) -> ()
    %t12 = arith.constant -1.5 : f64
    %t13 = arith.constant 2.25 : f64
    %t14 = rng.uniform @g range(%t12, %t13) : f64
    %t15 = arith.constant 0.5 : f32
    %t16 = rng.bernoulli @h prob(%t15) : i1
    %v7 = arith.extui %t16 : i1 to i64
    %t17 = arith.constant 1 : i32
    %t18 = arith.constant 0 : i32
    %t19 = arith.constant 1 : i32
    scf.for %t20 = %t17 to %t18 step %t19 : i32 {
      %v8 = arith.extsi %t20 : i32 to i64
      %n8 = arith.index_cast %t20 : i32 to index
      func.call @f0(%v7) : (i64) -> ()
      %v9 = arith.constant 0 : i64
      func.call @f0(%v9) : (i64) -> ()
      %t21 = rng.bits @g : i64
      scf.yield
    }
    %v10 = arith.constant 5 : i64
    %t22 = arith.constant 0 : i64
    %t23 = arith.constant 3 : i64
    %t24 = arith.constant 1 : i64
    %v16 = scf.for %v11 = %t22 to %t23 step %t24 iter_args(%v12 = %v10) -> (i64) : i64 {
      %n11 = arith.index_cast %v11 : i64 to index
      %t25 = arith.constant 3 : i64
      %t26 = arith.constant 1 : i64
      %t27 = arith.andi %v12, %t25 : i64
      %t28 = arith.addi %t27, %t26 : i64
      %n13 = arith.index_cast %t28 : i64 to index
      %t29 = rng.bits sizes(%n13) : tensor<?xi32>
      %t30 = arith.constant 0 : index
      %t31 = tensor.extract %t29[%t30] : tensor<?xi32>
      %v14 = arith.extui %t31 : i32 to i64
      %t32 = arith.constant 0.8999999761581421 : f32
      %t33 = rng.bernoulli @g prob(%t32) : vector<1xi1>
      %t34 = vector.extract %t33[0] : i1 from vector<1xi1>
      %t35 = arith.extui %t34 : i1 to i64
      %t36 = arith.constant 31 : i64
      %t37 = arith.muli %t35, %t36 : i64
      %t38 = vector.extract %t33[0] : i1 from vector<1xi1>
      %t39 = arith.extui %t38 : i1 to i64
      %v15 = arith.addi %t39, %t37 : i64
      vector.print %v15 : i64
      scf.yield %v10 : i64
    }
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%n2) {
      func.call @f0(%v10) : (i64) -> ()
      affine.yield
    }
    return %v10, %v16 : i64, i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 32
// CHECK-NEXT: 32
// CHECK-NEXT: 0
// CHECK-NEXT: 5
// CHECK-NEXT: 5
// CHECK-NEXT: 0
// CHECK-NEXT: 9
// CHECK-NEXT: -1
// CHECK-NEXT: 4
// CHECK-NEXT: -7
// CHECK-NEXT: 1
// CHECK-NOT: {{.+}}
