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
  rng.generator @g {algorithm = #rng.philox<rounds = 4>, seed = -7 : i64}
  rng.generator @h {algorithm = #rng.philox<rounds = 2>, seed = -1 : i64}
  func.func private @rngPrintBitsI32(memref<*xi32>) attributes {llvm.emit_c_interface}

  func.func private @f0(%v1: i64) -> (i64, i64) {
    %v2, %v3 = rng.get_state : i64, i64
    %t1 = rng.stateless_bits %v2, %v3 {algorithm = #rng.philox<rounds = 3>} : i32
    %v4 = arith.extui %t1 : i32 to i64
    %v5 = rng.advance %v3 by bits i32 {algorithm = #rng.philox<rounds = 3>}
    rng.set_state %v2, %v5 : i64, i64
    %t2 = rng.bits : i32
    %v6 = arith.extui %t2 : i32 to i64
    cf.br ^bb3(%v4 : i64)
  ^bb2:
    %t3 = arith.constant 1.0 : f32
    %t4 = rng.bernoulli @g prob(%t3) : i1
    %v7 = arith.extui %t4 : i1 to i64
    %t5 = rng.bits @h : vector<2x3xi8>
    %t6 = vector.extract %t5[1, 0] : i8 from vector<2x3xi8>
    %v8 = arith.extui %t6 : i8 to i64
    cf.br ^bb3(%v6 : i64)
  ^bb3(%v9: i64):
    %t7 = arith.constant 0.5 : f32
    %t8 = rng.bernoulli @h prob(%t7) : i1
    %v10 = arith.extui %t8 : i1 to i64
    return %v6, %v5 : i64, i64
  }
  func.func @prog() -> (i64, i64) {
    %v1 = arith.constant -7 : i64
    %v2 = arith.constant 0 : i64
    rng.set_state @g, %v1, %v2 : i64, i64
    vector.print %v1 : i64
    %v3 = arith.constant 5 : i64
    vector.print %v3 : i64
    %t1 = rng.bits @h : i1
    %v4 = arith.extui %t1 : i1 to i64
    %t2 = arith.constant 0 : index
    %t3 = arith.constant 2 : index
    %t4 = arith.constant 1 : index
    scf.for %n5 = %t2 to %t3 step %t4 {
      %v5 = arith.index_cast %n5 : index to i64
      %v6 = arith.constant -7 : i64
      %v7 = arith.constant -2 : i64
      rng.set_state @h, %v6, %v7 : i64, i64
      %v9 = arith.constant 1 : i64
      %b8 = arith.cmpi ult, %v5, %v9 : i64
      scf.if %b8 {
        %t5 = arith.constant 0 : index
        %t6 = arith.constant 2 : index
        %t7 = arith.constant 1 : index
        %v12 = scf.for %n10 = %t5 to %t6 step %t7 iter_args(%v11 = %v5) -> (i64) {
          %v10 = arith.index_cast %n10 : index to i64
          %t8 = rng.bits @h sizes(%n5) : tensor<?xi64>
          scf.yield %v9 : i64
        }
        %v21 = affine.for %n13 = 0 to 4 step 3 iter_args(%v14 = %v5) -> (i64) {
          %v13 = arith.index_cast %n13 : index to i64
          %v17 = arith.constant -1 : i64
          %v15, %v16 = rng.reserve %v17 : i64, i64
          %t9 = arith.constant 1.0 : f32
          %t10 = rng.bernoulli prob(%t9) : vector<3xi1>
          %t11 = vector.extract %t10[0] : i1 from vector<3xi1>
          %v18 = arith.extui %t11 : i1 to i64
          %v19, %v20 = func.call @f0(%v2) : (i64) -> (i64, i64)
          affine.yield %v20 : i64
        }
        scf.yield
      } else {
        %t12 = rng.bits @h : vector<4xi64>
        %t13 = rng.bits sizes(%n5) : tensor<?x2xi32>
        %t14 = bufferization.to_buffer %t13 read_only : tensor<?x2xi32> to memref<?x2xi32>
        %t15 = memref.cast %t14 : memref<?x2xi32> to memref<*xi32>
        func.call @rngPrintBitsI32(%t15) : (memref<*xi32>) -> ()
        scf.yield
      }
      %t16 = arith.constant 0 : i32
      %t17 = arith.constant 4 : i32
      %t18 = arith.constant 3 : i32
      scf.for %t19 = %t16 to %t17 step %t18 : i32 {
        %v22 = arith.extsi %t19 : i32 to i64
        %n22 = arith.index_cast %t19 : i32 to index
        scf.yield
      }
      scf.yield
    }
    %v23 = arith.constant -1958172972324746991 : i64
    vector.print %v23 : i64
    return %v2, %v23 : i64, i64
  }
}

// CHECK-NOT: {{.+}}
// CHECK: -7
// CHECK-NEXT: 5
// CHECK-NEXT: 96c9f313 b0e0ae4f
// CHECK-NEXT: -1958172972324746991
// CHECK-NEXT: 0
// CHECK-NEXT: -1958172972324746991
// CHECK-NEXT: 0
// CHECK-NEXT: 5
// CHECK-NEXT: -7
// CHECK-NEXT: 0
// CHECK-NEXT: -7
// CHECK-NEXT: -1
// CHECK-NOT: {{.+}}
