//===- RunnerUtils.cpp - Helpers called by programs in mlir-runner ===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Runtime/RunnerUtils.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//
//
// Each is a class with `Bits`, the unsigned type that holds an element, `name`,
// `print` and `fromRandom`, which turns 64 random bits into test data; floats
// also convert to and from double.

namespace {

template <typename To, typename From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

/// Prints with the fewest digits, from `digits` on, that read back the same.
template <typename Float> void printFloat(Float value, int digits) {
  if (std::isnan(value)) {
    // Not left to the C library, which may or may not show the sign.
    std::fputs("nan", stdout);
    return;
  }
  char text[48];
  for (; digits <= std::numeric_limits<Float>::max_digits10; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits,
                  static_cast<double>(value));
    Float back = sizeof(Float) == sizeof(float)
                     ? static_cast<Float>(std::strtof(text, nullptr))
                     : static_cast<Float>(std::strtod(text, nullptr));
    if (back == value)
      break;
  }
  std::fputs(text, stdout);
}

/// A multiple of 2^(1 - Digits) in [-1, 1) from the top `Digits` bits.
template <int Digits> double unitFromRandom(uint64_t random) {
  return std::ldexp(static_cast<double>(random >> (64 - Digits)), 1 - Digits) -
         1.0;
}

/// An IEEE-like 16-bit float with the given widths of exponent and fraction.
template <int ExponentBits, int FractionBits> struct SmallFloat {
  using Bits = uint16_t;

  static constexpr int minExponent = 2 - (1 << (ExponentBits - 1));
  static constexpr int maxField = (1 << ExponentBits) - 1;
  static constexpr int64_t infinity = int64_t(maxField) << FractionBits;

  static double toDouble(Bits bits) {
    int field = (bits >> FractionBits) & maxField;
    int fraction = bits & ((1 << FractionBits) - 1);
    double magnitude;
    if (field == maxField)
      magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                           : std::numeric_limits<double>::infinity();
    else if (field == 0)
      magnitude = std::ldexp(fraction, minExponent - FractionBits);
    else
      magnitude = std::ldexp(fraction | (1 << FractionBits),
                             minExponent - FractionBits + field - 1);
    return bits >> 15 ? -magnitude : magnitude;
  }

  /// Rounds once, to nearest, ties to even.
  static Bits fromDouble(double value) {
    int64_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value))
      return static_cast<Bits>(sign | infinity | 1 << (FractionBits - 1));
    if (std::isinf(value))
      return static_cast<Bits>(sign | infinity);
    // Count the value in units of its last place. The implicit bit of that
    // count adds one to the exponent field, and so does a carry.
    int exponent = minExponent;
    if (value != 0.0)
      exponent = std::max(exponent, std::ilogb(value));
    double units = std::ldexp(std::fabs(value), FractionBits - exponent);
    int64_t encoded = (int64_t(exponent - minExponent) << FractionBits) +
                      static_cast<int64_t>(std::nearbyint(units));
    return static_cast<Bits>(sign | std::min(encoded, infinity));
  }

  static void print(Bits bits) {
    printFloat(static_cast<float>(toDouble(bits)),
               std::numeric_limits<float>::digits10);
  }

  // Eight digits: what bf16 holds, so that f16 and bf16 get equal values.
  static Bits fromRandom(uint64_t random) {
    return fromDouble(unitFromRandom<8>(random));
  }
};

struct F16 : SmallFloat<5, 10> {
  static constexpr const char *name = "f16";
};
struct BF16 : SmallFloat<8, 7> {
  static constexpr const char *name = "bf16";
};

/// A float that C++ has.
template <typename Float, typename BitsT> struct NativeFloat {
  using Bits = BitsT;

  static double toDouble(Bits bits) { return bitCast<Float>(bits); }
  static Bits fromDouble(double value) {
    return bitCast<Bits>(static_cast<Float>(value));
  }
  static void print(Bits bits) {
    printFloat(bitCast<Float>(bits), std::numeric_limits<Float>::digits10);
  }
  static Bits fromRandom(uint64_t random) {
    return fromDouble(
        unitFromRandom<std::numeric_limits<Float>::digits>(random));
  }
};

