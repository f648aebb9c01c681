// RUN: rng-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @advance
// CHECK-SAME: (%[[O:.+]]: i64
func.func @advance(%o: i64, %d: index) -> (i64, i64) {
  // One block whatever the shape: dynamic sizes cost nothing.
  // CHECK: %[[ONE:.+]] = arith.constant 1 : i64
  // CHECK: %[[NEXT:.+]] = arith.addi %[[O]], %[[ONE]] : i64
  %n = rng.advance %o by uniform tensor<?x8xf32>(%d)
  // CHECK: return %[[NEXT]]
  %c = arith.constant -1 : i64
  // The offset wraps mod 2^64.
  %m = rng.advance %c by bits i32
  return %n, %m : i64, i64
}

// Trap 1: an unused draw still advances the state.
// CHECK-LABEL: func.func @unused_draws_stay
func.func @unused_draws_stay() {
  // The values may be dropped, the reservation may not.
  // CHECK: rng.uniform : tensor<4xf32>
  // CHECK: rng.uniform : tensor<0xf32>
  %0 = rng.uniform : tensor<4xf32>
  %1 = rng.uniform : tensor<0xf32>
  return
}

// CHECK-LABEL: func.func @unused_stateless
func.func @unused_stateless(%s: i64, %o: i64) {
  // CHECK-NEXT: return
  %0 = rng.stateless_uniform %s, %o : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @empty
func.func @empty(%s: i64, %o: i64) -> tensor<3x0xf32> {
  // CHECK: %[[E:.+]] = arith.constant dense<> : tensor<3x0xf32>
  // CHECK: return %[[E]]
  %0 = rng.stateless_uniform %s, %o : tensor<3x0xf32>
  return %0 : tensor<3x0xf32>
}

// CHECK-LABEL: func.func @certain
// CHECK-SAME: (%[[S:.+]]: i64, %[[O:.+]]: i64, %[[D:.+]]: index)
func.func @certain(%s: i64, %o: i64, %d: index)
    -> (tensor<4xi1>, vector<4xi1>, i1, i1, tensor<?xi1>, i1, i1) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  // Smallest positive number: u = 0 is below it, so it is not certain.
  %tiny = arith.constant 1.401298e-45 : f32
  %almost = arith.constant 0.99999994 : f32
  // CHECK-DAG: %[[ALL:.+]] = arith.constant dense<true> : tensor<4xi1>
  // CHECK-DAG: %[[NONE:.+]] = arith.constant dense<false> : vector<4xi1>
  // CHECK-DAG: %[[TRUE:.+]] = arith.constant true
  // CHECK-DAG: %[[FALSE:.+]] = arith.constant false
  %0 = rng.stateless_bernoulli %s, %o prob(%one) : tensor<4xi1>
  %1 = rng.stateless_bernoulli %s, %o prob(%zero) : vector<4xi1>
  %2 = rng.stateless_bernoulli %s, %o prob(%two) : i1
  %3 = rng.stateless_bernoulli %s, %o prob(%nan) : i1
  // The static type would not be known: no fold.
  // CHECK: %[[DYN:.+]] = rng.stateless_bernoulli {{.*}} sizes(%[[D]]) : tensor<?xi1>
  %4 = rng.stateless_bernoulli %s, %o prob(%one) sizes(%d) : tensor<?xi1>
  // CHECK: %[[TINY:.+]] = rng.stateless_bernoulli
  // CHECK: %[[ALMOST:.+]] = rng.stateless_bernoulli
  %5 = rng.stateless_bernoulli %s, %o prob(%tiny) : i1
  %6 = rng.stateless_bernoulli %s, %o prob(%almost) : i1
  // CHECK: return %[[ALL]], %[[NONE]], %[[TRUE]], %[[FALSE]], %[[DYN]], %[[TINY]], %[[ALMOST]]
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi1>, vector<4xi1>, i1, i1, tensor<?xi1>, i1, i1
}

