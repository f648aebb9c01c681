// RUN: %rng_opt %s --rng-align-workgroup-memory | FileCheck %s

// What has an alignment keeps it.
// CHECK-LABEL: gpu.func @kernel
// CHECK-SAME:    workgroup(%{{.+}} : memref<8xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64},
// CHECK-SAME:    %{{.+}} : memref<8xf32, #gpu.address_space<workgroup>> {llvm.align = 4 : i64})
gpu.module @kernels {
  gpu.func @kernel()
      workgroup(%a: memref<8xf32, #gpu.address_space<workgroup>>,
                %b: memref<8xf32, #gpu.address_space<workgroup>>
                {llvm.align = 4 : i64}) kernel {
    gpu.return
  }
}
