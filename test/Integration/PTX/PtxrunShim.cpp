//===- PtxrunShim.cpp - GPU runtime on a PTX interpreter --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Test only. Defines the functions that host code from `gpu-to-llvm` calls, so
// that it runs unchanged under mlir-runner on a machine without a GPU: kernels
// are executed from their PTX text by the ptxrun interpreter in a Python
// process beside this one (PtxrunServer.py).
//
// Device memory is a shared file mapped here and in the server. It is mapped
// twice here: one view has the addresses that the program sees, the other is
// for this file alone, so that the program's view can be closed to the host.
// Addresses are never reused, so a use after free cannot hit a later buffer.
//
// Every error ends the process with status 1: a test must not pass over it.
//
// Environment:
//   RNGDIALECT_PTXRUN            folder of ptxrun.py (required at first load)
//   RNGDIALECT_PTXRUN_PYTHON     Python with numpy (default /usr/bin/python3)
//   RNGDIALECT_PTXRUN_SERVER     the server script (default: beside this file's
//                                shared library)
//   RNGDIALECT_PTXRUN_STRICT     1: host access to device memory is an error
//   RNGDIALECT_PTXRUN_RACECHECK  1: unordered accesses are an error
//   RNGDIALECT_PTXRUN_LEAKCHECK  1: memory not freed at exit is an error
//   RNGDIALECT_PTXRUN_LOG        1: one line to stderr for each launch
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHIM_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

/// Size of the address range for device memory in bytes; pages are only taken
/// when touched.
constexpr uint64_t kArenaBytes = uint64_t(1) << 36;
/// cuMemAlloc guarantees this alignment.
constexpr uint64_t kAlignment = 256;
/// Unmapped distance between two buffers: a small overrun by host copies lands
/// in no buffer.
constexpr uint64_t kGap = 4096;
/// What fresh memory holds: a NaN in every float type, an invalid i1.
constexpr int kPoison = 0xFF;

bool flag(const char *name) {
  const char *value = std::getenv(name);
  return value && *value && std::strcmp(value, "0") != 0;
}

[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char *format,
                                                             ...) {
  std::fflush(nullptr);
  std::fputs("ptxrun shim: error: ", stderr);
  va_list args;
  va_start(args, format);
  std::vfprintf(stderr, format, args);
  va_end(args);
  std::fputc('\n', stderr);
  std::fflush(stderr);
  // No exit(): the JIT's destructors would call back into this file.
  _exit(1);
}

struct Module {
  unsigned id;
};

struct Function {
  unsigned moduleId;
  std::string name;
  std::vector<uint64_t> paramSizes;
};

/// The view of device memory that the program sees; for the signal handler.
uint8_t *programView = nullptr;
struct sigaction previousAction;

void onSegv(int signal, siginfo_t *info, void *context) {
  auto *address = static_cast<uint8_t *>(info->si_addr);
  if (programView && address >= programView &&
      address < programView + kArenaBytes) {
    static const char text[] = "ptxrun shim: error: host code accessed device "
                               "memory (RNGDIALECT_PTXRUN_STRICT is set)\n";
    (void)!write(2, text, sizeof(text) - 1);
    _exit(1);
  }
  // Not ours: restore what was there and let the instruction fault again.
  sigaction(SIGSEGV, &previousAction, nullptr);
  (void)signal;
  (void)context;
}

/// Device memory, the server process and the handles given out.
class Device {
public:
  static Device &get() {
    // Never destroyed: module destructors of the JIT may run after statics.
    static Device *device = new Device();
    return *device;
  }

  void *allocate(uint64_t size);
  void release(void *pointer);
  /// The address in the private view for [pointer, pointer + size), which is
  /// host memory or lies within one live buffer.
  uint8_t *translate(void *pointer, uint64_t size, const char *what);

  Module *load(const char *text, size_t size);
  Function *function(Module *module, const char *name);
  void launch(Function *function, const int64_t grid[3], const int64_t block[3],
              int32_t sharedBytes, void **params, uint64_t paramCount);

  void registerHost(void *pointer, uint64_t size);
  void unregisterHost(void *pointer);

