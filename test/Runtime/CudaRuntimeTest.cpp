//===- CudaRuntimeTest.cpp - Tests of the GPU runtime -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs on the double of the driver (RNG_CUDA_DRIVER), with RNG_CUDA_CHECK_LEAKS
// set. Exit code 0 is success.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Runtime/RngCudaRuntime.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

extern "C" int rngTestCudaRuntimeFromC(void);

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

/// A kernel without parameters that does nothing.
static char ptx[] = ".version 7.8\n.target sm_90\n.address_size 64\n"
                    ".visible .entry nothing()\n{\n  ret;\n}\n";

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::vector<std::string> errors;

static void keepError(const char *message, void *userData) {
  static_cast<std::vector<std::string> *>(userData)->push_back(message);
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// Runs `body` while each call of `function` returns `code`; it must report one
/// error that names the call `name`, the error and all of `parts`.
static void expectError(const char *function, int code, const char *name,
                        const char *error, std::vector<const char *> parts,
                        const std::function<void()> &body) {
  errors.clear();
  std::string order = std::string(function) + ":*=" + std::to_string(code);
  setenv("RNG_CUDA_DOUBLE_FAIL", order.c_str(), 1);
  body();
  unsetenv("RNG_CUDA_DOUBLE_FAIL");
  bool good = errors.size() == 1 &&
              contains(errors[0], std::string(name) + " failed: " + error);
  for (const char *part : parts)
    good &= !errors.empty() && contains(errors[0], part);
  if (good)
    return;
  ++numFailures;
  std::fprintf(stderr, "expected one error of %s with %s but got %zu\n", name,
               error, errors.size());
  for (const std::string &message : errors)
    std::fprintf(stderr, "  %s\n", message.c_str());
}

/// A failure of every call: what it says, and that it has had no effect.
static void testErrors() {
  rngCudaSetErrorHandler(keepError, &errors);
  const char *outOfMemory = "CUDA_ERROR_OUT_OF_MEMORY: out of memory";
  const char *invalid = "CUDA_ERROR_INVALID_VALUE: invalid argument";

  // Device 1 has not been used before.
  mgpuSetDefaultDevice(1);
  expectError("cuDevicePrimaryCtxRetain", 46, "cuDevicePrimaryCtxRetain",
              "CUDA_ERROR_DEVICE_UNAVAILABLE: device busy",
              {"for device 1 of 2", "EXCLUSIVE_PROCESS"},
              [] { CHECK(!mgpuStreamCreate()); });
  mgpuSetDefaultDevice(2);
  expectError("", 0, "cuDeviceGet",
              "CUDA_ERROR_INVALID_DEVICE: invalid device ordinal",
              {"for device 2 of 2", "CUDA_VISIBLE_DEVICES"},
              [] { CHECK(!mgpuStreamCreate()); });
  mgpuSetDefaultDevice(0);
  expectError("cuCtxPushCurrent_v2", 201, "cuCtxPushCurrent",
              "CUDA_ERROR_INVALID_CONTEXT: invalid device context", {},
              [] { CHECK(!mgpuStreamCreate()); });

  expectError("cuModuleLoadDataEx", 209, "cuModuleLoadDataEx",
              "CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available",
              {"the GPU is CUDA test double, sm_90", "'chip='"},
              [] { CHECK(!mgpuModuleLoad(ptx, sizeof(ptx))); });
  expectError("cuModuleLoadDataEx", 218, "cuModuleLoadDataEx",
              "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed",
              {"the compiler of PTX says: ptxas application of the test"},
              [] { CHECK(!mgpuModuleLoadJIT(ptx, 3)); });
  expectError("cuModuleLoadDataEx", 222, "cuModuleLoadDataEx",
              "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", {"'format=bin'"},
              [] { CHECK(!mgpuModuleLoadJIT(ptx, 3)); });

  void *module = mgpuModuleLoadJIT(ptx, 2);
  void *stream = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  void *memory = mgpuMemAlloc(1024, stream, false);
  void *function = mgpuModuleGetFunction(module, "nothing");
  int host[4] = {};
  CHECK(module && stream && event && memory && function);
  expectError("", 0, "cuModuleGetFunction",
              "CUDA_ERROR_NOT_FOUND: named symbol not found",
              {"for the kernel 'other'"},
              [&] { CHECK(!mgpuModuleGetFunction(module, "other")); });
  auto launchWith = [&](intptr_t gridX, intptr_t blockX, int32_t shared) {
    mgpuLaunchKernel(function, gridX, 1, 1, blockX, 1, 1, shared, stream,
                     nullptr, nullptr, 0);
  };
  expectError(
      "cuLaunchKernel", 701, "cuLaunchKernel",
      "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: too many resources",
      {"for a grid of (7, 1, 1) blocks of (32, 1, 1) threads", "registers"},
      [&] { launchWith(7, 32, 0); });
  expectError("", 0, "cuLaunchKernel", invalid, {"grid of (0, 1, 1)"},
              [&] { launchWith(0, 32, 0); });
  expectError("", 0, "cuLaunchKernel", invalid, {"blocks of (1025, 1, 1)"},
              [&] { launchWith(1, 1025, 0); });
  expectError("", 0, "cuFuncSetAttribute", invalid,
              {"with 1000000 bytes of shared memory"},
              [&] { launchWith(1, 32, 1000000); });
  // Not cut to 32 bits, which would be a grid of one block.
  for (intptr_t size : {(intptr_t(1) << 32) + 1, intptr_t(-1)}) {
    errors.clear();
    launchWith(size, 32, 0);
    CHECK(errors.size() == 1 &&
          contains(errors[0], "cuLaunchKernel cannot be called: a size is out "
                              "of range") &&
          contains(errors[0], std::to_string(size)));
  }
  auto launchClusters = [&](intptr_t cluster) {
    mgpuLaunchClusterKernel(function, cluster, 1, 1, 4, 1, 1, 32, 1, 1, 0,
                            stream, nullptr, nullptr, 0);
  };
  expectError("", 0, "cuLaunchKernelEx", invalid, {"grid of (4, 1, 1)"},
              [&] { launchClusters(3); });

  expectError("cuStreamCreate", 2, "cuStreamCreate", outOfMemory, {},
              [] { CHECK(!mgpuStreamCreate()); });
  expectError("cuStreamSynchronize", 700, "cuStreamSynchronize",
              "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access",
              {"CUDA_LAUNCH_BLOCKING=1", "aligned to 16"},
              [&] { mgpuStreamSynchronize(stream); });
  expectError("cuStreamWaitEvent", 719, "cuStreamWaitEvent",
              "CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure", {},
              [&] { mgpuStreamWaitEvent(stream, event); });
  expectError("cuStreamDestroy_v2", 700, "cuStreamDestroy",
              "CUDA_ERROR_ILLEGAL_ADDRESS", {},
              [&] { mgpuStreamDestroy(stream); });
  expectError("cuEventCreate", 2, "cuEventCreate", outOfMemory, {},
              [] { CHECK(!mgpuEventCreate()); });
  expectError("cuEventRecord", 1, "cuEventRecord", invalid, {},
              [&] { mgpuEventRecord(event, stream); });
  expectError("cuEventSynchronize", 702, "cuEventSynchronize",
              "CUDA_ERROR_LAUNCH_TIMEOUT", {"display"},
              [&] { mgpuEventSynchronize(event); });
  expectError("cuEventDestroy_v2", 1, "cuEventDestroy", invalid, {},
              [&] { mgpuEventDestroy(event); });

  expectError("cuMemAlloc_v2", 2, "cuMemAlloc", outOfMemory,
              {"for 4096 bytes; 68719475712 of the device's 68719476736 are "
               "free"},
              [] { CHECK(!mgpuMemAlloc(4096, nullptr, false)); });
  expectError("cuMemAllocFromPoolAsync", 2, "cuMemAllocFromPoolAsync",
              outOfMemory, {"for 4096 bytes; 68719475712 of"},
              [&] { CHECK(!mgpuMemAlloc(4096, stream, false)); });
  void *fromPool = mgpuMemAlloc(4096, stream, false);
  expectError("cuMemFreeAsync", 1, "cuMemFreeAsync", invalid, {},
              [&] { mgpuMemFree(fromPool, stream); });
  // It is not known any more where that was from.
  errors.clear();
  mgpuMemFree(fromPool, stream);
  CHECK(errors.empty());
  expectError("cuMemAllocManaged", 2, "cuMemAllocManaged", outOfMemory,
              {"for 4096 bytes"},
              [] { CHECK(!mgpuMemAlloc(4096, nullptr, true)); });
  expectError("cuMemFree_v2", 1, "cuMemFree", invalid, {},
              [] { mgpuMemFree(&numFailures, nullptr); });
  expectError("cuMemcpyAsync", 1, "cuMemcpyAsync", invalid, {"for 16 bytes"},
              [&] { mgpuMemcpy(memory, host, sizeof(host), stream); });
  expectError("cuMemsetD32Async", 1, "cuMemsetD32Async", invalid, {},
              [&] { mgpuMemset32(memory, 1, 4, stream); });
  expectError("cuMemsetD16Async", 1, "cuMemsetD16Async", invalid, {},
              [&] { mgpuMemset16(memory, 1, 4, stream); });
  expectError("cuMemHostRegister_v2", 712, "cuMemHostRegister",
              "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", {},
              [&] { mgpuMemHostRegister(host, sizeof(host)); });
  expectError("cuMemHostUnregister", 713, "cuMemHostUnregister",
              "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", {},
              [&] { mgpuMemHostUnregister(host); });
  expectError("cuModuleUnload", 400, "cuModuleUnload",
              "CUDA_ERROR_INVALID_HANDLE: invalid resource handle", {},
              [&] { mgpuModuleUnload(module); });
  // An error that the driver has no name for.
  expectError("cuStreamCreate", 12345, "cuStreamCreate", "CUDA error 12345", {},
              [] { mgpuStreamCreate(); });

  // What failed has changed nothing.
  RngCudaUsage usage;
  rngCudaGetUsage(&usage);
  CHECK(usage.modules == 1 && usage.streams == 1 && usage.events == 1 &&
        usage.buffers == 1 && usage.bytes == 1024 && usage.hostRanges == 0);

  errors.clear();
  launchWith(7, 32, 0);
  launchWith(7, 32, 200 * 1024);
  launchClusters(2);
  mgpuEventRecord(event, stream);
  mgpuStreamWaitEvent(stream, event);
  mgpuMemFree(memory, stream);
  mgpuEventDestroy(event);
  mgpuStreamDestroy(stream);
  mgpuModuleUnload(module);
  // Nothing to do for what failed calls returned, and for nothing.
  mgpuModuleUnload(nullptr);
  CHECK(!mgpuModuleGetFunction(nullptr, "nothing"));
  mgpuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr, 0);
  mgpuStreamDestroy(nullptr);
  mgpuEventDestroy(nullptr);
  mgpuEventRecord(nullptr, nullptr);
  mgpuMemFree(nullptr, nullptr);
  CHECK(!mgpuMemAlloc(0, nullptr, false));
  mgpuMemcpy(nullptr, nullptr, 0, nullptr);
  mgpuMemset32(nullptr, 0, 0, nullptr);
  mgpuMemset16(nullptr, 0, 0, nullptr);
  mgpuMemHostRegister(host, 0);
  CHECK(errors.empty());
  rngCudaSetErrorHandler(nullptr, nullptr);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void testMemory() {
  std::vector<uint32_t> from(1000), to(1000);
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = static_cast<uint32_t>(i * i);
  size_t bytes = from.size() * sizeof(uint32_t);
  void *stream = mgpuStreamCreate();
  // From the driver and from the pool.
  void *a = mgpuMemAlloc(bytes, nullptr, false);
  void *b = mgpuMemAlloc(bytes, stream, false);
  RngCudaUsage usage;
  rngCudaGetUsage(&usage);
  CHECK(usage.buffers == 2 && usage.bytes == 2 * bytes);
  mgpuMemcpy(a, from.data(), bytes, stream);
  mgpuMemcpy(b, a, bytes, stream);
  mgpuMemset32(static_cast<char *>(b) + 8, 0xdeadbeef, 2, stream);
  mgpuMemset16(static_cast<char *>(b) + 16, 0x1234, 1, stream);
  mgpuMemcpy(to.data(), b, bytes, stream);
  mgpuStreamSynchronize(stream);
  CHECK(to[0] == 0 && to[1] == 1 && to[2] == 0xdeadbeef &&
        to[3] == 0xdeadbeef && to[4] == 0x1234 && to[5] == 25 &&
        to[999] == 999 * 999);
  auto *shared = static_cast<uint32_t *>(mgpuMemAlloc(bytes, stream, true));
  mgpuMemcpy(shared, a, bytes, stream);
  mgpuStreamSynchronize(stream);
  CHECK(shared[999] == 999 * 999);
  mgpuMemFree(shared, stream);
  mgpuMemFree(a, stream);
  mgpuMemFree(b, nullptr);
  mgpuMemFree(mgpuMemAlloc(bytes, stream, false), stream);
  mgpuStreamDestroy(stream);
  rngCudaGetUsage(&usage);
  CHECK(usage.buffers == 0 && usage.bytes == 0);
}

/// Memrefs of rank 0 and 2, one with a negative stride, one without elements.
static void testHostRegister() {
  float data[64];
  struct {
    float *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } matrix = {data, data, 40, {3, 4}, {-16, 1}};
  struct {
    float *allocated, *aligned;
    int64_t offset;
  } scalar = {data, data, 7};
  RngCudaUsage usage;
  mgpuMemHostRegisterMemRef(2, &matrix, sizeof(float));
  mgpuMemHostRegisterMemRef(0, &scalar, sizeof(float));
  rngCudaGetUsage(&usage);
  CHECK(usage.hostRanges == 2);
  // From the element at 40 - 2 * 16 on.
  mgpuMemHostUnregister(data + 8);
  mgpuMemHostUnregister(data + 7);
  mgpuMemHostRegisterMemRef(2, &matrix, sizeof(float));
  mgpuMemHostUnregisterMemRef(2, &matrix, sizeof(float));
  matrix.sizes[1] = 0;
  mgpuMemHostRegisterMemRef(2, &matrix, sizeof(float));
  mgpuMemHostUnregisterMemRef(2, &matrix, sizeof(float));
  rngCudaGetUsage(&usage);
  CHECK(usage.hostRanges == 0);
}

static void testThreads() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t] {
      mgpuSetDefaultDevice(t % 2);
      for (int i = 0; i < 100; ++i) {
        void *module = mgpuModuleLoad(ptx, sizeof(ptx));
        void *function = mgpuModuleGetFunction(module, "nothing");
        void *stream = mgpuStreamCreate();
        void *memory = mgpuMemAlloc(64, stream, false);
        mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr,
                         nullptr, 0);
        mgpuMemFree(memory, stream);
        mgpuStreamSynchronize(stream);
        mgpuStreamDestroy(stream);
        mgpuModuleUnload(module);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  RngCudaUsage usage;
  rngCudaGetUsage(&usage);
  CHECK(!usage.modules && !usage.streams && !usage.buffers && !usage.bytes);
}

