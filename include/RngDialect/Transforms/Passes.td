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

def RngCheckStreams : Pass<"rng-check-streams", "::mlir::ModuleOp"> {
  let summary = "Find draws that read the same place in a stream";
  let description = [{
    Two draws of the same blocks of one stream are not independent. The pass
    follows seeds and offsets through each function and its calls, and reports
    two draws that overlap and are not the same draw, at the later one with a
    note at the earlier:

    ```mlir
    func.func @f(%seed: i64, %offset: i64) -> (tensor<4xf32>, tensor<8xf32>) {
      %a = rng.stateless_uniform %seed, %offset : tensor<4xf32>
      // Reads blocks [0, 1) after %offset, too: an error.
      %b = rng.stateless_uniform %seed, %offset : tensor<8xf32>
      return %a, %b : tensor<4xf32>, tensor<8xf32>
    }
    ```

    is mended by

    ```mlir
    func.func @f(%seed: i64, %offset: i64) -> (tensor<4xf32>, tensor<8xf32>) {
      %a = rng.stateless_uniform %seed, %offset : tensor<4xf32>
      %next = rng.advance %offset by uniform tensor<4xf32>
      %b = rng.stateless_uniform %seed, %next : tensor<8xf32>
      return %a, %b : tensor<4xf32>, tensor<8xf32>
    }
    ```

    Findings:

    * stateless draws whose blocks overlap: in one function, through calls, and
      in one iteration of a loop and the next, if the carried offset advances by
      less than what is drawn;
    * a stateless draw at a state (`rng.get_state`) of which a stateful draw has
      its numbers, before or after it;
    * a draw behind the end of the reservation that its offset is from.

    Not a finding is a value that is computed again: a draw of the same
    distribution, element type, shape, constant parameters and state, slices
    compared by their logical draw. Two calls of one function at one state and
    with other operands draw the same numbers, too: this is a warning, since it
    may be on purpose.

    What is not certain is left alone, such as offsets of which the distance is
    not known, draws under different conditions, and what unknown functions do;
    so is what constants keep from ever running.
    Remarks (category `rng-check-streams`) say so, and name draws that yield the
    same numbers in each iteration of a loop.

    Besides, warns of constant parameters that have a defined result, but hardly
    the wanted one: a range without a value or without a finite width, a
    probability outside [0, 1], NaN; and, by what the stream of the draw says, a
    probability that f32 uniforms are too coarse for, with the rate that it
    becomes, an integer range that words cannot be shared out to evenly, and one
    that the system draws from other words.
  }];
  let options = [
    Option<"severity", "severity", "::mlir::rng::CheckStreamsSeverity",
           "::mlir::rng::CheckStreamsSeverity::Error",
           "What a finding is",
           [{::llvm::cl::values(
               clEnumValN(::mlir::rng::CheckStreamsSeverity::Error, "error",
                          "an error; the pass fails"),
               clEnumValN(::mlir::rng::CheckStreamsSeverity::Warning, "warning",
                          "a warning"))}]>
  ];
  let statistics = [
    Statistic<"numDraws", "draws", "Number of draws looked at">,
    Statistic<"numFindings", "findings",
              "Number of draws that read what another one reads">,
    Statistic<"numLints", "suspicious-parameters",
              "Number of draws with suspicious constant parameters">
  ];
}

