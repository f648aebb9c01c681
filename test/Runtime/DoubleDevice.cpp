//===- DoubleDevice.cpp - The device of the CUDA double ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory is a shared file mapped here and in the interpreter's process
// (tools/ptxrun/serve.py). It is mapped twice here: one view has the addresses
// that the program sees, the other is for this file alone, so that the
// program's view can be closed to the host. Addresses are never reused, so a
// use after free cannot hit a later buffer.
//
//===----------------------------------------------------------------------===//

#include "DoubleDevice.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cudadouble;

bool cudadouble::flag(const char *name) {
  const char *value = std::getenv(name);
  return value && *value && std::strcmp(value, "0") != 0;
}

void cudadouble::fail(const char *format, ...) {
  std::fflush(nullptr);
  std::fputs("cuda double: error: ", stderr);
  va_list args;
  va_start(args, format);
  std::vfprintf(stderr, format, args);
  va_end(args);
  std::fputc('\n', stderr);
  std::fflush(stderr);
  // No exit(): the JIT's destructors would call back into this file.
  _exit(1);
}

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

/// The view of device memory that the program sees; for the signal handler.
uint8_t *programView = nullptr;
struct sigaction previousAction;

void onSegv(int signal, siginfo_t *info, void *context) {
  auto *address = static_cast<uint8_t *>(info->si_addr);
  if (programView && address >= programView &&
      address < programView + kArenaBytes) {
    static const char text[] = "cuda double: error: host code accessed device "
                               "memory (RNG_CUDA_DOUBLE_STRICT is set)\n";
    (void)!write(2, text, sizeof(text) - 1);
    _exit(1);
  }
  // Not ours: restore what was there and let the instruction fault again.
  sigaction(SIGSEGV, &previousAction, nullptr);
  (void)signal;
  (void)context;
}

} // namespace

Device::Device() : owner(getpid()), next(kAlignment) {
  memory = memfd_create("rng-ptxrun", 0);
  if (memory < 0 || ftruncate(memory, kArenaBytes) != 0)
    fail("cannot create the device memory file: %s", std::strerror(errno));
  bool strict = flag("RNG_CUDA_DOUBLE_STRICT");
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
}

void Device::shutdown() {
  if (getpid() != owner)
    return;
  if (channel >= 0)
    close(channel);
  if (server > 0)
    waitpid(server, nullptr, 0);
  channel = server = -1;
}

uint64_t Device::countBytes() const {
  uint64_t bytes = 0;
  for (const auto &entry : live)
    bytes += entry.second;
  return bytes;
}

void *Device::allocate(uint64_t size, bool shared) {
  uint64_t page = sysconf(_SC_PAGESIZE);
  uint64_t offset = shared ? (next + page - 1) / page * page : next;
  if (size > kArenaBytes || offset + size + kGap > kArenaBytes)
    return nullptr;
  uint64_t end = offset + size + kGap;
  next = (end + kAlignment - 1) / kAlignment * kAlignment;
  live[offset] = size;
  std::memset(privateView + offset, kPoison, size);
  // Never closed again: the gap keeps other buffers off these pages.
  if (shared)
    mprotect(view + offset, (size + page - 1) / page * page,
             PROT_READ | PROT_WRITE);
  return view + offset;
}

bool Device::release(void *pointer) {
  auto it = live.find(static_cast<uint8_t *>(pointer) - view);
  if (it == live.end())
    return false;
  // Whole pages go back to the system; the addresses stay taken.
  uint64_t page = sysconf(_SC_PAGESIZE);
  uint64_t first = (it->first + page - 1) / page * page;
  uint64_t last = (it->first + it->second) / page * page;
  if (first < last)
    madvise(privateView + first, last - first, MADV_REMOVE);
  live.erase(it);
  return true;
}

bool Device::contains(const void *pointer) const {
  auto *p = static_cast<const uint8_t *>(pointer);
  return p >= view && p < view + kArenaBytes;
}

uint8_t *Device::translate(void *pointer, uint64_t size, const char *what) {
  auto *p = static_cast<uint8_t *>(pointer);
  if (!contains(p) || size == 0)
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
  const char *python = std::getenv("RNG_PYTHON");
  if (!python || !*python)
    python = "/usr/bin/python3";
  const char *script = RNG_PTXRUN_SERVER;
  if (access(script, R_OK) != 0)
    fail("cannot read '%s'", script);

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fail("socketpair: %s", std::strerror(errno));
  std::string channelFd = std::to_string(ends[1]);
  std::string memoryFd = std::to_string(memory);
  std::string bytes = std::to_string(kArenaBytes);
  const char *argv[] = {
      python,           "-B",          script, channelFd.c_str(),
      memoryFd.c_str(), bytes.c_str(), nullptr};
  server = fork();
  if (server < 0)
    fail("fork: %s", std::strerror(errno));
  if (server == 0) {
    // dup clears the close-on-exec flag; then move it to the announced number.
    int copy = dup(ends[1]);
    dup2(copy, ends[1]);
    close(copy);
    execv(python, const_cast<char **>(argv));
    std::fprintf(stderr, "cuda double: cannot start '%s': %s\n", python,
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

bool Device::executes() const { return !flag("RNG_CUDA_DOUBLE_RECORD"); }

void Device::load(unsigned module, const std::string &text) {
  start();
  std::string header = "LOAD " + std::to_string(module) + " " +
                       std::to_string(text.size()) + "\n";
  send(header.data(), header.size());
  send(text.data(), text.size());
  reply("loading a module");
}

std::vector<uint64_t> Device::getParameters(unsigned module,
                                            const std::string &name) {
  std::string header = "KERNEL " + std::to_string(module) + " " + name + "\n";
  send(header.data(), header.size());
  return reply("looking up kernel '" + name + "'");
}

void Device::launch(unsigned module, const std::string &name,
                    const std::vector<uint64_t> &parameterSizes,
                    const unsigned grid[3], const unsigned block[3],
                    unsigned sharedBytes, void **parameters) {
  // Registered host memory is visible to kernels: lend each range a buffer for
  // the time of the launch.
  std::vector<std::pair<uint8_t *, uint8_t *>> lent;
  for (auto &entry : registered) {
    auto *copy = static_cast<uint8_t *>(allocate(entry.second));
    if (!copy)
      fail("out of memory for a copy of registered host memory");
    std::memcpy(privateView + (copy - view), entry.first, entry.second);
    lent.emplace_back(entry.first, copy);
  }

  std::string bytes;
  for (size_t i = 0; i < parameterSizes.size(); ++i)
    bytes.append(static_cast<const char *>(parameters[i]), parameterSizes[i]);
  // (address as the program knows it, offset in the file, size)
  std::vector<uint64_t> table;
  for (auto &entry : live)
    table.insert(table.end(), {reinterpret_cast<uintptr_t>(view + entry.first),
                               entry.first, entry.second});
  for (auto &[host, copy] : lent)
    table.insert(table.end(),
                 {reinterpret_cast<uintptr_t>(host),
                  static_cast<uint64_t>(copy - view), registered[host]});

  std::string header = "LAUNCH " + std::to_string(module) + " " + name;
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
  std::vector<uint64_t> numbers = reply("kernel '" + name + "' failed");
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

bool Device::registerHost(void *pointer, uint64_t size) {
  return registered.emplace(static_cast<uint8_t *>(pointer), size).second;
}

bool Device::unregisterHost(void *pointer) {
  return registered.erase(static_cast<uint8_t *>(pointer));
}
