// Barriers in loops and branches that all threads of a block take alike.
//
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

module attributes {gpu.container_module} {

func.func private @printMemrefF32(memref<*xf32>)
    attributes {llvm.emit_c_interface}

func.func private @print(%x: memref<?xf32, 1>) {
  %host = memref.memory_space_cast %x : memref<?xf32, 1> to memref<?xf32>
  %any = memref.cast %host : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  return
}

gpu.module @kernels {
  // Each block rotates its elements %n times through shared memory, sums up
  // what each thread sees, and swaps what the loop carries.
  gpu.func @rotate(%x: memref<?xf32, 1>, %n: index)
      workgroup(%tile: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %i = gpu.global_id x
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %size = gpu.block_dim x
    %n_block = arith.addi %n, %b : index
    %mine = memref.load %x[%i] : memref<?xf32, 1>
    %a, %s, %unused = scf.for %k = %c0 to %n_block step %c1
        iter_args(%value = %mine, %sum = %zero, %old = %zero)
        -> (f32, f32, f32) {
      memref.store %value, %tile[%t]
          : memref<4xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %next = arith.addi %t, %c1 : index
      %at = arith.remui %next, %size : index
      %new = memref.load %tile[%at]
          : memref<4xf32, #gpu.address_space<workgroup>>
      %more = arith.addf %sum, %new : f32
      gpu.barrier
      scf.yield %new, %more, %value : f32, f32, f32
    }
    %hundred = arith.constant 100.0 : f32
    %high = arith.mulf %s, %hundred : f32
    %both = arith.addf %high, %a : f32
    memref.store %both, %x[%i] : memref<?xf32, 1>
    gpu.return
  }

  // A tree: how far to reach is carried by a loop that all leave together.
  gpu.func @tree(%x: memref<?xf32, 1>, %half: index)
      workgroup(%tile: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %mine = memref.load %x[%t] : memref<?xf32, 1>
    memref.store %mine, %tile[%t]
        : memref<8xf32, #gpu.address_space<workgroup>>
    %end, %count = scf.while (%s = %half, %steps = %c0) : (index, index) -> (index, index) {
      gpu.barrier
      %more = arith.cmpi ugt, %s, %c0 : index
      scf.condition(%more) %s, %steps : index, index
    } do {
    ^bb0(%s: index, %old: index):
      %active = arith.cmpi ult, %t, %s : index
      scf.if %active {
        %other = arith.addi %t, %s : index
        %a = memref.load %tile[%t]
            : memref<8xf32, #gpu.address_space<workgroup>>
        %b = memref.load %tile[%other]
            : memref<8xf32, #gpu.address_space<workgroup>>
        %c = arith.addf %a, %b : f32
        memref.store %c, %tile[%t]
            : memref<8xf32, #gpu.address_space<workgroup>>
      }
      %next = arith.shrui %s, %c1 : index
      scf.yield %next, %t : index, index
    }
    %sum = memref.load %tile[%c0]
        : memref<8xf32, #gpu.address_space<workgroup>>
    %int = arith.index_cast %count : index to i32
    %float = arith.sitofp %int : i32 to f32
    %y = arith.addf %sum, %float : f32
    memref.store %y, %x[%t] : memref<?xf32, 1>
    gpu.return
  }

  // Branches with values, one in the other, by block.
  gpu.func @branch(%x: memref<?xf32, 1>, %choice: i1)
      workgroup(%tile: memref<2xf32, #gpu.address_space<workgroup>>) kernel {
    %c1 = arith.constant 1 : index
    %i = gpu.global_id x
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %mine = memref.load %x[%i] : memref<?xf32, 1>
    %second = arith.cmpi eq, %b, %c1 : index
    %y = scf.if %second -> f32 {
      memref.store %mine, %tile[%t]
          : memref<2xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = arith.subi %c1, %t : index
      %other = memref.load %tile[%r]
          : memref<2xf32, #gpu.address_space<workgroup>>
      %z = scf.if %choice -> f32 {
        gpu.barrier
        %ten = arith.constant 10.0 : f32
        %scaled = arith.mulf %other, %ten : f32
        scf.yield %scaled : f32
      } else {
        scf.yield %mine : f32
      }
      scf.yield %z : f32
    } else {
      scf.yield %mine : f32
    }
    scf.if %choice {
      memref.store %y, %x[%i] : memref<?xf32, 1>
      gpu.barrier
    }
    gpu.return
  }
}

func.func private @iota(%n: index) -> memref<?xf32, 1> {
  %c1 = arith.constant 1 : index
  %x = gpu.alloc (%n) : memref<?xf32, 1>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %int = arith.index_cast %bx : index to i32
    %float = arith.sitofp %int : i32 to f32
    memref.store %float, %x[%bx] : memref<?xf32, 1>
    gpu.terminator
  }
  return %x : memref<?xf32, 1>
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %true = arith.constant true
  %x = call @iota(%c8) : (index) -> memref<?xf32, 1>
  // Block 0 rotates by 2, block 1 by 3.
  // CHECK: [302, 503, 300, 101, 1807, 1704, 1605, 1506]
  gpu.launch_func @kernels::@rotate blocks in (%c2, %c1, %c1)
      threads in (%c4, %c1, %c1) args(%x : memref<?xf32, 1>, %c2 : index)
  call @print(%x) : (memref<?xf32, 1>) -> ()

  %y = call @iota(%c8) : (index) -> memref<?xf32, 1>
  // 28, and the number of the thread, which the loop carries.
  // CHECK: [28, 29, 30, 31, 32, 33, 34, 35]
  gpu.launch_func @kernels::@tree blocks in (%c1, %c1, %c1)
      threads in (%c8, %c1, %c1) args(%y : memref<?xf32, 1>, %c4 : index)
  call @print(%y) : (memref<?xf32, 1>) -> ()

  %z = call @iota(%c4) : (index) -> memref<?xf32, 1>
  // CHECK: [0, 1, 30, 20]
  gpu.launch_func @kernels::@branch blocks in (%c2, %c1, %c1)
      threads in (%c2, %c1, %c1) args(%z : memref<?xf32, 1>, %true : i1)
  call @print(%z) : (memref<?xf32, 1>) -> ()
  gpu.dealloc %x : memref<?xf32, 1>
  gpu.dealloc %y : memref<?xf32, 1>
  gpu.dealloc %z : memref<?xf32, 1>
  return
}
}
