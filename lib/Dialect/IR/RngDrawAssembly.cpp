//===- RngDrawAssembly.cpp - How draws are written --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/CountWords.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDrawMethods.h"
#include "RngDrawVerifier.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::rng;

static ParseResult
parseOperandGroup(OpAsmParser &parser, StringRef keyword,
                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  if (keyword.empty() || failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren);
}

static void printOperandGroup(OpAsmPrinter &printer, StringRef keyword,
                              OperandRange operands) {
  if (operands.empty() || keyword.empty())
    return;
  printer << ' ' << keyword << '(';
  printer.printOperands(operands);
  printer << ')';
}

/// Refuses an operand group that belongs elsewhere, in front of it. `allowed`:
/// the one that may follow, if any.
static ParseResult parseNoOtherGroup(OpAsmParser &parser,
                                     const OperationState &state,
                                     const DistributionFacts &facts,
                                     StringRef allowed = "") {
  SmallVector<StringRef> others = {"sizes", "slice"};
  for (unsigned i = 0; i <= getMaxEnumValForDistribution(); ++i)
    if (std::optional<Distribution> other = symbolizeDistribution(i))
      others.push_back(getDistributionFacts(*other).paramsKeyword);
  llvm::erase(others, "");
  llvm::erase(others, allowed);
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword, others)))
    return success();
  StringRef own = facts.paramsSyntax;
  InFlightDiagnostic error = parser.emitError(loc)
                             << "'" << state.name << "' op ";
  if (keyword == "sizes" || keyword == facts.paramsKeyword)
    return error << "expected '" << keyword << "(...)' once and in front of "
                 << (keyword == "sizes" ? "'slice'" : "'sizes' and 'slice'");
  if (keyword == "slice")
    return error << "draws all of its values: only stateless draws have a "
                    "slice, once and behind 'sizes'";
  if (own.empty())
    return error << "has no parameters but got '" << keyword << "'";
  return error << "has the parameters '" << own << "' but got '" << keyword
               << "'";
}

/// Resolves operands that are to be of types `expected`. Those of other types
/// are for the verifier, which can name the op and the rule.
static ParseResult
resolveForVerifier(OpAsmParser &parser,
                   ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                   TypeRange expected, SmallVectorImpl<Value> &resolved) {
  for (auto [operand, want] : llvm::zip_equal(operands, expected)) {
    FailureOr<Type> type = ir::getTypeOfOperand(parser, operand, want);
    if (failed(type) || parser.resolveOperand(operand, *type, resolved))
      return failure();
  }
  return success();
}

static ParseResult
resolveIndices(OpAsmParser &parser,
               ArrayRef<OpAsmParser::UnresolvedOperand> operands,
               SmallVectorImpl<Value> &resolved) {
  SmallVector<Type> types(operands.size(), parser.getBuilder().getIndexType());
  return resolveForVerifier(parser, operands, types, resolved);
}

