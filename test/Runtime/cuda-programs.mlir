// Programs of rng-to-nvptx on the double of the CUDA driver, their kernels not
// executed: what is called, with which sizes, and what is left.
//
// RUN: %rng_opt %s --rng-to-nvptx > %t.mlir
// RUN: env RNG_CUDA_DOUBLE_RECORD=1 RNG_CUDA_DRIVER=%cuda_double \
// RUN:   RNG_CUDA_DOUBLE_LOG=%t.log RNG_CUDA_CHECK_LEAKS=1 %run_cuda %t.mlir
// RUN: FileCheck %s < %t.log
//
// Without a pool of memory, or where there can be none.
// RUN: env RNG_CUDA_DOUBLE_RECORD=1 RNG_CUDA_DRIVER=%cuda_double RNG_CUDA_POOL=0 \
// RUN:   RNG_CUDA_DOUBLE_LOG=%t.log RNG_CUDA_CHECK_LEAKS=1 %run_cuda %t.mlir
// RUN: FileCheck %s --check-prefix=PLAIN < %t.log
// RUN: env RNG_CUDA_DOUBLE_RECORD=1 RNG_CUDA_DRIVER=%cuda_double \
// RUN:   RNG_CUDA_DOUBLE_FAIL='cuMemPoolCreate:*=801' \
// RUN:   RNG_CUDA_DOUBLE_LOG=%t.log RNG_CUDA_CHECK_LEAKS=1 %run_cuda %t.mlir
// RUN: FileCheck %s --check-prefix=PLAIN < %t.log
// PLAIN-NOT: Async {{[0-9]}}
// PLAIN: cuMemAlloc 4000
// PLAIN: cuMemAlloc 4000
// PLAIN-NOT: cuMemFreeAsync
// PLAIN: end: 0 modules, 0 streams, 0 events, 0 buffers, 0 host ranges, 0 contexts
//
// The same from machine code.
// RUN: %if ptxas %{ %rng_opt %s --rng-to-nvptx=format=bin > %t.bin.mlir %}
// RUN: %if ptxas %{ env RNG_CUDA_DOUBLE_RECORD=1 RNG_CUDA_DRIVER=%cuda_double \
// RUN:   RNG_CUDA_DOUBLE_LOG=%t.log RNG_CUDA_CHECK_LEAKS=1 \
// RUN:   %run_cuda %t.bin.mlir %}
// RUN: %if ptxas %{ FileCheck %s < %t.log %}
//
// Times of kernels (which the double makes up), each the median of 5 times 4
// launches after 4 others.
// RUN: env RNG_CUDA_DOUBLE_RECORD=1 RNG_CUDA_DRIVER=%cuda_double \
// RUN:   RNG_CUDA_DOUBLE_LOG=%t.log RNG_CUDA_CHECK_LEAKS=1 \
// RUN:   RNG_CUDA_TIME_KERNELS=4 %run_cuda %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TIMES
// RUN: grep -c "launch dropout_kernel" %t.log | FileCheck %s --check-prefix=COUNT
//
// TIMES: rng_cuda_runtime: time: main_kernel{{[a-z0-9_]*}} 0.250000 ms
// TIMES: rng_cuda_runtime: time: dropout_kernel{{[a-z0-9_]*}} 0.250000 ms
// COUNT: {{^}}24{{$}}
//
// An error ends the program after what it has printed. Nothing follows it.
// RUN: not env RNG_CUDA_DRIVER=%t/none %run_cuda %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NODRIVER
// RUN: not env RNG_CUDA_DOUBLE_RECORD=1 RNG_CUDA_DRIVER=%cuda_double \
// RUN:   RNG_CUDA_DOUBLE_FAIL='cuModuleLoadDataEx:1=209' %run_cuda %t.mlir \
// RUN:   2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not env RNG_CUDA_DOUBLE_RECORD=1 RNG_CUDA_DRIVER=%cuda_double \
// RUN:   RNG_CUDA_DOUBLE_FAIL='cuMemAllocFromPoolAsync:2=2' %run_cuda %t.mlir \
// RUN:   2>&1 | FileCheck %s --check-prefix=MEMORY
//
// NODRIVER: rng_cuda_runtime: error: the CUDA driver '{{.*}}none' that RNG_CUDA_DRIVER names cannot be opened: {{.*}}
// NODRIVER-NOT: {{.}}
// CHIP: rng_cuda_runtime: error: cuModuleLoadDataEx failed: CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available for execution on the device
// CHIP-NEXT: note: the GPU is CUDA test double, sm_90, 64.0 GiB
// CHIP-NEXT: note: the compiler of PTX says: ptxas application of the test double
// CHIP-NEXT: note: the kernels were compiled for another chip: give rng-to-nvptx this GPU's with 'chip='
// CHIP-NOT: {{.}}
// MEMORY: start
// MEMORY-NEXT: rng_cuda_runtime: error: cuMemAllocFromPoolAsync failed: CUDA_ERROR_OUT_OF_MEMORY: out of memory
// MEMORY-NEXT: note: for 4000 bytes; 68719472736 of the device's 68719476736 are free
// MEMORY-NOT: {{.}}

// CHECK: cuDevicePrimaryCtxRetain 0
// CHECK-NEXT: cuModuleLoadDataEx
// CHECK-NOT: launch
// CHECK: cuMemAllocFromPoolAsync 4000
// CHECK: launch main_kernel{{[a-z0-9_]*}} grid 1 1 1 block 256 1 1 shared 0
// CHECK: cuStreamSynchronize
// CHECK: cuMemAllocFromPoolAsync 4000
// CHECK: launch dropout_kernel{{[a-z0-9_]*}} grid 1 1 1 block 256 1 1 shared 0
// CHECK: cuStreamSynchronize
// CHECK: cuMemcpyAsync device to host 4000
// CHECK: cuStreamSynchronize
// CHECK: cuModuleUnload
// CHECK: cuDevicePrimaryCtxRelease 0
// CHECK-NEXT: end: 0 modules, 0 streams, 0 events, 0 buffers, 0 host ranges, 0 contexts

func.func private @dropout(%x: tensor<1000xf32>, %seed: i64, %offset: i64)
    -> tensor<1000xf32> {
  %p = arith.constant 0.75 : f32
  %zero = arith.constant dense<0.0> : tensor<1000xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<1000xi1>
  %y = arith.select %keep, %x, %zero : tensor<1000xi1>, tensor<1000xf32>
  return %y : tensor<1000xf32>
}

// Takes a copy in host memory.
func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @print(%x: tensor<1000xf32>) {
  %b = bufferization.to_buffer %x read_only
      : tensor<1000xf32> to memref<1000xf32>
  %c = memref.cast %b : memref<1000xf32> to memref<*xf32>
  call @rngPrintF32(%c) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  vector.print str "start\n"
  %seed = arith.constant 3 : i64
  %offset = arith.constant 4 : i64
  %x = rng.stateless_uniform %seed, %offset : tensor<1000xf32>
  %y = call @dropout(%x, %seed, %offset)
    : (tensor<1000xf32>, i64, i64) -> tensor<1000xf32>
  call @print(%y) : (tensor<1000xf32>) -> ()
  return
}
