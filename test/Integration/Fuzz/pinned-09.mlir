// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=so,g=so
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
  rng.generator @g {algorithm = #rng.philox<rounds = 4>, seed = 1311768467463790320 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = 0 : i64}

  func.func private @f0(%v1: i64) -> (i64, i64) {
    %t1 = rng.bits : i32
    %v2 = arith.extui %t1 : i32 to i64
    %v3 = arith.constant 1099511627776 : i64
    %v4 = arith.constant -3 : i64
    rng.set_state %v3, %v4 : i64, i64
    return %v3, %v1 : i64, i64
  }
  func.func private @f1(%v1: i64) -> (i64, i64) {
    %t1 = arith.constant 0.10000000149011612 : f32
    %b2 = rng.bernoulli @g prob(%t1) : i1
    cf.cond_br %b2, ^bb2(%v1 : i64), ^bb2(%v1 : i64)
  ^bb2(%v3: i64):
    vector.print %v3 : i64
    return %v3, %v1 : i64, i64
  }
  func.func @prog() {
    %t1 = rng.uniform : bf16
    %t2 = arith.bitcast %t1 : bf16 to i16
    %v1 = arith.extui %t2 : i16 to i64
    %t3 = arith.constant 1.0 : f32
    %t4 = rng.bernoulli @g prob(%t3) : i1
    %v2, %v3 = rng.get_state @g : i64, i64
    %t5 = arith.constant 0.75 : f32
    %t6 = rng.stateless_bernoulli %v2, %v3 prob(%t5) {algorithm = #rng.philox<rounds = 4>} : vector<2x3xi1>
    %t7 = vector.extract %t6[0, 0] : i1 from vector<2x3xi1>
    %t8 = arith.extui %t7 : i1 to i64
    %t9 = arith.constant 31 : i64
    %t10 = arith.muli %t8, %t9 : i64
    %t11 = vector.extract %t6[0, 2] : i1 from vector<2x3xi1>
    %t12 = arith.extui %t11 : i1 to i64
    %v4 = arith.addi %t12, %t10 : i64
    %v5 = rng.advance %v3 by bernoulli vector<2x3xi1> {algorithm = #rng.philox<rounds = 4>}
    rng.set_state @g, %v2, %v5 : i64, i64
    %t13 = arith.constant 0.10000000149011612 : f32
    %t14 = rng.bernoulli @g prob(%t13) : i1
    %v6 = arith.extui %t14 : i1 to i64
    %v7, %v8 = func.call @f1(%v4) : (i64) -> (i64, i64)
    vector.print %v5 : i64
    %t15 = arith.constant 1 : i64
    %t16 = arith.constant 0 : i64
    %t17 = arith.andi %v5, %t15 : i64
    %t18 = arith.addi %t17, %t16 : i64
    %n9 = arith.index_cast %t18 : i64 to index
    affine.for %n10 = affine_map<(d0) -> (d0)>(%n9) to 0 step 2 {
      %v10 = arith.index_cast %n10 : index to i64
      vector.print %v10 : i64
      affine.yield
    }
    %v19, %v20 = affine.for %n11 = affine_map<(d0) -> (d0)>(%n9) to 2 iter_args(%v12 = %v8, %v13 = %v8) -> (i64, i64) {
      %v11 = arith.index_cast %n11 : index to i64
      %v15 = arith.constant 4611686018427387904 : i64
      %b14 = arith.cmpi slt, %v11, %v15 : i64
      %t19 = func.constant @f0 : (i64) -> (i64, i64)
      %t20 = func.constant @f1 : (i64) -> (i64, i64)
      %t21 = arith.select %b14, %t20, %t19 : (i64) -> (i64, i64)
      %v16, %v17 = func.call_indirect %t21(%v4) : (i64) -> (i64, i64)
      vector.print %v16 : i64
      %v18 = func.call @rec(%v7, %v1) : (i64, i64) -> i64
      affine.yield %v17, %v15 : i64, i64
    }
    return
  }
  func.func @rec(%v1: i64, %v2: i64) -> (i64) {
    %v3 = arith.constant 3 : i64
    %v4 = arith.constant 0 : i64
    %v5 = arith.andi %v1, %v3 : i64
    %b6 = arith.cmpi sgt, %v5, %v4 : i64
    cf.cond_br %b6, ^deeper, ^end(%v2 : i64)
  ^deeper:
    %v7 = arith.constant 1 : i64
    %v8 = arith.subi %v5, %v7 : i64
    vector.print %v1 : i64
    %v9 = func.call @rec(%v8, %v2) : (i64, i64) -> i64
    cf.br ^end(%v9 : i64)
  ^end(%v10: i64):
    %v11, %v12 = func.call @f1(%v10) : (i64) -> (i64, i64)
    return %v1 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 32
// CHECK-NEXT: 2
// CHECK-NEXT: 32
// CHECK-NEXT: 32
// CHECK-NEXT: 12032
// CHECK-NEXT: 32
// CHECK-NEXT: 32
// CHECK-NEXT: 12032
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 1311768467463790320
// CHECK-NEXT: 8
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NOT: {{.+}}
