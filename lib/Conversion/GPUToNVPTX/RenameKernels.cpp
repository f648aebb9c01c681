//===- RenameKernels.cpp - Names that PTX allows ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  kernels of any names and their launches.
// Out: the same under names that PTX allows.
//
// A symbol of MLIR may hold any character, an identifier of PTX may not: the
// backend aborts for some names and writes others (with a dot, say) that ptxas
// refuses.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGRENAMEKERNELSPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;

/// `name` itself if it is an identifier of PTX, else one like it: a letter and
/// letters, digits, `_` and `$`, or `_` or `$` and one more of these at least.
static std::string getIdentifier(StringRef name) {
  std::string identifier = name.str();
  for (char &c : identifier)
    if (!llvm::isAlnum(c) && c != '_' && c != '$')
      c = '_';
  if (identifier.empty() || llvm::isDigit(identifier.front()))
    identifier.insert(identifier.begin(), '_');
  if (identifier == "_" || identifier == "$")
    identifier += '_';
  return identifier;
}

namespace {
struct RngRenameKernelsPass
    : public rng::impl::RngRenameKernelsPassBase<RngRenameKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>())
      if (failed(rename(kernels)))
        return signalPassFailure();
  }

private:
  LogicalResult rename(gpu::GPUModuleOp kernels) {
    // Declarations name what is defined elsewhere, in LLVM too.
    for (auto symbol : llvm::to_vector(kernels.getOps<SymbolOpInterface>())) {
      StringRef name = symbol.getName();
      std::string identifier = getIdentifier(name);
      if (symbol.isDeclaration() || identifier == name)
        continue;
      std::string unique = identifier;
      for (unsigned count = 0; SymbolTable::lookupSymbolIn(kernels, unique);
           ++count)
        unique = identifier + "_" + llvm::utostr(count);
      auto attribute = StringAttr::get(&getContext(), unique);
      if (failed(SymbolTable::replaceAllSymbolUses(symbol.getOperation(),
                                                   attribute, getOperation())))
        return symbol->emitOpError("has a name that PTX does not allow and "
                                   "uses that cannot be seen; rename it");
      SymbolTable::setSymbolName(symbol, attribute);
      ++numRenamed;
    }
    return success();
  }
};
} // namespace
