// What is reported: draws that are not the same and read the same blocks.

// RUN: %rng_opt %s --rng-check-streams --verify-diagnostics -o %t.mlir \
// RUN:   --split-input-file --allow-unregistered-dialect

// Another type at the same state: the classic.

func.func @type(%s: i64, %o: i64) {
  // expected-note @below {{'rng.stateless_uniform' reads blocks [0, 1) here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-error @below {{'rng.stateless_uniform' op reads blocks [0, 1) after an offset, which another draw reads, too: advance its offset past the other draw (rng.advance)}}
  %b = rng.stateless_uniform %s, %o : tensor<8xf32>
  return
}

// -----

func.func @element_type(%s: i64, %o: i64) {
  // expected-note @below {{here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-error @below {{reads blocks [0, 1)}}
  %b = rng.stateless_uniform %s, %o : tensor<4xf64>
  return
}

// -----

func.func @distribution(%s: i64, %o: i64, %p: f32) {
  // expected-note @below {{'rng.stateless_bernoulli' reads blocks [0, 1) here}}
  %a = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  // expected-error @below {{'rng.stateless_uniform' op reads blocks [0, 1)}}
  %b = rng.stateless_uniform %s, %o : tensor<4xf32>
  return
}

// -----

// Parameters that are constants and differ.

func.func @params(%s: i64, %o: i64) {
  %p = arith.constant 0.1 : f32
  %q = arith.constant 0.2 : f32
  // expected-note @below {{here}}
  %a = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  // expected-error @below {{reads blocks [0, 1)}}
  %b = rng.stateless_bernoulli %s, %o prob(%q) : tensor<4xi1>
  return
}

// -----

// The same logical shape, but pieces of other logical draws.

func.func @slices(%s: i64, %o: i64, %i: index) {
  // expected-note @below {{here}}
  %a = rng.stateless_uniform %s, %o slice [%i, 0] of [64, 8] : tensor<4x8xf32>
  // expected-error @below {{reads blocks [0, 1)}}
  %b = rng.stateless_uniform %s, %o slice [%i, 0] of [32, 8] : tensor<4x8xf32>
  return
}

// -----

// Trap 9: reserve and consume from two formulas. Offsets that come to the same
// block in different ways.

func.func @sums(%s: i64, %o: i64, %n: i64) {
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %x = rng.advance %o by uniform tensor<4xf32>
  %y = arith.addi %x, %n : i64
  %z = arith.addi %n, %o : i64
  %w = arith.addi %z, %c3 : i64
  %v0 = arith.subi %w, %c1 : i64
  %v = arith.subi %v0, %c1 : i64
  // expected-note @below {{reads blocks [1, 2) here}}
  %a = rng.stateless_uniform %s, %y : tensor<4xf32>
  // expected-error @below {{reads blocks [1, 2) after an offset}}
  %b = rng.stateless_uniform %s, %v : tensor<8xf32>
  return
}

// -----

// Constants, near the end of the numbers.

func.func @constants() {
  %s = arith.constant -1 : i64
  %o = arith.constant -1 : i64
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %wrapped = arith.addi %o, %c1 : i64
  // expected-note @below {{reads blocks [18446744073709551615, 0) here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-note @below {{reads blocks [0, 1) here}}
  %b = rng.stateless_uniform %s, %wrapped : tensor<4xf32>
  // expected-error @below {{reads blocks [0, 1) of a seed, which another draw reads, too}}
  %c = rng.stateless_uniform %s, %c0 : tensor<8xf32>
  // expected-error @below {{reads blocks [18446744073709551615, 0) of a seed}}
  %d = rng.stateless_uniform %s, %o : tensor<8xf32>
  return
}

// -----

// Each draw is reported once, with the first that it conflicts with.

func.func @three(%s: i64, %o: i64) {
  // expected-note @below {{here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-error @below {{reads blocks [0, 1)}}
  %b = rng.stateless_uniform %s, %o : tensor<5xf32>
  // expected-error @below {{reads blocks [0, 1)}}
  %c = rng.stateless_uniform %s, %o : tensor<6xf32>
  return
}

// -----

// Dynamic sizes change nothing if other things differ.

func.func @dynamic(%s: i64, %o: i64, %n: index) {
  // expected-note @below {{here}}
  %a = rng.stateless_uniform %s, %o sizes(%n) : tensor<?x4xf32>
  // expected-error @below {{reads blocks [0, 1)}}
  %b = rng.stateless_uniform %s, %o sizes(%n) : tensor<?x8xf32>
  return
}

// -----

// A snapshot and blocks after it.

