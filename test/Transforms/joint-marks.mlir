// Marks of joint functions that are not what was meant, and passes in the wrong
// order.

// RUN: %rng_opt %s --rng-partition="report=%t.txt dot=%t.dot" \
// RUN:   -split-input-file -verify-diagnostics -o %t.mlir

// No gradient: nothing would be split.

// expected-warning@below {{function '@no_gradient' has the argument #1 marked 'rng.cotangent' but no result marked 'rng.gradient', so that it is not split: mark the gradients among its results, or remove the mark}}
func.func @no_gradient(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32) {
  %g = arith.mulf %a, %d : f32
  return %a, %g : f32, f32
}
func.func @joint(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  return %a, %d : f32, f32
}

// -----

// Not so in a function that others use, in one without a body, and in the
// backward of a pair, all of whose gradients may be in memory.

func.func private @helper(%d: f32 {rng.cotangent}) -> f32 {
  %g = arith.addf %d, %d : f32
  return %g : f32
}
func.func private @external(f32 {rng.cotangent}) -> f32
func.func @f_forward(%m: memref<f32>)
    attributes {rng.backward = @f_backward, rng.saved = [#rng.saved<argument 0>]} {
  return
}
func.func @f_backward(%m: memref<f32>, %d: f32 {rng.cotangent}) {
  memref.store %d, %m[] : memref<f32>
  return
}
func.func @joint(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  %g = func.call @helper(%d) : (f32) -> f32
  return %a, %g : f32, f32
}

// -----

// Nothing to report.

// expected-warning@below {{nothing to write to the file of 'report', 'dot', no function has a result marked 'rng.gradient': mark the gradients of the one that is to be split}}
module {
  func.func @f(%a: f32) -> f32 {
    return %a : f32
  }
}

// -----

// Nested modules are others.

// expected-warning@below {{nothing to write}}
module {
  module @inner {
    // expected-warning@below {{joint function '@f' of a nested module is left alone: run the pass on its module}}
    func.func @f(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
      return %a, %d : f32, f32
    }
  }
}
