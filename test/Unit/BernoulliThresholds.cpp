//===- BernoulliThresholds.cpp - Bernoulli against uniform ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a program that decides on words with probabilities, on integers as
/// Bernoulli draws do and by their definition, the f32 uniform is below p, and
/// prints at how many words the two differ: around the threshold of each of
/// many probabilities, where the f32 uniform wraps, and for any float at all.
/// The test lowers and runs it.
///
//===----------------------------------------------------------------------===//

#include "Bernoulli.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

static const char *const kProgram = R"mlir(
func.func private @is_below(%word: i32, %p: f32) -> i1 {
  %scale = arith.constant 2.3283064365386963e-10 : f32
  %half = arith.constant 1.1641532182693481e-10 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %float = arith.uitofp %word : i32 to f32
  %scaled = arith.mulf %float, %scale : f32
  %raw = arith.addf %scaled, %half : f32
  %is_one = arith.cmpf oeq, %raw, %one : f32
  %u = arith.select %is_one, %zero, %raw : f32
  %below = arith.cmpf olt, %u, %p : f32
  return %below : i1
}

// Words first - 400, ..., first + 399: how many differ, how many are kept.
func.func private @compare(%first: i32, %p: f32) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %start = arith.constant -400 : i32
  %end = arith.constant 400 : i32
  %step = arith.constant 1 : i32
  %d, %k = scf.for %i = %start to %end step %step
      iter_args(%d = %zero, %k = %zero) -> (i64, i64) : i32 {
    %word = arith.addi %first, %i : i32
    %expected = func.call @is_below(%word, %p) : (i32, f32) -> i1
    %got = func.call @decide(%word, %p) : (i32, f32) -> i1
    %differs = arith.xori %expected, %got : i1
    %one = arith.extui %differs : i1 to i64
    %kept = arith.extui %got : i1 to i64
    %d1 = arith.addi %d, %one : i64
    %k1 = arith.addi %k, %kept : i64
    scf.yield %d1, %k1 : i64, i64
  }
  return %d, %k : i64, i64
}

// Of the float with these bits.
func.func private @check(%bits: i32) -> (i64, i64) {
  %zero = arith.constant 0 : i32
  %unit = arith.constant 4294967296.0 : f32
  %most = arith.constant 4294967040.0 : f32
  %none = arith.constant 0.0 : f32
  %p = arith.bitcast %bits : i32 to f32
  %scaled = arith.mulf %p, %unit : f32
  %low = arith.maxnumf %scaled, %none : f32
  %high = arith.minnumf %low, %most : f32
  %near = arith.fptoui %high : f32 to i32
  %d0, %k0 = call @compare(%near, %p) : (i32, f32) -> (i64, i64)
  %d1, %k1 = call @compare(%zero, %p) : (i32, f32) -> (i64, i64)
  %d = arith.addi %d0, %d1 : i64
  %k = arith.addi %k0, %k1 : i64
  return %d, %k : i64, i64
}

// Prints for a thousand floats: first, first + step, ...
func.func private @many(%first: i32, %step: i32) {
  %zero = arith.constant 0 : i64
  %start = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 1000 : i32
  %d, %k = scf.for %i = %start to %count step %one
      iter_args(%d = %zero, %k = %zero) -> (i64, i64) : i32 {
    %distance = arith.muli %i, %step : i32
    %bits = arith.addi %first, %distance : i32
    %d0, %k0 = func.call @check(%bits) : (i32) -> (i64, i64)
    %d1 = arith.addi %d, %d0 : i64
    %k1 = arith.addi %k, %k0 : i64
    scf.yield %d1, %k1 : i64, i64
  }
  %both = vector.from_elements %d, %k : vector<2xi64>
  vector.print %both : vector<2xi64>
  return
}

func.func @main() {
)mlir";

static void callMany(uint32_t first, uint32_t step) {
  static unsigned number = 0;
  llvm::outs() << "  %first" << number << " = arith.constant " << int32_t(first)
               << " : i32\n  %step" << number << " = arith.constant "
               << int32_t(step) << " : i32\n  call @many(%first" << number
               << ", %step" << number << ") : (i32, i32) -> ()\n";
  ++number;
}

int main() {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto decide = func::FuncOp::create(
      builder, loc, "decide",
      builder.getFunctionType({builder.getI32Type(), builder.getF32Type()},
                              builder.getI1Type()));
  decide.setPrivate();
  Block *body = decide.addEntryBlock();
  ImplicitLocOpBuilder b(loc, builder);
  b.setInsertionPointToEnd(body);
  func::ReturnOp::create(
      b, buildUniformIsBelow(b, body->getArgument(0), body->getArgument(1)));
  decide->print(llvm::outs());

  llvm::outs() << kProgram;
  // Floats next to each power of two from below 2^-33 to 1, both sides, which
  // are all rules of rounding, and to 2 and below.
  for (uint32_t exponent = 127 - 36; exponent <= 128; ++exponent)
    callMany((exponent << 23) - 500, 1);
  // Next to 0, numbers without a normal exponent, both signs.
  callMany(uint32_t(-500), 1);
  callMany(0x80000000u - 500, 1);
  // Next to infinity and NaN, both signs.
  callMany(0x7F800000u - 500, 1);
  callMany(0xFF800000u - 500, 1);
  // Any between 2^-33 and 1; any at all.
  for (uint32_t i = 0; i < 8; ++i)
    callMany(0x2F000000u + i * 7919, (0x3F800000u - 0x2F000000u) / 1000 - 7);
  for (uint32_t i = 0; i < 8; ++i)
    callMany(i * 1234577, 0x9E3779B9u);
  llvm::outs() << "  return\n}\n";
  return 0;
}
