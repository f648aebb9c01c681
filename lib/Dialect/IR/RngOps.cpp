//===- RngOps.cpp - Generators, their state, advance ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngOps.h"
#include "RngDrawMethods.h"
#include "RngDrawVerifier.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::rng;

#include "RngDialect/IR/RngOpInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

FailureOr<Type>
ir::getTypeOfOperand(OpAsmParser &parser,
                     const OpAsmParser::UnresolvedOperand &operand,
                     Type expected) {
  // The parser tells the type of a value only in the error that it is another
  // one than expected.
  FailureOr<Type> type = failure();
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(
      parser.getContext(), [&](Diagnostic &diagnostic) {
        SmallVector<Type> types;
        for (DiagnosticArgument &argument : diagnostic.getArguments())
          if (argument.getKind() ==
              DiagnosticArgument::DiagnosticArgumentKind::Type)
            types.push_back(argument.getAsType());
        // Other errors, and those of other threads, are for other handlers.
        if (llvm::get_threadid() != thread || types.size() != 2 ||
            types[0] != expected)
          return failure();
        type = types[1];
        return success();
      });
  SmallVector<Value, 1> resolved;
  if (succeeded(parser.resolveOperand(operand, expected, resolved)))
    return expected;
  return type;
}

/// Parses an operand that is to be an i64. One of another type is for the
/// verifier, which can name the op and what it wants.
static ParseResult parseI64Operand(OpAsmParser &parser,
                                   OpAsmParser::UnresolvedOperand &operand,
                                   Type &type) {
  if (parser.parseOperand(operand))
    return failure();
  FailureOr<Type> found =
      ir::getTypeOfOperand(parser, operand, parser.getBuilder().getI64Type());
  if (failed(found))
    return failure();
  type = *found;
  return success();
}

static void printI64Operand(OpAsmPrinter &printer, Operation *, Value operand,
                            Type) {
  printer << operand;
}

/// The same for sizes, which are to be of type index.
static ParseResult
parseSizeOperands(OpAsmParser &parser,
                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                  SmallVectorImpl<Type> &types) {
  if (parser.parseOperandList(operands))
    return failure();
  for (const OpAsmParser::UnresolvedOperand &operand : operands) {
    FailureOr<Type> found = ir::getTypeOfOperand(
        parser, operand, parser.getBuilder().getIndexType());
    if (failed(found))
      return failure();
    types.push_back(*found);
  }
  return success();
}

static void printSizeOperands(OpAsmPrinter &printer, Operation *,
                              OperandRange operands, TypeRange) {
  printer << operands;
}

#define GET_OP_CLASSES
#include "RngDialect/IR/RngOps.cpp.inc"

RankedTensorType mlir::rng::getSnapshotType(MLIRContext *context) {
  return RankedTensorType::get({2}, IntegerType::get(context, 64));
}

bool mlir::rng::isSnapshotType(Type type) {
  return type == getSnapshotType(type.getContext());
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

void mlir::rng::addStateEffects(
    FlatSymbolRefAttr generator, bool reads, bool writes,
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto add = [&](auto *effect) {
    if (generator)
      effects.emplace_back(effect, generator, RngStateResource::get());
    else
      effects.emplace_back(effect, RngStateResource::get());
  };
  if (reads)
    add(MemoryEffects::Read::get());
  if (writes)
    add(MemoryEffects::Write::get());
}

RngAlgorithmAttrInterface
mlir::rng::lookupAlgorithm(Operation *op, FlatSymbolRefAttr generator) {
  if (generator)
    if (auto declaration =
            SymbolTable::lookupNearestSymbolFrom<GeneratorOp>(op, generator))
      if (RngAlgorithmAttrInterface algorithm = declaration.getAlgorithmAttr())
        return algorithm;
  // The nearest module that says something wins.
  for (Operation *scope = op; scope; scope = scope->getParentOp())
    if (auto algorithm = scope->getAttrOfType<RngAlgorithmAttrInterface>(
            RngDialect::kDefaultAlgorithm))
      return algorithm;
  return getDefaultAlgorithm(op->getContext());
}

LogicalResult ir::verifyGenerator(Operation *op, FlatSymbolRefAttr generator,
                                  SymbolTableCollection &symbolTable) {
  if (!generator)
    return success();
  return verifyGenerator(op, generator,
                         symbolTable.lookupNearestSymbolFrom(op, generator));
}

LogicalResult ir::verifyGenerator(Operation *op, FlatSymbolRefAttr generator,
                                  Operation *symbol) {
  // C6
  if (!symbol)
    return op->emitOpError("unknown generator ")
           << generator << ": declare it with 'rng.generator " << generator
           << "'";
  if (isa<GeneratorOp>(symbol))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expected ")
                            << generator
                            << " to be an 'rng.generator' but got '"
                            << symbol->getName() << "'";
  diag.attachNote(symbol->getLoc()) << "symbol defined here";
  return diag;
}

LogicalResult GeneratorOp::verify() {
  // C16
  if (getSymName().empty())
    return emitOpError("expected a name: the generator without one is the "
                       "default generator, which needs no declaration");
  if (getSymName().contains('\0'))
    return emitOpError(
        "expected a name without a NUL, which ends the name of a "
        "generator in the runtime");
  return success();
}

LogicalResult ReserveMemoryOp::verify() {
  // C11
  auto type = cast<MemRefType>(getMemory().getType());
  if (type.getDimSize(0) != 2)
    return emitOpError("expected memory of type 'memref<2xi64>' but got ")
           << type;
  return success();
}

//===----------------------------------------------------------------------===//
// SplitOp
//===----------------------------------------------------------------------===//

LogicalResult SplitOp::verify() {
  // C15
  if (getNumResults() == 0)
    return emitOpError("expected at least one result");
  return success();
}

//===----------------------------------------------------------------------===//
// AdvanceOp
//===----------------------------------------------------------------------===//

RngAlgorithmAttrInterface AdvanceOp::getDrawAlgorithm() {
  if (RngAlgorithmAttrInterface algorithm = getAlgorithmAttr())
    return algorithm;
  return getDefaultAlgorithm(getContext());
}

LogicalResult AdvanceOp::verify() {
  return ir::verifyDrawType(*this, getDistribution(), getDrawType(),
                            getSizes().size());
}

namespace {
/// `rng.advance` of a static number of stream blocks is an addition.
struct AdvanceByConstant : public OpRewritePattern<AdvanceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AdvanceOp op,
                                PatternRewriter &rewriter) const final {
    std::optional<uint64_t> blocks = op.getDrawAlgorithm().getStaticAdvance(
        op.getDistribution(), op.getDrawType());
    if (!blocks)
      return rewriter.notifyMatchFailure(op,
                                         "number of stream blocks is dynamic");
    Value value = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getI64IntegerAttr(int64_t(*blocks)));
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, op.getOffset(), value);
    return success();
  }
};
} // namespace

void AdvanceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<AdvanceByConstant>(context);
}
