// RUN: %rng_opt %s --rng-strip-attributes | FileCheck %s

// CHECK-NOT: rng.default_algorithm
module attributes {rng.default_algorithm = #rng.philox<rounds = 7>} {
  // CHECK: func.func @f_forward(%{{.+}}: tensor<4xf32> {llvm.noalias}) -> tensor<4xf32> {
  func.func @f_forward(%w: tensor<4xf32> {rng.persistent, llvm.noalias})
      -> (tensor<4xf32> {rng.persistent})
      attributes {rng.backward = @f_backward, rng.saved = [#rng.saved<argument 0>]} {
    // CHECK: math.exp %{{.+}} : tensor<4xf32>
    %y = math.exp %w {rng.save} : tensor<4xf32>
    return %y : tensor<4xf32>
  }
  func.func private @f_backward(tensor<4xf32>)
}
