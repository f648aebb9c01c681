//===- RuntimeTest.cpp - Tests of the runtime libraries ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Runtime/RngRuntime.h"
#include "RngDialect/Runtime/RunnerUtils.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

extern "C" int rngTestRuntimeFromC(void);

static int numFailures = 0;

/// Counts a failure and goes on, so that one run shows all of them.
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__,    \
                   #condition);                                                \
      ++numFailures;                                                           \
    }                                                                          \
  } while (false)

static constexpr uint64_t maxU64 = std::numeric_limits<uint64_t>::max();

//===----------------------------------------------------------------------===//
// Generator registry
//===----------------------------------------------------------------------===//

using State = std::pair<uint64_t, uint64_t>;

/// The state of a generator that need not be known.
static State get(const char *generator) {
  uint64_t state[2] = {77, 77};
  [[maybe_unused]] RngStatus status = rngGetState(generator, state);
  return {state[0], state[1]};
}

static State getTorch(const char *generator) {
  uint64_t state[2] = {77, 77};
  [[maybe_unused]] RngStatus status = rngGetTorchState(generator, state);
  return {state[0], state[1]};
}

static RngStatus getStatus(const char *generator) {
  return rngGetState(generator, nullptr);
}

/// The names of all known generators, each with a comma behind it.
static std::string list() {
  std::vector<const char *> names(rngListGenerators(nullptr, 0));
  // Other threads may make more of them known meanwhile, but never less.
  CHECK(rngListGenerators(names.data(), names.size()) >= names.size());
  std::string text;
  for (const char *name : names)
    text += std::string(name) + ",";
  return text;
}

static State reserve(const char *generator, uint64_t blocks) {
  uint64_t state[2] = {77, 77};
  rngReserve(generator, blocks, state);
  return {state[0], state[1]};
}

/// Must run first: looks at what a process starts with.
static void testStart() {
  CHECK(list() == ",");
  CHECK(getStatus(nullptr) == RNG_OK);
  CHECK(getStatus("") == RNG_OK);
  CHECK(get(nullptr) == State(0, 0));
  CHECK(get("never mentioned") == State(0, 0));
  CHECK(reserve("drawn from first", 2) == State(0, 0));
  CHECK(get("drawn from first") == State(0, 2));
}

static void testDefaultGenerator() {
  rngResetAll();
  rngSetState(nullptr, 3, 4);
  CHECK(get("") == State(3, 4));
  CHECK(reserve("", 5) == State(3, 4));
  CHECK(get(nullptr) == State(3, 9));
  // It needs no declaration, and keeps its state, whether chosen or not.
  CHECK(rngDeclare(nullptr, 8) == RNG_INVALID_NAME);
  CHECK(get("") == State(3, 9));
  rngResetAll();
  CHECK(rngDeclare("", 8) == RNG_INVALID_NAME);
  CHECK(get("") == State(0, 0));
}

/// Named generators do not touch each other, and are found by content.
static void testNames() {
  rngResetAll();
  rngSeed("a", 1);
  rngSeed("b", 2);
  reserve("a", 10);
  CHECK(get("a") == State(1, 10));
  CHECK(get("b") == State(2, 0));
  CHECK(get("") == State(0, 0));
  CHECK(get("ab") == State(0, 0));
  char copy[] = "a";
  CHECK(get(copy) == State(1, 10));
  // The registry keeps its own copy of a name.
  copy[0] = 'z';
  CHECK(get("a") == State(1, 10));
  CHECK(get("z") == State(0, 0));

  // More names than buckets.
  for (uint64_t i = 0; i < 1000; ++i)
    rngSetState(("many" + std::to_string(i)).c_str(), i, 2 * i);
  for (uint64_t i = 0; i < 1000; ++i)
    CHECK(get(("many" + std::to_string(i)).c_str()) == State(i, 2 * i));
}

