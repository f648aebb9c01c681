//===- Passes.td - Lowerings of the rng dialect ------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_PASSES_TD
#define RNGDIALECT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Draws and state
//===----------------------------------------------------------------------===//

def ConvertRngStateToRuntimePass
    : Pass<"convert-rng-state-to-runtime", "ModuleOp"> {
  let summary = "Lower reads and writes of generators to calls of the runtime";
  let description = [{
    `rng.get_state`, `rng.set_state` and `rng.reserve` become calls of the C
    functions `rngGetState`, `rngSetState` and `rngReserve` of the runtime
    (`RngDialect/Runtime/RngRuntime.h`); embedders that bring their own set
    `prefix`. The state comes back through a stack slot in the entry block of
    the function. Before each use of a named generator, `rngDeclare` gives it
    its seed unless it is known already. `rng.generator` ops are erased.

    Stateful draws are an error: run `rng-thread-state` first.

    ```mlir-fragment
    %seed, %offset = rng.reserve %blocks : i64, i64
    ```
    becomes
    ```mlir-fragment
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

def ConvertRngToArithPass : Pass<"convert-rng-to-arith"> {
  let summary = "Lower scalar and vector draws to arith, math and vector";
  let description = [{
    Stateless draws of scalars and vectors become the arithmetic of their
    algorithm: logical index, block, words, value. Lanes whose places in the
    logical draw are static relative to a start of a block (`aligned`, or a
    static index) share the blocks they have in common; other lanes compute one
    each. `rng.advance` becomes an addition. Draws of tensors are left alone.

    ```mlir-fragment
    %w = rng.stateless_bits %seed, %offset slice [%i] of [%n] : i32
    ```
    becomes (some of it left out)
    ```mlir-fragment
    %index = arith.index_castui %i : index to i64
    %block = arith.shrui %index, %c2 : i64
    %slot = arith.andi %index, %c3 : i64
    %low, %high = arith.mului_extended %counter_0, %multiplier : i32
    ...
    %w = arith.select %is_slot_3, %word_3, %w_2 : i32
    ```
  }];
  let statistics = [
    Statistic<"numDraws", "num-draws", "Number of draws lowered">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def ConvertRngToLinalgPass : Pass<"convert-rng-to-linalg"> {
  let summary = "Lower tensor draws to linalg.generic of scalar draws";
  let description = [{
    A stateless draw of a tensor becomes a `linalg.generic` whose body draws one
    element: the slice that starts at the indices of the loops. Elementwise
    fusion can then merge it with its users, so that the random values need no
    memory.

    ```mlir-fragment
    %u = rng.stateless_uniform %seed, %offset : tensor<8x4xf32>
    ```
    becomes
    ```mlir-fragment
    %empty = tensor.empty() : tensor<8x4xf32>
    %u = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        outs(%empty : tensor<8x4xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %e = rng.stateless_uniform %seed, %offset slice [%i, %j] of [8, 4] : f32
      linalg.yield %e : f32
    } -> tensor<8x4xf32>
    ```
  }];
  let statistics = [
    Statistic<"numDraws", "num-draws", "Number of draws lowered">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Steps of the pipelines
//===----------------------------------------------------------------------===//

def RngCheckLowerablePass : Pass<"rng-check-lowerable"> {
  let summary = "Report draws that cannot be lowered";
  let description = [{
    Fails where a stateful draw is left, where an algorithm does not define a
    draw yet, and at `memref.dealloc` (the pipelines free what functions
    allocate, and cannot mix that with what a program frees). First in the
    pipelines, so that they decide before they change anything.

    ```mlir-fragment
    %z = rng.stateless_normal %seed, %offset : f32  // error, not there yet
    %u = rng.stateless_uniform %seed, %offset : f32 // fine
    ```
    stays as it is.
  }];
}

def RngExpandMathPass : Pass<"rng-expand-math"> {
  let summary = "Compute math functions by polynomials";
  let description = [{
    With `math=poly` replaces functions of `math` on floats up to 32 bits by
    arithmetic (polynomials, or other functions that have one), so that every
    target computes the same bits and none needs a library. What has no
    polynomial is left, and all is with `math=libm`.

    ```mlir-fragment
    %t = math.tanh %x : f32
    ```
    becomes (the middle left out)
    ```mlir-fragment
    %x2 = arith.mulf %x_clamped, %x_clamped : f32
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

def RngFinalizeLLVMPass : Pass<"rng-finalize-llvm", "ModuleOp"> {
  let summary = "Make sure that a module is of the LLVM dialect alone";
  let description = [{
    Last in `rng-to-cpu`: names the first op that no pass of the pipeline could
    lower, instead of leaving that to the next tool, and drops attributes of
    other dialects that conversions left on ops and that tools without these
    dialects could not parse.

    ```mlir-fragment
    %y = llvm.fpext %x {fastmath = #arith.fastmath<contract>} : f16 to f32
    ```
    becomes
    ```mlir-fragment
    %y = llvm.fpext %x : f16 to f32
    ```
  }];
}

def RngFuseElementwisePass : Pass<"rng-fuse-elementwise"> {
  let summary = "Fuse elementwise linalg ops unless that repeats costly work";
  let description = [{
    Fuses a `linalg.generic` into its only user, as
    `linalg-fuse-elementwise-ops` does, except where the user reads each element several times (a broadcast, a
    contraction) and the body draws or calls a math function.

    ```mlir-fragment
    %keep = linalg.generic {...} outs(%e0) { draw } -> tensor<8xi1>
    %y = linalg.generic {...} ins(%keep, %x) outs(%e1) { select }
        -> tensor<8xf32>
    ```
    becomes
    ```mlir-fragment
    %y = linalg.generic {...} ins(%x) outs(%e1) { draw, select }
        -> tensor<8xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def RngGeneralizeElementwisePass : Pass<"rng-generalize-elementwise"> {
  let summary = "Generalize named linalg ops other than contractions";
  let description = [{
    Makes `linalg.generic` of named ops and `tensor.splat` so that they can be
    fused. Contractions
    and convolutions stay named until fusion is over: fused into the innermost
    loop, elementwise work would be done again for each of its iterations.

    ```mlir-fragment
    %b = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<8x4xf32>)
        dimensions = [0]
    ```
    becomes
    ```mlir-fragment
    %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>,
                                          affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def RngKeepArgumentsPass : Pass<"rng-keep-arguments"> {
  let summary = "Mark tensor arguments of public functions as read only";
  let description = [{
    Sets `bufferization.writable = false` on tensor arguments of public
    functions that do not say otherwise: bufferization would write results into
    the memory of the caller's inputs.

    ```mlir-fragment
    func.func @f(%a: tensor<8xf32>)
    ```
    becomes
    ```mlir-fragment
    func.func @f(%a: tensor<8xf32> {bufferization.writable = false})
    ```
  }];
  let statistics = [
    Statistic<"numArguments", "num-arguments", "Number of arguments marked">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def RngOrderLoopsPass : Pass<"rng-order-loops"> {
  let summary = "Walk buffers contiguously in contractions";
  let description = [{
    Moves the parallel loop that walks all operands contiguously inside the
    reduction of a `linalg.generic` on buffers. Each element's additions keep
    their order, so that results keep their bits.

    ```mlir-fragment
    // for i, j, k: c[i][j] += a[i][k] * b[k][j]
    linalg.generic {iterator_types = ["parallel", "parallel", "reduction"]} ...
    ```
    becomes
    ```mlir-fragment
    // for i, k, j: c[i][j] += a[i][k] * b[k][j]
    linalg.generic {iterator_types = ["parallel", "reduction", "parallel"]} ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def RngStripAttributesPass : Pass<"rng-strip-attributes"> {
  let summary = "Remove the discardable attributes of the rng dialect";
  let description = [{
    Removes what the dialect notes on modules, functions, arguments, results and
    ops: it has served its purpose once all draws are lowered, and tools without
    the dialect could not parse it.

    ```mlir-fragment
    func.func @f(%w: tensor<8xf32> {rng.persistent})
    ```
    becomes
    ```mlir-fragment
    func.func @f(%w: tensor<8xf32>)
    ```
  }];
}

#endif // RNGDIALECT_CONVERSION_PASSES_TD
