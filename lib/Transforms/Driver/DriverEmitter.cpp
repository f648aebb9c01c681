//===- DriverEmitter.cpp - Code of a test driver ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/ThreadLocalCache.h"

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/Bufferization/IR/BufferizationOpsDialect.h.inc"
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

// Functions of the runner library with the suffix of a type.
static constexpr llvm::StringLiteral kCountDifferent = "rngCountDifferent";
static constexpr llvm::StringLiteral kMaxAbsDifference = "rngMaxAbsDifference";
static constexpr llvm::StringLiteral kDot = "rngDot";

DriverEmitter::DriverEmitter(ModuleOp module, func::FuncOp main,
                             int64_t dynamicSize)
    : module(module), b(main.getLoc(), module.getContext()),
      dynamicSize(dynamicSize) {
  b.setInsertionPointToEnd(main.addEntryBlock());
  failures = makeI64(0);
}

/// Suffix of the functions of the runner library, empty if it has none.
static StringRef getSuffix(Type elementType) {
  if (elementType.isF16())
    return "F16";
  if (elementType.isBF16())
    return "BF16";
  if (elementType.isF32())
    return "F32";
  if (elementType.isF64())
    return "F64";
  if (elementType.isSignlessInteger(1))
    return "I1";
  if (elementType.isSignlessInteger(8))
    return "I8";
  if (elementType.isSignlessInteger(16))
    return "I16";
  if (elementType.isSignlessInteger(32))
    return "I32";
  if (elementType.isSignlessInteger(64))
    return "I64";
  return "";
}

bool DriverEmitter::isSupported(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !getSuffix(tensor.getElementType()).empty();
  return type.isIndex() || !getSuffix(type).empty();
}

bool DriverEmitter::isStateMemory(Type type) {
  auto memory = dyn_cast<MemRefType>(type);
  return memory && memory == MemRefType::get(
                                 {2}, IntegerType::get(type.getContext(), 64));
}

bool DriverEmitter::isReserved(StringRef name) {
  return name == kExitIfFailed || name.starts_with(kPrint) ||
         name.starts_with(kCountDifferent) ||
         name.starts_with(kMaxAbsDifference) || name.starts_with(kDot);
}

bool DriverEmitter::isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value DriverEmitter::makeI64(int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

Value DriverEmitter::makeF64(double value) {
  return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
}

Value DriverEmitter::makeData(Type type, unsigned k, double magnitude) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    if (type.isIndex())
      return arith::ConstantIndexOp::create(b, dynamicSize);
    if (isa<FloatType>(type))
      return arith::ConstantOp::create(b, b.getFloatAttr(type, 0.5));
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(type, type.isInteger(1) ? 1 : 3));
  }

  Type elementType = tensor.getElementType();
  SmallVector<Value> sizes, params;
  for (size_t d = 0; d < tensor.getNumDynamicDims(); ++d)
    sizes.push_back(arith::ConstantIndexOp::create(b, dynamicSize));
  StatelessDrawSpec spec = {};
  spec.type = type;
  spec.sizes = sizes;
  if (isa<FloatType>(elementType)) {
    spec.distribution = Distribution::Uniform;
    Type bound = elementType.isF64() ? elementType : b.getF32Type();
    for (double value : {-magnitude, magnitude})
      params.push_back(
          arith::ConstantOp::create(b, b.getFloatAttr(bound, value)));
  } else if (elementType.isInteger(1)) {
    spec.distribution = Distribution::Bernoulli;
    params.push_back(arith::ConstantOp::create(b, b.getF32FloatAttr(0.5)));
  } else {
    spec.distribution = Distribution::Bits;
  }
  spec.params = params;
  Value seed = makeI64(0x5EED + k), offset = makeI64(k);
  Value data =
      createStatelessDraw(b, b.getLoc(), spec, seed, offset)->getResult(0);
  if (spec.distribution != Distribution::Bits)
    return data;
  return makeElementwise(
      data, elementType, [&](ImplicitLocOpBuilder &b, ValueRange in) -> Value {
        Value mask =
            arith::ConstantOp::create(b, b.getIntegerAttr(elementType, 7));
        return arith::AndIOp::create(b, in[0], mask);
      });
}

void DriverEmitter::storeState(Value memory, Value seed, Value offset) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  memref::StoreOp::create(b, seed, memory, zero);
  Value one = arith::ConstantIndexOp::create(b, 1);
  memref::StoreOp::create(b, offset, memory, one);
}

