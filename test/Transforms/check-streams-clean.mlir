// What is not reported: draws that are computed again, state by hand, and what
// is not certain.

// RUN: %rng_opt %s --rng-check-streams --verify-diagnostics -o %t.mlir \
// RUN:   --split-input-file --allow-unregistered-dialect

// The same op, operands and type.

func.func @recomputed(%s: i64, %o: i64, %p: f32) {
  %a = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  %b = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  return
}

// -----

// Parameters that may be the same, or are by their constants.

func.func @params(%s: i64, %o: i64, %p: f32, %q: f32) {
  %x = arith.constant 0.5 : f32
  %y = arith.constant 0.5 : f32
  %c1 = arith.constant 1 : i64
  %next = arith.addi %o, %c1 : i64
  %a = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  %b = rng.stateless_bernoulli %s, %o prob(%q) : tensor<4xi1>
  %c = rng.stateless_bernoulli %s, %next prob(%x) : tensor<4xi1>
  %d = rng.stateless_bernoulli %s, %next prob(%y) : tensor<4xi1>
  return
}

// -----

// Slices of one logical draw, in one tiling and in another, and all of it.

func.func @slices(%s: i64, %o: i64, %i: index) {
  %a = rng.stateless_uniform %s, %o slice [%i, 0] of [64, 8] : tensor<4x8xf32>
  %b = rng.stateless_uniform %s, %o slice [0, 4] of [64, 8] : tensor<2x4xf32>
  %c = rng.stateless_uniform %s, %o : tensor<64x8xf32>
  %d = rng.stateless_uniform %s, %o slice [2, 4] of [64, 8] : vector<4xf32>
  return
}

// -----

// One after the other.

func.func @consecutive(%s: i64, %o: i64, %n: index) {
  %o1 = rng.advance %o by uniform tensor<?xf32>(%n)
  %o2 = rng.advance %o1 by bits vector<4xi32>
  %a = rng.stateless_uniform %s, %o sizes(%n) : tensor<?xf32>
  %b = rng.stateless_bits %s, %o1 : vector<4xi32>
  %c = rng.stateless_bits %s, %o2 : vector<8xi32>
  return
}

// -----

// Trap 2: two independent draws are reordered. Offsets stay with their draws.

func.func @reordered(%s: i64, %o: i64) {
  %o1 = rng.advance %o by uniform tensor<4xf32>
  %b = rng.stateless_uniform %s, %o1 : tensor<8xf32>
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  return
}

// -----

// Another seed, algorithm, or generator.

