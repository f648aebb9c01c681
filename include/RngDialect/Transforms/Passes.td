//===- Passes.td - Transforms of the rng dialect -----------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PASSES_TD
#define RNGDIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngGenerateDriver : Pass<"rng-generate-driver", "::mlir::ModuleOp"> {
  let summary = "adds a main function that runs and checks pairs";
  let description = [{
    Adds `func.func @main()` to a module of forward and backward functions (those
    with `rng.backward` and `rng.saved`, as `rng-partition` leaves them). Run
    after `rng-to-cpu`, it makes up arguments (stateless draws at fixed states;
    those of `rng.persistent` arguments are small, as weights are), calls the
    forward and the backward of each pair, prints results, saved values and
    gradients, one line each, and then one line for each check:

    * draws of the backward have the bits of the draws of the forward;
    * a second call of the forward draws other numbers, and the same once the
      state of the generators is restored;
    * with the joint function still there (`rng-partition=keep-joint`; it has the
      name of the forward without `_forward`), all its results have the bits of
      those of the pair;
    * with `finite-differences`, gradients agree with central differences of the
      sum of outputs times cotangents. The step has length `step` in its largest
      element, times the size of the data.

    The last line is `driver: all checks passed`, or says how many failed, and
    then the process ends with status 1. Compared are draws of tensors that are
    not inside a loop, a branch or another function. The program needs the
    libraries `rng_runtime`, `rng_runner_utils` and `mlir_c_runner_utils`.

    Example: for

    ```mlir
    func.func @f_forward(%a: tensor<8xf32>) -> tensor<8xf32>
        attributes {rng.backward = @f_backward,
                    rng.saved = [#rng.saved<argument 0>]} {
      %y = arith.mulf %a, %a : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    func.func @f_backward(%a: tensor<8xf32>, %dy: tensor<8xf32>)
        -> tensor<8xf32> {
      %d = arith.mulf %a, %dy : tensor<8xf32>
      %da = arith.addf %d, %d : tensor<8xf32>
      return %da : tensor<8xf32>
    }
    ```

    the driver begins like

    ```mlir
    %a = rng.stateless_uniform %seed, %c0 range(%lo, %hi) : tensor<8xf32>
    %da = rng.stateless_uniform %seed1, %c1 range(%lo, %hi) : tensor<8xf32>
    %s, %o = rng.get_state : i64, i64
    %y = call @f_forward(%a) : (tensor<8xf32>) -> tensor<8xf32>
    vector.print str "f: result 0: " punctuation <no_punctuation>
    %buffer = bufferization.to_buffer %y read_only
        : tensor<8xf32> to memref<8xf32>
    %any = memref.cast %buffer : memref<8xf32> to memref<*xf32>
    call @rngPrintF32(%any) : (memref<*xf32>) -> ()
    ```
  }];
  let options = [
    Option<"dynamicSize", "dynamic-size", "int64_t", /*default=*/"5",
           "Size of dynamic dimensions of the arguments">,
    Option<"finiteDifferences", "finite-differences", "bool",
           /*default=*/"false", "Compare gradients with finite differences">,
    Option<"step", "step", "double", /*default=*/"1e-2",
           "Step of the finite differences, in units of the data">,
    Option<"tolerance", "tolerance", "double", /*default=*/"1e-3",
           "Largest relative error of the finite differences">,
    ListOption<"gradientArguments", "gradient-arguments", "unsigned",
               "For each gradient the argument of the forward that it is of; "
               "without, the next argument of its type">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::rng::RngDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // RNGDIALECT_TRANSFORMS_PASSES_TD
