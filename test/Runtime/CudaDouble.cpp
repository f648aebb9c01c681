//===- CudaDouble.cpp - A CUDA driver without a GPU -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Test only. Stands in for the CUDA driver, so that the runtime library and
// compiled programs run unchanged on a machine without a GPU: RNG_CUDA_DRIVER
// names this library. Handles, contexts and sizes are checked as strictly as
// the manual allows; device memory is memory of the host that can be closed to
// it; kernels are executed from their PTX by an interpreter (tools/ptxrun, in a
// process beside this one).
//
// Environment:
//   RNG_CUDA_DOUBLE_DEVICES      number of devices (default 1)
//   RNG_CUDA_DOUBLE_FAIL         CALL:N=CODE,...: the N-th call of that
//                                function (all if N is *) returns that error
//   RNG_CUDA_DOUBLE_LOG          file for a line a call, at the end one with
//                                what was not released
//   RNG_CUDA_DOUBLE_RECORD       1: launches are recorded, not executed
//   RNG_CUDA_DOUBLE_STRICT       1: host access to device memory is an error
//   RNG_CUDA_DOUBLE_RACECHECK    1: unordered accesses are an error
//   RNG_CUDA_DOUBLE_LEAKCHECK    1: anything not released at exit is an error
//   RNG_CUDA_DOUBLE_TIMES        1: one line to stderr for each launch
//   RNG_PYTHON                   Python with numpy (default /usr/bin/python3)
//
// Errors that CUDA would return are returned; those that it would not find, or
// later, end the process with status 1.
//
//===----------------------------------------------------------------------===//

#include "DoubleDevice.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>

using namespace cudadouble;

using Result = int;
using DevicePointer = unsigned long long;

namespace {

/// The results that this driver has names for.
struct Error {
  Result code;
  const char *name, *text;
};
constexpr Error errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {4, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "device busy or unavailable"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
};
constexpr Result success = 0, invalidValue = 1, outOfMemory = 2,
                 notInitialized = 3, deinitialized = 4, noDevice = 100,
                 invalidDevice = 101, invalidImage = 200, invalidContext = 201,
                 invalidHandle = 400, notFound = 500, alreadyRegistered = 712,
                 notRegistered = 713;

struct Function;

struct Module {
  unsigned id;
  std::string image;
  bool isText;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

struct Function {
  Module *module;
  std::string name;
  std::vector<uint64_t> parameterSizes;
  unsigned maxShared = 48 * 1024;
};

struct Context {
  int device;
  unsigned retained = 0;
};

/// The state of the driver; used under its lock.
struct Driver {
  std::recursive_mutex mutex;
  bool initialized = false, ended = false;
  std::unique_ptr<Device> device;
  std::vector<Context> contexts;
  std::set<Module *> modules;
  std::set<void *> functions, streams, events, pools;
  unsigned moduleCount = 0;
  std::map<std::string, unsigned> calls;
  FILE *log = nullptr;

  static Driver &get() {
    // Never destroyed: programs may call when statics are gone.
    static Driver *driver = new Driver();
    return *driver;
  }

  void writeLog(const char *format, va_list args) {
    if (!log)
      return;
    std::vfprintf(log, format, args);
    std::fputc('\n', log);
    std::fflush(log);
  }
  unsigned countContexts() const {
    unsigned count = 0;
    for (const Context &context : contexts)
      count += context.retained;
    return count;
  }
  void end();
};

thread_local std::vector<Context *> stack;

__attribute__((format(printf, 1, 2))) void record(const char *format, ...) {
  va_list args;
  va_start(args, format);
  Driver::get().writeLog(format, args);
  va_end(args);
}

/// A call of the driver in progress: holds the lock and knows what to return.
class Call {
public:
  enum Needs { Nothing, Initialized, ACurrentContext };

  Call(const char *name, Needs needs)
      : driver(Driver::get()), lock(driver.mutex) {
    if (driver.ended)
      result = deinitialized;
    else if (needs != Nothing && !driver.initialized)
      result = notInitialized;
    else if (needs == ACurrentContext && stack.empty())
      result = invalidContext;
    if (result == success)
      result = getOrder(name, ++driver.calls[name]);
    if (result != success)
      record("%s fails with %d", name, result);
  }
  bool failed() const { return result != success; }

