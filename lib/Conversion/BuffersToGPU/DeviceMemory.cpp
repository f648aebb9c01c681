//===- DeviceMemory.cpp - Memory of the device ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "KernelBuilders.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::kernels;

bool kernels::isDeviceAlloc(Value buffer) {
  return buffer.getDefiningOp<gpu::AllocOp>() != nullptr;
}

bool kernels::isDeviceFunction(Operation *function) {
  return isa<FunctionOpInterface>(function) &&
         function->hasAttr(RngDialect::kDevice);
}

void kernels::buildCopyKernel(OpBuilder &b, Location loc, Value source,
                              Value target) {
  if (buildGroupedCopy(b, loc, source, target))
    return;
  buildParallel(b, loc, memref::getMixedSizes(b, loc, source),
                [&](OpBuilder &b, ValueRange indices) {
                  Value value = memref::LoadOp::create(b, loc, source, indices);
                  memref::StoreOp::create(b, loc, value, target, indices);
                });
}

void kernels::buildStoreKernel(OpBuilder &b, Location loc, Value value,
                               Value target, ValueRange indices) {
  buildSingle(b, loc, [&](OpBuilder &b) {
    memref::StoreOp::create(b, loc, value, target, indices);
  });
}

Value kernels::buildDeviceAlloc(OpBuilder &b, Location loc, MemRefType type,
                                ValueRange sizes) {
  return gpu::AllocOp::create(b, loc, type, /*asyncToken=*/Type(),
                              /*asyncDependencies=*/ValueRange(), sizes,
                              /*symbolOperands=*/ValueRange())
      .getMemref();
}

void kernels::buildTransfer(OpBuilder &b, Location loc, Value target,
                            Value source) {
  gpu::MemcpyOp::create(b, loc, /*asyncToken=*/Type(),
                        /*asyncDependencies=*/ValueRange(), target, source);
}

SmallVector<Value> kernels::buildDynamicSizes(OpBuilder &b, Location loc,
                                              Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, dim));
  return sizes;
}

Value kernels::buildLoad(OpBuilder &b, Location loc, Value source,
                         ValueRange indices) {
  auto type =
      MemRefType::get({}, cast<MemRefType>(source.getType()).getElementType());
  Value device = buildDeviceAlloc(b, loc, type, {});
  buildSingle(b, loc, [&](OpBuilder &b) {
    Value value = memref::LoadOp::create(b, loc, source, indices);
    memref::StoreOp::create(b, loc, value, device, ValueRange());
  });
  Value host = memref::AllocOp::create(b, loc, type);
  buildTransfer(b, loc, host, device);
  return memref::LoadOp::create(b, loc, host);
}
