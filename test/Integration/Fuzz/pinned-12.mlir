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
  rng.generator @g {seed = 4294967296 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 7>, seed = 4294967296 : i64}
  func.func private @rngPrintBitsI64(memref<*xi64>) attributes {llvm.emit_c_interface}

  func.func @prog() -> (i64, i64) {
    %v2 = arith.constant 0 : i64
    %v1 = arith.addi %v2, %v2 : i64
    %v5 = arith.constant 1 : i64
    %v3, %v4 = rng.reserve %v5 : i64, i64
    %t1 = rng.uniform @g : bf16
    %t2 = arith.bitcast %t1 : bf16 to i16
    %v6 = arith.extui %t2 : i16 to i64
    %t3 = arith.constant 0 : i64
    %t4 = memref.alloc() : memref<8xi64>
    linalg.fill ins(%t3 : i64) outs(%t4 : memref<8xi64>)
    %t5 = arith.constant 0 : index
    %t6 = arith.constant 1 : index
    %t7 = arith.constant 1 : index
    scf.parallel (%n7) = (%t5) to (%t6) step (%t7) {
      %v7 = arith.index_cast %n7 : index to i64
      %t8 = arith.constant 1 : index
      %t9 = arith.constant 0 : index
      %t10 = arith.constant 3 : index
      %t11 = arith.constant 0 : index
      %t12 = arith.constant 1 : index
      %t13 = arith.constant 1 : index
      %t14 = arith.constant 0 : i64
      %v14 = scf.parallel (%n8, %n9) = (%t8, %t9) to (%t10, %t11) step (%t12, %t13) init (%t14) -> i64 {
        %v8 = arith.index_cast %n8 : index to i64
        %v9 = arith.index_cast %n9 : index to i64
        %t15 = rng.bits @g : i16
        %v10 = arith.extui %t15 : i16 to i64
        %t16 = arith.constant 3 : i64
        %t17 = arith.constant 0 : i64
        %t18 = arith.andi %v9, %t16 : i64
        %t19 = arith.addi %t18, %t17 : i64
        %n11 = arith.index_cast %t19 : i64 to index
        %t20 = arith.constant 1.0 : f32
        %t21 = arith.constant 1.0 : f32
        %t22 = rng.uniform range(%t20, %t21) sizes(%n7, %n11) : tensor<?x?xf32>
        %v12 = arith.constant -6670760253686063733 : i64
        %v13 = func.call @leaf(%v12, %v9) : (i64, i64) -> i64
        scf.reduce(%v13 : i64) {
        ^reduce(%t23: i64, %t24: i64):
          %t25 = arith.addi %t23, %t24 : i64
          scf.reduce.return %t25 : i64
        }
      }
      %v15 = func.call @leaf(%v4, %v14) : (i64, i64) -> i64
      memref.store %v15, %t4[%n7] : memref<8xi64>
    }
    %t26 = memref.cast %t4 : memref<8xi64> to memref<*xi64>
    func.call @rngPrintBitsI64(%t26) : (memref<*xi64>) -> ()
    %v17 = arith.constant -9223372036854775808 : i64
    %b16 = arith.cmpi ult, %v6, %v17 : i64
    %v20, %v21 = scf.if %b16 -> (i64, i64) {
      %v18 = func.call @leaf(%v17, %v6) : (i64, i64) -> i64
      scf.yield %v4, %v17 : i64, i64
    } else {
      %t27 = rng.bits @h : tensor<3xi1>
      %t28 = arith.constant 0 : index
      %t29 = tensor.extract %t27[%t28] : tensor<3xi1>
      %v19 = arith.extui %t29 : i1 to i64
      scf.yield %v19, %v17 : i64, i64
    }
    %t30 = arith.constant 10.0 : f32
    %t31 = arith.constant 11.0 : f32
    %t32 = rng.uniform @g range(%t30, %t31) : bf16
    %t33 = arith.bitcast %t32 : bf16 to i16
    %v22 = arith.extui %t33 : i16 to i64
    return %v21, %v17 : i64, i64
  }
  func.func private @f0() -> (i64, i64) {
    %v1 = arith.constant -1 : i64
    %v2 = func.call @leaf(%v1, %v1) : (i64, i64) -> i64
    %v3 = arith.constant 1 : i64
    rng.set_state @h, %v1, %v3 : i64, i64
    return %v2, %v2 : i64, i64
  }
  func.func private @leaf(%v1: i64, %v2: i64) -> (i64) {
    %t1 = arith.constant 0.10000000149011612 : f32
    %t2 = arith.constant 0.699999988079071 : f32
    %t3 = rng.uniform @h range(%t1, %t2) : f16
    %t4 = arith.bitcast %t3 : f16 to i16
    %v3 = arith.extui %t4 : i16 to i64
    return %v3 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 0000000000003729 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: -9223372036854775808
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 4294967296
// CHECK-NEXT: 2
// CHECK-NEXT: 4294967296
// CHECK-NEXT: 2
// CHECK-NOT: {{.+}}
