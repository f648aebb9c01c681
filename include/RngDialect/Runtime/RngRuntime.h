//===- RngRuntime.h - Generator registry of a running program -----*- C -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The generators of a process, as C functions: compiled programs read and
/// advance them, embedders seed, save and restore them. Plain C11 and C++, no
/// dependency on LLVM.
///
/// A *generator* is a named pair (seed, offset). Names are NUL-terminated
/// strings and compared by content; `NULL` and `""` both name the default
/// generator, which is always *known*. Another generator is known from when it
/// was declared, seeded, set or drawn from. A process never takes entropy by
/// itself: the default generator and those that nobody gave a seed start as
/// (0, 0).
///
/// A lowered module declares its generators when it is loaded, by a constructor
/// (`llvm.mlir.global_ctors`): `mlir-runner` and the loader of an executable or
/// a shared library run it, an embedder of `mlir::ExecutionEngine` calls
/// `initialize()`. So from then on states can be listed, saved and set before
/// anything is drawn.
///
/// Both numbers are unsigned 64-bit quantities and wrap mod 2^64. The offset
/// counts *blocks*, one call of the algorithm's block function; for Philox a
/// stream block is 128 bits. Only the two `...TorchState` functions speak
/// another unit.
///
/// A `state` parameter is two words, state[0] = seed and state[1] = offset. It
/// may be `NULL` where the caller does not want the answer.
///
/// Every function may be called from any thread at any time; each call on a
/// generator is one atomic step. A child made by `fork` may call all of them
/// too, whatever other threads of the parent did meanwhile. It inherits the
/// states of its parent and draws the numbers that the parent draws next; where
/// that is not wanted, it takes seeds of its own for the generators it lists:
///
/// ```c
/// for (uint64_t i = 0; i < numNames; ++i)
///   rngSeed(names[i], seedOfThisChild);
/// ```
///
/// Functions that name a generator say by an `RngStatus` whether it was known;
/// compiled code, which declares first, ignores that.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_RUNTIME_RNGRUNTIME_H
#define RNGDIALECT_RUNTIME_RNGRUNTIME_H

#include <stdint.h>

/// Marks what `rng_runtime` exports; all else in the library is hidden.
#if defined(_WIN32)
#if defined(rng_runtime_EXPORTS)
#define RNG_RUNTIME_EXPORT __declspec(dllexport)
#else
#define RNG_RUNTIME_EXPORT __declspec(dllimport)
#endif
#else
#define RNG_RUNTIME_EXPORT __attribute__((visibility("default")))
#endif

/// The status must be looked at: without it, an unknown generator looks like
/// one with seed 0.
#if defined(__GNUC__)
#define RNG_RUNTIME_CHECKED __attribute__((warn_unused_result))
#else
#define RNG_RUNTIME_CHECKED
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a function says of the generator that it was asked for.
typedef enum RngStatus {
  /// It was known.
  RNG_OK = 0,
  /// Nobody declared, seeded, set or drew from a generator of that name before,
  /// or not since `rngResetAll`.
  RNG_UNKNOWN_GENERATOR = 1,
  /// It cannot be declared: the default generator needs no declaration.
  RNG_INVALID_NAME = 2
} RngStatus;

/// The meaning of `status` in words, lower case, for the embedder's messages.
/// Never `NULL`.
RNG_RUNTIME_EXPORT const char *rngGetStatusText(RngStatus status);

/// Declares `generator`: gives it the state (seed, 0) unless it is known, which
/// is no error. So the first of several modules that declare it with different
/// seeds wins, in the order in which they are loaded, and a state chosen by the
/// embedder wins over all of them. Having been asked for (`rngGetState`) does
/// not make a generator known.
///
/// Returns RNG_OK, or RNG_INVALID_NAME for the default generator, which keeps
/// its state.
///
/// Compiled code calls this when it is loaded and, for embedders that run no
/// constructors, before each use of a named generator; when the generator is
/// known it takes no lock.
RNG_RUNTIME_EXPORT RngStatus rngDeclare(const char *generator, uint64_t seed);

/// Sets the state of `generator` to (seed, 0). The generator is known from then
/// on; the status is that of before.
RNG_RUNTIME_EXPORT RngStatus rngSeed(const char *generator, uint64_t seed);

/// Reads the state of `generator` without changing it. Of an unknown generator
/// this is (0, 0), from which it would draw, and the status says so: a state
/// that comes with RNG_UNKNOWN_GENERATOR is not one to save, since a
/// declaration may still choose another seed.
RNG_RUNTIME_EXPORT RNG_RUNTIME_CHECKED RngStatus
rngGetState(const char *generator, uint64_t state[2]);

/// Sets the state of `generator` to (seed, offset), offset in stream blocks.
/// The generator is known from then on; the status is that of before.
RNG_RUNTIME_EXPORT RngStatus rngSetState(const char *generator, uint64_t seed,
                                         uint64_t offset);

/// Reserves `blocks` stream blocks: stores the state before in `state` and
/// advances the offset by `blocks`, mod 2^64, in one step. The caller owns the
/// stream blocks offset, ..., offset + blocks - 1; no other call gets them. The
/// generator is known from then on; the status is that of before.
RNG_RUNTIME_EXPORT RngStatus rngReserve(const char *generator, uint64_t blocks,
                                        uint64_t state[2]);

/// Reads the state of `generator` in PyTorch's unit: its CUDA generator counts
/// 32-bit words, of which a Philox stream block holds four, so state[1] is 4 *
/// offset mod 2^64. From offset 2^62 on the product has wrapped and setting it
/// back does not restore the state; use `rngGetState` to save a state. The
/// status is that of `rngGetState`.
RNG_RUNTIME_EXPORT RNG_RUNTIME_CHECKED RngStatus
rngGetTorchState(const char *generator, uint64_t state[2]);

/// Sets the state of `generator` from PyTorch's unit: `words` 32-bit words,
/// rounded up to a stream block, so that no word already handed out is used
/// again. The status is that of `rngSetState`.
RNG_RUNTIME_EXPORT RngStatus rngSetTorchState(const char *generator,
                                              uint64_t seed, uint64_t words);

/// Lists the known generators: the default one, `""`, and then the others in
/// the order of the bytes of their names. Stores the first `capacity` names in
/// `names`, which may be `NULL` where `capacity` is 0, and returns how many
/// there are. Names stay valid as long as the process.
RNG_RUNTIME_EXPORT uint64_t rngListGenerators(const char **names,
                                              uint64_t capacity);

/// Takes all generators back to where they started: the default one to (0, 0),
/// declared ones to the seed of their declaration and offset 0; others are
/// unknown again. A declaration after this chooses the seed anew. For tests and
/// for embedders that run one program after another. Generators are reset one
/// by one: a program that draws meanwhile may see some old and some new.
RNG_RUNTIME_EXPORT void rngResetAll(void);

#ifdef __cplusplus
}
#endif

#endif // RNGDIALECT_RUNTIME_RNGRUNTIME_H
