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

def RngReserveDraws : Pass<"rng-reserve-draws"> {
  let summary = "replaces each stateful draw by a reservation and a stateless "
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

def RngThreadState : Pass<"rng-thread-state", "::mlir::ModuleOp"> {
  let summary = "replaces stateful draws by stateless ones, in program order";
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

    * `state` keeps their signature. Where the number of blocks is known, one
      `rng.reserve` at the entry takes them all; else the state is read at the
      entry (`rng.get_state`) and written back before the return
      (`rng.set_state`), which is *not safe against concurrent callers*: they
      may draw the same numbers. A public function that is also called inside
      the module keeps its name as a wrapper around a private twin
      `@f_threaded` with the state in its signature. (A function with
      `rng.gradient` results keeps its body besides its twin.)
    * `arguments` makes the state a part of their signature, as for private
      functions. Nothing then uses the generators' state but calls of external
      functions that draw.

    **Private functions** that draw, by themselves or through calls, gain for
    each generator that they use the arguments `seed`, `offset` (i64), and
    results for what can change: the seed (only where the state is set), the
    offset. They are appended, for the default generator first, then in the
    order of declaration. Calls follow, recursion included.

    **Explicit state** in functions that draw, and in functions reachable from
    them by calls, keeps its place in the order: `rng.get_state` yields the
    threaded state, `rng.set_state` replaces it, `rng.reserve` yields and
    advances it. Functions without any relation to a draw are left alone (with
    `entry=arguments`: threaded).

    **External functions** draw only if they carry `rng.draws`. The state is
    written back before their call and read again after it.

    Draws in regions of other operations, in functions of several blocks, and
    references to drawing functions other than `func.call` are errors; after an
    error the module is as it was. Modules nested in the module are threaded by
    themselves.
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
                          "one memref<2xi64> argument (not implemented yet)"))
           }]>
  ];
  let statistics = [
    Statistic<"numDraws", "draws", "Number of draws made stateless">,
    Statistic<"numFunctions", "functions", "Number of functions threaded">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::rng::RngDialect"];
}

#endif // RNGDIALECT_TRANSFORMS_PASSES_TD
