// RUN: %rng_opt %s -rng-partition | FileCheck %s
//
// Trap 25: a value weighs what an element of it does, whatever their number, or
// all values weigh one. Here bytes decide: of an f64 and the 64 x 4 values of bf16 made
// of it (512 bytes) the former is saved, and two small values rather than a
// large one.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    -> (tensor<64x4xbf16>, tensor<64x4xf32>, tensor<1xf64>, tensor<64xf32>, tensor<4xf32>)
// CHECK-SAME:    rng.saved = [#rng.saved<new 2>, #rng.saved<new 3>, #rng.saved<new 4>]
func.func @f(%a: tensor<1x64xf64>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>,
             %d: tensor<64x4xbf16> {rng.cotangent},
             %e: tensor<64x4xf32> {rng.cotangent})
    -> (tensor<64x4xbf16>, tensor<64x4xf32>, tensor<64x4xbf16> {rng.gradient},
        tensor<64x4xf32> {rng.gradient}) {
  %low = arith.constant dense<0.0> : tensor<1xf64>
  %max = linalg.reduce {arith.maximumf} ins(%a : tensor<1x64xf64>)
      outs(%low : tensor<1xf64>) dimensions = [1]
  %flat = tensor.collapse_shape %max [] : tensor<1xf64> into tensor<f64>
  %empty = tensor.empty() : tensor<64x4xf64>
  %rows64 = linalg.broadcast ins(%flat : tensor<f64>)
      outs(%empty : tensor<64x4xf64>) dimensions = [0, 1]
  %rows = arith.truncf %rows64 : tensor<64x4xf64> to tensor<64x4xbf16>
  %y = math.exp %rows : tensor<64x4xbf16>
  %da = arith.mulf %d, %rows : tensor<64x4xbf16>

  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %sums = linalg.reduce {arith.addf} ins(%b : tensor<64x64xf32>)
      outs(%zero : tensor<64xf32>) dimensions = [1]
  %four = arith.constant dense<0.0> : tensor<4xf32>
  %part = tensor.extract_slice %c[0, 0] [64, 4] [1, 1]
      : tensor<64x64xf32> to tensor<64x4xf32>
  %more = linalg.reduce {arith.addf} ins(%part : tensor<64x4xf32>)
      outs(%four : tensor<4xf32>) dimensions = [0]
  %wide = tensor.empty() : tensor<64x4xf32>
  %x = linalg.broadcast ins(%sums : tensor<64xf32>)
      outs(%wide : tensor<64x4xf32>) dimensions = [1]
  %z = linalg.broadcast ins(%more : tensor<4xf32>)
      outs(%wide : tensor<64x4xf32>) dimensions = [0]
  %sum = arith.addf %x, %z : tensor<64x4xf32>
  %y2 = math.exp %sum : tensor<64x4xf32>
  %db = arith.mulf %e, %sum : tensor<64x4xf32>
  return %y, %y2, %da, %db : tensor<64x4xbf16>, tensor<64x4xf32>,
    tensor<64x4xbf16>, tensor<64x4xf32>
}
