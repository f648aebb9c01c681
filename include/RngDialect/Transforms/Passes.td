//===- Passes.td - Transforms of the rng dialect -----------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All passes of the folders below, for the reference page.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PASSES_TD
#define RNGDIALECT_TRANSFORMS_PASSES_TD

include "RngDialect/Transforms/CheckStreams/Passes.td"
include "RngDialect/Transforms/Driver/Passes.td"
include "RngDialect/Transforms/Partition/Passes.td"
include "RngDialect/Transforms/Threading/Passes.td"

#endif // RNGDIALECT_TRANSFORMS_PASSES_TD
