// RUN: %rng_opt %s --convert-rng-to-arith --canonicalize --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s
// RUN: %rng_opt %s --convert-rng-to-arith="max-scalar-blocks=8" --canonicalize \
// RUN:   --split-input-file --verify-diagnostics \
// RUN:   | FileCheck %s --check-prefix=SCALAR

// Row-major index in i64, block and slot of it, ten rounds, one of four words.
// CHECK-LABEL: func @scalar
// CHECK-SAME: (%[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64, %[[I:.+]]: index, %[[J:.+]]: index, %[[N:.+]]: index)
func.func @scalar(%seed: i64, %offset: i64, %i: index, %j: index, %n: index)
    -> i32 {
  // CHECK-DAG: %[[J64:.+]] = arith.index_castui %[[J]] : index to i64
  // CHECK-DAG: %[[N64:.+]] = arith.index_castui %[[N]] : index to i64
  // CHECK-DAG: %[[I64:.+]] = arith.index_castui %[[I]] : index to i64
  // CHECK: %[[ROW:.+]] = arith.muli %[[I64]], %[[N64]] : i64
  // CHECK: %[[INDEX:.+]] = arith.addi %[[J64]], %[[ROW]] : i64
  // CHECK: %[[BLOCK:.+]] = arith.shrui %[[INDEX]], %c2_i64 : i64
  // CHECK: %[[SLOT:.+]] = arith.andi %[[INDEX]], %c3_i64 : i64
  // CHECK-COUNT-20: arith.mului_extended
  // CHECK-NOT: arith.mului_extended
  // CHECK-COUNT-3: arith.select
  // CHECK-NOT: arith.select
  // CHECK: return
  %w = rng.stateless_bits %seed, %offset slice [%i, %j] of [8, %n] : i32
  return %w : i32
}

// Lanes at a start of a block share blocks: two for eight lanes, as one vector,
// of which words are put in order, two of them in one lane from the start.
// CHECK-LABEL: func @aligned
// SCALAR-LABEL: func @aligned
func.func @aligned(%seed: i64, %offset: i64, %i: index, %n: index)
    -> vector<8xi32> {
  // CHECK-COUNT-20: arith.muli %{{.+}}, %{{.+}} : vector<2xi64>
  // CHECK-NOT: arith.muli
  // CHECK-NOT: vector.{{extract|from_elements}}
  // CHECK: %[[PAIRS:.+]] = vector.interleave %{{.+}}, %{{.+}} : vector<2xi64>
  // CHECK: %[[WORDS:.+]] = vector.bitcast %[[PAIRS]] : vector<4xi64> to vector<8xi32>
  // CHECK: return %[[WORDS]]
  // SCALAR-COUNT-40: arith.mului_extended %{{.+}}, %{{.+}} : i32
  // SCALAR-NOT: arith.mul
  // SCALAR: vector.from_elements
  // SCALAR-NOT: arith.select
  // SCALAR: return
  %w = rng.stateless_bits %seed, %offset slice [%i] of [%n] {aligned}
      : vector<8xi32>
  return %w : vector<8xi32>
}

// One block is computed as scalars.
// CHECK-LABEL: func @one_block
func.func @one_block(%seed: i64, %offset: i64, %i: index, %n: index)
    -> vector<4xi32> {
  // CHECK-COUNT-20: arith.mului_extended %{{.+}}, %{{.+}} : i32
  // CHECK-NOT: arith.mul
  // CHECK: vector.from_elements
  // CHECK: return
  %w = rng.stateless_bits %seed, %offset slice [%i] of [%n] {aligned}
      : vector<4xi32>
  return %w : vector<4xi32>
}

// Two values a block for 64 bits: values are put in order, not words.
// CHECK-LABEL: func @aligned_64
func.func @aligned_64(%seed: i64, %offset: i64, %i: index, %n: index)
    -> vector<4xf64> {
  // CHECK-COUNT-20: arith.muli %{{.+}}, %{{.+}} : vector<2xi64>
  // CHECK-NOT: arith.muli
  // CHECK: vector.interleave %{{.+}}, %{{.+}} : vector<2xf64>
  // CHECK: return
  %w = rng.stateless_uniform %seed, %offset slice [%i] of [%n] {aligned}
      : vector<4xf64>
  return %w : vector<4xf64>
}

// Without the promise, each lane has a block of its own.
// CHECK-LABEL: func @anywhere
func.func @anywhere(%seed: i64, %offset: i64, %i: index, %n: index)
    -> vector<8xi32> {
  // CHECK: arith.addi %{{.+}}, %{{.+}} : vector<8xi64>
  // CHECK-COUNT-20: arith.muli %{{.+}}, %{{.+}} : vector<8xi64>
  // CHECK-NOT: arith.mul
  // CHECK-COUNT-3: arith.select %{{.+}} : vector<8xi1>, vector<8xi32>
  // CHECK: return
  %w = rng.stateless_bits %seed, %offset slice [%i] of [%n] : vector<8xi32>
  return %w : vector<8xi32>
}

