//===- RngDraws.cpp - The draws ---------------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngOps.h"
#include "RngDialect/IR/StaticSizes.h"
#include "RngDrawVerifier.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::rng;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// How the operands of a distribution are written, empty if it has none.
static StringRef getParamsSyntax(Distribution distribution) {
  switch (distribution) {
  case Distribution::Uniform:
  case Distribution::Randint:
    return "range(lo, hi)";
  case Distribution::Normal:
  case Distribution::TruncatedNormal:
    return "params(mean, std)";
  case Distribution::Exponential:
    return "rate(lambda)";
  case Distribution::Bernoulli:
    return "prob(p)";
  case Distribution::Bits:
    return "";
  }
  llvm_unreachable("all distributions are named");
}

/// Keyword before the operands of a distribution in the assembly, empty if it
/// has none.
static StringRef getParamsKeyword(Distribution distribution) {
  return getParamsSyntax(distribution).split('(').first;
}

SmallVector<Type> mlir::rng::getParamTypes(Distribution distribution,
                                           Type elementType) {
  MLIRContext *context = elementType.getContext();
  Type f32 = Float32Type::get(context);
  switch (distribution) {
  case Distribution::Uniform:
  case Distribution::Normal:
  case Distribution::TruncatedNormal: {
    Type bound = elementType.isF64() ? elementType : f32;
    return {bound, bound};
  }
  case Distribution::Exponential:
    return {elementType.isF64() ? elementType : f32};
  case Distribution::Randint:
    return {elementType, elementType};
  case Distribution::Bernoulli:
    return {f32};
  case Distribution::Bits:
    return {};
  }
  llvm_unreachable("all distributions have parameters");
}

bool mlir::rng::areParamsOptional(Distribution distribution) {
  return distribution == Distribution::Uniform ||
         distribution == Distribution::Normal ||
         distribution == Distribution::TruncatedNormal ||
         distribution == Distribution::Exponential;
}

static bool isDrawable(Distribution distribution, Type elementType) {
  switch (distribution) {
  case Distribution::Uniform:
  case Distribution::Normal:
  case Distribution::TruncatedNormal:
  case Distribution::Exponential:
    return elementType.isF16() || elementType.isBF16() || elementType.isF32() ||
           elementType.isF64();
  case Distribution::Bernoulli:
    return elementType.isSignlessInteger(1);
  case Distribution::Bits:
    if (elementType.isSignlessInteger(1))
      return true;
    [[fallthrough]];
  case Distribution::Randint:
    return elementType.isSignlessInteger(8) ||
           elementType.isSignlessInteger(16) ||
           elementType.isSignlessInteger(32) ||
           elementType.isSignlessInteger(64);
  }
  llvm_unreachable("all distributions have types");
}

static StringRef getDrawableNames(Distribution distribution) {
  switch (distribution) {
  case Distribution::Uniform:
  case Distribution::Normal:
  case Distribution::TruncatedNormal:
  case Distribution::Exponential:
    return "f16, bf16, f32 or f64";
  case Distribution::Bernoulli:
    return "i1";
  case Distribution::Bits:
    return "i1, i8, i16, i32 or i64";
  case Distribution::Randint:
    return "i8, i16, i32 or i64";
  }
  llvm_unreachable("all distributions have types");
}

LogicalResult mlir::rng::verifyDrawType(Operation *op,
                                        Distribution distribution, Type type,
                                        size_t numSizes) {
  auto shaped = dyn_cast<ShapedType>(type);
  // C1
  if (shaped && !isa<RankedTensorType, VectorType>(type))
    return op->emitOpError("expected to draw a ranked tensor, a vector or a "
                           "scalar but got ")
           << type;
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
    return op->emitOpError("expected a vector of fixed size but got ") << type;
  // C2
  Type elementType = getElementTypeOrSelf(type);
  if (!isDrawable(distribution, elementType))
    return op->emitOpError("expected elements of type ")
           << getDrawableNames(distribution) << " but got " << elementType;
  // C3
  size_t numDynamic = shaped ? shaped.getNumDynamicDims() : 0;
  if (numDynamic != numSizes)
    return op->emitOpError("expected ")
           << numDynamic << " sizes, one for each dynamic dimension of " << type
           << ", but got " << numSizes;
  return success();
}