Value DriverEmitter::makeStateMemory(Type type, unsigned k) {
  Value memory = memref::AllocOp::create(b, cast<MemRefType>(type));
  storeState(memory, makeI64(0x5EED + k), makeI64(k));
  return memory;
}

SmallVector<Value> DriverEmitter::getDynamicSizes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(tensor::DimOp::create(b, tensor, d));
  return sizes;
}

Value DriverEmitter::makeElementwise(
    ValueRange inputs, Type elementType,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  // Into a fresh tensor: an elementwise op would get an input for its output
  // when it is turned into linalg, and bufferization might then write there.
  auto type =
      cast<RankedTensorType>(inputs.front().getType()).clone(elementType);
  Value empty =
      tensor::EmptyOp::create(b, type, getDynamicSizes(inputs.front()));
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, type, inputs, empty, maps, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange args) {
               ImplicitLocOpBuilder inner(loc, builder);
               linalg::YieldOp::create(inner, body(inner, args.drop_back()));
             })
      .getResult(0);
}

Value DriverEmitter::makeStep(Value x, Value a, Value y, Value c) {
  Type elementType = getElementTypeOrSelf(x.getType());
  Type computeType = elementType.isF64() ? elementType : b.getF32Type();
  auto convert = [](ImplicitLocOpBuilder &b, Value value, Type to) -> Value {
    unsigned from = value.getType().getIntOrFloatBitWidth();
    if (from == to.getIntOrFloatBitWidth())
      return value;
    if (from < to.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, to, value);
    return arith::TruncFOp::create(b, to, value);
  };
  a = convert(b, a, computeType);
  c = convert(b, c, computeType);
  Value step = makeElementwise(
      {getTensor(x), getTensor(y)}, elementType,
      [&](ImplicitLocOpBuilder &b, ValueRange in) {
        Value inX = convert(b, in[0], computeType);
        Value inY = convert(b, in[1], computeType);
        Value first = arith::MulFOp::create(b, a, inY);
        Value second = arith::MulFOp::create(b, c, inX);
        Value sum = arith::AddFOp::create(b, first, second);
        return convert(b, arith::AddFOp::create(b, inX, sum), elementType);
      });
  if (isa<RankedTensorType>(x.getType()))
    return step;
  return tensor::ExtractOp::create(b, step, ValueRange{});
}

Value DriverEmitter::makeZeroLike(Value value) {
  Type elementType = getElementTypeOrSelf(value.getType());
  return makeElementwise(getTensor(value), elementType,
                         [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
                           return arith::ConstantOp::create(
                               b, b.getZeroAttr(elementType));
                         });
}

Value DriverEmitter::getTensor(Value value) {
  if (isa<RankedTensorType>(value.getType()))
    return value;
  if (value.getType().isIndex())
    value = arith::IndexCastOp::create(b, b.getI64Type(), value);
  return tensor::FromElementsOp::create(
      b, RankedTensorType::get({}, value.getType()), value);
}

Value DriverEmitter::getUnranked(Value value) {
  value = getTensor(value);
  Type elementType = getElementTypeOrSelf(value.getType());
  return tensor::CastOp::create(b, UnrankedTensorType::get(elementType), value);
}

Value DriverEmitter::getNumElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return makeI64(1);
  // A product that does not fit wraps, and could not be run either.
  uint64_t count = 1;
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      count *= size;
  Value product = makeI64(count);
  for (Value size : getDynamicSizes(value))
    product = arith::MulIOp::create(
        b, product, arith::IndexCastOp::create(b, b.getI64Type(), size));
  return product;
}

Value DriverEmitter::callExternal(StringRef name, ValueRange args,
                                  TypeRange results) {
  auto callee = module.lookupSymbol<func::FuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    callee = func::FuncOp::create(b, name,
                                  b.getFunctionType(args.getTypes(), results));
    callee.setPrivate();
    callee->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    b.getUnitAttr());
    // Tensors, for bufferization to know what is read where; it has to be told
    // that nothing is written.
    for (auto [i, arg] : llvm::enumerate(args))
      if (isa<TensorType>(arg.getType()))
        callee.setArgAttr(
            i, bufferization::BufferizationDialect::kBufferAccessAttrName,
            b.getStringAttr("read"));
  }
  SmallVector<Value> values = call(callee, args);
  return values.empty() ? Value() : values.front();
}

Value DriverEmitter::callRunner(StringRef name, Type elementType,
                                ValueRange args, TypeRange results) {
  return callExternal((name + getSuffix(elementType)).str(), args, results);
}

