// RUN: %rng_opt %s --split-input-file --rng-emulate-gpu | FileCheck %s

// A kernel becomes a function of blocks, threads and its arguments.

// CHECK-LABEL: module {
// CHECK-NOT:   gpu
// CHECK:       func.func @launch(
// CHECK-SAME:    %[[X:.+]]: memref<?xf32>, %[[B:.+]]: index, %[[T:.+]]: index)
// CHECK:         %[[ONE:.+]] = arith.constant 1 : index
// CHECK:         call @fill(%[[B]], %[[ONE]], %[[ONE]], %[[T]], %[[ONE]], %[[ONE]], %[[X]])
// CHECK-NOT:   gpu.module
// CHECK:       func.func private @fill(
// CHECK-SAME:    %[[BX:[^:]+]]: index, %[[BY:[^:]+]]: index,
// CHECK-SAME:    %[[BZ:[^:]+]]: index, %[[TX:[^:]+]]: index,
// CHECK-SAME:    %[[TY:[^:]+]]: index, %[[TZ:[^:]+]]: index,
// CHECK-SAME:    %[[Y:[^:]+]]: memref<?xf32>)
// CHECK:         scf.for {{.*}} to %[[BZ]]
// CHECK:           scf.for {{.*}} to %[[BY]]
// CHECK:             scf.for %[[BLOCK:.+]] = {{.*}} to %[[BX]]
// CHECK:               scf.for {{.*}} to %[[TZ]]
// CHECK:                 scf.for {{.*}} to %[[TY]]
// CHECK:                   scf.for %[[THREAD:.+]] = {{.*}} to %[[TX]]
// CHECK:                     %[[FIRST:.+]] = arith.muli %[[BLOCK]], %[[TX]]
// CHECK:                     %[[I:.+]] = arith.addi %[[FIRST]], %[[THREAD]]
// CHECK:                     memref.store %{{.+}}, %[[Y]][%[[I]]]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @fill(%x: memref<?xf32, 1>) kernel {
      %v = arith.constant 1.0 : f32
      %i = gpu.global_id x
      memref.store %v, %x[%i] : memref<?xf32, 1>
      gpu.return
    }
  }
  func.func @launch(%x: memref<?xf32, 1>, %blocks: index, %threads: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@fill
        blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%x : memref<?xf32, 1>)
    return
  }
}

// -----

// A barrier ends the loop over threads. What lives across it is kept for each
// thread; constants and ids are not. Memory of blocks is freed.

// CHECK-LABEL: func.func @barrier(
// CHECK-SAME:    %[[X:.+]]: memref<?xf32>, %[[N:.+]]: index)
// CHECK:         %[[TILE:.+]] = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
// CHECK:         %[[KEPT:.+]] = memref.alloc(%{{.+}}) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for %[[T:.+]] = %{{.+}} to %[[N]]
// CHECK:           %[[V:.+]] = memref.load %[[X]][%[[T]]]
// CHECK:           memref.store %[[V]], %[[KEPT]]
// CHECK:           memref.store %[[V]], %[[TILE]][%[[T]]]
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.for %[[U:.+]] = %{{.+}} to %[[N]]
// CHECK:           %[[C63:.+]] = arith.constant 63 : index
// CHECK:           arith.subi %[[C63]], %[[U]]
// CHECK:           %[[W:.+]] = memref.load %[[TILE]]
// CHECK:           %[[OLD:.+]] = memref.load %[[KEPT]]
// CHECK:           arith.addf %[[W]], %[[OLD]]
// CHECK:         memref.dealloc %[[KEPT]]
// CHECK:         memref.dealloc %[[TILE]]
// CHECK:         return
func.func @barrier(%x: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) {
    %c63 = arith.constant 63 : index
    %v = memref.load %x[%tx] : memref<?xf32>
    memref.store %v, %tile[%tx]
        : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c63, %tx : index
    %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %w, %v : f32
    memref.store %sum, %x[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

// Memory of the device is memory, in program order.

// CHECK-LABEL: func.func @memory(
// CHECK-SAME:    %[[N:.+]]: index, %[[HOST:.+]]: memref<?xf32>, %[[V:.+]]: f32)
// CHECK-NEXT:    %[[X:.+]] = memref.alloc(%[[N]]) {alignment = 64 : i64} : memref<?xf32>
// CHECK:         scf.for %[[I:.+]] =
// CHECK-NEXT:      memref.store %[[V]], %[[X]][%[[I]]]
// CHECK:         memref.copy %[[X]], %[[HOST]]
// CHECK-NEXT:    memref.dealloc %[[X]]
// CHECK-NEXT:    return
func.func @memory(%n: index, %host: memref<?xf32>, %v: f32) {
  %x, %t0 = gpu.alloc async (%n) : memref<?xf32, 1>
  %t1 = gpu.memset async [%t0] %x, %v : memref<?xf32, 1>, f32
  %t2 = gpu.memcpy async [%t1] %host, %x : memref<?xf32>, memref<?xf32, 1>
  %t3 = gpu.dealloc async [%t2] %x : memref<?xf32, 1>
  gpu.wait [%t3]
  return
}

// -----

// Names outside of kernels stay, also that of a kernel's module.

// CHECK-LABEL: func.func private @callee() -> f32
// CHECK:       func.func @kernel_0()
// CHECK:         call @kernel(
// CHECK:       func.func private @callee_0() {
// CHECK:       func.func private @kernel(
// CHECK:         func.call @callee_0() : () -> ()
module attributes {gpu.container_module} {
  func.func private @callee() -> f32
  gpu.module @kernel {
    func.func @callee() {
      return
    }
    gpu.func @kernel() kernel {
      func.call @callee() : () -> ()
      gpu.return
    }
  }
  func.func @kernel_0() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernel::@kernel
        blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}
