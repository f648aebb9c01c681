// An error at one kernel leaves the module as it was.
//
// RUN: not %rng_opt %s --rng-emulate-gpu --mlir-print-ir-after-failure 2>&1 \
// RUN:   | FileCheck %s

// CHECK: error: 'gpu.lane_id' op works across threads
// CHECK: IR Dump After {{.+}} Failed
// CHECK: gpu.container_module
// CHECK: gpu.module @kernels
// CHECK:   gpu.func @fine(%{{.+}}: memref<?xf32, 1>) kernel
// CHECK:   gpu.func @lanes
// CHECK: func.func @f(%{{.+}}: memref<?xf32, 1>)
// CHECK:   gpu.launch_func @kernels::@fine
// CHECK:   gpu.launch_func @kernels::@lanes
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fine(%x: memref<?xf32, 1>) kernel {
      gpu.return
    }
    gpu.func @lanes() kernel {
      %lane = gpu.lane_id
      gpu.return
    }
  }
  func.func @f(%x: memref<?xf32, 1>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@fine
        blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?xf32, 1>)
    gpu.launch_func @kernels::@lanes
        blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}
