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

module {
  rng.generator @g {algorithm = #rng.philox<rounds = 7>, seed = -1 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 7>, seed = 4294967296 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @f0() {
    %v1 = arith.constant 1 : i64
    vector.print %v1 : i64
    %t1 = rng.bits @g : vector<2x3xi64>
    %v2 = vector.extract %t1[0, 1] : i64 from vector<2x3xi64>
    %t2 = arith.constant 0 : i64
    %t3 = arith.constant 1 : i64
    %t4 = arith.andi %v1, %t2 : i64
    %t5 = arith.addi %t4, %t3 : i64
    %n3 = arith.index_cast %t5 : i64 to index
    %t6 = arith.constant 10.0 : f32
    %t7 = arith.constant 11.0 : f32
    %t8 = rng.uniform range(%t6, %t7) sizes(%n3) : tensor<?x2xbf16>
    return
  }
  func.func @prog() {
    %v2 = arith.constant 0 : i64
    %t1 = arith.constant 1 : i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.andi %v2, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n1 = arith.index_cast %t4 : i64 to index
    %t5 = arith.constant 0 : i64
    %t6 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t5 : i64) outs(%t6 : memref<8xi64>)
    %t7 = arith.constant 5 : index
    %t8 = arith.constant 2 : index
    %t9 = arith.constant 0 : i64
    %v11 = scf.parallel (%n3) = (%n1) to (%t7) step (%t8) init (%t9) -> i64 {
      %v3 = arith.index_cast %n3 : index to i64
      %t10 = arith.constant 0.25 : f32
      %t11 = rng.bernoulli prob(%t10) : i1
      %v4 = arith.extui %t11 : i1 to i64
      %v10 = affine.parallel (%n5, %n6, %n7) = (0, 0, 0) to (3, 3, 1) step (1, 1, 3) reduce ("addi") -> (i64) {
        %v5 = arith.index_cast %n5 : index to i64
        %v6 = arith.index_cast %n6 : index to i64
        %v7 = arith.index_cast %n7 : index to i64
        %t12 = arith.constant 0.10000000149011612 : f32
        %t13 = rng.bernoulli @h prob(%t12) : vector<2x3xi1>
        %t14 = vector.extract %t13[1, 2] : i1 from vector<2x3xi1>
        %v8 = arith.extui %t14 : i1 to i64
        %t15 = arith.constant 3.0 : f64
        %t16 = arith.constant -2.0 : f64
        %t17 = rng.uniform @g range(%t15, %t16) sizes(%n6, %n7) : tensor<?x?xf64>
        %v9 = arith.constant -1 : i64
        affine.yield %v9 : i64
      }
      memref.store %v3, %t6[%n3] : memref<8xi64>
      scf.reduce(%v3 : i64) {
      ^reduce(%t18: i64, %t19: i64):
        %t20 = arith.addi %t18, %t19 : i64
        scf.reduce.return %t20 : i64
      }
    }
    %t21 = memref.cast %t6 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t21) : (memref<*xi64>) -> ()
    %v12 = arith.constant 4 : i64
    cf.br ^bb2(%v12, %v2 : i64, i64)
  ^bb2(%v13: i64, %v14: i64):
    %v15, %v16 = func.call @leaf(%v14, %v12) : (i64, i64) -> (i64, i64)
    vector.print %v16 : i64
    vector.print %v14 : i64
    %v17 = arith.constant 1 : i64
    %v18 = arith.constant 0 : i64
    %v19 = arith.subi %v13, %v17 : i64
    %b20 = arith.cmpi sgt, %v13, %v18 : i64
    %v23 = arith.constant 1 : i64
    %b22 = arith.cmpi ugt, %v16, %v23 : i64
    %b21 = arith.andi %b20, %b22 : i1
    cf.cond_br %b21, ^bb3, ^bb4(%v12 : i64)
  ^bb3:
    %v24, %v25 = func.call @leaf(%v23, %v23) : (i64, i64) -> (i64, i64)
    %t22 = arith.constant 0.5 : f32
    %t23 = rng.bernoulli prob(%t22) : tensor<0xi1>
    %v26, %v27 = rng.get_state @h : i64, i64
    %t24 = arith.constant 0.25 : f32
    %t25 = rng.stateless_bernoulli %v26, %v27 prob(%t24) {algorithm = #rng.philox<rounds = 7>} : i1
    %v28 = arith.extui %t25 : i1 to i64
    %v29 = rng.advance %v27 by bernoulli i1 {algorithm = #rng.philox<rounds = 7>}
    rng.set_state @h, %v26, %v29 : i64, i64
    cf.br ^bb2(%v19, %v24 : i64, i64)
  ^bb4(%v30: i64):
    %v32 = arith.constant 1 : i64
    %v31 = arith.xori %v30, %v32 : i64
    return
  }
  func.func private @leaf(%v1: i64, %v2: i64) -> (i64, i64) {
    %t1 = arith.constant 10.0 : f32
    %t2 = arith.constant 11.0 : f32
    %t3 = rng.uniform range(%t1, %t2) : f32
    %t4 = arith.bitcast %t3 : f32 to i32
    %v3 = arith.extui %t4 : i32 to i64
    %t5 = rng.bits @h : tensor<2x3xi32>
    %t6 = arith.constant 0 : index
    %t7 = arith.constant 1 : index
    %t8 = tensor.extract %t5[%t6, %t7] : tensor<2x3xi32>
    %v4 = arith.extui %t8 : i32 to i64
    return %v1, %v1 : i64, i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000000000 0000000000000000 0000000000000002 0000000000000000 0000000000000004 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 4
// CHECK-NEXT: -1
// CHECK-NEXT: 27
// CHECK-NEXT: 4294967296
// CHECK-NEXT: 28
// CHECK-NOT: {{.+}}
