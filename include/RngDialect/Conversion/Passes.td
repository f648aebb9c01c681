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
// GPUs
//===----------------------------------------------------------------------===//

def RngMarkDeviceFunctions
    : Pass<"rng-mark-device-functions", "::mlir::ModuleOp"> {
  let summary = "marks the functions that work in device memory";
  let description = [{
    Puts `rng.device` on each function that computes with tensors: one with an
    op that has a tensor operand or result, other than calls, returns,
    `bufferization.to_tensor` and `bufferization.to_buffer`. In these functions
    every buffer will be device memory, arguments and results included. All
    other functions are host code and are left as they are: a driver may
    allocate device memory (`gpu.alloc`), fill it from the host (`gpu.memcpy`),
    hand it to a device function as a tensor (`bufferization.to_tensor`), and
    owns the results that come back.

    Runs before bufferization, after which tensors are gone.

    ```mlir
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = arith.addf %x, %x : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    // becomes
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {rng.device} {
      %y = arith.addf %x, %x : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numDeviceFunctions", "num-device-functions",
              "Functions that work in device memory">
  ];
}

def ConvertRngToGPU : Pass<"convert-rng-to-gpu", "::mlir::ModuleOp"> {
  let summary = "turns work on buffers of device functions into kernels";
  let description = [{
    In functions marked `rng.device` (see `rng-mark-device-functions`), after
    bufferization:

    * each structured op (any `linalg` op on buffers) and each `memref.copy`
      becomes a `gpu.launch`: one thread for each point of the parallel
      dimensions in row-major order, blocks of 256 in one grid dimension,
      reduction dimensions in a loop in the thread, their results in registers,
      in the order of the indices. An op whose results are not one to one with
      its parallel points is run by a single thread;
    * `memref.store` is a kernel of one thread; `memref.load` one that takes the
      element to a buffer of its own, which is copied to the host;
    * `memref.alloc` becomes `gpu.alloc`, constants (`memref.get_global`) are
      copied to the device.

    Index arithmetic has 64 bits. Shapes that may be empty are guarded, as a
    grid of zero blocks is an error. What is left on the host has no kernel form
    and does not touch device memory; an op that would is an error. Scalars are
    host values and become kernel arguments. The kernels use no dialect of a
    vendor.

    ```mlir
    linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}
        ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    }
    // becomes
    %some = arith.cmpi ne, %n, %c0 : index
    scf.if %some {
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
        %base = arith.muli %bx, %c256 : index
        %i = arith.addi %base, %tx : index
        %inside = arith.cmpi ult, %i, %n : index
        scf.if %inside {
          %a = memref.load %x[%i] : memref<?xf32>
          %s = arith.addf %a, %a : f32
          memref.store %s, %y[%i] : memref<?xf32>
        }
        gpu.terminator
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels made">
  ];
}

def RngInsertDeviceDeallocs
    : Pass<"rng-insert-device-deallocs", "::mlir::ModuleOp"> {
  let summary = "frees the buffers of device functions";
  let description = [{
    Upstream's ownership-based deallocation, for functions marked `rng.device`
    only: results belong to the caller, arguments are not freed, everything else
    is freed (`bufferization.dealloc`). Functions without the mark free their
    memory themselves.

    ```mlir
    func.func @f(%x: memref<8xf32>) attributes {rng.device} {
      %t = gpu.alloc () : memref<8xf32>
      gpu.launch_func @f_kernel::@f_kernel
          blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
          args(%x : memref<8xf32>, %t : memref<8xf32>)
      bufferization.dealloc (%t : memref<8xf32>) if (%true)   // <- new
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def RngLowerDeviceDeallocs
    : Pass<"rng-lower-device-deallocs", "::mlir::ModuleOp"> {
  let summary = "turns deallocations of device memory into gpu.dealloc";
  let description = [{
    In functions marked `rng.device`, after `convert-rng-to-gpu` and the
    lowering of `bufferization.dealloc`: a `memref.dealloc` of what did not come
    from `memref.alloc` (host memory) becomes `gpu.dealloc`, a
    `bufferization.clone` becomes an allocation and a kernel that copies. Then
    removes the marks.

    ```mlir
    memref.dealloc %t : memref<8xf32>
    // becomes
    gpu.dealloc %t : memref<8xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def RngCheckNVPTXTarget : Pass<"rng-check-nvptx-target", "::mlir::ModuleOp"> {
  let summary = "checks that the target and its tools exist";
  let description = [{
    Fails with an error if LLVM does not know `chip`, `format` is none of `isa`,
    `bin` and `fatbin` or needs tools that are missing, or `opt-level` is not 0
    to 3. Changes nothing.

    ```mlir
    // error: expected option 'chip' to name an NVIDIA chip such as 'sm_90'
    //        but got 'foo'
    module {}
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The chip to compile for">,
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "What kernels become: isa (PTX), bin (cubin) or fatbin">,
    Option<"optLevel", "opt-level", "int", /*default=*/"3",
           "Optimization level of kernels, 0 to 3">
  ];
}

def RngConvertKernelMath
    : Pass<"rng-convert-kernel-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "math functions that NVIDIA GPUs have, without libdevice";
  let description = [{
    Turns the `math` ops that the machine computes exactly or correctly rounded
    into LLVM intrinsics: absf, ceil, floor, trunc, round, roundeven, sqrt,
    copysign, fma on floats of any width, absi, ctlz, cttz, ctpop on integers;
    isnan, isinf, isfinite become comparisons. Any other op of the dialect, and
    `arith.remf`, would need the CUDA toolkit's libdevice and is an error;
    functions of f32 and narrower are to be expanded before.

    ```mlir
    %y = math.sqrt %x : f32
    // becomes
    %y = llvm.intr.sqrt(%x) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def RngDumpGPUBinaries : Pass<"rng-dump-gpu-binaries", "::mlir::ModuleOp"> {
  let summary = "checks compiled kernels and writes them to files";
  let description = [{
    Fails if the PTX of a `gpu.binary` declares a function that nothing defines
    (a math function for which libdevice was missing). Then, with `dump-dir`,
    creates that folder and writes each `gpu.binary` there, to a file of its
    name: `.ptx`, `.cubin` or `.fatbin`. The module does not change.

    ```mlir
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

#endif // RNGDIALECT_CONVERSION_PASSES_TD
