// RUN: rng-opt %s -split-input-file -verify-diagnostics

// C2
func.func @element_type() {
  // expected-error @+1 {{'rng.uniform' op expected elements of type f16, bf16, f32 or f64 but got 'i32'}}
  %0 = rng.uniform : tensor<4xi32>
  return
}

// -----

// C2
func.func @f8() {
  // expected-error @+1 {{'rng.normal' op expected elements of type f16, bf16, f32 or f64 but got 'f8E4M3FN'}}
  %0 = rng.normal : f8E4M3FN
  return
}

// -----

// C2
func.func @bernoulli_type(%p: f32) {
  // expected-error @+1 {{'rng.bernoulli' op expected elements of type i1 but got 'f32'}}
  %0 = rng.bernoulli prob(%p) : tensor<4xf32>
  return
}

// -----

// C2
func.func @bits_type() {
  // expected-error @+1 {{'rng.bits' op expected elements of type i1, i8, i16, i32 or i64 but got 'i7'}}
  %0 = rng.bits : i7
  return
}

// -----

// C2
func.func @signed() {
  // expected-error @+1 {{'rng.bits' op expected elements of type i1, i8, i16, i32 or i64 but got 'ui32'}}
  %0 = rng.bits : ui32
  return
}

// -----

// C2
func.func @randint_i1(%b: i1) {
  // expected-error @+1 {{'rng.randint' op expected elements of type i8, i16, i32 or i64 but got 'i1'}}
  %0 = rng.randint range(%b, %b) : i1
  return
}

// -----

// C1
func.func @unranked() {
  // expected-error @+1 {{'rng.uniform' op expected to draw a ranked tensor, a vector or a scalar but got 'tensor<*xf32>'}}
  %0 = rng.uniform : tensor<*xf32>
  return
}

// -----

// C1
func.func @memref() {
  // expected-error @+1 {{'rng.uniform' op expected to draw a ranked tensor, a vector or a scalar but got 'memref<4xf32>'}}
  %0 = rng.uniform : memref<4xf32>
  return
}

// -----

// C1
func.func @scalable() {
  // expected-error @+1 {{'rng.uniform' op expected a vector of fixed size but got 'vector<[4]xf32>'}}
  %0 = rng.uniform : vector<[4]xf32>
  return
}

// -----

// C3
func.func @sizes(%d: index) {
  // expected-error @+1 {{'rng.uniform' op expected 2 sizes, one for each dynamic dimension of 'tensor<?x?xf32>', but got 1}}
  %0 = rng.uniform sizes(%d) : tensor<?x?xf32>
  return
}

// -----

// C3
func.func @sizes_static(%d: index) {
  // expected-error @+1 {{'rng.uniform' op expected 0 sizes, one for each dynamic dimension of 'tensor<4xf32>', but got 1}}
  %0 = rng.uniform sizes(%d) : tensor<4xf32>
  return
}

// -----

// C5
func.func @one_bound(%lo: f32) {
  // expected-error @+1 {{expected 2 operands of 'range' but got 1}}
  %0 = rng.uniform range(%lo) : tensor<4xf32>
  return
}

// -----

// C5
func.func @no_probability() {
  // expected-error @+1 {{expected 'prob(...)'}}
  %0 = rng.bernoulli : tensor<4xi1>
  return
}

// -----

// C4
func.func @bound_type(%lo: f16, %hi: f16) {
  // expected-error @+1 {{'rng.uniform' op expected operands of 'range' of type 'f32' but got 'f16'}}
  %0 = "rng.uniform"(%lo, %hi) <{operandSegmentSizes = array<i32: 2, 0>}> : (f16, f16) -> tensor<4xf16>
  return
}

// -----

// C5
func.func @bits_with_operands(%lo: f32) {
  // expected-error @+1 {{'rng.bits' op expected 0 operands of '' but got 1}}
  %0 = "rng.bits"(%lo) <{operandSegmentSizes = array<i32: 1, 0>}> : (f32) -> i32
  return
}

// -----

