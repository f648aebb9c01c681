//===- CostInterfaces.cpp - What upstream's ops cost ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The costs of arith, func, linalg, math, rng, scf, tensor and tosa.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "RngDialect/Transforms/Partition/CostInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;

static uint64_t add(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingAdd(a, b);
}
static uint64_t mul(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingMul(a, b);
}

static RecomputeCost getContractionCost(uint64_t work) {
  return {RecomputeCost::Discouraged, work, /*isBarrier=*/true,
          "is a contraction"};
}

/// A reduction is repeated where it reads no more than four times what it
/// writes.
static RecomputeCost getReductionCost(uint64_t work, uint64_t read,
                                      uint64_t written) {
  RecomputeCost cost;
  cost.work = work;
  if (read > mul(4, written)) {
    cost.kind = RecomputeCost::Discouraged;
    cost.reason =
        "is a reduction that reads more than four times what it writes";
  }
  return cost;
}

namespace {

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// A dialect all of whose ops take the same work an element.
template <uint64_t kWork> struct ElementwiseCosts : public CostInterface {
  using CostInterface::CostInterface;

  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    return model.getElementwiseCost(op, kWork);
  }
  std::optional<uint64_t> getWorkPerElement(Operation *) const final {
    return kWork;
  }
};
using ArithCosts = ElementwiseCosts<CostModel::kArithWork>;
using MathCosts = ElementwiseCosts<CostModel::kMathWork>;

/// Units of an element of `draw`.
static uint64_t getDrawWork(StatelessDrawOpInterface draw) {
  MLIRContext *context = draw.getContext();
  uint64_t instructions = draw.getDrawAlgorithm().getWork(
      draw.getDistribution(), getElementTypeOrSelf(draw.getDrawType()));
  uint64_t usual = getDefaultAlgorithm(context).getWork(
      Distribution::Uniform, Float32Type::get(context));
  return mul(CostModel::kDrawWork, instructions) / usual;
}

struct RngCosts : public CostInterface {
  using CostInterface::CostInterface;

  std::optional<uint64_t> getWorkPerElement(Operation *op) const final {
    if (auto draw = dyn_cast<StatelessDrawOpInterface>(op))
      return getDrawWork(draw);
    if (isa<AdvanceOp>(op))
      return CostModel::kArithWork;
    if (isa<FoldInOp, SplitOp>(op))
      return CostModel::kDrawWork;
    return std::nullopt;
  }
  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    return model.getElementwiseCost(op, getWorkPerElement(op));
  }
};

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

struct TensorCosts : public CostInterface {
  using CostInterface::CostInterface;

  bool isFullSizeView(OpResult result) const final {
    Operation *op = result.getOwner();
    if (isa<tensor::BitcastOp, tensor::CastOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, tensor::ReshapeOp>(op))
      return true;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    if (!slice || !slice.getSourceType().hasStaticShape() ||
        !slice.getType().hasStaticShape())
      return false;
    // Products of sizes may wrap, and be equal for it.
    ArrayRef<int64_t> shape = slice.getSourceType().getShape();
    return llvm::is_contained(shape, 0) || slice.getStaticSizes() == shape;
  }
  StringRef getReasonNotToSave(OpResult result) const final {
    if (isa<tensor::EmptyOp>(result.getOwner()))
      return "has no contents";
    if (isa<tensor::SplatOp>(result.getOwner()))
      return "repeats one scalar";
    return {};
  }
  std::optional<uint64_t> getWorkPerElement(Operation *op) const final {
    if (isa<tensor::EmptyOp>(op))
      return 0;
    if (isa<tensor::DimOp, tensor::RankOp, tensor::ExtractOp,
            tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::InsertOp,
            tensor::ConcatOp, tensor::FromElementsOp, tensor::SplatOp,
            tensor::GatherOp, tensor::ScatterOp, tensor::PadOp>(op))
      return CostModel::kArithWork;
    return std::nullopt;
  }
  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    if (auto generate = dyn_cast<tensor::GenerateOp>(op)) {
      RecomputeCost cost = model.getRegionCost(generate.getBody());
      cost.work = mul(cost.work, model.getNumElements(generate.getType()));
      return cost;
    }
    return model.getElementwiseCost(op, getWorkPerElement(op));
  }
};

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

