//===- StreamLints.cpp - Suspicious constants of draws -------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamLints.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::rng;

static bool warn(Operation *op, StringRef text) {
  op->emitWarning() << "'" << op->getName() << "' op " << text;
  return true;
}

static bool lintUniform(Operation *op, ArrayRef<APFloat> range) {
  const APFloat &lo = range[0], &hi = range[1];
  if (lo.isNaN() || hi.isNaN())
    return warn(op, "has a bound that is NaN: every value is the lower bound");
  if (lo.compare(hi) != APFloat::cmpLessThan)
    return warn(op, "has a range without a value, its lower bound is not below "
                    "its upper one: every value is the lower bound");
  APFloat width = hi;
  width.subtract(lo, APFloat::rmNearestTiesToEven);
  if (!width.isFinite())
    return warn(op, "has a range whose width is not finite: every value is the "
                    "lower bound");
  return false;
}

static bool lintBernoulli(Operation *op, const APFloat &p) {
  if (p.isNaN())
    return warn(op, "has a probability that is NaN: every value is false");
  if (p.isNegative() && !p.isZero())
    return warn(op, "has a probability below 0: every value is false");
  if (p.compare(APFloat::getOne(p.getSemantics())) == APFloat::cmpGreaterThan)
    return warn(op, "has a probability above 1: every value is true");
  return false;
}

static bool lintNormal(Operation *op, ArrayRef<APFloat> params) {
  if (!params[0].isFinite() || !params[1].isFinite())
    return warn(op, "has a mean or deviation that is not finite");
  if (params[1].isNegative() && !params[1].isZero())
    return warn(op, "has a negative deviation");
  return false;
}

static bool lintExponential(Operation *op, const APFloat &rate) {
  if (!rate.isFinite() || rate.isNegative() || rate.isZero())
    return warn(op, "has a rate that is not above 0 or not finite: every value "
                    "is 0");
  return false;
}

static bool lintRandint(Operation *op, const APInt &lo, const APInt &hi) {
  if (lo == hi)
    return warn(op, "has an empty range: every value is the lower bound");
  // Bounds may be meant signed or unsigned.
  if (lo.sgt(hi) && lo.ugt(hi))
    return warn(op, "has a range whose lower bound is above its upper one: it "
                    "wraps around all integers");
  return false;
}

template <typename DrawT> static bool lint(DrawT draw) {
  SmallVector<APFloat> floats;
  SmallVector<APInt> integers;
  bool isNaN = false;
  for (Value param : draw.getDrawParams()) {
    APFloat asFloat(0.0);
    APInt asInteger;
    if (matchPattern(param, m_ConstantFloat(&asFloat))) {
      isNaN |= asFloat.isNaN();
      floats.push_back(asFloat);
    } else if (matchPattern(param, m_ConstantInt(&asInteger))) {
      integers.push_back(asInteger);
    }
  }
  Distribution distribution = draw.getDistribution();
  // One NaN is enough, whatever the other one is.
  if (isNaN && floats.size() == 1)
    floats.push_back(floats.front());
  if (distribution == Distribution::Uniform && floats.size() == 2)
    return lintUniform(draw, floats);
  if ((distribution == Distribution::Normal ||
       distribution == Distribution::TruncatedNormal) &&
      floats.size() == 2)
    return lintNormal(draw, floats);
  if (distribution == Distribution::Exponential && !floats.empty())
    return lintExponential(draw, floats.front());
  if (distribution == Distribution::Bernoulli && !floats.empty())
    return lintBernoulli(draw, floats.front());
  if (distribution == Distribution::Randint && integers.size() == 2 &&
      integers[0].getBitWidth() == integers[1].getBitWidth())
    return lintRandint(draw, integers[0], integers[1]);
  return false;
}

bool mlir::rng::lintDraw(Operation *op) {
  if (auto draw = dyn_cast<StatelessDrawOpInterface>(op))
    return lint(draw);
  if (auto draw = dyn_cast<StatefulDrawOpInterface>(op))
    return lint(draw);
  return false;
}
