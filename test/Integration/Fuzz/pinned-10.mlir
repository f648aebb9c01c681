// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=o,g=o,h=o
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
  rng.generator @g {algorithm = #rng.philox<rounds = 7>, seed = -1 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = -9223372036854775808 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64, i64) {
    %t1 = rng.bits : i8
    %v1 = arith.extui %t1 : i8 to i64
    vector.print %v1 : i64
    %t2 = arith.constant 0.10000000149011612 : f32
    %t3 = rng.bernoulli @h prob(%t2) : i1
    %t4 = arith.constant 0 : i64
    %t5 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t4 : i64) outs(%t5 : memref<8xi64>)
    %t6 = arith.constant 0 : index
    %t7 = arith.constant 7 : index
    %t8 = arith.constant 3 : index
    scf.parallel (%n2) = (%t6) to (%t7) step (%t8) {
      %v2 = arith.index_cast %n2 : index to i64
      %t9 = arith.constant 0 : index
      %t10 = arith.constant 1 : index
      %t11 = arith.constant 1 : index
      %t12 = arith.constant 4 : index
      %t13 = arith.constant 1 : index
      %t14 = arith.constant 1 : index
      %t15 = arith.constant 0 : i64
      %v6 = scf.parallel (%n3, %n4) = (%t9, %t10) to (%t11, %t12) step (%t13, %t14) init (%t15) -> i64 {
        %v3 = arith.index_cast %n3 : index to i64
        %v4 = arith.index_cast %n4 : index to i64
        %t16 = rng.uniform @h : bf16
        %t17 = arith.bitcast %t16 : bf16 to i16
        %v5 = arith.extui %t17 : i16 to i64
        scf.reduce(%v2 : i64) {
        ^reduce(%t18: i64, %t19: i64):
          %t20 = arith.addi %t18, %t19 : i64
          scf.reduce.return %t20 : i64
        }
      }
      %t21 = arith.constant 0.25 : f32
      %b7 = rng.bernoulli prob(%t21) : i1
      %v10 = scf.if %b7 -> (i64) {
        %t22 = rng.bits : i32
        %v8 = arith.constant 0 : i64
        scf.yield %v8 : i64
      } else {
        %t23 = arith.constant 0.0 : f32
        %t24 = rng.bernoulli prob(%t23) : i1
        %v9 = arith.extui %t24 : i1 to i64
        scf.yield %v9 : i64
      }
      memref.store %v10, %t5[%n2] : memref<8xi64>
    }
    %t25 = memref.cast %t5 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t25) : (memref<*xi64>) -> ()
    %t26 = arith.constant 0.10000000149011612 : f32
    %t27 = rng.bernoulli @g prob(%t26) : tensor<3xi1>
    %t28 = arith.constant 0.0 : f32
    %t29 = rng.bernoulli @h prob(%t28) : tensor<5x1xi1>
    %t30 = arith.constant 2 : index
    %t31 = arith.constant 0 : index
    %t32 = tensor.extract %t29[%t30, %t31] : tensor<5x1xi1>
    %t33 = arith.extui %t32 : i1 to i64
    %t34 = arith.constant 4 : index
    %t35 = arith.constant 0 : index
    %t36 = arith.constant 31 : i64
    %t37 = arith.muli %t33, %t36 : i64
    %t38 = tensor.extract %t29[%t34, %t35] : tensor<5x1xi1>
    %t39 = arith.extui %t38 : i1 to i64
    %v11 = arith.addi %t39, %t37 : i64
    return %v11, %v11 : i64, i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 68
// CHECK-NEXT: 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 7
// CHECK-NEXT: -1
// CHECK-NEXT: 1
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: 11
// CHECK-NOT: {{.+}}