struct LinalgCosts : public CostInterface {
  using CostInterface::CostInterface;

  StringRef getReasonNotToSave(OpResult result) const final {
    if (auto fill = dyn_cast<linalg::FillOp>(result.getOwner()))
      if (fill.getNumResults() == 1 &&
          fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
        return "repeats one scalar";
    return {};
  }
  std::optional<uint64_t> getWorkPerElement(Operation *op) const final {
    if (isa<linalg::IndexOp>(op))
      return CostModel::kArithWork;
    return std::nullopt;
  }
  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return model.getElementwiseCost(op, getWorkPerElement(op));
    uint64_t iterations = 1;
    for (int64_t range : linalgOp.getStaticLoopRanges())
      iterations = mul(iterations, model.getSize(range));
    // An iteration moves an element, whatever its body.
    RecomputeCost body = model.getRegionCost(op->getRegion(0));
    uint64_t work = mul(iterations, std::max(body.work, CostModel::kArithWork));
    if (linalg::isaContractionOpInterface(linalgOp) ||
        linalg::isaConvolutionOpInterface(linalgOp))
      return getContractionCost(work);
    if (body.kind != RecomputeCost::Allowed)
      return {body.kind, work, /*isBarrier=*/true,
              "has a body of unknown cost"};
    if (linalgOp.getNumReductionLoops() == 0)
      return {RecomputeCost::Allowed, work};
    uint64_t read = 0, written = 0;
    for (OpOperand *input : linalgOp.getDpsInputOperands())
      if (isa<ShapedType>(input->get().getType()))
        read = add(read, model.getBytes(input->get().getType()));
    for (Type type : op->getResultTypes())
      written = add(written, model.getBytes(type));
    return getReductionCost(work, read, written);
  }
};

//===----------------------------------------------------------------------===//
// Control flow and calls
//===----------------------------------------------------------------------===//

struct SCFCosts : public CostInterface {
  using CostInterface::CostInterface;

  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    RecomputeCost cost;
    for (Region &region : op->getRegions())
      cost.addNested(model.getRegionCost(region));
    if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
      return cost;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      if (std::optional<uint64_t> trips = getTrips(loop, model)) {
        cost.work = mul(cost.work, *trips);
        return cost;
      }
    }
    cost.addNested({RecomputeCost::Discouraged, 0, /*isBarrier=*/true,
                    "runs an unknown number of times"});
    return cost;
  }

private:
  /// Iterations of a loop that is counted; a bound that is not constant counts
  /// as a dynamic size.
  static std::optional<uint64_t> getTrips(LoopLikeOpInterface loop,
                                          const CostModel &model) {
    auto lower = loop.getLoopLowerBounds();
    auto upper = loop.getLoopUpperBounds();
    auto step = loop.getLoopSteps();
    if (!lower || !upper || !step)
      return std::nullopt;
    uint64_t trips = 1;
    for (auto [l, u, s] : llvm::zip_equal(*lower, *upper, *step)) {
      std::optional<int64_t> from = getConstantIntValue(l);
      std::optional<int64_t> to = getConstantIntValue(u);
      std::optional<int64_t> by = getConstantIntValue(s);
      uint64_t count = model.getSize(ShapedType::kDynamic);
      if (from && to && by && *by > 0)
        count = *to <= *from ? 0
                             : (static_cast<uint64_t>(*to) -
                                static_cast<uint64_t>(*from) - 1) /
                                       static_cast<uint64_t>(*by) +
                                   1;
      trips = mul(trips, count);
    }
    return trips;
  }
};

struct FuncCosts : public CostInterface {
  using CostInterface::CostInterface;

  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    if (FunctionOpInterface callee = model.getPureCalls().getCallee(op))
      return model.getCalleeCost(callee);
    return model.getElementwiseCost(op, std::nullopt);
  }
};

//===----------------------------------------------------------------------===//
// TOSA
//===----------------------------------------------------------------------===//

