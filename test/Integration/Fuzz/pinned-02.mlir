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

module attributes {rng.default_algorithm = #rng.philox<rounds = 1>} {
  rng.generator @g {algorithm = #rng.philox<rounds = 7>, seed = 1311768467463790320 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = -7 : i64}
  func.func private @rngGetTorchState(!llvm.ptr, !llvm.ptr) attributes {rng.draws = [unit, @g]}
  llvm.mlir.global private constant @name_g("g\00")
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() {
    %t1 = rng.bits @h : tensor<2x0xi64>
    scf.execute_region {
      %t2 = arith.constant 0.25 : f32
      %b1 = rng.bernoulli @g prob(%t2) : i1
      %v18 = arith.constant 0 : i64
      cf.cond_br %b1, ^bb3, ^bb4
    ^bb3:
      %t3 = llvm.mlir.addressof @name_g : !llvm.ptr
      %t4 = arith.constant 2 : i32
      %t5 = llvm.alloca %t4 x i64 : (i32) -> !llvm.ptr
      func.call @rngGetTorchState(%t3, %t5) : (!llvm.ptr, !llvm.ptr) -> ()
      %t6 = llvm.getelementptr %t5[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %v2 = llvm.load %t5 : !llvm.ptr -> i64
      %v3 = llvm.load %t6 : !llvm.ptr -> i64
      vector.print %v3 : i64
      %v4 = arith.constant 0 : i64
      %v15, %v16 = scf.while (%v5 = %v4, %v6 = %v2) : (i64, i64) -> (i64, i64) {
        %t7 = arith.constant 0.5 : f32
        %b9 = rng.bernoulli @h prob(%t7) : i1
        %v10 = arith.constant 0 : i64
        %b11 = arith.cmpi sgt, %v5, %v10 : i64
        %b12 = arith.andi %b11, %b9 : i1
        scf.condition(%b12) %v5, %v3 : i64, i64
      } do {
      ^after(%v7: i64, %v8: i64):
        %v13 = arith.constant 1 : i64
        %v14 = arith.subi %v7, %v13 : i64
        scf.yield %v14, %v8 : i64, i64
      }
      cf.br ^bb5(%v15 : i64)
    ^bb4:
      %t8 = arith.constant 0.75 : f32
      %t9 = rng.bernoulli prob(%t8) : i1
      %v17 = arith.extui %t9 : i1 to i64
      cf.br ^bb5(%v17 : i64)
    ^bb5(%v19: i64):
      %t10 = arith.constant 0.5 : f32
      %t11 = rng.bernoulli prob(%t10) : i1
      %v20 = arith.extui %t11 : i1 to i64
      scf.yield
    }
    %v21 = arith.constant 2 : i64
    cf.br ^bb6(%v21, %v21 : i64, i64)
  ^bb6(%v22: i64, %v23: i64):
    %v24 = func.call @leaf() : () -> i64
    %v25 = arith.constant 1 : i64
    %v26 = arith.constant 0 : i64
    %v27 = arith.subi %v22, %v25 : i64
    %b28 = arith.cmpi sgt, %v22, %v26 : i64
    cf.cond_br %b28, ^bb7, ^bb8(%v23 : i64)
  ^bb7:
    %v29 = func.call @leaf() : () -> i64
    %v30, %v31 = rng.reserve @h, %v22 : i64, i64
    cf.br ^bb6(%v27, %v31 : i64, i64)
  ^bb8(%v32: i64):
    %t12 = arith.constant 1 : i64
    %t13 = arith.constant 0 : i64
    %t14 = arith.andi %v21, %t12 : i64
    %t15 = arith.addi %t14, %t13 : i64
    %n33 = arith.index_cast %t15 : i64 to index
    %v46, %v47 = affine.for %n34 = affine_map<(d0) -> (d0)>(%n33) to 1 iter_args(%v35 = %v21, %v36 = %v21) -> (i64, i64) {
      %v34 = arith.index_cast %n34 : index to i64
      %v38 = arith.constant 4611686018427387904 : i64
      %b37 = arith.cmpi ugt, %v34, %v38 : i64
      %v44, %v45 = scf.if %b37 -> (i64, i64) {
        scf.yield %v38, %v34 : i64, i64
      } else {
        %t16 = arith.constant 0 : i64
        %t17 = memref.alloc() : memref<8xi64>
        linalg.fill ins(%t16 : i64) outs(%t17 : memref<8xi64>)
        %t18 = arith.constant 1 : index
        %t19 = arith.constant 3 : index
        scf.parallel (%n39) = (%t18) to (%n34) step (%t19) {
          %v39 = arith.index_cast %n39 : index to i64
          %t20 = rng.bits @h : vector<4xi16>
          %t21 = vector.extract %t20[0] : i16 from vector<4xi16>
          %v40 = arith.extui %t21 : i16 to i64
          %v41 = arith.muli %v40, %v38 : i64
          %v42, %v43 = rng.get_state @g : i64, i64
          memref.store %v41, %t17[%n39] : memref<8xi64>
        }
        %t22 = memref.cast %t17 : memref<8xi64> to memref<*xi64>
        func.call @rngPrintBitsI64(%t22) : (memref<*xi64>) -> ()
        scf.yield %v38, %v35 : i64, i64
      }
      vector.print %v44 : i64
      affine.yield %v44, %v45 : i64, i64
    }
    %v48 = func.call @leaf() : () -> i64
    return
  }
  func.func @leaf() -> (i64) {
    %v2 = arith.constant 0 : i64
    %v3 = arith.constant 5 : i64
    %v1 = arith.xori %v2, %v3 : i64
    return %v3 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 4
// CHECK-NEXT: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 4611686018427387904
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 1311768467463790320
// CHECK-NEXT: 1
// CHECK-NEXT: -7
// CHECK-NEXT: 5
// CHECK-NOT: {{.+}}
