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
  rng.generator @g {algorithm = #rng.philox<rounds = 4>, seed = -1 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = 42 : i64}
  func.func private @rngGetTorchState(!llvm.ptr, !llvm.ptr) attributes {rng.draws = [unit, @g]}
  llvm.mlir.global private constant @name_g("g\00")
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64) {
    %v1 = arith.constant -1 : i64
    %v4 = affine.for %n2 = 0 to 4 step 3 iter_args(%v3 = %v1) -> (i64) {
      %v2 = arith.index_cast %n2 : index to i64
      affine.yield %v3 : i64
    }
    %v6 = arith.constant 1 : i64
    %t1 = arith.constant 3 : i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.andi %v6, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n5 = arith.index_cast %t4 : i64 to index
    %t5 = arith.constant 0 : index
    %t6 = arith.constant 1 : index
    %v10, %v11 = scf.for %n7 = %t5 to %n5 step %t6 iter_args(%v8 = %v6, %v9 = %v1) -> (i64, i64) {
      %v7 = arith.index_cast %n7 : index to i64
      scf.yield %v9, %v6 : i64, i64
    }
    %t7 = rng.bits @g : vector<4xi64>
    %v12 = vector.extract %t7[2] : i64 from vector<4xi64>
    %t8 = arith.constant 0 : i64
    %t9 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t8 : i64) outs(%t9 : memref<8xi64>)
    affine.parallel (%n13) = (1) to (%n5) step (2) {
      %v13 = arith.index_cast %n13 : index to i64
      %t10 = rng.bits @h : i16
      %v14 = arith.extui %t10 : i16 to i64
      memref.store %v14, %t9[%n13] : memref<8xi64>
    }
    %t11 = memref.cast %t9 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t11) : (memref<*xi64>) -> ()
    %t12 = arith.constant 3 : i64
    %t13 = arith.constant 0 : i64
    %t14 = arith.andi %v1, %t12 : i64
    %t15 = arith.addi %t14, %t13 : i64
    %n15 = arith.index_cast %t15 : i64 to index
    %v18 = scf.index_switch %n15 -> i64
    case 3 {
      %t16 = llvm.mlir.addressof @name_g : !llvm.ptr
      %t17 = arith.constant 2 : i32
      %t18 = llvm.alloca %t17 x i64 : (i32) -> !llvm.ptr
      func.call @rngGetTorchState(%t16, %t18) : (!llvm.ptr, !llvm.ptr) -> ()
      %t19 = llvm.getelementptr %t18[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %v16 = llvm.load %t18 : !llvm.ptr -> i64
      %v17 = llvm.load %t19 : !llvm.ptr -> i64
      vector.print %v17 : i64
      scf.yield %v11 : i64
    }
    default {
      vector.print %v11 : i64
      scf.yield %v10 : i64
    }
    %t20 = arith.constant 3 : i64
    %t21 = arith.constant 0 : i64
    %t22 = arith.andi %v11, %t20 : i64
    %t23 = arith.addi %t22, %t21 : i64
    %n19 = arith.index_cast %t23 : i64 to index
    %t24 = arith.constant 0 : i64
    %t25 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t24 : i64) outs(%t25 : memref<8xi64>)
    %t26 = arith.constant 1 : index
    %t27 = arith.constant 1 : index
    scf.parallel (%n20) = (%t26) to (%n19) step (%t27) {
      %v20 = arith.index_cast %n20 : index to i64
      func.call @leaf(%v6, %v20) : (i64, i64) -> ()
      func.call @leaf(%v18, %v18) : (i64, i64) -> ()
      %t28 = rng.uniform : f32
      %t29 = arith.bitcast %t28 : f32 to i32
      %v21 = arith.extui %t29 : i32 to i64
      memref.store %v18, %t25[%n20] : memref<8xi64>
    }
    %t30 = memref.cast %t25 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t30) : (memref<*xi64>) -> ()
    return %v11 : i64
  }
  func.func private @leaf(%v1: i64, %v2: i64) {
    %t1 = arith.constant 0.0 : f32
    %t2 = rng.bernoulli @g prob(%t1) : i1
    %v3 = arith.extui %t2 : i1 to i64
    %t3 = arith.constant 0.0 : f32
    %t4 = rng.bernoulli @h prob(%t3) : vector<2x3xi1>
    %t5 = vector.extract %t4[1, 1] : i1 from vector<2x3xi1>
    %v4 = arith.extui %t5 : i1 to i64
    return
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 4
// CHECK-NEXT: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 1
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: -1
// CHECK-NEXT: 1
// CHECK-NEXT: 42
// CHECK-NEXT: 0
// CHECK-NOT: {{.+}}
