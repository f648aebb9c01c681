//===- TorchEager.cpp - What PyTorch draws eagerly on CUDA ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CurandConversion.h"
#include "TorchIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

/// Threads of a thread block of PyTorch's kernels: a draw takes a multiple of
/// them.
static constexpr uint64_t kThreadsPerBlock = 256;

/// More than any device runs at once; products with it do not overflow.
static constexpr uint64_t kMaxThreads = uint64_t(1) << 31;

LogicalResult
TorchEagerAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       uint64_t threads) {
  // C14
  if (threads == 0 || threads % kThreadsPerBlock != 0 || threads > kMaxThreads)
    return emitError() << "expected 'threads' to be a multiple of "
                       << kThreadsPerBlock << " from " << kThreadsPerBlock
                       << " to " << kMaxThreads
                       << " but got "
                       // A negative number is parsed mod 2^64.
                       << int64_t(threads);
  return success();
}

namespace {
class TorchEagerConversion : public TorchIntegers<CurandConversion> {
protected:
  Value buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                    ArrayRef<Value> words, Value lo, Value hi) const override {
    // Bounds and their distance in the type, the rest in f32 or f64.
    RoundedRange range = buildRoundedRange(b, elementType, lo, hi);
    Value value = math::FmaOp::create(b, buildRaw(b, words),
                                      buildExtended(b, range.width),
                                      buildExtended(b, range.lo));
    return buildReplaceEqual(b, buildRound(b, elementType, value), range.hi,
                             range.lo);
  }
};
} // namespace

const WordConversion &TorchEagerAttr::getConversion() const {
  static const TorchEagerConversion conversion;
  return conversion;
}

unsigned TorchEagerAttr::getSlotsPerBlock(Distribution,
                                          Type elementType) const {
  return getWordsPerBlock() / getWordsPerValue(elementType);
}

uint64_t TorchEagerAttr::getAdvanceDivisor(Distribution distribution,
                                           Type elementType) const {
  return getSlotsPerBlock(distribution, elementType) * getThreads();
}

unsigned TorchEagerAttr::getValuesPerBlock(Distribution, Type) const {
  // The values of a stream block are `threads` elements apart.
  return 1;
}

// A stream block is known by its thread and its number there, which travel as
// one number: number * threads + thread.
ElementPlace TorchEagerAttr::placeElement(ImplicitLocOpBuilder &b,
                                          Distribution distribution,
                                          Type elementType, Value index) const {
  Value threads = createIntegerConstant(b, index.getType(), getThreads());
  Value thread = arith::RemUIOp::create(b, index, threads);
  ElementPlace place =
      buildLinearPlace(b, arith::DivUIOp::create(b, index, threads),
                       getSlotsPerBlock(distribution, elementType));
  Value first = arith::MulIOp::create(b, place.block, threads);
  return {arith::AddIOp::create(b, first, thread), place.slot};
}

CounterAndKey TorchEagerAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                           Value offset, Value block) const {
  Value threads = createIntegerConstant(b, block.getType(), getThreads());
  Value thread = arith::RemUIOp::create(b, block, threads);
  Value number = arith::DivUIOp::create(b, block, threads);
  Wide128 counter = buildAdd128(b, {offset, thread}, number);
  return buildCounterAndKey(b, counter.low, counter.high, seed);
}