// C17: of the numbers that are drawn here. The logical draw of a slice, and
// what `rng.advance` names, may be larger: nobody has all of it in memory.
static LogicalResult verifyResultSize(Operation *op, Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || countStaticBytes(shaped) <= kMaxBytes)
    return success();
  return op->emitOpError("draws more than 2^62 bytes, which no machine "
                         "addresses: draw slices of ")
         << type;
}

static LogicalResult verifyDraw(Operation *op, Distribution distribution,
                                Type type, OperandRange params,
                                OperandRange sizes) {
  if (failed(verifyDrawType(op, distribution, type, sizes.size())) ||
      failed(verifyResultSize(op, type)))
    return failure();
  SmallVector<Type> expected =
      getParamTypes(distribution, getElementTypeOrSelf(type));
  if (params.empty() && areParamsOptional(distribution))
    return success();
  // C5
  StringRef keyword = getParamsKeyword(distribution);
  if (params.size() != expected.size())
    return op->emitOpError("expected ")
           << expected.size() << " operands of '" << keyword << "' but got "
           << params.size();
  // C4
  for (auto [param, want] : llvm::zip_equal(params, expected))
    if (param.getType() != want)
      return op->emitOpError("expected operands of '")
             << keyword << "' of type " << want << " but got "
             << param.getType();
  return success();
}

/// Refuses discardable attributes of a stateful draw that its stateless form
/// has as inherent ones: threading copies the former, where they would become
/// the latter and say something else.
static LogicalResult verifyDiscardableAttributes(StatefulDrawOpInterface op,
                                                 OperationName stateless) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringAttr name = attribute.getName();
    // C18
    if (!llvm::is_contained(stateless.getAttributeNames(), name))
      continue;
    InFlightDiagnostic error = op->emitOpError("has the attribute ")
                               << name << ", which only '" << stateless
                               << "' has: ";
    if (isa<RngAlgorithmAttrInterface>(attribute.getValue()))
      return error << "give the algorithm to the 'rng.generator', or to the "
                      "module as '"
                   << RngDialect::kDefaultAlgorithm << "'";
    return error << "remove it";
  }
  return success();
}

// C7: the generic form may spread the operands over the segments as it likes.
static LogicalResult verifyState(Operation *op, unsigned numSeeds,
                                 unsigned numOffsets) {
  if (numSeeds == 1 && numOffsets == 1)
    return success();
  return op->emitOpError(
             "expected one seed or snapshot and one offset but got ")
         << numSeeds << " and " << numOffsets;
}

