//===- Passes.td - Numbers and what is left for LLVM -------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_TOLLVM_PASSES_TD
#define RNGDIALECT_CONVERSION_TOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngExpandMathPass : Pass<"rng-expand-math"> {
  let summary = "Compute math functions by polynomials";
  let description = [{
    With `math=poly` replaces functions of `math` on floats up to 32 bits by
    arithmetic (polynomials, or other functions that have one), so that every
    target computes the same bits and none needs a library. What has no
    polynomial is left, and all is with `math=libm`. An error are functions of
    tensors: they are turned into linalg first.

    ```mlir
    // rng-opt --rng-expand-math
    func.func @f(%x: f32) -> f32 {
      %t = math.tanh %x : f32
      return %t : f32
    }
    ```
    becomes
    ```mlir-fragment
    %below = arith.cmpf ult, %x, %high : f32
    ...
    %x2 = arith.mulf %x_clamped, %x_clamped : f32
    %p_1 = math.fma %x2, %k_0, %k_1 : f32
    ...
    %t = arith.divf %p, %q : f32
    ```
  }];
  let options = [
    Option<"math", "math", "::mlir::rng::MathLowering",
           "::mlir::rng::MathLowering::Poly", "How math functions are computed",
           [{::llvm::cl::values(
             clEnumValN(::mlir::rng::MathLowering::Poly, "poly",
                        "polynomials: the same bits on every target"),
             clEnumValN(::mlir::rng::MathLowering::Libm, "libm",
                        "the C library"))}]>];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def RngKeepRoundingsPass : Pass<"rng-keep-roundings"> {
  let summary = "Round wherever the program rounds";
  let description = [{
    Takes from `arith.extf` and `arith.truncf` the permission to be contracted.
    Upstream computes narrow floats in wide ones and lets folds skip the rounding
    between two operations; the bits would then depend on what was fused, and
    differ between the CPU and a GPU with operations on narrow floats.

    ```mlir
    // rng-opt --rng-keep-roundings
    func.func @f(%x: f32) -> f32 {
      %h = arith.truncf %x fastmath<contract> : f32 to bf16
      %y = arith.extf %h fastmath<contract> : bf16 to f32
      return %y : f32
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: f32) -> f32 {
      %h = arith.truncf %x : f32 to bf16
      %y = arith.extf %h : bf16 to f32
      return %y : f32
    }
    ```
  }];
}

def RngStripAttributesPass : Pass<"rng-strip-attributes"> {
  let summary = "Remove the discardable attributes of the rng dialect";
  let description = [{
    Removes what the dialect notes on modules, functions, arguments, results and
    ops: it has served its purpose once all draws are lowered, and tools without
    the dialect could not parse it.

    ```mlir
    // rng-opt --rng-strip-attributes
    func.func @f(%w: tensor<8xf32> {rng.persistent}) {
      return
    }
    ```
    becomes
    ```mlir
    func.func @f(%w: tensor<8xf32>) {
      return
    }
    ```
  }];
}

def RngFinalizeLLVMPass : Pass<"rng-finalize-llvm", "ModuleOp"> {
  let summary = "Make sure that a module is of the LLVM dialect alone";
  let description = [{
    Last in the pipelines: names the first op that no pass of the pipeline could
    lower (compiled kernels and their launches are fine), instead of leaving
    that to the next tool, and drops attributes of other dialects that
    conversions left on ops and that tools without these dialects could not
    parse. What a conversion of a float to an integer yields is frozen: of a
    float that no integer stands for, it is any number, but not poison.

    ```mlir
    // rng-opt --rng-finalize-llvm
    llvm.func @f(%x: f16) -> f32 {
      %y = llvm.fpext %x {fastmath = #arith.fastmath<contract>} : f16 to f32
      llvm.return %y : f32
    }
    ```
    becomes
    ```mlir
    llvm.func @f(%x: f16) -> f32 {
      %y = llvm.fpext %x : f16 to f32
      llvm.return %y : f32
    }
    ```
  }];
}

#endif // RNGDIALECT_CONVERSION_TOLLVM_PASSES_TD
