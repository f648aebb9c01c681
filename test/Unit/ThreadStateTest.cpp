//===- ThreadStateTest.cpp - Threading what an embedder adds ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an embedder writes: a region op of its own through which state passes,
// and an algorithm of its own, which reserves a block an element. Prints what
// threading makes of a program with both; thread-state.test checks it.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Streams/WordConversion.h"
#include "RngDialect/Transforms/GeneratorEffects/ThreadableRegion.h"
#include "RngDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::rng;

static constexpr const char *kProgram = R"(
module attributes {rng.default_algorithm = "a block an element"} {
  func.func @sizes(%n: index) {
    %0 = rng.bits sizes(%n) : tensor<?x2xi32>
    %1 = rng.bits : tensor<3xi32>
    %2 = rng.bits : i32
    return
  }
  func.func @loop(%n: index, %from: index) {
    %c1 = arith.constant 1 : index
    scf.for %i = %from to %n step %c1 {
      %0 = rng.bits sizes(%n) : tensor<?xi32>
    }
    return
  }
  func.func @differs(%n: index, %from: index) {
    %c1 = arith.constant 1 : index
    scf.for %i = %from to %n step %c1 {
      %0 = rng.bits sizes(%i) : tensor<?xi32>
    }
    return
  }
  func.func @scope() -> i32 {
    %0 = memref.alloca_scope -> i32 {
      %1 = rng.bits : i32
      %2 = rng.bits : i32
      memref.alloca_scope.return %2 : i32
    }
    %3 = rng.bits : i32
    return %3 : i32
  }
  func.func @scope_sets(%s: i64) {
    memref.alloca_scope {
      %1 = rng.bits : i32
      rng.set_state %s, %s : i64, i64
      memref.alloca_scope.return
    }
    %3 = rng.bits : i32
    return
  }
}
)";

namespace {
/// The region of `memref.alloca_scope` runs once.
struct ScopeModel
    : public ThreadableRegionOpInterface::ExternalModel<ScopeModel,
                                                        memref::AllocaScopeOp> {
  RegionExecution getRegionExecution(Operation *) const {
    return RegionExecution::OneOf;
  }
  Operation *carryValues(Operation *op, RewriterBase &rewriter,
                         ValueRange carried, ThreadRegionFn thread) const {
    SmallVector<Type> types(op->getResultTypes());
    llvm::append_range(types, carried.getTypes());
    auto widened = memref::AllocaScopeOp::create(rewriter, op->getLoc(), types);
    widened.getBodyRegion().takeBody(op->getRegion(0));
    rewriter.replaceOp(op,
                       widened.getResults().take_front(op->getNumResults()));
    thread(widened.getBodyRegion(), carried);
    return widened;
  }
};

class FirstWord : public WordConversion {
protected:
  Value buildUnit(ImplicitLocOpBuilder &, Type,
                  ArrayRef<Value> words) const override {
    return words.front();
  }
  Value buildScaled(ImplicitLocOpBuilder &, Type, ArrayRef<Value> words, Value,
                    Value) const override {
    return words.front();
  }
};

/// Strings as algorithms: words that are the index, a stream block an element,
/// and an advance rule built in another way than the default one.
struct CountingModel
    : public RngAlgorithmAttrInterface::ExternalModel<CountingModel,
                                                      StringAttr> {
  const WordConversion &getConversion(Attribute) const {
    static const FirstWord conversion;
    return conversion;
  }
  unsigned getValuesPerBlock(Attribute, Distribution, Type) const { return 1; }
  std::optional<uint64_t> getStaticAdvance(Attribute, Distribution,
                                           Type drawType) const {
    return countElementBlocks(drawType, /*divisor=*/1);
  }
  OpFoldResult getAdvance(Attribute, OpBuilder &b, Location loc, Distribution,
                          Type drawType, ValueRange sizes) const {
    auto shaped = dyn_cast<ShapedType>(drawType);
    int64_t count = 1;
    if (shaped)
      for (int64_t size : shaped.getShape())
        count *= ShapedType::isDynamic(size) ? 1 : size;
    if (sizes.empty())
      return b.getI64IntegerAttr(count);
    Value product =
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(count));
    for (Value size : sizes)
      product = arith::MulIOp::create(
          b, loc, product,
          arith::IndexCastOp::create(b, loc, b.getI64Type(), size));
    return product;
  }
  SmallVector<Value> generateBlock(Attribute, ImplicitLocOpBuilder &b, Value,
                                   Value, Value block) const {
    return {arith::TruncIOp::create(b, b.getI32Type(), block)};
  }
};
} // namespace

/// Prints draws that the builders of their ops make.
static void printBuiltDraws(MLIRContext &context) {
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  ImplicitLocOpBuilder b =
      ImplicitLocOpBuilder::atBlockEnd(loc, module->getBody());
  Type i64 = b.getI64Type(), f32 = b.getF32Type(), index = b.getIndexType();
  GeneratorOp::create(b, b.getStringAttr("g"), /*sym_visibility=*/StringAttr(),
                      /*algorithm=*/RngAlgorithmAttrInterface(),
                      /*seed=*/IntegerAttr());
  auto function = func::FuncOp::create(
      b, "built", b.getFunctionType({i64, i64, f32, index}, {}));
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  Value seed = body->getArgument(0), offset = body->getArgument(1);
  Value bound = body->getArgument(2), size = body->getArgument(3);
  auto type = RankedTensorType::get({ShapedType::kDynamic, 2}, f32);
  auto generator = FlatSymbolRefAttr::get(&context, "g");
  UniformOp::create(b, type, generator, ValueRange{bound, bound}, size);
  StatelessUniformOp::create(b, type, seed, offset, ValueRange{bound, bound},
                             size, getDefaultAlgorithm(&context));
  StatelessNormalOp::create(b, f32, seed, offset);
  func::ReturnOp::create(b);
  module->print(llvm::outs());
}

int main() {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect,
                  RngDialect, scf::SCFDialect>();
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    memref::AllocaScopeOp::attachInterface<ScopeModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, RngDialect *) {
    StringAttr::attachInterface<CountingModel>(*context);
  });
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kProgram, &context);
  PassManager manager(&context);
  manager.addPass(createRngThreadStatePass());
  if (!module || failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  printBuiltDraws(context);
  return 0;
}
