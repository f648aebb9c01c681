//===- ExponentialWords.cpp - Exponential numbers of words ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a program that makes exponential numbers of given words, which no
/// draw finds in reasonable time: of tensors of first and of second words, for
/// an algorithm, an element type and a rate.
///
///     ExponentialWords WORDS {ALGORITHM TYPE RATE}
///
/// WORDS are pairs of hexadecimal words, "x:y,x:y,...", RATE a decimal number
/// or "none". The program prints a line of bits for each triple. The test
/// lowers and runs it.
///
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngAttrs.h"
#include "RngDialect/Streams/StreamBuilders.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::rng;

namespace {
struct Words {
  DenseElementsAttr first;
  DenseElementsAttr second;
};
} // namespace

static Words parseWords(Builder &b, StringRef text) {
  SmallVector<uint32_t> first, second;
  SmallVector<StringRef> pairs;
  text.split(pairs, ',');
  for (StringRef pair : pairs) {
    auto [x, y] = pair.split(':');
    x.getAsInteger(16, first.emplace_back());
    y.getAsInteger(16, second.emplace_back());
  }
  auto type = RankedTensorType::get({int64_t(first.size())}, b.getI32Type());
  return {DenseElementsAttr::get(type, ArrayRef<uint32_t>(first)),
          DenseElementsAttr::get(type, ArrayRef<uint32_t>(second))};
}

/// Starts a private function without arguments of that name.
static void createFunction(ImplicitLocOpBuilder &b, ModuleOp module,
                           StringRef name, bool isPrivate = true) {
  b.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(b, name, b.getFunctionType({}, {}));
  if (isPrivate)
    function.setPrivate();
  b.setInsertionPointToEnd(function.addEntryBlock());
}

static Value createRate(ImplicitLocOpBuilder &b, FloatType wide,
                        StringRef rate) {
  double number = 0;
  rate.getAsDouble(number);
  return arith::ConstantOp::create(b, b.getFloatAttr(wide, number));
}

/// The values of `words`, and of no parameters if `rate` is "none".
static Value createValues(ImplicitLocOpBuilder &b,
                          RngAlgorithmAttrInterface algorithm,
                          FloatType element, StringRef rate,
                          const Words &words) {
  Value first = arith::ConstantOp::create(b, words.first);
  Value second = arith::ConstantOp::create(b, words.second);
  auto shape = cast<RankedTensorType>(words.first.getType());
  FloatType wide = b.getF32Type();
  if (element.isF64())
    wide = element;
  SmallVector<Value> params;
  if (rate != "none")
    params.push_back(createRate(b, wide, rate));
  Value empty = tensor::EmptyOp::create(b, shape.getShape(), element);
  AffineMap map = b.getMultiDimIdentityMap(1);
  auto generic = linalg::GenericOp::create(
      b, TypeRange(empty.getType()), ValueRange{first, second},
      ValueRange(empty), ArrayRef<AffineMap>{map, map, map},
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel},
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder body(loc, inner);
        // As many as a block of most algorithms has; a value is made of two.
        SmallVector<Value> block(arguments.take_front(2));
        block.append({arguments[0], arguments[1]});
        SmallVector<Value> used = algorithm.getSlotWords(
            Distribution::Exponential, element, block, 0);
        if (used.size() > 2)
          used.truncate(2);
        Value slot = createIntegerConstant(body, body.getI32Type(), 0);
        Value value = algorithm.convertWords(body, Distribution::Exponential,
                                             element, used, slot, params);
        linalg::YieldOp::create(body, value);
      });
  return generic.getResult(0);
}

static std::string getPrinter(FloatType element) {
  std::string name;
  llvm::raw_string_ostream(name) << element;
  return "rngPrintBits" + StringRef(name).upper();
}

static void createPrint(ImplicitLocOpBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto bufferType = MemRefType::get(type.getShape(), type.getElementType());
  Value buffer = bufferization::ToBufferOp::create(b, bufferType, tensor);
  auto anyType = UnrankedMemRefType::get(type.getElementType(), 0);
  Value any = memref::CastOp::create(b, anyType, buffer);
  func::CallOp::create(b, getPrinter(cast<FloatType>(type.getElementType())),
                       TypeRange(), any);
}

static void declarePrinter(ImplicitLocOpBuilder &b, ModuleOp module,
                           FloatType element) {
  b.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(
      b, getPrinter(element),
      b.getFunctionType(UnrankedMemRefType::get(element, 0), {}));
  function.setPrivate();
  function->setAttr("llvm.emit_c_interface", b.getUnitAttr());
}

int main(int argc, char **argv) {
  if (argc < 2 || argc % 3 != 2)
    return 1;
  MLIRContext context;
  context.loadDialect<RngDialect, arith::ArithDialect,
                      bufferization::BufferizationDialect, func::FuncDialect,
                      linalg::LinalgDialect, math::MathDialect,
                      memref::MemRefDialect, tensor::TensorDialect>();
  OpBuilder builder(&context);
  ImplicitLocOpBuilder b(builder.getUnknownLoc(), builder);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getLoc());
  Words words = parseWords(b, argv[1]);
  SmallVector<FloatType> elements = {b.getF16Type(), b.getBF16Type(),
                                     b.getF32Type(), b.getF64Type()};
  for (FloatType element : elements)
    declarePrinter(b, *module, element);
  SmallVector<std::string> names;
  for (int i = 2; i < argc; i += 3) {
    auto algorithm = dyn_cast_or_null<RngAlgorithmAttrInterface>(
        parseAttribute(argv[i], &context));
    auto element =
        dyn_cast_or_null<FloatType>(parseType(argv[i + 1], &context));
    if (!algorithm || !element)
      return 1;
    names.push_back("draw" + std::to_string(i));
    createFunction(b, *module, names.back());
    createPrint(b, createValues(b, algorithm, element, argv[i + 2], words));
    func::ReturnOp::create(b);
  }
  createFunction(b, *module, "main", /*isPrivate=*/false);
  for (const std::string &name : names)
    func::CallOp::create(b, name, TypeRange(), ValueRange());
  func::ReturnOp::create(b);
  if (failed(verify(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
