//===- LowerableOps.h - What the pipelines can lower ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_LOWERINGCHECKS_LOWERABLEOPS_H
#define RNGDIALECT_CONVERSION_LOWERINGCHECKS_LOWERABLEOPS_H

#include "mlir/IR/Operation.h"

namespace mlir::rng {

/// Whether `op` has an operand or a result that is a tensor, or whose type has
/// a part that is one, such as a function on tensors.
bool worksOnTensors(Operation *op);

/// Reports that `op` works on tensors but cannot be bufferized.
void emitNotBufferizable(Operation *op);

/// Reports the first op below `root` that nothing in the pipelines lowers: one
/// of a dialect that they do not know, on values of a type without a form in
/// LLVM, on tensors but without a form on buffers, or a function that does not
/// return. `allowKernels`: kernels of the program are compiled, and branches
/// between basic blocks are bufferized as they are. Without `allowDealloc` also
/// an op that frees memory, or that hides what it does to memory.
LogicalResult checkLowerableOps(Operation *root, bool allowKernels,
                                bool allowDealloc);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_LOWERINGCHECKS_LOWERABLEOPS_H