static void testDeclare() {
  rngResetAll();
  rngDeclare("declared", 7);
  CHECK(get("declared") == State(7, 0));
  reserve("declared", 3);
  rngDeclare("declared", 7);
  CHECK(get("declared") == State(7, 3));
  rngDeclare("declared", 8);
  CHECK(get("declared") == State(7, 3));

  rngSeed("seeded", 1);
  rngDeclare("seeded", 9);
  CHECK(get("seeded") == State(1, 0));

  // A state set to what a new generator has anyway is still a choice.
  rngSetState("set", 0, 0);
  rngDeclare("set", 9);
  CHECK(get("set") == State(0, 0));
  rngSetTorchState("set torch", 0, 0);
  rngDeclare("set torch", 9);
  CHECK(get("set torch") == State(0, 0));

  reserve("drawn", 0);
  rngDeclare("drawn", 9);
  CHECK(get("drawn") == State(0, 0));

  // Looking must not change what a program draws later.
  CHECK(get("looked at") == State(0, 0));
  CHECK(getTorch("looked at") == State(0, 0));
  rngDeclare("looked at", 9);
  CHECK(get("looked at") == State(9, 0));

  // A reset goes back to the declaration, and allows another one.
  rngResetAll();
  CHECK(getStatus("declared") == RNG_OK);
  CHECK(get("declared") == State(7, 0));
  rngDeclare("declared", 11);
  CHECK(get("declared") == State(11, 0));
  rngDeclare("declared", 12);
  CHECK(get("declared") == State(11, 0));
  // What was drawn from after a reset is not declared anew.
  rngResetAll();
  CHECK(reserve("declared", 2) == State(11, 0));
  rngDeclare("declared", 12);
  CHECK(get("declared") == State(11, 2));
}

/// A state that is saved between the declaration and the first draw restores
/// the stream of the declaration.
static void testSaveBeforeDraw() {
  rngResetAll();
  CHECK(rngDeclare("fresh", 7) == RNG_OK);
  uint64_t saved[2];
  CHECK(rngGetState("fresh", saved) == RNG_OK);
  CHECK(reserve("fresh", 3) == State(7, 0));
  CHECK(rngSetState("fresh", saved[0], saved[1]) == RNG_OK);
  CHECK(reserve("fresh", 3) == State(7, 0));
  rngDeclare("torch", 8);
  CHECK(rngGetTorchState("torch", saved) == RNG_OK);
  CHECK(rngSetTorchState("torch", saved[0], saved[1]) == RNG_OK);
  CHECK(reserve("torch", 1) == State(8, 0));
}

/// Whoever asks for a generator that nobody knows is told, each time until
/// somebody knows it.
static void testUnknown() {
  rngResetAll();
  CHECK(getStatus("unknown") == RNG_UNKNOWN_GENERATOR);
  CHECK(getStatus("unknown") == RNG_UNKNOWN_GENERATOR);
  uint64_t state[2];
  CHECK(rngGetTorchState("unknown", state) == RNG_UNKNOWN_GENERATOR);
  CHECK(rngSetState("unknown", 1, 2) == RNG_UNKNOWN_GENERATOR);
  CHECK(rngSetState("unknown", 1, 2) == RNG_OK);
  CHECK(getStatus("unknown") == RNG_OK);
  CHECK(rngSeed("unknown seeded", 1) == RNG_UNKNOWN_GENERATOR);
  CHECK(rngSeed("unknown seeded", 1) == RNG_OK);
  CHECK(rngReserve("unknown drawn", 1, nullptr) == RNG_UNKNOWN_GENERATOR);
  CHECK(rngReserve("unknown drawn", 1, nullptr) == RNG_OK);
  CHECK(rngSetTorchState("unknown torch", 1, 2) == RNG_UNKNOWN_GENERATOR);
  CHECK(rngSetTorchState("unknown torch", 1, 2) == RNG_OK);
  CHECK(rngSeed(nullptr, 1) == RNG_OK);
  rngResetAll();
  CHECK(getStatus("unknown") == RNG_UNKNOWN_GENERATOR);

  std::string text = rngGetStatusText(RNG_UNKNOWN_GENERATOR);
  CHECK(text.find("unknown generator") == 0);
  CHECK(*rngGetStatusText(RNG_OK) && *rngGetStatusText(RNG_INVALID_NAME));
  CHECK(*rngGetStatusText(static_cast<RngStatus>(3)));
}

