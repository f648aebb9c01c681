//===- RunnerUtils.h - Helpers called by programs in mlir-runner --*- C -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What examples and tests call on their results: print, compare, fill and
/// combine memrefs. A program declares a function without the prefix and with
/// the C interface, for instance
///
/// ```mlir
/// func.func private @rngPrintF32(memref<*xf32>)
///     attributes {llvm.emit_c_interface}
/// ```
///
/// Each function exists for the element types f16, bf16, f32, f64, i1, i8, i16,
/// i32 and i64 (those on numbers for the four floats only); the type is the suffix
/// `F16`, `BF16`, `F32`, `F64`, `I1`, `I8`, `I16`, `I32`, `I64`. Any rank
/// from 0, sizes of zero, offsets and strides are honoured; "row-major" is the order
/// of logical indices, whatever the layout in memory.
///
/// An i1 is one byte, 0 or 1. All eight bits are compared, hashed and printed,
/// so that a program which stores anything else is found out.
///
/// Where two memrefs of different shapes meet, a line on stderr says so and
/// the result is one that no check accepts (see each function).
///
/// Output goes to C `stdout`, as that of `vector.print` does, and is flushed
/// line by line.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_RUNTIME_RUNNERUTILS_H
#define RNGDIALECT_RUNTIME_RUNNERUTILS_H

#include <stdint.h>

/// Marks what `rng_runner_utils` exports; all else in the library is hidden.
#if defined(_WIN32)
#if defined(rng_runner_utils_EXPORTS)
#define RNG_RUNNER_EXPORT __declspec(dllexport)
#else
#define RNG_RUNNER_EXPORT __declspec(dllimport)
#endif
#else
#define RNG_RUNNER_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What MLIR passes by pointer for a `memref<*xT>`. The descriptor is
/// `{T *allocated; T *aligned; int64_t offset; int64_t sizes[rank];
/// int64_t strides[rank];}`, offset and strides in elements.
typedef struct RngUnrankedMemRef {
  int64_t rank;
  void *descriptor;
} RngUnrankedMemRef;

/// Expands `X(SUFFIX)` for each float type.
#define RNG_RUNNER_FOR_EACH_FLOAT(X) X(F16) X(BF16) X(F32) X(F64)

/// Expands `X(SUFFIX)` for each integer type.
#define RNG_RUNNER_FOR_EACH_INTEGER(X) X(I1) X(I8) X(I16) X(I32) X(I64)

/// Functions on every element type:
///
/// `rngPrint(x)` prints a summary on one line: shape and type, up to eight
/// elements in row-major order (", ..." stands for more), and the 64-bit
/// FNV-1a hash of all element bytes in row-major order, little-endian hosts
/// assumed:
///
///     2x2xf32 [0.5, 0, 1.25, 2] hash 0x0123456789abcdef
///
/// Floats have as many digits as it takes to read the same value back (f16
/// and bf16 as f32); all NaNs print as "nan".
///
/// `rngPrintBits(x)` prints the bits of every element on one line, in
/// row-major order, as hexadecimal numbers of fixed width (two digits a byte)
/// separated by a space.
///
/// `rngCountDifferent(a, b)` is the number of elements whose bits differ (so
/// 0.0 and -0.0 differ, and equal NaNs do not), -1 for different shapes.
///
/// `rngFill(x, seed)` stores test data, a pure function of the seed and the
/// row-major index, the same on every machine. From the top bits of a
/// splitmix64 sequence f32 and f64 get multiples of 2^-23 and 2^-52 in
/// [-1, 1); f16 and bf16 multiples of 2^-7 in [-1, 1), which both represent
/// exactly; i8 to i64 integers in [-8, 8); i1 0 or 1.
#define RNG_RUNNER_DECLARE(T)                                                  \
  RNG_RUNNER_EXPORT void _mlir_ciface_rngPrint##T(const RngUnrankedMemRef *x); \
  RNG_RUNNER_EXPORT void _mlir_ciface_rngPrintBits##T(                         \
      const RngUnrankedMemRef *x);                                             \
  RNG_RUNNER_EXPORT int64_t _mlir_ciface_rngCountDifferent##T(                 \
      const RngUnrankedMemRef *a, const RngUnrankedMemRef *b);                 \
  RNG_RUNNER_EXPORT void _mlir_ciface_rngFill##T(const RngUnrankedMemRef *x,   \
                                                 int64_t seed);
RNG_RUNNER_FOR_EACH_FLOAT(RNG_RUNNER_DECLARE)
RNG_RUNNER_FOR_EACH_INTEGER(RNG_RUNNER_DECLARE)
#undef RNG_RUNNER_DECLARE

/// Functions on floats, computed in f64:
///
/// `rngMaxAbsDifference(a, b)` is the largest |a[i] - b[i]|, 0 when empty.
/// Equal infinities differ by 0. It is +infinity when an element is NaN, in
/// either or both, or when the shapes differ, so that no tolerance accepts it.
///
/// `rngDot(a, b)` is the sum of a[i] * b[i] in row-major order, NaN for
/// different shapes.
///
/// `rngAxpy(alpha, x, y)` does y[i] += alpha * x[i] in place: one fused
/// multiply-add in f64, its result rounded once to the element type, nearest
/// ties to even. Different shapes leave y alone.
#define RNG_RUNNER_DECLARE(T)                                                  \
  RNG_RUNNER_EXPORT double _mlir_ciface_rngMaxAbsDifference##T(                \
      const RngUnrankedMemRef *a, const RngUnrankedMemRef *b);                 \
  RNG_RUNNER_EXPORT double _mlir_ciface_rngDot##T(const RngUnrankedMemRef *a,  \
                                                  const RngUnrankedMemRef *b); \
  RNG_RUNNER_EXPORT void _mlir_ciface_rngAxpy##T(                              \
      double alpha, const RngUnrankedMemRef *x, const RngUnrankedMemRef *y);
RNG_RUNNER_FOR_EACH_FLOAT(RNG_RUNNER_DECLARE)
#undef RNG_RUNNER_DECLARE

/// `rngExitIfFailed(failures)` ends the process with status 1 unless
/// `failures` is 0. The functions that it is called from do not return.
RNG_RUNNER_EXPORT void _mlir_ciface_rngExitIfFailed(int64_t failures);

#ifdef __cplusplus
}
#endif

#endif // RNGDIALECT_RUNTIME_RUNNERUTILS_H
