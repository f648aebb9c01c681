//===- Passes.td - Kernels ---------------------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_BUFFERSTOGPU_PASSES_TD
#define RNGDIALECT_CONVERSION_BUFFERSTOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngMarkDeviceFunctionsPass
    : Pass<"rng-mark-device-functions", "::mlir::ModuleOp"> {
  let summary = "Mark the functions that work in device memory";
  let description = [{
    Puts `rng.device` on each function that takes or returns tensors or has an
    op that computes with them: one with a tensor operand or result, other than
    calls, `bufferization.to_tensor` and `bufferization.to_buffer`. In these
    functions every buffer will be device memory, arguments and results
    included; so they are in functions defined elsewhere that take or return
    tensors, unless they are C functions (`llvm.emit_c_interface`). All other
    functions are host code and are left as they are: a driver may allocate
    device memory (`gpu.alloc`), fill it from the host (`gpu.memcpy`), hand it
    to a device function as a tensor (`bufferization.to_tensor`), and owns
    (frees) the results that come back.

    Runs before bufferization, after which tensors are gone.

    ```mlir
    // rng-opt --rng-mark-device-functions
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = arith.addf %x, %x : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
    becomes
    ```mlir
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

def ConvertRngToGPUPass : Pass<"convert-rng-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn work on buffers of device functions into kernels";
  let description = [{
    In functions marked `rng.device` (see `rng-mark-device-functions`), after
    bufferization:

    * each structured op (any `linalg` op on buffers) and each `memref.copy`
      becomes a `gpu.launch`: one thread for each point of the parallel
      dimensions in row-major order, thread blocks of 256 in one grid dimension,
      reduction dimensions in a loop in the thread, their results in registers,
      in the order of the indices. An op whose results are not one to one with
      its parallel points is run by a single thread;
    * in an elementwise op on contiguous buffers (identity maps and layouts;
      inputs may be broadcast over outer or inner dimensions of matching sizes),
      a thread does groups of as many neighbours as fill 16 bytes of the widest
      operand, or as a stream block yields, if more: up to 16 elements, fewer
      where loads or code would be long or the size is known to be small. The
      groups of a thread block lie side by side, first the first one of each
      thread. Each operand is accessed 16 bytes at a time (masks too, an i1 is a
      byte), and draws of the element compute each stream block once for all its
      values. Further threads of the kernel do one element each: what is left of
      the size, or everything if an address turns out to be no multiple of 16.
      Other draws stay, for `convert-rng-to-arith`. A copy of contiguous buffers
      is done so too;
    * a reduction whose innermost loop is one is done by a thread block for
      each element of its result, in the order of `docs/spec.md`, section
      "Reductions", unless it is short: up to 32 values of known number are one
      thread's;
    * a contraction with loops over rows and columns of its result (a matmul, in
      batches or transposed) is done by thread blocks of 16 x 16 threads,
      through tiles
      in workgroup memory, in the order of its loops;
    * `scf.forall` on buffers, without a mapping, of structured ops, copies,
      views, scalar accesses, index arithmetic and `memref.alloc` is one kernel:
      a thread block for each iteration does one op after the other, with
      barriers between those that depend on each other. What it allocates is
      workgroup memory while 48 KiB last, else device memory. Other parallel
      loops stay on the host;
    * `memref.store` is a kernel of one thread; `memref.load` one that takes the
      element to a buffer of its own, which is copied to the host;
    * `memref.alloc` becomes `gpu.alloc`, constants (`memref.get_global`) are
      copied to the device;
    * a buffer that is handed to a function without the mark, host code, is
      copied to the host for the call and back afterwards.

    Index arithmetic has 64 bits, or 32 in groups of shapes that are known to
    fit. Shapes that may be empty are guarded, as a grid of zero thread blocks
    is an error. What is left on the host has no kernel form and does not touch
    device memory; an op that would is an error. Scalars are host values and
    become kernel arguments. The kernels use no dialect of a vendor.

    `--remarks-filter-missed=convert-rng-to-gpu` says of each elementwise op of
    which a thread does one element why it does not do groups.

    ```mlir
    // rng-opt --convert-rng-to-gpu --canonicalize
    #id = affine_map<(i) -> (i)>
    func.func @f(%x: memref<?xf32, strided<[2]>>, %y: memref<?xf32>)
        attributes {rng.device} {
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : memref<?xf32, strided<[2]>>) outs(%y : memref<?xf32>) {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %a : f32
        linalg.yield %s : f32
      }
      return
    }
    ```
    becomes
    ```mlir-fragment
    %some = arith.cmpi ne, %n, %c0 : index
    scf.if %some {
      ...
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
        %base = arith.muli %bx, %c256 : index
        %i = arith.addi %base, %tx : index
        %inside = arith.cmpi ult, %i, %n : index
        scf.if %inside {
          %a = memref.load %x[%i] : memref<?xf32, strided<[2]>>
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
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels made">
  ];
}

def RngHoistFromLaunchesPass
    : InterfacePass<"rng-hoist-from-launches", "::mlir::FunctionOpInterface"> {
  let summary = "Compute on the host what kernels compute of its floats alone";
  let description = [{
    Moves operations of `arith` and `math` on scalars in front of the
    `gpu.launch` that they are in if all their operands are floats from outside,
    results of operations that move, or constants: one thread's worth of work
    instead of every thread's. Of integers nothing starts to move, for what is
    computed of a seed or a size is often as many values as operations, each of
    which a kernel would have to load.

    ```mlir
    // rng-opt --pass-pipeline='builtin.module(func.func(rng-hoist-from-launches))'
    func.func @f(%p: f32, %n: index, %y: memref<?xi32>) {
      %c1 = arith.constant 1 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
        %unit = arith.constant 16777216.0 : f32
        %scaled = arith.mulf %p, %unit : f32
        %threshold = arith.fptoui %scaled : f32 to i32
        memref.store %threshold, %y[%tx] : memref<?xi32>
        gpu.terminator
      }
      return
    }
    ```
    becomes
    ```mlir
    func.func @f(%p: f32, %n: index, %y: memref<?xi32>) {
      %c1 = arith.constant 1 : index
      %unit = arith.constant 16777216.0 : f32
      %scaled = arith.mulf %p, %unit : f32
      %threshold = arith.fptoui %scaled : f32 to i32
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
        memref.store %threshold, %y[%tx] : memref<?xi32>
        gpu.terminator
      }
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Operations moved">
  ];
}

def RngInsertDeviceDeallocsPass
    : Pass<"rng-insert-device-deallocs", "::mlir::ModuleOp"> {
  let summary = "Free the buffers of device functions";
  let description = [{
    Upstream's ownership-based deallocation, for functions marked `rng.device`
    only: results belong to the caller, arguments are not freed, everything else
    is freed (`bufferization.dealloc`). Functions without the mark free their
    memory themselves.

    ```mlir
    // rng-opt --rng-insert-device-deallocs --canonicalize
    func.func @f(%x: memref<8xf32>, %n: index) attributes {rng.device} {
      %c1 = arith.constant 1 : index
      %t = gpu.alloc () : memref<8xf32>
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
        %v = memref.load %x[%tx] : memref<8xf32>
        memref.store %v, %t[%tx] : memref<8xf32>
        gpu.terminator
      }
      return
    }
    ```
    becomes
    ```mlir-fragment
    %t = gpu.alloc () : memref<8xf32>
    gpu.launch ... {
      %v = memref.load %x[%tx] : memref<8xf32>
      memref.store %v, %t[%tx] : memref<8xf32>
      gpu.terminator
    }
    bufferization.dealloc (%t : memref<8xf32>) if (%true)
    return
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def RngLowerDeviceDeallocsPass
    : Pass<"rng-lower-device-deallocs", "::mlir::ModuleOp"> {
  let summary = "Turn deallocations of device memory into gpu.dealloc";
  let description = [{
    In functions marked `rng.device`, after `convert-rng-to-gpu` and the
    lowering of `bufferization.dealloc`: a `memref.dealloc` of what did not come
    from `memref.alloc` (host memory) becomes `gpu.dealloc`, a
    `bufferization.clone` becomes an allocation and a kernel that copies. Then
    removes the marks.

    ```mlir
    // rng-opt --rng-lower-device-deallocs
    func.func @f() attributes {rng.device} {
      %t = gpu.alloc () : memref<8xf32>
      memref.dealloc %t : memref<8xf32>
      return
    }
    ```
    becomes
    ```mlir
    func.func @f() {
      %t = gpu.alloc () : memref<8xf32>
      gpu.dealloc %t : memref<8xf32>
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // RNGDIALECT_CONVERSION_BUFFERSTOGPU_PASSES_TD
