//===- Passes.td - State of generators as values -----------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_THREADING_PASSES_TD
#define RNGDIALECT_TRANSFORMS_THREADING_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngReserveDrawsPass : Pass<"rng-reserve-draws"> {
  let summary = "Replace each stateful draw by a reservation and a stateless "
                "draw";
  let description = [{
    Replaces each stateful draw where it stands, in any region, by an
    `rng.reserve` of its stream blocks and the stateless draw at the state that
    it yields. So a program runs as it is written, one access to the generator a
    draw. `rng-thread-state` yields the same numbers with one access a function,
    and stateless draws that other passes can move and recompute.

    ```mlir
    // rng-opt --rng-reserve-draws
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

def RngThreadStatePass : Pass<"rng-thread-state", "::mlir::ModuleOp"> {
  let summary = "Replace stateful draws by stateless ones, in program order";
  let description = [{
    Every stateful draw becomes the stateless draw of the same numbers, at a
    (seed, offset) that is an SSA value: the state at the entry of the function
    plus what the draws before it, in program order, reserve (an unused or empty
    draw reserves, too). Constant reservations are added up, so that draws sit
    at constant distances from one base. Values and final state equal those of
    the stateful program.

    ```mlir
    // rng-opt --rng-thread-state
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

    * `state` keeps their signature. Where the number of stream blocks is known
      at the entry, as a constant or from the arguments, one `rng.reserve` there
      takes them all; else the state is read at the entry (`rng.get_state`) and
      written back before the return (`rng.set_state`), which is *not safe
      against concurrent callers*: they may draw the same numbers. A public
      function that is also called inside the module keeps its name as a wrapper
      around a private twin `@f_threaded` with the state in its signature. (A
      function with `rng.gradient` results keeps its body besides its twin,
      which a warning says: `rng-partition` will not split the twin.)
    * `arguments` makes the state a part of their signature, as for private
      functions. Nothing then uses the generators' state but calls of functions
      that are not known.
    * `memory` appends one `memref<2xi64>` argument for each generator: (seed,
      offset), in device memory on the GPU path. One `rng.reserve_memory` at the
      entry takes an immutable snapshot and moves the offset in memory on; draws
      are at `%snapshot[%delta]`. So state is read and advanced on the device,
      and a captured graph draws fresh numbers at each replay. Where the number
      of stream blocks is not known at the entry, a second one before the return
      moves the offset; a state that may have been set is written back there.

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
    snapshot and the stream blocks after it take the places of seed and offset.)

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
    branches between basic blocks (`BranchOpInterface`). Only what changes is
    carried: a seed that is never set is none of the results, and neither is the
    offset of branches that all draw alike. Iterations of `scf.parallel`,
    `scf.forall` and `affine.parallel` start at the offset that they would have
    if they ran one by one in row-major order; so they have to reserve the same
    number of stream blocks each, and must not set the state.

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
    in stream blocks from a base such as the entry of the function, an argument,
    or the iteration of a loop.
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

#endif // RNGDIALECT_TRANSFORMS_THREADING_PASSES_TD