  std::mutex mutex;

private:
  Device();
  void start();
  void shutdown();
  void send(const void *data, size_t size);
  void receive(void *data, size_t size);
  std::string receiveLine();
  /// Reads "OK n ..." and returns the numbers after OK; fails on an error
  /// reply.
  std::vector<uint64_t> reply(const std::string &doing);

  int memory = -1, channel = -1;
  pid_t server = -1;
  pid_t owner;
  uint8_t *view = nullptr, *privateView = nullptr;
  uint64_t next = kAlignment;
  std::map<uint64_t, uint64_t> live;           // offset -> size
  std::map<uint8_t *, uint64_t> registered;    // host address -> size
  std::map<std::string, Function *> functions; // "module id:name"
  unsigned moduleCount = 0;
};

Device::Device() : owner(getpid()) {
  memory = memfd_create("rng-ptxrun", 0);
  if (memory < 0 || ftruncate(memory, kArenaBytes) != 0)
    fail("cannot create the device memory file: %s", std::strerror(errno));
  bool strict = flag("RNGDIALECT_PTXRUN_STRICT");
  auto map = [&](int protection) {
    void *p = mmap(nullptr, kArenaBytes, protection, MAP_SHARED | MAP_NORESERVE,
                   memory, 0);
    if (p == MAP_FAILED)
      fail("cannot map the device memory file: %s", std::strerror(errno));
    return static_cast<uint8_t *>(p);
  };
  privateView = map(PROT_READ | PROT_WRITE);
  view = map(strict ? PROT_NONE : PROT_READ | PROT_WRITE);
  programView = view;
  if (strict) {
    struct sigaction action = {};
    action.sa_sigaction = onSegv;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &previousAction);
  }
  std::atexit([] { Device::get().shutdown(); });
}

void Device::shutdown() {
  if (getpid() != owner)
    return;
  if (channel >= 0)
    close(channel);
  if (server > 0)
    waitpid(server, nullptr, 0);
  if (flag("RNGDIALECT_PTXRUN_LEAKCHECK") && !live.empty()) {
    uint64_t bytes = 0;
    for (auto &entry : live)
      bytes += entry.second;
    fail("%zu buffers with %llu bytes were not freed", live.size(),
         static_cast<unsigned long long>(bytes));
  }
}

void *Device::allocate(uint64_t size) {
  if (size == 0) // As the CUDA wrappers do; cuMemAlloc(0) is an error.
    return nullptr;
  uint64_t end = next + size + kGap;
  if (size > kArenaBytes || end > kArenaBytes)
    fail("out of device memory (allocating %llu bytes)",
         static_cast<unsigned long long>(size));
  uint64_t offset = next;
  next = (end + kAlignment - 1) / kAlignment * kAlignment;
  live[offset] = size;
  std::memset(privateView + offset, kPoison, size);
  return view + offset;
}

void Device::release(void *pointer) {
  if (!pointer)
    return;
  auto it = live.find(static_cast<uint8_t *>(pointer) - view);
  if (it == live.end())
    fail("free of %p, which is not a live device buffer", pointer);
  // Whole pages go back to the system; the addresses stay taken.
  uint64_t page = sysconf(_SC_PAGESIZE);
  uint64_t first = (it->first + page - 1) / page * page;
  uint64_t last = (it->first + it->second) / page * page;
  if (first < last)
    madvise(privateView + first, last - first, MADV_REMOVE);
  live.erase(it);
}

uint8_t *Device::translate(void *pointer, uint64_t size, const char *what) {
  auto *p = static_cast<uint8_t *>(pointer);
  if (p < view || p >= view + kArenaBytes || size == 0)
    return p;
  uint64_t offset = p - view;
  auto it = live.upper_bound(offset);
  if (it == live.begin())
    fail("%s of %llu bytes at %p: no live device buffer there", what,
         static_cast<unsigned long long>(size), pointer);
  --it;
  uint64_t inside = offset - it->first;
  if (inside > it->second || size > it->second - inside)
    fail("%s of %llu bytes at byte %llu of a device buffer of %llu bytes", what,
         static_cast<unsigned long long>(size),
         static_cast<unsigned long long>(inside),
         static_cast<unsigned long long>(it->second));
  return privateView + offset;
}

