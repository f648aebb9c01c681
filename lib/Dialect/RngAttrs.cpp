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

Attribute RngDialect::parseAttribute(DialectAsmParser &parser,
                                     Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult result =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (!result.has_value()) {
    parser.emitError(loc, "unknown attribute `")
        << mnemonic << "` in dialect `" << getNamespace() << "`";
    return {};
  }
  if (failed(*result))
    return {};
  // MLIR skips what a dialect leaves between < and >: `#rng.threefry<rounds =
  // 12>` would be another stream than what it says.
  if (succeeded(parser.parseOptionalLess())) {
    parser.emitError(loc, "expected ") << attribute << " without parameters";
    return {};
  }
  return attribute;
}

void RngDialect::printAttribute(Attribute attribute,
                                DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

void RngDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "RngDialect/IR/RngAttrs.cpp.inc"
      >();
}

RngAlgorithmAttrInterface mlir::rng::getDefaultAlgorithm(MLIRContext *context) {
  return PhiloxAttr::get(context);
}
