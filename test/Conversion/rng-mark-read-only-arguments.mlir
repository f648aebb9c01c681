// RUN: %rng_opt %s --rng-mark-read-only-arguments | FileCheck %s

// Kernels whose launches are in one function: what is marked depends on the
// buffers of all launches, and on all that a kernel does.
module attributes {gpu.container_module} {
gpu.module @kernels {
  // CHECK: llvm.func @copy(%{{[^,]+}}: !llvm.ptr,
  // CHECK-SAME: %{{[^,]+}}: !llvm.ptr {llvm.noalias, llvm.readonly},
  // CHECK-SAME: %{{[^,]+}}: !llvm.ptr, %{{[^,]+}}: !llvm.ptr {llvm.align = 16 : i64},
  llvm.func @copy(%x0: !llvm.ptr, %x: !llvm.ptr, %x2: i64, %x3: i64, %x4: i64,
                  %y0: !llvm.ptr, %y: !llvm.ptr, %y2: i64, %y3: i64, %y4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %a = llvm.load %p : !llvm.ptr -> f32
    llvm.store %a, %q : f32, !llvm.ptr
    llvm.return
  }

  // One launch works in place.
  // CHECK: llvm.func @twice(%{{[^,]+}}: !llvm.ptr, %{{[^,]+}}: !llvm.ptr, %
  // CHECK-NOT: llvm.readonly
  llvm.func @twice(%x0: !llvm.ptr, %x: !llvm.ptr, %x2: i64, %x3: i64, %x4: i64,
                  %y0: !llvm.ptr, %y: !llvm.ptr, %y2: i64, %y3: i64, %y4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %a = llvm.load %p : !llvm.ptr -> f32
    llvm.store %a, %q : f32, !llvm.ptr
    llvm.return
  }

  // What is written where a loaded pointer points may be anything.
  // CHECK: llvm.func @indirect(
  // CHECK-NOT: llvm.readonly
  llvm.func @indirect(%x0: !llvm.ptr, %x: !llvm.ptr, %x2: i64, %x3: i64, %x4: i64,
                  %y0: !llvm.ptr, %y: !llvm.ptr, %y2: i64, %y3: i64, %y4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %a = llvm.load %p : !llvm.ptr -> f32
    llvm.store %a, %q : f32, !llvm.ptr
    %r = llvm.load %y : !llvm.ptr -> !llvm.ptr
    llvm.store %a, %r : f32, !llvm.ptr
    llvm.return
  }

  // An atomic operation writes.
  // CHECK: llvm.func @atomic(
  // CHECK-NOT: llvm.readonly
  llvm.func @atomic(%x0: !llvm.ptr, %x: !llvm.ptr, %x2: i64, %x3: i64, %x4: i64,
                  %y0: !llvm.ptr, %y: !llvm.ptr, %y2: i64, %y3: i64, %y4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %a = llvm.load %p : !llvm.ptr -> f32
    llvm.store %a, %q : f32, !llvm.ptr
    %old = llvm.atomicrmw fadd %x, %a monotonic : !llvm.ptr, f32
    llvm.return
  }

  // No launch says anything.
  // CHECK: llvm.func @unused(
  // CHECK-NOT: llvm.readonly
  llvm.func @unused(%x0: !llvm.ptr, %x: !llvm.ptr, %x2: i64, %x3: i64, %x4: i64,
                  %y0: !llvm.ptr, %y: !llvm.ptr, %y2: i64, %y3: i64, %y4: i64)
      attributes {gpu.kernel, nvvm.kernel} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %a = llvm.load %p : !llvm.ptr -> f32
    llvm.store %a, %q : f32, !llvm.ptr
    llvm.return
  }
}

// CHECK-LABEL: func.func @launches
func.func @launches(%x: memref<256xf32>) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %y = gpu.alloc() : memref<256xf32>
  gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1)
      threads in (%c256, %c1, %c1)
      args(%x : memref<256xf32>, %y : memref<256xf32>)
  gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1)
      threads in (%c256, %c1, %c1)
      args(%x : memref<256xf32>, %y : memref<256xf32>)
  gpu.launch_func @kernels::@twice blocks in (%c1, %c1, %c1)
      threads in (%c256, %c1, %c1)
      args(%y : memref<256xf32>, %y : memref<256xf32>)
  gpu.launch_func @kernels::@indirect blocks in (%c1, %c1, %c1)
      threads in (%c256, %c1, %c1)
      args(%x : memref<256xf32>, %y : memref<256xf32>)
  gpu.launch_func @kernels::@atomic blocks in (%c1, %c1, %c1)
      threads in (%c256, %c1, %c1)
      args(%x : memref<256xf32>, %y : memref<256xf32>)
  return
}
}
