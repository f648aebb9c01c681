//===- RngEnums.td - Enumerations --------------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGENUMS_TD
#define RNGDIALECT_IR_RNGENUMS_TD

include "RngDialect/IR/RngDialect.td"
include "mlir/IR/EnumAttr.td"

def Rng_Distribution : I32EnumAttr<"Distribution", "what a draw yields", [
    I32EnumAttrCase<"Bits", 0, "bits">,
    I32EnumAttrCase<"Uniform", 1, "uniform">,
    I32EnumAttrCase<"Bernoulli", 2, "bernoulli">,
    I32EnumAttrCase<"Randint", 3, "randint">,
    I32EnumAttrCase<"Normal", 4, "normal">,
    I32EnumAttrCase<"TruncatedNormal", 5, "truncated_normal">,
    I32EnumAttrCase<"Exponential", 6, "exponential">]> {
  let cppNamespace = "::mlir::rng";
}

def Rng_SavedKind : I32EnumAttr<"SavedKind", "where a saved value comes from", [
    I32EnumAttrCase<"Argument", 0, "argument">,
    I32EnumAttrCase<"Result", 1, "result">,
    I32EnumAttrCase<"New", 2, "new">]> {
  let cppNamespace = "::mlir::rng";
  let genSpecializedAttr = 0;
}

#endif // RNGDIALECT_IR_RNGENUMS_TD
