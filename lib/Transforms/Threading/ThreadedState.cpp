//===- ThreadedState.cpp - A generator's state as values --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadedState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::threading;

Value ThreadedState::getOffset(OpBuilder &b, Location loc) {
  assert(seed && "a generator whose state nothing has brought here");
  if (offset)
    return offset;
  offset = base;
  if (delta || !base) {
    offset = arith::ConstantOp::create(
        b, loc, b.getI64IntegerAttr(static_cast<int64_t>(delta)));
    if (base)
      offset = arith::AddIOp::create(b, loc, base, offset);
  }
  return offset;
}

std::pair<Value, Value> ThreadedState::getPair(OpBuilder &b, Location loc) {
  if (!isSnapshot())
    return {seed, getOffset(b, loc)};
  auto extract = [&](int64_t word) -> Value {
    Value index = arith::ConstantIndexOp::create(b, loc, word);
    return tensor::ExtractOp::create(b, loc, seed, index);
  };
  Value first = extract(0);
  Value second = extract(1);
  if (base || delta)
    second = arith::AddIOp::create(b, loc, second, getOffset(b, loc));
  return {first, second};
}

ThreadedState ThreadedState::getAt(OpBuilder &b, Location loc, Value newSeed,
                                   Value newOffset,
                                   std::string newOrigin) const {
  if (!isSnapshot())
    return {newSeed, newOffset, std::move(newOrigin)};
  Value snapshot = tensor::FromElementsOp::create(
      b, loc, seed.getType(), ValueRange{newSeed, newOffset});
  return {snapshot, {}, std::move(newOrigin)};
}

void ThreadedState::advance(uint64_t blocks) {
  if (!blocks)
    return;
  delta += blocks;
  offset = {};
}

void ThreadedState::advance(OpBuilder &b, Location loc, Value blocks,
                            std::string newOrigin) {
  Value next = arith::AddIOp::create(b, loc, getOffset(b, loc), blocks);
  *this = ThreadedState(seed, next, std::move(newOrigin));
}
