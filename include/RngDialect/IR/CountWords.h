//===- CountWords.h - Numbers of things in messages -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_COUNTWORDS_H
#define RNGDIALECT_IR_COUNTWORDS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace mlir::rng {

/// "1 argument", "2 arguments": `noun` takes an s in the plural.
inline std::string describeCount(uint64_t count, StringRef noun) {
  return (Twine(count) + " " + noun + (count == 1 ? "" : "s")).str();
}

} // namespace mlir::rng

#endif // RNGDIALECT_IR_COUNTWORDS_H
