// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=so,g=o,h=o
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

module {
  rng.generator @g {algorithm = #rng.philox<rounds = 7>, seed = -9223372036854775808 : i64}
  rng.generator @h {seed = 0 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64) {
    %v2 = arith.constant 1981201583299398463 : i64
    %t1 = arith.constant 3 : i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.andi %v2, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n1 = arith.index_cast %t4 : i64 to index
    %t5 = arith.constant 0 : i64
    %t6 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t5 : i64) outs(%t6 : memref<8xi64>)
    %t7 = arith.constant 1 : index
    %t8 = arith.constant 3 : index
    scf.forall (%n3) = (%t7) to (%n1) step (%t8) {
      %v3 = arith.index_cast %n3 : index to i64
      %t9 = arith.constant 0.8999999761581421 : f32
      %t10 = rng.bernoulli @h prob(%t9) : tensor<7xi1>
      %t11 = arith.constant 1 : index
      %t12 = tensor.extract %t10[%t11] : tensor<7xi1>
      %t13 = arith.extui %t12 : i1 to i64
      %t14 = arith.constant 5 : index
      %t15 = arith.constant 31 : i64
      %t16 = arith.muli %t13, %t15 : i64
      %t17 = tensor.extract %t10[%t14] : tensor<7xi1>
      %t18 = arith.extui %t17 : i1 to i64
      %v4 = arith.addi %t18, %t16 : i64
      %t19 = rng.bits : i16
      %v5 = arith.extui %t19 : i16 to i64
      memref.store %v3, %t6[%n3] : memref<8xi64>
    }
    %t20 = memref.cast %t6 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t20) : (memref<*xi64>) -> ()
    %t21 = arith.constant 1.0 : f32
    %t22 = arith.constant 1.0 : f32
    %t23 = rng.uniform range(%t21, %t22) : tensor<2x3xf16>
    %t24 = arith.constant 0 : index
    %t25 = arith.constant 1 : index
    %t26 = tensor.extract %t23[%t24, %t25] : tensor<2x3xf16>
    %t27 = arith.bitcast %t26 : f16 to i16
    %v6 = arith.extui %t27 : i16 to i64
    %t28 = arith.constant 0.75 : f32
    %b7 = rng.bernoulli prob(%t28) : i1
    cf.cond_br %b7, ^bb2, ^bb4(%v2 : i64)
  ^bb2:
    %t29 = rng.bits : vector<4xi32>
    %t30 = vector.extract %t29[1] : i32 from vector<4xi32>
    %t31 = arith.extui %t30 : i32 to i64
    %t32 = arith.constant 31 : i64
    %t33 = arith.muli %t31, %t32 : i64
    %t34 = vector.extract %t29[3] : i32 from vector<4xi32>
    %t35 = arith.extui %t34 : i32 to i64
    %v8 = arith.addi %t35, %t33 : i64
    cf.br ^bb4(%v6 : i64)
  ^bb4(%v11: i64):
    %v13 = arith.constant 2147483648 : i64
    %b12 = arith.cmpi ult, %v6, %v13 : i64
    cf.cond_br %b12, ^bb5(%v6 : i64), ^bb5(%v2 : i64)
  ^bb5(%v14: i64):
    %t36 = arith.constant -2 : index
    %t37 = arith.constant 0 : index
    %t38 = arith.constant 1 : index
    %v19 = scf.for %n15 = %t36 to %t37 step %t38 iter_args(%v16 = %v13) -> (i64) {
      %v15 = arith.index_cast %n15 : index to i64
      %t39 = rng.uniform @g : f32
      %v17 = arith.constant -9223372036854775808 : i64
      %v18 = arith.constant 1 : i64
      rng.set_state %v17, %v18 : i64, i64
      scf.yield %v2 : i64
    }
    return %v11 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000000 0000000000000001 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 15360
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: 1
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: 2
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NOT: {{.+}}
