//===- Passes.td - Around one-shot bufferization -----------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_BUFFERIZATION_PASSES_TD
#define RNGDIALECT_CONVERSION_BUFFERIZATION_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngBufferizePass : Pass<"rng-bufferize", "::mlir::ModuleOp"> {
  let summary = "Bufferize so that functions see contiguous buffers only";
  let description = [{
    Runs `one-shot-bufferize` with function boundaries and identity layouts.
    It hands a view of a buffer with dynamic sizes to a function, or returns it,
    by a cast that is only right if the view has no gaps: this pass makes
    contiguous copies instead. Casts that the program had before stay.

    The globals that it makes of constants stand in front, named and in the order
    of their first uses.

    ```mlir
    // rng-opt --rng-bufferize
    func.func @f(%t: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
      %s = tensor.extract_slice %t[0, 0] [%m, %n] [1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
      return %s : tensor<?x?xf32>
    }
    ```
    becomes
    ```mlir-fragment
    func.func @f(%t: memref<?x?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
      %s = memref.subview %t[0, 0] [%m, %n] [1, 1]
          : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
      ...
      %copy = memref.alloc(...) : memref<?x?xf32>
      memref.copy %s, %copy
          : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
      return %copy : memref<?x?xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numCopies", "copies", "Number of views that were copied">
  ];
}

def RngReturnAtUnreachablePass : Pass<"rng-return-at-unreachable"> {
  let summary = "Let basic blocks that are never reached return";
  let description = [{
    Replaces `ub.unreachable` by what other basic blocks of the region end in, a
    return of the function as a rule, with poison for its operands: nobody can
    tell. Upstream's deallocation refuses the op, and a function with one exit
    can become structured control flow.

    ```mlir
    // rng-opt --rng-return-at-unreachable
    func.func @f(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      return %x : tensor<4xf32>
    ^bb2:
      ub.unreachable
    }
    ```
    becomes
    ```mlir
    func.func @f(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      return %x : tensor<4xf32>
    ^bb2:
      %any = ub.poison : tensor<4xf32>
      return %any : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::ub::UBDialect"];
}

def RngDefinePoisonPass : Pass<"rng-define-poison"> {
  let summary = "Replace poisoned tensors by undefined ones";
  let description = [{
    Replaces `ub.poison` of a tensor, which `lift-cf-to-scf` puts where a value
    is not needed and which bufferization does not know, by `tensor.empty`.
    Dynamic sizes are 0.

    ```mlir
    // rng-opt --rng-define-poison
    func.func @f() -> tensor<2xi64> {
      %0 = ub.poison : tensor<2xi64>
      return %0 : tensor<2xi64>
    }
    ```
    becomes
    ```mlir
    func.func @f() -> tensor<2xi64> {
      %0 = tensor.empty() : tensor<2xi64>
      return %0 : tensor<2xi64>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RngDropEmptySlicesPass : Pass<"rng-drop-empty-slices"> {
  let summary = "Drop slices without elements";
  let description = [{
    Drops insertions of tensors without elements and such inputs of
    `tensor.concat`; `tensor.pad` of one becomes `tensor.generate`. Lowered, they
    would be slices that start where a tensor ends, which upstream's verifiers
    refuse.

    ```mlir
    // rng-opt --rng-drop-empty-slices
    func.func @f(%a: tensor<2xf32>, %b: tensor<0xf32>, %i: index)
        -> tensor<2xf32> {
      %c = tensor.concat dim(0) %a, %b
          : (tensor<2xf32>, tensor<0xf32>) -> tensor<2xf32>
      %d = tensor.insert_slice %b into %c[%i] [0] [1]
          : tensor<0xf32> into tensor<2xf32>
      return %d : tensor<2xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%a: tensor<2xf32>, %b: tensor<0xf32>, %i: index)
        -> tensor<2xf32> {
      return %a : tensor<2xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"];
}

def RngKeepArgumentsPass : Pass<"rng-keep-arguments"> {
  let summary = "Mark tensor arguments of public functions as read only";
  let description = [{
    Sets `bufferization.writable = false` on tensor arguments of public
    functions that do not say otherwise: bufferization would write results into
    the memory of the caller's inputs.

    ```mlir
    // rng-opt --rng-keep-arguments
    func.func @f(%a: tensor<8xf32>) {
      return
    }
    ```
    becomes
    ```mlir
    func.func @f(%a: tensor<8xf32> {bufferization.writable = false}) {
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numArguments", "num-arguments", "Number of arguments marked">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def RngRepeatFillsPass : Pass<"rng-repeat-fills"> {
  let summary = "Fill a tensor again for each op that overwrites it";
  let description = [{
    A fill whose result several `linalg` ops accumulate into is cloned for each
    of them, so that bufferization does not copy it. The last pass before
    bufferization that may do so: CSE makes one of the clones.

    ```mlir
    // rng-opt --rng-repeat-fills
    func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>)
        -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %c0 = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x4xf32>
      %zero = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>)
          -> tensor<4x4xf32>
      %a = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>)
          outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
      %b = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>)
          outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
    }
    ```
    becomes
    ```mlir-fragment
    %zero_a = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>)
        -> tensor<4x4xf32>
    %a = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>)
        outs(%zero_a : tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero_b = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>)
        -> tensor<4x4xf32>
    %b = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>)
        outs(%zero_b : tensor<4x4xf32>) -> tensor<4x4xf32>
    ```

    A `tensor.empty` that CSE has made one for more than 32 ops becomes one for
    each 32: the time of bufferization grows with the square of this number.
  }];
  let statistics = [
    Statistic<"numFills", "num-fills", "Number of fills that were added">,
    Statistic<"numEmpties", "num-empties",
              "Number of empty tensors that were added">];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // RNGDIALECT_CONVERSION_BUFFERIZATION_PASSES_TD
