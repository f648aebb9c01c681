//===- DrawTable.cpp - Where draws are in their streams ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawTable.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::threading;

void mlir::rng::threading::printDrawTable(llvm::raw_ostream &os,
                                          ArrayRef<DrawTableRow> rows) {
  std::vector<std::array<std::string, 7>> cells = {{"function", "location",
                                                    "generator", "distribution",
                                                    "type", "base", "delta"}};
  for (const DrawTableRow &row : rows)
    cells.push_back({row.function, row.location, row.generator,
                     row.distribution, row.type, row.base,
                     "+" + std::to_string(row.delta)});
  std::array<size_t, 7> widths = {};
  for (const auto &line : cells)
    for (auto [width, cell] : llvm::zip_equal(widths, line))
      width = std::max(width, cell.size());
  for (const auto &line : cells) {
    for (size_t i = 0; i + 1 < line.size(); ++i)
      os << llvm::left_justify(line[i], widths[i]) << "  ";
    os << line.back() << "\n";
  }
}
