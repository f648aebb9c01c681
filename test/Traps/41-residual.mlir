// RUN: %rng_opt %s -rng-partition | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: %rng_opt %s -rng-partition=recompute-weight=0 | FileCheck %s
// RUN: %rng_opt %s -rng-partition=allow-far-recompute \
// RUN: | FileCheck %s --check-prefix=FAR
//
// Trap 41: cheap recomputation chained through a residual stream keeps layers
// alive and raises the peak of memory: computed again, each layer's sum and sine
// would be alive at once. Here the stream is saved in the later layers, though
// the narrow products would be fewer bytes, unless that is lifted.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    tensor<64x64xf32>, tensor<64x64xf32>) attributes
// CHECK-LABEL: func.func @f_backward(
// ONE-COUNT-1:   arith.addf
// ONE-NOT:       arith.addf
// CHECK:         return
// FAR-LABEL: func.func @f_forward(
// FAR-SAME:    tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) attributes
// FAR-LABEL: func.func @f_backward(
// FAR-COUNT-3: arith.addf
!wide = tensor<64x64xf32>
!narrow = tensor<64x64xbf16>
func.func @f(%a: !narrow, %d: !wide {rng.cotangent})
    -> (!wide, !wide {rng.gradient}) {
  %zero = arith.constant dense<0.0> : !narrow
  %p0 = linalg.matmul ins(%a, %a : !narrow, !narrow) outs(%zero : !narrow)
      -> !narrow
  %x0 = arith.extf %p0 : !narrow to !wide
  %n1 = arith.truncf %x0 : !wide to !narrow
  %p1 = linalg.matmul ins(%n1, %n1 : !narrow, !narrow) outs(%zero : !narrow)
      -> !narrow
  %w1 = arith.extf %p1 : !narrow to !wide
  %s1 = arith.addf %x0, %w1 : !wide
  %x1 = math.sin %s1 : !wide
  %n2 = arith.truncf %x1 : !wide to !narrow
  %p2 = linalg.matmul ins(%n2, %n2 : !narrow, !narrow) outs(%zero : !narrow)
      -> !narrow
  %w2 = arith.extf %p2 : !narrow to !wide
  %s2 = arith.addf %x1, %w2 : !wide
  %x2 = math.sin %s2 : !wide
  %n3 = arith.truncf %x2 : !wide to !narrow
  %p3 = linalg.matmul ins(%n3, %n3 : !narrow, !narrow) outs(%zero : !narrow)
      -> !narrow
  %w3 = arith.extf %p3 : !narrow to !wide
  %s3 = arith.addf %x2, %w3 : !wide
  %x3 = math.sin %s3 : !wide
  %n4 = arith.truncf %x3 : !wide to !narrow
  %p4 = linalg.matmul ins(%n4, %n4 : !narrow, !narrow) outs(%zero : !narrow)
      -> !narrow
  %w4 = arith.extf %p4 : !narrow to !wide
  %s4 = arith.addf %x3, %w4 : !wide
  %x4 = math.sin %s4 : !wide
  %y = math.exp %x4 : !wide
  %t4 = arith.mulf %d, %x4 : !wide
  %d4 = arith.mulf %t4, %s4 : !wide
  %t3 = arith.mulf %d4, %x3 : !wide
  %d3 = arith.mulf %t3, %s3 : !wide
  %t2 = arith.mulf %d3, %x2 : !wide
  %d2 = arith.mulf %t2, %s2 : !wide
  %t1 = arith.mulf %d2, %x1 : !wide
  %d1 = arith.mulf %t1, %s1 : !wide
  return %y, %d1 : !wide, !wide
}
