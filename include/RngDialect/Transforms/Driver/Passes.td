//===- Passes.td - Programs that compare pairs with joint functions *- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_DRIVER_PASSES_TD
#define RNGDIALECT_TRANSFORMS_DRIVER_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngGenerateDriverPass : Pass<"rng-generate-driver", "::mlir::ModuleOp"> {
  let summary = "Add a main function that runs and checks pairs";
  let description = [{
    Adds `func.func @main()` to a module of forward and backward functions
    (those with `rng.backward` and `rng.saved`, as `rng-partition` leaves them).
    Lowered by `rng-to-cpu` and run, it makes up arguments (stateless draws at
    fixed states; those of `rng.persistent` arguments are small, as weights
    are), calls the forward and the backward of each pair, prints results, saved
    values and gradients, one line each, and then one line for each check:

    * draws of the backward have the bits of the draws of the forward, or, if
      only the backward needs them, of the joint function;
    * a second call of the forward draws other numbers (unless they are so few
      or so much alike that chance may repeat them), and the same once the state
      of the generators, and of each argument `memref<2xi64>`, is restored;
      asked of draws whose state is such a one;
    * with the joint function still there (`rng-partition=keep-joint`; it has
      the name of the forward without `_forward`), all its results have the bits
      of those of the pair;
    * and both leave the same state of the generators and memories;
    * with `schedules`: three calls of the forward, each with its backward right
      behind it, do what three calls of the joint function do, and, unless the
      backward moves a generator, the same whatever the order of the calls: two
      or three forwards first, a backward twice;
    * with `finite-differences`, gradients agree with central differences of the
      sum of outputs times cotangents. The step has length `step` in its largest
      element, times the size of the data.

    The last line is `driver: all checks passed`, or says how many failed, and
    then the process ends with status 1. Compared are draws of tensors that are
    not inside a loop, a branch or another function. The program needs the
    libraries `rng_runtime`, `rng_runner_utils` and `mlir_c_runner_utils`.

    Example: for

    ```mlir
    // rng-opt --rng-generate-driver
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

    the driver is

    ```mlir-fragment
    func.func @main() {
      %zero = arith.constant 0 : i64
      %low = arith.constant -1.0 : f32
      %high = arith.constant 1.0 : f32
      %x = arith.constant 24301 : i64
      %k = arith.constant 0 : i64
      %a = rng.stateless_uniform %x, %k range(%low, %high) : tensor<8xf32>
      ...
      %seed, %offset = rng.get_state : i64, i64
      %y = call @f_forward(%a) : (tensor<8xf32>) -> tensor<8xf32>
      vector.print str "f: result 0: "
      %any = tensor.cast %y : tensor<8xf32> to tensor<*xf32>
      call @rngPrintF32(%any) : (tensor<*xf32>) -> ()
      ...
      %da = call @f_backward(%a, %dy)
          : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      ...
      vector.print str "..."
      ...
      call @rngExitIfFailed(%failed) : (i64) -> ()
      return
    }
    func.func private @rngPrintF32(
        tensor<*xf32> {bufferization.access = "read"})
        attributes {llvm.emit_c_interface}
    ```
  }];
  let options = [
    Option<"dynamicSize", "dynamic-size", "int64_t", /*default=*/"5",
           "Size of dynamic dimensions of the arguments">,
    Option<"finiteDifferences", "finite-differences", "bool",
           /*default=*/"false", "Compare gradients with finite differences">,
    Option<"schedules", "schedules", "bool", /*default=*/"false",
           "Call each pair several times, in several orders">,
    Option<"step", "step", "double", /*default=*/"1e-2",
           "Step of the finite differences, in units of the data">,
    Option<"tolerance", "tolerance", "double", /*default=*/"0",
           "Largest relative error of the finite differences; 0 stands for "
           "1e-3, or 1e-2 for a forward that computes in f16 or bf16">,
    ListOption<"gradientArguments", "gradient-arguments", "unsigned",
               "For each gradient the argument of the forward that it is of; "
               "without, the next argument of its type">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::rng::RngDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // RNGDIALECT_TRANSFORMS_DRIVER_PASSES_TD