struct F32 : NativeFloat<float, uint32_t> {
  static constexpr const char *name = "f32";
};
struct F64 : NativeFloat<double, uint64_t> {
  static constexpr const char *name = "f64";
};

/// A signed integer.
template <typename Signed, typename BitsT> struct Integer {
  using Bits = BitsT;

  static void print(Bits bits) {
    std::fprintf(stdout, "%" PRId64,
                 static_cast<int64_t>(bitCast<Signed>(bits)));
  }
  static Bits fromRandom(uint64_t random) {
    return bitCast<Bits>(
        static_cast<Signed>(static_cast<int>(random >> 60) - 8));
  }
};

struct I8 : Integer<int8_t, uint8_t> {
  static constexpr const char *name = "i8";
};
struct I16 : Integer<int16_t, uint16_t> {
  static constexpr const char *name = "i16";
};
struct I32 : Integer<int32_t, uint32_t> {
  static constexpr const char *name = "i32";
};
struct I64 : Integer<int64_t, uint64_t> {
  static constexpr const char *name = "i64";
};
struct I1 {
  using Bits = uint8_t;
  static constexpr const char *name = "i1";

  static void print(Bits bits) { std::fprintf(stdout, "%u", unsigned{bits}); }
  static Bits fromRandom(uint64_t random) {
    return static_cast<Bits>(random >> 63);
  }
};

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

/// A memref with its descriptor read.
struct View {
  /// The element at index (0, ..., 0).
  char *base;
  int64_t rank;
  const int64_t *sizes;
  const int64_t *strides;

  View(const RngUnrankedMemRef &memref, size_t elementBytes)
      : rank(memref.rank) {
    char *descriptor = static_cast<char *>(memref.descriptor);
    std::memcpy(&base, descriptor + sizeof(void *), sizeof(base));
    const int64_t *numbers =
        reinterpret_cast<const int64_t *>(descriptor + 2 * sizeof(void *));
    sizes = numbers + 1;
    strides = sizes + rank;
    // Left alone when empty: the pointer may be null then.
    if (!isEmpty())
      base += numbers[0] * static_cast<int64_t>(elementBytes);
  }

  bool isEmpty() const {
    return std::any_of(sizes, sizes + rank,
                       [](int64_t size) { return size <= 0; });
  }
};

/// Calls `body(offsets)` for each index of the common shape of `views` from
/// dimension `dim` on, in row-major order; `offsets` are in elements, from the
/// base of each view.
template <size_t N, typename Body>
void walk(const std::array<View, N> &views, int64_t dim,
          std::array<int64_t, N> offsets, Body &body) {
  if (dim == views[0].rank) {
    body(offsets);
    return;
  }
  for (int64_t i = 0, size = views[0].sizes[dim]; i < size; ++i) {
    walk(views, dim + 1, offsets, body);
    for (size_t v = 0; v < N; ++v)
      offsets[v] += views[v].strides[dim];
  }
}

/// Elements of type T at equal indices of N memrefs of one shape.
template <typename T, size_t N> class Elements {
public:
  using Bits = typename T::Bits;

  explicit Elements(const std::array<View, N> &ofViews) : views(ofViews) {}

  /// Calls `body(pointers)`, an array of `char *`, in row-major order.
  template <typename Body> void forEach(Body body) const {
    // Asked first, or a zero size inside a huge one would take for ever.
    if (views[0].isEmpty())
      return;
    auto toPointers = [&](const std::array<int64_t, N> &offsets) {
      std::array<char *, N> pointers;
      for (size_t v = 0; v < N; ++v)
        pointers[v] =
            views[v].base + offsets[v] * static_cast<int64_t>(sizeof(Bits));
      body(pointers);
    };
    walk(views, /*dim=*/0, std::array<int64_t, N>{}, toPointers);
  }

private:
  std::array<View, N> views;
};

/// Reads an element; the memref need not be aligned.
template <typename Bits> Bits load(const char *pointer) {
  Bits bits;
  std::memcpy(&bits, pointer, sizeof(Bits));
  return bits;
}

