//===- RowKernel.cpp - A thread block for each row --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "KernelBuilders.h"
#include "RngDialect/Conversion/Structured/ReductionOrder.h"
#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "RngDialect/IR/StaticSizes.h"
#include "RowThreadGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;
using namespace mlir::rng::kernels;

/// Workgroup memory that every GPU has, in bytes.
static constexpr int64_t kWorkgroupBytes = 48 * 1024;

/// Of what a row keeps in device memory, in bytes.
static constexpr int64_t kAlignment = 16;

//===----------------------------------------------------------------------===//
// Which loops are rows
//===----------------------------------------------------------------------===//

/// Whether there is memory for `alloc` before the loop begins.
static bool canAllocateBefore(memref::AllocOp alloc, scf::ForallOp loop) {
  return alloc.getType().getLayout().isIdentity() &&
         alloc.getType().getElementType().isIntOrIndexOrFloat() &&
         llvm::all_of(alloc.getDynamicSizes(), [&](Value size) {
           return !loop.getRegion().isAncestor(size.getParentRegion());
         });
}

static bool canBeInRow(Operation *op, scf::ForallOp loop) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureBufferSemantics() &&
           llvm::all_of(op->getOperands(), [](Value operand) {
             return !isa<BaseMemRefType>(operand.getType()) ||
                    isa<MemRefType>(operand.getType());
           });
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return canAllocateBefore(alloc, loop);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return isa<MemRefType>(copy.getSource().getType()) &&
           isa<MemRefType>(copy.getTarget().getType());
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    return true;
  return op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

