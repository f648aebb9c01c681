//===- CudaProcess.cpp - What a process has on its GPUs ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaProcess.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace rngcuda;

thread_local int32_t rngcuda::defaultDevice = 0;

void rngcuda::reportFailure(const char *call, Result result,
                            const std::string &detail) {
  std::string message =
      getCallName(call) + " failed: " + Driver::get().describe(result) + detail;
  if (const char *advice = getAdvice(result); *advice)
    message += std::string("\n  note: ") + advice;
  reportError(message);
}

bool rngcuda::checkResult(const char *call, Result result) {
  if (result == success)
    return true;
  reportFailure(call, result);
  return false;
}

/// The driver, or null after an error was reported.
static const Driver *getDriver() {
  const Driver &driver = Driver::get();
  if (driver.problem.empty())
    return &driver;
  reportError(driver.problem);
  return nullptr;
}

/// Ends the use of the driver, before the driver ends itself.
static void finish() {
  rngCudaShutdown();
  Process::get().hasEnded = true;
}

/// At the very end: programs whose destructors unload modules have run them.
__attribute__((destructor)) static void checkLeaks() {
  RngCudaUsage usage;
  rngCudaGetUsage(&usage);
  const char *check = std::getenv("RNG_CUDA_CHECK_LEAKS");
  if (!check || !*check || std::strcmp(check, "0") == 0 ||
      !(usage.modules || usage.streams || usage.events || usage.buffers ||
        usage.hostRanges))
    return;
  std::fflush(nullptr);
  std::fprintf(
      stderr,
      "rng_cuda_runtime: error: not released at the end: %llu modules, "
      "%llu streams, %llu events, %llu buffers of %llu bytes, %llu "
      "registered ranges of host memory\n",
      static_cast<unsigned long long>(usage.modules),
      static_cast<unsigned long long>(usage.streams),
      static_cast<unsigned long long>(usage.events),
      static_cast<unsigned long long>(usage.buffers),
      static_cast<unsigned long long>(usage.bytes),
      static_cast<unsigned long long>(usage.hostRanges));
  std::_Exit(1);
}

Context Process::getContext(int device) {
  const Driver *driver = getDriver();
  if (!driver)
    return nullptr;
  // Registered once the driver is open, so that it runs before the driver's
  // own end.
  static const int registered = std::atexit(finish);
  (void)registered;
  const char *call = "cuDeviceGet";
  Result result;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = contexts.find(device);
    if (it != contexts.end())
      return it->second;
    DeviceId id;
    Context context;
    result = driver->cuDeviceGet(&id, device);
    if (result == success) {
      call = "cuDevicePrimaryCtxRetain";
      result = driver->cuDevicePrimaryCtxRetain(&context, id);
    }
    if (result == success)
      return contexts[device] = context;
  }
  reportFailure(call, result,
                "\n  note: for device " + std::to_string(device) + " of " +
                    std::to_string(driver->deviceCount));
  return nullptr;
}

Pool Process::getPool(int device) {
  const Driver &driver = Driver::get();
  std::lock_guard<std::mutex> lock(mutex);
  auto it = pools.find(device);
  if (it != pools.end())
    return it->second;
  Pool &pool = pools[device];
  const char *wanted = std::getenv("RNG_CUDA_POOL");
  if ((wanted && std::strcmp(wanted, "0") == 0) || !driver.cuMemPoolCreate ||
      !driver.cuMemPoolSetAttribute || !driver.cuMemPoolDestroy ||
      !driver.cuMemAllocFromPoolAsync || !driver.cuMemFreeAsync)
    return nullptr;
  PoolProperties properties = {};
  properties.allocationType = memoryPinned;
  properties.location.type = locationDevice;
  // What is freed stays in the pool.
  uint64_t threshold = UINT64_MAX;
  // No error: some devices have no pools.
  if (driver.cuDeviceGet(&properties.location.id, device) != success ||
      driver.cuMemPoolCreate(&pool, &properties) != success)
    return pool = nullptr;
  if (driver.cuMemPoolSetAttribute(pool, poolReleaseThreshold, &threshold) ==
      success)
    return pool;
  driver.cuMemPoolDestroy(pool);
  return pool = nullptr;
}

void Process::releaseContexts() {
  std::lock_guard<std::mutex> lock(mutex);
  if (contexts.empty())
    return;
  const Driver &driver = Driver::get();
  // No errors: at exit the driver may have ended, and all this with it.
  for (auto &entry : pools)
    if (entry.second)
      driver.cuMemPoolDestroy(entry.second);
  pools.clear();
  for (auto &entry : contexts) {
    DeviceId id;
    if (driver.cuDeviceGet(&id, entry.first) == success)
      driver.cuDevicePrimaryCtxRelease_v2(id);
  }
  contexts.clear();
}

//===----------------------------------------------------------------------===//
// For embedders
//===----------------------------------------------------------------------===//

int rngCudaDeviceCount(const char **reason) {
  const Driver &driver = Driver::get();
  if (reason)
    *reason = driver.problem.c_str();
  return driver.deviceCount;
}

int rngCudaDescribeDevice(int device, char *text, size_t size) {
  if (size)
    *text = '\0';
  const Driver &driver = Driver::get();
  DeviceId id;
  if (device < 0 || device >= driver.deviceCount ||
      driver.cuDeviceGet(&id, device) != success)
    return 0;
  char name[256] = "";
  int major = 0, minor = 0;
  size_t bytes = 0;
  if (driver.cuDeviceGetName(name, sizeof(name), id) != success ||
      driver.cuDeviceGetAttribute(&major, computeCapabilityMajor, id) !=
          success ||
      driver.cuDeviceGetAttribute(&minor, computeCapabilityMinor, id) !=
          success ||
      driver.cuDeviceTotalMem_v2(&bytes, id) != success)
    return 0;
  std::snprintf(text, size, "%s, sm_%d%d, %.1f GiB", name, major, minor,
                static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0));
  return 10 * major + minor;
}

void rngCudaGetUsage(RngCudaUsage *usage) { Process::get().getUsage(*usage); }

void rngCudaShutdown(void) { Process::get().releaseContexts(); }

void mgpuSetDefaultDevice(int32_t device) { defaultDevice = device; }
