//===- EmulateKernel.cpp - Kernels as loops of the host ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier waits for all threads of a thread block: on the host, one loop over
// the threads ends there and another one begins. What a thread has computed in
// one loop and uses in a later one waits in a buffer with one element a thread,
// or is computed again where that is free (constants, views of buffers).
//
// A loop or branch with barriers, which all threads must take alike, is outside
// of the loops over threads. What it carries waits in such buffers, too; its
// bounds or condition are those of the first thread.
//
//===----------------------------------------------------------------------===//

#include "EmulateKernel.h"
#include "EmulatePhases.h"
#include "RngDialect/IR/StaticSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::emulate;

/// Alignment of memory that kernels work on, in bytes: no vector access of a
/// GPU asks for more.
static constexpr int64_t kAlignment = 64;

static Value buildIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

namespace {
/// Where a thread is. All of type index, in the order x, y, z.
struct ThreadIds {
  ArrayRef<Value> grid;
  ArrayRef<Value> block;
  SmallVector<Value> blockIds;
  SmallVector<Value> threadIds;
};
} // namespace

/// The value of `op`, an id or a size, at `position`.
static Value buildThreadIdValue(OpBuilder &b, Operation *op,
                                const ThreadIds &position) {
  auto at = [](auto op) { return static_cast<unsigned>(op.getDimension()); };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return position.threadIds[at(id)];
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return position.blockIds[at(id)];
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return position.block[at(size)];
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return position.grid[at(size)];
  unsigned dim = at(cast<gpu::GlobalIdOp>(op));
  Value first = arith::MulIOp::create(b, op->getLoc(), position.blockIds[dim],
                                      position.block[dim]);
  return arith::AddIOp::create(b, op->getLoc(), first, position.threadIds[dim]);
}

