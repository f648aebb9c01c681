//===- GeneratorRegistry.cpp - The generators of a process ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Runtime/RngRuntime.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace {

/// One named state. Never freed: a reference stays good for ever, so that
/// looking one up needs no lock and threads may still draw while the process
/// exits.
struct Generator {
  Generator(const char *generatorName, std::mutex &bucketMutex)
      : mutex(bucketMutex) {
    size_t size = std::strlen(generatorName) + 1;
    name.reset(new char[size]);
    std::memcpy(name.get(), generatorName, size);
  }

  std::unique_ptr<char[]> name;
  /// Next generator in the same bucket; constant once published.
  Generator *next = nullptr;

  bool isDefault() const { return !name[0]; }

  /// Makes (newSeed, newOffset) the state. Needs the mutex.
  void set(uint64_t newSeed, uint64_t newOffset) {
    seed = newSeed;
    offset = newOffset;
  }

  /// Returns whether this was known, and makes it known. Needs the mutex.
  RngStatus makeKnown() {
    RngStatus before = getStatus();
    settled.store(true, std::memory_order_release);
    return before;
  }

  /// Needs the mutex.
  RngStatus getStatus() const {
    return isDefault() || declared || settled.load(std::memory_order_relaxed)
               ? RNG_OK
               : RNG_UNKNOWN_GENERATOR;
  }

  /// Its bucket's: guards all that follows; seed and offset change together.
  std::mutex &mutex;
  uint64_t seed = 0;
  uint64_t offset = 0;

  /// Whether there was a declaration, and of which seed. After a reset another
  /// one may follow.
  bool declared = false;
  uint64_t declaredSeed = 0;

  /// Whether a declaration comes too late: there was one, or the state was set
  /// or drawn from. Written under the mutex, read without it by `rngDeclare`.
  std::atomic<bool> settled{false};
};

/// A chain of generators.
struct Bucket {
  std::atomic<Generator *> head{nullptr};
  /// Guards the head when it changes, and the states of the generators.
  std::mutex mutex;
};

/// A hash table of fixed size that only grows. Programs have a handful of
/// generators; thousands still work. A fork takes the locks of all buckets, and
/// the thread sanitizer follows no more than 64 held by one thread.
constexpr size_t numBuckets = 32;

} // namespace

// The state of the process, which is what this library is for. It is
// initialised before any code runs and needs no destruction.
static Bucket buckets[numBuckets];

