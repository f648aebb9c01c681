// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{entries} = python3 %S/entries.py prog:default=so,g=so,h=so
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
  rng.generator @g {algorithm = #rng.philox<rounds = 2>, seed = -7 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 4>, seed = 1311768467463790320 : i64}
  func.func private @rngPrintBitsBF16(memref<*xbf16>) attributes {llvm.emit_c_interface}

  func.func private @f0(%v1: i64, %v2: i64) -> (i64, i64) {
    %t1 = rng.bits @h : i8
    %v3 = arith.extui %t1 : i8 to i64
    %t2 = arith.constant 3.0 : f32
    %t3 = arith.constant -2.0 : f32
    %t4 = rng.uniform @h range(%t2, %t3) : f32
    %t5 = arith.bitcast %t4 : f32 to i32
    %v4 = arith.extui %t5 : i32 to i64
    %v6 = arith.constant -1 : i64
    %t6 = arith.constant 0 : i64
    %t7 = arith.constant 0 : i64
    %t8 = arith.andi %v6, %t6 : i64
    %t9 = arith.addi %t8, %t7 : i64
    %n5 = arith.index_cast %t9 : i64 to index
    %t10 = arith.constant 0.5 : f32
    %t11 = rng.bernoulli @h prob(%t10) sizes(%n5) : tensor<?x2xi1>
    %v7 = arith.constant 0 : i64
    return %v6, %v7 : i64, i64
  }
  func.func @prog() -> (i64, i64) {
    %t1 = rng.bits @g : i32
    %v1 = arith.extui %t1 : i32 to i64
    vector.print %v1 : i64
    %b2 = rng.bits @h : i1
    %t2 = func.constant @even : (i64, i64) -> i64
    %t3 = func.constant @odd : (i64, i64) -> i64
    %t4 = arith.select %b2, %t3, %t2 : (i64, i64) -> i64
    %v3 = func.call_indirect %t4(%v1, %v1) : (i64, i64) -> i64
    %v4 = func.call @even(%v3, %v1) : (i64, i64) -> i64
    return %v1, %v3 : i64, i64
  }
  func.func @odd(%v1: i64, %v2: i64) -> (i64) {
    %v3 = arith.constant 3 : i64
    %v4 = arith.constant 0 : i64
    %v5 = arith.andi %v1, %v3 : i64
    %b6 = arith.cmpi sgt, %v5, %v4 : i64
    %v9, %v10 = rng.get_state @g : i64, i64
    %t1 = arith.constant 1.0 : f32
    %t2 = arith.constant 1.0 : f32
    %t3 = rng.stateless_uniform %v9, %v10 range(%t1, %t2) {algorithm = #rng.philox<rounds = 2>} : tensor<2x3xbf16>
    %t4 = bufferization.to_buffer %t3 read_only : tensor<2x3xbf16> to memref<2x3xbf16>
    %t5 = memref.cast %t4 : memref<2x3xbf16> to memref<*xbf16>
    func.call @rngPrintBitsBF16(%t5) : (memref<*xbf16>) -> ()
    %v11 = rng.advance %v10 by uniform tensor<2x3xbf16> {algorithm = #rng.philox<rounds = 2>}
    rng.set_state @g, %v9, %v11 : i64, i64
    vector.print %v1 : i64
    %v16 = scf.if %b6 -> (i64) {
      %v7 = arith.constant 1 : i64
      %v8 = arith.subi %v5, %v7 : i64
      %v12, %v13 = rng.get_state @h : i64, i64
      vector.print %v13 : i64
      %v14 = func.call @even(%v8, %v12) : (i64, i64) -> i64
      %v15 = func.call @even(%v8, %v12) : (i64, i64) -> i64
      scf.yield %v15 : i64
    } else {
      %t6 = rng.bits @g : vector<3xi64>
      %v17 = vector.extract %t6[2] : i64 from vector<3xi64>
      vector.print %v2 : i64
      scf.yield %v11 : i64
    }
    return %v11 : i64
  }
  func.func private @even(%v1: i64, %v2: i64) -> (i64) {
    %v3 = arith.constant 3 : i64
    %v4 = arith.constant 0 : i64
    %v5 = arith.andi %v1, %v3 : i64
    %b6 = arith.cmpi sgt, %v5, %v4 : i64
    cf.cond_br %b6, ^deeper, ^end(%v1 : i64)
  ^deeper:
    %v7 = arith.constant 1 : i64
    %v8 = arith.subi %v5, %v7 : i64
    %t1 = rng.bits : vector<4xi32>
    %t2 = vector.extract %t1[2] : i32 from vector<4xi32>
    %t3 = arith.extui %t2 : i32 to i64
    %t4 = arith.constant 31 : i64
    %t5 = arith.muli %t3, %t4 : i64
    %t6 = vector.extract %t1[3] : i32 from vector<4xi32>
    %t7 = arith.extui %t6 : i32 to i64
    %t8 = arith.addi %t7, %t5 : i64
    %t9 = arith.constant 31 : i64
    %t10 = arith.muli %t8, %t9 : i64
    %t11 = vector.extract %t1[0] : i32 from vector<4xi32>
    %t12 = arith.extui %t11 : i32 to i64
    %v9 = arith.addi %t12, %t10 : i64
    vector.print %v1 : i64
    %v10 = func.call @odd(%v8, %v2) : (i64, i64) -> i64
    cf.br ^end(%v10 : i64)
  ^end(%v11: i64):
    return %v2 : i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: 1403647204
// CHECK-NEXT: 3f80 3f80 3f80 3f80 3f80 3f80
// CHECK-NEXT: 1403647204
// CHECK-NEXT: 1403647204
// CHECK-NEXT: 2
// CHECK-NEXT: 3f80 3f80 3f80 3f80 3f80 3f80
// CHECK-NEXT: 1
// CHECK-NEXT: 1
// CHECK-NEXT: 1403647204
// CHECK-NEXT: 2
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: -7
// CHECK-NEXT: 4
// CHECK-NEXT: 1311768467463790320
// CHECK-NEXT: 1
// CHECK-NOT: {{.+}}
