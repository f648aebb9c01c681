// Host code with tokens, events, a device that is not the first, registered
// host memory and memory set by the driver: the runtime has all that
// gpu-to-llvm calls for it. No kernel is in it, so none is executed.
//
// RUN: mlir-opt %s -pass-pipeline='builtin.module( \
// RUN:   func.func(gpu-async-region),expand-strided-metadata, \
// RUN:   convert-vector-to-llvm,gpu-to-llvm,convert-to-llvm, \
// RUN:   reconcile-unrealized-casts)' > %t.mlir
// RUN: env RNG_CUDA_DRIVER=%cuda_double RNG_CUDA_DOUBLE_DEVICES=2 \
// RUN:   RNG_CUDA_DOUBLE_LOG=%t.log %run_cuda %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
//
// A leak is found where that is wanted: of the three streams for two chains of
// tokens, gpu-to-llvm destroys one.
// RUN: not env RNG_CUDA_DRIVER=%cuda_double RNG_CUDA_DOUBLE_DEVICES=2 \
// RUN:   RNG_CUDA_CHECK_LEAKS=1 %run_cuda %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEAK
//
// LOG: cuDevicePrimaryCtxRetain 1
// LOG: cuMemHostRegister 256
// LOG: memset of 64 times 4 bytes
// LOG: cuEventRecord
// LOG: cuStreamWaitEvent
// LOG: cuEventDestroy
// LOG: cuMemcpyAsync device to device 256
// LOG: cuMemcpyAsync device to host 256
// LOG: cuStreamSynchronize
// LOG: cuMemHostUnregister
// LOG: cuDevicePrimaryCtxRelease 1
// LOG: end: 0 modules, 2 streams, 0 events, 0 buffers, 0 host ranges, 0 contexts
// LEAK: rng_cuda_runtime: error: not released at the end: 0 modules, 2 streams, 0 events, 0 buffers of 0 bytes, 0 registered ranges of host memory

// CHECK: 1.5
func.func @main() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.5 : f32
  %device = arith.constant 1 : i32
  gpu.set_default_device %device
  %host = memref.alloc() : memref<64xf32>
  %any = memref.cast %host : memref<64xf32> to memref<*xf32>
  gpu.host_register %any : memref<*xf32>
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
  %t2 = gpu.memset async [%t1] %a, %v : memref<64xf32>, f32
  %u0 = gpu.wait async
  %b, %u1 = gpu.alloc async [%u0] () : memref<64xf32>
  %t3 = gpu.wait async [%t2, %u1]
  %t4 = gpu.memcpy async [%t3] %b, %a : memref<64xf32>, memref<64xf32>
  %t5 = gpu.memcpy async [%t4] %host, %b : memref<64xf32>, memref<64xf32>
  %t6 = gpu.dealloc async [%t5] %a : memref<64xf32>
  %t7 = gpu.dealloc async [%t6] %b : memref<64xf32>
  gpu.wait [%t7]
  gpu.host_unregister %any : memref<*xf32>
  %x = memref.load %host[%c0] : memref<64xf32>
  vector.print %x : f32
  memref.dealloc %host : memref<64xf32>
  return
}