/// Parses `attr-dict : type` and resolves params and sizes, which take their
/// types from it.
static ParseResult
parseDrawTail(OpAsmParser &parser, OperationState &state,
              const DistributionFacts &facts, SMLoc paramsLoc,
              ArrayRef<OpAsmParser::UnresolvedOperand> params,
              ArrayRef<OpAsmParser::UnresolvedOperand> sizes) {
  Type type;
  if (parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  if (params.size() != facts.numParams && !params.empty())
    return parser.emitError(paramsLoc, "expected ")
           << describeCount(facts.numParams, "operand") << " of '"
           << facts.paramsKeyword << "' but got " << params.size();
  if (params.empty() && facts.numParams != 0 && !facts.areParamsOptional)
    return parser.emitError(paramsLoc, "expected '")
           << facts.paramsKeyword << "(...)'";
  SmallVector<Type> types(params.size(),
                          facts.getParamType(getElementTypeOrSelf(type)));
  if (resolveForVerifier(parser, params, types, state.operands))
    return failure();
  return resolveIndices(parser, sizes, state.operands);
}

/// Parses the attribute dictionary. An attribute of the op with a value of the
/// wrong kind would be dropped silently later on, so it is refused here.
static ParseResult parseDrawAttributes(OpAsmParser &parser,
                                       OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  return state.name.verifyInherentAttrs(
      state.attributes, [&]() { return parser.emitError(loc); });
}

ParseResult ir::parseStatefulDraw(OpAsmParser &parser, OperationState &state,
                                  const DistributionFacts &facts) {
  FlatSymbolRefAttr generator;
  OptionalParseResult hasGenerator = parser.parseOptionalAttribute(
      generator, Type(), "generator", state.attributes);
  if (hasGenerator.has_value() && failed(*hasGenerator))
    return failure();
  SmallVector<OpAsmParser::UnresolvedOperand> params, sizes;
  SMLoc paramsLoc = parser.getCurrentLocation();
  if (parseOperandGroup(parser, facts.paramsKeyword, params) ||
      parseOperandGroup(parser, "sizes", sizes) ||
      parseNoOtherGroup(parser, state, facts) ||
      parseDrawAttributes(parser, state) ||
      parseDrawTail(parser, state, facts, paramsLoc, params, sizes))
    return failure();
  state.addAttribute("operandSegmentSizes",
                     parser.getBuilder().getDenseI32ArrayAttr(
                         {int32_t(params.size()), int32_t(sizes.size())}));
  return success();
}

void ir::printStatefulDraw(OpAsmPrinter &printer, StatefulDrawOpInterface op) {
  if (FlatSymbolRefAttr generator = op.getDrawGenerator())
    printer << ' ' << generator;
  printOperandGroup(printer,
                    getDistributionFacts(op.getDistribution()).paramsKeyword,
                    op.getDrawParams());
  printOperandGroup(printer, "sizes", op.getDrawSizes());
  printer.printOptionalAttrDict(op->getAttrs(),
                                {"generator", "operandSegmentSizes"});
  printer << " : " << op.getDrawType();
}

/// A snapshot and a seed are written in two ways, for what follows them means
/// two things: `expected` is the type of the one that is written.
static ParseResult checkStateForm(OpAsmParser &parser,
                                  const OperationState &state,
                                  const OpAsmParser::UnresolvedOperand &seed,
                                  Type expected) {
  FailureOr<Type> type = ir::getTypeOfOperand(parser, seed, expected);
  if (failed(type))
    return failure();
  bool isSnapshot = isSnapshotType(*type);
  if (*type == expected || (!isSnapshot && !type->isInteger(64)))
    return success();
  // C7
  return parser.emitError(seed.location)
         << "'" << state.name << "' op expected a state "
         << (isSnapshot ? "'%seed, %offset'" : "'%snapshot[%delta]'")
         << " to begin with " << expected << " but got " << *type
         << ": write it as "
         << (isSnapshot ? "'%snapshot[%delta]'" : "'%seed, %offset'");
}

ParseResult ir::parseStatelessDraw(OpAsmParser &parser, OperationState &state,
                                   const DistributionFacts &facts) {
  Builder &b = parser.getBuilder();
  OpAsmParser::UnresolvedOperand seed, offset;
  SmallVector<OpAsmParser::UnresolvedOperand> params, sizes;
  SmallVector<OpAsmParser::UnresolvedOperand> sliceOffsets, sliceSizes;
  Type seedType = b.getI64Type();
  if (parser.parseOperand(seed))
    return failure();
  if (succeeded(parser.parseOptionalLSquare())) {
    seedType = getSnapshotType(b.getContext());
    if (parser.parseOperand(offset) || parser.parseRSquare())
      return failure();
  } else if (parser.parseComma() || parser.parseOperand(offset)) {
    return failure();
  }
  SMLoc paramsLoc = parser.getCurrentLocation();
  if (checkStateForm(parser, state, seed, seedType) ||
      resolveForVerifier(parser, {seed, offset}, {seedType, b.getI64Type()},
                         state.operands) ||
      parseOperandGroup(parser, facts.paramsKeyword, params) ||
      parseOperandGroup(parser, "sizes", sizes) ||
      parseNoOtherGroup(parser, state, facts, "slice"))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("slice"))) {
    DenseI64ArrayAttr offsets, full;
    if (parseDynamicIndexList(parser, sliceOffsets, offsets) ||
        parser.parseKeyword("of") ||
        parseDynamicIndexList(parser, sliceSizes, full))
      return failure();
    state.addAttribute("staticSliceOffsets", offsets);
    state.addAttribute("staticSliceSizes", full);
  }
  if (parseNoOtherGroup(parser, state, facts) ||
      parseDrawAttributes(parser, state) ||
      parseDrawTail(parser, state, facts, paramsLoc, params, sizes) ||
      resolveIndices(parser, sliceOffsets, state.operands) ||
      resolveIndices(parser, sliceSizes, state.operands))
    return failure();
  state.addAttribute("operandSegmentSizes",
                     b.getDenseI32ArrayAttr({1, 1, int32_t(params.size()),
                                             int32_t(sizes.size()),
                                             int32_t(sliceOffsets.size()),
                                             int32_t(sliceSizes.size())}));
  return success();
}

void ir::printStatelessDraw(OpAsmPrinter &printer, StatelessDrawOpInterface op,
                            OperandRange sliceOffsets,
                            OperandRange sliceSizes) {
  if (isSnapshotType(op.getDrawSeed().getType()))
    printer << ' ' << op.getDrawSeed() << '[' << op.getDrawOffset() << ']';
  else
    printer << ' ' << op.getDrawSeed() << ", " << op.getDrawOffset();
  printOperandGroup(printer,
                    getDistributionFacts(op.getDistribution()).paramsKeyword,
                    op.getDrawParams());
  printOperandGroup(printer, "sizes", op.getDrawSizes());
  auto getStatic = [&](StringRef name) {
    return op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef();
  };
  if (op.hasSlice()) {
    printer << " slice ";
    printDynamicIndexList(printer, op, sliceOffsets,
                          getStatic("staticSliceOffsets"));
    printer << " of ";
    printDynamicIndexList(printer, op, sliceSizes,
                          getStatic("staticSliceSizes"));
  }
  SmallVector<StringRef> elided = {"operandSegmentSizes", "staticSliceOffsets",
                                   "staticSliceSizes"};
  if (op.getDrawAlgorithm() == getDefaultAlgorithm(op->getContext()))
    elided.push_back("algorithm");
  printer.printOptionalAttrDict(op->getAttrs(), elided);
  printer << " : " << op.getDrawType();
}
