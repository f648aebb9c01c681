// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=so,g=so,h=o
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
  rng.generator @g {seed = 1 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = 0 : i64}
  func.func private @rngSeed(!llvm.ptr, i64) attributes {rng.draws = [unit, @g]}
  llvm.mlir.global private constant @name_g("g\00")
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64) {
    %t1 = arith.constant 10.0 : f32
    %t2 = arith.constant 11.0 : f32
    %t3 = rng.uniform range(%t1, %t2) : f32
    %t4 = arith.bitcast %t3 : f32 to i32
    %v1 = arith.extui %t4 : i32 to i64
    %t5 = arith.constant 0 : i64
    %t6 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t5 : i64) outs(%t6 : memref<8xi64>)
    %t7 = arith.constant 0 : index
    %t8 = arith.constant 1 : index
    %t9 = arith.constant 2 : index
    %t10 = arith.constant 0 : i64
    %v6 = scf.parallel (%n2) = (%t7) to (%t8) step (%t9) init (%t10) -> i64 {
      %v2 = arith.index_cast %n2 : index to i64
      %v5 = arith.constant -1 : i64
      %v3, %v4 = rng.reserve @g, %v5 : i64, i64
      memref.store %v4, %t6[%n2] : memref<8xi64>
      scf.reduce(%v4 : i64) {
      ^reduce(%t11: i64, %t12: i64):
        %t13 = arith.addi %t11, %t12 : i64
        scf.reduce.return %t13 : i64
      }
    }
    %t14 = memref.cast %t6 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t14) : (memref<*xi64>) -> ()
    %t15 = arith.constant 1 : i64
    %t16 = arith.constant 0 : i64
    %t17 = arith.andi %v1, %t15 : i64
    %t18 = arith.addi %t17, %t16 : i64
    %n7 = arith.index_cast %t18 : i64 to index
    %t19 = arith.constant 0 : i64
    %t20 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t19 : i64) outs(%t20 : memref<8xi64>)
    affine.parallel (%n8) = (%n7) to (4) step (1) {
      %v8 = arith.index_cast %n8 : index to i64
      %t21 = arith.constant 0 : index
      %t22 = arith.constant 0 : index
      %t23 = arith.constant 1 : index
      %t24 = arith.constant 3 : index
      %t25 = arith.constant 3 : index
      %t26 = arith.constant 1 : index
      scf.forall (%n9, %n10) = (%t21, %t22) to (%t23, %t24) step (%t25, %t26) {
        %v9 = arith.index_cast %n9 : index to i64
        %v10 = arith.index_cast %n10 : index to i64
        %t27 = rng.bits @h : i1
        %v11 = arith.extui %t27 : i1 to i64
      }
      %t28 = rng.uniform @g : f32
      memref.store %v6, %t20[%n8] : memref<8xi64>
    }
    %t29 = memref.cast %t20 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t29) : (memref<*xi64>) -> ()
    %t30 = arith.constant -1.5 : f32
    %t31 = arith.constant 2.25 : f32
    %t32 = rng.uniform range(%t30, %t31) : f32
    %t33 = arith.bitcast %t32 : f32 to i32
    %v12 = arith.extui %t33 : i32 to i64
    %t34 = llvm.mlir.addressof @name_g : !llvm.ptr
    func.call @rngSeed(%t34, %v12) : (!llvm.ptr, i64) -> ()
    vector.print %v6 : i64
    return %v6 : i64
  }
  func.func private @leaf(%v1: i64) -> (i64, i64) {
    %t1 = arith.constant 0.25 : f32
    %t2 = rng.bernoulli prob(%t1) : i1
    %v2 = arith.extui %t2 : i1 to i64
    %t3 = arith.constant 10.0 : f32
    %t4 = arith.constant 11.0 : f32
    %t5 = rng.uniform @g range(%t3, %t4) : tensor<0xf32>
    %t6 = arith.constant 0 : i64
    %t7 = arith.constant 1 : i64
    %t8 = arith.andi %v1, %t6 : i64
    %t9 = arith.addi %t8, %t7 : i64
    %n3 = arith.index_cast %t9 : i64 to index
    %v5 = arith.constant -1 : i64
    %t10 = arith.constant 1 : i64
    %t11 = arith.constant 1 : i64
    %t12 = arith.andi %v5, %t10 : i64
    %t13 = arith.addi %t12, %t11 : i64
    %n4 = arith.index_cast %t13 : i64 to index
    %t14 = rng.bits @h sizes(%n3, %n4) : tensor<?x?xi64>
    return %v2, %v2 : i64, i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 2
// CHECK-NEXT: 1024984364
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 9
// CHECK-NOT: {{.+}}
