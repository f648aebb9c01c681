//===- StreamValues.cpp - Seeds and offsets as base plus delta --*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

StreamValue StreamBases::create(Block *block) {
  blocks.emplace_back();
  if (block)
    blocks.back().push_back(block);
  return {int(blocks.size()) - 1, 0};
}

StreamValue StreamBases::add(StreamValue a, StreamValue b, Block *block) {
  if (!a.isKnown() || !b.isKnown())
    return create(block);
  if (b.isConstant())
    return a + b.delta;
  if (a.isConstant())
    return b + a.delta;
  std::pair<int, int> key = std::minmax(a.base, b.base);
  if (auto it = sums.find(key); it != sums.end())
    return {it->second, a.delta + b.delta};
  SmallVector<Block *, 1> parts = blocks[key.first];
  for (Block *part : blocks[key.second])
    if (!llvm::is_contained(parts, part))
      parts.push_back(part);
  // A long sum with a part from everywhere is not worth its list.
  if (parts.size() > 4)
    return create(block);
  int base = blocks.size();
  blocks.push_back(std::move(parts));
  sums.try_emplace(key, base);
  return {base, a.delta + b.delta};
}