static void testDevices() {
  const char *reason = nullptr;
  CHECK(rngCudaDeviceCount(&reason) == 2);
  CHECK(reason && !*reason);
  char text[64];
  CHECK(rngCudaDescribeDevice(1, text, sizeof(text)) == 90);
  CHECK(std::strcmp(text, "CUDA test double, sm_90, 64.0 GiB") == 0);
  CHECK(rngCudaDescribeDevice(1, text, 5) == 90);
  CHECK(std::strcmp(text, "CUDA") == 0);
  CHECK(rngCudaDescribeDevice(2, text, sizeof(text)) == 0 && !*text);
  CHECK(rngCudaDescribeDevice(-1, text, sizeof(text)) == 0);
  CHECK(rngCudaDescribeDevice(0, nullptr, 0) == 90);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

static void *lateModule = nullptr;

/// As the destructors of a program with kernels that is compiled ahead: it runs
/// when the driver has ended.
__attribute__((destructor)) static void unloadLate() {
  mgpuModuleUnload(lateModule);
}

int main() {
  CHECK(rngTestCudaRuntimeFromC() == 0);
  testDevices();
  testErrors();
  testMemory();
  testHostRegister();
  testThreads();
  rngCudaShutdown();
  rngCudaShutdown();
  testMemory();
  // PTX that is not terminated.
  lateModule = mgpuModuleLoad(ptx, sizeof(ptx) - 1);
  CHECK(lateModule);
  return numFailures == 0 ? 0 : 1;
}