def RngReserveDraws : Pass<"rng-reserve-draws"> {
  let summary = "Replace each stateful draw by a reservation and a stateless "
                "draw";
  let description = [{
    Replaces each stateful draw where it stands, in any region, by an
    `rng.reserve` of its blocks and the stateless draw at the state that it
    yields. So a program runs as it is written, one access to the generator a
    draw. `rng-thread-state` yields the same numbers with one access a function,
    and stateless draws that other passes can move and recompute.

    ```mlir
    func.func @f(%from: index, %to: index, %step: index) {
      scf.for %i = %from to %to step %step {
        %u = rng.uniform : f32
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%from: index, %to: index, %step: index) {
      scf.for %i = %from to %to step %step {
        %c1_i64 = arith.constant 1 : i64
        %seed, %offset = rng.reserve %c1_i64 : i64, i64
        %u = rng.stateless_uniform %seed, %offset : f32
      }
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::rng::RngDialect"];
}

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
           "it through a contraction or unknown op">,
    Option<"memoryBudget", "memory-budget", "std::string", /*default=*/"",
           "Bytes that may be saved for each backward: 1000000, 64KiB, 1.5MiB, "
           "2GiB, or a fraction from 0.0 (the least possible) to 1.0 (all that "
           "is used); recomputes as little as this allows">,
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

def RngPartition : Pass<"rng-partition", "::mlir::ModuleOp"> {
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
    reduction that reads more than four times what it writes, an op of unknown
    cost, or one that joins a value with another that depends on it through a
    contraction or unknown op (a residual addition). `rng.save` marks ops that
    are not recomputed.

    With `memory-budget` the saved values take at most that many bytes, all of
    them counted except `rng.persistent` ones, and the ops recomputed are those
    of least cost that allow it; contractions and ops of unknown cost may then be
    among them. It is a number of bytes (`1000000`, `64KiB`, `1.5MiB`, `2GiB`)
    or, with a point, a fraction of the way from the least possible (`0.0`) to
    saving everything that the backward uses (`1.0`); `1` is one byte. Each
    joint function has this budget to itself. `pareto-csv` writes what every
    budget costs: bytes, recompute cost, ops recomputed, values saved.

    `report` writes what is saved and recomputed, the costs, and the peak of live
    bytes of the backward beside that of saving everything, as a table or as
    JSON. `dot` draws the two functions for Graphviz: saved values filled,
    recomputed ops dashed.

    Draws have to be stateless: run `rng-thread-state` first. On any error the
    module is left as it was. Warns of a public function that has cotangents but
    no gradient and is not the backward of a pair, for it is not split.

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
  let options = !listconcat([
    Option<"keepJoint", "keep-joint", "bool", /*default=*/"false",
           "Keep the joint function; without it a use of it is an error">
  ], cutOptions);
  let statistics = cutStatistics;
  let dependentDialects = ["::mlir::rng::RngDialect"];
}

def RngGenerateDriver : Pass<"rng-generate-driver", "::mlir::ModuleOp"> {
  let summary = "Add a main function that runs and checks pairs";
  let description = [{
    Adds `func.func @main()` to a module of forward and backward functions
    (those with `rng.backward` and `rng.saved`, as `rng-partition` leaves them).
    Lowered by `rng-to-cpu` and run, it makes up arguments (stateless draws at
    fixed states; those of `rng.persistent` arguments are small, as weights
    are), calls the forward and the backward of each pair, prints results, saved
    values and gradients, one line each, and then one line for each check:

    * draws of the backward have the bits of the draws of the forward, or, if
      only the backward needs them, of the joint function;
    * a second call of the forward draws other numbers (unless they are so few
      or so much alike that chance may repeat them), and the same once the state
      of the generators, and of each argument `memref<2xi64>`, is restored;
      asked of draws whose state is such a one;
    * with the joint function still there (`rng-partition=keep-joint`; it has
      the name of the forward without `_forward`), all its results have the bits
      of those of the pair;
    * and both leave the same state of the generators and memories;
    * with `schedules`: three calls of the forward, each with its backward right
      behind it, do what three calls of the joint function do, and, unless the
      backward moves a generator, the same whatever the order of the calls: two
      or three forwards first, a backward twice;
    * with `finite-differences`, gradients agree with central differences of the
      sum of outputs times cotangents. The step has length `step` in its largest
      element, times the size of the data.

    The last line is `driver: all checks passed`, or says how many failed, and
    then the process ends with status 1. Compared are draws of tensors that are
    not inside a loop, a branch or another function. The program needs the
    libraries `rng_runtime`, `rng_runner_utils` and `mlir_c_runner_utils`.

    Example: for

    ```mlir
    func.func @f_forward(%a: tensor<8xf32>) -> tensor<8xf32>
        attributes {rng.backward = @f_backward,
                    rng.saved = [#rng.saved<argument 0>]} {
      %y = arith.mulf %a, %a : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    func.func @f_backward(%a: tensor<8xf32>, %dy: tensor<8xf32>)
        -> tensor<8xf32> {
      %d = arith.mulf %a, %dy : tensor<8xf32>
      %da = arith.addf %d, %d : tensor<8xf32>
      return %da : tensor<8xf32>
    }
    ```

    the driver begins like

    ```mlir
    func.func private @rngPrintF32(
        tensor<*xf32> {bufferization.access = "read"})
        attributes {llvm.emit_c_interface}
    func.func private @f_forward(tensor<8xf32>) -> tensor<8xf32>
    func.func @main() {
      %k = arith.constant 0 : i64
      %lo = arith.constant -1.0 : f32
      %hi = arith.constant 1.0 : f32
      %x = arith.constant 0x5EED : i64
      %a = rng.stateless_uniform %x, %k range(%lo, %hi) : tensor<8xf32>
      %seed, %offset = rng.get_state : i64, i64
      %y = call @f_forward(%a) : (tensor<8xf32>) -> tensor<8xf32>
      vector.print str "f: result 0: "
      %any = tensor.cast %y : tensor<8xf32> to tensor<*xf32>
      call @rngPrintF32(%any) : (tensor<*xf32>) -> ()
      return
    }
    ```
  }];
  let options = [
    Option<"dynamicSize", "dynamic-size", "int64_t", /*default=*/"5",
           "Size of dynamic dimensions of the arguments">,
    Option<"finiteDifferences", "finite-differences", "bool",
           /*default=*/"false", "Compare gradients with finite differences">,
    Option<"schedules", "schedules", "bool", /*default=*/"false",
           "Call each pair several times, in several orders">,
    Option<"step", "step", "double", /*default=*/"1e-2",
           "Step of the finite differences, in units of the data">,
    Option<"tolerance", "tolerance", "double", /*default=*/"0",
           "Largest relative error of the finite differences; 0 stands for "
           "1e-3, or 1e-2 for a forward that computes in f16 or bf16">,
    ListOption<"gradientArguments", "gradient-arguments", "unsigned",
               "For each gradient the argument of the forward that it is of; "
               "without, the next argument of its type">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::rng::RngDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def RngRematerialize : Pass<"rng-rematerialize", "::mlir::ModuleOp"> {
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
    together, a function of several blocks, a side effect of the backward that
    does not follow from a cotangent (nothing would keep it behind the forward),
    and a pair that changes but is used otherwise, such as by a call.

    Before:

    ```mlir
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

def RngThreadState : Pass<"rng-thread-state", "::mlir::ModuleOp"> {
  let summary = "Replace stateful draws by stateless ones, in program order";
  let description = [{
    Every stateful draw becomes the stateless draw of the same numbers, at a
    (seed, offset) that is an SSA value: the state at the entry of the function
    plus what the draws before it, in program order, reserve (an unused or empty
    draw reserves, too). Constant reservations are added up, so that draws sit
    at constant distances from one base. Values and final state equal those of
    the stateful program.

    ```mlir
    func.func @f() -> (tensor<4xf32>, tensor<8xf32>) {
      %a = rng.uniform : tensor<4xf32>
      %b = rng.uniform : tensor<8xf32>
      return %a, %b : tensor<4xf32>, tensor<8xf32>
    }
    ```

    becomes

    ```mlir
    func.func @f() -> (tensor<4xf32>, tensor<8xf32>) {
      %c2 = arith.constant 2 : i64
      %seed, %offset = rng.reserve %c2 : i64, i64
      %a = rng.stateless_uniform %seed, %offset : tensor<4xf32>
      %c1 = arith.constant 1 : i64
      %next = arith.addi %offset, %c1 : i64
      %b = rng.stateless_uniform %seed, %next : tensor<8xf32>
      return %a, %b : tensor<4xf32>, tensor<8xf32>
    }
    ```

    **Public functions** follow the option `entry`:

    * `state` keeps their signature. Where the number of blocks is known at the
      entry, as a constant or from the arguments, one `rng.reserve` there takes
      them all; else the state is read at the entry (`rng.get_state`) and
      written back before the return (`rng.set_state`), which is *not safe
      against concurrent callers*: they may draw the same numbers. A public
      function that is also called inside the module keeps its name as a wrapper
      around a private twin `@f_threaded` with the state in its signature. (A
      function with `rng.gradient` results keeps its body besides its twin, which
      a warning says: `rng-partition` will not split the twin.)
    * `arguments` makes the state a part of their signature, as for private
      functions. Nothing then uses the generators' state but calls of functions
      that are not known.
    * `memory` appends one `memref<2xi64>` argument for each generator: (seed,
      offset), in device memory on the GPU path. One `rng.reserve_memory` at the
      entry takes an immutable snapshot and moves the offset in memory on; draws
      are at `%snapshot[%delta]`. So state is read and advanced on the device,
      and a captured graph draws fresh numbers at each replay. Where the number
      of blocks is not known at the entry, a second one before the return moves
      the offset; a state that may have been set is written back there.

    ```mlir
    func.func @f(%memory: memref<2xi64>) -> tensor<4xf32> {
      %c1 = arith.constant 1 : i64
      %s = rng.reserve_memory %memory, %c1 : memref<2xi64> -> tensor<2xi64>
      %c0 = arith.constant 0 : i64
      %a = rng.stateless_uniform %s[%c0] : tensor<4xf32>
      return %a : tensor<4xf32>
    }
    ```

    **Private functions** that draw, by themselves or through calls, gain for
    each generator that they use the arguments `seed`, `offset` (i64), and
    results for what can change: the seed (only where the state is set), the
    offset. They are appended, for the default generator first, then in the
    order of declaration. Calls follow, recursion included. (With `memory`, a
    snapshot and the blocks after it take the places of seed and offset.)

    **Joint functions** (with `rng.gradient` results) will be split, so what
    their forward draws, and what their backward draws in a number that no
    cotangent decides, is reserved at the entry. From the first op on that moves
    a generator as only the backward knows, the backward does so when it is
    called: by an `rng.reserve` or `rng.get_state` marked `rng.in_backward`, or,
    with `arguments` and `memory`, at a state that the function is given once
    more, behind the cotangents and marked `rng.state`. The forward's use of the
    same generator behind such an op is an error. Section 4.1 of the
    specification has the rules.

    ```mlir
    func.func @f(%d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
      %one = arith.constant 1 : i64
      %seed, %offset = rng.reserve %one : i64, i64
      %y = rng.stateless_uniform %seed, %offset : f32
      %zero = arith.constant 0.0 : f32
      %c = arith.cmpf olt, %d, %zero : f32
      %own, %first = rng.get_state {rng.in_backward} : i64, i64
      %n, %next = scf.if %c -> (f32, i64) {
        %z = rng.stateless_normal %own, %first : f32
        %c1 = arith.constant 1 : i64
        %after = arith.addi %first, %c1 : i64
        scf.yield %z, %after : f32, i64
      } else {
        scf.yield %d, %first : f32, i64
      }
      rng.set_state %own, %next {rng.in_backward} : i64, i64
      return %y, %n : f32, f32
    }
    ```

    **Control flow**: state passes through ops that implement
    `ThreadableRegionOpInterface`, here `scf.if`, `for`, `while`,
    `index_switch`, `execute_region` and `affine.for`, `if`, and through
    branches between blocks (`BranchOpInterface`). Only what changes is carried:
    a seed that is never set is none of the results, and neither is the offset
    of branches that all draw alike. Iterations of `scf.parallel`, `scf.forall`
    and `affine.parallel` start at the offset that they would have if they ran
    one by one in row-major order; so they have to reserve the same number of
    blocks each, and must not set the state.

    **Explicit state** in functions that draw, and in functions reachable from
    them by calls, keeps its place in the order: `rng.get_state` yields the
    threaded state, `rng.set_state` replaces it, `rng.reserve` yields and
    advances it. Functions without any relation to a draw are left alone (with
    `entry=arguments` or `memory`: threaded).

    **Functions that are not known**: external functions draw only if they carry
    `rng.draws`. The state is written back before their call and read again
    after it. So it is around a `func.call_indirect`, if a function of its type
    that uses state has its address taken (`func.constant`); such a function
    keeps its signature and uses the generators' state.

    Draws in regions of other operations, and references to drawing functions
    other than calls and `func.constant`, are errors; after an error the module
    is as it was. Modules nested in the module are threaded by themselves.

    `report=FILE` writes a table with a line for each draw: function, location,
    generator, distribution, type, and where it is in the stream, as a distance
    in blocks from a base such as the entry of the function, an argument, or the
    iteration of a loop.
  }];
  let options = [
    Option<"entry", "entry", "::mlir::rng::ThreadStateEntry",
           "::mlir::rng::ThreadStateEntry::State",
           "Where public functions have their state from",
           [{::llvm::cl::values(
               clEnumValN(::mlir::rng::ThreadStateEntry::State, "state",
                          "the generator; signatures stay"),
               clEnumValN(::mlir::rng::ThreadStateEntry::Arguments, "arguments",
                          "appended arguments (seed, offset); the state is "
                          "returned"),
               clEnumValN(::mlir::rng::ThreadStateEntry::Memory, "memory",
                          "one memref<2xi64> argument a generator, read and "
                          "advanced there"))
           }]>,
    Option<"report", "report", "std::string", /*default=*/"",
           "File to write a table of the draws to, - for stdout">
  ];
  let statistics = [
    Statistic<"numDraws", "draws", "Number of draws made stateless">,
    Statistic<"numFunctions", "functions", "Number of functions threaded">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::rng::RngDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // RNGDIALECT_TRANSFORMS_PASSES_TD
