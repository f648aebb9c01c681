//===- RngOpInterfaces.td - State ops and draws ------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGOPINTERFACES_TD
#define RNGDIALECT_IR_RNGOPINTERFACES_TD

include "mlir/IR/OpBase.td"

def StateOpInterface : OpInterface<"StateOpInterface"> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    An op on a state: that of a generator, or one in memory. All that threads,
    checks and orders states asks this interface, so an op of another dialect
    that implements it is treated as those of this one. Such an op also says its
    side effects (`addStateEffects`). It has no regions.

    An op that advances a generator and yields nothing of the state before it
    uses the stream blocks itself, as a draw does; it has to be threaded. Others
    stay where they are in programs without draws.

    The defaults are those of a stateful draw; other ops override what differs.
  }];
  let methods = [
    InterfaceMethod<"What the op does to the state.",
      "::mlir::rng::StateAccess", "getStateAccess", (ins), [{}], [{
        return ::mlir::rng::StateAccess::Advance;
      }]>,
    InterfaceMethod<"The generator, null for the default one.",
      "::mlir::FlatSymbolRefAttr", "getStateGenerator", (ins), [{}], [{
        return $_op.getGeneratorAttr();
      }]>,
    InterfaceMethod<[{
        The memory that holds the state; null for that of a generator, the only
        states that are threaded.
      }],
      "::mlir::Value", "getStateMemory", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<[{
        The result that is the seed before the op (i64), or a snapshot of the
        state before it (tensor<2xi64>); null without one.
      }],
      "::mlir::Value", "getYieldedSeed", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<"The result that is the offset before the op (i64), or null.",
      "::mlir::Value", "getYieldedOffset", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<"Set: the seed after the op (i64).",
      "::mlir::Value", "getStoredSeed", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<"Set: the offset after the op (i64).",
      "::mlir::Value", "getStoredOffset", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<[{
        Advance: the stream blocks by which the op moves the offset, under
        `algorithm`, that of the generator: an i64 attribute if they are
        constant, an i64 operand if that is their number, else null.
      }],
      "::mlir::OpFoldResult", "getStateBlocks",
      (ins "::mlir::rng::RngAlgorithmAttrInterface":$algorithm), [{}], [{
        return ::mlir::rng::detail::getDrawBlocks($_op, algorithm);
      }]>,
    InterfaceMethod<[{
        Advance: the operands from which `buildStateBlocks` computes a number of
        stream blocks that `getStateBlocks` does not say; nothing if it is not
        known before the op has run.
      }],
      "std::optional<::llvm::SmallVector<::mlir::Value>>",
      "getStateBlockOperands", (ins), [{}], [{
        return ::mlir::rng::detail::getDrawBlockOperands($_op);
      }]>,
    InterfaceMethod<[{
        Advance: builds the number of stream blocks (i64), with `operands` for
        those of `getStateBlockOperands`.
      }],
      "::mlir::Value", "buildStateBlocks",
      (ins "::mlir::OpBuilder &":$b,
           "::mlir::rng::RngAlgorithmAttrInterface":$algorithm,
           "::mlir::ValueRange":$operands), [{}], [{
        return ::mlir::rng::detail::buildDrawBlocks(b, $_op, algorithm,
                                                    operands);
      }]>,
    InterfaceMethod<[{
        Whether `buildAtState` takes the second form of a state: a snapshot
        (tensor<2xi64>) and the stream blocks after it.
      }],
      "bool", "takesSnapshot", (ins), [{}], [{
        return ::mlir::rng::detail::isStatefulDraw($_op);
      }]>,
    InterfaceMethod<[{
        Read and advance: builds before the op, and without state, what the op
        does when the generator is at (`seed`, `offset`), i64 each or, with
        `takesSnapshot`, a snapshot and the stream blocks after it. Keeps
        location and discardable attributes. Leaves the op itself as it is.
      }],
      "::mlir::rng::StateReplacement", "buildAtState",
      (ins "::mlir::OpBuilder &":$b,
           "::mlir::rng::RngAlgorithmAttrInterface":$algorithm,
           "::mlir::Value":$seed, "::mlir::Value":$offset), [{}], [{
        return ::mlir::rng::detail::buildStateOpAt(b, $_op, algorithm, seed,
                                                   offset);
      }]>
  ];
  let extraClassDeclaration = [{
    /// Whether the state is that of a generator, not one in memory.
    bool isOnGenerator() { return !getStateMemory(); }
    /// Whether the op uses the stream blocks that it takes from a generator.
    bool drawsFromGenerator() {
      return isOnGenerator() &&
             getStateAccess() == ::mlir::rng::StateAccess::Advance &&
             !getYieldedSeed() && !getYieldedOffset();
    }
  }];
  let verify = [{ return ::mlir::rng::detail::verifyStateOp($_op); }];
}

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

def StatefulDrawOpInterface
    : OpInterface<"StatefulDrawOpInterface", [StateOpInterface]> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    A draw that reads and advances a generator: a state op of which the defaults
    of `StateOpInterface` know all.
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