/// Offsets and sizes have the rank of the logical draw, the result covers the
/// last dimensions, and what is static must be in bounds.
static LogicalResult verifySlice(Operation *op, Type type,
                                 std::optional<ArrayRef<int64_t>> offsets,
                                 std::optional<ArrayRef<int64_t>> sizes,
                                 size_t numDynamicOffsets,
                                 size_t numDynamicSizes) {
  // C8
  if (offsets.has_value() != sizes.has_value())
    return op->emitOpError("expected slice offsets and sizes together");
  if (!offsets) {
    if (numDynamicOffsets || numDynamicSizes)
      return op->emitOpError("has slice operands but no slice");
    return success();
  }
  if (offsets->size() != sizes->size())
    return op->emitOpError("expected as many slice sizes as offsets (")
           << offsets->size() << ") but got " << sizes->size();
  auto countDynamic = [](ArrayRef<int64_t> values) {
    return size_t(llvm::count(values, ShapedType::kDynamic));
  };
  if (countDynamic(*offsets) != numDynamicOffsets ||
      countDynamic(*sizes) != numDynamicSizes)
    return op->emitOpError(
        "expected one operand for each dynamic slice offset and size");
  auto shaped = dyn_cast<ShapedType>(type);
  ArrayRef<int64_t> shape = shaped ? shaped.getShape() : ArrayRef<int64_t>();
  if (offsets->size() < shape.size())
    return op->emitOpError("expected at least ")
           << shape.size() << " slice indices for a result of type " << type
           << " but got " << offsets->size();
  size_t numLeading = offsets->size() - shape.size();
  for (size_t d = 0; d < offsets->size(); ++d) {
    int64_t offset = (*offsets)[d], full = (*sizes)[d];
    int64_t extent = d < numLeading ? 1 : shape[d - numLeading];
    bool hasOffset = !ShapedType::isDynamic(offset);
    bool hasFull = !ShapedType::isDynamic(full);
    bool hasExtent = !ShapedType::isDynamic(extent);
    // C9
    if ((hasOffset && offset < 0) || (hasFull && full < 0))
      return op->emitOpError("expected slice offsets and sizes that are not "
                             "negative but got ")
             << (hasOffset && offset < 0 ? offset : full) << " in dimension "
             << d;
    // C10. Written so that nothing overflows: a dynamic offset is at least 0.
    int64_t start = hasOffset ? offset : 0;
    if (hasFull && hasExtent && (extent > full || start > full - extent))
      return op->emitOpError("slice is out of bounds in dimension ")
             << d << ": expected " << start << " + " << extent
             << " to be at most " << full;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

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
                                     Distribution distribution,
                                     StringRef allowed = "") {
  SmallVector<StringRef> others = {"range", "params", "rate",
                                   "prob",  "sizes",  "slice"};
  llvm::erase(others, allowed);
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword, others)))
    return success();
  StringRef own = getParamsSyntax(distribution);
  InFlightDiagnostic error = parser.emitError(loc)
                             << "'" << state.name << "' op ";
  if (keyword == "sizes" || keyword == getParamsKeyword(distribution))
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
    FailureOr<Type> type = getTypeOfOperand(parser, operand, want);
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
              Distribution distribution, SMLoc paramsLoc,
              ArrayRef<OpAsmParser::UnresolvedOperand> params,
              ArrayRef<OpAsmParser::UnresolvedOperand> sizes) {
  Type type;
  if (parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  SmallVector<Type> types =
      getParamTypes(distribution, getElementTypeOrSelf(type));
  if (params.size() != types.size() && !params.empty())
    return parser.emitError(paramsLoc, "expected ")
           << types.size() << " operands of '" << getParamsKeyword(distribution)
           << "' but got " << params.size();
  if (params.empty() && !types.empty() && !areParamsOptional(distribution))
    return parser.emitError(paramsLoc, "expected '")
           << getParamsKeyword(distribution) << "(...)'";
  if (!params.empty() &&
      resolveForVerifier(parser, params, types, state.operands))
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

static ParseResult parseStatefulDraw(OpAsmParser &parser, OperationState &state,
                                     Distribution distribution) {
  FlatSymbolRefAttr generator;
  OptionalParseResult hasGenerator = parser.parseOptionalAttribute(
      generator, Type(), "generator", state.attributes);
  if (hasGenerator.has_value() && failed(*hasGenerator))
    return failure();
  SmallVector<OpAsmParser::UnresolvedOperand> params, sizes;
  SMLoc paramsLoc = parser.getCurrentLocation();
  if (parseOperandGroup(parser, getParamsKeyword(distribution), params) ||
      parseOperandGroup(parser, "sizes", sizes) ||
      parseNoOtherGroup(parser, state, distribution) ||
      parseDrawAttributes(parser, state) ||
      parseDrawTail(parser, state, distribution, paramsLoc, params, sizes))
    return failure();
  state.addAttribute("operandSegmentSizes",
                     parser.getBuilder().getDenseI32ArrayAttr(
                         {int32_t(params.size()), int32_t(sizes.size())}));
  return success();
}

static void printStatefulDraw(OpAsmPrinter &printer,
                              StatefulDrawOpInterface op) {
  if (FlatSymbolRefAttr generator = op.getDrawGenerator())
    printer << ' ' << generator;
  printOperandGroup(printer, getParamsKeyword(op.getDistribution()),
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
  FailureOr<Type> type = getTypeOfOperand(parser, seed, expected);
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

static ParseResult parseStatelessDraw(OpAsmParser &parser,
                                      OperationState &state,
                                      Distribution distribution) {
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
      parseOperandGroup(parser, getParamsKeyword(distribution), params) ||
      parseOperandGroup(parser, "sizes", sizes) ||
      parseNoOtherGroup(parser, state, distribution, "slice"))
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
  if (parseNoOtherGroup(parser, state, distribution) ||
      parseDrawAttributes(parser, state) ||
      parseDrawTail(parser, state, distribution, paramsLoc, params, sizes) ||
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

template <typename OpTy>
static void printStatelessDraw(OpAsmPrinter &printer, OpTy op) {
  if (isSnapshotType(op.getSeed().getType()))
    printer << ' ' << op.getSeed() << '[' << op.getOffset() << ']';
  else
    printer << ' ' << op.getSeed() << ", " << op.getOffset();
  printOperandGroup(printer, getParamsKeyword(op.getDistribution()),
                    op.getParams());
  printOperandGroup(printer, "sizes", op.getSizes());
  if (op.hasSlice()) {
    printer << " slice ";
    printDynamicIndexList(printer, op, op.getSliceOffsets(),
                          *op.getStaticSliceOffsets());
    printer << " of ";
    printDynamicIndexList(printer, op, op.getSliceSizes(),
                          *op.getStaticSliceSizes());
  }
  SmallVector<StringRef> elided = {"operandSegmentSizes", "staticSliceOffsets",
                                   "staticSliceSizes"};
  if (op.getAlgorithmAttr() == getDefaultAlgorithm(op.getContext()))
    elided.push_back("algorithm");
  printer.printOptionalAttrDict(op->getAttrs(), elided);
  printer << " : " << op.getResult().getType();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

StatelessDrawOpInterface
mlir::rng::createStatelessDraw(OpBuilder &b, Location loc,
                               const StatelessDrawSpec &spec, Value seed,
                               Value offset) {
  OperationState state(
      loc, ("rng.stateless_" + stringifyDistribution(spec.distribution)).str());
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchIndexOpFoldResults(spec.sliceOffsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(spec.sliceSizes, dynamicSizes, staticSizes);
  state.addOperands({seed, offset});
  state.addOperands(spec.params);
  state.addOperands(spec.sizes);
  state.addOperands(dynamicOffsets);
  state.addOperands(dynamicSizes);
  state.addTypes(spec.type);
  state.addAttribute("operandSegmentSizes",
                     b.getDenseI32ArrayAttr({1, 1, int32_t(spec.params.size()),
                                             int32_t(spec.sizes.size()),
                                             int32_t(dynamicOffsets.size()),
                                             int32_t(dynamicSizes.size())}));
  // A scalar that is a piece of a scalar draw has a slice of rank 0, which is
  // no slice.
  if (!spec.sliceOffsets.empty()) {
    state.addAttribute("staticSliceOffsets",
                       b.getDenseI64ArrayAttr(staticOffsets));
    state.addAttribute("staticSliceSizes", b.getDenseI64ArrayAttr(staticSizes));
  }
  if (spec.algorithm && spec.algorithm != getDefaultAlgorithm(b.getContext()))
    state.addAttribute("algorithm", spec.algorithm);
  if (spec.aligned)
    state.addAttribute("aligned", b.getUnitAttr());
  return cast<StatelessDrawOpInterface>(b.create(state));
}

StatefulDrawOpInterface
mlir::rng::createStatefulDraw(OpBuilder &b, Location loc,
                              Distribution distribution,
                              FlatSymbolRefAttr generator, Type type,
                              ValueRange params, ValueRange sizes) {
  OperationState state(loc,
                       ("rng." + stringifyDistribution(distribution)).str());
  state.addOperands(params);
  state.addOperands(sizes);
  state.addTypes(type);
  state.addAttribute(
      "operandSegmentSizes",
      b.getDenseI32ArrayAttr({int32_t(params.size()), int32_t(sizes.size())}));
  if (generator)
    state.addAttribute("generator", generator);
  return cast<StatefulDrawOpInterface>(b.create(state));
}

/// The stateless form of a stateful draw; its discardable attributes (orders to
/// the partition among them) go along.
static StatelessDrawOpInterface toStateless(OpBuilder &b,
                                            StatefulDrawOpInterface op,
                                            RngAlgorithmAttrInterface algorithm,
                                            Value seed, Value offset) {
  StatelessDrawSpec spec;
  spec.distribution = op.getDistribution();
  spec.algorithm = algorithm;
  spec.type = op.getDrawType();
  spec.params = op.getDrawParams();
  spec.sizes = op.getDrawSizes();
  StatelessDrawOpInterface draw =
      createStatelessDraw(b, op.getLoc(), spec, seed, offset);
  draw->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return draw;
}

static StatelessDrawOpInterface
toSlice(OpBuilder &b, Location loc, StatelessDrawOpInterface op, Type type,
        ValueRange params, ValueRange sizes, ArrayRef<OpFoldResult> offsets,
        ArrayRef<OpFoldResult> fullSizes, bool aligned) {
  StatelessDrawSpec spec;
  spec.distribution = op.getDistribution();
  spec.algorithm = op.getDrawAlgorithm();
  spec.type = type;
  spec.params = params;
  spec.sizes = sizes;
  spec.sliceOffsets = llvm::to_vector(offsets);
  spec.sliceSizes = llvm::to_vector(fullSizes);
  spec.aligned = aligned;
  StatelessDrawOpInterface draw =
      createStatelessDraw(b, loc, spec, op.getDrawSeed(), op.getDrawOffset());
  draw->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return draw;
}

static LogicalResult reifyShape(OpBuilder &b, Type type, ValueRange sizes,
                                ReifiedRankedShapedTypeDims &reified) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return failure();
  reified.push_back(getMixedValues(tensor.getShape(), sizes, b));
  return success();
}

static SmallVector<OpFoldResult>
getMixed(std::optional<ArrayRef<int64_t>> values, ValueRange operands,
         MLIRContext *context) {
  if (!values)
    return {};
  return getMixedValues(*values, operands, context);
}

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

#define RNG_STATEFUL_DRAW(OpTy, CASE)                                          \
  Distribution OpTy::getDistribution() { return Distribution::CASE; }          \
  RngAlgorithmAttrInterface OpTy::getDrawAlgorithm() {                         \
    return lookupAlgorithm(*this, getGeneratorAttr());                         \
  }                                                                            \
  StatelessDrawOpInterface OpTy::buildStateless(                               \
      OpBuilder &b, RngAlgorithmAttrInterface algorithm, Value seed,           \
      Value offset) {                                                          \
    return toStateless(b, *this, algorithm, seed, offset);                     \
  }                                                                            \
  ParseResult OpTy::parse(OpAsmParser &parser, OperationState &state) {        \
    return parseStatefulDraw(parser, state, Distribution::CASE);               \
  }                                                                            \
  void OpTy::print(OpAsmPrinter &printer) {                                    \
    printStatefulDraw(printer, *this);                                         \
  }                                                                            \
  LogicalResult OpTy::verify() {                                               \
    if (failed(verifyDraw(*this, Distribution::CASE, getType(), getParams(),   \
                          getSizes())))                                        \
      return failure();                                                        \
    return verifyDiscardableAttributes(                                        \
        *this,                                                                 \
        OperationName(Stateless##OpTy::getOperationName(), getContext()));     \
  }                                                                            \
  LogicalResult OpTy::verifySymbolUses(SymbolTableCollection &symbolTable) {   \
    return verifyGenerator(*this, getGeneratorAttr(), symbolTable);            \
  }                                                                            \
  LogicalResult OpTy::reifyResultShapes(                                       \
      OpBuilder &b, ReifiedRankedShapedTypeDims &reified) {                    \
    return reifyShape(b, getType(), getSizes(), reified);                      \
  }

RNG_STATEFUL_DRAW(BitsOp, Bits)
RNG_STATEFUL_DRAW(UniformOp, Uniform)
RNG_STATEFUL_DRAW(BernoulliOp, Bernoulli)
RNG_STATEFUL_DRAW(RandintOp, Randint)
RNG_STATEFUL_DRAW(NormalOp, Normal)
RNG_STATEFUL_DRAW(TruncatedNormalOp, TruncatedNormal)
RNG_STATEFUL_DRAW(ExponentialOp, Exponential)

#undef RNG_STATEFUL_DRAW

#define RNG_STATELESS_DRAW(OpTy, CASE)                                         \
  Distribution OpTy::getDistribution() { return Distribution::CASE; }          \
  RngAlgorithmAttrInterface OpTy::getDrawAlgorithm() {                         \
    if (RngAlgorithmAttrInterface algorithm = getAlgorithmAttr())              \
      return algorithm;                                                        \
    return getDefaultAlgorithm(getContext());                                  \
  }                                                                            \
  SmallVector<OpFoldResult> OpTy::getMixedSliceOffsets() {                     \
    return getMixed(getStaticSliceOffsets(), getSliceOffsets(), getContext()); \
  }                                                                            \
  SmallVector<OpFoldResult> OpTy::getMixedSliceSizes() {                       \
    return getMixed(getStaticSliceSizes(), getSliceSizes(), getContext());     \
  }                                                                            \
  StatefulDrawOpInterface OpTy::buildStateful(OpBuilder &b,                    \
                                              FlatSymbolRefAttr generator) {   \
    return createStatefulDraw(b, getLoc(), Distribution::CASE, generator,      \
                              getType(), getParams(), getSizes());             \
  }                                                                            \
  StatelessDrawOpInterface OpTy::buildSlice(                                   \
      OpBuilder &b, Location loc, Type type, ValueRange params,                \
      ValueRange sizes, ArrayRef<OpFoldResult> sliceOffsets,                   \
      ArrayRef<OpFoldResult> sliceSizes, bool aligned) {                       \
    return toSlice(b, loc, *this, type, params, sizes, sliceOffsets,           \
                   sliceSizes, aligned);                                       \
  }                                                                            \
  ParseResult OpTy::parse(OpAsmParser &parser, OperationState &state) {        \
    return parseStatelessDraw(parser, state, Distribution::CASE);              \
  }                                                                            \
  void OpTy::print(OpAsmPrinter &printer) {                                    \
    printStatelessDraw(printer, *this);                                        \
  }                                                                            \
  LogicalResult OpTy::verify() {                                               \
    if (failed(verifyState(*this, getODSOperandIndexAndLength(0).second,       \
                           getODSOperandIndexAndLength(1).second)) ||          \
        failed(verifyDraw(*this, Distribution::CASE, getType(), getParams(),   \
                          getSizes())))                                        \
      return failure();                                                        \
    return verifySlice(*this, getType(), getStaticSliceOffsets(),              \
                       getStaticSliceSizes(), getSliceOffsets().size(),        \
                       getSliceSizes().size());                                \
  }                                                                            \
  LogicalResult OpTy::reifyResultShapes(                                       \
      OpBuilder &b, ReifiedRankedShapedTypeDims &reified) {                    \
    return reifyShape(b, getType(), getSizes(), reified);                      \
  }

RNG_STATELESS_DRAW(StatelessBitsOp, Bits)
RNG_STATELESS_DRAW(StatelessUniformOp, Uniform)
RNG_STATELESS_DRAW(StatelessBernoulliOp, Bernoulli)
RNG_STATELESS_DRAW(StatelessRandintOp, Randint)
RNG_STATELESS_DRAW(StatelessNormalOp, Normal)
RNG_STATELESS_DRAW(StatelessTruncatedNormalOp, TruncatedNormal)
RNG_STATELESS_DRAW(StatelessExponentialOp, Exponential)

#undef RNG_STATELESS_DRAW
