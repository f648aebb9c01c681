//===- bench.cpp - Measures programs side by side ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   bench <repetitions> <log2 of the bytes of small and large arrays>...
//
// Checks that all programs yield the bits of ours, then prints a line
// `program case log2-bytes nanoseconds-per-element` each: the median of the
// repetitions, in which programs take turns. One thread.
//
//===----------------------------------------------------------------------===//

#include "philox.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

//===----------------------------------------------------------------------===//
// Ours
//===----------------------------------------------------------------------===//

template <typename T>
struct Buffer {
  T *allocated;
  T *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;

  Buffer(T *data, size_t n)
      : allocated(data), aligned(data), offset(0), size(n), stride(1) {}
};

extern "C" {
void _mlir_ciface_uniform32(Buffer<float> *, uint64_t, uint64_t);
void _mlir_ciface_uniform64(Buffer<double> *, uint64_t, uint64_t);
void _mlir_ciface_bernoulli(Buffer<uint8_t> *, uint64_t, uint64_t, float);
void _mlir_ciface_normal32(Buffer<float> *, uint64_t, uint64_t);
void _mlir_ciface_dropout(Buffer<float> *, Buffer<float> *, uint64_t, uint64_t,
                          float, float);
void _mlir_ciface_backward(Buffer<float> *, Buffer<float> *, uint64_t, uint64_t,
                           float, float);
}

static const Programs kOurs = {
    "rng-to-cpu",
    [](float *out, size_t n, uint64_t seed, uint64_t offset) {
      Buffer<float> buffer(out, n);
      _mlir_ciface_uniform32(&buffer, seed, offset);
    },
    [](double *out, size_t n, uint64_t seed, uint64_t offset) {
      Buffer<double> buffer(out, n);
      _mlir_ciface_uniform64(&buffer, seed, offset);
    },
    [](uint8_t *out, size_t n, uint64_t seed, uint64_t offset, float p) {
      Buffer<uint8_t> buffer(out, n);
      _mlir_ciface_bernoulli(&buffer, seed, offset, p);
    },
    [](float *out, size_t n, uint64_t seed, uint64_t offset) {
      Buffer<float> buffer(out, n);
      _mlir_ciface_normal32(&buffer, seed, offset);
    },
    [](float *out, const float *in, size_t n, uint64_t seed, uint64_t offset,
       float p, float scale) {
      Buffer<float> to(out, n), from(const_cast<float *>(in), n);
      _mlir_ciface_dropout(&to, &from, seed, offset, p, scale);
    },
    [](float *out, const float *in, size_t n, uint64_t seed, uint64_t offset,
       float p, float scale) {
      Buffer<float> to(out, n), from(const_cast<float *>(in), n);
      _mlir_ciface_backward(&to, &from, seed, offset, p, scale);
    }};

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

// Each X(table) is in an object of its own, compiled for its instructions.
#define X(table) extern const Programs table;
ALL_PROGRAMS
#undef X

/// The standard library's generator and one multiplication: its distributions
/// are slower.
static const Programs kMersenne = {
    "std::mt19937",
    [](float *out, size_t n, uint64_t seed, uint64_t) {
      static std::mt19937 generator(seed);
      for (size_t i = 0; i < n; ++i)
        out[i] = float(generator() >> 8) * 0x1p-24f;
    },
    [](double *out, size_t n, uint64_t seed, uint64_t) {
      static std::mt19937_64 generator(seed);
      for (size_t i = 0; i < n; ++i)
        out[i] = double(generator() >> 11) * 0x1p-53;
    },
    [](uint8_t *out, size_t n, uint64_t seed, uint64_t, float p) {
      static std::mt19937 generator(seed);
      uint32_t threshold = uint32_t(double(p) * 0x1p32);
      for (size_t i = 0; i < n; ++i)
        out[i] = generator() < threshold;
    },
    /*normal32=*/nullptr,
    [](float *out, const float *in, size_t n, uint64_t seed, uint64_t, float p,
       float scale) {
      static std::mt19937 generator(seed);
      uint32_t threshold = uint32_t(double(p) * 0x1p32);
      for (size_t i = 0; i < n; ++i)
        out[i] = generator() < threshold ? in[i] * scale : 0.0f;
    }};

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static constexpr uint64_t kSeed = 0x123456789abcdef0, kOffset = 0x100000007;
static constexpr float kKeep = 0.9f, kScale = 1.0f / 0.9f;

/// Bytes aligned as numerical libraries align arrays.
namespace {
class Memory {
public:
  void resize(size_t bytes) {
    size = bytes;
    start = static_cast<char *>(std::aligned_alloc(64, bytes));
    if (!start)
      std::abort();
  }

  char *data() const { return start; }

  size_t size = 0;

private:
  char *start = nullptr;
};
} // namespace

/// Memory of the largest arrays, written to before anything is measured.
static Memory output, input;

namespace {
struct Case {
  const char *name;
  size_t elementBytes;
  /// Calls the program on `n` elements; null if the table has none.
  std::function<std::function<void(size_t)>(const Programs &)> bind;
};
} // namespace