/// Lists hold what is known, in an order of the names alone.
static void testList() {
  rngResetAll();
  for (const char *name : {"list b", "list \xc3\xa9", "list Z", "list a"})
    rngSeed(name, 1);
  CHECK(getStatus("list c") == RNG_UNKNOWN_GENERATOR);
  std::string all = list();
  CHECK(all.find(",list Z,list a,list b,list \xc3\xa9,") != std::string::npos);
  CHECK(all[0] == ',');
  CHECK(all.find("list c") == std::string::npos);
  // Too few places take the first ones, and no more is written.
  const char *names[3] = {nullptr, nullptr, "untouched"};
  CHECK(rngListGenerators(names, 2) == rngListGenerators(nullptr, 0));
  CHECK(std::string(names[0]).empty() && names[1]);
  CHECK(std::string(names[2]) == "untouched");
  // Declared generators stay after a reset, others go.
  rngDeclare("list declared", 3);
  rngResetAll();
  all = list();
  CHECK(all.find("list declared,") != std::string::npos);
  CHECK(all.find("list a,") == std::string::npos);
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

/// Returns whether `check` holds in a child, which must come to an end: it is
/// killed after a time that no working one needs.
template <typename Check> static bool holdsInChild(Check check) {
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(check() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child &&
         WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// A child draws what its parent draws next, unless it takes a seed; nothing of
/// that comes back.
static void testForkInherits() {
  rngResetAll();
  rngSetState("forked", 5, 10);
  CHECK(holdsInChild([] {
    return reserve("forked", 2) == State(5, 10) &&
           reserve("forked", 2) == State(5, 12) &&
           rngSeed("forked", 6) == RNG_OK &&
           reserve("forked", 1) == State(6, 0);
  }));
  CHECK(reserve("forked", 2) == State(5, 10));
}

/// Whatever other threads of the parent hold at the moment of the fork, a child
/// does not wait for it, and sees whole states.
static void testForkWhileOthersDraw() {
  rngResetAll();
  rngSetState("pair", 0, 0);
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (!done)
      reserve("hammered", 1);
  });
  threads.emplace_back([&] {
    for (uint64_t i = 0; !done; ++i) {
      rngSetState("pair", i, i);
      rngSeed(("created" + std::to_string(i % 200)).c_str(), 1);
      if (i % 100 == 0)
        list();
    }
  });
  bool holds = true;
  for (int i = 0; holds && i < 100; ++i)
    holds = holdsInChild([&] {
      State pair = get("pair");
      reserve("hammered", 1);
      reserve(("of child " + std::to_string(i)).c_str(), 1);
      list();
      rngResetAll();
      return pair.first == pair.second;
    });
  done = true;
  for (std::thread &thread : threads)
    thread.join();
  CHECK(holds);
}

static void testWrapAround() {
  rngResetAll();
  rngSeed("w", maxU64);
  CHECK(get("w") == State(maxU64, 0));
  rngSetState("w", maxU64, maxU64 - 1);
  CHECK(reserve("w", 5) == State(maxU64, maxU64 - 1));
  CHECK(get("w") == State(maxU64, 3));
  CHECK(reserve("w", maxU64) == State(maxU64, 3));
  CHECK(get("w") == State(maxU64, 2));
  CHECK(reserve("w", 0) == State(maxU64, 2));
  CHECK(get("w") == State(maxU64, 2));
  // Across the 32-bit border.
  rngSetState("w", 1, 0xffffffff);
  CHECK(reserve("w", 1) == State(1, 0xffffffff));
  CHECK(get("w") == State(1, 0x100000000));
}

static void testTorchState() {
  rngResetAll();
  rngSetState("t", 5, 6);
  CHECK(getTorch("t") == State(5, 24));
  for (uint64_t words = 0; words <= 9; ++words) {
    rngSetTorchState("t", 5, words);
    CHECK(get("t") == State(5, words == 0   ? 0
                               : words <= 4 ? 1
                               : words <= 8 ? 2
                                            : 3));
  }
  // Rounding up near 2^64 does not wrap.
  for (uint64_t words = maxU64 - 2; words != 0; ++words) {
    rngSetTorchState("t", 5, words);
    CHECK(get("t") == State(5, uint64_t(1) << 62));
  }
  rngSetTorchState("t", 5, maxU64 - 3);
  CHECK(get("t") == State(5, (uint64_t(1) << 62) - 1));
  CHECK(getTorch("t") == State(5, maxU64 - 3));
  // Reading wraps from 2^62 blocks on.
  rngSetState("t", 5, (uint64_t(1) << 62) + 1);
  CHECK(getTorch("t") == State(5, 4));
  // The default generator has it too.
  rngSetTorchState(nullptr, 2, 5);
  CHECK(get("") == State(2, 2));
}

/// A caller that does not want the answer may pass no place for it.
static void testNullState() {
  rngResetAll();
  rngReserve("n", 4, nullptr);
  CHECK(rngGetState("n", nullptr) == RNG_OK);
  CHECK(rngGetTorchState("n", nullptr) == RNG_OK);
  CHECK(get("n") == State(0, 4));
}

/// Reserved ranges are disjoint and leave no gap, whatever the threads do.
/// They all declare, too, each with the same seed, as compiled code does.
static void testConcurrentReserve() {
  rngResetAll();
  constexpr uint64_t numThreads = 8, numReserves = 2000;
  std::vector<std::vector<State>> ranges(numThreads);
  std::atomic<int> numWrongSeeds{0};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < numThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < numReserves; ++i) {
        uint64_t blocks = (i * 7 + t) % 5;
        rngDeclare("shared", 42);
        State state = reserve("shared", blocks);
        numWrongSeeds += state.first != 42;
        if (blocks)
          ranges[t].push_back({state.second, blocks});
        // Work on other generators goes on meanwhile.
        reserve(("own" + std::to_string(t)).c_str(), 1);
      }
    });
  }
  for (std::thread &thread : threads)
    thread.join();

  CHECK(numWrongSeeds == 0);
  std::vector<State> all;
  for (const std::vector<State> &some : ranges)
    all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  uint64_t next = 0;
  for (const State &range : all) {
    CHECK(range.first == next);
    next = range.first + range.second;
  }
  CHECK(get("shared") == State(42, next));
  for (uint64_t t = 0; t < numThreads; ++t)
    CHECK(get(("own" + std::to_string(t)).c_str()) == State(0, numReserves));
}

