//===- SavedList.h - What a forward saves for its backward ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one reader and writer of `rng.saved`, the list on a forward function of
/// where each leading argument of its backward comes from, and of
/// `rng.backward`, which stands beside it. Part of the dialect, because the
/// dialect's verifier reads the list too.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_SAVEDLIST_H
#define RNGDIALECT_IR_SAVEDLIST_H

#include "RngDialect/IR/RngAttrs.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace mlir::rng {

/// The entries of `rng.saved`: entry i says which argument or result of the
/// forward is argument i of the backward.
class SavedList {
public:
  /// Whether `attribute` is an array of `#rng.saved`.
  static bool isList(Attribute attribute);

  /// `attribute` must be a list.
  explicit SavedList(ArrayAttr attribute);

  /// The list of `forward`, none if it has none.
  static std::optional<SavedList> read(Operation *forward);

  size_t size() const { return entries.size(); }
  SavedAttr operator[](size_t i) const { return entries[i]; }
  auto begin() const { return entries.begin(); }
  auto end() const { return entries.end(); }

  /// Of what a forward has for its arguments and for its results (types,
  /// values, marks), the one that the index of `entry` counts in.
  template <typename RangeT>
  static RangeT select(SavedAttr entry, RangeT arguments, RangeT results) {
    return entry.getKind() == SavedKind::Argument ? arguments : results;
  }

  /// How many of the `numResults` results of the forward are there for their
  /// own sake: those before the first that an entry says is new.
  unsigned getNumPrimals(unsigned numResults) const;

private:
  SmallVector<SavedAttr> entries;
};

/// "argument 0", "result 1" or "new 2", for a reader.
std::string describeSaved(SavedKind kind, unsigned index);

/// Makes `forward` the forward of the function `backward`: sets `rng.backward`
/// and `rng.saved`.
void linkPair(Operation *forward, StringRef backward,
              ArrayRef<SavedAttr> saved);

/// Removes `rng.backward` and `rng.saved` from `function`, if it has them.
void unlinkPair(Operation *function);

} // namespace mlir::rng

#endif // RNGDIALECT_IR_SAVEDLIST_H
