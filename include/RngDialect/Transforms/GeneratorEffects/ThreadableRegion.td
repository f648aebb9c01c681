//===- ThreadableRegion.td - Regions that state passes -----*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_THREADABLEREGION_TD
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_THREADABLEREGION_TD

include "mlir/IR/OpBase.td"

def ThreadableRegionOpInterface : OpInterface<"ThreadableRegionOpInterface"> {
  let cppNamespace = "::mlir::rng";
  let description = [{
    An op with regions that may draw: `rng-thread-state` passes the state of
    generators through them. Registered for the control flow of `scf` and
    `affine` (`registerThreadableRegionModels`); a compiler with structured
    control flow of its own implements it for its ops.

    The regions of the op see the values above it (not isolated).
  }];
  let methods = [
    InterfaceMethod<"How often the regions run.",
      "::mlir::rng::RegionExecution", "getRegionExecution", (ins)>,
    InterfaceMethod<[{
        Counted and parallel: the number of iterations, if it is constant.
      }],
      "std::optional<uint64_t>", "getConstantTripCount", (ins), [{}],
      [{ return std::nullopt; }]>,
    InterfaceMethod<[{
        Counted and parallel: whether `buildTripCount` can say how many
        iterations there are.
      }],
      "bool", "hasTripCount", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        Counted and parallel: the operands that the number of iterations depends
        on.
      }],
      "::llvm::SmallVector<::mlir::Value>", "getTripCountOperands", (ins), [{}],
      [{ return {}; }]>,
    InterfaceMethod<[{
        Counted and parallel: builds the number of iterations (i64), where
        `remap` yields the value to use for an operand.
      }],
      "::mlir::Value", "buildTripCount",
      (ins "::mlir::OpBuilder &":$b,
           "::llvm::function_ref<::mlir::Value(::mlir::Value)>":$remap), [{}],
      [{ return {}; }]>,
    InterfaceMethod<[{
        Parallel: builds the number (i64) of the current iteration in row-major
        order, from 0. `b` is at the start of the body; what is the same in all
        iterations goes before the op.
      }],
      "::mlir::Value", "buildIterationNumber",
      (ins "::mlir::OpBuilder &":$b), [{}], [{ return {}; }]>,
    InterfaceMethod<[{
        All but parallel: replaces the op by one through which the values
        `carried` pass, too. Calls `threadRegion` once for each region, when it
        is in the new op, with the carried values at its start; that appends the
        carried values at its end to the operands of its terminators. Returns
        the new op, whose last results are the carried values after it.
      }],
      "::mlir::Operation *", "carryValues",
      (ins "::mlir::RewriterBase &":$rewriter, "::mlir::ValueRange":$carried,
           "::mlir::rng::ThreadRegionFn":$threadRegion), [{}],
      [{ return nullptr; }]>
  ];
}

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_THREADABLEREGION_TD
