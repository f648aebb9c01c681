//===- CudaRuntime.cpp - What gpu-to-llvm code calls ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaProcess.h"

#include <cstring>
#include <vector>

using namespace rngcuda;

static DevicePointer toDevice(void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Loads `data`; PTX is compiled at `optLevel` unless that is negative.
static void *loadModule(const void *data, int optLevel) {
  Scope scope;
  if (!scope)
    return nullptr;
  std::vector<char> log(8192, '\0');
  // A value is in the pointer itself where the manual has an integer.
  std::vector<int> options = {jitErrorLogBuffer, jitErrorLogBufferSize};
  std::vector<void *> values = {log.data(),
                                reinterpret_cast<void *>(log.size() - 1)};
  if (optLevel >= 0) {
    options.push_back(jitOptimizationLevel);
    values.push_back(
        reinterpret_cast<void *>(static_cast<uintptr_t>(optLevel)));
  }
  Module module = nullptr;
  Result result = Driver::get().cuModuleLoadDataEx(
      &module, data, static_cast<unsigned>(options.size()), options.data(),
      values.data());
  if (result == success) {
    ++Process::get().modules;
    return module;
  }
  std::string detail;
  char device[256];
  if (rngCudaDescribeDevice(defaultDevice, device, sizeof(device)))
    detail += std::string("\n  note: the GPU is ") + device;
  if (log[0])
    detail += std::string("\n  note: the compiler of PTX says: ") + log.data();
  reportFailure("cuModuleLoadDataEx", result, detail);
  return nullptr;
}

void *mgpuModuleLoadJIT(void *data, int optLevel) {
  return loadModule(data, optLevel);
}

void *mgpuModuleLoad(void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  // Text is PTX, which the driver wants terminated.
  bool isBinary = size >= 4 && (std::memcmp(bytes, "\177ELF", 4) == 0 ||
                                std::memcmp(bytes, "\x50\xed\x55\xba", 4) == 0);
  if (isBinary || size == 0 || bytes[size - 1] == '\0')
    return loadModule(data, /*optLevel=*/-1);
  return loadModule(std::string(bytes, size).c_str(), /*optLevel=*/-1);
}

void mgpuModuleUnload(void *module) {
  if (RNG_CUDA_RELEASE(cuModuleUnload, Module, module))
    --Process::get().modules;
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  Scope scope;
  if (!module || !scope)
    return nullptr;
  Function function = nullptr;
  Result result = Driver::get().cuModuleGetFunction(
      &function, static_cast<Module>(module), name);
  if (result == success) {
    if (getTimedLaunches() > 0)
      Process::get().setName(function, name);
    return function;
  }
  reportFailure("cuModuleGetFunction", result,
                std::string("\n  note: for the kernel '") + name + "'");
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

void *mgpuStreamCreate(void) {
  Scope scope;
  Stream stream = nullptr;
  if (!scope || !RNG_CUDA_CALL(cuStreamCreate, (&stream, streamDefault)))
    return nullptr;
  ++Process::get().streams;
  return stream;
}

void mgpuStreamDestroy(void *stream) {
  if (RNG_CUDA_RELEASE(cuStreamDestroy_v2, Stream, stream))
    --Process::get().streams;
}

void mgpuStreamSynchronize(void *stream) {
  Scope scope;
  if (scope)
    RNG_CUDA_CALL(cuStreamSynchronize, (static_cast<Stream>(stream)));
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  Scope scope;
  if (event && scope)
    RNG_CUDA_CALL(cuStreamWaitEvent, (static_cast<Stream>(stream),
                                      static_cast<Event>(event), /*flags=*/0));
}

void *mgpuEventCreate(void) {
  Scope scope;
  Event event = nullptr;
  if (!scope || !RNG_CUDA_CALL(cuEventCreate, (&event, eventDisableTiming)))
    return nullptr;
  ++Process::get().events;
  return event;
}

void mgpuEventDestroy(void *event) {
  if (RNG_CUDA_RELEASE(cuEventDestroy_v2, Event, event))
    --Process::get().events;
}

void mgpuEventSynchronize(void *event) {
  Scope scope;
  if (event && scope)
    RNG_CUDA_CALL(cuEventSynchronize, (static_cast<Event>(event)));
}

void mgpuEventRecord(void *event, void *stream) {
  Scope scope;
  if (event && scope)
    RNG_CUDA_CALL(cuEventRecord,
                  (static_cast<Event>(event), static_cast<Stream>(stream)));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *mgpuMemAlloc(uint64_t size, void *stream, bool hostShared) {
  // An error for the driver.
  if (size == 0)
    return nullptr;
  Scope scope;
  if (!scope)
    return nullptr;
  const Driver &driver = Driver::get();
  DevicePointer pointer = 0;
  Pool pool = nullptr;
  const char *call;
  Result result;
  if (hostShared) {
    call = "cuMemAllocManaged";
    result = driver.cuMemAllocManaged(&pointer, size, memAttachGlobal);
  } else if (stream && (pool = Process::get().getPool(defaultDevice))) {
    call = "cuMemAllocFromPoolAsync";
    result = driver.cuMemAllocFromPoolAsync(&pointer, size, pool,
                                            static_cast<Stream>(stream));
  } else {
    call = "cuMemAlloc";
    result = driver.cuMemAlloc_v2(&pointer, size);
  }
  if (result != success) {
    std::string detail = "\n  note: for " + std::to_string(size) + " bytes";
    size_t free = 0, total = 0;
    if (driver.cuMemGetInfo_v2(&free, &total) == success)
      detail += "; " + std::to_string(free) + " of the device's " +
                std::to_string(total) + " are free";
    reportFailure(call, result, detail);
    return nullptr;
  }
  auto *memory = reinterpret_cast<void *>(static_cast<uintptr_t>(pointer));
  Process::get().addBuffer(memory, size, pool != nullptr);
  return memory;
}

void mgpuMemFree(void *pointer, void *stream) {
  // Forgotten first: once it is free, another thread may get the address.
  bool fromPool = Process::get().removeBuffer(pointer);
  release(pointer, [&] {
    // Without a stream nobody says what it has to wait for.
    if (fromPool && stream)
      return RNG_CUDA_CALL(cuMemFreeAsync,
                           (toDevice(pointer), static_cast<Stream>(stream)));
    return RNG_CUDA_CALL(cuMemFree_v2, (toDevice(pointer)));
  });
}

void mgpuMemcpy(void *to, void *from, size_t size, void *stream) {
  if (size == 0)
    return;
  Scope scope;
  if (!scope)
    return;
  Result result = Driver::get().cuMemcpyAsync(
      toDevice(to), toDevice(from), size, static_cast<Stream>(stream));
  if (result != success)
    reportFailure("cuMemcpyAsync", result,
                  "\n  note: for " + std::to_string(size) + " bytes");
}

void mgpuMemset32(void *to, unsigned int value, size_t count, void *stream) {
  if (count == 0)
    return;
  Scope scope;
  if (scope)
    RNG_CUDA_CALL(cuMemsetD32Async,
                  (toDevice(to), value, count, static_cast<Stream>(stream)));
}

void mgpuMemset16(void *to, unsigned short value, size_t count, void *stream) {
  if (count == 0)
    return;
  Scope scope;
  if (scope)
    RNG_CUDA_CALL(cuMemsetD16Async,
                  (toDevice(to), value, count, static_cast<Stream>(stream)));
}

void mgpuMemHostRegister(void *pointer, uint64_t size) {
  if (size == 0)
    return;
  Scope scope;
  if (scope && RNG_CUDA_CALL(cuMemHostRegister_v2, (pointer, size, 0)))
    ++Process::get().hostRanges;
}

void mgpuMemHostUnregister(void *pointer) {
  if (RNG_CUDA_RELEASE(cuMemHostUnregister, void *, pointer))
    --Process::get().hostRanges;
}

namespace {
/// Where the elements of a memref are.
struct Range {
  char *start = nullptr;
  uint64_t bytes = 0;

  Range(int64_t rank, void *descriptor, int64_t elementBytes) {
    // allocated pointer, aligned pointer, offset, sizes, strides: words all.
    auto *words = static_cast<int64_t *>(descriptor);
    char *aligned;
    std::memcpy(&aligned, words + 1, sizeof(aligned));
    const int64_t *sizes = words + 3, *strides = sizes + rank;
    // The first and last element from the one at the offset, in elements:
    // strides may be negative.
    int64_t first = 0, last = 0;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (sizes[dim] == 0)
        return;
      int64_t reach = (sizes[dim] - 1) * strides[dim];
      (reach < 0 ? first : last) += reach;
    }
    start = aligned + (words[2] + first) * elementBytes;
    bytes = static_cast<uint64_t>(last - first + 1) * elementBytes;
  }
};
} // namespace

void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementBytes) {
  Range range(rank, descriptor, elementBytes);
  mgpuMemHostRegister(range.start, range.bytes);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                 int64_t elementBytes) {
  Range range(rank, descriptor, elementBytes);
  if (range.bytes)
    mgpuMemHostUnregister(range.start);
}
