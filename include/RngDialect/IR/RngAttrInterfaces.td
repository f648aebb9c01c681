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
//
// The defaults are those of a linear stream: neighbours take the words of a
// stream block in order, and stream blocks are numbered through a draw.
class Rng_StreamMethods<string interface> {
  // The stream itself, for defaults that ask it.
  string self = "::llvm::cast<::mlir::rng::" # interface # ">($_attr)";

  list<InterfaceMethod> methods = [
    InterfaceMethod<[{
        How words become values. Lives as long as the program.
      }],
      "const ::mlir::rng::WordConversion &", "getConversion", (ins)>,
    InterfaceMethod<[{
        Says whether draws of this distribution and element type are defined;
        if not, reports through `emitError` what is missing and fails. By
        default all are.
      }],
      "::llvm::LogicalResult", "checkDraw",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
           "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::llvm::success();
      }]>,
    InterfaceMethod<[{
        Number of words of a stream block, of which values take one, or two if
        they have 64 bits. By default four.
      }],
      "unsigned", "getWordsPerBlock", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return 4;
      }]>,
    InterfaceMethod<[{
        Number m of consecutive elements, starting at a multiple of m, that one
        stream block yields in order; 1 if neighbours do not share stream
        blocks. Sharing a stream block between lanes is legal for exactly these
        groups. By default as many as the words are for.
      }],
      "unsigned", "getValuesPerBlock",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return }] # self # [{.getWordsPerBlock() /
               ::mlir::rng::getWordsPerValue(elementType);
      }]>,
    InterfaceMethod<[{
        Number of slots of a stream block: `placeElement` yields slots below it.
        By default those of the neighbours that share a stream block.
      }],
      "unsigned", "getSlotsPerBlock",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return }] # self # [{.getValuesPerBlock(distribution, elementType);
      }]>,
    InterfaceMethod<[{
        The one advance rule: a draw of n elements reserves ceil(n / d) stream
        blocks for the d that this yields; d = 0: one stream block, whatever n
        is. By default the slots of a stream block.
      }],
      "uint64_t", "getAdvanceDivisor",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return }] # self # [{.getSlotsPerBlock(distribution, elementType);
      }]>,
    InterfaceMethod<[{
        The stream blocks that a draw reserves, if its type tells. Builds no IR.
        By default by `getAdvanceDivisor`. A stream with another rule says it
        here and in `getAdvance`.
      }],
      "::std::optional<uint64_t>", "getStaticAdvance",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$drawType), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::mlir::rng::countElementBlocks(
            drawType, }] # self # [{.getAdvanceDivisor(
                distribution, ::mlir::getElementTypeOrSelf(drawType)));
      }]>,
    InterfaceMethod<[{
        The same where `sizes`, the dynamic dimensions of `drawType` in order,
        may be needed: the `IntegerAttr` (i64) of `getStaticAdvance`, else an
        i64 value built with `b`. By default by `getAdvanceDivisor`.
      }],
      "::mlir::OpFoldResult", "getAdvance",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$drawType, "::mlir::ValueRange":$sizes),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        auto self = }] # self # [{;
        if (::std::optional<uint64_t> blocks =
                self.getStaticAdvance(distribution, drawType))
          return b.getI64IntegerAttr(static_cast<int64_t>(*blocks));
        return ::mlir::rng::buildElementBlocks(
            b, loc, drawType, sizes,
            self.getAdvanceDivisor(distribution,
                                   ::mlir::getElementTypeOrSelf(drawType)));
      }]>,
    InterfaceMethod<[{
        The one map from the row-major logical index of an element (i64) to the
        stream block (i64) and the slot in it (i32, below `getSlotsPerBlock`).
        By default index / slots and index % slots.
      }],
      "::mlir::rng::ElementPlace", "placeElement",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType, "::mlir::Value":$index),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::rng::buildLinearPlace(
            b, index,
            }] # self # [{.getSlotsPerBlock(distribution, elementType));
      }]>,
    InterfaceMethod<[{
        The words (i32) that the value of slot `slot` is made of, among the
        words of a stream block. The same number of words for all slots. By
        default those of `WordConversion::getSlotWords`.
      }],
      "::llvm::SmallVector<::mlir::Value>", "getSlotWords",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType,
           "::llvm::ArrayRef<::mlir::Value>":$words, "unsigned":$slot),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::rng::detail::getSlotWords(
            }] # self # [{.getConversion(), distribution, elementType, words,
            slot);
      }]>,
    InterfaceMethod<[{
        Turns the words of one element into its value. `slot` (i32) is the one
        that they are of: the two values of a pair of normal numbers are made of
        the same words. `params` are the distribution's operands. Both are
        already of the shape of the words. By default the conversion of
        `getConversion`.
        Precondition: `checkDraw` succeeded.
      }],
      "::mlir::Value", "convertWords",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType,
           "::llvm::ArrayRef<::mlir::Value>":$words, "::mlir::Value":$slot,
           "::mlir::ValueRange":$params),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::mlir::rng::detail::convertWords(
            }] # self # [{.getConversion(), b, distribution, elementType, words,
            slot, params);
      }]>,
    InterfaceMethod<[{
        What this stream makes of constant parameters that their user hardly
        expects, such as another rate than the probability: the rest of a
        sentence that begins with the draw, "has a ...". Empty if there is
        nothing to say. `params` are the operands of the distribution, all
        constant. By default what the conversion says.
      }],
      "::std::string", "describeSurprise",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType,
           "::llvm::ArrayRef<::mlir::TypedAttr>":$params), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::mlir::rng::detail::describeSurprise(
            }] # self # [{.getConversion(), distribution, elementType, params);
      }]>
  ];
}

def Rng_AlgorithmAttrInterface : AttrInterface<"RngAlgorithmAttrInterface"> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    A counter-based generator: from (seed, offset) and an element's logical
    index to the element's value, and how many stream blocks a draw reserves. No
    transform or lowering knows a concrete algorithm; all ask this interface.
  }];
  let methods = Rng_StreamMethods<"RngAlgorithmAttrInterface">.methods # [
    InterfaceMethod<[{
        Builds the block function: all words (i32) of stream block `block` (i64)
        at state `seed`, `offset` (i64).
      }],
      "::llvm::SmallVector<::mlir::Value>", "generateBlock",
      (ins "::mlir::ImplicitLocOpBuilder &":$b, "::mlir::Value":$seed,
           "::mlir::Value":$offset, "::mlir::Value":$block)>,
    InterfaceMethod<[{
        About how many instructions of 32 bits `generateBlock` takes. By default
        those of Philox4x32 with ten rounds.
      }],
      "unsigned", "getBlockWork", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return 80;
      }]>,
    InterfaceMethod<[{
        About how many instructions of 32 bits an element takes where all values
        of a stream block are used: its part of the stream block and the
        conversion of its words. By default their sum.
      }],
      "unsigned", "getWork",
      (ins "::mlir::rng::Distribution":$distribution,
           "::mlir::Type":$elementType), /*methodBody=*/"",
      /*defaultImplementation=*/[{
        auto self =
            ::llvm::cast<::mlir::rng::RngAlgorithmAttrInterface>($_attr);
        return ::mlir::rng::detail::getWork(
            self.getConversion(), distribution, elementType,
            self.getBlockWork(),
            self.getValuesPerBlock(distribution, elementType));
      }]>
  ];
}

def Rng_ConventionAttrInterface : AttrInterface<"RngConventionAttrInterface"> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    The system whose stream is reproduced bit for bit: where seed, offset and
    stream block go in counter and key, the element map, the advance rule, the
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
