//===- TestStreams.h - Streams of an embedder -------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTSTREAMS_H
#define TEST_LIB_TESTSTREAMS_H

#include "RngDialect/IR/RngAttrs.h"

#include "TestStreamsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TestStreamsAttrs.h.inc"

#endif // TEST_LIB_TESTSTREAMS_H
