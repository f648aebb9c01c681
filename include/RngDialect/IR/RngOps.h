//===- RngOps.h - Operations of the rng dialect -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGOPS_H
#define RNGDIALECT_IR_RNGOPS_H

#include "RngDialect/IR/RngAttrs.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir::rng {

class StatelessDrawOpInterface;

/// The state of all generators: what stateful draws read and write. An effect
/// on it that names a symbol is one on that generator alone, an effect without
/// a symbol one on the default generator.
struct RngStateResource : public SideEffects::Resource::Base<RngStateResource> {
  StringRef getName() final { return "RngState"; }
};

/// Appends to `effects` those of an op that reads or writes the state of
/// `generator` (null: the default one).
void addStateEffects(FlatSymbolRefAttr generator, bool reads, bool writes,
                     SmallVectorImpl<MemoryEffects::EffectInstance> &effects);

/// The type of a snapshot of (seed, offset): tensor<2xi64>.
RankedTensorType getSnapshotType(MLIRContext *context);
bool isSnapshotType(Type type);

/// Whether `type` has a shape that draws have: a ranked tensor, a vector of
/// fixed size or a scalar.
bool isDrawnShape(Type type);

/// What RngDistributions.td says of a distribution.
struct DistributionFacts {
  Distribution distribution;
  /// The element types that it draws: "i1, i8 or i16".
  llvm::StringLiteral elementNames;
  /// The operands in the assembly: "range", and "range(lo, hi)"; empty if there
  /// are none.
  llvm::StringLiteral paramsKeyword;
  llvm::StringLiteral paramsSyntax;
  unsigned numParams;
  /// Whether a draw may do without all of them.
  bool areParamsOptional;
  bool (*isDrawable)(Type elementType);
  /// The type of all operands of a draw of elements of `elementType`.
  Type (*getParamType)(Type elementType);
};
const DistributionFacts &getDistributionFacts(Distribution distribution);

namespace detail {
/// `params` and `sizes` are those of `op`, which draws `distribution`.
LogicalResult verifyDrawTypes(Operation *op, Distribution distribution,
                              ValueRange params, ValueRange sizes);
} // namespace detail

/// The constraints on the types of a draw (C1 to C5, C17).
template <typename ConcreteType>
class DrawTypes : public OpTrait::TraitBase<ConcreteType, DrawTypes> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    auto draw = cast<ConcreteType>(op);
    return detail::verifyDrawTypes(op, draw.getDistribution(), draw.getParams(),
                                   draw.getSizes());
  }
};

/// What an op does to a state.
enum class StateAccess {
  /// Looks at seed and offset.
  Read,
  /// Adds stream blocks to the offset, and may look at the state before.
  Advance,
  /// Makes its operands the state, without a look at the one before.
  Set
};

/// What stands for a state op at a state that is given as values.
struct StateReplacement {
  /// For the results of the op, in their order.
  SmallVector<Value, 2> results;
  /// The stream blocks by which the op advances (i64), if nothing can tell
  /// before it has run; else null.
  Value blocks;
};

namespace detail {
// The defaults of `StateOpInterface`.
bool isStatefulDraw(Operation *op);
OpFoldResult getDrawBlocks(Operation *op, RngAlgorithmAttrInterface algorithm);
std::optional<SmallVector<Value>> getDrawBlockOperands(Operation *op);
Value buildDrawBlocks(OpBuilder &b, Operation *op,
                      RngAlgorithmAttrInterface algorithm, ValueRange operands);
/// The stateless form of a draw; of another op the given seed and offset for
/// the results that are seed and offset.
StateReplacement buildStateOpAt(OpBuilder &b, Operation *op,
                                RngAlgorithmAttrInterface algorithm, Value seed,
                                Value offset);
LogicalResult verifyStateOp(Operation *op);
} // namespace detail

} // namespace mlir::rng

#include "RngDialect/IR/RngOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "RngDialect/IR/RngOps.h.inc"

namespace mlir::rng {

/// The algorithm of `generator` (the default generator if null), looked up from
/// `op`: the generator's attribute, else the module's `rng.default_algorithm`,
/// else `#rng.philox`. An unknown generator (an error found by the verifier)
/// yields the default.
RngAlgorithmAttrInterface lookupAlgorithm(Operation *op,
                                          FlatSymbolRefAttr generator);

/// What makes a stateless draw, besides its state.
struct StatelessDrawSpec {
  Distribution distribution;
  /// Null or `#rng.philox` is not stored on the op.
  RngAlgorithmAttrInterface algorithm;
  Type type;
  ValueRange params;
  /// Dynamic dimensions of `type`.
  ValueRange sizes;
  /// Both empty, or one entry a dimension of the logical draw.
  SmallVector<OpFoldResult> sliceOffsets;
  SmallVector<OpFoldResult> sliceSizes;
  bool aligned = false;
};

/// Creates the stateless draw that `spec` describes at (`seed`, `offset`), or
/// at stream block `offset` after the snapshot `seed`.
StatelessDrawOpInterface createStatelessDraw(OpBuilder &b, Location loc,
                                             const StatelessDrawSpec &spec,
                                             Value seed, Value offset);

} // namespace mlir::rng

#endif // RNGDIALECT_IR_RNGOPS_H
