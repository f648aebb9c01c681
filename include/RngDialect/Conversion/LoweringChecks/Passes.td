//===- Passes.td - What cannot be lowered ------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_LOWERINGCHECKS_PASSES_TD
#define RNGDIALECT_CONVERSION_LOWERINGCHECKS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngCheckLowerablePass : Pass<"rng-check-lowerable"> {
  let summary = "Report what cannot be lowered";
  let description = [{
    Fails at

    * an op of a dialect that is not registered, or that no pass of the
      pipelines lowers (it has no `ConvertToLLVMPatternInterface`);
    * an op of this dialect or on tensors in a nested module, a stateful draw, a
      draw that an algorithm does not define, an `rng.reserve_memory` in code
      that threads run or on memory of an odd layout or space;
    * a value, a function or a global of a type that has no form in LLVM, such
      as a quantised number or memory in a space that is not a number
      (`allow-kernels` lets those of the `gpu` dialect pass);
    * a value of more than 2^62 bytes of static size, a vector of more than 65536
      elements, a tensor with an encoding, which a buffer does not keep;
    * an op on tensors, or on what holds tensors, that cannot be bufferized, and
      `bufferization.to_tensor` without `restrict`;
    * a function that does not end in `func.return`, or never ends;
    * an op that frees memory, such as `memref.dealloc`, or that does not say
      what it does to memory: `rng-to-cpu` frees what functions allocate, and
      cannot mix that with what a program frees (`allow-dealloc` lets these
      pass).

    First in the pipelines, so that they decide before they change anything.
    Warns of joint functions that `rng-partition` has not split.

    ```mlir
    // rng-opt --rng-check-lowerable -verify-diagnostics
    func.func @f() -> f32 {
      // expected-error@+1 {{reads and advances a generator and cannot be lowered}}
      %u = rng.uniform : f32
      return %u : f32
    }
    ```
  }];
  let options = [
    Option<"allowDealloc", "allow-dealloc", "bool", /*default=*/"false",
           "Let memref.dealloc pass: functions without tensors free by "
           "themselves">,
    Option<"allowKernels", "allow-kernels", "bool", /*default=*/"false",
           "Let types of the gpu dialect pass: kernels are compiled">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def RngCheckBufferizablePass : Pass<"rng-check-bufferizable"> {
  let summary = "Report ops on tensors that cannot be bufferized";
  let description = [{
    Fails at an op on tensors without `BufferizableOpInterface`, and names it,
    which `one-shot-bufferize` does not, and at a tensor with an encoding, which
    would be lost, or with elements that no buffer has (`!quant.uniform`). In the
    pipelines, just before that.

    ```mlir
    // rng-opt --rng-check-bufferizable -verify-diagnostics
    func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      // expected-error@+1 {{works on tensors and has no form on buffers}}
      %b = tosa.tanh %a : (tensor<4xf32>) -> tensor<4xf32>
      %c = tensor.empty() : tensor<4xf32>
      return %b, %c : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
}

#endif // RNGDIALECT_CONVERSION_LOWERINGCHECKS_PASSES_TD
