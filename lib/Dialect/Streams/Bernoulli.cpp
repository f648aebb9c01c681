//===- Bernoulli.cpp - Decisions with a probability -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bernoulli.h"
#include "RngDialect/Streams/StreamBuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

/// The number of words below 2^32 - 128 of which the uniform is below
/// `p`, in (0, 1): the least word w of which it is not.
///
/// Let P = 2^32 p, which is exact. The uniform times 2^32 is w + 1/2 below
/// 2^23; from there to 2^24 the even one of w and w + 1, the nearer two being
/// equally near; and above 2^24 the f32 next to w. So w is ceil(P - 1/2) up to
/// 2^23; and above it, P less half the distance to the float before P (rounded
/// up, since w is an integer), or one more if the float half way is rounded
/// away from P, whose last bit is odd.
static Value buildLeastWord(ImplicitLocOpBuilder &b, Value p) {
  Type f32 = p.getType();
  Type i32 = withElementType(f32, b.getI32Type());
  auto integer = [&](int64_t value) {
    return createIntegerConstant(b, i32, uint64_t(value));
  };
  auto real = [&](double value) { return createFloatConstant(b, f32, value); };

  Value scaled = arith::MulFOp::create(b, p, real(0x1p32));
  Value whole = arith::FPToUIOp::create(b, i32, scaled);

  Value rest =
      arith::SubFOp::create(b, scaled, arith::UIToFPOp::create(b, f32, whole));
  Value isMore =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, rest, real(0.5));
  Value fine =
      arith::AddIOp::create(b, whole, arith::ExtUIOp::create(b, i32, isMore));

  // The float before P is 2^spacing less.
  Value bits = arith::BitcastOp::create(b, i32, p);
  Value spacing = arith::SubIOp::create(b, bits, integer(1));
  spacing = arith::ShRUIOp::create(b, spacing, integer(23));
  spacing = arith::SubIOp::create(b, spacing, integer(127 + 23 - 32));
  spacing = arith::MaxSIOp::create(b, spacing, integer(0));
  Value half = arith::ShLIOp::create(b, integer(1), spacing);
  half = arith::AddIOp::create(b, half, integer(1));
  half = arith::ShRUIOp::create(b, half, integer(1));
  Value coarse = arith::SubIOp::create(b, whole, half);
  coarse = arith::AddIOp::create(b, coarse,
                                 arith::AndIOp::create(b, bits, integer(1)));

  Value isFine =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, p, real(0x1p-9));
  return arith::SelectOp::create(b, isFine, fine, coarse);
}

Value mlir::rng::streams::buildUniformIsBelow(ImplicitLocOpBuilder &b,
                                              Value word, Value probability) {
  Type f32 = probability.getType();
  Type i32 = word.getType();
  auto compare = [&](arith::CmpFPredicate predicate, double value) -> Value {
    return arith::CmpFOp::create(b, predicate, probability,
                                 createFloatConstant(b, f32, value));
  };
  // NaN is neither.
  Value isSome = compare(arith::CmpFPredicate::OGT, 0.0);
  Value isAll = compare(arith::CmpFPredicate::OGE, 1.0);
  Value isNotAll = compare(arith::CmpFPredicate::ULT, 1.0);

  // Conversions are of numbers that are in range, whatever `probability` is.
  Value p =
      arith::SelectOp::create(b, arith::AndIOp::create(b, isSome, isNotAll),
                              probability, createFloatConstant(b, f32, 0.5));
  Value offset = createIntegerConstant(b, i32, 128);
  Value threshold = arith::AddIOp::create(b, buildLeastWord(b, p), offset);
  threshold = arith::SelectOp::create(b, isSome, threshold,
                                      createIntegerConstant(b, i32, 0));
  // All: 128 < 129, of any word. 2^32 words are too many for a threshold.
  threshold = arith::SelectOp::create(
      b, isAll, createIntegerConstant(b, i32, 129), threshold);
  Value factor = arith::ExtUIOp::create(b, i32, isNotAll);
  Value moved =
      arith::AddIOp::create(b, arith::MulIOp::create(b, word, factor), offset);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, moved, threshold);
}