/// Of declarations that race with each other and with draws one wins, once: a
/// late one would set the offset back.
static void testConcurrentDeclare() {
  constexpr int numThreads = 4, numNames = 4000;
  rngResetAll();
  std::vector<std::string> names;
  for (int i = 0; i < numNames; ++i) {
    names.push_back("race" + std::to_string(i));
    // Made here, so that the threads meet at the declaration.
    get(names.back().c_str());
  }
  std::atomic<int> numArrived{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < numThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < numNames; ++i) {
        // Start on each name together.
        ++numArrived;
        while (numArrived < (i + 1) * numThreads)
          std::this_thread::yield();
        rngDeclare(names[i].c_str(), 42);
        rngReserve(names[i].c_str(), 1, nullptr);
      }
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &name : names)
    CHECK(get(name.c_str()) == State(42, numThreads));
}

/// Seed and offset are read and written together.
static void testNoTornStates() {
  rngResetAll();
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (uint64_t i = 0; i < 20000; ++i)
      rngSetState("pair", i, i);
    done = true;
  });
  while (!done) {
    State state = get("pair");
    CHECK(state.first == state.second);
  }
  writer.join();
  CHECK(get("pair") == State(19999, 19999));
}

//===----------------------------------------------------------------------===//
// Runner utilities
//===----------------------------------------------------------------------===//

namespace {

/// A memref over memory of the caller.
struct MemRef {
  MemRef(void *data, std::vector<int64_t> sizes, std::vector<int64_t> strides,
         int64_t offset = 0) {
    // The allocated pointer is never followed.
    descriptor = {int64_t(0), int64_t(reinterpret_cast<intptr_t>(data)),
                  offset};
    descriptor.insert(descriptor.end(), sizes.begin(), sizes.end());
    descriptor.insert(descriptor.end(), strides.begin(), strides.end());
    unranked = {int64_t(sizes.size()), descriptor.data()};
  }
  MemRef(const MemRef &) = delete;

  operator const RngUnrankedMemRef *() const { return &unranked; }

private:
  std::vector<int64_t> descriptor;
  RngUnrankedMemRef unranked;
};

} // namespace

/// Returns what `print` writes to stdout.
template <typename Print> static std::string capture(Print print) {
  std::fflush(stdout);
  int saved = dup(1);
  std::FILE *file = std::tmpfile();
  if (saved < 0 || !file) {
    std::fprintf(stderr, "cannot make a temporary file\n");
    ++numFailures;
    return "";
  }
  dup2(fileno(file), 1);
  print();
  // Without a flush here: the functions flush by themselves.
  dup2(saved, 1);
  close(saved);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;)
    text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

