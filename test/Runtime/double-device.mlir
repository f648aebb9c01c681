// Host code of `gpu-to-llvm`, its kernels executed from their PTX by the
// interpreter: element (i) is x[i] * x[i] + i for a size that is no multiple of
// the block, summed by one thread afterwards. The host never touches device
// memory.
//
// RUN: mlir-opt %s -pass-pipeline='builtin.module(gpu-kernel-outlining, \
// RUN:   nvvm-attach-target{chip=sm_90 O=3}, \
// RUN:   gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm), \
// RUN:   func.func(gpu-async-region),expand-strided-metadata,lower-affine, \
// RUN:   convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{format=isa}, \
// RUN:   convert-to-llvm,reconcile-unrealized-casts)' > %t.mlir
// RUN: env RNG_CUDA_DRIVER=%cuda_double RNG_CUDA_DOUBLE_STRICT=1 \
// RUN:   RNG_CUDA_DOUBLE_LEAKCHECK=1 RNG_CUDA_DOUBLE_RACECHECK=1 \
// RUN:   mlir-runner %t.mlir -e main -entry-point-result=void \
// RUN:   -shared-libs=%mlir_runner_utils,%mlir_c_runner_utils,%cuda_runtime \
// RUN: | FileCheck %s
//
// Every entry of the error table ends the process with a message.
// RUN: env RNG_CUDA_DRIVER=%cuda_double not mlir-runner %t.mlir -e empty_grid -entry-point-result=void \
// RUN:   -shared-libs=%mlir_runner_utils,%mlir_c_runner_utils,%cuda_runtime \
// RUN:   2>&1 | FileCheck %s --check-prefix=GRID
// RUN: env RNG_CUDA_DRIVER=%cuda_double not mlir-runner %t.mlir -e past_the_end -entry-point-result=void \
// RUN:   -shared-libs=%mlir_runner_utils,%mlir_c_runner_utils,%cuda_runtime \
// RUN:   2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: env RNG_CUDA_DRIVER=%cuda_double RNG_CUDA_DOUBLE_STRICT=1 not mlir-runner %t.mlir -e host_read \
// RUN:   -entry-point-result=void \
// RUN:   -shared-libs=%mlir_runner_utils,%mlir_c_runner_utils,%cuda_runtime \
// RUN:   2>&1 | FileCheck %s --check-prefix=HOST
// RUN: env RNG_CUDA_DRIVER=%cuda_double not mlir-runner %t.mlir -e use_after_free -entry-point-result=void \
// RUN:   -shared-libs=%mlir_runner_utils,%mlir_c_runner_utils,%cuda_runtime \
// RUN:   2>&1 | FileCheck %s --check-prefix=FREED
// RUN: env RNG_CUDA_DRIVER=%cuda_double RNG_CUDA_DOUBLE_LEAKCHECK=1 not mlir-runner %t.mlir -e leak \
// RUN:   -entry-point-result=void \
// RUN:   -shared-libs=%mlir_runner_utils,%mlir_c_runner_utils,%cuda_runtime \
// RUN:   2>&1 | FileCheck %s --check-prefix=LEAK

func.func private @printF32(f32)
func.func private @printNewline()

func.func @square_plus_index(%x: memref<?xf32>, %y: memref<?xf32>,
                             %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %c128_0 = arith.constant 128 : index
    %base = arith.muli %bx, %c128_0 : index
    %i = arith.addi %base, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %v = memref.load %x[%i] : memref<?xf32>
      %square = arith.mulf %v, %v : f32
      %int = arith.index_cast %i : index to i32
      %float = arith.sitofp %int : i32 to f32
      %sum = arith.addf %square, %float : f32
      memref.store %sum, %y[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}

func.func @sum(%x: memref<?xf32>, %result: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %total = scf.for %i = %k0 to %n step %k1 iter_args(%a = %zero) -> f32 {
      %v = memref.load %x[%i] : memref<?xf32>
      %next = arith.addf %a, %v : f32
      scf.yield %next : f32
    }
    memref.store %total, %result[%k0] : memref<1xf32>
    gpu.terminator
  }
  return
}

// Runs both kernels on 1000 elements that are all 2: the sum of 4 + i.
// CHECK: 503500
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 1000 : index
  %two = arith.constant 2.0 : f32
  %host = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %two, %host[%i] : memref<?xf32>
  }
  %x = gpu.alloc (%n) : memref<?xf32>
  %y = gpu.alloc (%n) : memref<?xf32>
  %s = gpu.alloc () : memref<1xf32>
  gpu.memcpy %x, %host : memref<?xf32>, memref<?xf32>
  call @square_plus_index(%x, %y, %c8)
    : (memref<?xf32>, memref<?xf32>, index) -> ()
  call @sum(%y, %s) : (memref<?xf32>, memref<1xf32>) -> ()
  %out = memref.alloc() : memref<1xf32>
  gpu.memcpy %out, %s : memref<1xf32>, memref<1xf32>
  %total = memref.load %out[%c0] : memref<1xf32>
  call @printF32(%total) : (f32) -> ()
  call @printNewline() : () -> ()
  gpu.dealloc %x : memref<?xf32>
  gpu.dealloc %y : memref<?xf32>
  gpu.dealloc %s : memref<1xf32>
  memref.dealloc %out : memref<1xf32>
  memref.dealloc %host : memref<?xf32>
  return
}

// GRID: error: cuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE: invalid argument
// GRID: for a grid of (0, 1, 1) blocks of (128, 1, 1) threads
func.func @empty_grid() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1000 : index
  %x = gpu.alloc (%n) : memref<?xf32>
  call @square_plus_index(%x, %x, %c0)
    : (memref<?xf32>, memref<?xf32>, index) -> ()
  return
}

// The second buffer has half the size of the first.
// BOUNDS: kernel 'square_plus_index_kernel' failed
// BOUNDS-SAME: out-of-bounds store of 4 bytes
// BOUNDS-SAME: past the end
func.func @past_the_end() {
  %c8 = arith.constant 8 : index
  %n = arith.constant 1000 : index
  %half = arith.constant 500 : index
  %x = gpu.alloc (%n) : memref<?xf32>
  %y = gpu.alloc (%half) : memref<?xf32>
  call @square_plus_index(%x, %y, %c8)
    : (memref<?xf32>, memref<?xf32>, index) -> ()
  return
}

// HOST: host code accessed device memory
func.func @host_read() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1000 : index
  %x = gpu.alloc (%n) : memref<?xf32>
  %v = memref.load %x[%c0] : memref<?xf32>
  call @printF32(%v) : (f32) -> ()
  return
}

// FREED: kernel 'square_plus_index_kernel' failed
// FREED-SAME: out-of-bounds load
// FREED: not in device memory
func.func @use_after_free() {
  %c8 = arith.constant 8 : index
  %n = arith.constant 1000 : index
  %x = gpu.alloc (%n) : memref<?xf32>
  gpu.dealloc %x : memref<?xf32>
  call @square_plus_index(%x, %x, %c8)
    : (memref<?xf32>, memref<?xf32>, index) -> ()
  return
}

// LEAK: 1 buffers with 4000 bytes were not freed
func.func @leak() {
  %n = arith.constant 1000 : index
  %x = gpu.alloc (%n) : memref<?xf32>
  return
}
