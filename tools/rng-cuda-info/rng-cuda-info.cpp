//===- rng-cuda-info.cpp - Is there a GPU? ----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a line for each NVIDIA GPU that programs can use and succeeds, or says
// why there is none and fails. `--chip` prints the chip of the first alone, as
// the option 'chip' of rng-to-nvptx takes it.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Runtime/RngCudaRuntime.h"

#include <cstdio>
#include <cstring>

int main(int argc, char **argv) {
  bool onlyChip = argc == 2 && std::strcmp(argv[1], "--chip") == 0;
  if (argc > 1 && !onlyChip) {
    bool wantsHelp = std::strcmp(argv[1], "--help") == 0;
    std::fputs("usage: rng-cuda-info [--chip]\n", wantsHelp ? stdout : stderr);
    return wantsHelp ? 0 : 2;
  }
  const char *reason;
  int count = rngCudaDeviceCount(&reason);
  if (count == 0) {
    std::fprintf(stderr, "%s\n", reason);
    return 1;
  }
  for (int device = 0; device < count; ++device) {
    char text[512];
    int chip = rngCudaDescribeDevice(device, text, sizeof(text));
    if (chip == 0) {
      std::fprintf(stderr, "device %d does not say what it is\n", device);
      return 1;
    }
    if (onlyChip) {
      std::printf("sm_%d\n", chip);
      return 0;
    }
    std::printf("%d: %s\n", device, text);
  }
  return 0;
}
