//===- Check.h - Checks of stand-alone tests --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts checks and failures of one program, of many numbered cases, and prints
// what failed.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TEST_UNIT_CHECK_H
#define RNGDIALECT_TEST_UNIT_CHECK_H

#include <cstdio>

static unsigned numChecks = 0;
static unsigned numFailures = 0;

static void check(bool ok, const char *what, int line, unsigned context) {
  ++numChecks;
  if (ok)
    return;
  // The first failures say enough.
  if (++numFailures <= 20)
    std::printf("line %d: case %u: failed: %s\n", line, context, what);
}

#define CHECK_IN(CASE, COND) check((COND), #COND, __LINE__, (CASE))
#define CHECK(COND) CHECK_IN(0, COND)

#endif // RNGDIALECT_TEST_UNIT_CHECK_H
