//===- Passes.td - Generators of the process ---------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_RNGSTATETORUNTIME_PASSES_TD
#define RNGDIALECT_CONVERSION_RNGSTATETORUNTIME_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertRngStateToRuntimePass
    : Pass<"convert-rng-state-to-runtime", "ModuleOp"> {
  let summary = "Lower reads and writes of generators to calls of the runtime";
  let description = [{
    `rng.get_state`, `rng.set_state` and `rng.reserve` become calls of the C
    functions `rngGetState`, `rngSetState` and `rngReserve` of the runtime
    (`RngDialect/Runtime/RngRuntime.h`); embedders that bring their own set
    `prefix`. The state comes back through a stack slot in the entry block of
    the function. `rng.generator` ops are erased: `rngDeclare` gives each its
    seed, unless it is known already, when the module is loaded (by a constructor
    in `llvm.mlir.global_ctors`) and before each use.

    Stateful draws are an error: run `rng-thread-state` first.

    ```mlir
    // rng-opt --convert-rng-state-to-runtime
    func.func @f(%blocks: i64) -> (i64, i64) {
      %seed, %offset = rng.reserve %blocks : i64, i64
      return %seed, %offset : i64, i64
    }
    ```
    becomes
    ```mlir-fragment
    %c2 = llvm.mlir.constant(2 : i64) : i64
    %state = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
    %name = llvm.mlir.zero : !llvm.ptr
    llvm.call @rngReserve(%name, %blocks, %state)
        : (!llvm.ptr, i64, !llvm.ptr) -> ()
    %seed_address = llvm.getelementptr %state[0] : (!llvm.ptr) -> !llvm.ptr, i64
    %seed = llvm.load %seed_address : !llvm.ptr -> i64
    %offset_address = llvm.getelementptr %state[1]
        : (!llvm.ptr) -> !llvm.ptr, i64
    %offset = llvm.load %offset_address : !llvm.ptr -> i64
    ```
  }];
  let options = [
    Option<"prefix", "prefix", "std::string", [{"rng"}],
           "Prefix of the functions of the runtime">];
  let statistics = [
    Statistic<"numCalls", "num-calls", "Number of state ops lowered">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // RNGDIALECT_CONVERSION_RNGSTATETORUNTIME_PASSES_TD
