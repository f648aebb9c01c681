// RUN: %rng_opt %s -split-input-file -rng-thread-state | FileCheck %s
//
// What is threaded is threaded: a second run changes nothing.
// RUN: %rng_opt %s -split-input-file -rng-thread-state > %t.once
// RUN: %rng_opt %s -split-input-file -rng-thread-state -rng-thread-state \
// RUN: | diff %t.once -

// Traps 1, 2, 9.
// Static draws: one reservation of the total at the entry, draws at constant
// distances from its offset, in program order. An unused and an empty draw
// reserve as any other.

// CHECK-LABEL: func.func @static_draws(
// CHECK-SAME:      %[[P:.+]]: f32) -> (tensor<4xf32>, tensor<8xi1>, i64) {
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 5 : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK-NEXT:    %[[FIRST:.+]] = rng.stateless_uniform %[[SEED]], %[[BASE]] : tensor<4xf32>
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[O1:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK-NEXT:    rng.stateless_normal %[[SEED]], %[[O1]] : f32
// CHECK-NEXT:    %[[C2:.+]] = arith.constant 2 : i64
// CHECK-NEXT:    %[[O2:.+]] = arith.addi %[[BASE]], %[[C2]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[O2]] : tensor<0xf32>
// CHECK-NEXT:    %[[C3:.+]] = arith.constant 3 : i64
// CHECK-NEXT:    %[[O3:.+]] = arith.addi %[[BASE]], %[[C3]]
// CHECK-NEXT:    %[[KEEP:.+]] = rng.stateless_bernoulli %[[SEED]], %[[O3]] prob(%[[P]]) {rng.recompute} : tensor<8xi1>
// CHECK-NEXT:    %[[C4:.+]] = arith.constant 4 : i64
// CHECK-NEXT:    %[[O4:.+]] = arith.addi %[[BASE]], %[[C4]]
// CHECK-NEXT:    %[[BITS:.+]] = rng.stateless_bits %[[SEED]], %[[O4]] : i64
// CHECK-NEXT:    return %[[FIRST]], %[[KEEP]], %[[BITS]]
func.func @static_draws(%p: f32) -> (tensor<4xf32>, tensor<8xi1>, i64) {
  %first = rng.uniform : tensor<4xf32>
  %unused = rng.normal : f32
  %empty = rng.uniform : tensor<0xf32>
  %keep = rng.bernoulli prob(%p) {rng.recompute} : tensor<8xi1>
  %bits = rng.bits : i64
  return %first, %keep, %bits : tensor<4xf32>, tensor<8xi1>, i64
}

// Sizes that are known only inside the function do not matter to an algorithm
// whose reservations are static.

// CHECK-LABEL: func.func @dynamic_sizes(
// CHECK-SAME:      %[[A:.+]]: tensor<?xf32>, %[[LO:.+]]: f32, %[[HI:.+]]: f32)
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 2 : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK:         %[[D0:.+]] = tensor.dim %[[A]]
// CHECK:         rng.stateless_uniform %[[SEED]], %[[BASE]] range(%[[LO]], %[[HI]]) sizes(%[[D0]]) : tensor<?xf32>
// CHECK:         %[[NEXT:.+]] = arith.addi %[[BASE]], %{{.+}} : i64
// CHECK:         rng.stateless_uniform %[[SEED]], %[[NEXT]] : f32
func.func @dynamic_sizes(%a: tensor<?xf32>, %lo: f32, %hi: f32) {
  %c0 = arith.constant 0 : index
  %d0 = tensor.dim %a, %c0 : tensor<?xf32>
  %u = rng.uniform range(%lo, %hi) sizes(%d0) : tensor<?xf32>
  %v = rng.uniform : f32
  return
}

// A joint function keeps signature and marks; the reservation is its own.
// Trap 4: marks change no offset, compare @static_draws.

// CHECK-LABEL: func.func @joint(
// CHECK-SAME:      %{{.+}}: f32 {rng.cotangent}) -> (f32 {rng.gradient}) {
// CHECK:         rng.reserve
// CHECK-NEXT:    rng.stateless_uniform
func.func @joint(%d: f32 {rng.cotangent}) -> (f32 {rng.gradient}) {
  %u = rng.uniform : f32
  %g = arith.mulf %u, %d : f32
  return %g : f32
}

// CHECK-LABEL: func.func @no_draws(
// CHECK-NEXT:    return
func.func @no_draws() {
  return
}

// Any function will do where the signature stays.

// CHECK-LABEL: llvm.func @other_function() -> f32 {
// CHECK:         rng.reserve
// CHECK-NEXT:    %[[U:.+]] = rng.stateless_uniform
// CHECK-NEXT:    llvm.return %[[U]]
llvm.func @other_function() -> f32 {
  %u = rng.uniform : f32
  llvm.return %u : f32
}

// -----

// Interleaved generators: a state each, the default one first, then in the
// order of the declarations; each draw with its generator's algorithm.

module attributes {rng.default_algorithm = #rng.philox<rounds = 8>} {
  rng.generator @z
  // CHECK-LABEL: func.func @interleaved(
  // CHECK:         %[[N0:.+]] = arith.constant 1 : i64
  // CHECK-NEXT:    %[[S0:.+]], %[[O0:.+]] = rng.reserve %[[N0]]
  // CHECK-NEXT:    %[[NZ:.+]] = arith.constant 2 : i64
  // CHECK-NEXT:    %[[SZ:.+]], %[[OZ:.+]] = rng.reserve @z, %[[NZ]]
  // CHECK-NEXT:    %[[NA:.+]] = arith.constant 2 : i64
  // CHECK-NEXT:    %[[SA:.+]], %[[OA:.+]] = rng.reserve @a, %[[NA]]
  // CHECK-NEXT:    rng.stateless_uniform %[[SA]], %[[OA]] {algorithm = #rng.philox<rounds = 7>}
  // CHECK-NEXT:    rng.stateless_uniform %[[SZ]], %[[OZ]] {algorithm = #rng.philox<rounds = 8>}
  // CHECK:         %[[A1:.+]] = arith.addi %[[OA]]
  // CHECK-NEXT:    rng.stateless_uniform %[[SA]], %[[A1]]
  // CHECK-NEXT:    rng.stateless_uniform %[[S0]], %[[O0]] {algorithm = #rng.philox<rounds = 8>}
  // CHECK:         %[[Z1:.+]] = arith.addi %[[OZ]]
  // CHECK-NEXT:    rng.stateless_uniform %[[SZ]], %[[Z1]]
  // CHECK-NEXT:    return
  func.func @interleaved() {
    %0 = rng.uniform @a : f32
    %1 = rng.uniform @z : f32
    %2 = rng.uniform @a : f32
    %3 = rng.uniform : f32
    %4 = rng.uniform @z : f32
    return
  }
  rng.generator @a {algorithm = #rng.philox<rounds = 7>, seed = 7 : i64}
}

// -----

// Trap 12.
// A private function gains seed and offset and returns the next offset; its
// caller knows what it reserves, so that the draw after the call keeps its
// constant distance. Attributes of the call follow.

// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:      %[[X:.+]]: f32 {rng.persistent}, %[[SEED:[^:]+]]: i64, %[[OFFSET:[^:]+]]: i64)
// CHECK-SAME:      -> (f32 {rng.persistent}, i64) {
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[OFFSET]]
// CHECK:         %[[NEXT:.+]] = arith.addi %[[OFFSET]]
// CHECK-NEXT:    return %[[X]], %[[NEXT]] : f32, i64
func.func private @callee(%x: f32 {rng.persistent})
    -> (f32 {rng.persistent}) {
  %u = rng.uniform : f32
  return %x : f32
}

// A private function that draws only through a call.
// CHECK-LABEL: func.func private @through(
// CHECK-SAME:      %[[X:.+]]: f32, %[[SEED:[^:]+]]: i64, %[[OFFSET:[^:]+]]: i64) -> i64
// CHECK-NEXT:    call @callee(%[[X]], %[[SEED]], %[[OFFSET]])
// CHECK:         %[[NEXT:.+]] = arith.addi %[[OFFSET]]
// CHECK-NEXT:    return %[[NEXT]]
func.func private @through(%x: f32) {
  %0 = call @callee(%x) : (f32) -> f32
  return
}

// CHECK-LABEL: func.func @caller(
// CHECK-SAME:      %[[X:.+]]: f32) -> f32 {
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 4 : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[O1:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK-NEXT:    %[[CALL:.+]]:2 = call @callee(%[[X]], %[[SEED]], %[[O1]]) {rng.save} : (f32, i64, i64) -> (f32, i64)
// CHECK-NEXT:    %[[C2:.+]] = arith.constant 2 : i64
// CHECK-NEXT:    %[[O2:.+]] = arith.addi %[[BASE]], %[[C2]]
// CHECK-NEXT:    call @through(%[[X]], %[[SEED]], %[[O2]])
// CHECK-NEXT:    %[[C3:.+]] = arith.constant 3 : i64
// CHECK-NEXT:    %[[O3:.+]] = arith.addi %[[BASE]], %[[C3]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[O3]]
// CHECK-NEXT:    return %[[CALL]]#0
func.func @caller(%x: f32) -> f32 {
  %0 = rng.uniform : f32
  %1 = call @callee(%x) {rng.save} : (f32) -> f32
  call @through(%x) : (f32) -> ()
  %2 = rng.uniform : f32
  return %1 : f32
}

// -----

// Traps 6, 13.
// A public function that is also called: a wrapper around a private twin, so
// that the call advances the state once. Names stay unique.

func.func private @shared_threaded() {
  return
}

// CHECK-LABEL: func.func @shared(
// CHECK-SAME:      %[[X:.+]]: f32 {rng.persistent}) -> (f32 {rng.persistent}) attributes {llvm.emit_c_interface} {
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK-NEXT:    %[[CALL:.+]]:2 = call @shared_threaded_0(%[[X]], %[[SEED]], %[[BASE]])
// CHECK-NEXT:    return %[[CALL]]#0

// CHECK-LABEL: func.func private @shared_threaded_0(
// CHECK-SAME:      %{{.+}}: f32 {rng.persistent}, %[[SEED:[^:]+]]: i64, %[[BASE:[^:]+]]: i64)
// CHECK-SAME:      -> (f32 {rng.persistent}, i64) {
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
func.func @shared(%x: f32 {rng.persistent}) -> (f32 {rng.persistent})
    attributes {llvm.emit_c_interface} {
  %u = rng.uniform : f32
  return %u : f32
}

// CHECK-LABEL: func.func @shares(
// CHECK:         rng.reserve
// CHECK-NOT:     @shared(
// CHECK:         call @shared_threaded_0(
// CHECK-NOT:     @shared(
// CHECK:         call @shared_threaded_0(
func.func @shares(%x: f32) {
  %0 = call @shared(%x) : (f32) -> f32
  %1 = call @shared(%x) : (f32) -> f32
  return
}

// -----

// A joint function that is also called keeps its body, for the partition; its
// twin is no joint function.

// CHECK-LABEL: func.func @joint(
// CHECK-SAME:      {rng.cotangent}) -> (f32 {rng.gradient}) {
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK-LABEL: func.func private @joint_threaded(
// CHECK-SAME:      %{{[^:]+}}: f32, %[[SEED:[^:]+]]: i64, %[[BASE:[^:]+]]: i64) -> (f32, i64) {
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
func.func @joint(%d: f32 {rng.cotangent}) -> (f32 {rng.gradient}) {
  %u = rng.uniform : f32
  %g = arith.mulf %u, %d : f32
  return %g : f32
}
func.func @uses_joint(%d: f32) -> f32 {
  %0 = call @joint(%d) : (f32) -> f32
  return %0 : f32
}

// -----

// Recursion: what a run reserves is not known, so the state is read, and
// written back. The seed, which nothing sets, is no result.

rng.generator @g

// CHECK-LABEL: func.func @even()
// CHECK-NEXT:    %[[S0:.+]], %[[O0:.+]] = rng.get_state : i64, i64
// CHECK-NEXT:    %[[SG:.+]], %[[OG:.+]] = rng.get_state @g : i64, i64
// CHECK-NEXT:    %[[CALL:.+]]:2 = call @even_threaded(%[[S0]], %[[O0]], %[[SG]], %[[OG]])
// CHECK-NEXT:    rng.set_state %[[S0]], %[[CALL]]#0
// CHECK-NEXT:    rng.set_state @g, %[[SG]], %[[CALL]]#1
// CHECK-NEXT:    return

// CHECK-LABEL: func.func private @even_threaded(
// CHECK-SAME:      %[[S0:[^:]+]]: i64, %[[O0:[^:]+]]: i64, %[[SG:[^:]+]]: i64, %[[OG:[^:]+]]: i64) -> (i64, i64) {
// CHECK-NEXT:    rng.stateless_uniform %[[S0]], %[[O0]]
// CHECK:         %[[NEXT:.+]] = arith.addi %[[O0]]
// CHECK-NEXT:    %[[CALL:.+]]:2 = call @odd(%[[S0]], %[[NEXT]], %[[SG]], %[[OG]])
// CHECK-NEXT:    return %[[CALL]]#0, %[[CALL]]#1
func.func @even() {
  %u = rng.uniform : f32
  call @odd() : () -> ()
  return
}

// CHECK-LABEL: func.func private @odd(
// CHECK:         rng.stateless_uniform
// CHECK:         call @even_threaded
func.func private @odd() {
  %u = rng.uniform @g : f32
  call @even() : () -> ()
  return
}

// -----

// Explicit state among draws: read where it stands in the order, replaced, and
// advanced by hand.

// CHECK-LABEL: func.func @explicit_forward(
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 12 : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK:         %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[O1:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK-NEXT:    %[[C11:.+]] = arith.constant 11 : i64
// CHECK-NEXT:    %[[O11:.+]] = arith.addi %[[BASE]], %[[C11]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[O11]]
// CHECK-NEXT:    %[[C12:.+]] = arith.constant 12 : i64
// CHECK-NEXT:    %[[O12:.+]] = arith.addi %[[BASE]], %[[C12]]
// CHECK-NEXT:    return %[[O1]], %[[SEED]], %[[O12]]
func.func @explicit_forward() -> (i64, i64, i64) {
  %0 = rng.uniform : f32
  %ten = arith.constant 10 : i64
  %rs, %ro = rng.reserve %ten : i64, i64
  %1 = rng.uniform : f32
  %gs, %go = rng.get_state : i64, i64
  return %ro, %gs, %go : i64, i64, i64
}

// CHECK-LABEL: func.func @explicit_set(
// CHECK-SAME:      %[[NEW:.+]]: i64, %[[AT:.+]]: i64)
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK-NEXT:    rng.stateless_uniform %[[NEW]], %[[AT]]
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[NEXT:.+]] = arith.addi %[[AT]], %[[C1]]
// CHECK-NEXT:    rng.set_state %[[NEW]], %[[NEXT]]
// CHECK-NEXT:    return
func.func @explicit_set(%new: i64, %at: i64) {
  %0 = rng.uniform : f32
  rng.set_state %new, %at : i64, i64
  %1 = rng.uniform : f32
  return
}

// What is reserved is known at the entry, though not constant.

// CHECK-LABEL: func.func @dynamic_reserve(
// CHECK-SAME:      %[[BLOCKS:.+]]: i64)
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.addi %[[BLOCKS]], %[[C1]]
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK-NEXT:    %[[NEXT:.+]] = arith.addi %[[BASE]], %[[BLOCKS]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[NEXT]]
// CHECK-NEXT:    return
func.func @dynamic_reserve(%blocks: i64) {
  %rs, %ro = rng.reserve %blocks : i64, i64
  %0 = rng.uniform : f32
  return
}

// No draw is anywhere near: left as it is, in any region.
// CHECK-LABEL: func.func @by_hand(
// CHECK:         scf.if
// CHECK-NEXT:      rng.reserve
// CHECK:         rng.set_state
func.func @by_hand(%c: i1, %blocks: i64, %seed: i64) {
  scf.if %c {
    %rs, %ro = rng.reserve %blocks : i64, i64
  }
  rng.set_state %seed, %blocks : i64, i64
  return
}

// -----

// A function with explicit state only, called among draws, is part of the order;
// and so is who else calls it. The seed that it sets is a result.

// CHECK-LABEL: func.func private @reseed(
// CHECK-SAME:      %[[NEW:[^:]+]]: i64, %{{[^:]+}}: i64, %{{[^:]+}}: i64) -> (i64, i64) {
// CHECK-NEXT:    %[[ZERO:.+]] = arith.constant 0
// CHECK-NEXT:    return %[[NEW]], %[[ZERO]]
func.func private @reseed(%new: i64) {
  %zero = arith.constant 0 : i64
  rng.set_state %new, %zero : i64, i64
  return
}

// CHECK-LABEL: func.func @reseeded_draw(
// CHECK-SAME:      %[[NEW:.+]]: i64)
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    %[[CALL:.+]]:2 = call @reseed(%[[NEW]], %[[SEED]], %[[BASE]])
// CHECK-NEXT:    rng.stateless_uniform %[[CALL]]#0, %[[CALL]]#1
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[NEXT:.+]] = arith.addi %[[CALL]]#1, %[[C1]]
// CHECK-NEXT:    rng.set_state %[[CALL]]#0, %[[NEXT]]
func.func @reseeded_draw(%new: i64) {
  call @reseed(%new) : (i64) -> ()
  %u = rng.uniform : f32
  return
}

// CHECK-LABEL: func.func @reseed_and_read(
// CHECK-SAME:      %[[NEW:.+]]: i64) -> i64
// CHECK-NEXT:    rng.get_state
// CHECK-NEXT:    %[[CALL:.+]]:2 = call @reseed
// CHECK-NEXT:    rng.set_state %[[CALL]]#0, %[[CALL]]#1
// CHECK-NEXT:    return %[[CALL]]#0
func.func @reseed_and_read(%new: i64) -> i64 {
  call @reseed(%new) : (i64) -> ()
  %seed, %offset = rng.get_state : i64, i64
  return %seed : i64
}

// -----

// Around an external function that draws, the state of its generators (only)
// is written back and read again.

rng.generator @g
func.func private @draws() attributes {rng.draws = [@g]}
func.func private @does_not_draw()

// CHECK-LABEL: func.func @external(
// CHECK:         %[[S0:.+]], %[[O0:.+]] = rng.reserve %{{[^@]+}} : i64, i64
// CHECK-NEXT:    %[[S:.+]], %[[O:.+]] = rng.get_state @g
// CHECK-NEXT:    rng.stateless_uniform %[[S]], %[[O]]
// CHECK-NEXT:    rng.stateless_uniform %[[S0]], %[[O0]]
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[O1:.+]] = arith.addi %[[O]], %[[C1]]
// CHECK-NEXT:    rng.set_state @g, %[[S]], %[[O1]]
// CHECK-NEXT:    call @draws()
// CHECK-NEXT:    %[[S2:.+]], %[[O2:.+]] = rng.get_state @g
// CHECK-NEXT:    rng.stateless_uniform %[[S2]], %[[O2]]
// CHECK-NEXT:    call @does_not_draw()
// CHECK-NEXT:    %[[C1_0:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[O3:.+]] = arith.addi %[[O2]], %[[C1_0]]
// CHECK-NEXT:    rng.set_state @g, %[[S2]], %[[O3]]
// CHECK-NEXT:    return
func.func @external() {
  %0 = rng.uniform @g : f32
  %1 = rng.uniform : f32
  call @draws() : () -> ()
  %2 = rng.uniform @g : f32
  call @does_not_draw() : () -> ()
  return
}

// A private caller hands on what it reads.
// CHECK-LABEL: func.func private @external_private(
// CHECK-SAME:      %[[S:[^:]+]]: i64, %[[O:[^:]+]]: i64) -> (i64, i64) {
// CHECK-NEXT:    rng.set_state @g, %[[S]], %[[O]]
// CHECK-NEXT:    call @draws()
// CHECK-NEXT:    %[[S2:.+]], %[[O2:.+]] = rng.get_state @g
// CHECK-NEXT:    rng.stateless_uniform %[[S2]], %[[O2]]
// CHECK:         %[[NEXT:.+]] = arith.addi %[[O2]]
// CHECK-NEXT:    return %[[S2]], %[[NEXT]]
func.func private @external_private() {
  call @draws() : () -> ()
  %u = rng.uniform @g : f32
  return
}

// Nothing to thread: all state is the process's already.
// CHECK-LABEL: func.func private @external_only()
// CHECK-NEXT:    call @draws()
// CHECK-NEXT:    return
func.func private @external_only() {
  call @draws() : () -> ()
  return
}

// -----

// Modules in the module are threaded by themselves.

// CHECK-LABEL: module @inner
module @inner {
  // CHECK-LABEL: func.func @same_name(
  // CHECK:         rng.reserve
  func.func @same_name() {
    %0 = rng.uniform : f32
    return
  }
}
// CHECK-LABEL: func.func @same_name(
// CHECK:         rng.reserve
func.func @same_name() {
  %0 = rng.uniform : f32
  return
}

// -----

// What a value of unknown origin names counts as a function that does not draw.

// CHECK-LABEL: func.func @unknown_callee(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK-NEXT:    call_indirect
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[NEXT:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[NEXT]]
func.func @unknown_callee(%f: () -> ()) {
  %u = rng.uniform : f32
  call_indirect %f() : () -> ()
  %v = rng.uniform : f32
  return
}
