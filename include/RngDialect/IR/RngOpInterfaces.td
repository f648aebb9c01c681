//===- RngOpInterfaces.td - Draws --------------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGOPINTERFACES_TD
#define RNGDIALECT_IR_RNGOPINTERFACES_TD

include "mlir/IR/OpBase.td"

// What both forms of a draw answer.
class Rng_DrawMethods {
  list<InterfaceMethod> methods = [
    InterfaceMethod<"What is drawn.",
      "::mlir::rng::Distribution", "getDistribution", (ins)>,
    InterfaceMethod<"The type drawn: a ranked tensor, a vector or a scalar.",
      "::mlir::Type", "getDrawType", (ins), [{}], [{
        return $_op->getResult(0).getType();
      }]>,
    InterfaceMethod<"The operands of the distribution (range, probability).",
      "::mlir::OperandRange", "getDrawParams", (ins), [{}], [{
        return $_op.getParams();
      }]>,
    InterfaceMethod<"The dynamic dimensions of the type drawn, in order.",
      "::mlir::OperandRange", "getDrawSizes", (ins), [{}], [{
        return $_op.getSizes();
      }]>,
    InterfaceMethod<"The algorithm that defines the numbers.",
      "::mlir::rng::RngAlgorithmAttrInterface", "getDrawAlgorithm", (ins)>
  ];
}

def StatefulDrawOpInterface : OpInterface<"StatefulDrawOpInterface"> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    A draw that reads and advances a generator.
  }];
  let methods = Rng_DrawMethods<>.methods # [
    InterfaceMethod<"The generator, null for the default one.",
      "::mlir::FlatSymbolRefAttr", "getDrawGenerator", (ins), [{}], [{
        return $_op.getGeneratorAttr();
      }]>,
    InterfaceMethod<[{
        Builds the same draw at state (`seed`, `offset`), both i64, or at stream
        block `offset` after the snapshot `seed` (tensor<2xi64>). Keeps location
        and discardable attributes. `algorithm` is that of the draw, which takes
        a search of the module to find.
      }],
      "::mlir::rng::StatelessDrawOpInterface", "buildStateless",
      (ins "::mlir::OpBuilder &":$b,
           "::mlir::rng::RngAlgorithmAttrInterface":$algorithm,
           "::mlir::Value":$seed, "::mlir::Value":$offset)>
  ];
}

def StatelessDrawOpInterface : OpInterface<"StatelessDrawOpInterface"> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    A draw that is a pure function of its operands.
  }];
  let methods = Rng_DrawMethods<>.methods # [
    InterfaceMethod<"The seed (i64), or the snapshot (tensor<2xi64>).",
      "::mlir::Value", "getDrawSeed", (ins), [{}], [{
        return $_op.getSeed();
      }]>,
    InterfaceMethod<"The offset, or the stream blocks after the snapshot (i64).",
      "::mlir::Value", "getDrawOffset", (ins), [{}], [{
        return $_op.getOffset();
      }]>,
    InterfaceMethod<"Whether the draw is a slice of a larger logical draw.",
      "bool", "hasSlice", (ins), [{}], [{
        return $_op.getStaticSliceOffsets().has_value();
      }]>,
    InterfaceMethod<[{
        Where the slice starts in the logical draw, one entry a dimension of the
        logical draw; empty without a slice.
      }],
      "::llvm::SmallVector<::mlir::OpFoldResult>", "getMixedSliceOffsets",
      (ins)>,
    InterfaceMethod<[{
        The shape of the logical draw that the slice is of; empty without a
        slice.
      }],
      "::llvm::SmallVector<::mlir::OpFoldResult>", "getMixedSliceSizes",
      (ins)>,
    InterfaceMethod<"Whether the first index is known to start a stream block.",
      "bool", "isDrawAligned", (ins), [{}], [{ return $_op.getAligned(); }]>,
    InterfaceMethod<[{
        Builds another piece of the same logical draw: a result of type `type`
        with dynamic dimensions `sizes`, at `sliceOffsets` of `sliceSizes`.
        `params` replace the distribution's operands (same types).
      }],
      "::mlir::rng::StatelessDrawOpInterface", "buildSlice",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::Type":$type, "::mlir::ValueRange":$params,
           "::mlir::ValueRange":$sizes,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$sliceOffsets,
           "::llvm::ArrayRef<::mlir::OpFoldResult>":$sliceSizes,
           "bool":$aligned)>
  ];
}

#endif // RNGDIALECT_IR_RNGOPINTERFACES_TD
