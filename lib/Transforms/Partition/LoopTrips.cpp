//===- LoopTrips.cpp - How often a loop runs --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopTrips.h"
#include "DialectCosts.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

std::optional<uint64_t> cut::countTrips(LoopLikeOpInterface loop,
                                        const CostModel &model) {
  auto lower = loop.getLoopLowerBounds();
  auto upper = loop.getLoopUpperBounds();
  auto step = loop.getLoopSteps();
  if (!lower || !upper || !step)
    return std::nullopt;
  uint64_t trips = 1;
  for (auto [l, u, s] : llvm::zip_equal(*lower, *upper, *step)) {
    std::optional<int64_t> from = getConstantIntValue(l);
    std::optional<int64_t> to = getConstantIntValue(u);
    std::optional<int64_t> by = getConstantIntValue(s);
    uint64_t count = model.getSize(ShapedType::kDynamic);
    if (from && to && by && *by > 0)
      count = *to <= *from
                  ? 0
                  : (static_cast<uint64_t>(*to) - static_cast<uint64_t>(*from) -
                     1) / static_cast<uint64_t>(*by) +
                        1;
    trips = mul(trips, count);
  }
  return trips;
}
