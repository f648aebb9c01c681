//===- RngDialect.cpp - The rng dialect -------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/IR/CountWords.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/IR/SavedList.h"
#include "RngDrawVerifier.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::rng;

#include "RngDialect/IR/RngDialect.cpp.inc"

namespace {
/// Draws may be inlined anywhere: order is kept by their effects.
struct RngInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void RngDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "RngDialect/IR/RngOps.cpp.inc"
      >();
  addInterfaces<RngInlinerInterface>();
  registerBytecode();
}

Operation *RngDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

static LogicalResult verifyUnit(Operation *op, NamedAttribute attribute) {
  if (isa<UnitAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("expected '")
         << attribute.getName().getValue()
         << "' to be a unit attribute but got " << attribute.getValue();
}

/// Lowered to types that are not the builtin ones, functions have other
/// arguments and results than the list speaks of.
static LogicalResult verifySaved(FunctionOpInterface function,
                                 const SavedList &list) {
  if (!isa<FunctionType>(function.getFunctionType()))
    return success();
  for (SavedAttr entry : list) {
    unsigned count = SavedList::select(entry, function.getNumArguments(),
                                       function.getNumResults());
    if (entry.getIndex() >= count)
      return function.emitOpError("has ")
             << entry << " in '" << RngDialect::kSaved << "' but only "
             << describeCount(count, SavedList::select<StringRef>(
                                         entry, "argument", "result"));
  }
  return success();
}

/// The symbol that `op` calls `name`, null if there is none. A search goes
/// through all symbols, so it begins behind `op`, where `rng-partition` puts
/// what a function names.
static Operation *lookupSymbol(Operation *op, FlatSymbolRefAttr name) {
  Operation *next = op->getNextNode();
  if (next && next->getAttrOfType<StringAttr>(
                  SymbolTable::getSymbolAttrName()) == name.getAttr())
    return next;
  return SymbolTable::lookupNearestSymbolFrom(op, name);
}

/// Symbols of a function that is in no symbol table, such as one that a pass is
/// building, are not known yet.
static bool hasSymbolTable(Operation *op) {
  return op->getParentOp() &&
         SymbolTable::getNearestSymbolTable(op->getParentOp());
}

static LogicalResult verifyBackward(Operation *op, FlatSymbolRefAttr name) {
  if (!hasSymbolTable(op) ||
      isa_and_nonnull<FunctionOpInterface>(lookupSymbol(op, name)))
    return success();
  return op->emitOpError("expected '")
         << RngDialect::kBackward << "' to name a function but got " << name;
}

static LogicalResult verifyDraws(Operation *op, ArrayAttr draws) {
  if (!hasSymbolTable(op))
    return success();
  for (Attribute entry : draws) {
    auto generator = dyn_cast<FlatSymbolRefAttr>(entry);
    if (generator &&
        failed(ir::verifyGenerator(op, generator, lookupSymbol(op, generator))))
      return failure();
  }
  return success();
}

static LogicalResult verifyState(Operation *op, NamedAttribute attribute) {
  auto generator = dyn_cast<FlatSymbolRefAttr>(attribute.getValue());
  if (generator && hasSymbolTable(op))
    return ir::verifyGenerator(op, generator, lookupSymbol(op, generator));
  if (generator || isa<UnitAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("expected '")
         << attribute.getName().getValue()
         << "' to be a generator symbol (unit stands for the default "
            "generator) but got "
         << attribute.getValue();
}

// C13: this and the two functions after it.
LogicalResult RngDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  Attribute value = attribute.getValue();
  if (name == kSave || name == kRecompute) {
    if (name == kSave && op->hasAttr(kRecompute))
      return op->emitOpError("has both '")
             << kSave << "' and '" << kRecompute << "': keep one of them";
    return verifyUnit(op, attribute);
  }
  if (name == kInBackward)
    return verifyUnit(op, attribute);
  if (name == kDevice) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError("'")
             << name << "' is an attribute of a function only";
    return verifyUnit(op, attribute);
  }
  if (name == kDefaultAlgorithm) {
    if (!isa<ModuleOp>(op))
      return op->emitOpError("'")
             << name << "' is an attribute of a module only";
    if (!isa<RngAlgorithmAttrInterface>(value))
      return op->emitOpError("expected '")
             << name << "' to be an algorithm such as #rng.philox but got "
             << value;
    return success();
  }
  if (name == kDraws || name == kBackward || name == kSaved) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError("'")
             << name << "' is an attribute of a function only";
    if (name == kDraws && !cast<FunctionOpInterface>(op).isExternal())
      return op->emitOpError("'")
             << name
             << "' tells what an external function draws, but this one has a "
                "body that says so: remove the attribute";
    if (name == kBackward && !isa<FlatSymbolRefAttr>(value))
      return op->emitOpError("expected '")
             << name << "' to be a symbol but got " << value;
    if (name == kDraws &&
        !(isa<ArrayAttr>(value) &&
          llvm::all_of(cast<ArrayAttr>(value), [](Attribute entry) {
            return isa<FlatSymbolRefAttr, UnitAttr>(entry);
          })))
      return op->emitOpError("expected '")
             << name
             << "' to be an array of generator symbols (unit stands for the "
                "default generator) but got "
             << value;
    if (name == kSaved && !SavedList::isList(value))
      return op->emitOpError("expected '")
             << name << "' to be an array of #rng.saved but got " << value;
    if (name == kSaved)
      return verifySaved(cast<FunctionOpInterface>(op),
                         SavedList(cast<ArrayAttr>(value)));
    if (name == kBackward)
      return verifyBackward(op, cast<FlatSymbolRefAttr>(value));
    return verifyDraws(op, cast<ArrayAttr>(value));
  }
  return op->emitOpError("unknown attribute '")
         << name << "' of the rng dialect on an operation";
}

LogicalResult RngDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == kCotangent || name == kPersistent)
    return verifyUnit(op, attribute);
  if (name == kState)
    return verifyState(op, attribute);
  return op->emitOpError("unknown attribute '")
         << name << "' of the rng dialect on an argument: expected '"
         << kCotangent << "', '" << kPersistent << "' or '" << kState << "'";
}

LogicalResult
RngDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == kGradient || name == kPersistent)
    return verifyUnit(op, attribute);
  if (name == kState)
    return verifyState(op, attribute);
  return op->emitOpError("unknown attribute '")
         << name << "' of the rng dialect on a result: expected '" << kGradient
         << "', '" << kPersistent << "' or '" << kState << "'";
}
