//===- Passes.td - Kernels for NVIDIA GPUs -----------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_GPUTONVPTX_PASSES_TD
#define RNGDIALECT_CONVERSION_GPUTONVPTX_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngCheckNVPTXTargetPass
    : Pass<"rng-check-nvptx-target", "::mlir::ModuleOp"> {
  let summary = "Check that the target and its tools exist";
  let description = [{
    Fails with an error if LLVM does not know `chip` or it is older than `sm_70`;
    `format` is none of `isa`, `bin` and `fatbin`, needs tools that are missing or
    has tools that do not know the chip; `opt-level` is not 0 to 3; `math` is
    `libm` and there is no libdevice; or a `gpu.module` has a target of its own
    for which the same holds. Changes nothing.

    Tools are looked for on `PATH`, then in the CUDA toolkit. The toolkit is the
    first with a libdevice: what `CUDA_ROOT`, `CUDA_HOME` or `CUDA_PATH` names,
    where `nvcc` or `ptxas` on `PATH` is, `/usr/local/cuda`, `/usr/lib/cuda`,
    `/usr/lib/nvidia-cuda-toolkit`, `/opt/cuda`.

    ```mlir-fragment
    // error: expected option 'chip' to name an NVIDIA chip such as 'sm_90'
    //        but got 'foo'
    module {}
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The chip to compile for">,
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "What kernels become: isa (PTX), bin (cubin) or fatbin">,
    Option<"optLevel", "opt-level", "int", /*default=*/"3",
           "Optimization level of kernels, 0 to 3">,
    Option<"math", "math", "::mlir::rng::MathLowering",
           "::mlir::rng::MathLowering::Poly", "How math functions are computed",
           [{::llvm::cl::values(
             clEnumValN(::mlir::rng::MathLowering::Poly, "poly",
                        "polynomials: the same bits on every target"),
             clEnumValN(::mlir::rng::MathLowering::Libm, "libm",
                        "libdevice of the CUDA toolkit"))}]>
  ];
}

def RngConvertKernelMathPass
    : Pass<"rng-convert-kernel-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math functions to those of NVIDIA GPUs";
  let description = [{
    Turns the `math` ops that the machine computes exactly or correctly rounded
    into LLVM intrinsics: absf, ceil, floor, trunc, round, roundeven, sqrt,
    copysign, fma on floats of any width, absi, ctlz, cttz, ctpop on integers;
    isnan, isinf, isfinite become comparisons. Any other op of the dialect, and
    `arith.remf`, needs the CUDA toolkit's libdevice and is an error;
    functions of f32 and narrower are to be expanded before. With `math=libm` the
    ops on f32 and f64 that libdevice has stay for `convert-gpu-to-nvvm`, which
    calls it. An op on a type that the machine does not have, on which the backend
    fails or crashes, is an error too. Ops on vectors become one for each element,
    an error beyond 4096 of them, and `arith.sitofp` of an i1 a selection.

    ```mlir-fragment
    %y = math.sqrt %x : f32
    // becomes
    %y = llvm.intr.sqrt(%x) : (f32) -> f32
    ```
  }];
  let options = [
    Option<"math", "math", "::mlir::rng::MathLowering",
           "::mlir::rng::MathLowering::Poly", "How math functions are computed",
           [{::llvm::cl::values(
             clEnumValN(::mlir::rng::MathLowering::Poly, "poly",
                        "polynomials: the same bits on every target"),
             clEnumValN(::mlir::rng::MathLowering::Libm, "libm",
                        "libdevice of the CUDA toolkit"))}]>
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def RngSelectKernelInstructionsPass
    : Pass<"rng-select-kernel-instructions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Brings arithmetic of kernels into forms of fewer instructions";
  let description = [{
    Rewrites what the NVPTX backend has one instruction for but does not find,
    without changing results:

    * `select(x < c, x, c)` and `select(x > c, x, c)` of f32 where x stays if it
      is NaN and c is a constant other than zero: `arith.minimumf` and
      `arith.maximumf`, if the target of the module (`nvvm-attach-target`) is
      sm_80 or later;
    * the extension to f32 of a bf16 from a vector: a shift or a mask of the
      register that holds two.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"
  ];
}

def RngAlignWorkgroupMemoryPass : Pass<"rng-align-workgroup-memory"> {
  let summary = "Align the workgroup memory of kernels to 16 bytes";
  let description = [{
    Puts `llvm.align = 16` on workgroup attributions of `gpu.func` without an
    alignment: LLVM takes arrays of 16 bytes or more to be aligned so and makes
    accesses of 8 and 16 bytes, but its NVPTX backend only aligns them to their
    elements.

    ```mlir-fragment
    gpu.func @f() workgroup(%m: memref<8xf32, #gpu.address_space<workgroup>>)
    // becomes
    gpu.func @f() workgroup(%m: memref<8xf32, #gpu.address_space<workgroup>>
        {llvm.align = 16 : i64})
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def RngMarkReadOnlyArgumentsPass
    : Pass<"rng-mark-read-only-arguments", "::mlir::ModuleOp"> {
  let summary = "Tells which buffers a kernel only reads";
  let description = [{
    Marks pointer arguments of kernels (functions of LLVM in a `gpu.module`, as
    `convert-gpu-to-nvvm` makes them) `llvm.noalias` and `llvm.readonly` if the
    kernel only loads from them and, at each `gpu.launch_func`, they do not
    overlap with what it writes: of two buffers, one was allocated in the
    function that launches, and the other was too, by another op, or is one of
    its arguments. Loads from them become `ld.global.nc` and need not keep their
    place among stores. A kernel that works in place, or on two arguments of one
    function, stays as it is.

    ```mlir-fragment
    llvm.func @k(%allocated: !llvm.ptr, %aligned: !llvm.ptr, ...)
    // becomes
    llvm.func @k(%allocated: !llvm.ptr,
                 %aligned: !llvm.ptr {llvm.noalias, llvm.readonly}, ...)
    ```
  }];
  let statistics = [
    Statistic<"numReadOnly", "num-read-only", "Arguments marked">
  ];
}

def RngRenameKernelsPass : Pass<"rng-rename-kernels", "::mlir::ModuleOp"> {
  let summary = "Gives kernels names that PTX allows";
  let description = [{
    Renames what a `gpu.module` defines, and its uses, where the name is no
    identifier of PTX: other characters than letters, digits, `_` and `$` become
    `_`, a digit at the start gets one in front. Names that were different stay
    so. The names of modules of kernels, which host code alone uses, stay.

    ```mlir-fragment
    gpu.launch_func @main.f_kernel::@main.f_kernel blocks in ...
    // becomes
    gpu.launch_func @main.f_kernel::@main_f_kernel blocks in ...
    ```
  }];
  let statistics = [
    Statistic<"numRenamed", "num-renamed", "Symbols renamed">
  ];
}

def RngCompileKernelsPass : Pass<"rng-compile-kernels", "::mlir::ModuleOp"> {
  let summary = "Compile kernels with the libdevice that is there";
  let description = [{
    Runs upstream's `gpu-module-to-binary`. If a kernel calls functions of
    libdevice, links the one that is found in the places that
    `rng-check-nvptx-target` lists; if there is none, or a kernel calls anything
    else that nothing defines, that is an error. Where nothing needs libdevice,
    upstream's complaint is dropped that the toolkit which the environment names
    has none.

    ```mlir-fragment
    gpu.module @f_kernel [#nvvm.target<chip = "sm_90">] { ... }
    // becomes
    gpu.binary @f_kernel [#gpu.object<#nvvm.target<chip = "sm_90">,
                          assembly = "...">]
    ```
  }];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "What kernels become: isa (PTX), bin (cubin) or fatbin">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def RngDumpGPUBinariesPass : Pass<"rng-dump-gpu-binaries", "::mlir::ModuleOp"> {
  let summary = "Check compiled kernels and write them to files";
  let description = [{
    Fails if the PTX of a `gpu.binary` declares a function that nothing defines
    (a math function for which libdevice was missing). Then, with `dump-dir`,
    creates that folder and writes each `gpu.binary` there, to a file of its
    name: `.ptx`, `.cubin` or `.fatbin`. Drops how long compilation took from
    the module, so that two runs give the same bytes.

    ```mlir-fragment
    gpu.binary @f_kernel [#gpu.object<#nvvm.target<chip = "sm_90">,
                          assembly = "...">]     // written to f_kernel.ptx
    ```
  }];
  let options = [
    Option<"dumpDir", "dump-dir", "std::string", /*default=*/"\"\"",
           "Folder to write compiled kernels to">
  ];
  let statistics = [
    Statistic<"numFiles", "num-files", "Files written">
  ];
}

#endif // RNGDIALECT_CONVERSION_GPUTONVPTX_PASSES_TD