bool kernels::isRowLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForallOp>(op);
  if (!loop || loop.getMapping() || loop->getNumResults() != 0 ||
      !loop.isNormalized())
    return false;
  bool hasGlobals =
      loop.walk([](memref::GetGlobalOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  return !hasGlobals &&
         llvm::all_of(loop.getBody()->without_terminator(),
                      [&](Operation &op) { return canBeInRow(&op, loop); });
}

//===----------------------------------------------------------------------===//
// When threads wait for each other
//===----------------------------------------------------------------------===//

/// The memory that `buffer` is a view of.
static Value getMemory(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Whether two buffers that are not views may share memory.
static bool mayAlias(Value a, Value b) {
  if (a == b)
    return true;
  auto isAllocated = [](Value buffer) {
    if (auto argument = dyn_cast<BlockArgument>(buffer))
      return isa<gpu::LaunchOp>(argument.getOwner()->getParentOp());
    return isa<memref::AllocOp, gpu::AllocOp>(buffer.getDefiningOp());
  };
  return !isAllocated(a) && !isAllocated(b);
}

namespace {
/// Accesses of threads to memory since they last waited for each other.
class Accesses {
public:
  struct Access {
    Value memory;
    bool isWrite;
  };

  /// Whether some thread must wait before `next` happens.
  bool mustWait(ArrayRef<Access> next) const {
    return llvm::any_of(next, [&](const Access &access) {
      return llvm::any_of(accesses, [&](const Access &before) {
        return (access.isWrite || before.isWrite) &&
               mayAlias(access.memory, before.memory);
      });
    });
  }

  void add(ArrayRef<Access> next) { llvm::append_range(accesses, next); }
  void clear() { accesses.clear(); }

private:
  SmallVector<Access> accesses;
};

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

class RowBuilder {
public:
  explicit RowBuilder(scf::ForallOp loop) : loop(loop), loc(loop.getLoc()) {}

  void build(OpBuilder &b);

private:
  void planMemory(OpBuilder &b, Value numRows);
  void chooseThreads();
  void buildMemory(OpBuilder &b, gpu::LaunchOp launch, Value row);
  Value getLanes(Type type);
  SmallVector<Accesses::Access> getAccesses(Operation *op);
  void buildOp(OpBuilder &b, Operation *op);
  void buildStructured(OpBuilder &b, linalg::LinalgOp op);
  void buildReduction(OpBuilder &b, const LaneReduction &reduction);
  void buildStrided(OpBuilder &b, ArrayRef<OpFoldResult> sizes,
                    function_ref<void(OpBuilder &, ValueRange)> body);
  void buildFirst(OpBuilder &b, function_ref<void(OpBuilder &)> body);

  /// What a row needs memory for, in device memory if `workspace` is given.
  struct Memory {
    memref::AllocOp alloc;
    Value workspace;
    Value stride;
  };

  scf::ForallOp loop;
  Location loc;
  int64_t numThreads = 0;
  SmallVector<Memory> memories;
  gpu::LaunchOp launch;
  Value thread;
  IRMapping mapping;
  /// By type; each type of a reduction has its own.
  SmallVector<std::pair<Type, Value>> lanes;
  Accesses accesses;
};
} // namespace

/// The bytes from one element of type `element` to the next in a buffer at
/// `op`, which the data layout pads: a vector of three f32 takes 16.
static int64_t getElementStride(Operation *op, Type element) {
  DataLayout layout = DataLayout::closest(op);
  return llvm::alignTo(layout.getTypeSize(element).getFixedValue(),
                       layout.getTypeABIAlignment(element));
}

/// Workgroup memory as long as there is some, device memory for the rest.
void RowBuilder::planMemory(OpBuilder &b, Value numRows) {
  // Of lanes, there is one buffer for each type.
  int64_t used = 0;
  SmallVector<Type> types;
  for (auto op : loop.getBody()->getOps<linalg::LinalgOp>()) {
    std::optional<LaneReduction> reduction = matchLaneReduction(op);
    if (!reduction || llvm::is_contained(types, reduction->getType()))
      continue;
    types.push_back(reduction->getType());
    used += kReductionLanes * getElementStride(op, reduction->getType());
  }
  for (auto alloc : loop.getBody()->getOps<memref::AllocOp>()) {
    MemRefType type = alloc.getType();
    int64_t elementBytes = getElementStride(alloc, type.getElementType());
    int64_t bytes = kWorkgroupBytes;
    if (type.hasStaticShape() &&
        countStaticElements(type.getShape()) <= uint64_t(kWorkgroupBytes))
      bytes = llvm::alignTo(type.getNumElements() * elementBytes, kAlignment);
    if (type.hasStaticShape() && used + bytes <= kWorkgroupBytes) {
      used += bytes;
      memories.push_back({alloc, Value(), Value()});
      continue;
    }
    SmallVector<OpFoldResult> sizes = alloc.getMixedSizes();
    Value size = arith::MulIOp::create(b, loc, buildTotal(b, loc, sizes),
                                       buildIndex(b, loc, elementBytes));
    Value align = buildIndex(b, loc, kAlignment);
    size =
        arith::AddIOp::create(b, loc, size, buildIndex(b, loc, kAlignment - 1));
    size = arith::DivUIOp::create(b, loc, size, align);
    Value stride = arith::MulIOp::create(b, loc, size, align);
    Value total = arith::MulIOp::create(b, loc, stride, numRows);
    Value workspace = buildDeviceAlloc(
        b, loc, MemRefType::get({ShapedType::kDynamic}, b.getI8Type()), total);
    memories.push_back({alloc, workspace, stride});
  }
}

/// As many threads as the widest op keeps busy.
void RowBuilder::chooseThreads() {
  int64_t wanted = 1;
  for (auto op : loop.getBody()->getOps<linalg::LinalgOp>()) {
    int64_t count = 1;
    bool isReduction = matchLaneReduction(op).has_value();
    for (auto [kind, size] : llvm::zip_equal(op.getIteratorTypesArray(),
                                             op.getStaticLoopRanges())) {
      bool counts = isReduction == (kind == utils::IteratorType::reduction);
      if (counts && (ShapedType::isDynamic(size) ||
                     llvm::MulOverflow(count, size, count)))
        count = kReductionLanes;
      count = std::min(count, kReductionLanes);
    }
    wanted = std::max(wanted, count);
  }
  constexpr int64_t kWarpSize = 32;
  numThreads = std::max<int64_t>(llvm::PowerOf2Ceil(wanted), kWarpSize);
}

void RowBuilder::buildMemory(OpBuilder &b, gpu::LaunchOp launch, Value row) {
  for (Memory &memory : memories) {
    MemRefType type = memory.alloc.getType();
    Value buffer;
    if (memory.workspace) {
      Value shift = arith::MulIOp::create(b, loc, row, memory.stride);
      buffer = memref::ViewOp::create(b, loc, type, memory.workspace, shift,
                                      memory.alloc.getDynamicSizes());
    } else {
      Value shared = launch.addWorkgroupAttribution(
          getWorkgroupType(type.getShape(), type.getElementType()), loc);
      buffer = memref::MemorySpaceCastOp::create(b, loc, type, shared);
    }
    mapping.map(memory.alloc.getResult(), buffer);
  }
}

Value RowBuilder::getLanes(Type type) {
  for (auto &[of, buffer] : lanes)
    if (of == type)
      return buffer;
  Value buffer =
      launch.addWorkgroupAttribution(getWorkgroupType({numThreads}, type), loc);
  lanes.push_back({type, buffer});
  return buffer;
}

SmallVector<Accesses::Access> RowBuilder::getAccesses(Operation *op) {
  SmallVector<Accesses::Access> result;
  auto add = [&](Value buffer, bool isWrite) {
    if (isa<BaseMemRefType>(buffer.getType()))
      result.push_back({getMemory(buffer), isWrite});
  };
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    for (OpOperand *input : linalgOp.getDpsInputOperands())
      add(input->get(), /*isWrite=*/false);
    for (OpOperand &init : linalgOp.getDpsInitsMutable())
      add(init.get(), /*isWrite=*/true);
    // What the body reads by itself.
    linalgOp.getBlock()->walk(
        [&](memref::LoadOp load) { add(load.getMemref(), /*isWrite=*/false); });
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    add(copy.getSource(), /*isWrite=*/false);
    add(copy.getTarget(), /*isWrite=*/true);
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    add(load.getMemref(), /*isWrite=*/false);
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    add(store.getMemref(), /*isWrite=*/true);
  }
  return result;
}

/// Distributes the points of `sizes` over the threads.
void RowBuilder::buildStrided(
    OpBuilder &b, ArrayRef<OpFoldResult> sizes,
    function_ref<void(OpBuilder &, ValueRange)> body) {
  Value total = buildTotal(b, loc, sizes);
  scf::ForOp::create(b, loc, thread, total, buildIndex(b, loc, numThreads),
                     ValueRange(),
                     [&](OpBuilder &b, Location, Value linear, ValueRange) {
                       body(b, buildDelinearized(b, loc, linear, sizes));
                       scf::YieldOp::create(b, loc);
                     });
}

/// Runs what `body` builds in the first thread.
void RowBuilder::buildFirst(OpBuilder &b,
                            function_ref<void(OpBuilder &)> body) {
  buildIf(b, loc, buildLess(b, loc, thread, buildIndex(b, loc, 1)), body);
}

void RowBuilder::buildReduction(OpBuilder &b, const LaneReduction &reduction) {
  SmallVector<OpFoldResult> sizes = buildLoopSizes(b, reduction.op);
  SmallVector<Value> indices(sizes.size());
  Value buffer = getLanes(reduction.getType());
  SmallVector<unsigned> loops;
  for (unsigned dim : reduction.parallel) {
    if (isConstantIntValue(sizes[dim], 1))
      indices[dim] = buildIndex(b, loc, 0);
    else
      loops.push_back(dim);
  }
  buildLoops(b, loc, loops, sizes, indices, {},
             [&](OpBuilder &b, ValueRange) -> SmallVector<Value> {
               buildBlockReduction(b, reduction, sizes, indices, thread,
                                   numThreads, buffer);
               // The first thread still reads what the next turn overwrites.
               if (!loops.empty())
                 gpu::BarrierOp::create(b, loc);
               return {};
             });
}

void RowBuilder::buildStructured(OpBuilder &b, linalg::LinalgOp op) {
  if (!ownsItsResults(op)) {
    SmallVector<OpFoldResult> sizes = buildLoopSizes(b, op);
    buildFirst(b, [&](OpBuilder &b) { buildAllPoints(b, op, sizes); });
    return;
  }
  std::optional<LaneReduction> reduction = matchLaneReduction(op);
  SmallVector<int64_t> staticSizes = op.getStaticLoopRanges();
  auto isUnit = [&](unsigned dim) { return staticSizes[dim] == 1; };
  bool isShort = reduction && reduction->isShort() &&
                 !llvm::all_of(reduction->parallel, isUnit);
  if (reduction && !isShort) {
    buildReduction(b, *reduction);
    return;
  }
  SmallVector<OpFoldResult> sizes = buildLoopSizes(b, op), parallelSizes;
  SmallVector<unsigned> parallel;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::parallel)
      continue;
    parallel.push_back(dim);
    parallelSizes.push_back(sizes[dim]);
  }
  if (buildRowGroups(b, op, sizes, thread, numThreads))
    return;
  buildStrided(b, parallelSizes, [&](OpBuilder &b, ValueRange values) {
    SmallVector<Value> indices(sizes.size());
    for (auto [dim, index] : llvm::zip_equal(parallel, values))
      indices[dim] = index;
    if (isShort)
      reduction->buildUnrolled(b, indices);
    else
      buildPoint(b, op, sizes, indices);
  });
}

