//===- TorchIntegers.h - Integers as PyTorch draws them ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_STREAMS_TORCHINTEGERS_H
#define RNGDIALECT_LIB_DIALECT_STREAMS_TORCHINTEGERS_H

#include "RngDialect/Streams/WordConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::rng::streams {

/// `Base` with the integers of PyTorch, which all of its generators make alike:
/// the first word is the upper half of 64 bits, and a range takes the remainder
/// of a division.
template <typename Base> class TorchIntegers : public Base {
protected:
  Value buildInteger64(ImplicitLocOpBuilder &b,
                       ArrayRef<Value> words) const override {
    return buildWide(b, words[1], words[0]);
  }

  std::string describeRange(Type elementType,
                            const APInt &count) const override {
    return describeTorchRange(elementType, count);
  }

  Value buildBelow(ImplicitLocOpBuilder &b, Value bits,
                   Value count) const override {
    return arith::RemUIOp::create(b, bits, count);
  }
};

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_DIALECT_STREAMS_TORCHINTEGERS_H