void Device::start() {
  if (channel >= 0)
    return;
  const char *ptxrun = std::getenv("RNGDIALECT_PTXRUN");
  if (!ptxrun || !*ptxrun)
    fail("set RNGDIALECT_PTXRUN to the folder of ptxrun.py");
  const char *python = std::getenv("RNGDIALECT_PTXRUN_PYTHON");
  if (!python || !*python)
    python = "/usr/bin/python3";
  std::string script;
  if (const char *path = std::getenv("RNGDIALECT_PTXRUN_SERVER")) {
    script = path;
  } else {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(&onSegv), &info) || !info.dli_fname)
      fail("set RNGDIALECT_PTXRUN_SERVER to the path of PtxrunServer.py");
    script = info.dli_fname;
    size_t slash = script.rfind('/');
    script = (slash == std::string::npos ? "." : script.substr(0, slash)) +
             "/PtxrunServer.py";
  }
  if (access(script.c_str(), R_OK) != 0)
    fail("cannot read '%s'; set RNGDIALECT_PTXRUN_SERVER", script.c_str());

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fail("socketpair: %s", std::strerror(errno));
  std::string channelFd = std::to_string(ends[1]);
  std::string memoryFd = std::to_string(memory);
  std::string base = std::to_string(reinterpret_cast<uintptr_t>(view));
  std::string bytes = std::to_string(kArenaBytes);
  const char *argv[] = {
      python,           "-B",         script.c_str(), ptxrun, channelFd.c_str(),
      memoryFd.c_str(), base.c_str(), bytes.c_str(),  nullptr};
  server = fork();
  if (server < 0)
    fail("fork: %s", std::strerror(errno));
  if (server == 0) {
    // dup clears the close-on-exec flag; then move it to the announced number.
    int copy = dup(ends[1]);
    dup2(copy, ends[1]);
    close(copy);
    execv(python, const_cast<char **>(argv));
    std::fprintf(stderr, "ptxrun shim: cannot start '%s': %s\n", python,
                 std::strerror(errno));
    _exit(127);
  }
  close(ends[1]);
  channel = ends[0];
  reply("starting the interpreter");
}

