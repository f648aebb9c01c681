//===- MathFunctions.cpp - Programs of elementary functions -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a program that computes log, sin, cos, sine or cosine as the last bit
/// of the argument says, erfinv, and the exponential number of the bits of the
/// argument, of tensors, element by element, and of buffers, in vectors of 8,
/// and has MathReference.cpp measure the errors.
///
///     MathFunctions ARGUMENTS PARTS
///
/// ARGUMENTS, a multiple of 8, are computed at a time, PARTS times. Functions
/// to_f32, from_f32 and so on, which move buffers to where tensors are, have to
/// be appended.
///
//===----------------------------------------------------------------------===//

#include "RngDialect/Streams/StreamBuilders.h"
#include "StreamMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include <string>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

namespace {
struct Function {
  const char *name;
  Value (*build)(ImplicitLocOpBuilder &, Value);
  /// The errors that StreamMath.h promises, in hundredths of an ulp.
  unsigned boundF32;
  unsigned boundF64;
};
} // namespace

static Value createTruth(ImplicitLocOpBuilder &b, Value like, bool value) {
  return createIntegerConstant(
      b, withElementType(like.getType(), b.getI1Type()), value);
}

static Value buildSin(ImplicitLocOpBuilder &b, Value x) {
  return buildSinOrCosTurns(b, x, createTruth(b, x, false));
}

static Value buildCos(ImplicitLocOpBuilder &b, Value x) {
  return buildSinOrCosTurns(b, x, createTruth(b, x, true));
}

static Value buildEither(ImplicitLocOpBuilder &b, Value x) {
  Type bitsType = withElementType(
      x.getType(),
      b.getIntegerType(getElementTypeOrSelf(x.getType()).isF64() ? 64 : 32));
  Value bits = arith::BitcastOp::create(b, bitsType, x);
  Value odd = arith::TruncIOp::create(
      b, withElementType(x.getType(), b.getI1Type()), bits);
  return buildSinOrCosTurns(b, x, odd);
}

/// Of any float, NaN included: it stands for its bits.
static Value buildExponential(ImplicitLocOpBuilder &b, Value x) {
  unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  Type bitsType = withElementType(x.getType(), b.getIntegerType(width));
  return buildMinusLogOfBits(b, arith::BitcastOp::create(b, bitsType, x));
}

/// In the order of MathReference.cpp.
static const Function kFunctions[] = {
    {"log", buildLog, 113, 127},
    {"sin", buildSin, 88, 89},
    {"cos", buildCos, 88, 89},
    {"either", buildEither, 88, 89},
    {"erfinv", buildErfInv, 220, 250},
    {"exponential", buildExponential, 113, 127}};

/// Once for each type T.
static const char kDeclarations[] = R"(
func.func private @fill_T(memref<?xT>, i64, i64, i64)
    attributes {llvm.emit_c_interface}
func.func private @check_T(memref<?xT>, memref<?xT>, memref<?xT>, i64)
    attributes {llvm.emit_c_interface}
func.func private @report_T(i64, i64) attributes {llvm.emit_c_interface}
)";

/// Once for each function NAME, which is number WHICH, and type.
static const char kTest[] = R"(
func.func private @test_NAME_T(%part: i64, %parts: i64) {
  %n = arith.constant COUNT : index
  %x = memref.alloc(%n) : memref<?xT>
  %y = memref.alloc(%n) : memref<?xT>
  %same = memref.alloc(%n) : memref<?xT>
  %which = arith.constant WHICH : i64
  call @fill_T(%x, %which, %part, %parts) : (memref<?xT>, i64, i64, i64) -> ()
  %from = call @to_T(%x) : (memref<?xT>) -> memref<?xT>
  %tensor = bufferization.to_tensor %from restrict
      : memref<?xT> to tensor<?xT>
  %result = call @NAME_T(%tensor) : (tensor<?xT>) -> tensor<?xT>
  %to = bufferization.to_buffer %result : tensor<?xT> to memref<?xT>
  call @from_T(%to, %y) : (memref<?xT>, memref<?xT>) -> ()
  call @NAME_T_vector(%x, %same) : (memref<?xT>, memref<?xT>) -> ()
  call @check_T(%x, %y, %same, %which)
      : (memref<?xT>, memref<?xT>, memref<?xT>, i64) -> ()
  call @free_T(%from) : (memref<?xT>) -> ()
  call @free_T(%to) : (memref<?xT>) -> ()
  call @free_host_T(%x) : (memref<?xT>) -> ()
  call @free_host_T(%y) : (memref<?xT>) -> ()
  call @free_host_T(%same) : (memref<?xT>) -> ()
  return
}
func.func @run_NAME_T() {
  %first = arith.constant 0 : index
  %last = arith.constant PARTS : index
  %step = arith.constant 1 : index
  %parts = arith.constant PARTS : i64
  scf.for %index = %first to %last step %step {
    %part = arith.index_cast %index : index to i64
    func.call @test_NAME_T(%part, %parts) : (i64, i64) -> ()
  }
  %which = arith.constant WHICH : i64
  %bound = arith.constant BOUND : i64
  call @report_T(%which, %bound) : (i64, i64) -> ()
  return
}
)";