func.func @snapshot(%s: tensor<2xi64>, %d: i64) {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %d1 = arith.addi %d, %c1 : i64
  // expected-note @below {{here}}
  %a = rng.stateless_uniform %s[%c1] : tensor<4xf32>
  // expected-error @below {{reads blocks [1, 2) of a seed}}
  %b = rng.stateless_uniform %s[%c1] : tensor<8xf32>
  %c = rng.stateless_uniform %s[%c2] : tensor<8xf32>
  // expected-note @below {{here}}
  %e = rng.stateless_uniform %s[%d1] : tensor<4xf32>
  // expected-error @below {{reads blocks [1, 2) after an offset}}
  %f = rng.stateless_uniform %s[%d1] : tensor<8xf32>
  return
}

// -----

// State that was advanced past.

func.func @stateful_then_stateless() {
  %s, %o = rng.get_state : i64, i64
  // expected-note @below {{'rng.uniform' reads blocks [0, 1) here}}
  %a = rng.uniform : tensor<4xf32>
  // expected-error @below {{reads blocks [0, 1) after the state of the generator at the entry, which another draw reads, too: the generator was advanced past that state, so reserve blocks for this draw (rng.reserve)}}
  %b = rng.stateless_uniform %s, %o : tensor<4xf32>
  return
}

// -----

// State that was not set past what was drawn.

func.func @stateless_then_stateful() {
  %s, %o = rng.get_state : i64, i64
  // expected-note @below {{'rng.stateless_uniform' reads blocks [0, 1) here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-error @below {{'rng.uniform' op reads blocks [0, 1) after the state of the generator at the entry, which another draw reads, too: set the state past the other draw before this one (rng.set_state)}}
  %b = rng.uniform : tensor<4xf32>
  return
}

// -----

rng.generator @g {seed = 3 : i64}

func.func @set_too_little(%seed: i64, %offset: i64) {
  %c1 = arith.constant 1 : i64
  %next = arith.addi %offset, %c1 : i64
  %a = rng.stateless_uniform %seed, %offset : tensor<4xf32>
  // expected-note @below {{here}}
  %b = rng.stateless_uniform %seed, %next : tensor<4xf32>
  rng.set_state @g, %seed, %next : i64, i64
  // expected-error @below {{reads blocks [1, 2) after an offset, which another draw reads, too}}
  %c = rng.uniform @g : tensor<4xf32>
  return
}

// -----

// Trap 3: a state query merged across a write. After the reservation the state
// is two blocks further.

func.func @two_queries() {
  %c2 = arith.constant 2 : i64
  %c1 = arith.constant 1 : i64
  %s0, %o0 = rng.reserve %c2 : i64, i64
  %s1, %o1 = rng.get_state : i64, i64
  %o2 = arith.subi %o1, %c1 : i64
  %o3 = arith.addi %o0, %c1 : i64
  // expected-note @below {{here}}
  %a = rng.stateless_uniform %s0, %o3 : tensor<4xf32>
  // expected-error @below {{reads blocks [1, 2)}}
  %b = rng.stateless_uniform %s1, %o2 : tensor<8xf32>
  return
}

// -----

// Behind the end of a reservation.

func.func @beyond() {
  %c2 = arith.constant 2 : i64
  // expected-note @below {{reserved here}}
  %s, %o = rng.reserve %c2 : i64, i64
  %next = rng.advance %o by uniform tensor<4xf32>
  %end = rng.advance %next by uniform tensor<4xf32>
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %b = rng.stateless_uniform %s, %next : tensor<4xf32>
  // expected-error @below {{'rng.stateless_uniform' op reads blocks behind the end of a reservation of 2, which belong to others: reserve as many blocks as are drawn}}
  %c = rng.stateless_uniform %s, %end : tensor<4xf32>
  return
}

// -----

func.func @beyond_snapshot(%m: memref<2xi64>) {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  // expected-note @below {{reserved here}}
  %s = rng.reserve_memory %m, %c1 : memref<2xi64> -> tensor<2xi64>
  %a = rng.stateless_uniform %s[%c0] : tensor<4xf32>
  // expected-error @below {{behind the end of a reservation of 1}}
  %b = rng.stateless_uniform %s[%c1] : tensor<4xf32>
  return
}

// -----

// The block behind the reservation is that of the stateful draw: one error.

func.func @beyond_into_draw() {
  %c1 = arith.constant 1 : i64
  %s, %o = rng.reserve %c1 : i64, i64
  %next = arith.addi %o, %c1 : i64
  // expected-note @below {{here}}
  %a = rng.uniform : tensor<4xf32>
  // expected-error @below {{reads blocks [1, 2) after the state of the generator at the entry}}
  %b = rng.stateless_uniform %s, %next : tensor<4xf32>
  return
}
