// Kernels that others wrote: barriers, shared and private memory, branches,
// tokens and memory spaces.
//
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

module attributes {gpu.container_module} {

func.func private @printMemrefF32(memref<*xf32>)
    attributes {llvm.emit_c_interface}

memref.global "private" @weights : memref<2xf32> = dense<[9.0, 9.0]>

func.func private @print(%x: memref<?xf32, 1>) {
  %host = memref.memory_space_cast %x : memref<?xf32, 1> to memref<?xf32>
  %any = memref.cast %host : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  return
}

gpu.module @kernels {
  memref.global "private" constant @weights : memref<2xf32> = dense<[1.0, 2.0]>
  func.func private @weigh(%x: f32) -> f32 {
    %c1 = arith.constant 1 : index
    %weights = memref.get_global @weights : memref<2xf32>
    %w = memref.load %weights[%c1] : memref<2xf32>
    %y = arith.mulf %x, %w : f32
    return %y : f32
  }

  // Each block of 4 reverses its elements through shared memory; %old and %sum
  // cross barriers, one of them two.
  gpu.func @reverse(%x: memref<?xf32, 1>)
      workgroup(%tile: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %i = gpu.global_id x
    %t = gpu.thread_id x
    %old = memref.load %x[%i] : memref<?xf32, 1>
    memref.store %old, %tile[%t] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c3, %t : index
    %new = memref.load %tile[%r]
        : memref<4xf32, #gpu.address_space<workgroup>>
    %sum = func.call @weigh(%new) : (f32) -> f32
    gpu.barrier
    memref.store %old, %tile[%r] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %back = memref.load %tile[%t] : memref<4xf32, #gpu.address_space<workgroup>>
    %hundred = arith.constant 100.0 : f32
    %high = arith.mulf %back, %hundred : f32
    %both = arith.addf %sum, %high : f32
    memref.store %both, %x[%i] : memref<?xf32, 1>
    gpu.return
  }

  // Private memory keeps its contents across barriers, for each thread.
  gpu.func @private(%x: memref<?xf32, 1>)
      private(%mine: memref<2xf32, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %n = gpu.block_dim x
    %stack = memref.alloca() : memref<f32>
    %old = memref.load %x[%t] : memref<?xf32, 1>
    memref.store %old, %mine[%c1] : memref<2xf32, #gpu.address_space<private>>
    memref.store %old, %stack[] : memref<f32>
    gpu.barrier
    %last = arith.subi %n, %c1 : index
    %r = arith.subi %last, %t : index
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %x[%r] : memref<?xf32, 1>
    gpu.barrier
    %a = memref.load %mine[%c1] : memref<2xf32, #gpu.address_space<private>>
    %b = memref.load %stack[] : memref<f32>
    %y = arith.addf %a, %b : f32
    memref.store %y, %x[%t] : memref<?xf32, 1>
    gpu.return
  }

  // Buffers, vectors and sizes live across barriers.
  gpu.func @values(%x: memref<?xf32, 1>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %n = gpu.block_dim x
    %heap = memref.alloc(%n) : memref<?xf32>
    %view = memref.cast %heap : memref<?xf32> to memref<?xf32, strided<[1]>>
    %old = memref.load %x[%t] : memref<?xf32, 1>
    memref.store %old, %heap[%t] : memref<?xf32>
    %v = vector.broadcast %old : f32 to vector<3xf32>
    gpu.barrier
    %last = arith.subi %n, %t : index
    %int = arith.index_cast %last : index to i32
    %float = arith.sitofp %int : i32 to f32
    memref.store %float, %x[%t] : memref<?xf32, 1>
    gpu.barrier
    %a = memref.load %view[%t] : memref<?xf32, strided<[1]>>
    %b = vector.extract %v[2] : f32 from vector<3xf32>
    %s = arith.mulf %a, %b : f32
    %now = memref.load %x[%t] : memref<?xf32, 1>
    %y = arith.addf %s, %now : f32
    memref.store %y, %x[%t] : memref<?xf32, 1>
    memref.dealloc %heap : memref<?xf32>
    gpu.return
  }

  // Several blocks, early exit.
  gpu.func @branches(%x: memref<?xf32, 1>, %n: index, %v: f32) kernel {
    %i = gpu.global_id x
    %inside = arith.cmpi ult, %i, %n : index
    cf.cond_br %inside, ^store, ^done
  ^store:
    memref.store %v, %x[%i] : memref<?xf32, 1>
    gpu.return
  ^done:
    gpu.return
  }
}

// All dimensions: element (z, y, x) of the grid of threads is 1000 z + 100 y + x.
func.func private @dimensions() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 24 : index
  %x = gpu.alloc (%n) : memref<?xf32, 1>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c2)
      threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c2, %sz = %c1) {
    %x0 = arith.muli %bx, %sx : index
    %i = arith.addi %x0, %tx : index
    %j = gpu.global_id y
    %k = gpu.global_id z
    %nx = arith.muli %gx, %sx : index
    %ny = gpu.block_dim y
    %row = arith.muli %k, %ny : index
    %row_j = arith.addi %row, %j : index
    %start = arith.muli %row_j, %nx : index
    %at = arith.addi %start, %i : index
    %c1000 = arith.constant 1000 : index
    %c100 = arith.constant 100 : index
    %kk = arith.muli %k, %c1000 : index
    %jj = arith.muli %j, %c100 : index
    %s = arith.addi %kk, %jj : index
    %value = arith.addi %s, %i : index
    %int = arith.index_cast %value : index to i32
    %float = arith.sitofp %int : i32 to f32
    memref.store %float, %x[%at] : memref<?xf32, 1>
    gpu.terminator
  }
  call @print(%x) : (memref<?xf32, 1>) -> ()
  gpu.dealloc %x : memref<?xf32, 1>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %n = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %x, %t0 = gpu.alloc async (%n) : memref<?xf32, 1>
  %t1 = gpu.memset async [%t0] %x, %one : memref<?xf32, 1>, f32
  %t2 = gpu.launch_func async [%t1] @kernels::@branches
      blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%x : memref<?xf32, 1>, %c5 : index, %half : f32)
  %host = memref.alloc(%n) : memref<?xf32>
  %t3 = gpu.memcpy async [%t2] %host, %x : memref<?xf32>, memref<?xf32, 1>
  gpu.wait [%t3]
  // CHECK: [0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1]
  %any = memref.cast %host : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()

  scf.for %i = %c0 to %n step %c1 {
    %int = arith.index_cast %i : index to i32
    %float = arith.sitofp %int : i32 to f32
    memref.store %float, %host[%i] : memref<?xf32>
  }
  gpu.host_register %any : memref<*xf32>
  gpu.memcpy %x, %host : memref<?xf32, 1>, memref<?xf32>
  gpu.launch_func @kernels::@reverse
      blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%x : memref<?xf32, 1>)
  // 2 x[3 - t] + 100 x[3 - t], in each block.
  // CHECK: [306, 204, 102, 0, 714, 612, 510, 408]
  call @print(%x) : (memref<?xf32, 1>) -> ()

  gpu.memcpy %x, %host : memref<?xf32, 1>, memref<?xf32>
  gpu.launch_func @kernels::@private
      blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<?xf32, 1>)
  // CHECK: [0, 2, 4, 6, 8, 10, 12, 14]
  call @print(%x) : (memref<?xf32, 1>) -> ()

  gpu.memcpy %x, %host : memref<?xf32, 1>, memref<?xf32>
  gpu.launch_func @kernels::@values
      blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%x : memref<?xf32, 1>)
  // t^2 + 8 - t
  // CHECK: [8, 8, 10, 14, 20, 28, 38, 50]
  call @print(%x) : (memref<?xf32, 1>) -> ()
  gpu.dealloc %x : memref<?xf32, 1>
  memref.dealloc %host : memref<?xf32>

  // CHECK: [0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105,
  // CHECK-SAME: 1000, 1001, 1002, 1003, 1004, 1005, 1100, 1101, 1102, 1103,
  // CHECK-SAME: 1104, 1105]
  call @dimensions() : () -> ()
  return
}
}
