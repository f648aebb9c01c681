//===- CudaDriver.cpp - The CUDA driver, opened at run time -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"
#include "RngDialect/Runtime/RngCudaRuntime.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <dlfcn.h>

using namespace rngcuda;

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

const Driver &Driver::get() {
  // Never destroyed: compiled programs unload their modules late.
  static const Driver *driver = new Driver();
  return *driver;
}

Driver::Driver() {
  if (!open() || !initialize())
    deviceCount = 0;
}

bool Driver::open() {
  if (const char *chosen = std::getenv("RNG_CUDA_DRIVER"); chosen && *chosen) {
    path = chosen;
    if (void *library = dlopen(chosen, RTLD_NOW | RTLD_LOCAL))
      return load(library);
    const char *why = dlerror();
    problem = "the CUDA driver '" + path +
              "' that RNG_CUDA_DRIVER names "
              "cannot be opened: " +
              (why ? why : "unknown error");
    return false;
  }
  std::string reasons;
  for (const char *name : {"libcuda.so.1", "libcuda.so"}) {
    path = name;
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return load(library);
    const char *why = dlerror();
    reasons += std::string(reasons.empty() ? "" : "; ") + (why ? why : name);
  }
  problem =
      "no CUDA driver: " + reasons +
      "\n  note: programs with kernels for NVIDIA GPUs need a GPU and its "
      "driver (RNG_CUDA_DRIVER can name the file); without, lower with "
      "rng-to-cpu, or run the kernels on the host with rng-emulate-gpu";
  return false;
}

bool Driver::load(void *library) {
#define RNG_CUDA_LOAD(name, parameters)                                        \
  name = reinterpret_cast<Result(*) parameters>(dlsym(library, #name));
  RNG_CUDA_FUNCTIONS(RNG_CUDA_LOAD)
  RNG_CUDA_NEW_FUNCTIONS(RNG_CUDA_LOAD)
#undef RNG_CUDA_LOAD
  const char *missing = nullptr;
#define RNG_CUDA_CHECK(name, parameters)                                       \
  if (!name && !missing)                                                       \
    missing = #name;
  RNG_CUDA_FUNCTIONS(RNG_CUDA_CHECK)
#undef RNG_CUDA_CHECK
  if (!missing)
    return true;
  problem = "'" + path + "' has no function '" + missing +
            "': expected a CUDA driver of version 11 or later";
  return false;
}

bool Driver::initialize() {
  const char *call = "cuInit";
  Result result = cuInit(0);
  if (result == success) {
    call = "cuDeviceGetCount";
    result = cuDeviceGetCount(&deviceCount);
  }
  if (result == success && deviceCount == 0)
    result = noDevice;
  if (result == success)
    return true;
  problem = std::string(call) + " failed: " + describe(result);
  if (const char *advice = getAdvice(result); *advice)
    problem += std::string("\n  note: ") + advice;
  return false;
}

std::string Driver::describe(Result result) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName && cuGetErrorName(result, &name) != success)
    name = nullptr;
  if (cuGetErrorString && cuGetErrorString(result, &text) != success)
    text = nullptr;
  return (name ? std::string(name) : "CUDA error " + std::to_string(result)) +
         ": " + (text ? text : "an error that this driver does not describe");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

const char *rngcuda::getAdvice(Result result) {
  switch (result) {
  case noDevice:
  case invalidDevice:
    return "is there an NVIDIA GPU, and is it in CUDA_VISIBLE_DEVICES if that "
           "is set? 'nvidia-smi' lists those that the driver sees";
  case deviceUnavailable:
    return "another process has the GPU for itself (compute mode "
           "EXCLUSIVE_PROCESS): wait for it, or choose another with "
           "CUDA_VISIBLE_DEVICES";
  case notInitialized:
  case systemNotReady:
  case systemDriverMismatch:
    return "the kernel module and the library of the driver do not work "
           "together: see whether 'nvidia-smi' runs, else restart the machine "
           "or install the driver again";
  case noBinaryForGPU:
    return "the kernels were compiled for another chip: give rng-to-nvptx this "
           "GPU's with 'chip='";
  case invalidPTX:
    return "the PTX is for a newer chip, or broken: give rng-to-nvptx this "
           "GPU's with 'chip='";
  case unsupportedPTXVersion:
    return "the driver is older than the PTX: update it, or compile the "
           "kernels with 'format=bin'";
  case launchOutOfResources:
    return "a block has more threads than its registers or shared memory "
           "allow";
  case launchTimeout:
    return "a GPU that also drives a display ends long kernels";
  case illegalAddress:
  case launchFailed:
    return "a kernel launched before failed; CUDA_LAUNCH_BLOCKING=1 shows "
           "which. Are all memref arguments device memory, aligned to 16 "
           "bytes?";
  default:
    return "";
  }
}

std::string rngcuda::getCallName(const char *call) {
  std::string name = call;
  size_t suffix = name.rfind("_v");
  return suffix == std::string::npos ? name : name.substr(0, suffix);
}

namespace {
struct Handler {
  RngCudaErrorHandler function = nullptr;
  void *userData = nullptr;
};
struct HandlerSlot {
  std::mutex mutex;
  Handler handler;
};
} // namespace

static HandlerSlot &getHandlerSlot() {
  static HandlerSlot *slot = new HandlerSlot();
  return *slot;
}

void rngCudaSetErrorHandler(RngCudaErrorHandler handler, void *userData) {
  HandlerSlot &slot = getHandlerSlot();
  std::lock_guard<std::mutex> lock(slot.mutex);
  slot.handler = {handler, userData};
}

void rngcuda::reportError(const std::string &message) {
  HandlerSlot &slot = getHandlerSlot();
  Handler handler;
  {
    // A handler may set another one.
    std::lock_guard<std::mutex> lock(slot.mutex);
    handler = slot.handler;
  }
  if (handler.function)
    return handler.function(message.c_str(), handler.userData);
  // First what the program has printed.
  std::fflush(nullptr);
  std::fprintf(stderr, "rng_cuda_runtime: error: %s\n", message.c_str());
  std::fflush(stderr);
  // Not `exit`: the code of the program may be in memory that its runner frees
  // there, while this call is still in it.
  std::_Exit(1);
}