static void testPrint() {
  float data[] = {0.5f,   0.0f,     1.25f,    2.0f,      -0.0f, 0.1f,
                  1e-45f, 1.0f / 3, INFINITY, -INFINITY, NAN,   -NAN};
  CHECK(capture([&] {
          _mlir_ciface_rngPrintBitsF32(MemRef(data, {2, 2}, {2, 1}));
        }) == "3f000000 00000000 3fa00000 40000000\n");
  std::string text = capture([&] {
    _mlir_ciface_rngPrintF32(MemRef(data, {2, 2}, {2, 1}));
  });
  CHECK(text.rfind("2x2xf32 [0.5, 0, 1.25, 2] hash 0x", 0) == 0);
  CHECK(text.size() == std::strlen("2x2xf32 [0.5, 0, 1.25, 2] hash 0x") + 17);
  text = capture([&] { _mlir_ciface_rngPrintF32(MemRef(data, {8}, {1}, 4)); });
  CHECK(text.rfind("8xf32 [-0, 0.1, 1.4013e-45, 0.33333334, inf, -inf, nan, "
                   "nan] hash",
                   0) == 0);
  // Eight are shown, more are hinted at.
  text = capture([&] { _mlir_ciface_rngPrintF32(MemRef(data, {9}, {1})); });
  CHECK(text.rfind("9xf32 [0.5, 0, 1.25, 2, -0, 0.1, 1.4013e-45, 0.33333334, "
                   "...] hash",
                   0) == 0);
  // Transposed, and with a negative stride.
  CHECK(capture([&] {
          _mlir_ciface_rngPrintBitsF32(MemRef(data, {2, 2}, {1, 2}));
        }) == "3f000000 3fa00000 00000000 40000000\n");
  CHECK(capture([&] {
          _mlir_ciface_rngPrintBitsF32(MemRef(data, {4}, {-1}, 3));
        }) == "40000000 3fa00000 00000000 3f000000\n");
  // Rank 0, with an offset.
  text = capture([&] { _mlir_ciface_rngPrintF32(MemRef(data, {}, {}, 2)); });
  CHECK(text.rfind("f32 [1.25] hash", 0) == 0);
  // Empty, with no memory, and at once however large the other size.
  int64_t huge = int64_t(1) << 62;
  CHECK(capture([&] {
          _mlir_ciface_rngPrintF32(
              MemRef(nullptr, {huge, 0, huge}, {0, 0, 0}, 5));
        }) == "4611686018427387904x0x4611686018427387904xf32 [] hash "
              "0xcbf29ce484222325\n");
  CHECK(capture([&] {
          _mlir_ciface_rngPrintBitsF32(MemRef(nullptr, {0}, {1}));
        }) == "\n");

  // FNV-1a of the bytes of "foobar", a published test value.
  char foobar[] = "foobar";
  CHECK(capture([&] {
          _mlir_ciface_rngPrintI8(MemRef(foobar, {2, 3}, {3, 1}));
        }) == "2x3xi8 [102, 111, 111, 98, 97, 114] hash 0x85944171f73967e8\n");

  double doubles[] = {0.1, 1.0 / 3, 1e300};
  text = capture([&] { _mlir_ciface_rngPrintF64(MemRef(doubles, {3}, {1})); });
  CHECK(text.rfind("3xf64 [0.1, 0.3333333333333333, 1e+300] hash", 0) == 0);
  uint16_t halves[] = {0x3c00, 0x0001, 0x7bff, 0xfc00, 0x7e00, 0x8000, 0x2e66};
  text = capture([&] { _mlir_ciface_rngPrintF16(MemRef(halves, {7}, {1})); });
  CHECK(text.rfind("7xf16 [1, 5.9604645e-08, 65504, -inf, nan, -0, "
                   "0.099975586] hash",
                   0) == 0);
  CHECK(capture([&] {
          _mlir_ciface_rngPrintBitsF16(MemRef(halves, {2}, {1}));
        }) == "3c00 0001\n");
  uint16_t brains[] = {0x3f80, 0x0001, 0x7f7f, 0xff80, 0x7fc0};
  text = capture([&] { _mlir_ciface_rngPrintBF16(MemRef(brains, {5}, {1})); });
  CHECK(text.rfind("5xbf16 [1, 9.18355e-41, 3.3895314e+38, -inf, nan] hash",
                   0) == 0);
  // A byte that is no i1 shows.
  uint8_t bytes[] = {0, 1, 0xa5};
  text = capture([&] { _mlir_ciface_rngPrintI1(MemRef(bytes, {3}, {1})); });
  CHECK(text.rfind("3xi1 [0, 1, 165] hash", 0) == 0);
  CHECK(capture([&] {
          _mlir_ciface_rngPrintBitsI1(MemRef(bytes, {3}, {1}));
        }) == "00 01 a5\n");
  text = capture([&] { _mlir_ciface_rngPrintI8(MemRef(bytes, {3}, {1})); });
  CHECK(text.rfind("3xi8 [0, 1, -91] hash", 0) == 0);
  int64_t longs[] = {std::numeric_limits<int64_t>::min(), -1};
  text = capture([&] { _mlir_ciface_rngPrintI64(MemRef(longs, {2}, {1})); });
  CHECK(text.rfind("2xi64 [-9223372036854775808, -1] hash", 0) == 0);
  CHECK(capture([&] {
          _mlir_ciface_rngPrintBitsI64(MemRef(longs, {2}, {1}));
        }) == "8000000000000000 ffffffffffffffff\n");
}

