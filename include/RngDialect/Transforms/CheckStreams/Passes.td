//===- Passes.td - Two draws of one place ------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_CHECKSTREAMS_PASSES_TD
#define RNGDIALECT_TRANSFORMS_CHECKSTREAMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngCheckStreamsPass : Pass<"rng-check-streams", "::mlir::ModuleOp"> {
  let summary = "Find draws that read the same place in a stream";
  let description = [{
    Two draws of the same stream blocks of one stream are not independent. The
    pass follows seeds and offsets through each function and its calls, and
    reports two draws that overlap and are not the same draw, at the later one
    with a note at the earlier:

    ```mlir
    // rng-opt --rng-check-streams -verify-diagnostics
    func.func @f(%seed: i64, %offset: i64) -> (tensor<4xf32>, tensor<8xf32>) {
      // expected-note@+1 {{'rng.stateless_uniform' reads blocks [0, 1) here}}
      %a = rng.stateless_uniform %seed, %offset : tensor<4xf32>
      // Reads blocks [0, 1) after %offset, too.
      // expected-error@+1 {{reads blocks [0, 1) after an offset, which another draw reads}}
      %b = rng.stateless_uniform %seed, %offset : tensor<8xf32>
      return %a, %b : tensor<4xf32>, tensor<8xf32>
    }
    ```

    is mended by

    ```mlir
    // rng-opt --rng-check-streams -verify-diagnostics
    func.func @f(%seed: i64, %offset: i64) -> (tensor<4xf32>, tensor<8xf32>) {
      %a = rng.stateless_uniform %seed, %offset : tensor<4xf32>
      %next = rng.advance %offset by uniform tensor<4xf32>
      %b = rng.stateless_uniform %seed, %next : tensor<8xf32>
      return %a, %b : tensor<4xf32>, tensor<8xf32>
    }
    ```

    Findings:

    * stateless draws whose stream blocks overlap: in one function, through
      calls, and in one iteration of a loop and the next, if the carried offset
      advances by
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

#endif // RNGDIALECT_TRANSFORMS_CHECKSTREAMS_PASSES_TD
