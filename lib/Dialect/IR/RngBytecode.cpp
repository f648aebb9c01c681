//===- RngBytecode.cpp - Versioned bytecode ---------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngDialect.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace mlir::rng;

namespace {
/// Version of what the dialect writes. Readers accept their own version and
/// older ones.
struct RngBytecodeVersion : public DialectVersion {
  explicit RngBytecodeVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

/// 0: the first. Raise it when ops or attributes change, and upgrade older
/// ones in `upgradeFromVersion`.
constexpr uint64_t kCurrentVersion = 0;

/// Attributes are written in their textual form (the default of MLIR); what
/// this interface adds is the version.
struct RngBytecodeInterface : public BytecodeDialectInterface {
  explicit RngBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const final {
    writer.writeVarInt(kCurrentVersion);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const final {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > kCurrentVersion) {
      reader.emitError("expected bytecode of the rng dialect of version ")
          << kCurrentVersion << " or older but got version " << number
          << ": update RngDialect";
      return nullptr;
    }
    return std::make_unique<RngBytecodeVersion>(number);
  }

  LogicalResult upgradeFromVersion(Operation *,
                                   const DialectVersion &) const final {
    return success();
  }
};
} // namespace

void RngDialect::registerBytecode() { addInterfaces<RngBytecodeInterface>(); }