// A static index is as good as a promise: lanes 3 to 6 are in two blocks.
// CHECK-LABEL: func @static
func.func @static(%seed: i64, %offset: i64) -> vector<4xi32> {
  // CHECK-NOT: arith.select
  // CHECK: %[[WORDS:.+]] = vector.bitcast %{{.+}} : vector<4xi64> to vector<8xi32>
  // CHECK: %[[OURS:.+]] = vector.extract_strided_slice %[[WORDS]]
  // CHECK-SAME: offsets = [3], sizes = [4]
  // CHECK: return %[[OURS]]
  %w = rng.stateless_bits %seed, %offset slice [3] of [8] : vector<4xi32>
  return %w : vector<4xi32>
}

// Many blocks are one vector, whatever the machine.
// CHECK-LABEL: func @long
// SCALAR-LABEL: func @long
func.func @long(%seed: i64, %offset: i64, %i: index, %n: index)
    -> vector<4096xi32> {
  // CHECK-COUNT-20: arith.muli %{{.+}}, %{{.+}} : vector<1024xi64>
  // CHECK-NOT: arith.mul
  // SCALAR-COUNT-20: arith.muli %{{.+}}, %{{.+}} : vector<1024xi64>
  // CHECK: return
  %w = rng.stateless_bits %seed, %offset slice [%i] of [%n] {aligned}
      : vector<4096xi32>
  return %w : vector<4096xi32>
}

// Rows of a stride that is not static: only the first is known to be aligned.
// CHECK-LABEL: func @rows
func.func @rows(%seed: i64, %offset: i64, %i: index, %n: index)
    -> vector<2x4xi32> {
  // One for the stride, and those of the rounds.
  // CHECK-COUNT-21: arith.muli %{{.+}}, %{{.+}} : vector<8xi64>
  // CHECK-NOT: arith.mul
  // CHECK: vector.shape_cast %{{.+}} : vector<8xi32> to vector<2x4xi32>
  %w = rng.stateless_bits %seed, %offset slice [%i, 0] of [8, %n] {aligned}
      : vector<2x4xi32>
  return %w : vector<2x4xi32>
}

// The algorithm says how many rounds.
// CHECK-LABEL: func @seven_rounds
func.func @seven_rounds(%seed: i64, %offset: i64, %i: index, %n: index) -> i32 {
  // CHECK-COUNT-14: arith.mului_extended
  // CHECK-NOT: arith.mului_extended
  // CHECK: return
  %w = rng.stateless_bits %seed, %offset slice [%i] of [%n]
      {algorithm = #rng.philox<rounds = 7>} : i32
  return %w : i32
}

// CHECK-LABEL: func @snapshot
// CHECK-SAME: (%[[S:.+]]: tensor<2xi64>, %[[DELTA:.+]]: i64)
func.func @snapshot(%s: tensor<2xi64>, %delta: i64) -> i32 {
  // CHECK: tensor.extract %[[S]][%c0]
  // CHECK: %[[START:.+]] = tensor.extract %[[S]][%c1]
  // CHECK: arith.addi %[[START]], %[[DELTA]] : i64
  // CHECK-NOT: rng.
  // CHECK: return
  %w = rng.stateless_bits %s[%delta] : i32
  return %w : i32
}

// CHECK-LABEL: func @advance
// CHECK-SAME: (%[[OFFSET:.+]]: i64, %{{.+}}: index)
func.func @advance(%offset: i64, %d: index) -> i64 {
  // CHECK: arith.addi %[[OFFSET]], %c1_i64 : i64
  %next = rng.advance %offset by uniform tensor<?xf32>(%d)
  return %next : i64
}

// Tensors are the business of convert-rng-to-linalg.
// CHECK-LABEL: func @tensor
func.func @tensor(%seed: i64, %offset: i64) -> tensor<4xf32> {
  // CHECK: rng.stateless_uniform
  %u = rng.stateless_uniform %seed, %offset : tensor<4xf32>
  return %u : tensor<4xf32>
}

// -----

func.func @not_drawn(%seed: i64, %offset: i64) -> (f32, f64) {
  %u = rng.stateless_uniform %seed, %offset : f32
  // expected-error @+1 {{'rng.stateless_normal' op Triton draws no 'f64' under #rng.triton: draw f32 and convert that}}
  %z = rng.stateless_normal %seed, %offset
      {algorithm = #rng.philox<convention = triton>} : f64
  return %u, %z : f32, f64
}
