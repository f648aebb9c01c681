//===- WordConversion.h - From words to values ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How a system turns random words into the values of a distribution. What
/// differs between systems is virtual; what all draws here promise, such as a
/// defined result for every operand, is not.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_STREAMS_WORDCONVERSION_H
#define RNGDIALECT_STREAMS_WORDCONVERSION_H

#include "RngDialect/Streams/StreamBuilders.h"

namespace mlir::rng {

/// The conversions of one system. Words are i32 or vectors of i32; values, and
/// the operands of distributions, have their shape.
class WordConversion {
public:
  virtual ~WordConversion() = default;

  /// The value of an element from its `words` and its slot, as
  /// `RngAlgorithmAttrInterface::convertWords`.
  Value convert(ImplicitLocOpBuilder &b, Distribution distribution,
                Type elementType, ArrayRef<Value> words, Value slot,
                ValueRange params) const;

  /// The words of slot `slot` of a stream block whose values take `words` in
  /// order. Of paired normal numbers, the words of both.
  SmallVector<Value> getSlotWords(Distribution distribution, Type elementType,
                                  ArrayRef<Value> words, unsigned slot) const;

  /// About how many instructions `convert` takes an element, those on operands
  /// of the distribution, which are the same for all elements, apart: as many
  /// as it builds, functions as StreamMath.h counts them. Values of 64 bits
  /// take two instructions of 32.
  unsigned getWork(Distribution distribution, Type elementType) const;

  /// What of constant parameters is hardly expected, as
  /// `RngAlgorithmAttrInterface::describeSurprise`: a probability that draws
  /// are true with another rate than, by 1 % of it or its complement; a range
  /// whose integers differ much in probability, or that the system draws from
  /// other words.
  std::string describeSurprise(Distribution distribution, Type elementType,
                               ArrayRef<TypedAttr> params) const;

protected:
  /// u in [0, 1), a float of type `elementType`, from the words of one value.
  virtual Value buildUnit(ImplicitLocOpBuilder &b, Type elementType,
                          ArrayRef<Value> words) const = 0;

  /// A float of type `elementType` in [lo, hi), or [lo, hi] where rounding may
  /// reach hi in the system. `lo` and `hi` are f64 where the element type is
  /// f64, else f32. What it yields where lo >= hi, a bound is NaN or the width
  /// of the range is not finite is not used.
  virtual Value buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                            ArrayRef<Value> words, Value lo,
                            Value hi) const = 0;

  /// Whether bounds, and the width of the range after them, are rounded to the
  /// element type, as `buildRoundedRange` does, before anything is scaled.
  virtual bool isRangeRounded() const { return true; }

  /// An integer of 64 bits from the two words of one value; by default the
  /// first word is the lower half.
  virtual Value buildInteger64(ImplicitLocOpBuilder &b,
                               ArrayRef<Value> words) const;

  /// true with probability `p` (f32), false where p is NaN; by default where
  /// the f32 unit value is below p.
  virtual Value buildBernoulli(ImplicitLocOpBuilder &b, ArrayRef<Value> words,
                               Value p) const;

  /// The rate at which `buildBernoulli` is true for 0 < `p` < 1, over all
  /// words; by default, where nothing is known, p.
  virtual double getRate(float p) const;

  /// `describeSurprise` of a `randint` of `count` integers, at least 1, by what
  /// the system does; by default nothing.
  virtual std::string describeRange(Type elementType, const APInt &count) const;

  /// An integer below `count`, which is not 0, from `bits`, both of the same
  /// type, i32 or i64, unsigned. By default the upper half of the product bits
  /// * count; a value is off its probability by less than count / 2^N for N
  /// bits.
  virtual Value buildBelow(ImplicitLocOpBuilder &b, Value bits,
                           Value count) const;

  /// u in (0, 1] for a logarithm, f32 of one word, f64 of two. By default 1
  /// less the unit value.
  virtual Value buildPositive(ImplicitLocOpBuilder &b,
                              ArrayRef<Value> words) const;

  /// -log(u) of a u in (0, 1), above 0 and finite, f32 of one word, f64 of two:
  /// at least 2^-33 (f64: 2^-54). By default of the complement of all bits,
  /// for units that grow with the bits: u is 1 less the unit value, but finer.
  virtual Value buildMinusLog(ImplicitLocOpBuilder &b,
                              ArrayRef<Value> words) const;

  /// v in [0, 1] for an angle of 2 pi v, f32 of one word, f64 of two. By
  /// default the unit value.
  virtual Value buildTurns(ImplicitLocOpBuilder &b,
                           ArrayRef<Value> words) const;

