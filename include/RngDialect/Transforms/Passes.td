//===- Passes.td - Transforms of the rng dialect -----------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PASSES_TD
#define RNGDIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Partition : Pass<"rng-partition", "::mlir::ModuleOp"> {
  let summary = "splits joint functions into forward and backward by a min cut";
  let description = [{
    A joint function computes a forward and its backward in one body; arguments
    marked `rng.cotangent` are the incoming gradients and results marked
    `rng.gradient` the outgoing ones. The pass replaces it by `@f_forward`,
    which computes the other results, and `@f_backward`, which computes the
    gradients from values saved by the forward and from the cotangents.

    What is saved is a minimum cut: bytes decide, work breaks ties of bytes, and
    the values nearest to the arguments break exact ties. What is not saved and
    needed is recomputed just before its first use. So a dropout mask is drawn
    again from seed and offset, two scalars, and does not live from the forward
    to the backward.

    `rng.saved` on the forward lists where each saved value comes from: an
    argument or a primal result, which are not returned again, or a new result
    behind the primal ones. The backward takes all of them in this order, then
    the cotangents. `rng.backward` names the backward.

    A value is never saved if it is a constant, `tensor.empty`, a fill of one,
    or a view of all of another value. An op is never recomputed if it has side
    effects; nor, unless marked `rng.recompute`, if it is a contraction, a
    reduction that reads more than four times what it writes, an op of unknown
    cost, or one that joins a value with another that depends on it through a
    contraction or unknown op (a residual addition). `rng.save` marks ops that
    are not recomputed.

    Draws have to be stateless: run `rng-thread-state` first. On any error the
    module is left as it was.

    Before:

    ```mlir
    func.func @f(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
        -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
      %p = arith.constant 0.5 : f32
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %one = arith.constant 1 : i64
      %seed, %offset = rng.reserve %one : i64, i64
      %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
      %y = arith.select %keep, %a, %zero : tensor<8xi1>, tensor<8xf32>
      %da = arith.select %keep, %d, %zero : tensor<8xi1>, tensor<8xf32>
      return %y, %da : tensor<8xf32>, tensor<8xf32>
    }
    ```

    After:

    ```mlir
    func.func @f_forward(%a: tensor<8xf32>) -> (tensor<8xf32>, i64, i64)
        attributes {rng.backward = @f_backward,
                    rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]} {
      %p = arith.constant 0.5 : f32
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %one = arith.constant 1 : i64
      %seed, %offset = rng.reserve %one : i64, i64
      %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
      %y = arith.select %keep, %a, %zero : tensor<8xi1>, tensor<8xf32>
      return %y, %seed, %offset : tensor<8xf32>, i64, i64
    }
    func.func @f_backward(%seed: i64, %offset: i64,
                          %d: tensor<8xf32> {rng.cotangent})
        -> (tensor<8xf32> {rng.gradient}) {
      %p = arith.constant 0.5 : f32
      %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %da = arith.select %keep, %d, %zero : tensor<8xi1>, tensor<8xf32>
      return %da : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"keepJoint", "keep-joint", "bool", /*default=*/"false",
           "Keep the joint function; without it a use of it is an error">,
    Option<"argumentCost", "argument-cost", "std::string",
           /*default=*/"\"1/8\"",
           "Cost of saving an argument or primal result, as a fraction of its "
           "bytes">,
    Option<"recomputeWeight", "recompute-weight", "uint64_t", /*default=*/"1",
           "Factor on the work of recomputing; 0 lets bytes alone decide">,
    Option<"dynamicSize", "dynamic-size", "uint64_t", /*default=*/"128",
           "What a dynamic dimension counts as">,
    Option<"allowFarRecompute", "allow-far-recompute", "bool",
           /*default=*/"false",
           "Let ops be recomputed that join a value with one that depends on "
           "it through a contraction or unknown op">,
    Option<"report", "report", "std::string", /*default=*/"",
           "File to write a table of what is saved to, - for stdout">
  ];
  let statistics = [
    Statistic<"numPartitioned", "num-partitioned",
              "Joint functions partitioned">,
    Statistic<"savedBytes", "saved-bytes",
              "Bytes saved for backwards, without persistent values">,
    Statistic<"numRecomputed", "num-recomputed",
              "Ops of forwards that backwards compute again">,
    Statistic<"objective", "objective", "Capacity of the cuts">
  ];
}

#endif // RNGDIALECT_TRANSFORMS_PASSES_TD
