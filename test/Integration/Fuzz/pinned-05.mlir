// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=o,g=o,h=so
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
  rng.generator @g {algorithm = #rng.philox<rounds = 7>, seed = 42 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 7>, seed = 0 : i64}

  func.func private @leaf(%v1: i64, %v2: i64) {
    %t1 = rng.uniform @g : tensor<2x3xf32>
    %t2 = arith.constant 0 : index
    %t3 = arith.constant 2 : index
    %t4 = tensor.extract %t1[%t2, %t3] : tensor<2x3xf32>
    %t5 = arith.bitcast %t4 : f32 to i32
    %v3 = arith.extui %t5 : i32 to i64
    %t6 = arith.constant 0.8999999761581421 : f32
    %t7 = rng.bernoulli @g prob(%t6) : i1
    %v4 = arith.extui %t7 : i1 to i64
    return
  }
  func.func @prog() -> (i64) {
    %v2 = arith.constant -9211453189903347125 : i64
    %t1 = arith.constant 1 : i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.andi %v2, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n1 = arith.index_cast %t4 : i64 to index
    %t5 = arith.constant 0.25 : f32
    %t6 = rng.bernoulli prob(%t5) sizes(%n1) : tensor<?xi1>
    %t7 = rng.bits : i8
    func.call @leaf(%v2, %v2) : (i64, i64) -> ()
    %v3 = arith.addi %v2, %v2 : i64
    %v4 = arith.subi %v3, %v2 : i64
    %v11 = scf.execute_region -> (i64) {
      vector.print %v4 : i64
      %v5, %v6 = func.call @f0(%v2, %v2) : (i64, i64) -> (i64, i64)
      %v7, %v8 = rng.get_state @h : i64, i64
      %t8 = rng.stateless_bits %v7, %v8 sizes(%n1) {algorithm = #rng.philox<rounds = 7>} : tensor<?xi32>
      %v9 = rng.advance %v8 by bits tensor<?xi32>(%n1) {algorithm = #rng.philox<rounds = 7>}
      %t9 = arith.constant 0.0 : f32
      %t10 = rng.bernoulli @g prob(%t9) : vector<4xi1>
      %t11 = vector.extract %t10[0] : i1 from vector<4xi1>
      %v10 = arith.extui %t11 : i1 to i64
      rng.set_state @h, %v7, %v9 : i64, i64
      scf.yield %v5 : i64
    }
    %v12 = arith.constant 1311768467463790320 : i64
    rng.set_state @h, %v12, %v3 : i64, i64
    %v25, %v26 = affine.for %n13 = affine_map<(d0) -> (d0)>(%n1) to 4 step 3 iter_args(%v14 = %v12, %v15 = %v4) -> (i64, i64) {
      %v13 = arith.index_cast %n13 : index to i64
      %v17 = arith.constant 1 : i64
      %b16 = arith.cmpi slt, %v13, %v17 : i64
      scf.if %b16 {
        %v22, %v23 = affine.for %n18 = 0 to 3 iter_args(%v19 = %v4, %v20 = %v3) -> (i64, i64) {
          %v18 = arith.index_cast %n18 : index to i64
          %v21 = rng.bits : i64
          vector.print %v11 : i64
          affine.yield %v3, %v21 : i64, i64
        }
        scf.yield
      }
      %t12 = rng.bits @g : i32
      %v24 = arith.extui %t12 : i32 to i64
      affine.yield %v24, %v13 : i64, i64
    }
    return %v11 : i64
  }
  func.func @f0(%v1: i64, %v2: i64) -> (i64, i64) {
    %v4 = arith.constant 1 : i64
    %b3 = arith.cmpi ult, %v2, %v4 : i64
    %v5 = arith.constant 2 : i64
    cf.cond_br %b3, ^either2(%v5 : i64), ^either3(%v5 : i64)
  ^either2(%v6: i64):
    %t1 = arith.constant 3 : i64
    %t2 = arith.constant 1 : i64
    %t3 = arith.andi %v4, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n7 = arith.index_cast %t4 : i64 to index
    %t5 = rng.bits sizes(%n7) : tensor<?x2xi64>
    %t6 = arith.constant 0 : index
    %t7 = arith.constant 0 : index
    %v8 = tensor.extract %t5[%t6, %t7] : tensor<?x2xi64>
    %t8 = rng.uniform : f64
    %v9 = arith.bitcast %t8 : f64 to i64
    %v11 = arith.constant 1 : i64
    %v12 = arith.constant 0 : i64
    %v13 = arith.subi %v6, %v11 : i64
    %b14 = arith.cmpi sgt, %v6, %v12 : i64
    cf.cond_br %b14, ^either3(%v13 : i64), ^bb4(%v8 : i64)
  ^either3(%v10: i64):
    %t9 = arith.constant 0.0 : f32
    %t10 = arith.constant 100.0 : f32
    %t11 = rng.uniform @g range(%t9, %t10) : bf16
    %v15 = arith.constant 1 : i64
    %v16 = arith.constant 0 : i64
    %v17 = arith.subi %v10, %v15 : i64
    %b18 = arith.cmpi sgt, %v10, %v16 : i64
    cf.cond_br %b18, ^either2(%v17 : i64), ^bb4(%v5 : i64)
  ^bb4(%v19: i64):
    %t12 = arith.constant 3 : i64
    %t13 = arith.constant 0 : i64
    %t14 = arith.andi %v4, %t12 : i64
    %t15 = arith.addi %t14, %t13 : i64
    %n20 = arith.index_cast %t15 : i64 to index
    %t16 = rng.bits sizes(%n20) : tensor<?xi64>
    %v21 = arith.xori %v19, %v4 : i64
    return %v19, %v4 : i64, i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: -9211453189903347125
// CHECK-NEXT: 2
// CHECK-NEXT: 0
// CHECK-NEXT: 5
// CHECK-NEXT: 42
// CHECK-NEXT: 6
// CHECK-NEXT: 1311768467463790320
// CHECK-NEXT: 23837693902857366
// CHECK-NOT: {{.+}}