template <typename T> Elements<T, 1> getElements(const RngUnrankedMemRef &x) {
  return Elements<T, 1>({View(x, sizeof(typename T::Bits))});
}

void printType(std::FILE *stream, const View &view, const char *name) {
  for (int64_t dim = 0; dim < view.rank; ++dim)
    std::fprintf(stream, "%" PRId64 "x", view.sizes[dim]);
  std::fputs(name, stream);
}

/// Calls `body(pointers)` for the elements of a and b at each index. Returns
/// false, after a message, when the shapes differ.
template <typename T, typename Body>
bool forEachPair(const char *function, const RngUnrankedMemRef &a,
                 const RngUnrankedMemRef &b, Body body) {
  constexpr size_t bytes = sizeof(typename T::Bits);
  std::array<View, 2> views = {View(a, bytes), View(b, bytes)};
  if (std::equal(views[0].sizes, views[0].sizes + a.rank, views[1].sizes,
                 views[1].sizes + b.rank)) {
    Elements<T, 2>(views).forEach(body);
    return true;
  }
  std::fprintf(stderr, "%s: expected operands of equal shapes but got ",
               function);
  printType(stderr, views[0], T::name);
  std::fputs(" and ", stderr);
  printType(stderr, views[1], T::name);
  std::fputs("\n", stderr);
  return false;
}

//===----------------------------------------------------------------------===//
// The functions, for any element type
//===----------------------------------------------------------------------===//

template <typename T> void print(const RngUnrankedMemRef &x) {
  using Bits = typename T::Bits;
  constexpr int64_t maxShown = 8;

  printType(stdout, View(x, sizeof(Bits)), T::name);
  std::fputs(" [", stdout);
  int64_t count = 0;
  uint64_t hash = 0xcbf29ce484222325;
  getElements<T>(x).forEach([&](const std::array<char *, 1> &pointers) {
    if (count <= maxShown && count > 0)
      std::fputs(", ", stdout);
    if (count < maxShown)
      T::print(load<Bits>(pointers[0]));
    else if (count == maxShown)
      std::fputs("...", stdout);
    ++count;
    for (size_t i = 0; i < sizeof(Bits); ++i)
      hash =
          (hash ^ static_cast<unsigned char>(pointers[0][i])) * 0x100000001b3;
  });
  std::fprintf(stdout, "] hash 0x%016" PRIx64 "\n", hash);
  std::fflush(stdout);
}

template <typename T> void printBits(const RngUnrankedMemRef &x) {
  using Bits = typename T::Bits;
  const char *separator = "";
  getElements<T>(x).forEach([&](const std::array<char *, 1> &pointers) {
    std::fprintf(stdout, "%s%0*" PRIx64, separator,
                 static_cast<int>(2 * sizeof(Bits)),
                 static_cast<uint64_t>(load<Bits>(pointers[0])));
    separator = " ";
  });
  std::fputs("\n", stdout);
  std::fflush(stdout);
}

template <typename T>
int64_t countDifferent(const RngUnrankedMemRef &a, const RngUnrankedMemRef &b) {
  using Bits = typename T::Bits;
  int64_t count = 0;
  bool sameShape = forEachPair<T>(
      "rngCountDifferent", a, b, [&](const std::array<char *, 2> &pointers) {
        count += load<Bits>(pointers[0]) != load<Bits>(pointers[1]);
      });
  return sameShape ? count : -1;
}

