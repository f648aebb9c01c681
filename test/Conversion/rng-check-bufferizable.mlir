// RUN: %rng_opt %s --rng-check-bufferizable --split-input-file \
// RUN:   --verify-diagnostics

func.func @fine(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>)
      -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op cannot be lowered with a value of type 'tensor<4xf32, "layout">': a buffer does not keep the encoding}}
func.func private @encoding(tensor<4xf32, "layout">)

// -----

// Trusted by one-shot-bufferize, whose buffer of it cannot be read again.

// expected-error @+1 {{'func.func' op cannot be lowered with a value of type 'tensor<4x!quant.uniform<i8:f32, 2.000000e+00>>': no buffer has elements of type '!quant.uniform<i8:f32, 2.000000e+00>'; convert it to another type first}}
func.func nested @elements(tensor<4x!quant.uniform<i8:f32, 2.0>>)

// -----

func.func @inside() {
  // expected-error @+1 {{no buffer has elements of type '!quant.uniform<i8:f32, 2.000000e+00>'}}
  %q = tensor.empty() : tensor<4x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @gather(%a: tensor<8x8xf32>, %i: tensor<3x1xindex>)
    -> tensor<3x8xf32> {
  // expected-error @+1 {{'tensor.gather' op works on tensors and has no form on buffers: replace it by linalg or tensor ops before this pipeline}}
  %g = tensor.gather %a[%i] gather_dims([0])
      : (tensor<8x8xf32>, tensor<3x1xindex>) -> tensor<3x8xf32>
  return %g : tensor<3x8xf32>
}

// -----

func.func @indirect(%a: tensor<4xf32>, %f: (tensor<4xf32>) -> tensor<4xf32>)
    -> tensor<4xf32> {
  // expected-error @+1 {{'func.call_indirect' op works on tensors and has no form on buffers}}
  %r = call_indirect %f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
