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

module attributes {rng.default_algorithm = #rng.philox<rounds = 3>} {
  rng.generator @g {algorithm = #rng.philox<rounds = 4>, seed = -1 : i64}
  rng.generator @h {seed = -9223372036854775808 : i64}

  func.func private @rec(%v1: i64, %v2: i64) -> (i64) {
    %v3 = arith.constant 3 : i64
    %v4 = arith.constant 0 : i64
    %v5 = arith.andi %v1, %v3 : i64
    %b6 = arith.cmpi sgt, %v5, %v4 : i64
    %t1 = arith.constant 1 : i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.andi %v2, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n9 = arith.index_cast %t4 : i64 to index
    %t5 = rng.bits sizes(%n9) : tensor<?xi1>
    %v11 = scf.if %b6 -> (i64) {
      %v7 = arith.constant 1 : i64
      %v8 = arith.subi %v5, %v7 : i64
      %t6 = rng.bits : tensor<7xi32>
      %v10 = func.call @rec(%v8, %v1) : (i64, i64) -> i64
      %v12 = arith.constant 1 : i64
      scf.yield %v12 : i64
    } else {
      %t7 = rng.uniform @h : f32
      %t8 = arith.bitcast %t7 : f32 to i32
      %v13 = arith.extui %t8 : i32 to i64
      scf.yield %v1 : i64
    }
    %v14 = arith.subi %v2, %v2 : i64
    return %v2 : i64
  }
  func.func @prog() {
    %v1 = arith.constant -1 : i64
    %v2 = func.call @rec(%v1, %v1) : (i64, i64) -> i64
    %t1 = arith.constant 3 : i64
    %t2 = arith.constant 0 : i64
    %t3 = arith.andi %v2, %t1 : i64
    %t4 = arith.addi %t3, %t2 : i64
    %n3 = arith.index_cast %t4 : i64 to index
    %v12, %v13 = scf.index_switch %n3 -> i64, i64
    case 0 {
      %t5 = arith.constant 0.0 : f32
      %t6 = rng.bernoulli @g prob(%t5) : vector<3xi1>
      %t7 = vector.extract %t6[2] : i1 from vector<3xi1>
      %t8 = arith.extui %t7 : i1 to i64
      %t9 = arith.constant 31 : i64
      %t10 = arith.muli %t8, %t9 : i64
      %t11 = vector.extract %t6[0] : i1 from vector<3xi1>
      %t12 = arith.extui %t11 : i1 to i64
      %v4 = arith.addi %t12, %t10 : i64
      %t13 = rng.bits @h : i32
      %v5 = arith.extui %t13 : i32 to i64
      scf.yield %v2, %v4 : i64, i64
    }
    case 1 {
      %t14 = rng.bits @g sizes(%n3) : tensor<?xi8>
      %t15 = rng.bits : tensor<2x0xi64>
      %t16 = arith.constant 0.0 : f32
      %t17 = arith.constant 100.0 : f32
      %t18 = rng.uniform @h range(%t16, %t17) : f32
      %t19 = arith.bitcast %t18 : f32 to i32
      %v6 = arith.extui %t19 : i32 to i64
      scf.yield %v2, %v2 : i64, i64
    }
    case 2 {
      %v7 = arith.constant -1 : i64
      rng.set_state %v7, %v2 : i64, i64
      scf.yield %v2, %v2 : i64, i64
    }
    default {
      %v8, %v9 = rng.get_state @g : i64, i64
      %t20 = rng.stateless_bits %v8, %v9 sizes(%n3) {algorithm = #rng.philox<rounds = 4>} : tensor<?xi16>
      %v10 = rng.advance %v9 by bits tensor<?xi16>(%n3) {algorithm = #rng.philox<rounds = 4>}
      rng.set_state @g, %v8, %v10 : i64, i64
      %v11 = func.call @rec(%v2, %v10) : (i64, i64) -> i64
      scf.yield %v1, %v11 : i64, i64
    }
    %v14, %v15 = rng.get_state : i64, i64
    %v16 = rng.bits : i64
    %t21 = arith.constant 0 : index
    %t22 = arith.constant 2 : index
    %v24, %v25 = scf.for %n17 = %t21 to %n3 step %t22 iter_args(%v18 = %v13, %v19 = %v15) -> (i64, i64) {
      %v17 = arith.index_cast %n17 : index to i64
      %v20 = arith.constant 1099511627776 : i64
      %v21 = func.call @rec(%v18, %v20) : (i64, i64) -> i64
      %v22 = arith.constant 5 : i64
      %v23 = func.call @rec(%v1, %v22) : (i64, i64) -> i64
      scf.yield %v23, %v22 : i64, i64
    }
    %v26 = arith.muli %v13, %v25 : i64
    %t23 = arith.constant 0.10000000149011612 : f32
    %t24 = arith.constant 0.699999988079071 : f32
    %t25 = rng.uniform @g range(%t23, %t24) : vector<4xf32>
    %t26 = vector.extract %t25[2] : f32 from vector<4xf32>
    %t27 = arith.bitcast %t26 : f32 to i32
    %v27 = arith.extui %t27 : i32 to i64
    %v29 = arith.constant 5 : i64
    %v28 = arith.addi %v25, %v29 : i64
    return
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0
// CHECK-NEXT: 35
// CHECK-NEXT: -1
// CHECK-NEXT: 2
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: 6
// CHECK-NOT: {{.+}}
