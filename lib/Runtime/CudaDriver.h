//===- CudaDriver.h - The CUDA driver, opened at run time -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the CUDA driver API that the runtime uses, declared here so that
// no header of CUDA is needed. Names, types and values are those of the public
// interface ("CUDA Driver API" manual); they are an ABI and do not change.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_RUNTIME_CUDADRIVER_H
#define RNGDIALECT_LIB_RUNTIME_CUDADRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace rngcuda {

using Result = int;
using DeviceId = int;
using DevicePointer = unsigned long long;
using Context = struct ContextHandle *;
using Module = struct ModuleHandle *;
using Function = struct FunctionHandle *;
using Stream = struct StreamHandle *;
using Event = struct EventHandle *;
using Pool = struct PoolHandle *;

// Results.
constexpr Result success = 0, outOfMemory = 2, notInitialized = 3,
                 deinitialized = 4, noDevice = 100, invalidDevice = 101,
                 deviceUnavailable = 46, noBinaryForGPU = 209, invalidPTX = 218,
                 unsupportedPTXVersion = 222, systemNotReady = 802,
                 systemDriverMismatch = 803, illegalAddress = 700,
                 launchOutOfResources = 701, launchTimeout = 702,
                 launchFailed = 719;

// Attributes of devices.
constexpr int maxSharedPerBlockOptIn = 97, computeCapabilityMajor = 75,
              computeCapabilityMinor = 76;
// Attributes of functions.
constexpr int maxDynamicSharedBytes = 8;
// Options of the compiler of PTX.
constexpr int jitErrorLogBuffer = 5, jitErrorLogBufferSize = 6,
              jitOptimizationLevel = 7;
// Flags.
constexpr unsigned streamDefault = 0, eventDefault = 0, eventDisableTiming = 2,
                   memAttachGlobal = 1;
// Attributes of pools of memory, and what a pool is of.
constexpr int poolReleaseThreshold = 4, memoryPinned = 1, locationDevice = 1;
// Attributes of launches.
constexpr int launchClusterDimension = 4;

struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } cluster;
  } value;
};

struct LaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

struct PoolProperties {
  int allocationType, handleTypes;
  struct {
    int type, id;
  } location;
  void *securityAttributes;
  size_t maxSize;
  unsigned char reserved[56];
};

/// (name, parameters): the functions that every driver since CUDA 11 has.
#define RNG_CUDA_FUNCTIONS(X)                                                  \
  X(cuInit, (unsigned))                                                        \
  X(cuGetErrorName, (Result, const char **))                                   \
  X(cuGetErrorString, (Result, const char **))                                 \
  X(cuDriverGetVersion, (int *))                                               \
  X(cuDeviceGetCount, (int *))                                                 \
  X(cuDeviceGet, (DeviceId *, int))                                            \
  X(cuDeviceGetName, (char *, int, DeviceId))                                  \
  X(cuDeviceGetAttribute, (int *, int, DeviceId))                              \
  X(cuDeviceTotalMem_v2, (size_t *, DeviceId))                                 \
  X(cuDevicePrimaryCtxRetain, (Context *, DeviceId))                           \
  X(cuDevicePrimaryCtxRelease_v2, (DeviceId))                                  \
  X(cuCtxPushCurrent_v2, (Context))                                            \
  X(cuCtxPopCurrent_v2, (Context *))                                           \
  X(cuModuleLoadDataEx, (Module *, const void *, unsigned, int *, void **))    \
  X(cuModuleUnload, (Module))                                                  \
  X(cuModuleGetFunction, (Function *, Module, const char *))                   \
  X(cuFuncSetAttribute, (Function, int, int))                                  \
  X(cuLaunchKernel, (Function, unsigned, unsigned, unsigned, unsigned,         \
                     unsigned, unsigned, unsigned, Stream, void **, void **))  \
  X(cuStreamCreate, (Stream *, unsigned))                                      \
  X(cuStreamDestroy_v2, (Stream))                                              \
  X(cuStreamSynchronize, (Stream))                                             \
  X(cuStreamWaitEvent, (Stream, Event, unsigned))                              \
  X(cuEventCreate, (Event *, unsigned))                                        \
  X(cuEventDestroy_v2, (Event))                                                \
  X(cuEventSynchronize, (Event))                                               \
  X(cuEventRecord, (Event, Stream))                                            \
  X(cuMemGetInfo_v2, (size_t *, size_t *))                                     \
  X(cuMemAlloc_v2, (DevicePointer *, size_t))                                  \
  X(cuMemAllocManaged, (DevicePointer *, size_t, unsigned))                    \
  X(cuMemFree_v2, (DevicePointer))                                             \
  X(cuMemcpyAsync, (DevicePointer, DevicePointer, size_t, Stream))             \
  X(cuMemsetD16Async, (DevicePointer, unsigned short, size_t, Stream))         \
  X(cuMemsetD32Async, (DevicePointer, unsigned, size_t, Stream))               \
  X(cuMemHostRegister_v2, (void *, size_t, unsigned))                          \
  X(cuMemHostUnregister, (void *))

/// Functions of newer drivers; null where the driver is older.
#define RNG_CUDA_NEW_FUNCTIONS(X)                                              \
  X(cuMemPoolCreate, (Pool *, const PoolProperties *))                         \
  X(cuMemPoolSetAttribute, (Pool, int, void *))                                \
  X(cuMemPoolDestroy, (Pool))                                                  \
  X(cuMemAllocFromPoolAsync, (DevicePointer *, size_t, Pool, Stream))          \
  X(cuMemFreeAsync, (DevicePointer, Stream))                                   \
  X(cuEventElapsedTime, (float *, Event, Event))                               \
  X(cuLaunchKernelEx, (const LaunchConfig *, Function, void **, void **))

/// The functions of the driver.
struct Driver {
#define RNG_CUDA_MEMBER(name, parameters) Result(*name) parameters = nullptr;
  RNG_CUDA_FUNCTIONS(RNG_CUDA_MEMBER)
  RNG_CUDA_NEW_FUNCTIONS(RNG_CUDA_MEMBER)
#undef RNG_CUDA_MEMBER

  /// Number of devices, at least 1 when the driver can be used.
  int deviceCount = 0;
  /// Why it cannot be used; empty when it can.
  std::string problem;

  /// The driver, opened and initialised by the first call. Never destroyed.
  static const Driver &get();

  /// "CUDA_ERROR_X: what it means".
  std::string describe(Result result) const;

private:
  Driver();
  bool open();
  bool load(void *library);
  bool initialize();

  /// The file that was opened.
  std::string path;
};

/// What a user can do about `result` of `call`, "" if that is not known.
const char *getAdvice(Result result);

/// The name of `call` as the manual has it: without the suffix of the ABI.
std::string getCallName(const char *call);

/// Gives `message` to the handler of errors.
void reportError(const std::string &message);

} // namespace rngcuda

#endif // RNGDIALECT_LIB_RUNTIME_CUDADRIVER_H
