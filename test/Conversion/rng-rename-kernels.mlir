// RUN: %rng_opt %s --rng-rename-kernels | FileCheck %s
//
// Names are those of PTX, and different ones stay so.

// CHECK: module attributes
module attributes {gpu.container_module} {
  // CHECK: gpu.module @a.b {
  gpu.module @a.b {
    // CHECK: gpu.func @a_b_0() kernel
    gpu.func @a.b() kernel { gpu.return }
    // CHECK: gpu.func @a_b() kernel
    gpu.func @a_b() kernel { gpu.return }
    // CHECK: gpu.func @_0() kernel
    gpu.func @"0"() kernel { gpu.return }
    // CHECK: gpu.func @__() kernel
    gpu.func @"/"() kernel { gpu.return }
    // CHECK: gpu.func @ok$1() kernel
    gpu.func @ok$1() kernel { gpu.return }
  }
  func.func @f() {
    %c1 = arith.constant 1 : index
    // CHECK: gpu.launch_func @a.b::@a_b_0 blocks
    gpu.launch_func @a.b::@a.b blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1)
    // CHECK: gpu.launch_func @a.b::@a_b blocks
    gpu.launch_func @a.b::@a_b blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1)
    return
  }
}
