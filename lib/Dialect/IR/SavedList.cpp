//===- SavedList.cpp - What a forward saves for its backward ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/SavedList.h"
#include "RngDialect/IR/RngDialect.h"

using namespace mlir;
using namespace mlir::rng;

bool SavedList::isList(Attribute attribute) {
  auto array = dyn_cast_or_null<ArrayAttr>(attribute);
  return array && llvm::all_of(array, llvm::IsaPred<SavedAttr>);
}

SavedList::SavedList(ArrayAttr attribute) {
  assert(isList(attribute) && "every entry is a #rng.saved");
  llvm::append_range(entries, attribute.getAsRange<SavedAttr>());
}

std::optional<SavedList> SavedList::read(Operation *forward) {
  auto attribute = forward->getAttrOfType<ArrayAttr>(RngDialect::kSaved);
  if (!attribute)
    return std::nullopt;
  return SavedList(attribute);
}

unsigned SavedList::getNumPrimals(unsigned numResults) const {
  unsigned numPrimals = numResults;
  for (SavedAttr entry : entries)
    if (entry.getKind() == SavedKind::New)
      numPrimals = std::min(numPrimals, entry.getIndex());
  return numPrimals;
}

std::string mlir::rng::describeSaved(SavedKind kind, unsigned index) {
  return (stringifySavedKind(kind) + " " + Twine(index)).str();
}

void mlir::rng::linkPair(Operation *forward, StringRef backward,
                         ArrayRef<SavedAttr> saved) {
  MLIRContext *context = forward->getContext();
  forward->setAttr(RngDialect::kBackward,
                   FlatSymbolRefAttr::get(context, backward));
  SmallVector<Attribute> entries(saved.begin(), saved.end());
  forward->setAttr(RngDialect::kSaved, ArrayAttr::get(context, entries));
}

void mlir::rng::unlinkPair(Operation *function) {
  function->removeAttr(RngDialect::kBackward);
  function->removeAttr(RngDialect::kSaved);
}
