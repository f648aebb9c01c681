//===- StreamLints.cpp - Suspicious constants of draws ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamLints.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

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
  // All integers are as many as fit: their number is 0 in the type.
  if (lo == hi && (lo.isZero() || lo.isMinSignedValue()))
    return warn(op,
                "has an empty range: every value is the lower bound; if all "
                "integers of the type are meant, draw bits");
  if (lo == hi)
    return warn(op, "has an empty range: every value is the lower bound");
  // Bounds may be meant signed or unsigned.
  if (lo.sgt(hi) && lo.ugt(hi))
    return warn(op, "has a range whose lower bound is above its upper one: it "
                    "wraps around all integers");
  if ((hi - lo).isAllOnes())
    return warn(op, "has a range of all integers of its type but the largest, "
                    "as the upper bound is not drawn; if all are meant, draw "
                    "bits");
  return false;
}

/// By what the parameters are, whatever the stream.
static bool lintParams(Operation *op, Distribution distribution,
                       ArrayRef<APFloat> floats, ArrayRef<APInt> integers) {
  switch (distribution) {
  case Distribution::Uniform:
    return floats.size() == 2 && lintUniform(op, floats);
  case Distribution::Normal:
  case Distribution::TruncatedNormal:
    return floats.size() == 2 && lintNormal(op, floats);
  case Distribution::Exponential:
    return !floats.empty() && lintExponential(op, floats.front());
  case Distribution::Bernoulli:
    return !floats.empty() && lintBernoulli(op, floats.front());
  case Distribution::Randint:
    return integers.size() == 2 && lintRandint(op, integers[0], integers[1]);
  default:
    return false;
  }
}

/// By what the stream makes of them.
static bool lintStream(Operation *op, RngAlgorithmAttrInterface algorithm,
                       Distribution distribution, Type elementType,
                       ArrayRef<TypedAttr> params) {
  std::string text =
      algorithm.describeSurprise(distribution, elementType, params);
  return !text.empty() && warn(op, text);
}

template <typename DrawT> static bool lint(DrawT draw) {
  SmallVector<APFloat> floats;
  SmallVector<APInt> integers;
  SmallVector<TypedAttr> constants;
  bool isNaN = false;
  for (Value param : draw.getDrawParams()) {
    TypedAttr constant;
    if (!matchPattern(param, m_Constant(&constant)))
      continue;
    constants.push_back(constant);
    if (auto number = dyn_cast<FloatAttr>(constant)) {
      isNaN |= number.getValue().isNaN();
      floats.push_back(number.getValue());
    } else if (auto number = dyn_cast<IntegerAttr>(constant)) {
      integers.push_back(number.getValue());
    }
  }
  bool areConstant =
      !constants.empty() && constants.size() == draw.getDrawParams().size();
  Distribution distribution = draw.getDistribution();
  // One NaN is enough, whatever the other one is.
  if (isNaN && floats.size() == 1)
    floats.push_back(floats.front());
  if (lintParams(draw, distribution, floats, integers))
    return true;
  RngAlgorithmAttrInterface algorithm = draw.getDrawAlgorithm();
  return areConstant && algorithm &&
         lintStream(draw, algorithm, distribution,
                    getElementTypeOrSelf(draw.getDrawType()), constants);
}

bool mlir::rng::streams::lintDraw(Operation *op) {
  if (auto draw = dyn_cast<StatelessDrawOpInterface>(op))
    return lint(draw);
  if (auto draw = dyn_cast<StatefulDrawOpInterface>(op))
    return lint(draw);
  return false;
}
