//===- CudaRuntime.cpp - What gpu-to-llvm code calls ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"
#include "RngDialect/Runtime/RngCudaRuntime.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

using namespace rngcuda;

namespace {

/// Dynamic shared memory that kernels may have without asking, in bytes.
constexpr int32_t plainSharedBytes = 48 * 1024;

/// The device of the calls of this thread.
thread_local int32_t defaultDevice = 0;

//===----------------------------------------------------------------------===//
// What lives
//===----------------------------------------------------------------------===//

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
  void releaseContexts();

  /// Whether the process is past its `atexit` functions. The driver and all
  /// that lived in it have ended then, but compiled programs may still unload
  /// their modules.
  std::atomic<bool> hasEnded{false};

  void addBuffer(void *pointer, uint64_t size) {
    std::lock_guard<std::mutex> lock(mutex);
    buffers[pointer] = size;
    bytes += size;
  }
  void removeBuffer(void *pointer) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = buffers.find(pointer);
    // Memory may come from elsewhere.
    if (it == buffers.end())
      return;
    bytes -= it->second;
    buffers.erase(it);
  }
  void getUsage(RngCudaUsage &usage) {
    std::lock_guard<std::mutex> lock(mutex);
    usage = {modules, streams, events, buffers.size(), bytes, hostRanges};
  }

  std::atomic<uint64_t> modules{0}, streams{0}, events{0}, hostRanges{0};

private:
  std::mutex mutex;
  std::unordered_map<int, Context> contexts;
  std::unordered_map<void *, uint64_t> buffers;
  uint64_t bytes = 0;
};

} // namespace

/// Reports that `call` failed with `result`, and `detail` after it.
static void reportFailure(const char *call, Result result,
                          const std::string &detail = "") {
  std::string message =
      getCallName(call) + " failed: " + Driver::get().describe(result) + detail;
  if (const char *advice = getAdvice(result); *advice)
    message += std::string("\n  note: ") + advice;
  reportError(message);
}

/// Calls a function of the driver; false after an error was reported.
#define RNG_CUDA_CALL(name, arguments)                                         \
  (checkResult(#name, Driver::get().name arguments))

static bool checkResult(const char *call, Result result) {
  if (result == success)
    return true;
  reportFailure(call, result);
  return false;
}

/// Calls a function that releases `handle` if there is one; whether it has
/// been released.
#define RNG_CUDA_RELEASE(name, type, handle)                                   \
  release(handle,                                                              \
          [&] { return RNG_CUDA_CALL(name, (static_cast<type>(handle))); })

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

void Process::releaseContexts() {
  std::lock_guard<std::mutex> lock(mutex);
  if (contexts.empty())
    return;
  const Driver &driver = Driver::get();
  for (auto &entry : contexts) {
    DeviceId id;
    // No error: at exit the driver may have ended, and the contexts with it.
    if (driver.cuDeviceGet(&id, entry.first) == success)
      driver.cuDevicePrimaryCtxRelease_v2(id);
  }
  contexts.clear();
}

namespace {
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
} // namespace

/// See RNG_CUDA_RELEASE.
template <typename Call> static bool release(void *handle, Call call) {
  if (!handle)
    return false;
  if (Process::get().hasEnded)
    return true;
  Scope scope;
  return scope && call();
}

static DevicePointer toDevice(void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
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
  if (result == success)
    return function;
  reportFailure("cuModuleGetFunction", result,
                std::string("\n  note: for the kernel '") + name + "'");
  return nullptr;
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
  Result result;
  if (cluster) {
    if (!driver.cuLaunchKernelEx)
      return reportError("the CUDA driver has no function 'cuLaunchKernelEx', "
                         "which a launch in clusters needs: update it");
    LaunchAttribute attribute = {};
    attribute.id = launchClusterDimension;
    attribute.value.cluster = {narrow(cluster->x), narrow(cluster->y),
                               narrow(cluster->z)};
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
    result = driver.cuLaunchKernelEx(&config, kernel, params, extra);
  } else {
    result = driver.cuLaunchKernel(
        kernel, narrow(grid.x), narrow(grid.y), narrow(grid.z), narrow(block.x),
        narrow(block.y), narrow(block.z), static_cast<unsigned>(sharedBytes),
        static_cast<Stream>(stream), params, extra);
  }
  if (result != success)
    reportFailure(call, result, detail);
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

void *mgpuMemAlloc(uint64_t size, void * /*stream*/, bool hostShared) {
  // An error for the driver.
  if (size == 0)
    return nullptr;
  Scope scope;
  if (!scope)
    return nullptr;
  const Driver &driver = Driver::get();
  DevicePointer pointer = 0;
  Result result =
      hostShared ? driver.cuMemAllocManaged(&pointer, size, memAttachGlobal)
                 : driver.cuMemAlloc_v2(&pointer, size);
  if (result != success) {
    std::string detail = "\n  note: for " + std::to_string(size) + " bytes";
    size_t free = 0, total = 0;
    if (driver.cuMemGetInfo_v2(&free, &total) == success)
      detail += "; " + std::to_string(free) + " of the device's " +
                std::to_string(total) + " are free";
    reportFailure(hostShared ? "cuMemAllocManaged" : "cuMemAlloc", result,
                  detail);
    return nullptr;
  }
  auto *memory = reinterpret_cast<void *>(static_cast<uintptr_t>(pointer));
  Process::get().addBuffer(memory, size);
  return memory;
}

void mgpuMemFree(void *pointer, void * /*stream*/) {
  // Forgotten first: once it is free, another thread may get the address.
  Process::get().removeBuffer(pointer);
  release(pointer,
          [&] { return RNG_CUDA_CALL(cuMemFree_v2, (toDevice(pointer))); });
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

void mgpuSetDefaultDevice(int32_t device) { defaultDevice = device; }
