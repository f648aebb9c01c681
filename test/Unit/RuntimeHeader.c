//===- RuntimeHeader.c - The runtime's header used from C ---------*- C -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Runtime/RngRuntime.h"
#include "RngDialect/Runtime/RunnerUtils.h"

/// Calls each function of the registry once, from C. Returns 1 when they
/// answered as they should.
int rngTestRuntimeFromC(void);

int rngTestRuntimeFromC(void) {
  uint64_t state[2];
  const char *names[1];
  RngStatus status;
  rngResetAll();
  status = rngGetState("c", state);
  if (status != RNG_UNKNOWN_GENERATOR || !rngGetStatusText(status))
    return 0;
  if (rngDeclare("c", 5) != RNG_OK || rngListGenerators(names, 1) < 2)
    return 0;
  rngReserve("c", 3, state);
  if (state[0] != 5 || state[1] != 0)
    return 0;
  if (rngGetState("c", state) != RNG_OK || state[0] != 5 || state[1] != 3)
    return 0;
  rngSetState("c", 6, 7);
  if (rngGetTorchState("c", state) != RNG_OK || state[0] != 6 || state[1] != 28)
    return 0;
  rngSetTorchState("c", 8, 9);
  if (rngGetState("c", state) != RNG_OK || state[0] != 8 || state[1] != 3)
    return 0;
  rngSeed("c", 10);
  if (rngGetState("c", state) != RNG_OK || state[0] != 10 || state[1] != 0)
    return 0;
  rngResetAll();
  return 1;
}
