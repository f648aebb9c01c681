//===- RngPhilox.cpp - The Philox4x32 block function --------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngAttrs.h"
#include "RngIRBuilding.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::rng;

/// Constants of the bijection (Salmon et al., SC 2011, and Random123).
static constexpr uint32_t kMultiplier0 = 0xD2511F53;
static constexpr uint32_t kMultiplier1 = 0xCD9E8D57;
static constexpr uint32_t kWeyl0 = 0x9E3779B9;
static constexpr uint32_t kWeyl1 = 0xBB67AE85;

/// More rounds than this is surely a mistake, and each is emitted inline.
static constexpr unsigned kMaxRounds = 64;

LogicalResult PhiloxAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned rounds,
                                 RngConventionAttrInterface convention) {
  // C12
  if (rounds < 1 || rounds > kMaxRounds)
    return emitError() << "expected between 1 and " << kMaxRounds
                       << " rounds but got " << rounds;
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
    if (field == "rounds")
      return parser.parseInteger(rounds);
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
  CounterAndKey in = getConvention().placeCounter(b, seed, offset, block);
  Type type = in.counter[0].getType();
  Value c0 = in.counter[0], c1 = in.counter[1];
  Value c2 = in.counter[2], c3 = in.counter[3];
  Value k0 = in.key[0], k1 = in.key[1];
  Value multiplier0 = createIntegerConstant(b, type, kMultiplier0);
  Value multiplier1 = createIntegerConstant(b, type, kMultiplier1);
  for (unsigned round = 0; round < getRounds(); ++round) {
    if (round > 0) {
      k0 = arith::AddIOp::create(b, k0, createIntegerConstant(b, type, kWeyl0));
      k1 = arith::AddIOp::create(b, k1, createIntegerConstant(b, type, kWeyl1));
    }
    auto product0 = arith::MulUIExtendedOp::create(b, c0, multiplier0);
    auto product1 = arith::MulUIExtendedOp::create(b, c2, multiplier1);
    auto mix = [&](Value x, Value y, Value z) -> Value {
      Value mixed = arith::XOrIOp::create(b, x, y);
      return arith::XOrIOp::create(b, mixed, z);
    };
    // First what is the same for blocks of one draw that are not far apart, in
    // which only the low word of the block's number differs: all but c2 in the
    // first round, all but c0 and c1 in the second.
    c0 = round == 1 ? mix(product1.getHigh(), k0, c1)
                    : mix(c1, k0, product1.getHigh());
    c1 = product1.getLow();
    c2 = mix(c3, k1, product0.getHigh());
    c3 = product0.getLow();
  }
  return {c0, c1, c2, c3};
}

//===----------------------------------------------------------------------===//
// What the convention answers
//===----------------------------------------------------------------------===//

LogicalResult
PhiloxAttr::checkDraw(function_ref<InFlightDiagnostic()> emitError,
                      Distribution distribution, Type elementType) const {
  return getConvention().checkDraw(emitError, distribution, elementType);
}

unsigned PhiloxAttr::getValuesPerBlock(Distribution distribution,
                                       Type elementType) const {
  return getConvention().getValuesPerBlock(distribution, elementType);
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
                               ArrayRef<Value> words, ValueRange params) const {
  return getConvention().convertWords(b, distribution, elementType, words,
                                      params);
}
