// RUN: %rng_opt %s --rng-expand-math --split-input-file --verify-diagnostics

// Polynomials of scalars and vectors would be invalid IR on tensors.

func.func @tensor(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{'math.sin' op works on tensors and cannot be expanded: turn it into linalg first, by convert-elementwise-to-linalg}}
  %r = math.sin %x : tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @dynamic(%x: tensor<?xf16>) -> tensor<?xf16> {
  // expected-error @+1 {{'math.exp' op works on tensors and cannot be expanded}}
  %r = math.exp %x : tensor<?xf16>
  return %r : tensor<?xf16>
}