/// A step of the splitmix64 generator (Steele, Lea and Flood, 2014).
uint64_t splitMix64(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

template <typename T> void fill(const RngUnrankedMemRef &x, int64_t seed) {
  using Bits = typename T::Bits;
  // Mixed once before it becomes the state, so that no two seeds give shifted
  // copies of one sequence.
  uint64_t start = static_cast<uint64_t>(seed);
  uint64_t state = splitMix64(start);
  getElements<T>(x).forEach([&](const std::array<char *, 1> &pointers) {
    Bits bits = T::fromRandom(splitMix64(state));
    std::memcpy(pointers[0], &bits, sizeof(Bits));
  });
}

template <typename T>
double maxAbsDifference(const RngUnrankedMemRef &a,
                        const RngUnrankedMemRef &b) {
  using Bits = typename T::Bits;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  bool sameShape = forEachPair<T>(
      "rngMaxAbsDifference", a, b, [&](const std::array<char *, 2> &pointers) {
        double lhs = T::toDouble(load<Bits>(pointers[0]));
        double rhs = T::toDouble(load<Bits>(pointers[1]));
        // Equal infinities would give NaN.
        if (lhs == rhs)
          return;
        double difference = std::fabs(lhs - rhs);
        largest =
            std::max(largest, std::isnan(difference) ? infinity : difference);
      });
  return sameShape ? largest : infinity;
}

template <typename T>
double dot(const RngUnrankedMemRef &a, const RngUnrankedMemRef &b) {
  using Bits = typename T::Bits;
  double sum = 0.0;
  bool sameShape = forEachPair<T>(
      "rngDot", a, b, [&](const std::array<char *, 2> &pointers) {
        sum += T::toDouble(load<Bits>(pointers[0])) *
               T::toDouble(load<Bits>(pointers[1]));
      });
  return sameShape ? sum : std::numeric_limits<double>::quiet_NaN();
}

template <typename T>
void axpy(double alpha, const RngUnrankedMemRef &x,
          const RngUnrankedMemRef &y) {
  using Bits = typename T::Bits;
  forEachPair<T>("rngAxpy", x, y, [&](const std::array<char *, 2> &pointers) {
    double sum = std::fma(alpha, T::toDouble(load<Bits>(pointers[0])),
                          T::toDouble(load<Bits>(pointers[1])));
    Bits bits = T::fromDouble(sum);
    std::memcpy(pointers[1], &bits, sizeof(Bits));
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// The functions, exported for each element type
//===----------------------------------------------------------------------===//

#define RNG_RUNNER_DEFINE(T)                                                   \
  void _mlir_ciface_rngPrint##T(const RngUnrankedMemRef *x) { print<T>(*x); }  \
  void _mlir_ciface_rngPrintBits##T(const RngUnrankedMemRef *x) {              \
    printBits<T>(*x);                                                          \
  }                                                                            \
  int64_t _mlir_ciface_rngCountDifferent##T(const RngUnrankedMemRef *a,        \
                                            const RngUnrankedMemRef *b) {      \
    return countDifferent<T>(*a, *b);                                          \
  }                                                                            \
  void _mlir_ciface_rngFill##T(const RngUnrankedMemRef *x, int64_t seed) {     \
    fill<T>(*x, seed);                                                         \
  }
RNG_RUNNER_FOR_EACH_FLOAT(RNG_RUNNER_DEFINE)
RNG_RUNNER_FOR_EACH_INTEGER(RNG_RUNNER_DEFINE)
#undef RNG_RUNNER_DEFINE

#define RNG_RUNNER_DEFINE(T)                                                   \
  double _mlir_ciface_rngMaxAbsDifference##T(const RngUnrankedMemRef *a,       \
                                             const RngUnrankedMemRef *b) {     \
    return maxAbsDifference<T>(*a, *b);                                        \
  }                                                                            \
  double _mlir_ciface_rngDot##T(const RngUnrankedMemRef *a,                    \
                                const RngUnrankedMemRef *b) {                  \
    return dot<T>(*a, *b);                                                     \
  }                                                                            \
  void _mlir_ciface_rngAxpy##T(double alpha, const RngUnrankedMemRef *x,       \
                               const RngUnrankedMemRef *y) {                   \
    axpy<T>(alpha, *x, *y);                                                    \
  }
RNG_RUNNER_FOR_EACH_FLOAT(RNG_RUNNER_DEFINE)
#undef RNG_RUNNER_DEFINE

void _mlir_ciface_rngExitIfFailed(int64_t failures) {
  if (failures == 0)
    return;
  // Not `exit`: the code of the program is in memory that its runner frees
  // there, while this call is still in it.
  std::fflush(nullptr);
  std::_Exit(1);
}
