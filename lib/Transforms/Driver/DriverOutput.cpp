//===- DriverOutput.cpp - What a driver prints ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines of values and checks, and the status with which a driver ends.
//
//===----------------------------------------------------------------------===//

#include "DriverEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

void DriverEmitter::print(StringRef text) {
  // No newline follows a string.
  vector::PrintOp::create(b, text);
}

void DriverEmitter::print(Value value) {
  vector::PrintOp::create(b, value, vector::PrintPunctuation::NoPunctuation);
}

void DriverEmitter::printValue(StringRef label, Value value) {
  print((label + ": ").str());
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType())) {
    callRunner(kPrint, tensor.getElementType(), getUnranked(value), {});
    return;
  }
  if (value.getType().isIndex())
    value = arith::IndexCastOp::create(b, b.getI64Type(), value);
  vector::PrintOp::create(b, value);
}

void DriverEmitter::printEither(Value condition, StringRef yes, StringRef no) {
  auto build = [](StringRef text) {
    return [text](OpBuilder &builder, Location loc) {
      vector::PrintOp::create(builder, loc, text);
      scf::YieldOp::create(builder, loc);
    };
  };
  scf::IfOp::create(b, condition, build(yes), build(no));
}

void DriverEmitter::finishCheck(Value passed) {
  printEither(passed, " PASS\n", " FAILED\n");
  Value zero = makeI64(0), one = makeI64(1);
  Value failure = makeSelect(passed, zero, one);
  failures = arith::AddIOp::create(b, failures, failure);
}

void DriverEmitter::finish() {
  Value failed = isLess(makeI64(0), failures);
  print("driver: ");
  scf::IfOp::create(b, failed, [&](OpBuilder &builder, Location loc) {
    vector::PrintOp::create(builder, loc, failures,
                            vector::PrintPunctuation::NoPunctuation);
    scf::YieldOp::create(builder, loc);
  });
  printEither(failed, " checks FAILED\n", "all checks passed\n");
  callExternal(kExitIfFailed, failures, {});
  func::ReturnOp::create(b);
}