// CHECK-LABEL: func.func @identity_slice
// CHECK-SAME: (%[[S:.+]]: i64, %[[O:.+]]: i64, %[[D:.+]]: index, %[[E:.+]]: index)
func.func @identity_slice(%s: i64, %o: i64, %d: index, %e: index)
    -> (tensor<4x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<4x8xf32>) {
  // CHECK: rng.stateless_uniform %[[S]], %[[O]] : tensor<4x8xf32>
  %0 = rng.stateless_uniform %s, %o slice [0, 0] of [4, 8] : tensor<4x8xf32>
  // CHECK: rng.stateless_uniform %[[S]], %[[O]] sizes(%[[D]]) : tensor<?x8xf32>
  %1 = rng.stateless_uniform %s, %o sizes(%d) slice [0, 0] of [%d, 8] : tensor<?x8xf32>
  // CHECK: sizes(%[[E]]) slice [0, 0] of [%[[D]], 8]
  %2 = rng.stateless_uniform %s, %o sizes(%e) slice [0, 0] of [%d, 8] : tensor<?x8xf32>
  // CHECK: slice [0, 0, 0] of [1, 4, 8]
  %3 = rng.stateless_uniform %s, %o slice [0, 0, 0] of [1, 4, 8] : tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<4x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<4x8xf32>
}

// A draw of which only pieces are used becomes draws of the pieces; a slice of
// a slice counts from the logical draw.
// CHECK-LABEL: func.func @pieces
// CHECK-SAME: (%[[S:.+]]: i64, %[[O:.+]]: i64, %[[I:.+]]: index)
func.func @pieces(%s: i64, %o: i64, %i: index) -> (tensor<2x8xf32>, tensor<3xf32>, f32) {
  %0 = rng.stateless_uniform %s, %o slice [8, 0] of [64, 8] : tensor<16x8xf32>
  // CHECK-DAG: %[[AT:.+]] = arith.addi %[[I]], %{{.+}} : index
  // CHECK-DAG: rng.stateless_uniform %[[S]], %[[O]] slice [%[[AT]], 0] of [64, 8] : tensor<2x8xf32>
  %1 = tensor.extract_slice %0[%i, 0] [2, 8] [1, 1] : tensor<16x8xf32> to tensor<2x8xf32>
  // CHECK-DAG: rng.stateless_uniform %[[S]], %[[O]] slice [12, 5] of [64, 8] : tensor<3xf32>
  %2 = tensor.extract_slice %0[4, 5] [1, 3] [1, 1] : tensor<16x8xf32> to tensor<3xf32>
  // CHECK-DAG: rng.stateless_uniform %[[S]], %[[O]] slice [%{{.+}}, %[[I]]] of [64, 8] : f32
  %3 = tensor.extract %0[%i, %i] : tensor<16x8xf32>
  return %1, %2, %3 : tensor<2x8xf32>, tensor<3xf32>, f32
}

