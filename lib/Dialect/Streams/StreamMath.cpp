//===- StreamMath.cpp - Elementary functions of distributions ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamMath.h"
#include "RngDialect/Streams/StreamBuilders.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

//===----------------------------------------------------------------------===//
// Polynomials, the lowest power first
//===----------------------------------------------------------------------===//

// Printed by scripts/math_coefficients.py, which says what each stands for. The
// comments are the largest relative errors.

// 2^-25.4
static const double kLogF32[] = {0x1.5553dp-2,  -0x1.000d86p-2, 0x1.9a3618p-3,
                                 -0x1.50e5ap-3, 0x1.19a6b6p-3,  -0x1.38546p-3,
                                 0x1.33d2aep-3};
// 2^-57.3
static const double kLogF64[] = {
    0x1.555555555546ep-2,  -0x1.0000000000af6p-2, 0x1.99999999bee8fp-3,
    -0x1.55555553d02ccp-3, 0x1.24924913b2428p-3,  -0x1.0000009bd49cep-3,
    0x1.c71c79845fb9ap-4,  -0x1.99995a4c13e08p-4, 0x1.745c0ca514e19p-4,
    -0x1.555cc710733aep-4, 0x1.3b2a40993bf3ep-4,  -0x1.2408f95c5459dp-4,
    0x1.0fd54a3ff7783p-4,  -0x1.0620d0a2400a7p-4, 0x1.f8129e7403f78p-5,
    -0x1.736581355c48dp-5, 0x1.34bd34abcb061p-5,  -0x1.64664fb847c69p-4,
    0x1.78ab74fbc343cp-4};
// 2^-28.0
static const double kSinF32[] = {-0x1.a33972p-23, -0x1.4abbb8p+5, 0x1.465e3cp+6,
                                 -0x1.2d863ap+6};
// 2^-58.0
static const double kSinF64[] = {0x1.024cd81ce0d45p-52, -0x1.4abbce625be41p+5,
                                 0x1.466bc6775875ep+6,  -0x1.32d2cce2d8a07p+6,
                                 0x1.50782fcb3f387p+5,  -0x1.e30062d6812b5p+3,
                                 0x1.e3ee139dca62ep+1};
// 2^-31.1
static const double kCosF32[] = {-0x1.3bd3ccp+4, 0x1.03c1bp+6, -0x1.55b2b6p+6,
                                 0x1.d4f81cp+5};
// 2^-61.5
static const double kCosF64[] = {-0x1.3bd3cc9be45dep+4, 0x1.03c1f081b5a52p+6,
                                 -0x1.55d3c7e3bfe5p+6,  0x1.e1f50675b1114p+5,
                                 -0x1.a6d1e237f8b24p+4, 0x1.f9c4acec64f7ep+2,
                                 -0x1.b0341a91c1f19p+0};
// 2^-27.2
static const double kErfInvCentreF32[] = {
    -0x1.0f5fdep-25, -0x1.db2a1p-3,  0x1.7a6ceap-7,  0x1.31f3dcp-9,
    -0x1.0b8134p-13, -0x1.763ebp-15, 0x1.0a1a6ap-18, 0x1.08c2eep-19,
    0x1.d9baeep-23,  0x1.2d5ea8p-27};
// 2^-54.4
static const double kErfInvCentreF64[] = {
    -0x1.91ed8d2b2768fp-58, -0x1.db29fb2fee503p-3,  0x1.7a72e72c3b043p-7,
    0x1.321102639453bp-9,   -0x1.0c86b60203862p-13, -0x1.870127aec9a7ep-15,
    0x1.0f24e50f1e7e8p-19,  0x1.0fe7a6dee80aap-20,  -0x1.3be064e6fefdep-25,
    -0x1.7e0ef87c9502cp-26, 0x1.4b9ee9e6d5c3ap-30,  0x1.bd62fa8821d37p-31,
    0x1.12b930881978cp-33,  0x1.727420105fd1p-35,   0x1.238e6ee5e6f4cp-36,
    0x1.165c1be75bd6bp-38,  0x1.4e4b076f027e3p-41,  0x1.069fc752bf0ap-44,
    0x1.09f1896908191p-48,  0x1.3e2dd7aeea34ep-53,  0x1.5812e97521883p-59};
// 2^-27.3
static const double kErfInvTailF32[] = {
    -0x1.561044p-3,  0x1.b72086p-10, 0x1.358508p-7,  -0x1.f4b10ap-8,
    0x1.746bfcp-8,   -0x1.d5ea36p-9, 0x1.88540ap-10, -0x1.4b927p-14,
    -0x1.4e9ba6p-12, 0x1.10c156p-13};
