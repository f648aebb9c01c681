/*===- CudaRuntimeHeader.c - The GPU runtime's header is C --------*- C -*-===*\
 *
 * Part of the RngDialect project, under the Apache License v2.0 with LLVM
 * Exceptions. See https://llvm.org/LICENSE.txt for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
\*===----------------------------------------------------------------------===*/

#include "RngDialect/Runtime/RngCudaRuntime.h"

/* Allocates and copies as an embedder in C does. 0 is success. */
int rngTestCudaRuntimeFromC(void) {
  int in = 42, out = 0;
  void *memory;
  if (rngCudaDeviceCount(NULL) == 0)
    return 1;
  memory = mgpuMemAlloc(sizeof(in), NULL, false);
  mgpuMemcpy(memory, &in, sizeof(in), NULL);
  mgpuMemcpy(&out, memory, sizeof(out), NULL);
  mgpuStreamSynchronize(NULL);
  mgpuMemFree(memory, NULL);
  return out == 42 ? 0 : 2;
}
