//===- TestStateOps.h - State ops of an embedder ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTSTATEOPS_H
#define TEST_LIB_TESTSTATEOPS_H

#include "RngDialect/IR/RngOps.h"
#include "TestStreams.h"

#define GET_OP_CLASSES
#include "TestStateOps.h.inc"

#endif // TEST_LIB_TESTSTATEOPS_H