static void testCompare() {
  float a[] = {1, 2, 3, 4, 0.0f, NAN};
  float b[] = {1, 3, 2, 4.5f, -0.0f, NAN};
  MemRef rows(a, {2, 2}, {2, 1}), columns(b, {2, 2}, {1, 2});
  // The second memref is transposed: 1, 2, 3, 4.5.
  CHECK(_mlir_ciface_rngCountDifferentF32(rows, columns) == 1);
  CHECK(_mlir_ciface_rngMaxAbsDifferenceF32(rows, columns) == 0.5);
  CHECK(_mlir_ciface_rngDotF32(rows, columns) == 1 + 4 + 9 + 18);

  // Zeros of both signs differ in bits only, a NaN in value only.
  CHECK(_mlir_ciface_rngCountDifferentF32(MemRef(a, {2}, {1}, 4),
                                          MemRef(b, {2}, {1}, 4)) == 1);
  CHECK(_mlir_ciface_rngMaxAbsDifferenceF32(MemRef(a, {1}, {1}, 4),
                                            MemRef(b, {1}, {1}, 4)) == 0);
  CHECK(_mlir_ciface_rngMaxAbsDifferenceF32(MemRef(a, {6}, {1}),
                                            MemRef(b, {6}, {1})) == INFINITY);
  CHECK(_mlir_ciface_rngMaxAbsDifferenceF32(
            MemRef(a, {1}, {1}, 5), MemRef(a, {1}, {1}, 0)) == INFINITY);
  double infinities[] = {INFINITY, -INFINITY};
  MemRef both(infinities, {2}, {1});
  CHECK(_mlir_ciface_rngMaxAbsDifferenceF64(both, both) == 0);

  // Empty operands agree.
  MemRef none(nullptr, {0, 3}, {3, 1});
  CHECK(_mlir_ciface_rngCountDifferentF32(none, none) == 0);
  CHECK(_mlir_ciface_rngMaxAbsDifferenceF32(none, none) == 0);
  CHECK(_mlir_ciface_rngDotF32(none, none) == 0);

  // Shapes differ by a size, by rank, and by which size is zero.
  MemRef flat(a, {4}, {1}), shorter(a, {3}, {1}),
      other(nullptr, {3, 0}, {1, 1});
  CHECK(_mlir_ciface_rngCountDifferentF32(rows, flat) == -1);
  CHECK(_mlir_ciface_rngCountDifferentF32(flat, shorter) == -1);
  CHECK(_mlir_ciface_rngCountDifferentF32(none, other) == -1);
  CHECK(_mlir_ciface_rngMaxAbsDifferenceF32(rows, flat) == INFINITY);
  CHECK(std::isnan(_mlir_ciface_rngDotF32(rows, flat)));
  float before[4];
  std::memcpy(before, a, sizeof(before));
  _mlir_ciface_rngAxpyF32(1.0, shorter, flat);
  CHECK(std::memcmp(before, a, sizeof(before)) == 0);
}

