// RUN: %rng_opt %s --rng-partition="report=-" -o %t.mlir | FileCheck %s
//
// The work of contractions, pooling and bodies, each ordered to be done again.

// 2 m n k.
// CHECK:      @mm_forward saves
// CHECK:      cost of recomputing 256 units
func.func @mm(%a: tensor<1x4x8xf32>, %w: tensor<1x8x4xf32> {rng.persistent}, %d: tensor<1x4x4xf32> {rng.cotangent})
    -> (tensor<1x4x4xf32>, tensor<1x4x4xf32> {rng.gradient}) {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = tosa.matmul %a, %w, %zp, %zp {rng.recompute}
      : (tensor<1x4x8xf32>, tensor<1x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %y = math.sin %m : tensor<1x4x4xf32>
  %da = arith.mulf %d, %m : tensor<1x4x4xf32>
  return %y, %da : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}

// Two for each of 4 * 4 * 5 results, 3 * 3 places and 3 channels.
// CHECK:      @conv_forward saves
// CHECK:      cost of recomputing 4320 units
func.func @conv(%a: tensor<1x6x6x3xf32>, %w: tensor<5x3x3x3xf32> {rng.persistent}, %b: tensor<5xf32> {rng.persistent}, %d: tensor<1x4x4x5xf32> {rng.cotangent})
    -> (tensor<1x4x4x5xf32>, tensor<1x4x4x5xf32> {rng.gradient}) {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = tosa.conv2d %a, %w, %b, %zp, %zp {rng.recompute, acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x6x6x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x5xf32>
  %y = math.sin %m : tensor<1x4x4x5xf32>
  %da = arith.mulf %d, %m : tensor<1x4x4x5xf32>
  return %y, %da : tensor<1x4x4x5xf32>, tensor<1x4x4x5xf32>
}

// Two for each of 4 * 4 * 8 results and 3 * 3 places.
// CHECK:      @depthwise_forward saves
// CHECK:      cost of recomputing 2304 units
func.func @depthwise(%a: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x2xf32> {rng.persistent}, %b: tensor<8xf32> {rng.persistent}, %d: tensor<1x4x4x8xf32> {rng.cotangent})
    -> (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32> {rng.gradient}) {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = tosa.depthwise_conv2d %a, %w, %b, %zp, %zp {rng.recompute, acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x6x6x4xf32>, tensor<3x3x4x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x8xf32>
  %y = math.sin %m : tensor<1x4x4x8xf32>
  %da = arith.mulf %d, %m : tensor<1x4x4x8xf32>
  return %y, %da : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>
}

// Two for each of 4 * 4 * 3 inputs and 5 * 2 * 2 weights that meet it.
// CHECK:      @transpose_forward saves
// CHECK:      cost of recomputing 1920 units
func.func @transpose(%a: tensor<1x4x4x3xf32>, %w: tensor<5x2x2x3xf32> {rng.persistent}, %b: tensor<5xf32> {rng.persistent}, %d: tensor<1x8x8x5xf32> {rng.cotangent})
    -> (tensor<1x8x8x5xf32>, tensor<1x8x8x5xf32> {rng.gradient}) {
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = tosa.transpose_conv2d %a, %w, %b, %zp, %zp {rng.recompute, acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<1x4x4x3xf32>, tensor<5x2x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x5xf32>
  %y = math.sin %m : tensor<1x8x8x5xf32>
  %da = arith.mulf %d, %m : tensor<1x8x8x5xf32>
  return %y, %da : tensor<1x8x8x5xf32>, tensor<1x8x8x5xf32>
}

// 4 * 4 * 3 results look at 3 * 3 elements each.
// CHECK:      @pool_forward saves
// CHECK:      cost of recomputing 432 units
func.func @pool(%a: tensor<1x6x6x3xf32>, %d: tensor<1x4x4x3xf32> {rng.cotangent})
    -> (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32> {rng.gradient}) {
  %m = tosa.max_pool2d %a {rng.recompute = unit, kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
      : (tensor<1x6x6x3xf32>) -> tensor<1x4x4x3xf32>
  %y = math.sin %m : tensor<1x4x4x3xf32>
  %da = arith.mulf %d, %m : tensor<1x4x4x3xf32>
  return %y, %da : tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>
}

// Casts of the operands are not counted: 2 m n k.
// CHECK:      @mixed_forward saves
// CHECK:      cost of recomputing 256 units
func.func @mixed(%a: tensor<4x8xbf16>, %w: tensor<8x4xbf16> {rng.persistent}, %d: tensor<4x4xf32> {rng.cotangent})
    -> (tensor<4x4xf32>, tensor<4x4xf32> {rng.gradient}) {
  %init = tensor.empty() : tensor<4x4xf32>
  %m = linalg.matmul {rng.recompute} ins(%a, %w : tensor<4x8xbf16>, tensor<8x4xbf16>)
      outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = math.sin %m : tensor<4x4xf32>
  %da = arith.mulf %d, %m : tensor<4x4xf32>
  return %y, %da : tensor<4x4xf32>, tensor<4x4xf32>
}

// An exponential, a sum and a product an element.
// CHECK:      @body_forward saves
// CHECK:      cost of recomputing 640 units
func.func @body(%a: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %init = tensor.empty() : tensor<64xf32>
  %m = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%a : tensor<64xf32>) outs(%init : tensor<64xf32>)
      attrs = {rng.recompute} {
  ^bb0(%x: f32, %o: f32):
    %e = math.exp %x : f32
    %f = arith.addf %e, %x : f32
    %g = arith.mulf %f, %x : f32
    linalg.yield %g : f32
  } -> tensor<64xf32>
  %y = math.sin %m : tensor<64xf32>
  %da = arith.mulf %d, %m : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}