  Driver &driver;
  Result result = success;

private:
  /// What RNG_CUDA_DOUBLE_FAIL wants of this call.
  static Result getOrder(const std::string &name, unsigned count) {
    const char *orders = std::getenv("RNG_CUDA_DOUBLE_FAIL");
    std::string text = std::string(",") + (orders ? orders : "");
    for (const std::string &which : {std::to_string(count), std::string("*")}) {
      std::string start = "," + name + ":" + which + "=";
      size_t at = text.find(start);
      if (at != std::string::npos)
        return std::atoi(text.c_str() + at + start.size());
    }
    return success;
  }

  std::lock_guard<std::recursive_mutex> lock;
};

void Driver::end() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  ended = true;
  device->shutdown();
  size_t buffers = device->countBuffers(), ranges = device->countHostRanges();
  record("end: %zu modules, %zu streams, %zu events, %zu buffers, %zu host "
         "ranges, %u contexts",
         modules.size(), streams.size(), events.size(), buffers, ranges,
         countContexts());
  if (!pools.empty())
    record("end: %zu pools", pools.size());
  if (!flag("RNG_CUDA_DOUBLE_LEAKCHECK"))
    return;
  if (buffers)
    fail("%zu buffers with %llu bytes were not freed", buffers,
         static_cast<unsigned long long>(device->countBytes()));
  if (!pools.empty() || !modules.empty() || !streams.empty() ||
      !events.empty() || ranges || countContexts())
    fail("%zu modules, %zu streams, %zu events, %zu host ranges and %u "
         "contexts were not released",
         modules.size(), streams.size(), events.size(), ranges,
         countContexts());
}

const Error *findError(Result code) {
  auto it =
      std::find_if(std::begin(errors), std::end(errors),
                   [&](const Error &error) { return error.code == code; });
  return it == std::end(errors) ? nullptr : it;
}

void *toPointer(DevicePointer pointer) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(pointer));
}

bool isKnown(const std::set<void *> &handles, void *handle, bool orNull) {
  return handle ? handles.count(handle) != 0 : orNull;
}

} // namespace

#define CUDA_FUNCTION extern "C" __attribute__((visibility("default"))) Result
#define BEGIN_CALL(needs)                                                      \
  Call call(__func__, Call::needs);                                            \
  if (call.failed())                                                           \
    return call.result;                                                        \
  [[maybe_unused]] Driver &driver = call.driver

//===----------------------------------------------------------------------===//
// Driver, devices, contexts
//===----------------------------------------------------------------------===//

CUDA_FUNCTION cuInit(unsigned flags) {
  if (const char *path = std::getenv("RNG_CUDA_DOUBLE_LOG");
      path && *path && !Driver::get().log)
    Driver::get().log = std::fopen(path, "w");
  BEGIN_CALL(Nothing);
  if (flags != 0)
    return invalidValue;
  const char *count = std::getenv("RNG_CUDA_DOUBLE_DEVICES");
  int devices = count && *count ? std::atoi(count) : 1;
  if (devices == 0)
    return noDevice;
  if (driver.initialized)
    return success;
  driver.initialized = true;
  driver.device = std::make_unique<Device>();
  for (int i = 0; i < devices; ++i)
    driver.contexts.push_back({i});
  std::atexit([] { Driver::get().end(); });
  return success;
}

CUDA_FUNCTION cuGetErrorName(Result code, const char **name) {
  const Error *error = findError(code);
  *name = error ? error->name : nullptr;
  return error ? success : invalidValue;
}

CUDA_FUNCTION cuGetErrorString(Result code, const char **text) {
  const Error *error = findError(code);
  *text = error ? error->text : nullptr;
  return error ? success : invalidValue;
}

CUDA_FUNCTION cuDriverGetVersion(int *version) {
  *version = 13000;
  return success;
}

CUDA_FUNCTION cuDeviceGetCount(int *count) {
  BEGIN_CALL(Initialized);
  *count = static_cast<int>(driver.contexts.size());
  return success;
}