struct TosaCosts : public CostInterface {
  using CostInterface::CostInterface;

  bool isFullSizeView(OpResult result) const final {
    return isa<tosa::ReshapeOp>(result.getOwner());
  }
  std::optional<uint64_t> getWorkPerElement(Operation *op) const final {
    if (isa<tosa::ErfOp, tosa::SigmoidOp, tosa::TanhOp, tosa::PowOp,
            tosa::CosOp, tosa::ExpOp, tosa::LogOp, tosa::ReciprocalOp,
            tosa::RsqrtOp, tosa::SinOp>(op))
      return CostModel::kMathWork;
    if (op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>() ||
        isa<tosa::CastOp, tosa::ClampOp, tosa::ConcatOp, tosa::GatherOp,
            tosa::MulOp, tosa::NegateOp, tosa::PadOp, tosa::RescaleOp,
            tosa::ReverseOp, tosa::ScatterOp, tosa::SliceOp, tosa::TableOp,
            tosa::TileOp, tosa::TransposeOp>(op))
      return CostModel::kArithWork;
    return std::nullopt;
  }
  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    uint64_t read = 0, written = 0, elements = 0;
    for (Type type : op->getOperandTypes()) {
      read = add(read, model.getBytes(type));
      elements = add(elements, model.getNumElements(type));
    }
    for (Type type : op->getResultTypes())
      written = add(written, model.getBytes(type));
    if (isa<tosa::ReduceAllOp, tosa::ReduceAnyOp, tosa::ReduceMaxOp,
            tosa::ReduceMinOp, tosa::ReduceProductOp, tosa::ReduceSumOp,
            tosa::ArgMaxOp, tosa::AvgPool2dOp, tosa::MaxPool2dOp>(op))
      return getReductionCost(elements, read, written);
    if (isa<tosa::MatMulOp, tosa::Conv2DOp, tosa::Conv3DOp,
            tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp, tosa::FFT2dOp,
            tosa::RFFT2dOp>(op))
      return getContractionCost(getContractionWork(op, model));
    return model.getElementwiseCost(op, getWorkPerElement(op));
  }

private:
  /// Elements written times those read for each: of the last dimension of the
  /// first operand for a product, of the weights of a channel for a
  /// convolution.
  static uint64_t getContractionWork(Operation *op, const CostModel &model) {
    uint64_t written = 0;
    for (Type type : op->getResultTypes())
      written = add(written, model.getNumElements(type));
    auto type = cast<ShapedType>(op->getOperand(0).getType());
    uint64_t each = 1;
    if (isa<tosa::MatMulOp>(op)) {
      if (type.hasRank() && type.getRank() != 0)
        each = model.getSize(type.getShape().back());
    } else if (op->getNumOperands() > 1) {
      auto weights = cast<ShapedType>(op->getOperand(1).getType());
      each = model.getNumElements(weights);
      if (weights.hasRank() && weights.getRank() != 0 &&
          weights.getDimSize(0) > 0)
        each = each / weights.getDimSize(0);
    }
    return mul(written, std::max<uint64_t>(each, 1));
  }
};

} // namespace

/// Adds `Costs` to `DialectT` when it is loaded, unless the dialect brings
/// costs of its own.
template <typename DialectT, typename Costs>
static void addCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, DialectT *dialect) {
    if (!dialect->template getRegisteredInterface<CostInterface>())
      dialect->template addInterfaces<Costs>();
  });
}

void mlir::rng::registerCostInterfaces(DialectRegistry &registry) {
  addCosts<arith::ArithDialect, ArithCosts>(registry);
  addCosts<func::FuncDialect, FuncCosts>(registry);
  addCosts<linalg::LinalgDialect, LinalgCosts>(registry);
  addCosts<math::MathDialect, MathCosts>(registry);
  addCosts<RngDialect, RngCosts>(registry);
  addCosts<scf::SCFDialect, SCFCosts>(registry);
  addCosts<tensor::TensorDialect, TensorCosts>(registry);
  addCosts<tosa::TosaDialect, TosaCosts>(registry);
}
