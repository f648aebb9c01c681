//===- RngCudaRuntime.h - Programs on NVIDIA GPUs -----------------*- C -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `rng_cuda_runtime`: what host code that `gpu-to-llvm` makes (so that of
/// `rng-to-nvptx`) calls to load, launch, allocate and copy on an NVIDIA GPU,
/// and what a program around it wants to know. Plain C11 and C++, no dependency
/// on LLVM.
///
/// **Driver.** Nothing of CUDA is needed to build or link the library. It opens
/// the driver at its first use: the file that the environment variable
/// `RNG_CUDA_DRIVER` names, else `libcuda.so.1`, else `libcuda.so`.
///
/// **Device.** Calls work in the primary context of a device, as the CUDA
/// runtime API and PyTorch do, so memory can be handed back and forth. It is
/// device 0 unless the thread has called `mgpuSetDefaultDevice`
/// (`gpu.set_default_device`). The context that was current in the thread is so
/// again when a call returns. A module belongs to the device on which it was
/// loaded.
///
/// **Order.** Streams are ordinary ones: they wait for work on the legacy
/// default stream, so a program sees what its caller put there before.
///
/// **Memory.** Memref arguments and results of functions lowered by
/// `rng-to-nvptx` are device memory: an embedder that calls such a function
/// gets it from `mgpuMemAlloc` (or the CUDA toolkit, or PyTorch) and frees a
/// result with `mgpuMemFree` (or `cudaFree`). What a program allocates and
/// frees on a stream comes from a pool of the library's own, in the order of
/// the stream, and returns there rather than to the device; `rngCudaShutdown`
/// gives it back. `RNG_CUDA_POOL=0` in the environment turns that off, as do
/// drivers and devices without pools.
///
/// **Errors.** Compiled programs cannot look at results, so an error goes to a
/// handler, see `rngCudaSetErrorHandler`. By default it is printed to stderr
/// and the process ends with status 1. A message names the CUDA call, the error
/// and its text, and says what to do where that is known:
///
/// ```
/// rng_cuda_runtime: error: cuModuleLoadDataEx failed:
///   CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available for ...
/// ```
///
/// CUDA may report a failure of a kernel only when the host waits for it. With
/// `CUDA_LAUNCH_BLOCKING=1` in the environment (a switch of CUDA) it is
/// reported at the launch.
///
/// **Threads.** Every function may be called from any thread at any time.
///
/// **End.** The contexts are released when the library is unloaded or the
/// process exits. With `RNG_CUDA_CHECK_LEAKS=1` in the environment, modules,
/// streams, events and memory that live on then are an error: a line on stderr
/// and status 1.
///
/// **Measuring.** With `RNG_CUDA_TIME_KERNELS=N` in the environment each launch
/// is followed by 3 and then 5 times N more of the same, and a line on stderr
/// names the kernel and the time of one launch: the median of the five, each
/// taken by events around N launches. For programs whose kernels may run more
/// than once, those that write no memory that they read.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_RUNTIME_RNGCUDARUNTIME_H
#define RNGDIALECT_RUNTIME_RNGCUDARUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifndef __cplusplus
#include <stdbool.h>
#endif

/// Marks what `rng_cuda_runtime` exports; all else in the library is hidden.
#if defined(_WIN32)
#if defined(rng_cuda_runtime_EXPORTS)
#define RNG_CUDA_EXPORT __declspec(dllexport)
#else
#define RNG_CUDA_EXPORT __declspec(dllimport)
#endif
#else
#define RNG_CUDA_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// For embedders
//===----------------------------------------------------------------------===//

/// Is called with the text of an error, without a line end, in the thread that
/// made the call. It may end the process or leave a note to the caller of the
/// program. If it returns, the call that failed has had no effect and returns
/// null; calls that are given such a null module, function, event or piece of
/// memory to free have none either. The results of the program are then
/// undefined. It must not throw: there is compiled code without unwind tables
/// between it and its caller.
typedef void (*RngCudaErrorHandler)(const char *message, void *userData);

/// Makes `handler` the one that gets all errors from now on, with `userData`.
/// Null restores the default, which prints and ends the process.
RNG_CUDA_EXPORT void rngCudaSetErrorHandler(RngCudaErrorHandler handler,
                                            void *userData);

/// The number of devices that programs can use: 0 without a driver or device.
/// Never an error. `*reason`, if `reason` is not null, becomes a text that says
/// why there is none, "" if there is; it stays valid.
RNG_CUDA_EXPORT int rngCudaDeviceCount(const char **reason);

/// Writes a line about `device`, such as "NVIDIA H200, sm_90, 139.8 GiB", to
/// `text` of `size` bytes, cut if it does not fit. Returns its chip as the
/// number behind `sm_` (90), or 0 (and writes "") if there is no such device.
RNG_CUDA_EXPORT int rngCudaDescribeDevice(int device, char *text, size_t size);

