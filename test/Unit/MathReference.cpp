//===- MathReference.cpp - Errors of elementary functions -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the program of the test of elementary functions calls: fills buffers
/// with arguments and measures the errors of results, in units in the last
/// place of the exact value. The exact value comes from `long double`, which
/// has to have more bits than f64 for this to mean anything there.
///
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

using Real = long double;

namespace {

enum Which { Log, Sin, Cos, Either, ErfInv, Exponential, NumFunctions };
const char *const kNames[] = {"log",    "sin",    "cos",
                              "either", "erfinv", "exponential"};

template <typename Float> struct Buffer {
  Float *allocated;
  Float *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
  Float &operator[](int64_t i) { return aligned[offset + i * stride]; }
};

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

template <typename Float> struct Traits;
template <> struct Traits<float> {
  using Bits = uint32_t;
  static constexpr const char *name = "f32";
};
template <> struct Traits<double> {
  using Bits = uint64_t;
  static constexpr const char *name = "f64";
};

const Real kPi = 3.141592653589793238462643383279502884L;

Real exactSin(Real v, bool isCosine) {
  Real quarters = std::nearbyint(4 * v);
  Real angle = 2 * kPi * (v - quarters / 4);
  int k = (static_cast<int>(quarters) + isCosine) & 3;
  Real value = k & 1 ? std::cos(angle) : std::sin(angle);
  return k & 2 ? -value : value;
}

/// Newton's method on erf near 0 and on 1 - erf elsewhere.
Real exactErfInv(Real y) {
  Real magnitude = std::fabs(y), complement = 1 - magnitude;
  if (magnitude == 0)
    return y;
  Real x = std::sqrt(-std::log1p(-magnitude * magnitude)) * Real(0.9);
  for (int i = 0; i < 60; ++i) {
    Real difference =
        x < Real(0.5) ? magnitude - std::erf(x) : std::erfc(x) - complement;
    Real step = difference * std::exp(x * x) * std::sqrt(kPi) / 2;
    x += step;
    if (std::fabs(step) < Real(1e-18) * x)
      break;
  }
  return std::copysign(x, y);
}

/// The number v of which the exponential number is -log(v), or -log(1 - v) of
/// bits in the upper half.
float middle(uint32_t bits) {
  uint32_t n = bits >> 31 ? ~bits : bits;
  return std::fma(static_cast<float>(n), 0x1p-32f, 0x1p-33f);
}
double middle(uint64_t bits) {
  uint64_t n = (bits >> 63 ? ~bits : bits) >> 11;
  return (static_cast<double>(n) + 0.5) * 0x1p-53;
}

template <typename Float> Real exactExponential(Float x) {
  using Bits = typename Traits<Float>::Bits;
  Bits bits = bitCast<Bits>(x);
  Real v = middle(bits);
  return bits >> (8 * sizeof(Bits) - 1) ? -std::log1p(-v) : -std::log(v);
}

template <typename Float> Real exact(Which which, Float x) {
  using Bits = typename Traits<Float>::Bits;
  switch (which) {
  case Log:
    return std::log(static_cast<Real>(x));
  case Sin:
    return exactSin(x, false);
  case Cos:
    return exactSin(x, true);
  case Either:
    return exactSin(x, bitCast<Bits>(x) & 1);
  case Exponential:
    return exactExponential(x);
  default:
    return exactErfInv(x);
  }
}

/// The distance of floats at `value`.
template <typename Float> Real ulp(Real value) {
  using Limits = std::numeric_limits<Float>;
  if (value == 0)
    return Limits::denorm_min();
  return std::ldexp(Real(1), std::ilogb(value) + 1 - Limits::digits);
}

struct Errors {
  int64_t count = 0;
  Real largest = 0;
  Real at = 0;
  int64_t different = 0;
};
template <typename Float> Errors errors[NumFunctions];

uint64_t hash(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Word number `i` of `count`: all of 32 bits if `count` is enough for them;
/// else at equal distances, and next to the ends and to where rules change.
uint32_t word(uint64_t i, uint64_t count, uint32_t) {
  if (count >> 32)
    return static_cast<uint32_t>(i);
  uint32_t near = static_cast<uint32_t>(i / 8);
  switch (i % 8) {
  case 0:
    return near;
  case 1:
    return ~near;
  case 2:
    return 0x80000000 - static_cast<uint32_t>(count / 16) + near;
  case 3:
    return 0xAAAAAA80 - static_cast<uint32_t>(count / 16) + near;
  default:
    return static_cast<uint32_t>((i << 32) / count);
  }
}

uint64_t word(uint64_t i, uint64_t, uint64_t) {
  uint64_t any = hash(i + 1), more = hash(~i);
  switch (i % 4) {
  case 0:
    return any;
  case 1:
    return i == 1 ? 0 : any >> more % 64;
  case 2:
    return i == 2 ? ~uint64_t(0) : ~(any >> more % 64);
  default:
    return (more & 1 ? 0x8000000000000000 : 0xAAAAAAAAAAAAB000) +
           (any >> (1 + more / 2 % 63)) * (more >> 63 ? 1 : -1);
  }
}

/// Argument number `i` of `count`, from [2^-33, 1], or less than 1 for erfinv:
/// all floats if `count` is enough for them; else at equal distances in bits
/// and, every second one, in value.
float argument(Which which, uint64_t i, uint64_t count, float) {
  uint64_t low = bitCast<uint32_t>(0x1p-33f);
  uint64_t high = bitCast<uint32_t>(1.0f) - (which == ErfInv);
  if (count <= high - low && i % 2)
    return static_cast<float>(i * 0xffffff / count + 1) * 0x1p-24f;
  uint64_t bits =
      count > high - low ? low + i : low + i * (high - low) / (count - 1);
  return bitCast<float>(static_cast<uint32_t>(bits < high ? bits : high));
}

/// Argument number `i`: uniform, of random exponent, near 1, or near a multiple
/// of 1/8.
double argument(Which which, uint64_t i, uint64_t, double) {
  uint64_t word = hash(i + 1), more = hash(~i);
  double fraction = static_cast<double>(word >> 12) * 0x1p-52;
  double x = 0;
  switch (i % 4) {
  case 0:
    x = std::fma(static_cast<double>(word >> 11), 0x1p-53, 0x1p-54);
    break;
  case 1:
    x = std::ldexp(1 + fraction, -1 - static_cast<int>(more % 65));
    break;
  case 2:
    x = 1 - std::ldexp(fraction, -1 - static_cast<int>(more % 50));
    break;
  case 3:
    x = static_cast<double>(more % 9) / 8 +
        std::ldexp(fraction * 2 - 1, -4 - static_cast<int>(more / 9 % 40));
    x = std::fabs(x > 1 ? 2 - x : x);
    break;
  }
  if (which == ErfInv && x >= 1)
    return 1 - 0x1p-53;
  return x < 0x1p-65 ? 0x1p-65 : x;
}

template <typename Float>
void fill(Buffer<Float> &x, Which which, int64_t part, int64_t parts) {
  for (int64_t i = 0; i < x.size; ++i) {
    uint64_t number = part * x.size + i;
    if (which == Exponential) {
      using Bits = typename Traits<Float>::Bits;
      x[i] = bitCast<Float>(word(number, parts * x.size, Bits()));
      continue;
    }
    x[i] = argument(which, number, parts * x.size, Float());
    if (which == ErfInv && hash(number) & 1)
      x[i] = -x[i];
    // Zeros and extremes.
    if (number < 9 && which != Log && which != ErfInv)
      x[i] = static_cast<Float>(number) / 8;
    if (number == 0 && which == ErfInv)
      x[i] = 0;
  }
}

template <typename Float>
void check(Buffer<Float> &x, Buffer<Float> &y, Buffer<Float> &same,
           Which which) {
  using Bits = typename Traits<Float>::Bits;
  Errors &total = errors<Float>[which];
  for (int64_t i = 0; i < x.size; ++i) {
    total.different += bitCast<Bits>(y[i]) != bitCast<Bits>(same[i]);
    Real value = exact(which, x[i]);
    Real error = std::fabs(y[i] - value) / ulp<Float>(value);
    // Logarithms have no wrong sign; NaN is an error too.
    if (which == Log && y[i] > 0)
      error = std::numeric_limits<Real>::infinity();
    // Gumbel noise is the logarithm of an exponential number.
    if (which == Exponential && !std::isfinite(std::log(y[i])))
      error = std::numeric_limits<Real>::infinity();
    if (!(error <= total.largest)) {
      total.largest = error;
      total.at = which == Exponential ? static_cast<Real>(bitCast<Bits>(x[i]))
                                      : static_cast<Real>(x[i]);
    }
  }
  total.count += x.size;
}

/// `bound` is in hundredths.
template <typename Float> void report(Which which, int64_t bound) {
  const Errors &total = errors<Float>[which];
  std::printf("%s %s: %lld arguments, error %.3Lf at %La, %s, %s\n",
              kNames[which], Traits<Float>::name,
              static_cast<long long>(total.count), total.largest, total.at,
              total.largest * 100 <= bound ? "within the bound" : "too large",
              total.different ? "vectors differ" : "vectors agree");
}

} // namespace

extern "C" {
#define FUNCTIONS(NAME, FLOAT)                                                 \
  void _mlir_ciface_fill_##NAME(Buffer<FLOAT> *x, int64_t which, int64_t part, \
                                int64_t parts) {                               \
    fill(*x, static_cast<Which>(which), part, parts);                          \
  }                                                                            \
  void _mlir_ciface_check_##NAME(Buffer<FLOAT> *x, Buffer<FLOAT> *y,           \
                                 Buffer<FLOAT> *same, int64_t which) {         \
    check(*x, *y, *same, static_cast<Which>(which));                           \
  }                                                                            \
  void _mlir_ciface_report_##NAME(int64_t which, int64_t bound) {              \
    report<FLOAT>(static_cast<Which>(which), bound);                           \
  }
FUNCTIONS(f32, float)
FUNCTIONS(f64, double)
}