template <typename T>
static T *getOutput() {
  return reinterpret_cast<T *>(output.data());
}

static std::vector<Case> getCases() {
  return {
      {"uniform f32", 4,
       [](const Programs &p) -> std::function<void(size_t)> {
         return [&](size_t n) {
           p.uniform32(getOutput<float>(), n, kSeed, kOffset);
         };
       }},
      {"uniform f64", 8,
       [](const Programs &p) -> std::function<void(size_t)> {
         return [&](size_t n) {
           p.uniform64(getOutput<double>(), n, kSeed, kOffset);
         };
       }},
      {"bernoulli i1", 1,
       [](const Programs &p) -> std::function<void(size_t)> {
         return [&](size_t n) {
           p.bernoulli(getOutput<uint8_t>(), n, kSeed, kOffset, kKeep);
         };
       }},
      {"normal f32", 4,
       [](const Programs &p) -> std::function<void(size_t)> {
         if (!p.normal32)
           return {};
         return [&](size_t n) {
           p.normal32(getOutput<float>(), n, kSeed, kOffset);
         };
       }},
      {"dropout forward f32", 4,
       [](const Programs &p) -> std::function<void(size_t)> {
         return [&](size_t n) {
           p.dropout(getOutput<float>(), reinterpret_cast<float *>(input.data()),
                     n, kSeed, kOffset, kKeep, kScale);
         };
       }},
      {"dropout backward f32", 4,
       [](const Programs &p) -> std::function<void(size_t)> {
         return [&](size_t n) {
           auto *backward = p.backward ? p.backward : p.dropout;
           backward(getOutput<float>(), reinterpret_cast<float *>(input.data()),
                    n, kSeed, kOffset, kKeep, kScale);
         };
       }},
  };
}

static void fillMemory() {
  float *values = reinterpret_cast<float *>(input.data());
  for (size_t i = 0; i < input.size / 4; ++i)
    values[i] = float(i % 1000) - 500.0f;
  std::memcpy(output.data(), input.data(), output.size);
}

//===----------------------------------------------------------------------===//
// Measurement
//===----------------------------------------------------------------------===//

/// Processor time of this thread: others that run meanwhile do not count.
static double getNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

static double measure(const std::function<void(size_t)> &call, size_t n,
                      size_t calls) {
  double start = getNanoseconds();
  for (size_t i = 0; i < calls; ++i)
    call(n);
  return (getNanoseconds() - start) / (double(n) * double(calls));
}

static double getMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: bench <repetitions> <log2 bytes>...\n");
    return 1;
  }
  int repetitions = std::max(std::atoi(argv[1]), 1);
  size_t most = 1 << 20;
  std::vector<int> sizes;
  for (int i = 2; i < argc; ++i) {
    sizes.push_back(std::atoi(argv[i]));
    most = std::max(most, size_t(1) << sizes.back());
  }
  output.resize(most);
  input.resize(most);
  fillMemory();

  std::vector<const Programs *> streams = {&kOurs};
#define X(table) streams.push_back(&table);
  ALL_PROGRAMS
#undef X

  // The same bits first, with a rest that fills no register.
  bool isRight = true;
  for (const Case &test : getCases()) {
    std::vector<char> expected;
    size_t n = 100003;
    for (const Programs *programs : streams) {
      std::function<void(size_t)> call = test.bind(*programs);
      if (!call)
        continue;
      fillMemory();
      call(n);
      std::vector<char> actual(output.data(),
                               output.data() + n * test.elementBytes);
      if (expected.empty())
        expected = actual;
      if (actual != expected) {
        std::fprintf(stderr, "%s: %s yields other bits than rng-to-cpu\n",
                     test.name, programs->name);
        isRight = false;
      }
    }
  }
  if (!isRight)
    return 1;

  streams.push_back(&kMersenne);
  for (int size : sizes) {
    for (const Case &test : getCases()) {
      size_t n = (size_t(1) << size) / test.elementBytes;
      std::vector<std::pair<std::string, std::function<void(size_t)>>> calls;
      for (const Programs *programs : streams)
        if (auto call = test.bind(*programs))
          calls.push_back({programs->name, call});
      size_t bytes = n * test.elementBytes;
      calls.push_back({"copy", [=](size_t) {
                         std::memcpy(output.data(), input.data(), bytes);
                         asm volatile("" ::: "memory");
                       }});
      fillMemory();
      std::vector<size_t> counts;
      std::vector<std::vector<double>> times(calls.size());
      for (auto &[name, call] : calls) {
        double once = measure(call, n, 1) * double(n);
        counts.push_back(std::max<size_t>(size_t(1e7 / once), 1));
      }
      for (int repetition = 0; repetition < repetitions; ++repetition)
        for (size_t i = 0; i < calls.size(); ++i)
          times[i].push_back(measure(calls[i].second, n, counts[i]));
      for (size_t i = 0; i < calls.size(); ++i)
        std::printf("%s\t%s\t%d\t%.6f\n", calls[i].first.c_str(), test.name,
                    size, getMedian(times[i]));
      std::fflush(stdout);
    }
  }
  return 0;
}