  /// Whether two neighbours are a pair of normal numbers, made of the words of
  /// both; else `buildNormal` makes one of its own words.
  virtual bool areNormalsPaired() const { return true; }

  /// Whether even slots have the sine of a pair of normal numbers.
  virtual bool isSineFirst() const { return true; }

  /// A number of the standard normal distribution, in f64 where `elementType`
  /// is, else in f32. By default of a pair by Box and Muller: radius sqrt(-2
  /// log u) of the first half of `words` and angle of the second one, both of
  /// the pair.
  virtual Value buildNormal(ImplicitLocOpBuilder &b, Type elementType,
                            ArrayRef<Value> words, Value slot) const;

private:
  Value buildTruncatedNormal(ImplicitLocOpBuilder &b,
                             ArrayRef<Value> words) const;
  Value buildExponential(ImplicitLocOpBuilder &b, Type elementType,
                         ArrayRef<Value> words, ValueRange params) const;
  Value buildBits(ImplicitLocOpBuilder &b, Type elementType,
                  ArrayRef<Value> words) const;
  Value buildUniform(ImplicitLocOpBuilder &b, Type elementType,
                     ArrayRef<Value> words, ValueRange params) const;
  Value buildRandint(ImplicitLocOpBuilder &b, Type elementType,
                     ArrayRef<Value> words, Value lo, Value hi) const;
};

//===----------------------------------------------------------------------===//
// Formulas that several systems share
//===----------------------------------------------------------------------===//

/// float(w) * 2^-32 + 2^-33 in f32, in (0, 1]: cuRAND, nvFuser, PyTorch on
/// CUDA. The product is exact, so that a fused and an unfused addition agree.
Value buildCurandF32(ImplicitLocOpBuilder &b, Value word);

/// (x ^ (y << 21)) * 2^-53 + 2^-54 in f64, in (0, 1]: `curand_uniform2_double`.
/// All but the last operation are exact.
Value buildCurandF64(ImplicitLocOpBuilder &b, Value x, Value y);

/// -log of the number that cuRAND makes of one word in f32, of two in f64, but
/// calculated from 1 less it in the upper half, so that it is never 0.
Value buildCurandMinusLog(ImplicitLocOpBuilder &b, ArrayRef<Value> words);

/// The upper (lower) p - 1 bits of `bits`, an integer, as a number in [0, 1) of
/// the float type `elementType` with p bits of precision: the mantissa of a
/// number in [1, 2), less 1. Exact. XLA and JAX (TensorFlow).
Value buildUnitFromHighBits(ImplicitLocOpBuilder &b, Type elementType,
                            Value bits);
Value buildUnitFromLowBits(ImplicitLocOpBuilder &b, Type elementType,
                           Value bits);

/// The lower `count` bits of `bits` times 2^-count in `elementType`, which must
/// hold them exactly.
Value buildFraction(ImplicitLocOpBuilder &b, Type elementType, Value bits,
                    unsigned count);

/// `value` in the type that calculations with a float of its type are done in:
/// f64 itself, f32 for all others.
Value buildExtended(ImplicitLocOpBuilder &b, Value value);

/// Bounds rounded to the float type `elementType`, and their distance rounded
/// to it: what arithmetic in that type yields.
struct RoundedRange {
  Value lo;
  Value hi;
  Value width;
};
RoundedRange buildRoundedRange(ImplicitLocOpBuilder &b, Type elementType,
                               Value lo, Value hi);

/// unit * (hi - lo) + lo with every operation rounded to the type of `unit`,
/// and bounds first; `lo` and `hi` of a wider type are rounded to it.
struct ScaledUnit {
  Value value;
  Value lo;
  Value hi;
};
ScaledUnit buildScaledSteps(ImplicitLocOpBuilder &b, Value unit, Value lo,
                            Value hi);

/// The rate at which multiples of 2^-`count` in [0, 1), all as probable, are
/// below `p`.
double getRateOfFractions(float p, unsigned count);

/// `describeSurprise` of a `randint` of `count` integers that PyTorch draws
/// from other words: from 64 bits for 2^28 integers and more, else from 32.
std::string describeTorchRange(Type elementType, const APInt &count);

/// `unit`, at least 1e-7: what Triton and TensorFlow take the logarithm of.
Value buildFloored(ImplicitLocOpBuilder &b, Value unit);

/// `value` rounded to the float type `elementType`; itself if it is of it.
Value buildRound(ImplicitLocOpBuilder &b, Type elementType, Value value);

/// `value`, or `other` where it equals `bound`.
Value buildReplaceEqual(ImplicitLocOpBuilder &b, Value value, Value bound,
                        Value other);

} // namespace mlir::rng

#endif // RNGDIALECT_STREAMS_WORDCONVERSION_H
