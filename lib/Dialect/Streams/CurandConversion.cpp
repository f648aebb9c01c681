//===- CurandConversion.cpp - From words to values as in cuRAND -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CurandConversion.h"
#include "Bernoulli.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

Value CurandConversion::buildRaw(ImplicitLocOpBuilder &b,
                                 ArrayRef<Value> words) {
  return words.size() == 2 ? buildCurandF64(b, words[0], words[1])
                           : buildCurandF32(b, words[0]);
}

Value CurandConversion::buildUnit(ImplicitLocOpBuilder &b, Type elementType,
                                  ArrayRef<Value> words) const {
  Value value = buildRound(b, elementType, buildRaw(b, words));
  return buildReplaceEqual(b, value,
                           createFloatConstant(b, value.getType(), 1.0),
                           createFloatConstant(b, value.getType(), 0.0));
}

Value CurandConversion::buildBernoulli(ImplicitLocOpBuilder &b,
                                       ArrayRef<Value> words, Value p) const {
  // Drawn in f32 whatever surrounds it: a bf16 uniform would bias the rate.
  return buildUniformIsBelow(b, words[0], p);
}

Value CurandConversion::buildPositive(ImplicitLocOpBuilder &b,
                                      ArrayRef<Value> words) const {
  return buildRaw(b, words);
}

Value CurandConversion::buildMinusLog(ImplicitLocOpBuilder &b,
                                      ArrayRef<Value> words) const {
  return buildCurandMinusLog(b, words);
}

double CurandConversion::getRate(float p) const {
  // The uniform does not fall as the word grows, up to the last 128 words,
  // which are 0.
  constexpr uint64_t numZeros = 128, numWords = uint64_t(1) << 32;
  uint64_t low = 0, high = numWords - numZeros;
  while (low < high) {
    uint64_t word = (low + high) / 2;
    bool isBelow = std::ldexp(float(uint32_t(word)), -32) + 0x1p-33f < p;
    (isBelow ? low : high) = isBelow ? word + 1 : word;
  }
  return std::ldexp(double(low + numZeros), -32);
}

Value CurandConversion::buildTurns(ImplicitLocOpBuilder &b,
                                   ArrayRef<Value> words) const {
  return buildRaw(b, words);
}
