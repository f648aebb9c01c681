//===- Orders.h - What the user orders about an op --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `rng.save` and `rng.recompute`, on ops and on what they stand in.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_ORDERS_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_ORDERS_H

#include "RngDialect/Transforms/GeneratorEffects/PureCalls.h"

namespace mlir::rng::cut {

enum class Order : uint8_t {
  None,
  /// The op is never computed again.
  Save,
  /// Its results are never saved.
  Recompute
};

/// The order on `op`, else that on the nearest op around it in its function: an
/// order on a loop or branch holds for all that is computed inside.
Order getOrder(Operation *op);

/// Whether an op in the regions of `op`, or in a function of the module that it
/// calls through any number of pure calls, is ordered to be saved.
bool hasSaveInside(Operation *op, const PureCalls &calls);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_ORDERS_H
