// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:g=o,h=o
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

module attributes {rng.default_algorithm = #rng.philox<rounds = 3>} {
  rng.generator @g {seed = 1 : i64}
  rng.generator @h {seed = -9223372036854775808 : i64}

  func.func @prog() -> (i64, i64) {
    %v1 = arith.constant 5 : i64
    %v5 = affine.for %n2 = 1 to 0 iter_args(%v3 = %v1) -> (i64) {
      %v2 = arith.index_cast %n2 : index to i64
      %t1 = arith.constant 1.0 : f32
      %t2 = arith.constant 1.0 : f32
      %t3 = rng.uniform @h range(%t1, %t2) : bf16
      %t4 = rng.bits @g : vector<1xi8>
      %t5 = vector.extract %t4[0] : i8 from vector<1xi8>
      %t6 = arith.extui %t5 : i8 to i64
      %t7 = arith.constant 31 : i64
      %t8 = arith.muli %t6, %t7 : i64
      %t9 = vector.extract %t4[0] : i8 from vector<1xi8>
      %t10 = arith.extui %t9 : i8 to i64
      %t11 = arith.addi %t10, %t8 : i64
      %t12 = arith.constant 31 : i64
      %t13 = arith.muli %t11, %t12 : i64
      %t14 = vector.extract %t4[0] : i8 from vector<1xi8>
      %t15 = arith.extui %t14 : i8 to i64
      %v4 = arith.addi %t15, %t13 : i64
      %t16 = rng.bits @h sizes(%n2) : tensor<3x?xi32>
      affine.yield %v4 : i64
    }
    %v6 = arith.constant 5 : i64
    %v16 = scf.while (%v7 = %v6) : (i64) -> (i64) {
      %v10 = arith.constant 4611686018427387904 : i64
      %b9 = arith.cmpi slt, %v7, %v10 : i64
      %v11 = arith.constant 0 : i64
      %b12 = arith.cmpi sgt, %v7, %v11 : i64
      %b13 = arith.andi %b12, %b9 : i1
      scf.condition(%b13) %v7 : i64
    } do {
    ^after(%v8: i64):
      %t17 = arith.constant 0.8999999761581421 : f32
      %t18 = rng.bernoulli @g prob(%t17) : vector<1xi1>
      %v14 = arith.constant 1 : i64
      %v15 = arith.subi %v8, %v14 : i64
      scf.yield %v15 : i64
    }
    %t19 = arith.constant 7 : i64
    %t20 = arith.andi %v16, %t19 : i64
    %t21 = arith.trunci %t20 : i64 to i32
    cf.switch %t21 : i32, [
      default: ^bb4,
      0: ^bb2(%v5 : i64),
      1: ^bb3(%v1 : i64),
      3: ^bb3(%v6 : i64)
    ]
  ^bb2(%v17: i64):
    %t22 = arith.constant 0.8999999761581421 : f32
    %t23 = rng.bernoulli @g prob(%t22) : tensor<5x1xi1>
    %t24 = arith.constant 4 : index
    %t25 = arith.constant 0 : index
    %t26 = tensor.extract %t23[%t24, %t25] : tensor<5x1xi1>
    %v18 = arith.extui %t26 : i1 to i64
    vector.print %v17 : i64
    cf.br ^bb4
  ^bb3(%v19: i64):
    %t27 = rng.uniform @h : f64
    %t28 = arith.constant 0.10000000149011612 : f32
    %t29 = arith.constant 0.699999988079071 : f32
    %t30 = rng.uniform @g range(%t28, %t29) : f32
    %t31 = arith.bitcast %t30 : f32 to i32
    %v20 = arith.extui %t31 : i32 to i64
    cf.br ^bb4
  ^bb4:
    %t32 = arith.constant 0.5 : f32
    %t33 = rng.bernoulli @g prob(%t32) : vector<4xi1>
    %t34 = vector.extract %t33[0] : i1 from vector<4xi1>
    %v21 = arith.extui %t34 : i1 to i64
    %t35 = rng.bits @h : vector<4xi16>
    %t36 = vector.extract %t35[1] : i16 from vector<4xi16>
    %v22 = arith.extui %t36 : i16 to i64
    %v23 = arith.constant 5 : i64
    return %v6, %v23 : i64, i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 5
// CHECK-NEXT: 5
// CHECK-NEXT: 5
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 7
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: 1
// CHECK-NOT: {{.+}}
