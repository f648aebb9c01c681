//===- RngAttrInterfaces.td - Algorithms and conventions ---*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGATTRINTERFACES_TD
#define RNGDIALECT_IR_RNGATTRINTERFACES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/Interfaces.td"

// The questions that a stream answers, the same for a whole algorithm and for
// the convention that it delegates to. `b` builds IR; a Value called "i64" or
// "i32" may also be a vector of them (all lanes alike), and results follow.
class Rng_StreamMethods<string interface> {
  list<InterfaceMethod> methods = [
    InterfaceMethod<[{
        Says whether draws of this distribution and element type are defined;
        if not, reports through `emitError` what is missing and fails. By default
        all are.
      }],
      "::llvm::LogicalResult", "checkDraw",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
           "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::llvm::success();
      }]>,
    InterfaceMethod<[{
        Number m of consecutive elements, starting at a multiple of m, that one
        block yields in order; 1 if neighbours do not share blocks. Sharing a
        block between lanes is legal for exactly these groups.
      }],
      "unsigned", "getValuesPerBlock",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType)>,
    InterfaceMethod<[{
        Number of slots of a block: `placeElement` yields slots below it. By
        default those of the neighbours that share a block.
      }],
      "unsigned", "getSlotsPerBlock",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::llvm::cast<::mlir::rng::}] # interface # [{>($_attr)
            .getValuesPerBlock(distribution, elementType);
      }]>,
    InterfaceMethod<[{
        The blocks that a draw reserves: the one advance rule. A constant
        `IntegerAttr` (i64) when known, else an i64 value built with `b`.
        `sizes` are the dynamic dimensions of `drawType`, in order.
      }],
      "::mlir::OpFoldResult", "getAdvance",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$drawType, "::mlir::ValueRange":$sizes)>,
    InterfaceMethod<[{
        The one map from the row-major logical index of an element (i64) to the
        block (i64) and the slot in that block (i32, below
        `getSlotsPerBlock`).
      }],
      "::mlir::rng::ElementPlace", "placeElement",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType, "::mlir::Value":$index)>,
    InterfaceMethod<[{
        The words (i32) that the value of slot `slot` is made of, among the words
        of a block. The same number of words for all slots.
      }],
      "::llvm::SmallVector<::mlir::Value>", "getSlotWords",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType,
           "::llvm::ArrayRef<::mlir::Value>":$words, "unsigned":$slot)>,
    InterfaceMethod<[{
        Turns the words of one element into its value. `slot` (i32) is the one
        that they are of: the two values of a pair of normal numbers are made of
        the same words. `params` are the distribution's operands. Both are
        already of the shape of the words.
        Precondition: `checkDraw` succeeded.
      }],
      "::mlir::Value", "convertWords",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType,
           "::llvm::ArrayRef<::mlir::Value>":$words, "::mlir::Value":$slot,
           "::mlir::ValueRange":$params)>,
    InterfaceMethod<[{
        What this stream makes of constant parameters that their user hardly
        expects, such as another rate than the probability: the rest of a
        sentence that begins with the draw, "has a ...". Empty if there is
        nothing to say, which is the default. `params` are the operands of the
        distribution, all constant.
      }],
      "::std::string", "describeSurprise",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType,
           "::llvm::ArrayRef<::mlir::TypedAttr>":$params), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return {};
      }]>
  ];
}

def Rng_AlgorithmAttrInterface : AttrInterface<"RngAlgorithmAttrInterface"> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    A counter-based generator: from (seed, offset) and an element's logical
    index to the element's value, and how many blocks a draw reserves. No
    transform or lowering knows a concrete algorithm; all ask this interface.
  }];
  let methods = Rng_StreamMethods<"RngAlgorithmAttrInterface">.methods # [
    InterfaceMethod<[{
        Builds the block function: all words (i32) of block `block` (i64) at
        state `seed`, `offset` (i64).
      }],
      "::llvm::SmallVector<::mlir::Value>", "generateBlock",
      (ins "::mlir::ImplicitLocOpBuilder &":$b, "::mlir::Value":$seed,
           "::mlir::Value":$offset, "::mlir::Value":$block)>
  ];
}

def Rng_ConventionAttrInterface : AttrInterface<"RngConventionAttrInterface"> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    The system whose stream is reproduced bit for bit: where seed, offset and
    block go in counter and key, the element map, the advance rule, the
    conversions and the end rule, in one object.
  }];
  let methods = Rng_StreamMethods<"RngConventionAttrInterface">.methods # [
    InterfaceMethod<[{
        Fills the counter and key words (i32, least significant first) of a
        4x32 block function from `seed`, `offset` and `block` (i64).
      }],
      "::mlir::rng::CounterAndKey", "placeCounter",
      (ins "::mlir::ImplicitLocOpBuilder &":$b, "::mlir::Value":$seed,
           "::mlir::Value":$offset, "::mlir::Value":$block)>
  ];
}

#endif // RNGDIALECT_IR_RNGATTRINTERFACES_TD
