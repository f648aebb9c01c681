// Why there is no loop over rows, for those who ask; nobody else hears of it.
//
// RUN: %rng_opt %s --rng-fuse-rows --remarks-filter-missed=rng-fuse-rows \
// RUN:   -verify-diagnostics
// RUN: %rng_opt %s --rng-fuse-rows 2>&1 | FileCheck %s
// CHECK-NOT: remark: [Missed]

#element = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Few threads would be busy.
func.func @few(%x: tensor<2x100000xf32>, %zeros: tensor<2xf32>,
               %e: tensor<2x100000xf32>) -> tensor<2x100000xf32> {
  %sums = linalg.generic {indexing_maps = [#element, #row],
                          iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x100000xf32>) outs(%zeros : tensor<2xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %next = arith.addf %sum, %in : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  // expected-remark@+1 {{Missed] NoRowLoop | Category:rng-fuse-rows | Function=few | Reason="the rows are few and long, which keeps few threads busy"}}
  %y = linalg.generic {indexing_maps = [#element, #row, #element],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : tensor<2x100000xf32>, tensor<2xf32>)
      outs(%e : tensor<2x100000xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %part = arith.divf %in, %sum : f32
    linalg.yield %part : f32
  } -> tensor<2x100000xf32>
  return %y : tensor<2x100000xf32>
}