/// y += alpha * x, the result rounded once, nearest ties to even.
static void testAxpy() {
  // Only the addressed elements change.
  float x[] = {1, 2}, y[] = {10, 20, 30, 40};
  _mlir_ciface_rngAxpyF32(0.5, MemRef(x, {2}, {1}), MemRef(y, {2}, {2}, 1));
  CHECK(y[0] == 10 && y[1] == 20.5f && y[2] == 30 && y[3] == 41);

  // Sums whose rounding via f32 would fall on a tie and lose the tail.
  struct {
    double alpha;
    uint16_t f16, bf16;
  } cases[] = {
      {1.0, 0x3c00, 0x3f80},
      {-1.0, 0xbc00, 0xbf80},
      {1.0 + 0x1p-11, 0x3c00, 0x3f80},           // a tie of f16, to even
      {1.0 + 0x1p-11 + 0x1p-40, 0x3c01, 0x3f80}, // just above it
      {1.0 + 0x3p-11, 0x3c02, 0x3f80},           // a tie, up to even
      {1.0 + 0x1p-8, 0x3c04, 0x3f80},            // a tie of bf16
      {1.0 + 0x1p-8 + 0x1p-40, 0x3c04, 0x3f81},  // just above it
      {1.0 + 0x3p-8, 0x3c0c, 0x3f82},            // a tie, up to even
      {2.0 - 0x1p-20, 0x4000, 0x4000},           // carries into the exponent
      {65504.0, 0x7bff, 0x4780},                 // largest f16
      {65519.999, 0x7bff, 0x4780},               // still rounds down
      {65520.0, 0x7c00, 0x4780},                 // overflows f16
      {-1e300, 0xfc00, 0xff80},                  // overflows both
      {0x1p-14, 0x0400, 0x3880},                 // least normal f16
      {0x1p-14 - 0x1p-25, 0x0400, 0x3880},       // rounds up to it
      {0x1p-24, 0x0001, 0x3380},                 // least subnormal f16
      {0x1p-25, 0x0000, 0x3300},                 // a tie with zero
      {0x1.8p-25, 0x0001, 0x3340},               // above that tie
      {0x1p-133, 0x0000, 0x0001},                // least subnormal bf16
      {0x1p-134, 0x0000, 0x0000},                // a tie with zero
      {0x3p-134, 0x0000, 0x0002},                // a tie, up to even
      {0x1p-126 - 0x1p-134, 0x0000, 0x0080},     // rounds up to a normal
      {INFINITY, 0x7c00, 0x7f80},
      {NAN, 0x7e00, 0x7fc0},
  };
  for (const auto &c : cases) {
    uint16_t one = 0x3c00, sum = 0;
    _mlir_ciface_rngAxpyF16(c.alpha, MemRef(&one, {}, {}),
                            MemRef(&sum, {}, {}));
    CHECK((sum & (std::isnan(c.alpha) ? 0x7fff : 0xffff)) == c.f16);
    one = 0x3f80;
    sum = 0;
    _mlir_ciface_rngAxpyBF16(c.alpha, MemRef(&one, {}, {}),
                             MemRef(&sum, {}, {}));
    CHECK((sum & (std::isnan(c.alpha) ? 0x7fff : 0xffff)) == c.bf16);
  }

  // Each 16-bit float but a NaN goes to f64 and back unchanged.
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    uint16_t zero = 0, half = static_cast<uint16_t>(bits);
    // -0.0 + 0.0 would be 0.0; subtract 0.0 instead.
    if ((bits & 0x7fff) <= 0x7c00) {
      _mlir_ciface_rngAxpyF16(-1.0, MemRef(&zero, {}, {}),
                              MemRef(&half, {}, {}));
      CHECK(half == bits);
    }
    half = static_cast<uint16_t>(bits);
    if ((bits & 0x7fff) <= 0x7f80) {
      _mlir_ciface_rngAxpyBF16(-1.0, MemRef(&zero, {}, {}),
                               MemRef(&half, {}, {}));
      CHECK(half == bits);
    }
  }
  // f64 has one rounding too: alpha * x needs more than 53 bits.
  double big = 1.0 + 0x1p-30, sum = -1.0 - 0x1p-29;
  _mlir_ciface_rngAxpyF64(1.0 + 0x1p-30, MemRef(&big, {}, {}),
                          MemRef(&sum, {}, {}));
  CHECK(sum == 0x1p-60);
}