rng.generator @g
rng.generator @fast {algorithm = #rng.philox<rounds = 7>}

func.func @streams(%s: i64, %t: i64, %o: i64) {
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %b = rng.stateless_uniform %t, %o : tensor<8xf32>
  %c = rng.stateless_uniform %s, %o {algorithm = #rng.philox<rounds = 7>} : tensor<8xf32>
  %d = rng.uniform : tensor<4xf32>
  %e = rng.uniform @g : tensor<8xf32>
  %f = rng.uniform @fast : tensor<9xf32>
  return
}

// -----

// What distance the offsets have is not known.

func.func @unknown_distance(%s: i64, %o: i64, %p: i64, %n: i64) {
  %x = arith.addi %o, %n : i64
  %y = arith.muli %o, %n : i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %b = rng.stateless_uniform %s, %p : tensor<8xf32>
  %c = rng.stateless_uniform %s, %x : tensor<9xf32>
  %d = rng.stateless_uniform %s, %y : tensor<10xf32>
  return
}

// -----

// State by hand, mixed with stateful draws.

func.func @by_hand(%n: index) {
  %u = rng.uniform : tensor<4xf32>
  %s, %o = rng.get_state : i64, i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %o1 = rng.advance %o by uniform tensor<4xf32>
  %b = rng.stateless_uniform %s, %o1 sizes(%n) : tensor<?xf32>
  %o2 = rng.advance %o1 by uniform tensor<?xf32>(%n)
  rng.set_state %s, %o2 : i64, i64
  %v = rng.uniform : tensor<8xf32>
  return
}

// -----

// The state may be set before the draws that it leaves room for.

func.func @set_first() {
  %c2 = arith.constant 2 : i64
  %c1 = arith.constant 1 : i64
  %s, %o = rng.get_state : i64, i64
  %end = arith.addi %o, %c2 : i64
  rng.set_state %s, %end : i64, i64
  %u = rng.uniform : tensor<8xf32>
  %next = arith.addi %o, %c1 : i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %b = rng.stateless_uniform %s, %next : tensor<4xf32>
  return
}

// -----

// Reservations, and draws from them and in between.

func.func @reservations(%n: i64) {
  %c2 = arith.constant 2 : i64
  %c1 = arith.constant 1 : i64
  %s0, %o0 = rng.reserve %c2 : i64, i64
  %u = rng.uniform : tensor<8xf32>
  %s1, %o1 = rng.reserve %n : i64, i64
  %o01 = arith.addi %o0, %c1 : i64
  %o11 = arith.addi %o1, %c1 : i64
  %a = rng.stateless_uniform %s0, %o0 : tensor<4xf32>
  %b = rng.stateless_uniform %s0, %o01 : tensor<4xf32>
  %c = rng.stateless_uniform %s1, %o1 : tensor<4xf32>
  %d = rng.stateless_uniform %s1, %o11 : tensor<4xf32>
  %v = rng.uniform : tensor<9xf32>
  return
}

// -----

// Two reservations without a gap are as good as one; a look back is allowed.

func.func @adjacent() {
  %c1 = arith.constant 1 : i64
  %s0, %o0 = rng.reserve %c1 : i64, i64
  %s1, %o1 = rng.reserve %c1 : i64, i64
  %a = rng.stateless_uniform %s0, %o0 : tensor<4xf32>
  %next = arith.addi %o0, %c1 : i64
  %b = rng.stateless_uniform %s0, %next : tensor<4xf32>
  %back = arith.subi %o1, %c1 : i64
  %c = rng.stateless_uniform %s1, %back : tensor<4xf32>
  return
}

// -----

// Who sets the state may take more than it reserved.

func.func @reserve_then_set() {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %s, %o = rng.reserve %c1 : i64, i64
  %next = arith.addi %o, %c1 : i64
  %end = arith.addi %o, %c2 : i64
  %a = rng.stateless_uniform %s, %next : tensor<4xf32>
  rng.set_state %s, %end : i64, i64
  return
}

// -----

// To reserve nothing is to look at the state; the blocks may be reserved later.

func.func @look(%m: memref<2xi64>, %n: memref<2xi64>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %s, %o = rng.reserve %c0 : i64, i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %x = rng.reserve_memory %m, %c0 : memref<2xi64> -> tensor<2xi64>
  %b = rng.stateless_uniform %x[%c0] : tensor<4xf32>
  %y = rng.reserve_memory %m, %c1 : memref<2xi64> -> tensor<2xi64>
  %z = rng.reserve_memory %n, %c1 : memref<2xi64> -> tensor<2xi64>
  %c = rng.stateless_uniform %z[%c1] : tensor<4xf32>
  %w = rng.reserve_memory %n, %c1 : memref<2xi64> -> tensor<2xi64>
  return
}

// -----

// Draws set to the same state to be drawn again.

func.func @again() {
  %s, %o = rng.get_state : i64, i64
  %a = rng.uniform : tensor<4xf32>
  rng.set_state %s, %o : i64, i64
  %b = rng.uniform : tensor<4xf32>
  return
}

// -----

// A draw without elements reads nothing, though it reserves a block.

func.func @empty(%s: i64, %o: i64, %n: index) {
  %a = rng.stateless_uniform %s, %o : tensor<0x4xf32>
  %b = rng.stateless_uniform %s, %o : tensor<8xf32>
  %c = rng.stateless_uniform %s, %o sizes(%n) : tensor<?x0xf32>
  %gs, %go = rng.get_state : i64, i64
  %d = rng.uniform : tensor<0xf32>
  %e = rng.stateless_uniform %gs, %go : tensor<8xf32>
  return
}

// -----

// Nor do draws with a constant size of 0: where the offset behind them is the
// one before, threading and folding leave the next draw at that.

func.func @constant_sizes(%s: i64, %o: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %a = rng.stateless_bits %s, %o sizes(%c0) : tensor<?x2xi64>
  %b = rng.stateless_uniform %s, %o sizes(%n, %c0) : tensor<?x?xf32>
  // A slice without elements, and one of a draw without elements.
  %c = rng.stateless_uniform %s, %o sizes(%c0) slice [2] of [8]
    : tensor<?xf32>
  %d = rng.stateless_uniform %s, %o slice [0, 0] of [%n, %c0] : f32
  %e = rng.stateless_normal %s, %o : f32
  return
}

// -----

func.func @constant_sizes_of_stateful(%n: index) {
  %c0 = arith.constant 0 : index
  %gs, %go = rng.get_state : i64, i64
  %a = rng.uniform sizes(%n, %c0) : tensor<?x?xf32>
  %b = rng.stateless_normal %gs, %go : f32
  return
}

// -----

func.func private @draw_nothing(%s: i64, %o: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %a = rng.stateless_uniform %s, %o sizes(%c0) : tensor<?xf32>
  return %a : tensor<?xf32>
}
func.func @constant_sizes_in_callee(%s: i64, %o: i64) -> f32 {
  %a = func.call @draw_nothing(%s, %o) : (i64, i64) -> tensor<?xf32>
  %b = rng.stateless_normal %s, %o : f32
  return %b : f32
}

// -----

// After what is not known the state is another one.

func.func private @draws() attributes {rng.draws = [unit]}
func.func @external() {
  %s, %o = rng.get_state : i64, i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  call @draws() : () -> ()
  %b = rng.uniform : tensor<4xf32>
  return
}

func.func @indirect(%f: () -> ()) {
  %s, %o = rng.get_state : i64, i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  call_indirect %f() : () -> ()
  %b = rng.uniform : tensor<4xf32>
  return
}

func.func @unregistered() {
  %s, %o = rng.get_state : i64, i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  "test.op"() ({
    %c = rng.uniform : tensor<4xf32>
  }) : () -> ()
  %b = rng.uniform : tensor<4xf32>
  return
}