// 2^-53.8
static const double kErfInvTailF64[] = {
    -0x1.481f6eb340e54p-3,  0x1.37132e1c61bf9p-7,   0x1.4a42eb3d7b22ep-10,
    -0x1.c79a1b110121bp-11, 0x1.508bb6b6c74bcp-12,  -0x1.ee5c5b3d0d994p-14,
    0x1.d309099571c42p-15,  -0x1.110ad45f12654p-15, 0x1.3944129d008d6p-16,
    -0x1.29f37fcd98d23p-17, 0x1.94a41c727bdedp-19,  -0x1.be66dcbe397cep-22,
    -0x1.270a97303f463p-22, 0x1.00a1163220edcp-22,  -0x1.9245c1a5a7052p-24,
    0x1.02ed9f6204ed2p-26,  0x1.7b71c4a9b96p-28,    -0x1.4740904730cc7p-28,
    0x1.9f33f0b08174ap-30,  -0x1.cad29cd75d649p-34, -0x1.a56b67f63516fp-34,
    0x1.452a219a87255p-35,  -0x1.8f72aa2cdf565p-37, 0x1.848db80bbf28cp-38,
    -0x1.56e541f4028cep-41, -0x1.0318d4275703fp-40, 0x1.8db6d304a946ap-42,
    0x1.8be5e7d1ac322p-48,  -0x1.8f2f77cb1690fp-46, 0x1.b39bb695f445ep-49};

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static Value createFma(ImplicitLocOpBuilder &b, Value x, Value y, Value z) {
  return math::FmaOp::create(b, x, y, z);
}

static bool isF64(Value value) {
  return getElementTypeOrSelf(value.getType()).isF64();
}

/// The integers in the shape of `value` that have as many bits.
static Type getBitsType(ImplicitLocOpBuilder &b, Value value) {
  return withElementType(value.getType(),
                         b.getIntegerType(isF64(value) ? 64 : 32));
}

static Value createBits(ImplicitLocOpBuilder &b, Value value) {
  return arith::BitcastOp::create(b, getBitsType(b, value), value);
}