/// What lives on the devices: made through this library and not yet released.
typedef struct {
  uint64_t modules;
  uint64_t streams;
  uint64_t events;
  uint64_t buffers;
  /// Of the buffers together.
  uint64_t bytes;
  /// Ranges of host memory registered with CUDA.
  uint64_t hostRanges;
} RngCudaUsage;

/// Writes what lives at the moment to `usage`.
RNG_CUDA_EXPORT void rngCudaGetUsage(RngCudaUsage *usage);

/// Releases the contexts now. What lives in them ends unless another library
/// uses the same device. The next call starts again.
RNG_CUDA_EXPORT void rngCudaShutdown(void);

//===----------------------------------------------------------------------===//
// For compiled programs: the names and types that gpu-to-llvm fixes
//===----------------------------------------------------------------------===//

/// Loads `data`, PTX text that ends with NUL, for the device; the driver
/// compiles it at `optLevel` (0 to 4).
RNG_CUDA_EXPORT void *mgpuModuleLoadJIT(void *data, int optLevel);

/// Loads `data`, a cubin, fatbin or PTX text of `size` bytes.
RNG_CUDA_EXPORT void *mgpuModuleLoad(void *data, size_t size);

RNG_CUDA_EXPORT void mgpuModuleUnload(void *module);

/// The kernel `name` of `module`; lives as long as the module.
RNG_CUDA_EXPORT void *mgpuModuleGetFunction(void *module, const char *name);

/// Launches `grid` thread blocks of `block` threads with `sharedBytes` of
/// dynamic shared memory; `params` points to the values of the `paramCount`
/// parameters. Each size must be 1 or more.
RNG_CUDA_EXPORT void mgpuLaunchKernel(void *function, intptr_t gridX,
                                      intptr_t gridY, intptr_t gridZ,
                                      intptr_t blockX, intptr_t blockY,
                                      intptr_t blockZ, int32_t sharedBytes,
                                      void *stream, void **params, void **extra,
                                      size_t paramCount);

/// The same in clusters of thread blocks (sm_90 and later).
RNG_CUDA_EXPORT void
mgpuLaunchClusterKernel(void *function, intptr_t clusterX, intptr_t clusterY,
                        intptr_t clusterZ, intptr_t gridX, intptr_t gridY,
                        intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                        intptr_t blockZ, int32_t sharedBytes, void *stream,
                        void **params, void **extra, size_t paramCount);

RNG_CUDA_EXPORT void *mgpuStreamCreate(void);
RNG_CUDA_EXPORT void mgpuStreamDestroy(void *stream);
RNG_CUDA_EXPORT void mgpuStreamSynchronize(void *stream);
RNG_CUDA_EXPORT void mgpuStreamWaitEvent(void *stream, void *event);

RNG_CUDA_EXPORT void *mgpuEventCreate(void);
RNG_CUDA_EXPORT void mgpuEventDestroy(void *event);
RNG_CUDA_EXPORT void mgpuEventSynchronize(void *event);
RNG_CUDA_EXPORT void mgpuEventRecord(void *event, void *stream);

/// `size` bytes of device memory, aligned to 256 bytes at least; null for 0. It
/// is there for what follows on `stream`, for everything if that is null. With
/// `hostShared`, memory that host and device both can use.
RNG_CUDA_EXPORT void *mgpuMemAlloc(uint64_t size, void *stream,
                                   bool hostShared);

/// Frees device memory when what is on `stream` is done, or all work of the
/// device if that is null. Null pointer: nothing.
RNG_CUDA_EXPORT void mgpuMemFree(void *pointer, void *stream);

/// Copies between host and device memory, in whichever direction.
RNG_CUDA_EXPORT void mgpuMemcpy(void *to, void *from, size_t size,
                                void *stream);

/// Sets `count` words of device memory.
RNG_CUDA_EXPORT void mgpuMemset32(void *to, unsigned int value, size_t count,
                                  void *stream);
RNG_CUDA_EXPORT void mgpuMemset16(void *to, unsigned short value, size_t count,
                                  void *stream);

/// Makes `size` bytes of host memory usable by kernels.
RNG_CUDA_EXPORT void mgpuMemHostRegister(void *pointer, uint64_t size);
RNG_CUDA_EXPORT void mgpuMemHostUnregister(void *pointer);

/// The same for all elements of a memref: `descriptor` is the ranked one (two
/// pointers, offset, sizes, strides).
RNG_CUDA_EXPORT void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                                               int64_t elementBytes);
RNG_CUDA_EXPORT void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                                 int64_t elementBytes);

/// Makes `device` the one that this thread uses.
RNG_CUDA_EXPORT void mgpuSetDefaultDevice(int32_t device);

#ifdef __cplusplus
}
#endif

#endif // RNGDIALECT_RUNTIME_RNGCUDARUNTIME_H
