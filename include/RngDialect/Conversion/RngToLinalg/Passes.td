//===- Passes.td - Tensor draws as linalg ------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_RNGTOLINALG_PASSES_TD
#define RNGDIALECT_CONVERSION_RNGTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertRngToLinalgPass : Pass<"convert-rng-to-linalg"> {
  let summary = "Lower tensor draws to linalg.generic of scalar draws";
  let description = [{
    A stateless draw of a tensor becomes a `linalg.generic` whose body draws one
    element: the slice that starts at the indices of the loops. Elementwise
    fusion can then merge it with its users, so that the random values need no
    memory.

    ```mlir
    // rng-opt --convert-rng-to-linalg
    func.func @f(%seed: i64, %offset: i64) -> tensor<8x4xf32> {
      %u = rng.stateless_uniform %seed, %offset : tensor<8x4xf32>
      return %u : tensor<8x4xf32>
    }
    ```
    becomes
    ```mlir-fragment
    %empty = tensor.empty() : tensor<8x4xf32>
    %u = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        outs(%empty : tensor<8x4xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %e = rng.stateless_uniform %seed, %offset slice [%i, %j] of [8, 4] : f32
      linalg.yield %e : f32
    } -> tensor<8x4xf32>
    ```

    A draw at `%snapshot[%delta]` reads seed and offset in front of the op, or,
    with `snapshots-in-body`, in it: `ins(%snapshot, %snapshot)` with the maps
    `(i, j) -> (0)` and `(i, j) -> (1)`. Kernels then load the state from device
    memory whenever they run, and the host never does.
  }];
  let options = [
    Option<"snapshotsInBody", "snapshots-in-body", "bool", /*default=*/"false",
           "Read snapshots in the body of the op">];
  let statistics = [
    Statistic<"numDraws", "num-draws", "Number of draws lowered">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // RNGDIALECT_CONVERSION_RNGTOLINALG_PASSES_TD
