// RUN: %rng_opt %s --rng-generalize-elementwise \
// RUN:   --rng-fuse-elementwise=max-cost=17 | FileCheck %s --check-prefix=COST
// RUN: %rng_opt %s --rng-generalize-elementwise \
// RUN:   --rng-fuse-elementwise=max-operands=3 \
// RUN:   | FileCheck %s --check-prefix=OPERANDS

// One op and a math function are 17; the third op begins another region.
// COST-LABEL: func @limits(
// COST: linalg.generic
// COST: arith.addf
// COST-NEXT: math.exp
// COST-NEXT: linalg.yield
// COST: linalg.generic
// COST: arith.mulf
// COST-NEXT: linalg.yield
// COST-NOT: linalg.generic

// Two tensors are read and one written, then %z would be one too many.
// OPERANDS-LABEL: func @limits(
// OPERANDS: linalg.generic
// OPERANDS: arith.addf
// OPERANDS-NEXT: math.exp
// OPERANDS-NEXT: linalg.yield
// OPERANDS: linalg.generic
// OPERANDS: arith.mulf
// OPERANDS-NOT: linalg.generic
func.func @limits(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>,
                  %e: tensor<8xf32>) -> tensor<8xf32> {
  %a = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>)
      outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>)
      -> tensor<8xf32>
  %c = linalg.mul ins(%b, %z : tensor<8xf32>, tensor<8xf32>)
      outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
