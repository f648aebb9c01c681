//===- CudaLaunch.cpp - Launches of kernels, and their times ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaProcess.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace rngcuda;

/// Dynamic shared memory that kernels may have without asking, in bytes.
static constexpr int32_t plainSharedBytes = 48 * 1024;

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

int rngcuda::getTimedLaunches() {
  static const int launches = [] {
    const char *text = std::getenv("RNG_CUDA_TIME_KERNELS");
    return text ? std::max(0, std::atoi(text)) : 0;
  }();
  return launches;
}

/// Repeats `launch` on `stream` and prints how long one takes; false after an
/// error was reported.
template <typename Launch>
static bool timeKernel(const std::string &name, Stream stream, Launch launch) {
  constexpr int warmUps = 3, batches = 5;
  int count = getTimedLaunches();
  const Driver &driver = Driver::get();
  if (!driver.cuEventElapsedTime) {
    reportError("the CUDA driver has no function 'cuEventElapsedTime', which "
                "RNG_CUDA_TIME_KERNELS needs");
    return false;
  }
  Event start = nullptr, end = nullptr;
  bool good = RNG_CUDA_CALL(cuEventCreate, (&start, eventDefault)) &&
              RNG_CUDA_CALL(cuEventCreate, (&end, eventDefault));
  for (int i = 0; good && i < warmUps; ++i)
    good = launch();
  std::vector<float> times;
  for (int batch = 0; good && batch < batches; ++batch) {
    good = RNG_CUDA_CALL(cuEventRecord, (start, stream));
    for (int i = 0; good && i < count; ++i)
      good = launch();
    float time = 0.0f;
    good = good && RNG_CUDA_CALL(cuEventRecord, (end, stream)) &&
           RNG_CUDA_CALL(cuEventSynchronize, (end)) &&
           RNG_CUDA_CALL(cuEventElapsedTime, (&time, start, end));
    times.push_back(time / static_cast<float>(count));
  }
  if (start)
    driver.cuEventDestroy_v2(start);
  if (end)
    driver.cuEventDestroy_v2(end);
  if (!good)
    return false;
  std::sort(times.begin(), times.end());
  std::fprintf(stderr, "rng_cuda_runtime: time: %s %.6f ms\n", name.c_str(),
               static_cast<double>(times[batches / 2]));
  return true;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of a launch.
struct Dim3 {
  intptr_t x, y, z;

  /// Whether the driver's type holds all three.
  bool fits() const {
    auto fits = [](intptr_t n) {
      return n >= 0 && static_cast<uint64_t>(n) <= UINT32_MAX;
    };
    return fits(x) && fits(y) && fits(z);
  }
  std::string str() const {
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " +
           std::to_string(z) + ")";
  }
};
} // namespace

static unsigned narrow(intptr_t n) { return static_cast<unsigned>(n); }

/// Launches, in clusters if `cluster` is not null.
static void launch(void *function, const Dim3 *cluster, Dim3 grid, Dim3 block,
                   int32_t sharedBytes, void *stream, void **params,
                   void **extra) {
  if (!function)
    return;
  Scope scope;
  if (!scope)
    return;
  const char *call = cluster ? "cuLaunchKernelEx" : "cuLaunchKernel";
  std::string detail = "\n  note: for a grid of " + grid.str() + " blocks of " +
                       block.str() + " threads with " +
                       std::to_string(sharedBytes) + " bytes of shared memory";
  if (!grid.fits() || !block.fits() || sharedBytes < 0 ||
      (cluster && !cluster->fits()))
    return reportError(std::string(call) +
                       " cannot be called: a size is out of range" + detail);
  const Driver &driver = Driver::get();
  auto *kernel = static_cast<Function>(function);
  if (sharedBytes > plainSharedBytes) {
    Result result =
        driver.cuFuncSetAttribute(kernel, maxDynamicSharedBytes, sharedBytes);
    if (result != success)
      return reportFailure("cuFuncSetAttribute", result, detail);
  }
  LaunchAttribute attribute = {};
  attribute.id = launchClusterDimension;
  LaunchConfig config = {narrow(grid.x),
                         narrow(grid.y),
                         narrow(grid.z),
                         narrow(block.x),
                         narrow(block.y),
                         narrow(block.z),
                         static_cast<unsigned>(sharedBytes),
                         static_cast<Stream>(stream),
                         &attribute,
                         1};
  if (cluster) {
    if (!driver.cuLaunchKernelEx)
      return reportError("the CUDA driver has no function 'cuLaunchKernelEx', "
                         "which a launch in clusters needs: update it");
    attribute.value.cluster = {narrow(cluster->x), narrow(cluster->y),
                               narrow(cluster->z)};
  }
  auto launchOnce = [&] {
    Result result =
        cluster
            ? driver.cuLaunchKernelEx(&config, kernel, params, extra)
            : driver.cuLaunchKernel(kernel, config.gridX, config.gridY,
                                    config.gridZ, config.blockX, config.blockY,
                                    config.blockZ, config.sharedBytes,
                                    config.stream, params, extra);
    if (result != success)
      reportFailure(call, result, detail);
    return result == success;
  };
  if (launchOnce() && getTimedLaunches() > 0)
    timeKernel(Process::get().getName(function), config.stream, launchOnce);
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **params, void **extra, size_t /*paramCount*/) {
  launch(function, /*cluster=*/nullptr, {gridX, gridY, gridZ},
         {blockX, blockY, blockZ}, sharedBytes, stream, params, extra);
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream, void **params,
                             void **extra, size_t /*paramCount*/) {
  Dim3 cluster = {clusterX, clusterY, clusterZ};
  launch(function, &cluster, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
         sharedBytes, stream, params, extra);
}
