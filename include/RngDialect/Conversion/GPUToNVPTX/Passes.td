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

    ```mlir
    // rng-opt --rng-check-nvptx-target=chip=foo -verify-diagnostics
    // expected-error@+2 {{expected option 'chip' to name an NVIDIA chip such as 'sm_90' but got 'foo'}}
    // expected-note@+1 {{known chips: sm_70, sm_72,}}
    module {
    }
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

def RngCheckKernelTypesPass
    : Pass<"rng-check-kernel-types", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Report types that NVIDIA GPUs do not have";
  let description = [{
    Fails at the first op on a type that the machine does not have, on which the
    backend fails or crashes: floats other than f16, bf16, f32 and f64, and
    integers without bits. Floats of 8 bits may be copied and selected, but not
    computed with.

    ```mlir
    // rng-opt --rng-check-kernel-types -verify-diagnostics
    gpu.module @kernels {
      gpu.func @add(%x: tf32) -> tf32 {
        // expected-error@+1 {{on 'tf32' has no code on NVIDIA GPUs}}
        %sum = arith.addf %x, %x : tf32
        gpu.return %sum : tf32
      }
    }
    ```
  }];
}

def RngUnrollKernelMathPass
    : Pass<"rng-unroll-kernel-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Compute math functions of vectors element by element";
  let description = [{
    Makes one op for each element of a math function (an op of `math`,
    `arith.remf`, `maxnumf` or `minnumf`) on a vector; an error beyond 4096
    elements, before anything is written out.

    ```mlir
    // rng-opt --rng-unroll-kernel-math
    gpu.module @kernels {
      gpu.func @root(%x: vector<2xf32>) -> vector<2xf32> {
        %y = math.sqrt %x : vector<2xf32>
        gpu.return %y : vector<2xf32>
      }
    }
    ```
    becomes
    ```mlir
    gpu.module @kernels {
      gpu.func @root(%x: vector<2xf32>) -> vector<2xf32> {
        %none = arith.constant dense<0.0> : vector<2xf32>
        %x0 = vector.extract %x[0] : f32 from vector<2xf32>
        %y0 = math.sqrt %x0 : f32
        %first = vector.insert %y0, %none [0] : f32 into vector<2xf32>
        %x1 = vector.extract %x[1] : f32 from vector<2xf32>
        %y1 = math.sqrt %x1 : f32
        %both = vector.insert %y1, %first [1] : f32 into vector<2xf32>
        gpu.return %both : vector<2xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def RngConvertKernelMathPass
    : Pass<"rng-convert-kernel-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math functions to those of NVIDIA GPUs";
  let description = [{
    Turns the `math` ops on scalars that the machine computes exactly or
    correctly rounded into LLVM intrinsics: absf, ceil, floor, trunc, round,
    roundeven, sqrt, copysign, fma on floats of any width, absi, ctlz, cttz,
    ctpop on integers; isnan, isinf, isfinite become comparisons. Any other op of
    the dialect, and `arith.remf`, needs the CUDA toolkit's libdevice and is an
    error; functions of f32 and narrower are to be expanded before
    (`rng-expand-math`), and those of vectors to be unrolled
    (`rng-unroll-kernel-math`). With `math=libm` the ops on f32 and f64 that
    libdevice has stay for `convert-gpu-to-nvvm`, which calls it.

    ```mlir
    // rng-opt --rng-convert-kernel-math
    gpu.module @kernels {
      gpu.func @root(%x: f32) -> (f32, i1) {
        %y = math.sqrt %x : f32
        %nan = math.isnan %y : f32
        gpu.return %y, %nan : f32, i1
      }
    }
    ```
    becomes
    ```mlir
    gpu.module @kernels {
      gpu.func @root(%x: f32) -> (f32, i1) {
        %y = llvm.call_intrinsic "llvm.sqrt.f32"(%x) : (f32) -> f32
        %nan = arith.cmpf uno, %y, %y : f32
        gpu.return %y, %nan : f32, i1
      }
    }
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
                           "::mlir::LLVM::LLVMDialect"];
}

def RngSelectKernelSignsPass
    : Pass<"rng-select-kernel-signs", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Select the floats that an i1 as a signed number stands for";
  let description = [{
    Makes a selection of `arith.sitofp` of an i1, true to -1: the backend
    converts true to 1 where the result is bf16.

    ```mlir
    // rng-opt --rng-select-kernel-signs
    gpu.module @kernels {
      gpu.func @sign(%x: i1) -> bf16 {
        %y = arith.sitofp %x : i1 to bf16
        gpu.return %y : bf16
      }
    }
    ```
    becomes
    ```mlir
    gpu.module @kernels {
      gpu.func @sign(%x: i1) -> bf16 {
        %minus_one = arith.constant -1.0 : bf16
        %zero = arith.constant 0.0 : bf16
        %y = arith.select %x, %minus_one, %zero : bf16
        gpu.return %y : bf16
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RngSelectKernelProductsPass
    : Pass<"rng-select-kernel-products", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Compute products by the instructions of NVIDIA GPUs";
  let description = [{
    Rewrites products for which the backend finds more instructions than needed,
    without changing results:

    * `arith.mului_extended` of 32 bits: an instruction for each half, where LLVM
      would end with 64-bit products;
    * the sum of an exact product, of an integer and a power of two of 1 to
      2^-64, in f32 or f64: one `fma`, which rounds the sum once, as the two
      operations do.

    ```mlir
    // rng-opt --rng-select-kernel-products
    gpu.module @kernels {
      gpu.func @products(%a: i32, %b: i32, %c: f32) -> (i32, i32, f32) {
        %low, %high = arith.mului_extended %a, %b : i32
        %unit = arith.constant 0.5 : f32
        %n = arith.uitofp %a : i32 to f32
        %scaled = arith.mulf %n, %unit : f32
        %sum = arith.addf %scaled, %c : f32
        gpu.return %low, %high, %sum : i32, i32, f32
      }
    }
    ```
    becomes
    ```mlir-fragment
    %low = arith.muli %a, %b : i32
    %high = llvm.call_intrinsic "llvm.nvvm.mulhi.ui"(%a, %b)
        : (i32, i32) -> i32
    %unit = arith.constant 5.000000e-01 : f32
    %n = arith.uitofp %a : i32 to f32
    ...
    %sum = llvm.call_intrinsic "llvm.fma.f32"(%n, %unit, %c)
        : (f32, f32, f32) -> f32
    gpu.return %low, %high, %sum : i32, i32, f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
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

    ```mlir
    // rng-opt --rng-select-kernel-instructions
    gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
      gpu.func @f(%x: f32, %pairs: vector<2xbf16>) -> (f32, f32) {
        %c = arith.constant 8.0 : f32
        %is_below = arith.cmpf ult, %x, %c : f32
        %clamped = arith.select %is_below, %x, %c : f32
        %second = vector.extract %pairs[1] : bf16 from vector<2xbf16>
        %wide = arith.extf %second : bf16 to f32
        gpu.return %clamped, %wide : f32, f32
      }
    }
    ```
    becomes
    ```mlir-fragment
    %clamped = arith.minimumf %x, %c : f32
    ...
    %registers = vector.bitcast %pairs : vector<2xbf16> to vector<1xi32>
    %register = vector.extract %registers[0] : i32 from vector<1xi32>
    %mask = arith.constant -65536 : i32
    %bits = arith.andi %register, %mask : i32
    %wide = arith.bitcast %bits : i32 to f32
    gpu.return %clamped, %wide : f32, f32
    ```
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

    ```mlir
    // rng-opt --rng-align-workgroup-memory
    gpu.module @kernels {
      gpu.func @f() workgroup(%m: memref<8xf32, #gpu.address_space<workgroup>>) {
        gpu.return
      }
    }
    ```
    becomes
    ```mlir-fragment
    gpu.func @f() workgroup(
        %m: memref<8xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) {
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

    ```mlir
    // rng-opt --rng-mark-read-only-arguments
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        llvm.func @copy(%to: !llvm.ptr, %to_aligned: !llvm.ptr, %to_offset: i64,
                        %to_size: i64, %to_stride: i64,
                        %from: !llvm.ptr, %from_aligned: !llvm.ptr,
                        %from_offset: i64, %from_size: i64, %from_stride: i64)
            attributes {gpu.kernel, nvvm.kernel} {
          %v = llvm.load %from_aligned : !llvm.ptr -> f32
          llvm.store %v, %to_aligned : f32, !llvm.ptr
          llvm.return
        }
      }
      func.func @f(%x: memref<8xf32>) -> memref<8xf32> {
        %c1 = arith.constant 1 : index
        %y = gpu.alloc () : memref<8xf32>
        gpu.launch_func @kernels::@copy
            blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
            args(%y : memref<8xf32>, %x : memref<8xf32>)
        return %y : memref<8xf32>
      }
    }
    ```
    becomes
    ```mlir-fragment
    llvm.func @copy(%to: !llvm.ptr, %to_aligned: !llvm.ptr {llvm.align = 16 : i64},
                    %to_offset: i64, %to_size: i64, %to_stride: i64,
                    %from: !llvm.ptr,
                    %from_aligned: !llvm.ptr {llvm.noalias, llvm.readonly},
                    %from_offset: i64, %from_size: i64, %from_stride: i64)
        attributes {gpu.kernel, nvvm.kernel} {
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

    ```mlir
    // rng-opt --rng-rename-kernels
    module attributes {gpu.container_module} {
      gpu.module @main.f_kernel {
        gpu.func @main.f_kernel() kernel {
          gpu.return
        }
      }
      func.func @main.f(%n: index) {
        gpu.launch_func @main.f_kernel::@main.f_kernel
            blocks in (%n, %n, %n) threads in (%n, %n, %n)
        return
      }
    }
    ```
    becomes
    ```mlir-fragment
    gpu.module @main.f_kernel {
      gpu.func @main_f_kernel() kernel {
    ...
    func.func @main.f(%n: index) {
      gpu.launch_func @main.f_kernel::@main_f_kernel
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

    ```mlir
    // rng-opt --rng-compile-kernels
    module attributes {gpu.container_module} {
      gpu.module @f_kernel [#nvvm.target<chip = "sm_90">] {
        llvm.func @f_kernel() attributes {gpu.kernel, nvvm.kernel} {
          llvm.return
        }
      }
    }
    ```
    becomes
    ```mlir-fragment
    gpu.binary @f_kernel [#gpu.object<#nvvm.target<chip = "sm_90">, ...
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

    ```mlir
    // rng-opt --rng-dump-gpu-binaries=dump-dir=ptx
    module attributes {gpu.container_module} {
      gpu.binary @f_kernel [
        #gpu.object<#nvvm.target<chip = "sm_90">,
                    properties = {ISAToBinaryTimeInMs = 5 : i64},
                    assembly = ".version 7.8">]
    }
    ```
    becomes
    ```mlir-fragment
    // Written to ptx/f_kernel.ptx.
    gpu.binary @f_kernel [#gpu.object<#nvvm.target<chip = "sm_90">, properties = {},
                          assembly = ".version 7.8">]
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
