//===- GeneratorRegistry.cpp - The generators of a process ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Runtime/RngRuntime.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>

namespace {

/// One named state. Never freed: a reference stays good for ever, so that
/// looking one up needs no lock and threads may still draw while the process
/// exits.
struct Generator {
  explicit Generator(const char *generatorName) {
    size_t size = std::strlen(generatorName) + 1;
    name.reset(new char[size]);
    std::memcpy(name.get(), generatorName, size);
  }

  std::unique_ptr<char[]> name;
  /// Next generator in the same bucket; constant once published.
  Generator *next = nullptr;

  /// Guards seed and offset, which change together.
  std::mutex mutex;
  uint64_t seed = 0;
  uint64_t offset = 0;

  /// Whether a declaration comes too late. Written under the mutex, read
  /// without it by `rngDeclare`.
  std::atomic<bool> known{false};
};

/// A hash table of fixed size that only grows, in chains. Programs have a
/// handful of generators; thousands still work.
constexpr size_t numBuckets = 64;

} // namespace

// The state of the process, which is what this library is for. Both are
// initialised before any code runs and need no destruction.
static std::atomic<Generator *> buckets[numBuckets];
static std::mutex creationMutex;

static std::atomic<Generator *> &getBucket(const char *name) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (; *name; ++name)
    hash = (hash ^ static_cast<unsigned char>(*name)) * 0x100000001b3;
  return buckets[(hash ^ (hash >> 32)) % numBuckets];
}

static Generator *find(Generator *chain, const char *name) {
  while (chain && std::strcmp(chain->name.get(), name) != 0)
    chain = chain->next;
  return chain;
}

/// Returns the generator of that name, made with state (0, 0) when missing.
static Generator &getGenerator(const char *name) {
  if (!name)
    name = "";
  std::atomic<Generator *> &bucket = getBucket(name);
  if (Generator *found = find(bucket.load(std::memory_order_acquire), name))
    return *found;

  std::lock_guard<std::mutex> lock(creationMutex);
  // Another thread may have made it since.
  Generator *chain = bucket.load(std::memory_order_relaxed);
  if (Generator *found = find(chain, name))
    return *found;
  Generator *created = new Generator(name);
  created->next = chain;
  bucket.store(created, std::memory_order_release);
  return *created;
}

static void storeState(uint64_t *state, uint64_t seed, uint64_t offset) {
  if (!state)
    return;
  state[0] = seed;
  state[1] = offset;
}

void rngDeclare(const char *generatorName, uint64_t seed) {
  Generator &generator = getGenerator(generatorName);
  if (generator.known.load(std::memory_order_acquire))
    return;
  std::lock_guard<std::mutex> lock(generator.mutex);
  if (generator.known.load(std::memory_order_relaxed))
    return;
  generator.seed = seed;
  generator.offset = 0;
  generator.known.store(true, std::memory_order_release);
}

void rngSeed(const char *generatorName, uint64_t seed) {
  rngSetState(generatorName, seed, /*offset=*/0);
}

void rngGetState(const char *generatorName, uint64_t state[2]) {
  Generator &generator = getGenerator(generatorName);
  std::lock_guard<std::mutex> lock(generator.mutex);
  storeState(state, generator.seed, generator.offset);
}

void rngSetState(const char *generatorName, uint64_t seed, uint64_t offset) {
  Generator &generator = getGenerator(generatorName);
  std::lock_guard<std::mutex> lock(generator.mutex);
  generator.seed = seed;
  generator.offset = offset;
  generator.known.store(true, std::memory_order_release);
}

void rngReserve(const char *generatorName, uint64_t blocks, uint64_t state[2]) {
  Generator &generator = getGenerator(generatorName);
  std::lock_guard<std::mutex> lock(generator.mutex);
  storeState(state, generator.seed, generator.offset);
  generator.offset += blocks;
  // The caller has seen a seed, so no declaration may change it any more.
  generator.known.store(true, std::memory_order_release);
}

/// 32-bit words in a Philox block: the one place where PyTorch's unit is
/// converted.
static constexpr uint64_t wordsPerBlock = 4;

void rngGetTorchState(const char *generatorName, uint64_t state[2]) {
  uint64_t own[2];
  rngGetState(generatorName, own);
  storeState(state, own[0], own[1] * wordsPerBlock);
}

void rngSetTorchState(const char *generatorName, uint64_t seed,
                      uint64_t words) {
  // Not (words + 3) / 4, which wraps for the last three values.
  uint64_t blocks = words / wordsPerBlock + (words % wordsPerBlock != 0);
  rngSetState(generatorName, seed, blocks);
}

void rngResetAll(void) {
  for (std::atomic<Generator *> &bucket : buckets) {
    Generator *generator = bucket.load(std::memory_order_acquire);
    for (; generator; generator = generator->next) {
      std::lock_guard<std::mutex> lock(generator->mutex);
      generator->seed = 0;
      generator->offset = 0;
      generator->known.store(false, std::memory_order_release);
    }
  }
}