/// Replaces the ids and sizes in `root`, which is in a loop over threads.
static void replaceThreadIdOps(Operation *root, const ThreadIds &position) {
  root->walk([&](Operation *op) {
    if (!isThreadIdOp(op))
      return;
    OpBuilder b(op);
    op->replaceAllUsesWith(ValueRange(buildThreadIdValue(b, op, position)));
    op->erase();
  });
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

KernelBody::KernelBody(gpu::GPUFuncOp kernel)
    : region(&kernel.getBody()), shared(kernel.getWorkgroupAttributions()),
      owned(kernel.getPrivateAttributions()) {}

KernelBody::KernelBody(gpu::LaunchOp launch)
    : region(&launch.getBody()), shared(launch.getWorkgroupAttributions()),
      owned(launch.getPrivateAttributions()),
      ids(ArrayRef<BlockArgument>(region->getArguments())
              .take_front(gpu::LaunchOp::kNumConfigRegionAttributes)) {}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

LogicalResult emulate::checkKernelOp(Operation *op) {
  if (!op->isRegistered())
    return op->emitOpError("in a kernel is of no dialect that is known here; "
                           "register it");
  if (isa<gpu::DynamicSharedMemoryOp>(op))
    return op->emitOpError("is shared memory whose size only the launch knows, "
                           "which cannot be run on the host; use a workgroup "
                           "attribution of the kernel");
  if (isa<gpu::ShuffleOp, gpu::RotateOp, gpu::SubgroupReduceOp,
          gpu::SubgroupBroadcastOp, gpu::SubgroupIdOp, gpu::SubgroupSizeOp,
          gpu::NumSubgroupsOp, gpu::LaneIdOp, gpu::AllReduceOp>(op))
    return op->emitOpError("works across threads that run at the same time, "
                           "which cannot be run on the host; exchange values "
                           "through workgroup memory and gpu.barrier");
  if (isThreadIdOp(op) ||
      isa<gpu::BarrierOp, gpu::ReturnOp, gpu::TerminatorOp>(op))
    return success();
  StringRef dialect = op->getName().getDialectNamespace();
  // What is a symbol or dimension in the kernel is none in a loop.
  if (dialect == "affine")
    return op->emitOpError("in a kernel cannot be run on the host; lower it "
                           "(lower-affine) before");
  for (StringRef device : {"amdgpu", "gpu", "nvgpu", "nvvm", "rocdl", "xegpu"})
    if (dialect == device)
      return op->emitOpError("in a kernel cannot be run on the host; emulate "
                             "kernels whose ops on devices are ids, sizes and "
                             "barriers, before they are lowered further");
  return success();
}

/// Whether there is a buffer of type `type` for each thread; one for each
/// thread block if `isShared`.
static bool canAllocate(MemRefType type, bool isShared) {
  Type element = type.getElementType();
  if (auto vector = dyn_cast<VectorType>(element);
      vector && !vector.isScalable())
    element = vector.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return type.hasStaticShape() && type.getLayout().isIdentity() &&
         countStaticBytes(type) <= kMaxBytes &&
         (isShared || element.isIntOrIndexOrFloat());
}

static LogicalResult checkAttributions(ArrayRef<BlockArgument> buffers,
                                       bool isShared) {
  for (BlockArgument buffer : buffers)
    if (!canAllocate(cast<MemRefType>(buffer.getType()), isShared))
      return buffer.getOwner()->getParentOp()->emitOpError(
                 "has an attribution of type ")
             << buffer.getType()
             << ", which cannot be run on the host; use a static shape, the "
                "identity layout and elements that are numbers or vectors";
  return success();
}

/// Fails with an error unless all threads of a thread block come to `barrier`
/// together, as far as can be seen.
static LogicalResult checkBarrier(gpu::BarrierOp barrier, Region *kernel,
                                  const Uniformity &uniformity) {
  Operation *outer = barrier->getParentOp();
  while (outer->getParentRegion() != kernel && uniformity.isTakenAlike(outer) &&
         kernel->isAncestor(outer->getParentRegion()))
    outer = outer->getParentOp();
  if (outer->getParentRegion() == kernel && kernel->hasOneBlock() &&
      uniformity.isTakenAlike(outer))
    return success();
  return barrier.emitOpError("among branches or in a region of '")
         << barrier->getParentOp()->getName()
         << "' cannot be run on the host; move it to the top level of a "
            "kernel of one block, or into loops and branches (scf.for, "
            "scf.while, scf.if) that all threads of a block take alike";
}

/// Fails with errors if a value that is used behind a barrier in front of which
/// it is defined cannot be kept in memory.
static LogicalResult checkKeptValues(Region *kernel) {
  bool failed = false;
  std::vector<Stage> stages = splitAtBarriers(kernel->front());
  Lifetimes lifetimes(kernel, stages);
  for (Value value : lifetimes.getKept()) {
    if (MemRefType::isValidElementType(value.getType()))
      continue;
    failed = true;
    Operation *op = value.getDefiningOp();
    if (op)
      op->emitOpError("has a result of type ")
          << value.getType()
          << " that is used after a barrier, but a buffer cannot keep it until "
             "then; use it before the barrier only";
    else
      value.getParentBlock()->getParentOp()->emitOpError(
          "carries a value of type ")
          << value.getType()
          << " across a barrier, but a buffer cannot keep it; carry numbers "
             "or vectors";
  }
  return failure(failed);
}

LogicalResult KernelBody::check() const {
  bool failed = mlir::failed(checkAttributions(shared, /*isShared=*/true)) ||
                mlir::failed(checkAttributions(owned, /*isShared=*/false));
  std::optional<Uniformity> uniformity;
  region->walk([&](Operation *op) {
    if (mlir::failed(checkKernelOp(op))) {
      failed = true;
      return;
    }
    if (auto barrier = dyn_cast<gpu::BarrierOp>(op)) {
      if (op->getParentRegion() == region && region->hasOneBlock())
        return;
      if (!uniformity)
        uniformity.emplace(region, ids);
      failed |= mlir::failed(checkBarrier(barrier, region, *uniformity));
      return;
    }
    auto alloca = dyn_cast<memref::AllocaOp>(op);
    // In the loops over threads others would pile up on the stack.
    if (!alloca || (isOwnedAlloca(op, region) &&
                    canAllocate(alloca.getType(), /*isShared=*/false)))
      return;
    failed = true;
    op->emitOpError("in a kernel cannot be run on the host; allocate once a "
                    "thread, at the top level of a kernel of one block, with a "
                    "static shape, the identity layout and elements that are "
                    "numbers or vectors");
  });
  if (failed || !region->hasOneBlock())
    return failure(failed);
  return checkKeptValues(region);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Loops over `sizes` (x, y, z), x innermost.
static void buildNest(OpBuilder &b, Location loc, ArrayRef<Value> sizes,
                      function_ref<void(OpBuilder &, ArrayRef<Value>)> body) {
  SmallVector<Value> zeros(3, buildIndex(b, loc, 0));
  SmallVector<Value> ones(3, buildIndex(b, loc, 1));
  SmallVector<Value> upper = {sizes[2], sizes[1], sizes[0]};
  scf::buildLoopNest(b, loc, zeros, upper, ones,
                     [&](OpBuilder &b, Location, ValueRange ids) {
                       body(b, {ids[2], ids[1], ids[0]});
                     });
}

namespace {
/// Builds the loops of one kernel.
class LoopBuilder {
public:
  LoopBuilder(Location loc, Region *region, ArrayRef<BlockArgument> ids,
              ThreadIds &position)
      : loc(loc), region(region), ids(ids), position(position) {}

  /// Allocates what all threads of a thread block, one thread block after the
  /// other, share.
  void addShared(OpBuilder &b, Value buffer) {
    base.map(buffer, addBuffer(b, cast<MemRefType>(buffer.getType()), {}));
  }

  /// Allocates memory of each thread.
  void addOwned(OpBuilder &b, Value buffer, Value numThreads) {
    auto type = cast<MemRefType>(buffer.getType());
    DataLayout layout = DataLayout::closest(region->getParentOp());
    Type element = type.getElementType();
    int64_t elementBytes =
        llvm::alignTo(layout.getTypeSize(element).getFixedValue(),
                      layout.getTypeABIAlignment(element));
    int64_t bytes = type.getNumElements() * elementBytes;
    int64_t stride = llvm::alignTo(std::max<int64_t>(bytes, 1), kAlignment);
    Value size =
        arith::MulIOp::create(b, loc, numThreads, buildIndex(b, loc, stride));
    auto bytesType = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
    owned.push_back({buffer, addBuffer(b, bytesType, size), stride});
  }

  /// Keeps `value` for each thread.
  void addKept(OpBuilder &b, Value value, Value numThreads) {
    auto type = MemRefType::get({ShapedType::kDynamic}, value.getType());
    kept[value] = addBuffer(b, type, numThreads);
  }

  /// What the threads of a thread block do in `stages`.
  void buildStages(OpBuilder &b, ArrayRef<Stage> stages,
                   const Lifetimes &lifetimes) {
    for (const Stage &stage : stages) {
      if (stage.control)
        buildControl(b, stage, lifetimes);
      else if (!stage.ops.empty())
        buildPhase(b, stage.ops, lifetimes);
    }
  }

  /// One loop over the threads of a thread block.
  void buildPhase(OpBuilder &b, ArrayRef<Operation *> ops,
                  const Lifetimes &lifetimes) {
    buildThreads(b, [&](OpBuilder &b, IRMapping &mapping, Value thread) {
      for (Operation *op : ops) {
        if (isOwnedAlloca(op, region))
          continue;
        buildOp(b, op, lifetimes, mapping, thread);
        for (Value result : op->getResults())
          if (lifetimes.isKept(result))
            memref::StoreOp::create(b, loc, mapping.lookup(result),
                                    kept.lookup(result), thread);
      }
    });
  }

  /// One loop over the threads of a thread block for a body with branches.
  void buildBranches(OpBuilder &b) {
    buildThreads(b, [&](OpBuilder &b, IRMapping &mapping, Value) {
      auto execute = scf::ExecuteRegionOp::create(b, loc, TypeRange());
      Region &copy = execute.getRegion();
      region->cloneInto(&copy, mapping);
      for (Block &block : copy) {
        Operation *end = block.getTerminator();
        if (!isa<gpu::ReturnOp, gpu::TerminatorOp>(end))
          continue;
        OpBuilder b(end);
        scf::YieldOp::create(b, end->getLoc());
        end->erase();
      }
      replaceThreadIdOps(execute, position);
    });
  }

  /// Frees all buffers.
  void free(OpBuilder &b) {
    for (Value buffer : llvm::reverse(buffers))
      memref::DeallocOp::create(b, loc, buffer);
  }

  IRMapping base;

private:
  Value addBuffer(OpBuilder &b, MemRefType type, ValueRange sizes) {
    buffers.push_back(memref::AllocOp::create(b, loc, type, sizes,
                                              b.getI64IntegerAttr(kAlignment)));
    return buffers.back();
  }

  void buildThreads(
      OpBuilder &b,
      function_ref<void(OpBuilder &, IRMapping &, Value thread)> body) {
    buildNest(
        b, loc, position.block, [&](OpBuilder &b, ArrayRef<Value> threads) {
          position.threadIds.assign(threads.begin(), threads.end());
          IRMapping mapping = base;
          for (auto [i, argument] : llvm::enumerate(ids))
            mapping.map(argument, getPlaceArgument(i));
          Value thread;
          if (!kept.empty() || !owned.empty()) {
            thread =
                arith::MulIOp::create(b, loc, threads[2], position.block[1]);
            thread = arith::AddIOp::create(b, loc, thread, threads[1]);
            thread = arith::MulIOp::create(b, loc, thread, position.block[0]);
            thread = arith::AddIOp::create(b, loc, thread, threads[0]);
          }
          for (const Owned &memory : owned) {
            Value shift = arith::MulIOp::create(
                b, loc, thread, buildIndex(b, loc, memory.stride));
            mapping.map(memory.buffer, memref::ViewOp::create(
                                           b, loc, memory.buffer.getType(),
                                           memory.bytes, shift, ValueRange()));
          }
          body(b, mapping, thread);
        });
  }

  /// A loop or branch around loops over the threads.
  void buildControl(OpBuilder &b, const Stage &stage,
                    const Lifetimes &lifetimes) {
    if (auto loop = dyn_cast<scf::ForOp>(stage.control)) {
      buildCopies(b, loop.getInitArgs(), loop.getRegionIterArgs(), lifetimes);
      Value lower = buildHostValue(b, loop.getLowerBound());
      Value upper = buildHostValue(b, loop.getUpperBound());
      Value step = buildHostValue(b, loop.getStep());
      auto host = scf::ForOp::create(b, loc, lower, upper, step);
      host.setUnsignedCmp(loop.getUnsignedCmp());
      OpBuilder inner(host.getBody()->getTerminator());
      base.map(loop.getInductionVar(), host.getInductionVar());
      buildStages(inner, stage.regions[0], lifetimes);
      buildCopies(inner, loop.getYieldedValues(), loop.getRegionIterArgs(),
                  lifetimes);
      buildCopies(b, loop.getRegionIterArgs(), loop.getResults(), lifetimes);
    } else if (auto branch = dyn_cast<scf::IfOp>(stage.control)) {
      bool hasElse = !branch.getElseRegion().empty();
      auto host = scf::IfOp::create(
          b, loc, buildHostValue(b, branch.getCondition()), hasElse);
      for (unsigned i = 0; i < 1u + hasElse; ++i) {
        OpBuilder inner(host->getRegion(i).front().getTerminator());
        buildStages(inner, stage.regions[i], lifetimes);
        buildCopies(inner,
                    branch->getRegion(i).front().getTerminator()->getOperands(),
                    branch.getResults(), lifetimes);
      }
    } else if (auto loop = dyn_cast<scf::WhileOp>(stage.control)) {
      buildCopies(b, loop.getInits(), loop.getBeforeArguments(), lifetimes);
      scf::WhileOp::create(
          b, loc, TypeRange(), ValueRange(),
          [&](OpBuilder &inner, Location, ValueRange) {
            buildStages(inner, stage.regions[0], lifetimes);
            scf::ConditionOp condition = loop.getConditionOp();
            buildCopies(inner, condition.getArgs(), loop.getAfterArguments(),
                        lifetimes);
            scf::ConditionOp::create(
                inner, loc, buildHostValue(inner, condition.getCondition()),
                ValueRange());
          },
          [&](OpBuilder &inner, Location, ValueRange) {
            buildStages(inner, stage.regions[1], lifetimes);
            buildCopies(inner, loop.getYieldOp()->getOperands(),
                        loop.getBeforeArguments(), lifetimes);
            scf::YieldOp::create(inner, loc);
          });
      buildCopies(b, loop.getAfterArguments(), loop.getResults(), lifetimes);
    }
  }

  /// Keeps `from` as `to`, for each thread; all are read before any is written.
  void buildCopies(OpBuilder &b, ValueRange from, ValueRange to,
                   const Lifetimes &lifetimes) {
    if (from.empty())
      return;
    buildThreads(b, [&](OpBuilder &b, IRMapping &mapping, Value thread) {
      SmallVector<Value> values;
      for (Value value : from) {
        if (lifetimes.isOfThreads(value))
          buildUse(b, value, lifetimes, mapping, thread);
        values.push_back(mapping.lookupOrDefault(value));
      }
      for (auto [value, target] : llvm::zip_equal(values, to))
        memref::StoreOp::create(b, loc, value, kept.lookup(target), thread);
    });
  }

  /// A value that is the same for all threads, outside of the loops over them.
  Value buildHostValue(OpBuilder &b, Value value) {
    if (Value buffer = kept.lookup(value))
      return memref::LoadOp::create(b, loc, buffer, buildIndex(b, loc, 0));
    Operation *op = value.getDefiningOp();
    if (op && isThreadIdOp(op))
      return buildThreadIdValue(b, op, position);
    if (op && region->isAncestor(op->getParentRegion()))
      return b.clone(*op)->getResult(cast<OpResult>(value).getResultNumber());
    for (auto [i, argument] : llvm::enumerate(ids))
      if (value == argument)
        return getPlaceArgument(i);
    return base.lookupOrDefault(value);
  }

  /// Of a launch's body.
  Value getPlaceArgument(unsigned i) const {
    ArrayRef<Value> kinds[] = {position.blockIds, position.threadIds,
                               position.grid, position.block};
    return kinds[i / 3][i % 3];
  }

  /// Maps `value`, which threads compute in some stage.
  void buildUse(OpBuilder &b, Value value, const Lifetimes &lifetimes,
                IRMapping &mapping, Value thread) {
    if (mapping.contains(value))
      return;
    // Of an earlier loop.
    if (Value buffer = kept.lookup(value))
      mapping.map(value, memref::LoadOp::create(b, loc, buffer, thread));
    else
      buildOp(b, value.getDefiningOp(), lifetimes, mapping, thread);
  }

  void buildOp(OpBuilder &b, Operation *op, const Lifetimes &lifetimes,
               IRMapping &mapping, Value thread) {
    for (Value value : lifetimes.getUses(op))
      buildUse(b, value, lifetimes, mapping, thread);
    if (isThreadIdOp(op))
      mapping.map(op->getResult(0), buildThreadIdValue(b, op, position));
    else
      replaceThreadIdOps(b.clone(*op, mapping), position);
  }

  struct Owned {
    Value buffer;
    Value bytes;
    int64_t stride;
  };

  Location loc;
  Region *region;
  ArrayRef<BlockArgument> ids;
  ThreadIds &position;
  SmallVector<Value> buffers;
  SmallVector<Owned> owned;
  DenseMap<Value, Value> kept;
};
} // namespace

void KernelBody::build(OpBuilder &b, Location loc, ArrayRef<Value> grid,
                       ArrayRef<Value> block, const IRMapping &mapping) const {
  OpBuilder::InsertionGuard guard(b);
  std::vector<Stage> stages;
  if (region->hasOneBlock())
    stages = splitAtBarriers(region->front());
  Lifetimes lifetimes(region, stages);

  ThreadIds position{grid, block, {}, {}};
  LoopBuilder loops(loc, region, ids, position);
  loops.base = mapping;
  for (Value buffer : shared)
    loops.addShared(b, buffer);
  SmallVector<Value> memories(owned.begin(), owned.end());
  for (const Stage &stage : stages)
    for (Operation *op : stage.ops)
      if (isOwnedAlloca(op, region))
        memories.push_back(op->getResult(0));
  Value numThreads = arith::MulIOp::create(b, loc, block[0], block[1]);
  numThreads = arith::MulIOp::create(b, loc, numThreads, block[2]);
  for (Value buffer : memories) {
    // Without barriers a thread is done before the next one starts.
    if (stages.size() > 1)
      loops.addOwned(b, buffer, numThreads);
    else
      loops.addShared(b, buffer);
  }
  for (Value value : lifetimes.getKept())
    loops.addKept(b, value, numThreads);

  buildNest(b, loc, grid, [&](OpBuilder &b, ArrayRef<Value> blocks) {
    position.blockIds.assign(blocks.begin(), blocks.end());
    if (stages.empty())
      loops.buildBranches(b);
    loops.buildStages(b, stages, lifetimes);
  });
  loops.free(b);
}
