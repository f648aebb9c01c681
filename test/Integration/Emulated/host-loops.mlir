// Structured ops of functions without tensors, which work in host memory, and of
// kernels of the program: they run in the pipelines for GPUs too.
//
// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-nvptx | FileCheck %s --check-prefix=HOST
//
// HOST-LABEL: llvm.func @host(
// HOST-NOT: gpu.launch_func

func.func private @rngPrintF32(memref<*xf32>)
    attributes {llvm.emit_c_interface}

func.func @host(%a: memref<3x40xf32>, %sum: memref<3xf32>) {
  linalg.exp ins(%a : memref<3x40xf32>) outs(%a : memref<3x40xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<3x40xf32>)
      outs(%sum : memref<3xf32>) dimensions = [1]
  scf.forall (%i) in (3) {
    %x = memref.load %sum[%i] : memref<3xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %sum[%i] : memref<3xf32>
  }
  return
}

func.func @main() {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloca() : memref<3x40xf32>
  %sum = memref.alloca() : memref<3xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<3x40xf32>)
  linalg.fill ins(%zero : f32) outs(%sum : memref<3xf32>)
  call @host(%a, %sum) : (memref<3x40xf32>, memref<3xf32>) -> ()
  %p = memref.cast %sum : memref<3xf32> to memref<*xf32>
  // CHECK: [80, 80, 80]
  call @rngPrintF32(%p) : (memref<*xf32>) -> ()
  return
}