Value DriverEmitter::countDifferent(Value x, Value y) {
  Value unrankedX = getUnranked(x), unrankedY = getUnranked(y);
  // An index is compared as an i64: the type is that of the buffer.
  return callRunner(kCountDifferent, getElementTypeOrSelf(unrankedX.getType()),
                    {unrankedX, unrankedY}, b.getI64Type());
}

Value DriverEmitter::getMaxAbsDifference(Value x, Value y) {
  return callRunner(kMaxAbsDifference, getElementTypeOrSelf(x.getType()),
                    {getUnranked(x), getUnranked(y)}, b.getF64Type());
}

Value DriverEmitter::getDot(Value x, Value y) {
  return callRunner(kDot, getElementTypeOrSelf(x.getType()),
                    {getUnranked(x), getUnranked(y)}, b.getF64Type());
}

SmallVector<Value> DriverEmitter::call(func::FuncOp callee, ValueRange args) {
  return func::CallOp::create(b, callee, args).getResults();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value DriverEmitter::makeBool(bool value) {
  return arith::ConstantOp::create(b, b.getBoolAttr(value));
}

Value DriverEmitter::makeAdd(Value x, Value y) {
  return arith::AddIOp::create(b, x, y);
}

Value DriverEmitter::makeSub(Value x, Value y) {
  return arith::SubIOp::create(b, x, y);
}

Value DriverEmitter::makeOr(Value x, Value y) {
  return arith::OrIOp::create(b, x, y);
}

Value DriverEmitter::makeSelect(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, condition, x, y);
}

Value DriverEmitter::isZero(Value x) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, makeI64(0));
}

Value DriverEmitter::isLess(Value x, Value y) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
}

Value DriverEmitter::makeAddF(Value x, Value y) {
  return arith::AddFOp::create(b, x, y);
}

Value DriverEmitter::makeSubF(Value x, Value y) {
  return arith::SubFOp::create(b, x, y);
}

Value DriverEmitter::makeDivF(Value x, Value y) {
  return arith::DivFOp::create(b, x, y);
}

Value DriverEmitter::isEqualF(Value x, Value y) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, y);
}

Value DriverEmitter::isLessEqualF(Value x, Value y) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, x, y);
}

Value DriverEmitter::getRelativeError(Value x, Value y) {
  // maximumf hands on a NaN, which no tolerance accepts.
  Value sizeX = math::AbsFOp::create(b, x);
  Value sizeY = math::AbsFOp::create(b, y);
  Value size = arith::MaximumFOp::create(b, sizeX, sizeY);
  Value error = makeDivF(math::AbsFOp::create(b, makeSubF(x, y)), size);
  Value zero = makeF64(0.0);
  return makeSelect(isEqualF(size, zero), zero, error);
}

//===----------------------------------------------------------------------===//
// State of the generators
//===----------------------------------------------------------------------===//

std::pair<Value, Value> DriverEmitter::loadState(FlatSymbolRefAttr generator,
                                                 Value memory) {
  if (!memory) {
    auto get = GetStateOp::create(b, b.getI64Type(), b.getI64Type(), generator);
    return {get.getSeed(), get.getOffset()};
  }
  auto load = [&](int64_t word) -> Value {
    Value index = arith::ConstantIndexOp::create(b, word);
    return memref::LoadOp::create(b, memory, index);
  };
  Value seed = load(0), offset = load(1);
  return {seed, offset};
}

void DriverEmitter::saveState(ArrayRef<Value> memories) {
  state.clear();
  auto save = [&](FlatSymbolRefAttr generator, Value memory) {
    auto [seed, offset] = loadState(generator, memory);
    state.push_back({generator, memory, seed, offset});
  };
  save(FlatSymbolRefAttr(), Value());
  for (auto generator : module.getOps<GeneratorOp>())
    save(FlatSymbolRefAttr::get(generator.getSymNameAttr()), Value());
  for (Value memory : memories)
    save(FlatSymbolRefAttr(), memory);
}

SmallVector<Value> DriverEmitter::readState() {
  SmallVector<Value> words;
  for (const State &saved : state) {
    auto [seed, offset] = loadState(saved.generator, saved.memory);
    words.append({seed, offset});
  }
  return words;
}

void DriverEmitter::restoreState() {
  for (const State &saved : state) {
    if (saved.memory)
      storeState(saved.memory, saved.seed, saved.offset);
    else
      SetStateOp::create(b, saved.generator, saved.seed, saved.offset);
  }
}
