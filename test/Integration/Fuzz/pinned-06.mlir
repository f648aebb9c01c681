// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=o,g=so,h=so
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

module attributes {rng.default_algorithm = #rng.philox<rounds = 3>} {
  rng.generator @g {algorithm = #rng.philox<rounds = 7>, seed = 1 : i64}
  rng.generator @h {seed = 1311768467463790320 : i64}

  func.func private @f0() {
    %t1 = rng.bits @g : i32
    %v1 = arith.extui %t1 : i32 to i64
    %t2 = rng.uniform : bf16
    %t3 = rng.bits : vector<1xi32>
    %t4 = vector.extract %t3[0] : i32 from vector<1xi32>
    %v2 = arith.extui %t4 : i32 to i64
    %t5 = arith.constant 3 : i64
    %t6 = arith.constant 0 : i64
    %t7 = arith.andi %v2, %t5 : i64
    %t8 = arith.addi %t7, %t6 : i64
    %n3 = arith.index_cast %t8 : i64 to index
    scf.index_switch %n3
    default {
      %v7, %v8 = affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%n3) -> (i64, i64) {
        %t9 = rng.bits @h : i64
        %v4, %v5 = rng.reserve %v1 : i64, i64
        affine.yield %v5, %v2 : i64, i64
      } else {
        %v6 = arith.muli %v1, %v2 : i64
        affine.yield %v6, %v6 : i64, i64
      }
      scf.yield
    }
    return
  }
  func.func @prog() -> (i64) {
    func.call @f0() : () -> ()
    func.call @f0() : () -> ()
    %v13 = scf.execute_region -> (i64) {
      %t1 = arith.constant 3.0 : f32
      %t2 = arith.constant -2.0 : f32
      %t3 = rng.uniform @h range(%t1, %t2) : f32
      %v1, %v2 = rng.get_state @h : i64, i64
      %t4 = rng.stateless_uniform %v1, %v2 {algorithm = #rng.philox<rounds = 3>} : f64
      %v3 = arith.bitcast %t4 : f64 to i64
      %v4 = rng.advance %v2 by uniform f64 {algorithm = #rng.philox<rounds = 3>}
      %t5 = arith.constant 1.0 : f32
      %t6 = rng.stateless_bernoulli %v1, %v4 prob(%t5) {algorithm = #rng.philox<rounds = 3>} : i1
      %v5 = arith.extui %t6 : i1 to i64
      %v6 = rng.advance %v4 by bernoulli i1 {algorithm = #rng.philox<rounds = 3>}
      rng.set_state @h, %v1, %v6 : i64, i64
      %v8 = arith.constant 1 : i64
      %b7 = arith.cmpi ult, %v3, %v8 : i64
      cf.cond_br %b7, ^bb2(%v8 : i64), ^bb2(%v5 : i64)
    ^bb2(%v9: i64):
      %v12 = scf.execute_region -> (i64) {
        %t7 = arith.constant 3 : i64
        %t8 = arith.constant 2 : i64
        %t9 = arith.andi %v9, %t7 : i64
        %t10 = arith.addi %t9, %t8 : i64
        %n10 = arith.index_cast %t10 : i64 to index
        %t11 = arith.constant 1.0 : f32
        %t12 = rng.bernoulli prob(%t11) sizes(%n10) : tensor<3x?xi1>
        %t13 = arith.constant 0 : index
        %t14 = arith.constant 1 : index
        %t15 = tensor.extract %t12[%t13, %t14] : tensor<3x?xi1>
        %v11 = arith.extui %t15 : i1 to i64
        rng.set_state @g, %v1, %v2 : i64, i64
        scf.yield %v8 : i64
      }
      scf.yield %v12 : i64
    }
    %v14, %v15 = rng.reserve %v13 : i64, i64
    return %v14 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 4095915393
// CHECK-NEXT: 1311768467463790320
// CHECK-NEXT: 2
// CHECK-NEXT: 1311768467463790320
// CHECK-NEXT: 4
// CHECK-NOT: {{.+}}
