// Generators that a joint function moves as only its backward knows. The forward
// reserves what comes before; the backward acts when it is called.
//
// RUN: %rng_opt %s -split-input-file -rng-thread-state -rng-partition \
// RUN:   | FileCheck %s --check-prefixes=CHECK,STATE
// RUN: %rng_opt %s -split-input-file -rng-thread-state=entry=arguments \
// RUN:   -rng-partition | FileCheck %s --check-prefixes=CHECK,ARGS
// RUN: %rng_opt %s -split-input-file -rng-thread-state=entry=memory \
// RUN:   -rng-partition | FileCheck %s --check-prefixes=CHECK,MEMORY

// Noise on a gradient in a branch. The mask is drawn before it, so that the
// forward makes one reservation, and two forwards draw two masks.

// CHECK-LABEL: func.func @branch_forward(
// STATE-SAME:    -> (f32, f32)
// STATE-NOT:     rng.get_state
// STATE:         %[[ONE:.+]] = arith.constant 1 : i64
// STATE:         rng.reserve %[[ONE]]
// STATE-NOT:     rng.set_state
// ARGS-SAME:     i64 {rng.state}, %{{.+}}: i64 {rng.state}
// ARGS-SAME:     -> (f32, i64 {rng.state}, f32)
// MEMORY-SAME:   %[[M:[^ ]+]]: memref<2xi64> {rng.state}
// MEMORY:        %[[ONE:.+]] = arith.constant 1 : i64
// MEMORY:        rng.reserve_memory %[[M]], %[[ONE]]
// MEMORY-NOT:    rng.reserve_memory
// CHECK:         return

// CHECK-LABEL: func.func @branch_backward(
// STATE-SAME:    %{{.+}}: f32, %{{.+}}: f32 {rng.cotangent})
// STATE:         rng.get_state {rng.in_backward}
// STATE:         scf.if
// STATE:         rng.set_state {{.+}} {rng.in_backward}
// ARGS-SAME:     i64 {rng.cotangent, rng.state}, %[[O:[^ ]+]]: i64 {rng.cotangent, rng.state})
// ARGS-SAME:     -> (f32 {rng.gradient}, i64 {rng.gradient, rng.state})
// MEMORY-SAME:   %[[B:[^ ]+]]: memref<2xi64> {rng.cotangent, rng.state})
// MEMORY:        %[[S:.+]] = rng.reserve_memory %[[B]], %{{.+}}
// MEMORY:        scf.if
// MEMORY:        rng.reserve_memory %[[B]]
func.func @branch(%x: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %m = rng.uniform : f32
  %y = arith.mulf %x, %m : f32
  %g = arith.mulf %d, %m : f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %d, %zero : f32
  %h = scf.if %c -> (f32) {
    %n = rng.normal : f32
    %s = arith.addf %g, %n : f32
    scf.yield %s : f32
  } else {
    scf.yield %g : f32
  }
  return %y, %h : f32, f32
}

// -----

// A bound that the entry knows: the forward reserves the noise of the backward
// too, and the mask behind it, which does not wait for the loop.

// CHECK-LABEL: func.func @known_loop_forward(
// STATE:         rng.reserve
// STATE-NOT:     rng.{{get_state|reserve|set_state}}
// STATE:         rng.stateless_uniform
// CHECK-NOT:     scf.for
// CHECK:         return
// CHECK-LABEL: func.func @known_loop_backward(
// CHECK-NOT:     rng.{{get_state|reserve|set_state}}
// CHECK:         scf.for
// CHECK:           rng.stateless_normal
func.func @known_loop(%x: f32, %n: index, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d) -> (f32) {
    %z = rng.normal : f32
    %b = arith.addf %a, %z : f32
    scf.yield %b : f32
  }
  %m = rng.uniform : f32
  %y = arith.mulf %x, %m : f32
  %h = arith.mulf %g, %m : f32
  return %y, %h : f32, f32
}

// -----

// What a cotangent says is built in the backward, and reserved there in one
// step.

// CHECK-LABEL: func.func @bound_of_cotangent_forward(
// STATE-NOT:     rng.{{get_state|reserve|set_state}}
// CHECK:         return
// CHECK-LABEL: func.func @bound_of_cotangent_backward(
// STATE:         rng.reserve %{{.+}} {rng.in_backward}
// STATE-NOT:     rng.set_state
// MEMORY:        rng.reserve_memory
// MEMORY-NOT:    rng.reserve_memory
// CHECK:         return
func.func @bound_of_cotangent(%x: f32, %d: f32 {rng.cotangent},
                              %n: index {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d) -> (f32) {
    %z = rng.normal : f32
    %b = arith.addf %a, %z : f32
    scf.yield %b : f32
  }
  return %x, %g : f32, f32
}

// -----

// A loop to a bound that the backward has drawn from another generator: that
// one is the backward's, so this one is.

rng.generator @steps