// Not where the whole is needed too, strides skip elements, dimensions other
// than leading ones drop, or the piece sits in a loop.
// CHECK-LABEL: func.func @no_pieces
func.func @no_pieces(%s: i64, %o: i64, %n: index) -> (tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  // CHECK-COUNT-4: rng.stateless_uniform {{.*}} : tensor<4x4xf32>
  // CHECK-NOT: rng.stateless_uniform
  %0 = rng.stateless_uniform %s, %o : tensor<4x4xf32>
  %1 = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %a = arith.addi %o, %s : i64
  %2 = rng.stateless_uniform %s, %a : tensor<4x4xf32>
  %3 = tensor.extract_slice %2[0, 0] [2, 4] [2, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %b = arith.addi %a, %s : i64
  %4 = rng.stateless_uniform %s, %b : tensor<4x4xf32>
  %5 = tensor.extract_slice %4[0, 1] [4, 1] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
  %c = arith.addi %b, %s : i64
  %6 = rng.stateless_uniform %s, %c : tensor<4x4xf32>
  %7 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> f32 {
    %e = tensor.extract %6[%c0, %c1] : tensor<4x4xf32>
    %next = arith.addf %sum, %e : f32
    scf.yield %next : f32
  }
  return %0, %1, %3, %5, %7 : tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>, f32
}

// A piece out of bounds, a constant in code that never runs perhaps, is no
// error: what would not be a valid draw stays.
// CHECK-LABEL: func.func @no_pieces_out_of_bounds
func.func @no_pieces_out_of_bounds(%s: i64, %o: i64, %p: i64, %q: i64) -> (f32, f32, tensor<2xf32>, f32) {
  %c100 = arith.constant 100 : index
  %c3 = arith.constant 3 : index
  %minus = arith.constant -1 : index
  // CHECK: tensor.extract %{{.+}}[%c100
  %0 = rng.stateless_uniform %s, %o : tensor<4xf32>
  %e0 = tensor.extract %0[%c100] : tensor<4xf32>
  // CHECK: tensor.extract %{{.+}}[%c-1
  %1 = rng.stateless_uniform %s, %p : tensor<4xf32>
  %e1 = tensor.extract %1[%minus] : tensor<4xf32>
  // CHECK: tensor.extract_slice %{{.+}}[%c3] [2] [1]
  %2 = rng.stateless_uniform %s, %q : tensor<4xf32>
  %e2 = tensor.extract_slice %2[%c3] [2] [1] : tensor<4xf32> to tensor<2xf32>
  // The sum of the starts overflows.
  // CHECK: tensor.extract %{{.+}}[%c100
  %3 = rng.stateless_uniform %p, %q slice [9223372036854775800] of [9223372036854775807] : tensor<4xf32>
  %e3 = tensor.extract %3[%c100] : tensor<4xf32>
  return %e0, %e1, %e2, %e3 : f32, f32, tensor<2xf32>, f32
}

// C17: 2^62 bytes are the most, in one dimension or many; with a dimension of
// none they are none.
// CHECK-LABEL: func.func @largest
func.func @largest(%s: i64, %o: i64) -> (tensor<1152921504606846976xf32>, tensor<2147483648x2147483648xi1>, tensor<9223372036854775807x4294967296x0xf32>) {
  // CHECK-DAG: rng.stateless_uniform %{{.+}}, %{{.+}} : tensor<1152921504606846976xf32>
  // CHECK-DAG: dense<true> : tensor<2147483648x2147483648xi1>
  // CHECK-DAG: dense<> : tensor<9223372036854775807x4294967296x0xf32>
  %one = arith.constant 1.0 : f32
  %0 = rng.stateless_uniform %s, %o : tensor<1152921504606846976xf32>
  %1 = rng.stateless_bernoulli %s, %o prob(%one) : tensor<2147483648x2147483648xi1>
  %2 = rng.stateless_uniform %s, %o : tensor<9223372036854775807x4294967296x0xf32>
  return %0, %1, %2 : tensor<1152921504606846976xf32>, tensor<2147483648x2147483648xi1>, tensor<9223372036854775807x4294967296x0xf32>
}

// C17: a piece that cannot be, as in code that is never run, is no draw of its
// own; the logical draw of a slice may be as large as it likes.
// CHECK-LABEL: func.func @huge_piece
func.func @huge_piece(%s: i64, %o: i64, %n: index) -> (tensor<4294967296x4294967296xf32>, f32) {
  // CHECK: tensor.extract_slice
  // CHECK: rng.stateless_uniform %{{.+}}, %{{.+}} slice [7, 9] of [4294967296, 4294967296] : f32
  %c3 = arith.constant 3 : index
  %0 = rng.stateless_uniform %s, %o sizes(%n, %n) : tensor<?x?xf32>
  %1 = tensor.extract_slice %0[0, 0] [4294967296, 4294967296] [1, 1] : tensor<?x?xf32> to tensor<4294967296x4294967296xf32>
  %2 = rng.stateless_uniform %s, %o slice [7, 6] of [4294967296, 4294967296] : tensor<4xf32>
  %3 = tensor.extract %2[%c3] : tensor<4xf32>
  return %1, %3 : tensor<4294967296x4294967296xf32>, f32
}