/// The polynomial of `coefficients` at `x` by Horner's rule: fewest operations,
/// and there are always several values to compute at a time.
static Value createPolynomial(ImplicitLocOpBuilder &b,
                              ArrayRef<double> coefficients, Value x) {
  Type type = x.getType();
  Value sum = createFloatConstant(b, type, coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = createFma(b, sum, x, createFloatConstant(b, type, coefficient));
  return sum;
}

//===----------------------------------------------------------------------===//
// Logarithm
//===----------------------------------------------------------------------===//

namespace {
/// u = significand * 2^k with the significand in [2/3, 4/3); k is given as
/// `exponent` * `unit`.
struct SplitFloat {
  Value significand;
  Value exponent;
  double unit;
};
} // namespace

static SplitFloat splitF32(ImplicitLocOpBuilder &b, Value u) {
  // The exponent stays where it is: 2^23 k converts exactly.
  Value bits = createBits(b, u);
  Type type = bits.getType();
  Value twoThirds = createIntegerConstant(b, type, 0x3f2aaaab);
  Value mask = createIntegerConstant(b, type, 0xff800000);
  Value distance = arith::SubIOp::create(b, bits, twoThirds);
  Value k = arith::AndIOp::create(b, distance, mask);
  Value significand = arith::SubIOp::create(b, bits, k);
  return {arith::BitcastOp::create(b, u.getType(), significand),
          arith::SIToFPOp::create(b, u.getType(), k), 0x1p-23};
}

static SplitFloat splitF64(ImplicitLocOpBuilder &b, Value u) {
  // AVX2 neither converts 64-bit integers nor shifts them arithmetically. So k
  // is kept positive, 1024 too large, and placed in the significand of 2^52.
  constexpr uint64_t twoThirds = 0x3fe5555555555555;
  Value bits = createBits(b, u);
  Type type = bits.getType();
  Value bias =
      createIntegerConstant(b, type, (uint64_t(1024) << 52) - twoThirds);
  Value mask = createIntegerConstant(b, type, 0x000fffffffffffff);
  Value width = createIntegerConstant(b, type, 52);
  Value large = createIntegerConstant(b, type, 0x4330000000000000);
  Value distance = arith::AddIOp::create(b, bits, bias);
  Value significand = arith::AndIOp::create(b, distance, mask);
  significand = arith::AddIOp::create(
      b, significand, createIntegerConstant(b, type, twoThirds));
  Value k = arith::ShRUIOp::create(b, distance, width);
  k = arith::OrIOp::create(b, k, large);
  k = arith::BitcastOp::create(b, u.getType(), k);
  k = arith::SubFOp::create(b, k,
                            createFloatConstant(b, u.getType(), 0x1p52 + 1024));
  return {arith::BitcastOp::create(b, u.getType(), significand), k, 1.0};
}

/// u = significand * 2^k for a float of either type.
static SplitFloat split(ImplicitLocOpBuilder &b, Value u) {
  return isF64(u) ? splitF64(b, u) : splitF32(b, u);
}

/// log(1 + f) + log(2) * `exponent` * `unit` for |f| <= 1/3; with `isNegated`
/// -log(1 - f) less that, which has the same bits but for the sign, and costs
/// nothing.
static Value createLog(ImplicitLocOpBuilder &b, Value f, Value exponent,
                       double unit, bool isNegated) {
  Type type = f.getType();
  bool wide = isF64(f);
  double sign = isNegated ? -1.0 : 1.0;
  // Of -f, odd powers have the other sign.
  SmallVector<double> coefficients(wide ? ArrayRef<double>(kLogF64)
                                        : ArrayRef<double>(kLogF32));
  for (size_t odd = 1; odd < coefficients.size(); odd += 2)
    coefficients[odd] *= sign;
  Value square = arith::MulFOp::create(b, f, f);
  Value sum = createPolynomial(b, coefficients, f);
  sum = createFma(b, sum, f, createFloatConstant(b, type, -0.5 * sign));
  sum = createFma(b, square, sum, f);
  // As a float, log(2) is nearer than a tenth (f32) or third (f64) of an ulp.
  Value log2 = createFloatConstant(
      b, type, sign * unit * (wide ? 0x1.62e42fefa39efp-1 : 0x1.62e43p-1));
  return createFma(b, exponent, log2, sum);
}

Value mlir::rng::streams::buildLog(ImplicitLocOpBuilder &b, Value u) {
  SplitFloat parts = split(b, u);
  // f is exact: u above 2/3 loses nothing, however near it is to 1.
  Value f = arith::SubFOp::create(b, parts.significand,
                                  createFloatConstant(b, u.getType(), 1.0));
  return createLog(b, f, parts.exponent, parts.unit, /*isNegated=*/false);
}

/// (n + 1/2) 2^-32 as f32, of an i32 n below 2^31.
static Value createMiddleF32(ImplicitLocOpBuilder &b, Value n) {
  Type f32 = withElementType(n.getType(), b.getF32Type());
  // Below 2^31 the signed conversion does, which more machines have.
  return createFma(b, arith::SIToFPOp::create(b, f32, n),
                   createFloatConstant(b, f32, 0x1p-32),
                   createFloatConstant(b, f32, 0x1p-33));
}

/// (n + 1/2) 2^-53 as f64, exactly, of an i64 n below 2^52.
static Value createMiddleF64(ImplicitLocOpBuilder &b, Value n) {
  Type f64 = withElementType(n.getType(), b.getF64Type());
  // Placed in the significand of 2^52, as AVX2 does not convert 64 bits.
  Value large = createIntegerConstant(b, n.getType(), 0x4330000000000000);
  Value sum =
      arith::BitcastOp::create(b, f64, arith::OrIOp::create(b, n, large));
  return createFma(b, sum, createFloatConstant(b, f64, 0x1p-53),
                   createFloatConstant(b, f64, 0x1p-54 - 0.5));
}

Value mlir::rng::streams::buildMinusLogOfBits(ImplicitLocOpBuilder &b,
                                              Value bits) {
  Type type = bits.getType();
  bool wide = getElementTypeOrSelf(type).isInteger(64);
  auto integer = [&](uint64_t value) {
    return createIntegerConstant(b, type, value);
  };
  // Of the upper half of numbers the complement, with all ones where the upper
  // bit is: v is u or 1 - u, at most 1/2, and as good as a float can be.
  Value ones = arith::ShRSIOp::create(b, bits, integer(wide ? 63 : 31));
  Value half = arith::XOrIOp::create(b, bits, ones);
  if (wide)
    half = arith::ShRUIOp::create(b, half, integer(11));
  Value v = wide ? createMiddleF64(b, half) : createMiddleF32(b, half);

  // v = (1 - d) 2^k. Let u = (1 - f) 2^j, all of it exact:
  //   lower half        u = v       f = d    j = k
  //   up to about 2/3   u = 1 - v   f = -d   j = k, which is -1: v > 1/3
  //   above             u = 1 - v   f = v    j = 0
  SplitFloat parts = split(b, v);
  Value d = arith::SubFOp::create(b, createFloatConstant(b, v.getType(), 1.0),
                                  parts.significand);
  Value sign =
      arith::AndIOp::create(b, bits, integer(uint64_t(1) << (wide ? 63 : 31)));
  Value f = arith::BitcastOp::create(
      b, v.getType(), arith::XOrIOp::create(b, createBits(b, d), sign));
  // The least bits of which v is below the third at which k becomes -1.
  Value isNearOne =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, bits,
                            integer(wide ? 0xAAAAAAAAAAAAB000 : 0xAAAAAA80));
  f = arith::SelectOp::create(b, isNearOne, v, f);
  Value exponent = arith::SelectOp::create(
      b, isNearOne, createFloatConstant(b, v.getType(), 0.0), parts.exponent);
  return createLog(b, f, exponent, parts.unit, /*isNegated=*/true);
}

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

