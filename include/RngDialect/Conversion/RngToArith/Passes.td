//===- Passes.td - Draws as arithmetic ---------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_RNGTOARITH_PASSES_TD
#define RNGDIALECT_CONVERSION_RNGTOARITH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertRngToArithPass : Pass<"convert-rng-to-arith"> {
  let summary = "Lower scalar and vector draws to arith, math and vector";
  let description = [{
    Stateless draws of scalars and vectors become the arithmetic of their
    algorithm: logical index, stream block, words, value. Lanes whose places in
    the logical draw are static relative to a start of a stream block
    (`aligned`, or a static index) share the stream blocks they have in common;
    other lanes compute one each. `rng.advance` becomes an addition. Draws of
    tensors are left alone.

    ```mlir
    // rng-opt --convert-rng-to-arith
    func.func @f(%seed: i64, %offset: i64, %i: index, %n: index) -> i32 {
      %w = rng.stateless_bits %seed, %offset slice [%i] of [%n] : i32
      return %w : i32
    }
    ```
    becomes
    ```mlir-fragment
    %index = arith.index_castui %i : index to i64
    %c2 = arith.constant 2 : i64
    %block = arith.shrui %index, %c2 : i64
    %c3 = arith.constant 3 : i64
    %slot = arith.andi %index, %c3 : i64
    ...
    %low, %high = arith.mului_extended %counter_0, %multiplier : i32
    ...
    %w = arith.select %is_slot_3, %word_3, %w_2 : i32
    return %w : i32
    ```
  }];
  let options = [
    Option<"keepInBodies", "keep-in-bodies", "bool", /*default=*/"false",
           "Leave draws from scalars in the bodies of structured ops to "
           "convert-rng-to-gpu">,
    Option<"maxScalarBlocks", "max-scalar-blocks", "unsigned", /*default=*/"1",
           "Compute more blocks than this of neighbouring lanes as one vector; "
           "what has no SIMD registers wants 8">];
  let statistics = [
    Statistic<"numDraws", "num-draws", "Number of draws lowered">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

#endif // RNGDIALECT_CONVERSION_RNGTOARITH_PASSES_TD
