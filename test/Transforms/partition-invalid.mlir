// RUN: %rng_opt %s -split-input-file -verify-diagnostics --rng-partition

// expected-error@below {{'func.func' op is a joint function with several blocks, which cannot be partitioned: turn its branches into structured control flow (scf)}}
func.func @several_blocks(%c: i1, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %x = arith.constant 1.0 : f32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x, %d : f32, f32
^bb2:
  return %x, %x : f32, f32
}

// -----

// Trap 28: fresh numbers in the backward.

func.func @stateful(%d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  // expected-error@below {{'rng.uniform' op draws from a generator inside a joint function, and drawing again would yield other numbers: run rng-thread-state first}}
  %u = rng.uniform : tensor<8xf32>
  return %u, %d : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @stateful_inside(%n: index, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> f32 {
    // expected-error@below {{run rng-thread-state first}}
    %u = rng.uniform : f32
    %sum = arith.addf %x, %u : f32
    scf.yield %sum : f32
  }
  return %s, %d : f32, f32
}

// -----

// Both paths: from the cotangent to the op, from the op to the result.

func.func @primal_of_cotangent(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  // expected-note@below {{'arith.mulf' uses the cotangent and is used by what follows}}
  %da = arith.mulf %a, %d : f32
  // expected-error@below {{primal result #0 depends on the cotangent argument #1, so no forward can compute it: mark the result rng.gradient or remove the dependence}}
  // expected-note@below {{'math.exp' yields the result}}
  %y = math.exp %da : f32
  return %y, %da : f32, f32
}

// -----

func.func @primal_is_cotangent(%d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  // expected-error@below {{primal result #0 depends on the cotangent argument #0}}
  return %d, %d : f32, f32
}

// -----

// The order of side effects carries the dependence: of draws, here.

func.func private @log(f32) attributes {rng.draws = [unit]}
func.func @primal_behind_effect(%d: f32 {rng.cotangent})
    -> (i64, f32 {rng.gradient}) {
  %one = arith.constant 1 : i64
  // expected-note@below {{'func.call' uses the cotangent and has side effects that must come before what follows}}
  func.call @log(%d) : (f32) -> ()
  // expected-error@below {{primal result #0 depends on the cotangent argument #0}}
  // expected-note@below {{'rng.reserve' yields the result}}
  %seed, %offset = rng.reserve %one : i64, i64
  return %seed, %d : i64, f32
}

// -----

// expected-error@below {{'func.func' op is still used, so it cannot be replaced by its forward and backward: remove the use, or set keep-joint, so that callers go on calling the joint function}}
func.func @called(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  return %a, %d : f32, f32
}
func.func @caller(%a: f32) -> (f32, f32) {
  // expected-note@below {{used here}}
  %0:2 = call @called(%a, %a) : (f32, f32) -> (f32, f32)
  return %0#0, %0#1 : f32, f32
}

// -----

// expected-error@below {{'func.func' op is to be partitioned, but '@clash_backward' exists already: rename one of them}}
func.func @clash(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  return %a, %d : f32, f32
}
// expected-note@below {{'@clash_backward' is here}}
func.func private @clash_backward()

// -----

// Trap 29: an infinite path without a word of what it is.
// Orders that cannot all be kept, named in the user's ops.

func.func @conflict(%a: tensor<2x4xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<2x4xf32>, tensor<8xf32> {rng.gradient}) {
  // expected-error@below {{the backward needs what 'tensor.collapse_shape' computes, but it can neither be saved nor computed again: remove an order (rng.save, rng.recompute) or the use}}
  // expected-note@below {{'tensor.collapse_shape' is not computed again: it is ordered to be saved by 'rng.save'; its result is not saved: it is a view of a value of the same size}}
  %flat = tensor.collapse_shape %a [[0, 1]] {rng.save}
      : tensor<2x4xf32> into tensor<8xf32>
  // expected-note@below {{'math.sin' needs that; its result is not saved: it is ordered to be recomputed by 'rng.recompute'}}
  %s = math.sin %flat {rng.recompute} : tensor<8xf32>
  // expected-note@below {{'arith.mulf' uses it in the backward}}
  %da = arith.mulf %d, %s : tensor<8xf32>
  return %a, %da : tensor<2x4xf32>, tensor<8xf32>
}

// -----

// Side effects are never repeated, not even by order.

func.func @ordered_effect(%a: i64, %d: i64 {rng.cotangent})
    -> (i64, i64 {rng.gradient}) {
  // expected-error@below {{the backward needs what 'rng.reserve' computes}}
  // expected-note@below {{'rng.reserve' is not computed again: it has side effects; its result is not saved: it is ordered to be recomputed by 'rng.recompute'}}
  %seed, %offset = rng.reserve %a {rng.recompute} : i64, i64
  // expected-note@below {{'func.return' returns it as a gradient}}
  return %a, %seed : i64, i64
}

// -----

// After bufferization there are no values to save.

func.func @memory(%m: memref<8xf32>, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  // expected-error@below {{the backward needs argument #0, which is memory and not a value (partition before bufferization)}}
  // expected-note@below {{'memref.store' uses it in the backward}}
  memref.store %d, %m[%c0] : memref<8xf32>
  return %one, %d : f32, f32
}

// -----

// expected-error@below {{'llvm.func' op is a joint function of a kind that cannot return 0 values: partition it while it is a func.func}}
llvm.func @single_result(%a: f32, %d: f32 {rng.cotangent})
    -> (f32 {rng.gradient}) {
  llvm.return %d : f32
}

// -----

// A kind of function with rules of its own, here that it returns something.

// expected-error@below {{'async.func' op result is expected to be at least of size 1, but got 0}}
// expected-error@below {{'async.func' op is a joint function of a kind that cannot be split in two: partition it while it is a func.func}}
async.func @other_kind(%a: f32, %d: f32 {rng.cotangent})
    -> (!async.value<f32> {rng.gradient}) {
  return %d : f32
}

// -----

// The stack of the forward is gone when the backward runs.

func.func @stack(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %one = arith.constant 1 : i64
  // expected-error@below {{the backward needs what 'llvm.alloca' computes, but it can neither be saved nor computed again}}
  // expected-note@below {{its result is not saved: it is on the stack, which ends with the forward}}
  %p = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
  llvm.store %a, %p : f32, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  %w = arith.mulf %d, %v : f32
  // expected-note@below {{uses it in the backward}}
  llvm.store %w, %p : f32, !llvm.ptr
  %g = llvm.load %p : !llvm.ptr -> f32
  return %v, %g : f32, f32
}
