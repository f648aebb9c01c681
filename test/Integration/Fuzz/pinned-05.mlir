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

module attributes {rng.default_algorithm = #rng.philox<rounds = 3>} {
  rng.generator @g {seed = -1 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = 1 : i64}

  func.func @prog() {
    %t1 = arith.constant 0.10000000149011612 : f32
    %t2 = rng.bernoulli @g prob(%t1) : tensor<3xi1>
    %t3 = arith.constant 1 : index
    %t4 = tensor.extract %t2[%t3] : tensor<3xi1>
    %v1 = arith.extui %t4 : i1 to i64
    %v2 = func.call @rec(%v1, %v1) : (i64, i64) -> i64
    scf.execute_region {
      %t5 = rng.bits @g : tensor<3xi32>
      %t6 = arith.constant 1 : index
      %t7 = tensor.extract %t5[%t6] : tensor<3xi32>
      %v3 = arith.extui %t7 : i32 to i64
      rng.set_state @h, %v2, %v1 : i64, i64
      scf.yield
    }
    %v4, %v5 = rng.get_state @h : i64, i64
    vector.print %v5 : i64
    %t8 = arith.constant 1 : i64
    %t9 = arith.constant 1 : i64
    %t10 = arith.andi %v4, %t8 : i64
    %t11 = arith.addi %t10, %t9 : i64
    %n6 = arith.index_cast %t11 : i64 to index
    %t12 = arith.constant -2 : i64
    %t13 = arith.constant -3 : i64
    %t14 = arith.index_cast %n6 : index to i64
    scf.for %v7 = %t12 to %t13 step %t14 : i64 {
      %n7 = arith.index_cast %v7 : i64 to index
      %t15 = arith.constant 0.8999999761581421 : f32
      %t16 = rng.bernoulli @g prob(%t15) : i1
      %v8 = arith.extui %t16 : i1 to i64
      %v9, %v10 = rng.get_state : i64, i64
      vector.print %v10 : i64
      scf.yield
    }
    %t17 = rng.bits : i32
    %v11 = arith.extui %t17 : i32 to i64
    %t18 = arith.constant 0.10000000149011612 : f32
    %t19 = arith.constant 0.699999988079071 : f32
    %t20 = rng.uniform range(%t18, %t19) : bf16
    %t21 = arith.bitcast %t20 : bf16 to i16
    %v12 = arith.extui %t21 : i16 to i64
    %v13 = arith.xori %v5, %v4 : i64
    return
  }
  func.func private @rec(%v1: i64, %v2: i64) -> (i64) {
    %v3 = arith.constant 3 : i64
    %v4 = arith.constant 0 : i64
    %v5 = arith.andi %v1, %v3 : i64
    %b6 = arith.cmpi sgt, %v5, %v4 : i64
    %v15 = scf.if %b6 -> (i64) {
      %v7 = arith.constant 1 : i64
      %v8 = arith.subi %v5, %v7 : i64
      %t1 = rng.bits @h : vector<3xi8>
      %t2 = vector.extract %t1[1] : i8 from vector<3xi8>
      %t3 = arith.extui %t2 : i8 to i64
      %t4 = arith.constant 31 : i64
      %t5 = arith.muli %t3, %t4 : i64
      %t6 = vector.extract %t1[2] : i8 from vector<3xi8>
      %t7 = arith.extui %t6 : i8 to i64
      %v9 = arith.addi %t7, %t5 : i64
      %v12 = arith.constant 1000 : i64
      %v10, %v11 = rng.reserve @h, %v12 : i64, i64
      %v13 = arith.constant 1099511627776 : i64
      %v14 = func.call @rec(%v8, %v13) : (i64, i64) -> i64
      scf.yield %v11 : i64
    } else {
      scf.yield %v2 : i64
    }
    return %v1 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 1
// CHECK-NEXT: 0
// CHECK-NEXT: 2
// CHECK-NEXT: -1
// CHECK-NEXT: 2
// CHECK-NEXT: 1
// CHECK-NEXT: 1
// CHECK-NOT: {{.+}}
