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
  rng.generator @g {algorithm = #rng.philox<rounds = 4>, seed = -7 : i64}
  rng.generator @h {seed = 0 : i64}
  func.func private @rngSeed(!llvm.ptr, i64) attributes {rng.draws = [unit, @g]}

  func.func @leaf() -> (i64) {
    %v1, %v2 = rng.get_state : i64, i64
    %t1 = arith.constant 0.75 : f32
    %t2 = rng.bernoulli @h prob(%t1) : tensor<7xi1>
    %v3, %v4 = rng.get_state @g : i64, i64
    %v5 = arith.constant 1099511627776 : i64
    return %v5 : i64
  }
  func.func @prog() -> (i64) {
    %v2 = arith.constant 1 : i64
    %v3 = arith.constant 2147483648 : i64
    %b1 = arith.cmpi ugt, %v2, %v3 : i64
    cf.cond_br %b1, ^bb2, ^bb3
  ^bb2:
    %v4, %v5 = rng.get_state : i64, i64
    vector.print %v5 : i64
    cf.br ^bb4(%v3, %v2 : i64, i64)
  ^bb3:
    %t1 = arith.constant 1.0 : f32
    %t2 = rng.bernoulli @g prob(%t1) : i1
    %t3 = llvm.mlir.zero : !llvm.ptr
    func.call @rngSeed(%t3, %v3) : (!llvm.ptr, i64) -> ()
    %v8 = arith.constant 5 : i64
    cf.br ^bb4(%v3, %v8 : i64, i64)
  ^bb4(%v6: i64, %v7: i64):
    %t4 = rng.bits : i32
    %v9 = arith.extui %t4 : i32 to i64
    %t5 = arith.constant 0.25 : f32
    %b10 = rng.bernoulli @g prob(%t5) : i1
    %v11 = arith.constant 4 : i64
    cf.cond_br %b10, ^either5(%v11 : i64), ^either6(%v11 : i64)
  ^either5(%v12: i64):
    %v13 = arith.constant -1 : i64
    rng.set_state @g, %v13, %v6 : i64, i64
    %t6 = arith.constant 3 : i64
    %t7 = arith.constant 0 : i64
    %t8 = arith.andi %v6, %t6 : i64
    %t9 = arith.addi %t8, %t7 : i64
    %n14 = arith.index_cast %t9 : i64 to index
    %t10 = rng.bits @h sizes(%n14) : tensor<?xi32>
    %v19 = arith.constant 1 : i64
    %v20 = arith.constant 0 : i64
    %v21 = arith.subi %v12, %v19 : i64
    %b22 = arith.cmpi sgt, %v12, %v20 : i64
    cf.cond_br %b22, ^either6(%v21 : i64), ^bb7(%v13 : i64)
  ^either6(%v15: i64):
    %t11 = arith.constant 0.0 : f32
    %t12 = arith.constant 1.0 : f32
    %t13 = rng.uniform @h range(%t11, %t12) : vector<4xf32>
    %t14 = vector.extract %t13[0] : f32 from vector<4xf32>
    %t15 = arith.bitcast %t14 : f32 to i32
    %v16 = arith.extui %t15 : i32 to i64
    %t16 = rng.bits @g : i32
    %v17 = arith.extui %t16 : i32 to i64
    %v18 = func.call @leaf() : () -> i64
    %v23 = arith.constant 1 : i64
    %v24 = arith.constant 0 : i64
    %v25 = arith.subi %v15, %v23 : i64
    %b26 = arith.cmpi sgt, %v15, %v24 : i64
    cf.cond_br %b26, ^either5(%v25 : i64), ^bb7(%v3 : i64)
  ^bb7(%v27: i64):
    %v28 = arith.constant 3 : i64
    %v41, %v42 = scf.while (%v29 = %v28, %v30 = %v28) : (i64, i64) -> (i64, i64) {
      %v34 = arith.constant 5 : i64
      %t17 = arith.constant 1 : i64
      %t18 = arith.constant 1 : i64
      %t19 = arith.andi %v34, %t17 : i64
      %t20 = arith.addi %t19, %t18 : i64
      %n33 = arith.index_cast %t20 : i64 to index
      %t21 = arith.constant 0.0 : f32
      %t22 = arith.constant 100.0 : f32
      %t23 = rng.uniform @h range(%t21, %t22) sizes(%n33) : tensor<?xbf16>
      %t24 = arith.constant 0.75 : f32
      %b35 = rng.bernoulli @h prob(%t24) : i1
      %v36 = arith.constant 0 : i64
      %b37 = arith.cmpi sgt, %v29, %v36 : i64
      %b38 = arith.andi %b37, %b35 : i1
      scf.condition(%b38) %v29, %v34 : i64, i64
    } do {
    ^after(%v31: i64, %v32: i64):
      %v39 = arith.constant 1 : i64
      %v40 = arith.subi %v31, %v39 : i64
      scf.yield %v40, %v9 : i64, i64
    }
    %v43 = arith.muli %v42, %v28 : i64
    %v44 = arith.constant 5 : i64
    return %v44 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 5
// CHECK-NEXT: 2147483648
// CHECK-NEXT: 1
// CHECK-NEXT: -1
// CHECK-NEXT: 2147483648
// CHECK-NEXT: 0
// CHECK-NEXT: 11
// CHECK-NOT: {{.+}}