void Device::send(const void *data, size_t size) {
  auto *p = static_cast<const char *>(data);
  while (size) {
    ssize_t n = ::send(channel, p, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      fail("the interpreter process has ended");
    p += n;
    size -= n;
  }
}

void Device::receive(void *data, size_t size) {
  auto *p = static_cast<char *>(data);
  while (size) {
    ssize_t n = read(channel, p, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      fail("the interpreter process has ended");
    p += n;
    size -= n;
  }
}

std::string Device::receiveLine() {
  std::string line;
  for (char c; receive(&c, 1), c != '\n';)
    line += c;
  return line;
}

std::vector<uint64_t> Device::reply(const std::string &doing) {
  std::string line = receiveLine();
  std::vector<uint64_t> numbers;
  size_t space = line.find(' ');
  std::string status = line.substr(0, space);
  const char *rest = space == std::string::npos ? "" : line.c_str() + space;
  for (char *end;; rest = end) {
    uint64_t n = std::strtoull(rest, &end, 10);
    if (end == rest)
      break;
    numbers.push_back(n);
  }
  if (status == "OK")
    return numbers;
  std::string message(numbers.empty() ? 0 : numbers[0], '\0');
  if (!message.empty())
    receive(&message[0], message.size());
  fail("%s: %s", doing.c_str(), message.c_str());
}

Module *Device::load(const char *text, size_t size) {
  if (size >= 4 && (std::memcmp(text, "\177ELF", 4) == 0 ||
                    std::memcmp(text, "\x50\xed\x55\xba", 4) == 0))
    fail("the module is a cubin or fatbin; only PTX text (format=isa) can be "
         "interpreted");
  start();
  auto *module = new Module{moduleCount++};
  std::string header =
      "LOAD " + std::to_string(module->id) + " " + std::to_string(size) + "\n";
  send(header.data(), header.size());
  send(text, size);
  reply("loading a module");
  return module;
}

Function *Device::function(Module *module, const char *name) {
  std::string key = std::to_string(module->id) + ":" + name;
  auto it = functions.find(key);
  if (it != functions.end())
    return it->second;
  std::string header =
      "KERNEL " + std::to_string(module->id) + " " + name + "\n";
  send(header.data(), header.size());
  auto *function = new Function{
      module->id, name, reply(std::string("looking up kernel '") + name + "'")};
  functions[key] = function;
  return function;
}

void Device::launch(Function *function, const int64_t grid[3],
                    const int64_t block[3], int32_t sharedBytes, void **params,
                    uint64_t paramCount) {
  const char *name = function->name.c_str();
  for (int i = 0; i < 3; ++i) {
    if (grid[i] < 1 || block[i] < 1)
      fail(
          "launch of '%s' with grid (%lld, %lld, %lld) and block (%lld, %lld, "
          "%lld): CUDA_ERROR_INVALID_VALUE, every dimension must be at least 1",
          name, (long long)grid[0], (long long)grid[1], (long long)grid[2],
          (long long)block[0], (long long)block[1], (long long)block[2]);
  }
  if (paramCount != function->paramSizes.size())
    fail("launch of '%s' with %llu parameters, the kernel has %zu", name,
         static_cast<unsigned long long>(paramCount),
         function->paramSizes.size());

  // Registered host memory is visible to kernels: lend each range a buffer for
  // the time of the launch.
  std::vector<std::pair<uint8_t *, uint8_t *>> lent;
  for (auto &entry : registered) {
    auto *copy = static_cast<uint8_t *>(allocate(entry.second));
    if (!copy)
      continue;
    std::memcpy(privateView + (copy - view), entry.first, entry.second);
    lent.emplace_back(entry.first, copy);
  }

  std::string bytes;
  for (uint64_t i = 0; i < paramCount; ++i)
    bytes.append(static_cast<const char *>(params[i]), function->paramSizes[i]);
  // (address as the program knows it, offset in the file, size)
  std::vector<uint64_t> table;
  for (auto &entry : live)
    table.insert(table.end(), {reinterpret_cast<uintptr_t>(view + entry.first),
                               entry.first, entry.second});
  for (auto &[host, copy] : lent)
    table.insert(table.end(),
                 {reinterpret_cast<uintptr_t>(host),
                  static_cast<uint64_t>(copy - view), registered[host]});

  std::string header =
      "LAUNCH " + std::to_string(function->moduleId) + " " + function->name;
  for (int i = 0; i < 3; ++i)
    header += " " + std::to_string(grid[i]);
  for (int i = 0; i < 3; ++i)
    header += " " + std::to_string(block[i]);
  header += " " + std::to_string(sharedBytes) + " " +
            std::to_string(bytes.size()) + " " +
            std::to_string(table.size() / 3) + "\n";
  send(header.data(), header.size());
  send(bytes.data(), bytes.size());
  send(table.data(), table.size() * sizeof(uint64_t));
  std::vector<uint64_t> numbers =
      reply("kernel '" + function->name + "' failed");
  std::string printed(numbers.empty() ? 0 : numbers[0], '\0');
  if (!printed.empty()) {
    receive(&printed[0], printed.size());
    std::fwrite(printed.data(), 1, printed.size(), stdout);
  }

  for (auto &[host, copy] : lent) {
    std::memcpy(host, privateView + (copy - view), registered[host]);
    release(copy);
  }
}

void Device::registerHost(void *pointer, uint64_t size) {
  registered[static_cast<uint8_t *>(pointer)] = size;
}

void Device::unregisterHost(void *pointer) {
  if (!registered.erase(static_cast<uint8_t *>(pointer)))
    fail("unregistering %p, which is not registered host memory", pointer);
}

/// A ranked memref descriptor: two pointers, offset, then sizes and strides.
struct Descriptor {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizes[1];
};

using Lock = std::lock_guard<std::mutex>;

} // namespace

SHIM_EXPORT void *mgpuModuleLoadJIT(void *data, int /*optLevel*/) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  auto *text = static_cast<const char *>(data);
  return device.load(text, std::strlen(text));
}