/// `text` with each key replaced by its value.
static std::string
replaceAll(std::string text,
           ArrayRef<std::pair<StringRef, std::string>> replacements) {
  for (auto [key, value] : replacements)
    for (size_t at = 0; (at = text.find(key.str(), at)) != std::string::npos;
         at += value.size())
      text.replace(at, key.size(), value);
  return text;
}

/// Starts the function `name` of the given type.
static Block *createFunction(ImplicitLocOpBuilder &b, ModuleOp module,
                             const Twine &name, FunctionType type) {
  b.setInsertionPointToEnd(module.getBody());
  SmallString<32> storage;
  auto function = func::FuncOp::create(b, name.toStringRef(storage), type);
  Block *body = function.addEntryBlock();
  b.setInsertionPointToEnd(body);
  return body;
}

static void createOnTensors(ImplicitLocOpBuilder &b, ModuleOp module,
                            const Function &function, FloatType element,
                            const Twine &name) {
  auto type = RankedTensorType::get({ShapedType::kDynamic}, element);
  Value x = createFunction(b, module, name, b.getFunctionType(type, type))
                ->getArgument(0);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value size = tensor::DimOp::create(b, x, zero);
  Value empty = tensor::EmptyOp::create(b, type, size);
  AffineMap map = b.getMultiDimIdentityMap(1);
  auto generic = linalg::GenericOp::create(
      b, TypeRange(type), ValueRange(x), ValueRange(empty),
      ArrayRef<AffineMap>{map, map},
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel},
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder body(loc, inner);
        Value result = function.build(body, arguments[0]);
        linalg::YieldOp::create(body, result);
      });
  func::ReturnOp::create(b, generic.getResults());
}

/// For a buffer whose size is a multiple of 8.
static void createOnVectors(ImplicitLocOpBuilder &b, ModuleOp module,
                            const Function &function, FloatType element,
                            const Twine &name) {
  auto type = MemRefType::get({ShapedType::kDynamic}, element);
  auto vector = VectorType::get({8}, element);
  Block *body =
      createFunction(b, module, name, b.getFunctionType({type, type}, {}));
  Value from = body->getArgument(0), to = body->getArgument(1);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value step = arith::ConstantIndexOp::create(b, 8);
  Value size = memref::DimOp::create(b, from, zero);
  auto loop = scf::ForOp::create(b, zero, size, step);
  b.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar();
  Value x = vector::LoadOp::create(b, vector, from, index);
  vector::StoreOp::create(b, function.build(b, x), to, index);
  b.setInsertionPointAfter(loop);
  func::ReturnOp::create(b);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      linalg::LinalgDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect,
                      tensor::TensorDialect, vector::VectorDialect>();
  OpBuilder builder(&context);
  ImplicitLocOpBuilder b(builder.getUnknownLoc(), builder);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getLoc());
  std::string tests, calls;
  for (StringRef type : {"f32", "f64"}) {
    bool wide = type == "f64";
    FloatType element = b.getF32Type();
    if (wide)
      element = b.getF64Type();
    tests += replaceAll(kDeclarations, {{"T", type.str()}});
    for (auto [which, function] : llvm::enumerate(kFunctions)) {
      std::string name = (function.name + Twine("_") + type).str();
      createOnTensors(b, *module, function, element, name);
      createOnVectors(b, *module, function, element, name + "_vector");
      unsigned bound = wide ? function.boundF64 : function.boundF32;
      tests += replaceAll(kTest, {{"COUNT", argv[1]},
                                  {"PARTS", argv[2]},
                                  {"WHICH", std::to_string(which)},
                                  {"BOUND", std::to_string(bound)},
                                  {"NAME", function.name},
                                  {"T", type.str()}});
      calls += "  call @run_" + name + "() : () -> ()\n";
    }
  }
  if (failed(verify(*module)))
    return 1;
  // Without `module { ... }`, so that functions can be appended.
  for (Operation &op : *module->getBody())
    llvm::outs() << op << '\n';
  llvm::outs() << tests << "func.func @main() {\n" << calls << "  return\n}\n";
  return 0;
}
