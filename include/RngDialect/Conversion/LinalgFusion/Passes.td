//===- Passes.td - Fewer, larger linalg ops ----------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_LINALGFUSION_PASSES_TD
#define RNGDIALECT_CONVERSION_LINALGFUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngGeneralizeElementwisePass : Pass<"rng-generalize-elementwise"> {
  let summary = "Generalize named linalg ops other than contractions";
  let description = [{
    Makes `linalg.generic` of named ops and `tensor.splat` so that they can be
    fused, and of ops on tensors that stand for several (`linalg.softmax`).
    Contractions and convolutions stay named until fusion is over: fused into
    the innermost loop, elementwise work would be done again for each of its
    iterations.

    ```mlir-fragment
    %b = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<8x4xf32>)
        dimensions = [0]
    ```
    becomes
    ```mlir-fragment
    %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>,
                                          affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def RngFuseElementwisePass : Pass<"rng-fuse-elementwise"> {
  let summary = "Make one linalg op of each region of elementwise ops";
  let description = [{
    A *region* is a set of elementwise `linalg.generic` ops in one block over one
    iteration space (sizes that are equal, static or dynamic), connected by what
    one makes and the other reads at the same indices, or by a tensor that
    several read. It becomes one op, with a result for each value that something
    outside of the region uses. Nothing is computed twice. Regions are maximal,
    but for

    * values that depend on a region through another op, such as a contraction:
      what uses them is in another region. What only that one needs is computed
      there: a mask is drawn where it is used;
    * `max-cost` and `max-operands`: a region beyond is cut, in program order.

    Into reductions, and where elements are read in another order or several
    times (a transposition, a broadcast), an op is fused if nothing else uses it
    and no more is stored than before; but not where that repeats a draw or a
    math function. Reads of a broadcast or a fill become reads of what is
    broadcast.

    The ops of a region are moved to the last one, or to the first use of one of
    their results, and what they need before them; ops with effects keep their
    order.

    ```mlir-fragment
    %keep = linalg.generic {...} outs(%e0) { draw } -> tensor<8xi1>
    %y = linalg.generic {...} ins(%keep, %x) outs(%e1) { select }
        -> tensor<8xf32>
    %z = linalg.generic {...} ins(%y) outs(%e2) { negf } -> tensor<8xf32>
    return %y, %z
    ```
    becomes
    ```mlir-fragment
    %yz:2 = linalg.generic {...} ins(%x) outs(%e1, %e2) { draw, select, negf }
        -> tensor<8xf32>, tensor<8xf32>
    return %yz#0, %yz#1
    ```
  }];
  let options = [
    Option<"maxCost", "max-cost", "int64_t", /*default=*/"1024",
           "Most instructions of a region (1 an op, 16 a math function, a "
           "draw what its algorithm and distribution take)">,
    Option<"maxOperands", "max-operands", "int64_t", /*default=*/"32",
           "Most tensors that a region reads and writes">];
  let statistics = [
    Statistic<"numRegions", "num-regions", "Number of regions of several ops">,
    Statistic<"numFused", "num-fused", "Number of ops in them">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"];
}

def RngFuseRowsPass : Pass<"rng-fuse-rows"> {
  let summary = "Make one loop over rows of reductions and what is around them";
  let description = [{
    A *row region* is a set of `linalg.generic` ops in one block, connected and
    maximal as regions of `rng-fuse-elementwise` are: reductions over the
    innermost dimensions, and elementwise ops, whose outermost loops (one to
    three) are over the same rows, and each of which reads only its own row of
    what the others make. A softmax or a layer norm with a dropout behind it is
    one. It becomes an `scf.forall` over the rows around its ops, each of which
    does one row. What only the region uses is a tensor of one row.

    Regions of a single reduction and of what has one element a row stay as they
    are, and so do contractions: ops with parallel loops inside the row and reductions.
    `max-cost` and `max-operands` are those of `rng-fuse-elementwise`.

    ```mlir-fragment
    %sums = linalg.generic {iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x4xf32>) outs(%zeros : tensor<8xf32>) { addf }
    %y = linalg.generic {iterator_types = ["parallel", "parallel"]}
        ins(%x, %sums : tensor<8x4xf32>, tensor<8xf32>)
        outs(%e : tensor<8x4xf32>) { divf }
    ```
    becomes
    ```mlir-fragment
    %y = scf.forall (%i) in (8) shared_outs(%out = %e) -> (tensor<8x4xf32>) {
      %x_row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1]
          : tensor<8x4xf32> to tensor<1x4xf32>
      ...
      %sum = linalg.generic {iterator_types = ["parallel", "reduction"]}
          ins(%x_row : tensor<1x4xf32>) outs(%zero : tensor<1xf32>) { addf }
      %y_row = linalg.generic {iterator_types = ["parallel", "parallel"]}
          ins(%x_row, %sum : tensor<1x4xf32>, tensor<1xf32>)
          outs(%out_row : tensor<1x4xf32>) { divf }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y_row into %out[%i, 0] [1, 4] [1, 1]
            : tensor<1x4xf32> into tensor<8x4xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"maxCost", "max-cost", "int64_t", /*default=*/"1024",
           "Most instructions of a region, as in rng-fuse-elementwise">,
    Option<"maxOperands", "max-operands", "int64_t", /*default=*/"32",
           "Most tensors that a region reads and writes">];
  let statistics = [
    Statistic<"numRegions", "num-regions", "Number of loops over rows">,
    Statistic<"numFused", "num-fused", "Number of ops in them">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // RNGDIALECT_CONVERSION_LINALGFUSION_PASSES_TD
