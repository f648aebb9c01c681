//===- PhiloxAnswers.cpp - Known answers of the block function --*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a program that computes blocks of Philox4x32 from counters and keys
/// that Random123 publishes answers for (draws reach only some of them: the
/// index of an element is less than 2^64) and prints how each block differs
/// from its answer. The test lowers and runs it.
///
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::rng;

namespace {
struct Answer {
  unsigned rounds;
  uint32_t counter[4];
  uint32_t key[2];
  uint32_t words[4];
};
} // namespace

/// The file kat_vectors of Random123, and further blocks computed with it.
static const Answer kAnswers[] = {
    {7,
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}},
    {7,
     {0x7f4a7c15, 0xfe94f82a, 0x7ddf743f, 0xfd29f054},
     {0x56aeb12b, 0x739396e4},
     {0xe31bac13, 0x9e2bcdfe, 0xba252c9a, 0xfe11632f}},
    {7,
     {0x6fb125e3, 0xeefba1f8, 0x6e461e0d, 0xed909a22},
     {0xeb334149, 0x08182702},
     {0x6ca6f030, 0xfcb2e62f, 0x9fa9ebce, 0x24b7cbcb}},
    {10,
     {0x00000000, 0x00000000, 0x00000000, 0x00000000},
     {0x00000000, 0x00000000},
     {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {10,
     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    {10,
     {0xf77dd0fc, 0x76c84d11, 0xf612c926, 0x755d453b},
     {0x20f0f93a, 0x3dd5def3},
     {0x1b131b4e, 0x033b6383, 0xcb1864cc, 0xe1d75145}},
    {10,
     {0xe7e47aca, 0x672ef6df, 0xe67972f4, 0x65c3ef09},
     {0xb5758958, 0xd25a6f11},
     {0x3828ce8e, 0x34bd4838, 0x10a66efb, 0x0bb8f7d0}}};

/// The i64 whose halves are `low` and `high`, from an argument: the program has
/// to compute and not to fold.
static Value createI64(ImplicitLocOpBuilder &b, Value zero, uint32_t low,
                       uint32_t high) {
  int64_t value = int64_t(uint64_t(high) << 32 | low);
  Value constant = arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  return arith::AddIOp::create(b, zero, constant);
}

static void printDifference(ImplicitLocOpBuilder &b, Value zero,
                            const Answer &answer) {
  MLIRContext *context = b.getContext();
  RngAlgorithmAttrInterface algorithm =
      PhiloxAttr::get(context, answer.rounds, NvfuserAttr::get(context));
  // The default convention: offset and block are the counter, seed is the key.
  SmallVector<Value> words = algorithm.generateBlock(
      b, createI64(b, zero, answer.key[0], answer.key[1]),
      createI64(b, zero, answer.counter[0], answer.counter[1]),
      createI64(b, zero, answer.counter[2], answer.counter[3]));
  for (auto [word, expected] : llvm::zip_equal(words, answer.words)) {
    Value constant =
        arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(expected)));
    word = arith::XOrIOp::create(b, word, constant);
  }
  auto type = VectorType::get(words.size(), b.getI32Type());
  Value difference = vector::FromElementsOp::create(b, type, words);
  vector::PrintOp::create(b, difference);
}

int main() {
  MLIRContext context;
  context.loadDialect<RngDialect, arith::ArithDialect, func::FuncDialect,
                      vector::VectorDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto compute =
      func::FuncOp::create(builder, loc, "compute",
                           builder.getFunctionType(builder.getI64Type(), {}));
  auto main = func::FuncOp::create(builder, loc, "main",
                                   builder.getFunctionType({}, {}));

  Block *body = compute.addEntryBlock();
  ImplicitLocOpBuilder b(loc, builder);
  b.setInsertionPointToEnd(body);
  for (const Answer &answer : kAnswers)
    printDifference(b, body->getArgument(0), answer);
  func::ReturnOp::create(b);

  b.setInsertionPointToEnd(main.addEntryBlock());
  Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
  func::CallOp::create(b, compute, ValueRange(zero));
  func::ReturnOp::create(b);
  module->print(llvm::outs());
  return 0;
}
