//===- RngAttrs.cpp - Attributes --------------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngAttrs.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::rng;

#include "RngDialect/IR/RngEnums.cpp.inc"

#include "RngDialect/IR/RngAttrInterfaces.cpp.inc"

/// The number of an argument or result.
static ParseResult parseSavedIndex(AsmParser &parser, unsigned &index) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  if (number < 0 || number > std::numeric_limits<unsigned>::max())
    return parser.emitError(loc, "expected the number of an argument or result "
                                 "but got ")
           << number;
  index = number;
  return success();
}

static void printSavedIndex(AsmPrinter &printer, unsigned index) {
  printer << index;
}

#define GET_ATTRDEF_CLASSES
#include "RngDialect/IR/RngAttrs.cpp.inc"

/// Adds the mnemonic of `AttrT` to the list that it belongs to, if any.
template <typename AttrT>
static void addMnemonic(SmallVectorImpl<StringRef> &algorithms,
                        SmallVectorImpl<StringRef> &conventions) {
  if (std::is_base_of_v<RngAlgorithmAttrInterface::Trait<AttrT>, AttrT>)
    algorithms.push_back(AttrT::getMnemonic());
  if (std::is_base_of_v<RngConventionAttrInterface::Trait<AttrT>, AttrT>)
    conventions.push_back(AttrT::getMnemonic());
}

template <typename... AttrTs>
static void addMnemonics(SmallVectorImpl<StringRef> &algorithms,
                         SmallVectorImpl<StringRef> &conventions) {
  (addMnemonic<AttrTs>(algorithms, conventions), ...);
}

/// What can stand behind `#rng.` where an algorithm or a convention is meant.
static std::string listAlgorithms() {
  SmallVector<StringRef> algorithms, conventions;
  addMnemonics<
#define GET_ATTRDEF_LIST
#include "RngDialect/IR/RngAttrs.cpp.inc"
      >(algorithms, conventions);
  return "its algorithms are " + llvm::join(algorithms, ", ") +
         ", the conventions of philox " + llvm::join(conventions, ", ");
}

Attribute RngDialect::parseAttribute(DialectAsmParser &parser,
                                     Type type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult result =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (!result.has_value()) {
    parser.emitError(loc, "unknown attribute `")
        << mnemonic << "` in dialect `" << getNamespace()
        << "`: " << listAlgorithms();
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