// C6
func.func @unknown_generator() {
  // expected-error @+1 {{'rng.uniform' op unknown generator @g: declare it with 'rng.generator @g'}}
  %0 = rng.uniform @g : f32
  return
}

// -----

// C6
// expected-note @+1 {{symbol defined here}}
func.func @g() {
  // expected-error @+1 {{'rng.uniform' op expected @g to be an 'rng.generator' but got 'func.func'}}
  %0 = rng.uniform @g : f32
  return
}

// -----

// C6
func.func @state_generator(%n: i64) {
  // expected-error @+1 {{'rng.reserve' op unknown generator @g}}
  %s, %o = rng.reserve @g, %n : i64, i64
  return
}

// -----

// C10
func.func @slice_bounds(%s: i64, %o: i64) {
  // expected-error @+1 {{slice is out of bounds in dimension 0: expected 3 + 2 to be at most 4}}
  %0 = rng.stateless_uniform %s, %o slice [3] of [4] : tensor<2xf32>
  return
}

// -----

// C10
func.func @slice_bounds_dynamic_offset(%s: i64, %o: i64, %i: index) {
  // expected-error @+1 {{slice is out of bounds in dimension 0: expected 0 + 8 to be at most 4}}
  %0 = rng.stateless_uniform %s, %o slice [%i] of [4] : tensor<8xf32>
  return
}

// -----

// C10
func.func @slice_leading(%s: i64, %o: i64) {
  // expected-error @+1 {{slice is out of bounds in dimension 0: expected 4 + 1 to be at most 4}}
  %0 = rng.stateless_uniform %s, %o slice [4, 0] of [4, 4] : tensor<4xf32>
  return
}

// -----

// C10
func.func @slice_huge(%s: i64, %o: i64) {
  // expected-error @+1 {{slice is out of bounds in dimension 0}}
  %0 = rng.stateless_uniform %s, %o slice [9223372036854775807] of [9223372036854775807] : tensor<4xf32>
  return
}

// -----

// C9
func.func @slice_negative(%s: i64, %o: i64) {
  // expected-error @+1 {{expected slice offsets and sizes that are not negative but got -1 in dimension 0}}
  %0 = rng.stateless_uniform %s, %o slice [-1] of [4] : tensor<2xf32>
  return
}

// -----

// C8
func.func @slice_rank(%s: i64, %o: i64) {
  // expected-error @+1 {{expected at least 2 slice indices for a result of type 'tensor<2x2xf32>' but got 1}}
  %0 = rng.stateless_uniform %s, %o slice [0] of [4] : tensor<2x2xf32>
  return
}

// -----

// C8
func.func @slice_lengths(%s: i64, %o: i64) {
  // expected-error @+1 {{expected as many slice sizes as offsets (1) but got 2}}
  %0 = rng.stateless_uniform %s, %o slice [0] of [4, 4] : tensor<2xf32>
  return
}

// -----

// C8
func.func @slice_half(%s: i64, %o: i64) {
  // expected-error @+1 {{expected slice offsets and sizes together}}
  %0 = "rng.stateless_uniform"(%s, %o) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, staticSliceOffsets = array<i64: 0>}> : (i64, i64) -> f32
  return
}

// -----

// C7
func.func @snapshot_type(%s: tensor<3xi64>, %o: i64) {
  // expected-error @+1 {{operand #0 must be an i64 seed or a tensor<2xi64> snapshot}}
  %0 = "rng.stateless_uniform"(%s, %o) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (tensor<3xi64>, i64) -> f32
  return
}

// -----

// C7
func.func @state_segments(%s: i64, %o: i64) {
  // expected-error @+1 {{'rng.stateless_bits' op expected one seed or snapshot and one offset but got 2 and 0}}
  %0 = "rng.stateless_bits"(%s, %o) <{operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0>}> : (i64, i64) -> i32
  return
}

// -----

// C11
func.func @memory_shape(%m: memref<3xi64>, %n: i64) {
  // expected-error @+1 {{expected memory of type 'memref<2xi64>' but got 'memref<3xi64>'}}
  %0 = rng.reserve_memory %m, %n : memref<3xi64> -> tensor<2xi64>
  return
}

// -----

