// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=o,g=so,h=so
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
  rng.generator @g {algorithm = #rng.philox<rounds = 2>, seed = 1 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 4>, seed = 1 : i64}

  func.func private @even(%v1: i64, %v2: i64) -> (i64) {
    %v3 = arith.constant 3 : i64
    %v4 = arith.constant 0 : i64
    %v5 = arith.andi %v1, %v3 : i64
    %b6 = arith.cmpi sgt, %v5, %v4 : i64
    %v13 = scf.if %b6 -> (i64) {
      %v7 = arith.constant 1 : i64
      %v8 = arith.subi %v5, %v7 : i64
      %v9, %v10 = rng.get_state @h : i64, i64
      vector.print %v10 : i64
      %v11 = func.call @odd(%v8, %v10) : (i64, i64) -> i64
      %t1 = arith.constant -1.5 : f32
      %t2 = arith.constant 2.25 : f32
      %t3 = rng.uniform range(%t1, %t2) : f16
      %t4 = arith.bitcast %t3 : f16 to i16
      %v12 = arith.extui %t4 : i16 to i64
      scf.yield %v10 : i64
    } else {
      scf.yield %v1 : i64
    }
    vector.print %v1 : i64
    %v14 = arith.constant 1311768467463790320 : i64
    rng.set_state @h, %v14, %v13 : i64, i64
    return %v13 : i64
  }
  func.func private @leaf() {
    %v1, %v2 = rng.get_state : i64, i64
    return
  }
  func.func @prog() -> (i64, i64) {
    %v1 = rng.bits @h : i64
    vector.print %v1 : i64
    %t1 = rng.bits : i16
    %v2 = arith.extui %t1 : i16 to i64
    %v3 = func.call @even(%v1, %v2) : (i64, i64) -> i64
    %v4 = func.call @odd(%v2, %v2) : (i64, i64) -> i64
    %t2 = rng.bits @h : tensor<5x1xi64>
    %t3 = arith.constant 4 : index
    %t4 = arith.constant 0 : index
    %t5 = tensor.extract %t2[%t3, %t4] : tensor<5x1xi64>
    %t6 = arith.constant 1 : index
    %t7 = arith.constant 0 : index
    %t8 = arith.constant 31 : i64
    %t9 = arith.muli %t5, %t8 : i64
    %t10 = tensor.extract %t2[%t6, %t7] : tensor<5x1xi64>
    %v5 = arith.addi %t10, %t9 : i64
    return %v5, %v5 : i64, i64
  }
  func.func private @f0(%v1: i64) {
    %t1 = arith.constant 0.10000000149011612 : f32
    %t2 = rng.bernoulli @h prob(%t1) : i1
    %v2 = arith.extui %t2 : i1 to i64
    func.call @leaf() : () -> ()
    func.call @leaf() : () -> ()
    return
  }
  func.func private @odd(%v1: i64, %v2: i64) -> (i64) {
    %v3 = arith.constant 3 : i64
    %v4 = arith.constant 0 : i64
    %v5 = arith.andi %v1, %v3 : i64
    %b6 = arith.cmpi sgt, %v5, %v4 : i64
    %t1 = rng.bits @h : tensor<0xi32>
    cf.cond_br %b6, ^deeper, ^end(%v2 : i64)
  ^deeper:
    %v7 = arith.constant 1 : i64
    %v8 = arith.subi %v5, %v7 : i64
    %t2 = arith.constant 0.0 : f32
    %t3 = rng.bernoulli prob(%t2) : vector<3xi1>
    %t4 = vector.extract %t3[0] : i1 from vector<3xi1>
    %t5 = arith.extui %t4 : i1 to i64
    %t6 = arith.constant 31 : i64
    %t7 = arith.muli %t5, %t6 : i64
    %t8 = vector.extract %t3[2] : i1 from vector<3xi1>
    %t9 = arith.extui %t8 : i1 to i64
    %t10 = arith.addi %t9, %t7 : i64
    %t11 = arith.constant 31 : i64
    %t12 = arith.muli %t10, %t11 : i64
    %t13 = vector.extract %t3[0] : i1 from vector<3xi1>
    %t14 = arith.extui %t13 : i1 to i64
    %v9 = arith.addi %t14, %t12 : i64
    %v10 = arith.constant 0 : i64
    %v11 = arith.constant -3 : i64
    rng.set_state @g, %v10, %v11 : i64, i64
    %v12 = func.call @even(%v8, %v9) : (i64, i64) -> i64
    %v13 = func.call @even(%v8, %v9) : (i64, i64) -> i64
    cf.br ^end(%v11 : i64)
  ^end(%v14: i64):
    return %v2 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: -2050307316647051734
// CHECK-NEXT: 1
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: -2050307316647051734
// CHECK-NEXT: 2653219552105695458
// CHECK-NEXT: 2653219552105695458
// CHECK-NEXT: 0
// CHECK-NEXT: 3
// CHECK-NEXT: 0
// CHECK-NEXT: -3
// CHECK-NEXT: 1311768467463790320
// CHECK-NEXT: 3
// CHECK-NOT: {{.+}}