// CHECK-LABEL: func.func @drawn_bound_forward(
// STATE:         rng.reserve
// STATE-NOT:     @steps
// CHECK:         return
// CHECK-LABEL: func.func @drawn_bound_backward(
// STATE-DAG:     rng.get_state @steps {rng.in_backward}
// STATE-DAG:     rng.{{get_state|reserve}} {{.*}}{rng.in_backward}
// STATE-DAG:     rng.set_state @steps, {{.+}} {rng.in_backward}
// ARGS-SAME:     i64 {rng.cotangent, rng.state}, %{{.+}}: i64 {rng.cotangent, rng.state}, %{{.+}}: i64 {rng.cotangent, rng.state = @steps}, %{{.+}}: i64 {rng.cotangent, rng.state = @steps})
// MEMORY-SAME:   memref<2xi64> {rng.cotangent, rng.state}, %{{.+}}: memref<2xi64> {rng.cotangent, rng.state = @steps})
// CHECK:         return
func.func @drawn_bound(%x: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %m = rng.uniform : f32
  %y = arith.mulf %x, %m : f32
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %c = arith.cmpf olt, %d, %zero : f32
  %bits = scf.if %c -> (i64) {
    %b = rng.bits @steps : i64
    scf.yield %b : i64
  } else {
    scf.yield %none : i64
  }
  %three = arith.constant 3 : i64
  %low = arith.andi %bits, %three : i64
  %n = arith.index_cast %low : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d) -> (f32) {
    %z = rng.normal : f32
    %s = arith.addf %a, %z : f32
    scf.yield %s : f32
  }
  %h = arith.mulf %g, %m : f32
  return %y, %h : f32, f32
}

// -----

// The state set from a cotangent. What the forward drew is reserved there.

// CHECK-LABEL: func.func @set_forward(
// STATE:         rng.reserve
// STATE-NOT:     rng.set_state
// ARGS-SAME:     -> (f32, i64 {rng.state}, f32)
// CHECK:         return
// CHECK-LABEL: func.func @set_backward(
// STATE:         rng.set_state
// ARGS-SAME:     -> (f32 {rng.gradient}, i64 {rng.gradient, rng.state}, i64 {rng.gradient, rng.state})
// CHECK:         return
func.func @set(%x: f32, %d: f32 {rng.cotangent}, %s: i64 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %m = rng.uniform : f32
  %y = arith.mulf %x, %m : f32
  %g = arith.mulf %d, %m : f32
  rng.set_state %s, %s : i64, i64
  return %y, %g : f32, f32
}

// -----

// Two generators do not wait for each other: the forward writes back the one
// whose draws only running it counts, though the backward has read the other.

rng.generator @noise

// CHECK-LABEL: func.func @two_generators_forward(
// STATE:         rng.get_state :
// STATE:         scf.if
// STATE:         rng.set_state %
// STATE-NOT:     @noise
// CHECK:         return
// CHECK-LABEL: func.func @two_generators_backward(
// STATE-NOT:     rng.set_state %
// STATE:         rng.get_state @noise {rng.in_backward}
// STATE:         rng.set_state @noise
// STATE-NOT:     rng.set_state %
// CHECK:         return
func.func @two_generators(%x: f32, %c: i1, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %zero = arith.constant 0.0 : f32
  %e = arith.cmpf olt, %d, %zero : f32
  %g = scf.if %e -> (f32) {
    %n = rng.normal @noise : f32
    scf.yield %n : f32
  } else {
    scf.yield %d : f32
  }
  %m = scf.if %c -> (f32) {
    %u = rng.uniform : f32
    scf.yield %u : f32
  } else {
    scf.yield %x : f32
  }
  return %m, %g : f32, f32
}

// -----

// A mask that the backward draws again, at the state that the forward was given:
// that is saved, and not marked as the state that the backward is to move.

// CHECK-LABEL: func.func @saved_state_forward(
// ARGS-SAME:     i64 {rng.state}, %{{.+}}: i64 {rng.state}
// CHECK-LABEL: func.func @saved_state_backward(
// ARGS-SAME:     %{{[^:]+}}: i64, %{{[^:]+}}: i64, %{{.+}}: f32 {rng.cotangent}, %{{.+}}: tensor<8xf32> {rng.cotangent}, %{{.+}}: i64 {rng.cotangent, rng.state}, %{{.+}}: i64 {rng.cotangent, rng.state})
func.func @saved_state(%x: tensor<8xf32>, %d: f32 {rng.cotangent},
                       %e: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %m = rng.uniform : tensor<8xf32>
  %y = arith.mulf %x, %m : tensor<8xf32>
  %g = arith.mulf %e, %m : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %d, %zero : f32
  %h = scf.if %c -> (tensor<8xf32>) {
    %n = rng.normal : tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  } else {
    scf.yield %g : tensor<8xf32>
  }
  return %y, %h : tensor<8xf32>, tensor<8xf32>
}

// -----

// A function from elsewhere draws from the generators that it says: the forward
// may call it behind noise of another one, from a function of the module, too.

rng.generator @a
rng.generator @b

func.func private @elsewhere(f32) -> f32 attributes {rng.draws = [@b]}
func.func private @through(%x: f32, %n: i32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c = arith.cmpi sgt, %n, %zero : i32
  %r = scf.if %c -> (f32) {
    %s = func.call @elsewhere(%x) : (f32) -> f32
    %m = arith.subi %n, %one : i32
    %t = func.call @through(%s, %m) : (f32, i32) -> f32
    scf.yield %t : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @external_behind_forward(
// STATE:         rng.reserve @a
// CHECK:         call @elsewhere
// CHECK:         call @through
// CHECK:         return
// CHECK-LABEL: func.func @external_behind_backward(
// CHECK-NOT:     call
// STATE:         rng.set_state @a
// CHECK:         return
func.func @external_behind(%x: f32, %n: i32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %m = rng.uniform @a : f32
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %d, %zero : f32
  %g = scf.if %c -> (f32) {
    %z = rng.normal @a : f32
    scf.yield %z : f32
  } else {
    scf.yield %d : f32
  }
  %u = call @elsewhere(%m) : (f32) -> f32
  %y = call @through(%u, %n) : (f32, i32) -> f32
  return %y, %g : f32, f32
}
