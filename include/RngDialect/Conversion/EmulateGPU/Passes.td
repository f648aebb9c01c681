//===- Passes.td - Kernels run by the host -----------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_EMULATEGPU_PASSES_TD
#define RNGDIALECT_CONVERSION_EMULATEGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngEmulateGPUPass : Pass<"rng-emulate-gpu", "::mlir::ModuleOp"> {
  let summary = "Run kernels on the host";
  let description = [{
    For tests on machines without a GPU: the kernels of `gpu.launch` and
    `gpu.launch_func`, as `convert-rng-to-gpu` and `gpu-kernel-outlining` leave
    them, become loops of the host over thread blocks and their threads around
    the same bodies.

    * Ids and sizes are the variables and bounds of the loops.
    * At `gpu.barrier` the loop over the threads of a thread block ends and
      another one begins. Values that live across it are kept in buffers of one
      element a thread; constants and views are repeated.
    * `scf.for`, `scf.while` and `scf.if` with barriers are outside of the loops
      over threads. Their bounds and conditions must be the same for all threads
      of a thread block, as constants, arguments, block ids, sizes, and what ops
      without memory effects compute of such values are; other barriers are
      errors.
    * Workgroup attributions are buffers that one thread block after the other
      uses; private ones, and `memref.alloca` at the top level, have memory of
      their own for each thread. Both are freed after the launch.
    * `gpu.alloc`, `gpu.dealloc`, `gpu.memcpy` and `gpu.memset` become accesses
      to memory of the host. All memory spaces are dropped from the module.
    * Everything happens in program order: tokens and waits vanish.
    * Functions and globals beside kernels move to the module, with new names
      where theirs are taken.

    Subgroup ops, clusters, shared memory of dynamic size, and ops of vendors
    are errors. An error leaves the module as it was.

    ```mlir
    // rng-opt --rng-emulate-gpu --canonicalize
    module attributes {gpu.container_module} {
      gpu.module @fill_kernel {
        gpu.func @fill_kernel(%x: memref<?xf32>, %v: f32) kernel {
          %i = gpu.global_id x
          memref.store %v, %x[%i] : memref<?xf32>
          gpu.return
        }
      }
      func.func @fill(%x: memref<?xf32>, %v: f32, %b: index, %t: index) {
        %c1 = arith.constant 1 : index
        gpu.launch_func @fill_kernel::@fill_kernel
            blocks in (%b, %c1, %c1) threads in (%t, %c1, %c1)
            args(%x : memref<?xf32>, %v : f32)
        return
      }
    }
    ```
    becomes
    ```mlir-fragment
    func.func @fill(%x: memref<?xf32>, %v: f32, %b: index, %t: index) {
      %c1 = arith.constant 1 : index
      call @fill_kernel(%b, %c1, %c1, %t, %c1, %c1, %x, %v)
          : (index, index, index, index, index, index, memref<?xf32>, f32) -> ()
      return
    }
    func.func private @fill_kernel(
        %bx: index, %by: index, %bz: index, %tx: index, %ty: index, %tz: index,
        %x: memref<?xf32>, %v: f32) {
      ...
      scf.for %block_z = %c0 to %bz step %c1 {
        scf.for %block_y = %c0 to %by step %c1 {
          scf.for %block_x = %c0 to %bx step %c1 {
            scf.for %thread_z = %c0 to %tz step %c1 {
              scf.for %thread_y = %c0 to %ty step %c1 {
                scf.for %thread_x = %c0 to %tx step %c1 {
                  %first = arith.muli %block_x, %tx : index
                  %i = arith.addi %first, %thread_x : index
                  memref.store %v, %x[%i] : memref<?xf32>
    ```
  }];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Launches replaced">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // RNGDIALECT_CONVERSION_EMULATEGPU_PASSES_TD