Value mlir::rng::streams::buildSinOrCosTurns(ImplicitLocOpBuilder &b, Value v,
                                             Value isCosine) {
  Type type = v.getType();
  bool wide = isF64(v);
  // v = k / 4 + r: a float of this size holds only quarters, so the sum rounds
  // v to one, and the last bits of the sum are those of k.
  Value large = createFloatConstant(b, type, wide ? 0x1.8p50 : 0x1.8p21);
  Value shifted = arith::AddFOp::create(b, v, large);
  Value quarters = arith::SubFOp::create(b, shifted, large);
  Value r = arith::SubFOp::create(b, v, quarters);
  Value square = arith::MulFOp::create(b, r, r);

  Value sine = createPolynomial(
      b, wide ? ArrayRef<double>(kSinF64) : ArrayRef<double>(kSinF32), square);
  sine = arith::MulFOp::create(b, r, sine);
  Value turn =
      createFloatConstant(b, type, wide ? 0x1.921fb54442d18p2 : 0x1.921fb6p2);
  sine = createFma(b, r, turn, sine);
  Value cosine = createPolynomial(
      b, wide ? ArrayRef<double>(kCosF64) : ArrayRef<double>(kCosF32), square);
  cosine = createFma(b, square, cosine, createFloatConstant(b, type, 1.0));

  // cos(2 pi v) = sin(2 pi (v + 1/4)): the cosine takes one quarter more. An
  // odd number of them takes the cosine of r, bit 1 is the sign.
  Value k = createBits(b, shifted);
  Type bitsType = k.getType();
  Value step = b.createOrFold<arith::ExtUIOp>(bitsType, isCosine);
  Value total = b.createOrFold<arith::AddIOp>(k, step);
  // Where the choice is known, the parity of k serves the sine and the cosine.
  bool isKnownCosine = matchPattern(isCosine, m_One());
  Value odd = arith::AndIOp::create(b, isKnownCosine ? k : total,
                                    createIntegerConstant(b, bitsType, 1));
  odd = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, odd,
                              createIntegerConstant(b, bitsType, 0));
  Value result = arith::SelectOp::create(b, odd, isKnownCosine ? sine : cosine,
                                         isKnownCosine ? cosine : sine);
  unsigned width = wide ? 64 : 32;
  Value sign = arith::ShLIOp::create(
      b, total, createIntegerConstant(b, bitsType, width - 2));
  sign = arith::AndIOp::create(
      b, sign, createIntegerConstant(b, bitsType, uint64_t(1) << (width - 1)));
  result = arith::XOrIOp::create(b, createBits(b, result), sign);
  return arith::BitcastOp::create(b, type, result);
}

//===----------------------------------------------------------------------===//
// Inverse error function
//===----------------------------------------------------------------------===//

Value mlir::rng::streams::buildErfInv(ImplicitLocOpBuilder &b, Value y) {
  Type type = y.getType();
  bool wide = isF64(y);
  // With l = log(1 - y^2), erfinv(y) / y is smooth in l around 0 and, far from
  // it, nearly sqrt(-l). Both are a float that carries most of the value plus a
  // small polynomial, whose rounding matters little.
  Value one = createFloatConstant(b, type, 1.0);
  Value negated = arith::NegFOp::create(b, y);
  Value log = buildLog(b, createFma(b, negated, y, one));
  Value root = math::SqrtOp::create(b, arith::NegFOp::create(b, log));
  Value middle = createFloatConstant(b, type, wide ? 4.0 : 3.0);
  Value centre = createPolynomial(b,
                                  wide ? ArrayRef<double>(kErfInvCentreF64)
                                       : ArrayRef<double>(kErfInvCentreF32),
                                  log);
  Value tail = createPolynomial(b,
                                wide ? ArrayRef<double>(kErfInvTailF64)
                                     : ArrayRef<double>(kErfInvTailF32),
                                arith::SubFOp::create(b, root, middle));
  Value isCentre = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, log,
                                         createFloatConstant(b, type, -5.0));
  // sqrt(pi) / 2, the slope at 0.
  Value slope =
      createFloatConstant(b, type, wide ? 0x1.c5bf891b4ef6bp-1 : 0x1.c5bf8ap-1);
  Value head = arith::SelectOp::create(b, isCentre, slope, root);
  Value rest = arith::SelectOp::create(b, isCentre, centre, tail);
  return createFma(b, y, head, arith::MulFOp::create(b, y, rest));
}