// C3
func.func @advance_sizes(%o: i64) {
  // expected-error @+1 {{'rng.advance' op expected 1 sizes}}
  %0 = rng.advance %o by uniform tensor<?xf32>
  return
}

// -----

// C2
func.func @advance_type(%o: i64) {
  // expected-error @+1 {{'rng.advance' op expected elements of type i1 but got 'f32'}}
  %0 = rng.advance %o by bernoulli tensor<4xf32>
  return
}

// -----

// C12
// expected-error @+1 {{expected between 1 and 64 rounds but got 0}}
rng.generator @g {algorithm = #rng.philox<rounds = 0>}

// -----

// C12
// expected-error @+1 {{expected 'rounds' or 'convention' but got 'key'}}
rng.generator @g {algorithm = #rng.philox<key = 0>}

// -----

// C12
// expected-error @+1 {{expected 'rounds' once only}}
rng.generator @g {algorithm = #rng.philox<rounds = 7, rounds = 8>}

// -----

// What a stream has no parameter for is not skipped.
// expected-error @+1 {{expected #rng.threefry without parameters}}
rng.generator @g {algorithm = #rng.threefry<rounds = 12>}

// -----

// expected-error @+1 {{expected #rng.xla without parameters}}
rng.generator @g {algorithm = #rng.philox<convention = #rng.xla<threads = 256>>}

// -----

// C12
// expected-error @+1 {{expected a convention such as nvfuser}}
rng.generator @g {algorithm = #rng.philox<convention = 3 : i32>}

// -----

// expected-error @+1 {{'rng.generator' op attribute 'algorithm' failed to satisfy constraint}}
rng.generator @g {algorithm = 3 : i32}

// -----

// C13
// expected-error @+1 {{expected 'rng.cotangent' to be a unit attribute but got 1 : i32}}
func.func @cotangent(%a: f32 {rng.cotangent = 1 : i32}) { return }

// -----

// C13
// expected-error @+1 {{unknown attribute 'rng.gradient' of the rng dialect on an argument: expected 'rng.cotangent', 'rng.persistent' or 'rng.state'}}
func.func @gradient_argument(%a: f32 {rng.gradient}) { return }

// -----

// C13
// expected-error @+1 {{unknown attribute 'rng.cotangent' of the rng dialect on a result: expected 'rng.gradient', 'rng.persistent' or 'rng.state'}}
func.func private @cotangent_result() -> (f32 {rng.cotangent})

// -----

// C13
func.func @both_orders(%a: f32) {
  // expected-error @+1 {{has both 'rng.save' and 'rng.recompute': keep one of them}}
  %0 = arith.addf %a, %a {rng.save, rng.recompute} : f32
  return
}

// -----

// C13
// expected-error @+1 {{expected 'rng.default_algorithm' to be an algorithm such as #rng.philox but got "philox"}}
module attributes {rng.default_algorithm = "philox"} {}

// -----

// C13
// expected-error @+1 {{'rng.default_algorithm' is an attribute of a module only}}
func.func private @f() attributes {rng.default_algorithm = #rng.philox}

// -----

// C13
// expected-error @+1 {{expected 'rng.draws' to be an array of generator symbols}}
func.func private @f() attributes {rng.draws = @g}

// -----

// C13
// expected-error @+1 {{expected 'rng.saved' to be an array of #rng.saved but got [1]}}
func.func private @f() attributes {rng.saved = [1]}

// -----

// C13
// expected-error @+1 {{has #rng.saved<argument 1> in 'rng.saved' but only 1 argument}}
func.func private @f(f32) -> (f32, f32) attributes {rng.saved = [#rng.saved<argument 1>]}

// -----

// C13
// expected-error @+1 {{has #rng.saved<result 2> in 'rng.saved' but only 2 results}}
func.func private @f(f32) -> (f32, f32) attributes {rng.saved = [#rng.saved<result 2>]}

// -----

// C13
// expected-error @+1 {{has #rng.saved<new 4294967295> in 'rng.saved' but only 0 results}}
func.func private @f(f32) attributes {rng.saved = [#rng.saved<new 4294967295>]}

// -----

// C13
// expected-error @+1 {{unknown attribute 'rng.bakward' of the rng dialect on an operation}}
func.func private @f() attributes {rng.bakward = @g}

// -----

func.func @algorithm_attribute(%s: i64, %o: i64) {
  // expected-error @+1 {{custom op 'rng.stateless_uniform' attribute 'algorithm' failed to satisfy constraint}}
  %0 = rng.stateless_uniform %s, %o {algorithm = 3 : i32} : f32
  return
}

// -----

func.func @aligned_attribute(%s: i64, %o: i64) {
  // expected-error @+1 {{custom op 'rng.stateless_uniform' attribute 'aligned' failed to satisfy constraint}}
  %0 = rng.stateless_uniform %s, %o {aligned = 3 : i32} : f32
  return
}

// -----

// C13
// expected-error @+1 {{'rng.draws' tells what an external function draws, but this one has a body}}
func.func @draws_with_body() attributes {rng.draws = []} { return }

// -----

// C14
// expected-error @+1 {{expected 'threads' to be a multiple of 256 from 256 to 2147483648 but got 100}}
rng.generator @g {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 100>>}

// -----

// C14
// expected-error @+1 {{expected 'threads' to be a multiple of 256 from 256 to 2147483648 but got 0}}
rng.generator @g {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 0>>}

// -----

// C15
func.func @split(%seed: i64) {
  // expected-error @+1 {{'rng.split' op expected at least one result}}
  "rng.split"(%seed) : (i64) -> ()
  return
}

// -----

// C17
func.func @large(%s: i64, %o: i64) {
  // expected-error @+1 {{'rng.stateless_uniform' op draws more than 2^62 bytes, which no machine addresses: draw slices of 'tensor<1152921504606846977xf32>'}}
  %0 = rng.stateless_uniform %s, %o : tensor<1152921504606846977xf32>
  return
}

// -----

// C17
func.func @empty_key(%s: i64, %o: i64) {
  // expected-error @+1 {{'rng.stateless_bits' op draws more than 2^62 bytes, which no machine addresses: draw slices of 'tensor<9223372036854775807xi8>'}}
  %0 = rng.stateless_bits %s, %o : tensor<9223372036854775807xi8>
  return
}

// -----

// C17: 2^64 elements are not none.
func.func @wraps(%s: i64, %o: i64, %p: f32) {
  // expected-error @+1 {{'rng.stateless_bernoulli' op draws more than 2^62 bytes}}
  %0 = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4294967296x4294967296xi1>
  return
}

// -----

// C17
func.func @wraps_vector() {
  // expected-error @+1 {{'rng.uniform' op draws more than 2^62 bytes}}
  %0 = rng.uniform : vector<4294967296x4294967296xf32>
  return
}

// -----

// C17: what is static is too much, whatever the dynamic size is.
func.func @large_rows(%n: index) {
  // expected-error @+1 {{'rng.normal' op draws more than 2^62 bytes}}
  %0 = rng.normal sizes(%n) : tensor<?x3037000500x3037000500xf64>
  return
}

// -----

// C4
func.func @rate(%rate: f64) {
  // expected-error @+1 {{'rng.exponential' op expected operands of 'rate' of type 'f32' but got 'f64'}}
  %0 = "rng.exponential"(%rate) <{operandSegmentSizes = array<i32: 1, 0>}> : (f64) -> f32
  return
}

// -----

// C5
func.func @params(%mean: f32) {
  // expected-error @+1 {{expected 2 operands of 'params' but got 1}}
  %0 = rng.truncated_normal params(%mean) : f32
  return
}

// -----

// C2
func.func @integers() {
  // expected-error @+1 {{'rng.truncated_normal' op expected elements of type f16, bf16, f32 or f64 but got 'i32'}}
  %0 = rng.truncated_normal : i32
  return
}

// -----

// C4: the rule, not what the value was used for before.
func.func @probability(%p: f64) {
  // expected-error @+1 {{'rng.bernoulli' op expected operands of 'prob' of type 'f32' but got 'f64'}}
  %0 = rng.bernoulli prob(%p) : tensor<4xi1>
  return
}

// -----

// C4
func.func @stateless_probability(%s: i64, %o: i64, %p: f16) {
  // expected-error @+1 {{'rng.stateless_bernoulli' op expected operands of 'prob' of type 'f32' but got 'f16'}}
  %0 = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  return
}

// -----

// C4
func.func @range(%lo: f32, %hi: f64) {
  // expected-error @+1 {{'rng.uniform' op expected operands of 'range' of type 'f64' but got 'f32'}}
  %0 = rng.uniform range(%lo, %hi) : f64
  return
}

// -----

// C4
func.func @integer_range(%lo: index, %hi: index) {
  // expected-error @+1 {{'rng.randint' op expected operands of 'range' of type 'i32' but got 'index'}}
  %0 = rng.randint range(%lo, %hi) : i32
  return
}

// -----

func.func @size_type(%n: i64) {
  // expected-error @+1 {{'rng.uniform' op operand #0 must be variadic of index, but got 'i64'}}
  %0 = rng.uniform sizes(%n) : tensor<?xf32>
  return
}

// -----

func.func @slice_type(%s: i64, %o: i64, %i: i64) {
  // expected-error @+1 {{'rng.stateless_uniform' op operand #2 must be variadic of index, but got 'i64'}}
  %0 = rng.stateless_uniform %s, %o slice [%i] of [8] : tensor<2xf32>
  return
}

// -----

// C7
func.func @seed_type(%s: i32, %o: i64) {
  // expected-error @+1 {{'rng.stateless_uniform' op operand #0 must be an i64 seed or a tensor<2xi64> snapshot, but got 'i32'}}
  %0 = rng.stateless_uniform %s, %o : f32
  return
}

// -----

// C7
func.func @offset_type(%s: i64, %o: index) {
  // expected-error @+1 {{'rng.stateless_uniform' op operand #1 must be 64-bit signless integer, but got 'index'}}
  %0 = rng.stateless_uniform %s, %o : f32
  return
}

// -----

// C7
func.func @memory_as_snapshot(%s: memref<2xi64>, %d: i64) {
  // expected-error @+1 {{'rng.stateless_uniform' op operand #0 must be an i64 seed or a tensor<2xi64> snapshot, but got 'memref<2xi64>'}}
  %0 = rng.stateless_uniform %s[%d] : f32
  return
}

// -----

// C7: an offset and a distance from a snapshot are two things.
func.func @snapshot_as_seed(%s: tensor<2xi64>, %o: i64) {
  // expected-error @+1 {{'rng.stateless_uniform' op expected a state '%seed, %offset' to begin with 'i64' but got 'tensor<2xi64>': write it as '%snapshot[%delta]'}}
  %0 = rng.stateless_uniform %s, %o : f32
  return
}

// -----

// C7
func.func @seed_as_snapshot(%s: i64, %o: i64) {
  // expected-error @+1 {{'rng.stateless_uniform' op expected a state '%snapshot[%delta]' to begin with 'tensor<2xi64>' but got 'i64': write it as '%seed, %offset'}}
  %0 = rng.stateless_uniform %s[%o] : f32
  return
}

// -----

func.func @fold_in_seed(%s: i32, %d: i64) {
  // expected-error @+1 {{'rng.fold_in' op operand #0 must be 64-bit signless integer, but got 'i32'}}
  %0 = rng.fold_in %s, %d
  return
}

// -----

func.func @fold_in_data(%s: i64, %d: index) {
  // expected-error @+1 {{'rng.fold_in' op operand #1 must be 64-bit signless integer, but got 'index'}}
  %0 = rng.fold_in %s, %d
  return
}

// -----

func.func @split_seed(%s: i32) {
  // expected-error @+1 {{'rng.split' op operand #0 must be 64-bit signless integer, but got 'i32'}}
  %0 = rng.split %s : i64
  return
}

// -----

func.func @reserve_blocks(%n: index) {
  // expected-error @+1 {{'rng.reserve' op operand #0 must be 64-bit signless integer, but got 'index'}}
  %s, %o = rng.reserve %n : i64, i64
  return
}

// -----

func.func @reserve_memory_blocks(%m: memref<2xi64>, %n: i32) {
  // expected-error @+1 {{'rng.reserve_memory' op operand #1 must be 64-bit signless integer, but got 'i32'}}
  %0 = rng.reserve_memory %m, %n : memref<2xi64> -> tensor<2xi64>
  return
}

// -----

func.func @advance_offset(%o: i32) {
  // expected-error @+1 {{'rng.advance' op operand #0 must be 64-bit signless integer, but got 'i32'}}
  %0 = rng.advance %o by uniform f32
  return
}

// -----

func.func @advance_size(%o: i64, %n: i64) {
  // expected-error @+1 {{'rng.advance' op operand #1 must be variadic of index, but got 'i64'}}
  %0 = rng.advance %o by uniform tensor<?xf32>(%n)
  return
}

// -----

// A value that is not defined yet is of the type that is meant.
func.func @forward_reference() {
  cf.br ^defined
^use:
  // expected-note @+1 {{previously used here with type 'f32'}}
  %0 = rng.bernoulli prob(%p) : i1
  return
^defined:
  // expected-error @+1 {{definition of SSA value '%p#0' has type 'f64'}}
  %p = arith.constant 0.5 : f64
  cf.br ^use
}

// -----

// The operands of another distribution.
func.func @range_of_truncated_normal(%lo: f32, %hi: f32) {
  // expected-error @+1 {{'rng.truncated_normal' op has the parameters 'params(mean, std)' but got 'range'}}
  %0 = rng.truncated_normal range(%lo, %hi) : f32
  return
}

// -----

func.func @params_of_uniform(%a: f32, %b: f32) {
  // expected-error @+1 {{'rng.uniform' op has the parameters 'range(lo, hi)' but got 'params'}}
  %0 = rng.uniform params(%a, %b) : f32
  return
}

// -----

func.func @prob_of_exponential(%s: i64, %o: i64, %p: f32) {
  // expected-error @+1 {{'rng.stateless_exponential' op has the parameters 'rate(lambda)' but got 'prob'}}
  %0 = rng.stateless_exponential %s, %o prob(%p) : f32
  return
}

// -----

func.func @rate_of_bernoulli(%p: f32) {
  // expected-error @+1 {{'rng.bernoulli' op has the parameters 'prob(p)' but got 'rate'}}
  %0 = rng.bernoulli rate(%p) : i1
  return
}

// -----

func.func @range_of_bits(%lo: i32, %hi: i32) {
  // expected-error @+1 {{'rng.bits' op has no parameters but got 'range'}}
  %0 = rng.bits range(%lo, %hi) : i32
  return
}

// -----

// The right ones in the wrong place.
func.func @sizes_before_range(%lo: f32, %hi: f32, %n: index) {
  // expected-error @+1 {{'rng.uniform' op expected 'range(...)' once and in front of 'sizes' and 'slice'}}
  %0 = rng.uniform sizes(%n) range(%lo, %hi) : tensor<?xf32>
  return
}

// -----

func.func @slice_before_sizes(%s: i64, %o: i64, %n: index) {
  // expected-error @+1 {{'rng.stateless_uniform' op expected 'sizes(...)' once and in front of 'slice'}}
  %0 = rng.stateless_uniform %s, %o slice [0] of [8] sizes(%n) : tensor<?xf32>
  return
}

// -----

func.func @slice_of_stateful() {
  // expected-error @+1 {{'rng.uniform' op draws all of its values: only stateless draws have a slice, once and behind 'sizes'}}
  %0 = rng.uniform slice [0] of [8] : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{unknown attribute `pcg` in dialect `rng`: its algorithms are philox, threefry, the conventions of philox nvfuser, torch, torch_eager, triton, xla, tensorflow}}
rng.generator @g {algorithm = #rng.pcg}

// -----

// C12
// expected-error @+1 {{expected between 1 and 64 rounds but got -1}}
rng.generator @g {algorithm = #rng.philox<rounds = -1>}

// -----

// C12
// expected-error @+1 {{expected between 1 and 64 rounds but got 4294967306}}
rng.generator @g {algorithm = #rng.philox<rounds = 4294967306>}

// -----

// C14
// expected-error @+1 {{expected 'threads' to be a multiple of 256 from 256 to 2147483648 but got -256}}
rng.generator @g {algorithm = #rng.philox<convention = #rng.torch_eager<threads = -256>>}

// -----

// C13
// expected-error @+1 {{expected the number of an argument or result but got -1}}
func.func private @f(f32) attributes {rng.saved = [#rng.saved<argument -1>]}

// -----

// C13, C6
// expected-error @+1 {{'func.func' op unknown generator @nope: declare it with 'rng.generator @nope'}}
func.func private @f() attributes {rng.draws = [unit, @nope]}

// -----

// C13, C6
// expected-note @+1 {{symbol defined here}}
func.func private @g()
// expected-error @+1 {{'func.func' op expected @g to be an 'rng.generator' but got 'func.func'}}
func.func private @f() attributes {rng.draws = [@g]}

// -----

// C13
// expected-error @+1 {{'func.func' op expected 'rng.backward' to name a function but got @nope}}
func.func private @f() attributes {rng.backward = @nope}

// -----

// C13
// expected-error @+1 {{'func.func' op expected 'rng.backward' to name a function but got @g}}
func.func private @f() attributes {rng.backward = @g}
rng.generator @g

// -----

// C13: each symbol table has its own.
rng.generator @g
func.func private @b()
module {
  // expected-error @+1 {{'func.func' op unknown generator @g}}
  func.func private @f() attributes {rng.draws = [@g]}
}

// -----

rng.generator @g
func.func private @b()
module {
  // expected-error @+1 {{'func.func' op expected 'rng.backward' to name a function but got @b}}
  func.func private @f() attributes {rng.backward = @b}
}

// -----

// C13
// expected-error @+1 {{unknown attribute 'rng.cotangents' of the rng dialect on an argument: expected 'rng.cotangent', 'rng.persistent' or 'rng.state'}}
func.func @misspelt(%d: f32 {rng.cotangents}) { return }

// -----

// C16
// expected-error @+1 {{'rng.generator' op expected a name: the generator without one is the default generator, which needs no declaration}}
"rng.generator"() <{sym_name = ""}> : () -> ()

// -----

// C16
// expected-error @+1 {{'rng.generator' op expected a name without a NUL, which ends the name of a generator in the runtime}}
rng.generator @"mask\00of" {seed = 7 : i64}

// -----

// C18: what threading copies to the stateless form must not become another
// attribute there.
func.func @algorithm_of_draw() {
  // expected-error @+1 {{'rng.uniform' op has the attribute "algorithm", which only 'rng.stateless_uniform' has: give the algorithm to the 'rng.generator', or to the module as 'rng.default_algorithm'}}
  %0 = rng.uniform {algorithm = #rng.philox<rounds = 7>} : f32
  return
}

// -----

// C18
func.func @no_algorithm() {
  // expected-error @+1 {{'rng.uniform' op has the attribute "algorithm", which only 'rng.stateless_uniform' has: remove it}}
  %0 = rng.uniform {algorithm = #rng.saved<argument 0>} : f32
  return
}

// -----

// C18
func.func @generic_algorithm() {
  // expected-error @+1 {{'rng.uniform' op has the attribute "algorithm", which only 'rng.stateless_uniform' has}}
  %0 = "rng.uniform"() <{operandSegmentSizes = array<i32: 0, 0>}> {algorithm = #rng.saved<argument 0>} : () -> f32
  return
}

// -----

// C18
func.func @aligned() {
  // expected-error @+1 {{'rng.truncated_normal' op has the attribute "aligned", which only 'rng.stateless_truncated_normal' has: remove it}}
  %0 = rng.truncated_normal {aligned} : f32
  return
}

// -----

// C18
func.func @slice_of_bits() {
  // expected-error @+1 {{'rng.bits' op has the attribute "staticSliceOffsets", which only 'rng.stateless_bits' has: remove it}}
  %0 = rng.bits {staticSliceOffsets = array<i64: 0>} : i32
  return
}