CUDA_FUNCTION cuDeviceGet(int *device, int ordinal) {
  BEGIN_CALL(Initialized);
  if (ordinal < 0 || ordinal >= static_cast<int>(driver.contexts.size()))
    return invalidDevice;
  *device = ordinal;
  return success;
}

CUDA_FUNCTION cuDeviceGetName(char *name, int size, int /*device*/) {
  BEGIN_CALL(Initialized);
  std::snprintf(name, size, "CUDA test double");
  return success;
}

CUDA_FUNCTION cuDeviceGetAttribute(int *value, int attribute, int /*device*/) {
  BEGIN_CALL(Initialized);
  switch (attribute) {
  case 75: // major compute capability
    *value = 9;
    return success;
  case 76: // minor compute capability
    *value = 0;
    return success;
  default:
    return invalidValue;
  }
}

CUDA_FUNCTION cuDeviceTotalMem_v2(size_t *bytes, int /*device*/) {
  BEGIN_CALL(Initialized);
  *bytes = size_t(1) << 36;
  return success;
}

CUDA_FUNCTION cuDevicePrimaryCtxRetain(Context **context, int device) {
  BEGIN_CALL(Initialized);
  if (device < 0 || device >= static_cast<int>(driver.contexts.size()))
    return invalidDevice;
  *context = &driver.contexts[device];
  ++(*context)->retained;
  record("cuDevicePrimaryCtxRetain %d", device);
  return success;
}

CUDA_FUNCTION cuDevicePrimaryCtxRelease_v2(int device) {
  BEGIN_CALL(Initialized);
  if (device < 0 || device >= static_cast<int>(driver.contexts.size()))
    return invalidDevice;
  if (driver.contexts[device].retained == 0)
    return invalidContext;
  --driver.contexts[device].retained;
  record("cuDevicePrimaryCtxRelease %d", device);
  return success;
}

CUDA_FUNCTION cuCtxPushCurrent_v2(Context *context) {
  BEGIN_CALL(Initialized);
  if (!context || context->retained == 0)
    return invalidContext;
  stack.push_back(context);
  return success;
}

CUDA_FUNCTION cuCtxPopCurrent_v2(Context **context) {
  BEGIN_CALL(ACurrentContext);
  *context = stack.back();
  stack.pop_back();
  return success;
}

