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

    ```mlir
    // rng-opt --rng-generalize-elementwise
    func.func @f(%a: tensor<4xf32>) -> tensor<8x4xf32> {
      %e = tensor.empty() : tensor<8x4xf32>
      %b = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<8x4xf32>)
          dimensions = [0]
      return %b : tensor<8x4xf32>
    }
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
  let summary = "Make one linalg op of each group of elementwise ops";
  let description = [{
    A *fusion group* is a set of elementwise `linalg.generic` ops in one basic
    block over one iteration domain (sizes that are equal, static or
    dynamic), connected by what one makes and the other reads at the same
    indices, or by a tensor that several read. It becomes one op, with a result
    for each value that something outside of the group uses. Nothing is computed
    twice. Groups are maximal, but for

    * values that depend on a group through another op, such as a contraction:
      what uses them is in another group. What only that one needs is computed
      there: a mask is drawn where it is used;
    * `max-cost` and `max-operands`: a group beyond is cut, in program order.

    Into reductions, and where elements are read in another order or several
    times (a transposition, a broadcast), an op is fused if nothing else uses it
    and no more is stored than before; but not where that repeats a draw or a
    math function. Reads of a broadcast or a fill become reads of what is
    broadcast.

    The ops of a group are moved to the last one, or to the first use of one of
    their results, and what they need before them; ops with effects keep their
    order.

    `--remarks-filter-missed=rng-fuse-elementwise` says of each pair of ops that
    stays apart, one of which reads the other, why: a remark at the reader.

    ```mlir
    // rng-opt --rng-fuse-elementwise
    #id = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<8xf32>, %seed: i64, %offset: i64)
        -> (tensor<8xf32>, tensor<8xf32>) {
      %e0 = tensor.empty() : tensor<8xi1>
      %keep = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
          outs(%e0 : tensor<8xi1>) {
      ^bb0(%out: i1):
        %i = linalg.index 0 : index
        %p = arith.constant 0.9 : f32
        %b = rng.stateless_bernoulli %seed, %offset prob(%p) slice [%i] of [8] : i1
        linalg.yield %b : i1
      } -> tensor<8xi1>
      %e1 = tensor.empty() : tensor<8xf32>
      %y = linalg.generic {indexing_maps = [#id, #id, #id],
                           iterator_types = ["parallel"]}
          ins(%keep, %x : tensor<8xi1>, tensor<8xf32>) outs(%e1 : tensor<8xf32>) {
      ^bb0(%k: i1, %in: f32, %out: f32):
        %zero = arith.constant 0.0 : f32
        %s = arith.select %k, %in, %zero : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      %z = linalg.generic {indexing_maps = [#id, #id],
                           iterator_types = ["parallel"]}
          ins(%y : tensor<8xf32>) outs(%e1 : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %n = arith.negf %in : f32
        linalg.yield %n : f32
      } -> tensor<8xf32>
      return %y, %z : tensor<8xf32>, tensor<8xf32>
    }
    ```
    becomes
    ```mlir-fragment
    %yz:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                             affine_map<(i) -> (i)>,
                                             affine_map<(i) -> (i)>],
                            iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>)
        outs(%e1, %e1 : tensor<8xf32>, tensor<8xf32>) {
    ^bb0(%in: f32, %out_y: f32, %out_z: f32):
      %i = linalg.index 0 : index
      %k = rng.stateless_bernoulli %seed, %offset prob(%p) slice [%i] of [8] : i1
      %s = arith.select %k, %in, %zero : f32
      %n = arith.negf %s : f32
      linalg.yield %s, %n : f32, f32
    } -> (tensor<8xf32>, tensor<8xf32>)
    return %yz#0, %yz#1 : tensor<8xf32>, tensor<8xf32>
    ```
  }];
  let options = [
    Option<"maxCost", "max-cost", "int64_t", /*default=*/"1024",
           "Most instructions of a group (1 an op, 16 a math function, a "
           "draw what its algorithm and distribution take)">,
    Option<"maxOperands", "max-operands", "int64_t", /*default=*/"32",
           "Most tensors that a group reads and writes">];
  let statistics = [
    Statistic<"numGroups", "num-groups", "Number of groups of several ops">,
    Statistic<"numFused", "num-fused", "Number of ops in them">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"];
}

def RngFuseRowsPass : Pass<"rng-fuse-rows"> {
  let summary = "Make one loop over rows of reductions and what is around them";
  let description = [{
    A *group of rows* is a set of `linalg.generic` ops in one basic block,
    connected and maximal as groups of `rng-fuse-elementwise` are: reductions
    over the innermost dimensions, and elementwise ops, whose outermost loops
    (one to three) are over the same rows, and each of which reads only its own
    row of what the others make. A softmax or a layer norm with a dropout behind
    it is one. It becomes an `scf.forall` over the rows around its ops, each of
    which does one row. What only the group uses is a tensor of one row.

    Groups of a single reduction and of what has one element a row stay as they
    are, and so do contractions: ops with parallel loops inside the row and
    reductions. `max-cost` and `max-operands` are those of
    `rng-fuse-elementwise`.

    `--remarks-filter-missed=rng-fuse-rows` says which ops stay apart, and which
    groups are no better in a loop, and why.

    ```mlir
    // rng-opt --rng-fuse-rows
    #element = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @f(%x: tensor<8x4xf32>, %zeros: tensor<8xf32>) -> tensor<8x4xf32> {
      %sums = linalg.generic {indexing_maps = [#element, #row],
                              iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<8x4xf32>) outs(%zeros : tensor<8xf32>) {
      ^bb0(%in: f32, %sum: f32):
        %next = arith.addf %sum, %in : f32
        linalg.yield %next : f32
      } -> tensor<8xf32>
      %e = tensor.empty() : tensor<8x4xf32>
      %y = linalg.generic {indexing_maps = [#element, #row, #element],
                           iterator_types = ["parallel", "parallel"]}
          ins(%x, %sums : tensor<8x4xf32>, tensor<8xf32>)
          outs(%e : tensor<8x4xf32>) {
      ^bb0(%in: f32, %sum: f32, %out: f32):
        %part = arith.divf %in, %sum : f32
        linalg.yield %part : f32
      } -> tensor<8x4xf32>
      return %y : tensor<8x4xf32>
    }
    ```
    becomes
    ```mlir-fragment
    %y = scf.forall (%i) in (8) shared_outs(%all = %e) -> (tensor<8x4xf32>) {
      %x_row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1]
          : tensor<8x4xf32> to tensor<1x4xf32>
      %zero = tensor.extract_slice %zeros[%i] [1] [1]
          : tensor<8xf32> to tensor<1xf32>
      %sum = linalg.generic {...
          iterator_types = ["parallel", "reduction"]}
          ins(%x_row : tensor<1x4xf32>) outs(%zero : tensor<1xf32>) {
      ...
      %y_row = linalg.generic {...
          iterator_types = ["parallel", "parallel"]}
          ins(%again, %sum : tensor<1x4xf32>, tensor<1xf32>)
          outs(%row : tensor<1x4xf32>) {
      ...
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y_row into %all[%i, 0] [1, 4] [1, 1]
            : tensor<1x4xf32> into tensor<8x4xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"maxCost", "max-cost", "int64_t", /*default=*/"1024",
           "Most instructions of a group, as in rng-fuse-elementwise">,
    Option<"maxOperands", "max-operands", "int64_t", /*default=*/"32",
           "Most tensors that a group reads and writes">];
  let statistics = [
    Statistic<"numGroups", "num-groups", "Number of loops over rows">,
    Statistic<"numFused", "num-fused", "Number of ops in them">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // RNGDIALECT_CONVERSION_LINALGFUSION_PASSES_TD
