//===- Philox.cpp - The Philox4x32 block function ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngAttrs.h"
#include "RngDialect/Streams/StreamBuilders.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::rng;

/// More rounds than this is surely a mistake, and each is emitted inline.
static constexpr unsigned kMaxRounds = 64;

// C12
static LogicalResult checkRounds(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rounds) {
  if (rounds >= 1 && rounds <= kMaxRounds)
    return success();
  return emitError() << "expected between 1 and " << kMaxRounds
                     << " rounds but got " << rounds;
}

LogicalResult PhiloxAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned rounds,
                                 RngConventionAttrInterface convention) {
  if (failed(checkRounds(emitError, rounds)))
    return failure();
  if (!convention)
    return emitError() << "expected a convention such as #rng.nvfuser";
  return success();
}

Attribute PhiloxAttr::parse(AsmParser &parser, Type) {
  MLIRContext *context = parser.getContext();
  unsigned rounds = 10;
  RngConventionAttrInterface convention = NvfuserAttr::get(context);
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<StringRef, 2> seen;
  auto parseField = [&]() -> ParseResult {
    StringRef field;
    SMLoc fieldLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&field) || parser.parseEqual())
      return failure();
    if (llvm::is_contained(seen, field))
      return parser.emitError(fieldLoc, "expected '") << field << "' once only";
    seen.push_back(field);
    if (field == "rounds") {
      SMLoc roundsLoc = parser.getCurrentLocation();
      int64_t number = 0;
      if (parser.parseInteger(number) ||
          failed(
              checkRounds([&] { return parser.emitError(roundsLoc); }, number)))
        return failure();
      rounds = number;
      return success();
    }
    if (field != "convention")
      return parser.emitError(fieldLoc, "expected 'rounds' or 'convention' but "
                                        "got '")
             << field << "'";
    SMLoc valueLoc = parser.getCurrentLocation();
    StringRef keyword;
    if (succeeded(parser.parseOptionalKeyword(&keyword))) {
      // A bare keyword is short for the attribute without parameters.
      Attribute attribute = parseAttribute(("#rng." + keyword).str(), context,
                                           Type(), /*numRead=*/nullptr,
                                           /*isKnownNullTerminated=*/false);
      convention = dyn_cast_or_null<RngConventionAttrInterface>(attribute);
    } else {
      Attribute attribute;
      if (parser.parseAttribute(attribute))
        return failure();
      convention = dyn_cast<RngConventionAttrInterface>(attribute);
    }
    if (!convention)
      return parser.emitError(valueLoc,
                              "expected a convention such as nvfuser");
    return success();
  };
  if (succeeded(parser.parseOptionalLess()))
    if (parser.parseCommaSeparatedList(parseField) || parser.parseGreater())
      return {};
  return PhiloxAttr::getChecked([&]() { return parser.emitError(loc); },
                                context, rounds, convention);
}

void PhiloxAttr::print(AsmPrinter &printer) const {
  bool hasRounds = getRounds() != 10;
  bool hasConvention = getConvention() != NvfuserAttr::get(getContext());
  if (!hasRounds && !hasConvention)
    return;
  printer << "<";
  if (hasRounds)
    printer << "rounds = " << getRounds();
  if (hasRounds && hasConvention)
    printer << ", ";
  if (hasConvention)
    printer << "convention = " << getConvention();
  printer << ">";
}

SmallVector<Value> PhiloxAttr::generateBlock(ImplicitLocOpBuilder &b,
                                             Value seed, Value offset,
                                             Value block) const {
  return buildPhilox4x32(
      b, getConvention().placeCounter(b, seed, offset, block), getRounds());
}

// A round is two products with a lower and an upper half each, two exclusive
// ors of three words and two additions.
unsigned PhiloxAttr::getBlockWork() const { return 8 * getRounds(); }

//===----------------------------------------------------------------------===//
// What the convention answers
//===----------------------------------------------------------------------===//

const WordConversion &PhiloxAttr::getConversion() const {
  return getConvention().getConversion();
}

LogicalResult
PhiloxAttr::checkDraw(function_ref<InFlightDiagnostic()> emitError,
                      Distribution distribution, Type elementType) const {
  return getConvention().checkDraw(emitError, distribution, elementType);
}

unsigned PhiloxAttr::getWordsPerBlock() const {
  return getConvention().getWordsPerBlock();
}

unsigned PhiloxAttr::getValuesPerBlock(Distribution distribution,
                                       Type elementType) const {
  return getConvention().getValuesPerBlock(distribution, elementType);
}

unsigned PhiloxAttr::getSlotsPerBlock(Distribution distribution,
                                      Type elementType) const {
  return getConvention().getSlotsPerBlock(distribution, elementType);
}

uint64_t PhiloxAttr::getAdvanceDivisor(Distribution distribution,
                                       Type elementType) const {
  return getConvention().getAdvanceDivisor(distribution, elementType);
}

std::optional<uint64_t> PhiloxAttr::getStaticAdvance(Distribution distribution,
                                                     Type drawType) const {
  return getConvention().getStaticAdvance(distribution, drawType);
}

OpFoldResult PhiloxAttr::getAdvance(OpBuilder &b, Location loc,
                                    Distribution distribution, Type drawType,
                                    ValueRange sizes) const {
  return getConvention().getAdvance(b, loc, distribution, drawType, sizes);
}

ElementPlace PhiloxAttr::placeElement(ImplicitLocOpBuilder &b,
                                      Distribution distribution,
                                      Type elementType, Value index) const {
  return getConvention().placeElement(b, distribution, elementType, index);
}

SmallVector<Value> PhiloxAttr::getSlotWords(Distribution distribution,
                                            Type elementType,
                                            ArrayRef<Value> words,
                                            unsigned slot) const {
  return getConvention().getSlotWords(distribution, elementType, words, slot);
}

Value PhiloxAttr::convertWords(ImplicitLocOpBuilder &b,
                               Distribution distribution, Type elementType,
                               ArrayRef<Value> words, Value slot,
                               ValueRange params) const {
  return getConvention().convertWords(b, distribution, elementType, words, slot,
                                      params);
}

std::string PhiloxAttr::describeSurprise(Distribution distribution,
                                         Type elementType,
                                         ArrayRef<TypedAttr> params) const {
  return getConvention().describeSurprise(distribution, elementType, params);
}
