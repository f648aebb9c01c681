// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=o,g=o,h=o
// DEFINE: %{run} = %rng_opt -rng-to-cpu | %run_cpu | \
// DEFINE:   FileCheck --match-full-lines %s
// RUN: %rng_opt %s -rng-reserve-draws -mlir-print-op-generic | %{entries} | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=state -mlir-print-op-generic | \
// RUN:   %{entries} --entry=state | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=state -canonicalize -cse -inline -mlir-print-op-generic | \
// RUN:   %{entries} --entry=state | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=arguments -mlir-print-op-generic | \
// RUN:   %{entries} --entry=arguments | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=arguments -canonicalize -cse -inline -mlir-print-op-generic | \
// RUN:   %{entries} --entry=arguments | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=memory -mlir-print-op-generic | \
// RUN:   %{entries} --entry=memory | %{run}
// RUN: %rng_opt %s -rng-thread-state=entry=memory -canonicalize -cse -inline -mlir-print-op-generic | \
// RUN:   %{entries} --entry=memory | %{run}

module {
  rng.generator @g {algorithm = #rng.philox<rounds = 4>, seed = -9223372036854775808 : i64}
  rng.generator @h {seed = 42 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() {
    %t1 = rng.bits @h : tensor<2x0xi64>
    %t2 = arith.constant 0.0 : f32
    %t3 = rng.bernoulli @g prob(%t2) : i1
    %v1 = arith.constant 0 : i64
    %t4 = arith.constant 7 : i64
    %t5 = arith.andi %v1, %t4 : i64
    %t6 = arith.trunci %t5 : i64 to i32
    cf.switch %t6 : i32, [
      default: ^bb4,
      0: ^bb2(%v1 : i64),
      1: ^bb3(%v1 : i64),
      3: ^bb3(%v1 : i64)
    ]
  ^bb2(%v2: i64):
    func.call @f0(%v2, %v2) : (i64, i64) -> ()
    %v4 = arith.constant 1 : i64
    %b3 = arith.cmpi slt, %v1, %v4 : i64
    scf.if %b3 {
      %v5, %v6 = rng.get_state @h : i64, i64
      %t7 = rng.bits @h : i16
      %v7 = arith.extui %t7 : i16 to i64
      scf.yield
    }
    cf.br ^bb4
  ^bb3(%v8: i64):
    %t8 = rng.bits @h : i1
    %v9 = arith.extui %t8 : i1 to i64
    cf.br ^bb4
  ^bb4:
    %t9 = arith.constant 1 : i64
    %t10 = arith.constant 2 : i64
    %t11 = arith.andi %v1, %t9 : i64
    %t12 = arith.addi %t11, %t10 : i64
    %n10 = arith.index_cast %t12 : i64 to index
    %t13 = rng.uniform @g sizes(%n10) : tensor<?xf64>
    %v13 = arith.constant 1099511627776 : i64
    %v11, %v12 = rng.reserve @g, %v13 : i64, i64
    return
  }
  func.func @f0(%v1: i64, %v2: i64) {
    %t1 = rng.bits @h : tensor<7xi64>
    %t2 = arith.constant 4 : index
    %t3 = tensor.extract %t1[%t2] : tensor<7xi64>
    %t4 = arith.constant 6 : index
    %t5 = arith.constant 31 : i64
    %t6 = arith.muli %t3, %t5 : i64
    %t7 = tensor.extract %t1[%t4] : tensor<7xi64>
    %v3 = arith.addi %t7, %t6 : i64
    %t8 = bufferization.to_buffer %t1 read_only : tensor<7xi64> to memref<7xi64>
    %t9 = memref.cast %t8 : memref<7xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t9) : (memref<*xi64>) -> ()
    %t10 = arith.constant 0.5 : f32
    %t11 = rng.bernoulli @g prob(%t10) : i1
    %v4 = arith.extui %t11 : i1 to i64
    %t12 = arith.constant 3 : i64
    %t13 = arith.constant 0 : i64
    %t14 = arith.andi %v2, %t12 : i64
    %t15 = arith.addi %t14, %t13 : i64
    %n5 = arith.index_cast %t15 : i64 to index
    %t16 = arith.constant 0 : i64
    %t17 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t16 : i64) outs(%t17 : memref<8xi64>)
    %t18 = arith.constant 1 : index
    %t19 = arith.constant 1 : index
    scf.forall (%n6) = (%t18) to (%n5) step (%t19) {
      %v6 = arith.index_cast %n6 : index to i64
      %v7 = func.call @leaf() : () -> i64
      memref.store %v4, %t17[%n6] : memref<8xi64>
    }
    %t20 = memref.cast %t17 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t20) : (memref<*xi64>) -> ()
    %v8 = func.call @leaf() : () -> i64
    return
  }
  func.func @leaf() -> (i64) {
    %t1 = rng.bits @h : tensor<0xi1>
    %t2 = arith.constant 0.10000000149011612 : f32
    %t3 = rng.bernoulli prob(%t2) : i1
    %v1 = arith.extui %t3 : i1 to i64
    return %v1 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 53ba6cfdfcdb2127 744e06fb838f5a6e fdd21d9420ff9139 39c6bd081b0af4ec e22cac8b8fe60f5c aa23aa8dc387c0fb 1d91b19b85a8df3c
// CHECK-NEXT: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: 1099511627779
// CHECK-NEXT: 42
// CHECK-NEXT: 4
// CHECK-NOT: {{.+}}
