//===- DoubleDevice.h - The device of the CUDA double -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Test only. Memory and kernels of a device that is not there: see
// CudaDouble.cpp for what uses them and for the environment.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TEST_RUNTIME_DOUBLEDEVICE_H
#define RNGDIALECT_TEST_RUNTIME_DOUBLEDEVICE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace cudadouble {

/// Whether the environment variable `name` is set, and not to 0.
bool flag(const char *name);

/// Ends the process with status 1: a test must not pass over an error.
[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char *format,
                                                             ...);

/// Device memory and the process that interprets kernels.
class Device {
public:
  Device();

  /// Memory that holds a poison; `shared`: that the host may use too. Null if
  /// there is not enough.
  void *allocate(uint64_t size, bool shared = false);
  /// False if `pointer` is no live buffer.
  bool release(void *pointer);
  /// Whether `pointer` is an address of device memory, live or not.
  bool contains(const void *pointer) const;
  /// The address in the private view for [pointer, pointer + size), which is
  /// host memory or lies within one live buffer.
  uint8_t *translate(void *pointer, uint64_t size, const char *what);

  /// Whether kernels are executed (RNG_CUDA_DOUBLE_RECORD is not set).
  bool executes() const;
  /// Gives the interpreter PTX as number `module`.
  void load(unsigned module, const std::string &text);
  /// The sizes in bytes of the parameters of a kernel.
  std::vector<uint64_t> getParameters(unsigned module, const std::string &name);
  void launch(unsigned module, const std::string &name,
              const std::vector<uint64_t> &parameterSizes,
              const unsigned grid[3], const unsigned block[3],
              unsigned sharedBytes, void **parameters);

  /// False if `pointer` is registered already.
  bool registerHost(void *pointer, uint64_t size);
  /// False if `pointer` is not registered.
  bool unregisterHost(void *pointer);

  /// Ends the interpreter.
  void shutdown();

  size_t countBuffers() const { return live.size(); }
  uint64_t countBytes() const;
  size_t countHostRanges() const { return registered.size(); }

private:
  void start();
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
  uint64_t next;
  std::map<uint64_t, uint64_t> live;        // offset -> size
  std::map<uint8_t *, uint64_t> registered; // host address -> size
};

} // namespace cudadouble

#endif // RNGDIALECT_TEST_RUNTIME_DOUBLEDEVICE_H