SHIM_EXPORT void *mgpuModuleLoad(void *data, size_t size) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  return device.load(static_cast<const char *>(data), size);
}

SHIM_EXPORT void mgpuModuleUnload(void * /*module*/) {}

SHIM_EXPORT void *mgpuModuleGetFunction(void *module, const char *name) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  return device.function(static_cast<Module *>(module), name);
}

SHIM_EXPORT void mgpuLaunchKernel(void *function, intptr_t gridX,
                                  intptr_t gridY, intptr_t gridZ,
                                  intptr_t blockX, intptr_t blockY,
                                  intptr_t blockZ, int32_t sharedBytes,
                                  void * /*stream*/, void **params,
                                  void ** /*extra*/, size_t paramCount) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  int64_t grid[3] = {gridX, gridY, gridZ};
  int64_t block[3] = {blockX, blockY, blockZ};
  device.launch(static_cast<Function *>(function), grid, block, sharedBytes,
                params, paramCount);
}

SHIM_EXPORT void mgpuLaunchClusterKernel() {
  fail("cluster launches cannot be interpreted");
}

SHIM_EXPORT void *mgpuStreamCreate() { return std::malloc(1); }
SHIM_EXPORT void mgpuStreamDestroy(void *stream) { std::free(stream); }
SHIM_EXPORT void mgpuStreamSynchronize(void * /*stream*/) {}
SHIM_EXPORT void mgpuStreamWaitEvent(void * /*stream*/, void * /*event*/) {}
SHIM_EXPORT void *mgpuEventCreate() { return std::malloc(1); }
SHIM_EXPORT void mgpuEventDestroy(void *event) { std::free(event); }
SHIM_EXPORT void mgpuEventSynchronize(void * /*event*/) {}
SHIM_EXPORT void mgpuEventRecord(void * /*event*/, void * /*stream*/) {}
SHIM_EXPORT void mgpuSetDefaultDevice(int32_t /*device*/) {}

SHIM_EXPORT void *mgpuMemAlloc(uint64_t size, void * /*stream*/,
                               bool /*hostShared*/) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  return device.allocate(size);
}

SHIM_EXPORT void mgpuMemFree(void *pointer, void * /*stream*/) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  device.release(pointer);
}

SHIM_EXPORT void mgpuMemcpy(void *to, void *from, size_t size,
                            void * /*stream*/) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  std::memmove(device.translate(to, size, "copy to device"),
               device.translate(from, size, "copy from device"), size);
}

SHIM_EXPORT void mgpuMemset32(void *to, unsigned value, size_t count,
                              void * /*stream*/) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  auto *p = reinterpret_cast<uint32_t *>(
      device.translate(to, count * sizeof(uint32_t), "memset"));
  std::fill_n(p, count, value);
}

SHIM_EXPORT void mgpuMemset16(void *to, unsigned short value, size_t count,
                              void * /*stream*/) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  auto *p = reinterpret_cast<uint16_t *>(
      device.translate(to, count * sizeof(uint16_t), "memset"));
  std::fill_n(p, count, value);
}

SHIM_EXPORT void mgpuMemHostRegister(void *pointer, uint64_t size) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  device.registerHost(pointer, size);
}

SHIM_EXPORT void mgpuMemHostUnregister(void *pointer) {
  Device &device = Device::get();
  Lock lock(device.mutex);
  device.unregisterHost(pointer);
}

SHIM_EXPORT void mgpuMemHostRegisterMemRef(int64_t rank, Descriptor *memref,
                                           int64_t elementBytes) {
  uint64_t size = elementBytes;
  for (int64_t i = 0; i < rank; ++i)
    size *= memref->sizes[i];
  mgpuMemHostRegister(memref->aligned + memref->offset * elementBytes, size);
}

SHIM_EXPORT void mgpuMemHostUnregisterMemRef(int64_t /*rank*/,
                                             Descriptor *memref,
                                             int64_t elementBytes) {
  mgpuMemHostUnregister(memref->aligned + memref->offset * elementBytes);
}
