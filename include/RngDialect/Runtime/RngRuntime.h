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
/// generator. A generator nobody has mentioned before has seed 0 and offset 0:
/// a process never takes entropy by itself.
///
/// Both numbers are unsigned 64-bit quantities and wrap mod 2^64. The offset
/// counts *blocks*, one call of the algorithm's block function; for Philox a
/// block is 128 bits. Only the two `...TorchState` functions speak another
/// unit.
///
/// A `state` parameter is two words, state[0] = seed and state[1] = offset. It
/// may be `NULL` where the caller does not want the answer.
///
/// Every function may be called from any thread at any time; each call on a
/// generator is one atomic step. None of them fails.
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

#ifdef __cplusplus
extern "C" {
#endif

/// Gives `generator` the state (seed, 0) unless it is known already, that is,
/// unless it was declared, seeded, set or drawn from before. So the first
/// declaration wins and a state chosen by the embedder wins over all of them.
/// Having been looked at (`rngGetState`) does not make a generator known.
///
/// Compiled code calls this before each use of a named generator; when the
/// generator is known it takes no lock.
RNG_RUNTIME_EXPORT void rngDeclare(const char *generator, uint64_t seed);

/// Sets the state of `generator` to (seed, 0).
RNG_RUNTIME_EXPORT void rngSeed(const char *generator, uint64_t seed);

/// Reads the state of `generator` without changing it.
RNG_RUNTIME_EXPORT void rngGetState(const char *generator, uint64_t state[2]);

/// Sets the state of `generator` to (seed, offset), offset in blocks.
RNG_RUNTIME_EXPORT void rngSetState(const char *generator, uint64_t seed,
                                    uint64_t offset);

/// Reserves `blocks` blocks: stores the state before in `state` and advances
/// the offset by `blocks`, mod 2^64, in one step. The caller owns the blocks
/// offset, ..., offset + blocks - 1; no other call gets them.
RNG_RUNTIME_EXPORT void rngReserve(const char *generator, uint64_t blocks,
                                   uint64_t state[2]);

/// Reads the state of `generator` in PyTorch's unit: its CUDA generator counts
/// 32-bit words, of which a Philox block holds four, so state[1] is 4 * offset
/// mod 2^64. From offset 2^62 on the product has wrapped and setting it back
/// does not restore the state; use `rngGetState` to save a state.
RNG_RUNTIME_EXPORT void rngGetTorchState(const char *generator,
                                         uint64_t state[2]);

/// Sets the state of `generator` from PyTorch's unit: `words` 32-bit words,
/// rounded up to a block, so that no word already handed out is used again.
RNG_RUNTIME_EXPORT void rngSetTorchState(const char *generator, uint64_t seed,
                                         uint64_t words);

/// Forgets all generators, as if the process had just started. For tests and
/// for embedders that run one program after another. Generators are reset one
/// by one: a program that draws meanwhile may see some old and some new.
RNG_RUNTIME_EXPORT void rngResetAll(void);

#ifdef __cplusplus
}
#endif

#endif // RNGDIALECT_RUNTIME_RNGRUNTIME_H
