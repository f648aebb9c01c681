// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition=recompute-weight=0 | FileCheck %s
// RUN: %rng_opt %s -rng-partition=allow-far-recompute \
// RUN: | FileCheck %s --check-prefix=FAR
//
// Trap 41: cheap recomputation chained through a residual stream keeps layers
// alive and raises the peak of memory above that of saving everything. Here the
// stream is saved after each layer, though the narrow products would be fewer
// bytes, unless that is lifted.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK-LABEL: func.func @f_backward(
// CHECK-NOT:     arith.addf
// CHECK:         return
// FAR-LABEL: func.func @f_forward(
// FAR-SAME:    -> (tensor<64x64xf32>, tensor<64x64xbf16>, tensor<64x64xbf16>)
// FAR-LABEL: func.func @f_backward(
// FAR:         arith.addf
// FAR:         arith.addf
!wide = tensor<64x64xf32>
!narrow = tensor<64x64xbf16>
func.func @f(%a: !wide, %d: !wide {rng.cotangent})
    -> (!wide, !wide {rng.gradient}) {
  %zero = arith.constant dense<0.0> : !narrow
  %a16 = arith.truncf %a : !wide to !narrow
  %p = linalg.matmul ins(%a16, %a16 : !narrow, !narrow) outs(%zero : !narrow)
      -> !narrow
  %p32 = arith.extf %p : !narrow to !wide
  %x = arith.addf %a, %p32 : !wide
  %x16 = arith.truncf %x : !wide to !narrow
  %q = linalg.matmul ins(%x16, %x16 : !narrow, !narrow) outs(%zero : !narrow)
      -> !narrow
  %q32 = arith.extf %q : !narrow to !wide
  %z = arith.addf %x, %q32 : !wide
  %y = math.exp %z : !wide
  %d1 = arith.mulf %d, %z : !wide
  %d0 = arith.mulf %d1, %x : !wide
  return %y, %d0 : !wide, !wide
}