void RowBuilder::buildOp(OpBuilder &b, Operation *op) {
  if (isa<memref::AllocOp>(op))
    return;
  SmallVector<Accesses::Access> next = getAccesses(op);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool isReduction = linalgOp && ownsItsResults(linalgOp) &&
                     matchLaneReduction(linalgOp).has_value();
  // Lanes are memory, too.
  SmallVector<Accesses::Access> all = next;
  if (isReduction)
    all.push_back(
        {getLanes(linalgOp.getRegionOutputArgs().front().getType()), true});
  if (accesses.mustWait(all)) {
    gpu::BarrierOp::create(b, loc);
    accesses.clear();
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    Value source = mapping.lookupOrDefault(copy.getSource());
    Value target = mapping.lookupOrDefault(copy.getTarget());
    buildStrided(b, memref::getMixedSizes(b, loc, source),
                 [&](OpBuilder &b, ValueRange indices) {
                   Value value =
                       memref::LoadOp::create(b, loc, source, indices);
                   memref::StoreOp::create(b, loc, value, target, indices);
                 });
  } else if (isa<memref::StoreOp>(op)) {
    buildFirst(b, [&](OpBuilder &b) { b.clone(*op, mapping); });
  } else {
    Operation *clone = b.clone(*op, mapping);
    if (auto structured = dyn_cast<linalg::LinalgOp>(clone)) {
      buildStructured(b, structured);
      clone->erase();
    }
  }
  accesses.add(all);
}

void RowBuilder::build(OpBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<OpFoldResult> sizes = loop.getMixedUpperBound();
  chooseThreads();
  planMemory(b, buildTotal(b, loc, sizes));
  buildBlocks(b, loc, sizes, numThreads,
              [&](OpBuilder &b, gpu::LaunchOp built, ValueRange indices) {
                launch = built;
                thread = launch.getThreadIds().x;
                buildMemory(b, launch, launch.getBlockIds().x);
                mapping.map(loop.getInductionVars(), indices);
                for (Operation &op : loop.getBody()->without_terminator())
                  buildOp(b, &op);
              });
}

void kernels::buildRowKernel(OpBuilder &b, Operation *loop) {
  RowBuilder(cast<scf::ForallOp>(loop)).build(b);
}
