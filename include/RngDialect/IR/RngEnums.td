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
include "RngDialect/IR/RngDistributions.td"
include "mlir/IR/EnumAttr.td"

def Rng_SavedKind : I32EnumAttr<"SavedKind", "where a saved value comes from", [
    I32EnumAttrCase<"Argument", 0, "argument">,
    I32EnumAttrCase<"Result", 1, "result">,
    I32EnumAttrCase<"New", 2, "new">]> {
  let cppNamespace = "::mlir::rng";
  let genSpecializedAttr = 0;
}

#endif // RNGDIALECT_IR_RNGENUMS_TD