static void testFill() {
  constexpr int n = 4096;
  std::vector<float> f32(n), again(n), otherSeed(n), transposed(n);
  MemRef view(f32.data(), {64, 64}, {64, 1});
  _mlir_ciface_rngFillF32(view, 1);
  _mlir_ciface_rngFillF32(MemRef(again.data(), {n}, {1}), 1);
  _mlir_ciface_rngFillF32(MemRef(otherSeed.data(), {n}, {1}), 2);
  _mlir_ciface_rngFillF32(MemRef(transposed.data(), {64, 64}, {1, 64}), 1);
  CHECK(f32 == again);
  double sum = 0, squares = 0;
  int numEqual = 0, numShifted = 0;
  for (int i = 0; i < n; ++i) {
    CHECK(f32[i] >= -1 && f32[i] < 1);
    CHECK(transposed[i % 64 * 64 + i / 64] == f32[i]);
    sum += f32[i];
    squares += f32[i] * f32[i];
    numEqual += f32[i] == otherSeed[i];
    numShifted += i > 0 && f32[i] == otherSeed[i - 1];
  }
  // Standard deviations of the mean are 0.009 and 0.005.
  CHECK(std::fabs(sum / n) < 0.045);
  CHECK(std::fabs(squares / n - 1.0 / 3) < 0.025);
  CHECK(numEqual < 4 && numShifted < 4);

  // The first values of splitmix64 seeded with splitmix64(0), pinned so that
  // test data cannot change unnoticed.
  std::vector<uint64_t> f64(2);
  _mlir_ciface_rngFillF64(MemRef(f64.data(), {2}, {1}), 0);
  CHECK(f64[0] == 0x3fd3836e97a68cbc);
  CHECK(f64[1] == 0x3fd9c15182fa20a4);

  // f16 and bf16 hold equal values, multiples of 1/128.
  std::vector<uint16_t> f16(n), bf16(n), zeros(n);
  _mlir_ciface_rngFillF16(MemRef(f16.data(), {n}, {1}), 1);
  _mlir_ciface_rngFillBF16(MemRef(bf16.data(), {n}, {1}), 1);
  for (int i = 0; i < n; ++i) {
    float down = std::floor(f32[i] * 128) / 128;
    uint32_t bits;
    std::memcpy(&bits, &down, 4);
    CHECK((bits & 0xffff) == 0);
    CHECK(bf16[i] == bits >> 16);
    uint16_t one = 0x3c00, half = 0;
    _mlir_ciface_rngAxpyF16(down, MemRef(&one, {}, {}), MemRef(&half, {}, {}));
    CHECK(f16[i] == half);
  }

  std::vector<int8_t> i8(n);
  std::vector<int16_t> i16(n);
  std::vector<int32_t> i32(n);
  std::vector<int64_t> i64(n);
  std::vector<uint8_t> i1(n);
  _mlir_ciface_rngFillI8(MemRef(i8.data(), {n}, {1}), -3);
  _mlir_ciface_rngFillI16(MemRef(i16.data(), {n}, {1}), -3);
  _mlir_ciface_rngFillI32(MemRef(i32.data(), {n}, {1}), -3);
  _mlir_ciface_rngFillI64(MemRef(i64.data(), {n}, {1}), -3);
  _mlir_ciface_rngFillI1(MemRef(i1.data(), {n}, {1}), -3);
  CHECK(*std::min_element(i32.begin(), i32.end()) == -8);
  CHECK(*std::max_element(i32.begin(), i32.end()) == 7);
  int numOnes = 0;
  for (int i = 0; i < n; ++i) {
    CHECK(i8[i] == i32[i] && i16[i] == i32[i] && i64[i] == i32[i]);
    CHECK(i1[i] <= 1);
    numOnes += i1[i];
  }
  CHECK(std::abs(numOnes - n / 2) < 5 * 32);
}

int main() {
  testStart();
  testDefaultGenerator();
  testNames();
  testDeclare();
  testSaveBeforeDraw();
  testUnknown();
  testList();
  testWrapAround();
  testTorchState();
  testNullState();
  testConcurrentReserve();
  testConcurrentDeclare();
  testNoTornStates();
  testForkInherits();
  testForkWhileOthersDraw();
  CHECK(rngTestRuntimeFromC());
  testPrint();
  testCompare();
  testAxpy();
  testFill();
  if (numFailures == 0)
    std::puts("runtime: all checks passed");
  return numFailures != 0;
}
