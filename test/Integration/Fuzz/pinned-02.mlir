// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=o,g=o,h=o
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

module attributes {rng.default_algorithm = #rng.philox<rounds = 3>} {
  rng.generator @g {seed = -7 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = 0 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64, i64) {
    %t1 = rng.bits : i16
    %v1 = arith.extui %t1 : i16 to i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.constant 0 : i64
    %t4 = arith.andi %v1, %t2 : i64
    %t5 = arith.addi %t4, %t3 : i64
    %n2 = arith.index_cast %t5 : i64 to index
    %t6 = arith.constant 0 : i64
    %t7 = arith.constant 1 : i64
    %t8 = arith.andi %v1, %t6 : i64
    %t9 = arith.addi %t8, %t7 : i64
    %n3 = arith.index_cast %t9 : i64 to index
    %t10 = arith.constant -1.5 : f32
    %t11 = arith.constant 2.25 : f32
    %t12 = rng.uniform range(%t10, %t11) sizes(%n2, %n3) : tensor<?x?xf16>
    %t13 = arith.constant 0.25 : f32
    %t14 = rng.bernoulli prob(%t13) sizes(%n2, %n2) : tensor<?x?xi1>
    %t15 = arith.constant 0 : i64
    %t16 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t15 : i64) outs(%t16 : memref<8xi64>)
    %t17 = arith.constant 0 : index
    %t18 = arith.constant 1 : index
    scf.forall (%n4) = (%t17) to (%n3) step (%t18) {
      %v4 = arith.index_cast %n4 : index to i64
      %v10 = affine.parallel (%n5, %n6, %n7) = (0, 1, 0) to (3, 4, 3) step (1, 2, 1) reduce ("addi") -> (i64) {
        %v5 = arith.index_cast %n5 : index to i64
        %v6 = arith.index_cast %n6 : index to i64
        %v7 = arith.index_cast %n7 : index to i64
        %t19 = arith.constant 0.25 : f32
        %t20 = rng.bernoulli @g prob(%t19) : i1
        %v8 = arith.extui %t20 : i1 to i64
        %t21 = arith.constant -1.5 : f32
        %t22 = arith.constant 2.25 : f32
        %t23 = rng.uniform range(%t21, %t22) : tensor<0xf32>
        %t24 = rng.bits @h : i1
        %v9 = arith.extui %t24 : i1 to i64
        affine.yield %v9 : i64
      }
      memref.store %v10, %t16[%n4] : memref<8xi64>
    }
    %t25 = memref.cast %t16 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t25) : (memref<*xi64>) -> ()
    %t26 = arith.constant 3.0 : f64
    %t27 = arith.constant -2.0 : f64
    %t28 = rng.uniform @g range(%t26, %t27) : tensor<7xf64>
    %v11 = arith.constant 1099511627776 : i64
    %v14 = affine.for %n12 = 0 to affine_map<(d0) -> (d0)>(%n3) step 2 iter_args(%v13 = %v11) -> (i64) {
      %v12 = arith.index_cast %n12 : index to i64
      affine.yield %v13 : i64
    }
    return %v11, %v14 : i64, i64
  }
  func.func private @f2(%v1: i64) -> (i64) {
    vector.print %v1 : i64
    vector.print %v1 : i64
    return %v1 : i64
  }
  func.func private @f1(%v1: i64) -> (i64) {
    %t1 = rng.bits @g : tensor<2x3xi64>
    %t2 = arith.constant 0 : index
    %t3 = arith.constant 1 : index
    %v2 = tensor.extract %t1[%t2, %t3] : tensor<2x3xi64>
    %t4 = arith.constant 0.75 : f32
    %t5 = rng.bernoulli @h prob(%t4) : i1
    %v3 = arith.extui %t5 : i1 to i64
    return %v3 : i64
  }
  func.func private @f0() {
    %t1 = arith.constant 0.8999999761581421 : f32
    %t2 = rng.bernoulli @h prob(%t1) : vector<2x3xi1>
    %t3 = vector.extract %t2[0, 2] : i1 from vector<2x3xi1>
    %v1 = arith.extui %t3 : i1 to i64
    %t4 = rng.bits : i32
    %v2 = arith.extui %t4 : i32 to i64
    %v5 = arith.constant 3 : i64
    %v3, %v4 = rng.reserve %v5 : i64, i64
    %v8 = arith.constant 2 : i64
    %v6, %v7 = rng.reserve @h, %v8 : i64, i64
    return
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000012 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 1099511627776
// CHECK-NEXT: 1099511627776
// CHECK-NEXT: 0
// CHECK-NEXT: 21
// CHECK-NEXT: -7
// CHECK-NEXT: 19
// CHECK-NEXT: 0
// CHECK-NEXT: 18
// CHECK-NOT: {{.+}}
