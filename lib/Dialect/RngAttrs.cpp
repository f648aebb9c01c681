//===- RngAttrs.cpp - Attributes ----------------------------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngAttrs.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::rng;

#include "RngDialect/IR/RngEnums.cpp.inc"

#include "RngDialect/IR/RngAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "RngDialect/IR/RngAttrs.cpp.inc"

void RngDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "RngDialect/IR/RngAttrs.cpp.inc"
      >();
}

RngAlgorithmAttrInterface mlir::rng::getDefaultAlgorithm(MLIRContext *context) {
  return PhiloxAttr::get(context);
}
