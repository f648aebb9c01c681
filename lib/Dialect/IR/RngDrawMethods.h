//===- RngDrawMethods.h - What the draw ops are made of ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// The bodies of the methods that ODS declares for each draw (RngOps.td), once
/// for all distributions.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_IR_RNGDRAWMETHODS_H
#define RNGDIALECT_LIB_DIALECT_IR_RNGDRAWMETHODS_H

#include "RngDialect/IR/RngOps.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::rng::ir {

//===----------------------------------------------------------------------===//
// Assembly (RngDrawAssembly.cpp)
//===----------------------------------------------------------------------===//

ParseResult parseStatefulDraw(OpAsmParser &parser, OperationState &state,
                              const DistributionFacts &facts);
ParseResult parseStatelessDraw(OpAsmParser &parser, OperationState &state,
                               const DistributionFacts &facts);
void printStatefulDraw(OpAsmPrinter &printer, StatefulDrawOpInterface op);
/// `sliceOffsets` and `sliceSizes` are the dynamic ones.
void printStatelessDraw(OpAsmPrinter &printer, StatelessDrawOpInterface op,
                        OperandRange sliceOffsets, OperandRange sliceSizes);

//===----------------------------------------------------------------------===//
// Verification (RngDrawVerifier.cpp), besides that of types
//===----------------------------------------------------------------------===//

/// Refuses discardable attributes of a stateful draw that its stateless form,
/// the op `stateless`, has as inherent ones: threading copies the former, where
/// they would become the latter and say something else.
LogicalResult verifyStatefulDraw(StatefulDrawOpInterface op,
                                 OperationName stateless);

/// The generic form may spread the operands of a stateless draw over the
/// segments as it likes: one seed and one offset are wanted.
LogicalResult verifyState(Operation *op, unsigned numSeeds,
                          unsigned numOffsets);

/// Offsets and sizes have the rank of the logical draw, the result, of `type`,
/// covers the last dimensions, and what is static must be in bounds.
LogicalResult verifySlice(Operation *op, Type type,
                          std::optional<ArrayRef<int64_t>> offsets,
                          std::optional<ArrayRef<int64_t>> sizes,
                          size_t numDynamicOffsets, size_t numDynamicSizes);

//===----------------------------------------------------------------------===//
// Building (RngDraws.cpp)
//===----------------------------------------------------------------------===//

/// `StatefulDrawOpInterface::buildStateless`.
StatelessDrawOpInterface buildStateless(OpBuilder &b,
                                        StatefulDrawOpInterface op,
                                        RngAlgorithmAttrInterface algorithm,
                                        Value seed, Value offset);

/// `StatelessDrawOpInterface::buildSlice`.
StatelessDrawOpInterface
buildSlice(OpBuilder &b, Location loc, StatelessDrawOpInterface op, Type type,
           ValueRange params, ValueRange sizes, ArrayRef<OpFoldResult> offsets,
           ArrayRef<OpFoldResult> fullSizes, bool aligned);

/// The shape of a draw of the tensor `type` with dynamic dimensions `sizes`;
/// fails for other types.
LogicalResult reifyDrawShape(OpBuilder &b, Type type, ValueRange sizes,
                             ReifiedRankedShapedTypeDims &reified);

/// Static `values` with `operands` for the dynamic ones, none without `values`.
SmallVector<OpFoldResult> getMixedSlice(std::optional<ArrayRef<int64_t>> values,
                                        ValueRange operands,
                                        MLIRContext *context);

//===----------------------------------------------------------------------===//
// Folds (RngFolds.cpp)
//===----------------------------------------------------------------------===//

/// The constant value of the draw with the constants `params` (null where not
/// constant), if all its elements are known.
Attribute foldToConstant(StatelessDrawOpInterface op,
                         ArrayRef<Attribute> params);

/// Whether the slice is the whole logical draw: it starts at 0 and has its
/// shape, by equal constants or equal values.
bool isIdentitySlice(StatelessDrawOpInterface op);

//===----------------------------------------------------------------------===//
// Tiling (RngTiling.cpp)
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> getIteratorTypes(StatelessDrawOpInterface op);
SmallVector<Range> getDomain(OpBuilder &b, StatelessDrawOpInterface op);

/// Whether the tile of the result at `offsets` of `sizes` can be drawn.
bool isTile(StatelessDrawOpInterface op, ArrayRef<OpFoldResult> offsets,
            ArrayRef<OpFoldResult> sizes);

/// Draws that tile of the result.
FailureOr<TilingResult> drawTile(OpBuilder &b, StatelessDrawOpInterface op,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes);

/// Draws that tile of the loops: of the result, which has the same dimensions.
/// The `tensor.empty` into which drivers insert them has no encoding.
FailureOr<TilingResult> drawLoopTile(OpBuilder &b, StatelessDrawOpInterface op,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes);

/// A tile of the loops is the same tile of the result and the other way round.
LogicalResult mapTile(StatelessDrawOpInterface op,
                      ArrayRef<OpFoldResult> offsets,
                      ArrayRef<OpFoldResult> sizes,
                      SmallVectorImpl<OpFoldResult> &mappedOffsets,
                      SmallVectorImpl<OpFoldResult> &mappedSizes);

} // namespace mlir::rng::ir

#endif // RNGDIALECT_LIB_DIALECT_IR_RNGDRAWMETHODS_H