static Bucket &getBucket(const char *name) {
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

static bool isDefaultName(const char *name) { return !name || !*name; }

/// Returns the generator of that name, null when nobody has named it.
static Generator *lookupGenerator(const char *name) {
  if (!name)
    name = "";
  return find(getBucket(name).head.load(std::memory_order_acquire), name);
}

/// Returns the generator of that name, made with state (0, 0) when missing.
static Generator &getGenerator(const char *name) {
  if (Generator *found = lookupGenerator(name))
    return *found;
  if (!name)
    name = "";

  Bucket &bucket = getBucket(name);
  std::lock_guard<std::mutex> lock(bucket.mutex);
  // Another thread may have made it since.
  Generator *chain = bucket.head.load(std::memory_order_relaxed);
  if (Generator *found = find(chain, name))
    return *found;
  Generator *created = new Generator(name, bucket.mutex);
  created->next = chain;
  bucket.head.store(created, std::memory_order_release);
  return *created;
}

/// Calls `function` on every generator, in no order that means anything.
template <typename Function> static void forEachGenerator(Function function) {
  for (Bucket &bucket : buckets)
    for (Generator *generator = bucket.head.load(std::memory_order_acquire);
         generator; generator = generator->next)
      function(*generator);
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

#if defined(__unix__) || defined(__APPLE__)

// A child has only the thread that forked. What other threads had locked would
// stay locked in it for ever, so the forking thread takes all locks first. No
// other thread holds one of them while it waits for a second one.

static void lockAll() {
  for (Bucket &bucket : buckets)
    bucket.mutex.lock();
}

static void unlockAll() {
  for (Bucket &bucket : buckets)
    bucket.mutex.unlock();
}

/// The handlers outlive the program that loaded the library, as the library
/// itself does. They could only be refused for want of memory.
[[maybe_unused]] static const int forkHandlers =
    pthread_atfork(lockAll, unlockAll, unlockAll);

#endif

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

const char *rngGetStatusText(RngStatus status) {
  switch (status) {
  case RNG_OK:
    return "the generator was known";
  case RNG_UNKNOWN_GENERATOR:
    return "unknown generator: no loaded module declares it, and nobody has "
           "seeded it, set its state or drawn from it";
  case RNG_INVALID_NAME:
    return "the default generator cannot be declared: use 'rngSeed'";
  }
  return "no status of this library";
}

static void storeState(uint64_t *state, uint64_t seed, uint64_t offset) {
  if (!state)
    return;
  state[0] = seed;
  state[1] = offset;
}

RngStatus rngDeclare(const char *generatorName, uint64_t seed) {
  if (isDefaultName(generatorName))
    return RNG_INVALID_NAME;
  Generator &generator = getGenerator(generatorName);
  if (generator.settled.load(std::memory_order_acquire))
    return RNG_OK;
  std::lock_guard<std::mutex> lock(generator.mutex);
  if (generator.settled.load(std::memory_order_relaxed))
    return RNG_OK;
  generator.set(seed, /*newOffset=*/0);
  generator.declared = true;
  generator.declaredSeed = seed;
  generator.settled.store(true, std::memory_order_release);
  return RNG_OK;
}

RngStatus rngSeed(const char *generatorName, uint64_t seed) {
  return rngSetState(generatorName, seed, /*offset=*/0);
}

RngStatus rngGetState(const char *generatorName, uint64_t state[2]) {
  Generator *generator = lookupGenerator(generatorName);
  if (!generator) {
    storeState(state, /*seed=*/0, /*offset=*/0);
    return isDefaultName(generatorName) ? RNG_OK : RNG_UNKNOWN_GENERATOR;
  }
  std::lock_guard<std::mutex> lock(generator->mutex);
  storeState(state, generator->seed, generator->offset);
  return generator->getStatus();
}

RngStatus rngSetState(const char *generatorName, uint64_t seed,
                      uint64_t offset) {
  Generator &generator = getGenerator(generatorName);
  std::lock_guard<std::mutex> lock(generator.mutex);
  generator.set(seed, offset);
  return generator.makeKnown();
}

RngStatus rngReserve(const char *generatorName, uint64_t blocks,
                     uint64_t state[2]) {
  Generator &generator = getGenerator(generatorName);
  std::lock_guard<std::mutex> lock(generator.mutex);
  storeState(state, generator.seed, generator.offset);
  generator.offset += blocks;
  // The caller has seen a seed, so no declaration may change it any more.
  return generator.makeKnown();
}

/// 32-bit words in a Philox stream block: the one place where PyTorch's unit is
/// converted.
static constexpr uint64_t wordsPerBlock = 4;

RngStatus rngGetTorchState(const char *generatorName, uint64_t state[2]) {
  uint64_t own[2];
  RngStatus status = rngGetState(generatorName, own);
  storeState(state, own[0], own[1] * wordsPerBlock);
  return status;
}

RngStatus rngSetTorchState(const char *generatorName, uint64_t seed,
                           uint64_t words) {
  // Not (words + 3) / 4, which wraps for the last three values.
  uint64_t blocks = words / wordsPerBlock + (words % wordsPerBlock != 0);
  return rngSetState(generatorName, seed, blocks);
}

uint64_t rngListGenerators(const char **names, uint64_t capacity) {
  // The default generator may not have been asked for yet.
  std::vector<const char *> known = {""};
  forEachGenerator([&](Generator &generator) {
    std::lock_guard<std::mutex> lock(generator.mutex);
    if (!generator.isDefault() && generator.getStatus() == RNG_OK)
      known.push_back(generator.name.get());
  });
  // By the bytes, as unsigned numbers.
  std::sort(known.begin(), known.end(),
            [](const char *a, const char *b) { return std::strcmp(a, b) < 0; });
  size_t numStored = std::min<uint64_t>(capacity, known.size());
  std::copy_n(known.begin(), numStored, names);
  return known.size();
}

void rngResetAll(void) {
  forEachGenerator([](Generator &generator) {
    std::lock_guard<std::mutex> lock(generator.mutex);
    generator.set(generator.declaredSeed, /*newOffset=*/0);
    generator.settled.store(false, std::memory_order_release);
  });
}