CUDA_FUNCTION cuCtxGetCurrent(Context **context) {
  BEGIN_CALL(Initialized);
  *context = stack.empty() ? nullptr : stack.back();
  return success;
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

CUDA_FUNCTION cuModuleLoadDataEx(Module **module, const void *data,
                                 unsigned optionCount, int *options,
                                 void **values) {
  Call call(__func__, Call::ACurrentContext);
  if (call.failed()) {
    // The log of the compiler, as for broken PTX.
    for (unsigned i = 0; i < optionCount; ++i)
      if (options[i] == 5)
        std::snprintf(static_cast<char *>(values[i]), 64,
                      "ptxas application of the test double");
    return call.result;
  }
  Driver &driver = call.driver;
  auto *text = static_cast<const char *>(data);
  bool isText = std::memcmp(text, "\177ELF", 4) != 0 &&
                std::memcmp(text, "\x50\xed\x55\xba", 4) != 0;
  auto loaded = std::make_unique<Module>();
  loaded->id = driver.moduleCount++;
  loaded->isText = isText;
  if (isText) {
    loaded->image = text;
    if (loaded->image.find(".version") == std::string::npos)
      return invalidImage;
    if (driver.device->executes())
      driver.device->load(loaded->id, loaded->image);
  }
  *module = loaded.release();
  driver.modules.insert(*module);
  record("cuModuleLoadDataEx %s", isText ? "PTX" : "machine code");
  return success;
}

CUDA_FUNCTION cuModuleUnload(Module *module) {
  BEGIN_CALL(ACurrentContext);
  if (!driver.modules.erase(module))
    return invalidHandle;
  for (auto &entry : module->functions)
    driver.functions.erase(entry.second.get());
  delete module;
  record("cuModuleUnload");
  return success;
}

CUDA_FUNCTION cuModuleGetFunction(Function **function, Module *module,
                                  const char *name) {
  BEGIN_CALL(ACurrentContext);
  if (!driver.modules.count(module))
    return invalidHandle;
  if (module->isText && module->image.find(std::string(".entry ") + name +
                                           "(") == std::string::npos)
    return notFound;
  std::unique_ptr<Function> &slot = module->functions[name];
  if (!slot) {
    slot = std::make_unique<Function>(Function{module, name, {}});
    if (module->isText && driver.device->executes())
      slot->parameterSizes = driver.device->getParameters(module->id, name);
    driver.functions.insert(slot.get());
  }
  *function = slot.get();
  return success;
}

CUDA_FUNCTION cuFuncSetAttribute(Function *function, int attribute, int value) {
  BEGIN_CALL(ACurrentContext);
  if (!driver.functions.count(function))
    return invalidHandle;
  // The maximum of dynamic shared memory, up to that of sm_90.
  if (attribute != 8 || value < 0 || value > 227 * 1024)
    return invalidValue;
  function->maxShared = static_cast<unsigned>(value);
  record("cuFuncSetAttribute %s shared %d", function->name.c_str(), value);
  return success;
}

static Result launch(Driver &driver, Function *function, const unsigned grid[3],
                     const unsigned block[3], const unsigned cluster[3],
                     unsigned sharedBytes, void *stream, void **parameters) {
  if (!driver.functions.count(function) ||
      !isKnown(driver.streams, stream, /*orNull=*/true))
    return invalidHandle;
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  uint64_t blocks = uint64_t(grid[0]) * grid[1] * grid[2];
  if (blocks == 0 || grid[0] > 0x7fffffff || grid[1] > 65535 ||
      grid[2] > 65535 || threads == 0 || threads > 1024 || block[2] > 64 ||
      sharedBytes > function->maxShared)
    return invalidValue;
  std::string clusters;
  if (cluster) {
    for (int i = 0; i < 3; ++i)
      if (cluster[i] == 0 || grid[i] % cluster[i] != 0)
        return invalidValue;
    clusters = " cluster " + std::to_string(cluster[0]) + " " +
               std::to_string(cluster[1]) + " " + std::to_string(cluster[2]);
  }
  record("launch %s grid %u %u %u block %u %u %u shared %u%s",
         function->name.c_str(), grid[0], grid[1], grid[2], block[0], block[1],
         block[2], sharedBytes, clusters.c_str());
  if (!driver.device->executes())
    return success;
  if (!function->module->isText)
    fail("the module of '%s' is machine code; only PTX text (format=isa) can "
         "be interpreted",
         function->name.c_str());
  if (cluster)
    fail("cluster launches cannot be interpreted");
  driver.device->launch(function->module->id, function->name,
                        function->parameterSizes, grid, block, sharedBytes,
                        parameters);
  return success;
}

CUDA_FUNCTION cuLaunchKernel(Function *function, unsigned gridX, unsigned gridY,
                             unsigned gridZ, unsigned blockX, unsigned blockY,
                             unsigned blockZ, unsigned sharedBytes,
                             void *stream, void **parameters,
                             void ** /*extra*/) {
  BEGIN_CALL(ACurrentContext);
  unsigned grid[3] = {gridX, gridY, gridZ}, block[3] = {blockX, blockY, blockZ};
  return launch(driver, function, grid, block, /*cluster=*/nullptr, sharedBytes,
                stream, parameters);
}

namespace {
struct LaunchAttribute {
  int id;
  char pad[4];
  unsigned cluster[16];
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};
} // namespace

CUDA_FUNCTION cuLaunchKernelEx(const LaunchConfig *config, Function *function,
                               void **parameters, void ** /*extra*/) {
  BEGIN_CALL(ACurrentContext);
  if (config->attributeCount != 1 || config->attributes[0].id != 4)
    return invalidValue;
  return launch(driver, function, config->grid, config->block,
                config->attributes[0].cluster, config->sharedBytes,
                config->stream, parameters);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

static Result create(std::set<void *> &handles, void **handle) {
  *handle = new char;
  handles.insert(*handle);
  return success;
}

static Result destroy(std::set<void *> &handles, void *handle) {
  if (!handles.erase(handle))
    return invalidHandle;
  delete static_cast<char *>(handle);
  return success;
}

CUDA_FUNCTION cuStreamCreate(void **stream, unsigned /*flags*/) {
  BEGIN_CALL(ACurrentContext);
  record("cuStreamCreate");
  return create(driver.streams, stream);
}

CUDA_FUNCTION cuStreamDestroy_v2(void *stream) {
  BEGIN_CALL(ACurrentContext);
  record("cuStreamDestroy");
  return destroy(driver.streams, stream);
}

CUDA_FUNCTION cuStreamSynchronize(void *stream) {
  BEGIN_CALL(ACurrentContext);
  record("cuStreamSynchronize");
  return isKnown(driver.streams, stream, /*orNull=*/true) ? success
                                                          : invalidHandle;
}

CUDA_FUNCTION cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  BEGIN_CALL(ACurrentContext);
  record("cuStreamWaitEvent");
  return flags == 0 && isKnown(driver.streams, stream, /*orNull=*/true) &&
                 isKnown(driver.events, event, /*orNull=*/false)
             ? success
             : invalidHandle;
}

CUDA_FUNCTION cuEventCreate(void **event, unsigned /*flags*/) {
  BEGIN_CALL(ACurrentContext);
  record("cuEventCreate");
  return create(driver.events, event);
}

CUDA_FUNCTION cuEventDestroy_v2(void *event) {
  BEGIN_CALL(ACurrentContext);
  record("cuEventDestroy");
  return destroy(driver.events, event);
}

CUDA_FUNCTION cuEventSynchronize(void *event) {
  BEGIN_CALL(ACurrentContext);
  record("cuEventSynchronize");
  return isKnown(driver.events, event, /*orNull=*/false) ? success
                                                         : invalidHandle;
}

CUDA_FUNCTION cuEventRecord(void *event, void *stream) {
  BEGIN_CALL(ACurrentContext);
  record("cuEventRecord");
  return isKnown(driver.streams, stream, /*orNull=*/true) &&
                 isKnown(driver.events, event, /*orNull=*/false)
             ? success
             : invalidHandle;
}

/// There is nothing to time: always a millisecond.
CUDA_FUNCTION cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  BEGIN_CALL(ACurrentContext);
  if (!isKnown(driver.events, start, /*orNull=*/false) ||
      !isKnown(driver.events, end, /*orNull=*/false))
    return invalidHandle;
  *milliseconds = 1.0f;
  return success;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static Result allocate(Driver &driver, DevicePointer *pointer, size_t size,
                       bool shared) {
  if (size == 0)
    return invalidValue;
  void *memory = driver.device->allocate(size, shared);
  *pointer = reinterpret_cast<uintptr_t>(memory);
  return memory ? success : outOfMemory;
}

CUDA_FUNCTION cuMemGetInfo_v2(size_t *free, size_t *total) {
  BEGIN_CALL(ACurrentContext);
  *total = size_t(1) << 36;
  *free = *total - driver.device->countBytes();
  return success;
}

CUDA_FUNCTION cuMemAlloc_v2(DevicePointer *pointer, size_t size) {
  BEGIN_CALL(ACurrentContext);
  record("cuMemAlloc %zu", size);
  return allocate(driver, pointer, size, /*shared=*/false);
}

CUDA_FUNCTION cuMemAllocManaged(DevicePointer *pointer, size_t size,
                                unsigned flags) {
  BEGIN_CALL(ACurrentContext);
  record("cuMemAllocManaged %zu", size);
  return flags == 1 ? allocate(driver, pointer, size, /*shared=*/true)
                    : invalidValue;
}

namespace {
struct PoolProperties {
  int allocationType, handleTypes, locationType, locationId;
  void *securityAttributes;
  size_t maxSize;
  unsigned char reserved[56];
};
} // namespace

CUDA_FUNCTION cuMemPoolCreate(void **pool, const PoolProperties *properties) {
  BEGIN_CALL(Initialized);
  // Device memory that is not shared with other processes.
  if (properties->allocationType != 1 || properties->handleTypes != 0 ||
      properties->locationType != 1 ||
      properties->locationId >= static_cast<int>(driver.contexts.size()) ||
      properties->maxSize != 0 || properties->reserved[0] != 0)
    return invalidValue;
  record("cuMemPoolCreate");
  return create(driver.pools, pool);
}

CUDA_FUNCTION cuMemPoolSetAttribute(void *pool, int attribute, void *value) {
  BEGIN_CALL(Initialized);
  return driver.pools.count(pool) && attribute == 4 &&
                 *static_cast<uint64_t *>(value) == UINT64_MAX
             ? success
             : invalidValue;
}

CUDA_FUNCTION cuMemPoolDestroy(void *pool) {
  BEGIN_CALL(Initialized);
  record("cuMemPoolDestroy");
  return destroy(driver.pools, pool);
}

CUDA_FUNCTION cuMemAllocFromPoolAsync(DevicePointer *pointer, size_t size,
                                      void *pool, void *stream) {
  BEGIN_CALL(ACurrentContext);
  record("cuMemAllocFromPoolAsync %zu", size);
  if (!driver.pools.count(pool) ||
      !isKnown(driver.streams, stream, /*orNull=*/true))
    return invalidHandle;
  return allocate(driver, pointer, size, /*shared=*/false);
}

CUDA_FUNCTION cuMemFreeAsync(DevicePointer pointer, void *stream) {
  BEGIN_CALL(ACurrentContext);
  record("cuMemFreeAsync");
  if (!isKnown(driver.streams, stream, /*orNull=*/true))
    return invalidHandle;
  return driver.device->release(toPointer(pointer)) ? success : invalidValue;
}

CUDA_FUNCTION cuMemFree_v2(DevicePointer pointer) {
  BEGIN_CALL(ACurrentContext);
  record("cuMemFree");
  return driver.device->release(toPointer(pointer)) ? success : invalidValue;
}

CUDA_FUNCTION cuMemcpyAsync(DevicePointer to, DevicePointer from, size_t size,
                            void *stream) {
  BEGIN_CALL(ACurrentContext);
  if (!isKnown(driver.streams, stream, /*orNull=*/true))
    return invalidHandle;
  if (!to || !from)
    return invalidValue;
  Device &device = *driver.device;
  record("cuMemcpyAsync %s to %s %zu",
         device.contains(toPointer(from)) ? "device" : "host",
         device.contains(toPointer(to)) ? "device" : "host", size);
  std::memmove(device.translate(toPointer(to), size, "copy to device"),
               device.translate(toPointer(from), size, "copy from device"),
               size);
  return success;
}

template <typename T>
static Result fill(Driver &driver, DevicePointer to, T value, size_t count,
                   void *stream) {
  if (!isKnown(driver.streams, stream, /*orNull=*/true))
    return invalidHandle;
  if (!driver.device->contains(toPointer(to)) || to % sizeof(T) != 0)
    return invalidValue;
  std::fill_n(reinterpret_cast<T *>(driver.device->translate(
                  toPointer(to), count * sizeof(T), "memset")),
              count, value);
  record("memset of %zu times %zu bytes", count, sizeof(T));
  return success;
}

CUDA_FUNCTION cuMemsetD16Async(DevicePointer to, unsigned short value,
                               size_t count, void *stream) {
  BEGIN_CALL(ACurrentContext);
  return fill<uint16_t>(driver, to, value, count, stream);
}

CUDA_FUNCTION cuMemsetD32Async(DevicePointer to, unsigned value, size_t count,
                               void *stream) {
  BEGIN_CALL(ACurrentContext);
  return fill<uint32_t>(driver, to, value, count, stream);
}

CUDA_FUNCTION cuMemHostRegister_v2(void *pointer, size_t size,
                                   unsigned /*flags*/) {
  BEGIN_CALL(ACurrentContext);
  if (!pointer || size == 0 || driver.device->contains(pointer))
    return invalidValue;
  record("cuMemHostRegister %zu", size);
  return driver.device->registerHost(pointer, size) ? success
                                                    : alreadyRegistered;
}

CUDA_FUNCTION cuMemHostUnregister(void *pointer) {
  BEGIN_CALL(ACurrentContext);
  record("cuMemHostUnregister");
  return driver.device->unregisterHost(pointer) ? success : notRegistered;
}
