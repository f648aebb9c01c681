//===- rng-test-opt.cpp - rng-opt with streams of an embedder ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/InitAll.h"
#include "TestPatterns.h"
#include "TestStreams.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  mlir::registerAllPasses();
  mlir::rng::registerAllRng(registry);
  mlir::rng::test::registerTestPatternsPass();
  registry.insert<mlir::rng::test::TestDialect>();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "RngDialect optimizer driver for tests\n", registry));
}
