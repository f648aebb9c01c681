//===- CudaProcess.h - What a process has on its GPUs -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_RUNTIME_CUDAPROCESS_H
#define RNGDIALECT_LIB_RUNTIME_CUDAPROCESS_H

#include "CudaDriver.h"
#include "RngDialect/Runtime/RngCudaRuntime.h"

#include <atomic>
#include <mutex>
#include <string>
#include <unordered_map>

namespace rngcuda {

/// The device of the calls of this thread.
extern thread_local int32_t defaultDevice;

/// Contexts and counts of the process.
class Process {
public:
  static Process &get() {
    // Never destroyed: compiled programs unload their modules late.
    static Process *process = new Process();
    return *process;
  }

  /// The primary context of `device`, retained by the first call; null after an
  /// error was reported.
  Context getContext(int device);
  /// The pool of memory of `device`, whose context is retained; null if memory
  /// is to be allocated and freed by the driver each time.
  Pool getPool(int device);
  void releaseContexts();

  /// Whether the process is past its `atexit` functions. The driver and all
  /// that lived in it have ended then, but compiled programs may still unload
  /// their modules.
  std::atomic<bool> hasEnded{false};

  void addBuffer(void *pointer, uint64_t size, bool fromPool) {
    std::lock_guard<std::mutex> lock(mutex);
    buffers[pointer] = {size, fromPool};
    bytes += size;
  }
  /// Whether the buffer is from a pool.
  bool removeBuffer(void *pointer) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = buffers.find(pointer);
    // Memory may come from elsewhere.
    if (it == buffers.end())
      return false;
    bool fromPool = it->second.fromPool;
    bytes -= it->second.size;
    buffers.erase(it);
    return fromPool;
  }
  void setName(void *function, const char *name) {
    std::lock_guard<std::mutex> lock(mutex);
    names[function] = name;
  }
  std::string getName(void *function) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = names.find(function);
    return it == names.end() ? "kernel" : it->second;
  }
  void getUsage(RngCudaUsage &usage) {
    std::lock_guard<std::mutex> lock(mutex);
    usage = {modules, streams, events, buffers.size(), bytes, hostRanges};
  }

  std::atomic<uint64_t> modules{0}, streams{0}, events{0}, hostRanges{0};

private:
  std::mutex mutex;
  struct Buffer {
    uint64_t size;
    bool fromPool;
  };
  std::unordered_map<int, Context> contexts;
  /// Null where there is to be none.
  std::unordered_map<int, Pool> pools;
  std::unordered_map<void *, Buffer> buffers;
  /// Of kernels, while they are timed.
  std::unordered_map<void *, std::string> names;
  uint64_t bytes = 0;
};

/// Reports that `call` failed with `result`, and `detail` after it.
void reportFailure(const char *call, Result result,
                   const std::string &detail = "");

/// Reports that `call` failed unless `result` says that it has not.
bool checkResult(const char *call, Result result);

/// Calls a function of the driver; false after an error was reported.
#define RNG_CUDA_CALL(name, arguments)                                         \
  (checkResult(#name, Driver::get().name arguments))

/// Makes the context of the thread's device current for its life time.
class Scope {
public:
  Scope() {
    if (Process::get().hasEnded)
      return;
    Context context = Process::get().getContext(defaultDevice);
    pushed = context && RNG_CUDA_CALL(cuCtxPushCurrent_v2, (context));
  }
  ~Scope() {
    Context popped;
    if (pushed)
      Driver::get().cuCtxPopCurrent_v2(&popped);
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  /// Whether the driver can be called.
  explicit operator bool() const { return pushed; }

private:
  bool pushed = false;
};

/// Calls a function that releases `handle` if there is one; whether it has
/// been released.
#define RNG_CUDA_RELEASE(name, type, handle)                                   \
  release(handle,                                                              \
          [&] { return RNG_CUDA_CALL(name, (static_cast<type>(handle))); })

/// See RNG_CUDA_RELEASE.
template <typename Call> bool release(void *handle, Call call) {
  if (!handle)
    return false;
  if (Process::get().hasEnded)
    return true;
  Scope scope;
  return scope && call();
}

/// How often RNG_CUDA_TIME_KERNELS says that a launch is repeated, 0 for never.
int getTimedLaunches();

} // namespace rngcuda

#endif // RNGDIALECT_LIB_RUNTIME_CUDAPROCESS_H
