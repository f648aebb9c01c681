//===- TestPatterns.h - Public patterns in an embedder's pass ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TEST_LIB_TESTPATTERNS_H
#define RNGDIALECT_TEST_LIB_TESTPATTERNS_H

namespace mlir::rng::test {

/// Registers `test-rng-patterns`.
void registerTestPatternsPass();

} // namespace mlir::rng::test

#endif // RNGDIALECT_TEST_LIB_TESTPATTERNS_H
