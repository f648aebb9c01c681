//===- Passes.td - The cut of joint functions --------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_PASSES_TD
#define RNGDIALECT_TRANSFORMS_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

// What the passes that cut a joint function have in common.

defvar cutOptions = [
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
           "it through a contraction or unknown op, whatever the peak of "
           "memory; a budget lets them be anyway">,
    Option<"memoryBudget", "memory-budget", "std::string", /*default=*/"",
           "Bytes that may be saved for each backward: 1000000, 64KiB, 1.5MiB, "
           "2GiB, or a fraction from 0.0 (the least possible) to 1.0 (all that "
           "is used); recomputes as little as this allows">,
    Option<"peakBudget", "peak-budget", "std::string", /*default=*/"",
           "Bytes that may be live at once in each backward, as its report "
           "counts them: 1000000, 64KiB, 1.5MiB, 2GiB">,
    Option<"costTable", "cost-table", "std::string", /*default=*/"",
           "Weigh time on a target: cpu, h100, or a file of 'key = value' "
           "lines">,
    Option<"paretoCsv", "pareto-csv", "std::string", /*default=*/"",
           "File to write a table of what each budget costs to, - for stdout">,
    Option<"report", "report", "std::string", /*default=*/"",
           "File to write a report of what is saved and recomputed to, as JSON "
           "if it ends in .json, - for stdout">,
    Option<"dot", "dot", "std::string", /*default=*/"",
           "File to write a drawing of the cut for Graphviz to, - for stdout">
];

defvar cutStatistics = [
    Statistic<"numPartitioned", "functions",
              "Joint functions partitioned">,
    Statistic<"savedBytes", "saved-bytes",
              "Bytes saved for backwards, without persistent values">,
    Statistic<"numRecomputed", "recomputed-ops",
              "Ops of forwards that backwards compute again">,
    Statistic<"recomputeCost", "recompute-cost",
              "Work of the ops that backwards compute again">,
    Statistic<"objective", "objective", "Capacity of the cuts">
];

def RngPartitionPass : Pass<"rng-partition", "::mlir::ModuleOp"> {
  let summary = "Split joint functions into forward and backward by a min cut";
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
    reduction that reads more than four times what it writes, or an op of
    unknown cost. `rng.save` marks ops that are not recomputed.

    An op that joins a value with another that depends on it through a
    contraction or unknown op (a residual addition, a concatenation of skips) is
    recomputed only as far as that spares bytes at no higher peak of live bytes
    of the backward, or with `allow-far-recompute` whatever the peak.

    With `memory-budget` the saved values take at most that many bytes, all of
    them counted except `rng.persistent` ones, and the ops recomputed are those
    of least cost that allow it; contractions, ops of unknown cost and joins as
    above may then be among them. It is a number of bytes (`1000000`, `64KiB`,
    `1.5MiB`, `2GiB`) or, with a point, a fraction of the way from the least
    possible (`0.0`) to saving everything that the backward uses (`1.0`); `1` is
    one byte. Each joint function has this budget to itself. The search is
    bounded, and `report` says whether its answer is the least cost or how far
    above it at most. `pareto-csv` writes what every budget costs: bytes,
    recompute cost, ops recomputed, values saved.

    With `peak-budget` at most that many bytes are live at once in the backward,
    as `report` counts them; alone, or with `memory-budget` as a second bound.
    Plans for several budgets of saved bytes are measured, and the best of those
    that fit is taken. If none does the error says the smallest peak found, and
    a number of bytes that no plan goes below.

    With `cost-table` the cut weighs time on a target rather than bytes: that of
    writing a value and reading it again against that of computing it. It is
    `cpu` (one core), `h100`, or a file with a line for each `key = value`, such
    as

    ```
    base = h100          # where the other keys come from
    memory-weight = 5.0  # picoseconds a byte saved weighs beyond its time
    ```

    A mask that is loaded faster than it is drawn is then saved, unless
    `memory-weight` says that memory is scarce. `report` shows the times.

    `report` writes what is saved and recomputed, the costs, and the peak of
    live bytes of the backward beside that of saving everything, as a table or
    as JSON. `dot` draws the two functions for Graphviz: saved values filled,
    recomputed ops dashed. `--remarks-filter-missed=rng-partition` prints why
    each value is saved, and why each op that is not to be recomputed is not.

    Draws have to be stateless: run `rng-thread-state` first. On any error the
    module is left as it was. Warns of a public function that has cotangents but
    no gradient and is not the backward of a pair, for it is not split.

    Before:

    ```mlir
    // rng-opt --rng-partition
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
  let options = !listconcat([
    Option<"keepJoint", "keep-joint", "bool", /*default=*/"false",
           "Keep the joint function; without it a use of it is an error">
  ], cutOptions);
  let statistics = cutStatistics;
  let dependentDialects = ["::mlir::rng::RngDialect"];
}

def RngRematerializePass : Pass<"rng-rematerialize", "::mlir::ModuleOp"> {
  let summary = "Cut pairs of forward and backward functions anew";
  let description = [{
    Takes each pair that `rng.backward` links, of `rng-partition` or written by
    hand, joins it to one joint function again and cuts that like
    `rng-partition` does, with the same options. The two functions keep their
    names, their places and their attributes; what is saved, and with it the
    results of the forward and the arguments of the backward, may change.

    A forward lists in `rng.saved` where each leading argument of the backward
    comes from; its other arguments are the cotangents, marked or not, and its
    results the gradients. Results of the forward named as `new` are there to be
    saved and follow the others. Ops that forward and backward have in common
    are merged, so the result of `rng-partition` stays as it is if the options
    are the same.

    Warns of joint functions that are not split yet.

    Errors, after which the module is as it was: a pair that does not fit
    together, a function of several basic blocks, a side effect of the backward
    that does not follow from a cotangent (nothing would keep it behind the
    forward), and a pair that changes but is used otherwise, such as by a call.

    Before:

    ```mlir
    // rng-opt --rng-rematerialize
    func.func @f_forward(%a: tensor<8xf32>, %seed: i64, %offset: i64)
        -> (tensor<8xf32>, tensor<8xi1>)
        attributes {rng.backward = @f_backward,
                    rng.saved = [#rng.saved<new 1>]} {
      %p = arith.constant 0.5 : f32
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
      %y = arith.select %keep, %a, %zero : tensor<8xi1>, tensor<8xf32>
      return %y, %keep : tensor<8xf32>, tensor<8xi1>
    }
    func.func @f_backward(%keep: tensor<8xi1>, %d: tensor<8xf32>)
        -> tensor<8xf32> {
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %da = arith.select %keep, %d, %zero : tensor<8xi1>, tensor<8xf32>
      return %da : tensor<8xf32>
    }
    ```

    After:

    ```mlir
    func.func @f_forward(%a: tensor<8xf32>, %seed: i64, %offset: i64)
        -> tensor<8xf32>
        attributes {rng.backward = @f_backward,
                    rng.saved = [#rng.saved<argument 1>,
                                 #rng.saved<argument 2>]} {
      %p = arith.constant 0.5 : f32
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
      %y = arith.select %keep, %a, %zero : tensor<8xi1>, tensor<8xf32>
      return %y : tensor<8xf32>
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
  let options = cutOptions;
  let statistics = cutStatistics;
  let dependentDialects = ["::mlir::rng::RngDialect"];
}

#endif // RNGDIALECT_TRANSFORMS_PARTITION_PASSES_TD
