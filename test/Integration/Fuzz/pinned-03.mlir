// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=so,g=so,h=o
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
  rng.generator @g {algorithm = #rng.philox<rounds = 4>, seed = -9223372036854775808 : i64}
  rng.generator @h {seed = -1 : i64}
  func.func private @rngGetTorchState(!llvm.ptr, !llvm.ptr) attributes {rng.draws = [unit, @g]}
  func.func private @rngPrintBitsI32(memref<*xi32>) attributes {llvm.emit_c_interface}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64) {
    %v2 = arith.constant 1 : i64
    %t1 = arith.constant 1 : i64
    %t2 = arith.constant 1 : i64
    %t3 = arith.andi %v2, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n1 = arith.index_cast %t4 : i64 to index
    %t5 = arith.constant 0 : i64
    %t6 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t5 : i64) outs(%t6 : memref<8xi64>)
    %t7 = arith.constant 0 : index
    %t8 = arith.constant 0 : index
    %t9 = arith.constant 0 : i64
    %v8 = scf.parallel (%n3) = (%t7) to (%t8) step (%n1) init (%t9) -> i64 {
      %v3 = arith.index_cast %n3 : index to i64
      %v6 = arith.constant 1 : i64
      %v4, %v5 = rng.reserve @h, %v6 : i64, i64
      %v7 = arith.constant -1 : i64
      memref.store %v7, %t6[%n3] : memref<8xi64>
      scf.reduce(%v7 : i64) {
      ^reduce(%t10: i64, %t11: i64):
        %t12 = arith.addi %t10, %t11 : i64
        scf.reduce.return %t12 : i64
      }
    }
    %t13 = memref.cast %t6 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t13) : (memref<*xi64>) -> ()
    %t14 = rng.bits : tensor<2x0xi32>
    %t15 = bufferization.to_buffer %t14 read_only : tensor<2x0xi32> to memref<2x0xi32>
    %t16 = memref.cast %t15 : memref<2x0xi32> to memref<*xi32>
    func.call @rngPrintBitsI32(%t16) : (memref<*xi32>) -> ()
    %t17 = rng.bits @g : vector<1xi64>
    %v9 = vector.extract %t17[0] : i64 from vector<1xi64>
    %t18 = rng.bits : i8
    %v10 = func.call @f0(%v9) : (i64) -> i64
    %v13 = arith.constant 4294967296 : i64
    %v11, %v12 = rng.reserve %v13 : i64, i64
    %v14 = func.call @f0(%v10) : (i64) -> i64
    %t19 = llvm.mlir.zero : !llvm.ptr
    %t20 = arith.constant 2 : i32
    %t21 = llvm.alloca %t20 x i64 : (i32) -> !llvm.ptr
    func.call @rngGetTorchState(%t19, %t21) : (!llvm.ptr, !llvm.ptr) -> ()
    %t22 = llvm.getelementptr %t21[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %v15 = llvm.load %t21 : !llvm.ptr -> i64
    %v16 = llvm.load %t22 : !llvm.ptr -> i64
    vector.print %v16 : i64
    return %v12 : i64
  }
  func.func private @f0(%v1: i64) -> (i64) {
    %v3 = arith.constant 1 : i64
    %b2 = arith.cmpi ugt, %v1, %v3 : i64
    scf.if %b2 {
      scf.yield
    }
    %t1 = arith.constant 3 : i64
    %t2 = arith.constant 2 : i64
    %t3 = arith.andi %v3, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n4 = arith.index_cast %t4 : i64 to index
    %t5 = rng.bits sizes(%n4) : tensor<?xi64>
    %t6 = arith.constant 0 : index
    %t7 = tensor.extract %t5[%t6] : tensor<?xi64>
    %t8 = arith.constant 1 : index
    %t9 = arith.constant 31 : i64
    %t10 = arith.muli %t7, %t9 : i64
    %t11 = tensor.extract %t5[%t8] : tensor<?xi64>
    %v5 = arith.addi %t11, %t10 : i64
    %t12 = bufferization.to_buffer %t5 read_only : tensor<?xi64> to memref<?xi64>
    %t13 = memref.cast %t12 : memref<?xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t13) : (memref<*xi64>) -> ()
    %v7 = arith.constant 2147483648 : i64
    %b6 = arith.cmpi ugt, %v1, %v7 : i64
    cf.cond_br %b6, ^bb2(%v1 : i64), ^bb2(%v7 : i64)
  ^bb2(%v8: i64):
    %t14 = rng.bits : i16
    %v9 = arith.extui %t14 : i16 to i64
    %v10 = arith.constant 1099511627776 : i64
    cf.br ^bb4(%v10 : i64)
  ^bb3:
    vector.print %v10 : i64
    %v11 = rng.bits @g : i64
    cf.br ^bb4(%v10 : i64)
  ^bb4(%v12: i64):
    return %v9 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-EMPTY:
// CHECK-NEXT: 51c732a604faa329 459135e4241513ad be4bbd74c5fa1393
// CHECK-NEXT: 8935d150b3f0e797 678b60ae1fe70542 5de35a65b5a699ff
// CHECK-NEXT: 17179869208
// CHECK-NEXT: 4
// CHECK-NEXT: 0
// CHECK-NEXT: 4294967302
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: 1
// CHECK-NEXT: -1
// CHECK-NEXT: 0
// CHECK-NOT: {{.+}}
