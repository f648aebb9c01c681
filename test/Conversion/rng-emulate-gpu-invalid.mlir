// RUN: %rng_opt %s --split-input-file --verify-diagnostics --rng-emulate-gpu

func.func @nested_barrier(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %first = arith.cmpi eq, %tx, %c1 : index
    scf.if %first {
      // expected-error @+1 {{'gpu.barrier' op among branches or in a region of 'scf.if' cannot be run on the host; move it to the top level of a kernel of one block, or into loops and branches (scf.for, scf.while, scf.if) that all threads of a block take alike}}
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// -----

func.func @barrier_among_branches(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{'gpu.barrier' op among branches or in a region of 'gpu.launch' cannot be run on the host; move it to the top level of a kernel of one block, or into loops and branches (scf.for, scf.while, scf.if) that all threads of a block take alike}}
    gpu.barrier
    cf.br ^end
  ^end:
    gpu.terminator
  }
  return
}

// -----

func.func @subgroup(%n: index, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%tx] : memref<?xf32>
    // expected-error @+1 {{'gpu.subgroup_reduce' op works across threads that run at the same time, which cannot be run on the host; exchange values through workgroup memory and gpu.barrier}}
    %s = gpu.subgroup_reduce add %v : (f32) -> f32
    memref.store %s, %x[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @shuffle(%x: memref<?xf32>) kernel {
      %t = gpu.thread_id x
      %width = arith.constant 32 : i32
      %one = arith.constant 1 : i32
      %v = memref.load %x[%t] : memref<?xf32>
      // expected-error @+1 {{'gpu.shuffle' op works across threads that run at the same time, which cannot be run on the host; exchange values through workgroup memory and gpu.barrier}}
      %s, %valid = gpu.shuffle xor %v, %one, %width : f32
      memref.store %s, %x[%t] : memref<?xf32>
      gpu.return
    }
  }
  func.func @launch_shuffle(%x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@shuffle
        blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?xf32>)
    return
  }
}

// -----

func.func @dynamic_shared_memory(%bytes: i32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
      dynamic_shared_memory_size %bytes {
    // expected-error @+1 {{'gpu.dynamic_shared_memory' op is shared memory whose size only the launch knows, which cannot be run on the host; use a workgroup attribution of the kernel}}
    %m = gpu.dynamic_shared_memory
        : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @vendor_op() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{'nvvm.barrier0' op in a kernel cannot be run on the host; emulate kernels whose ops on devices are ids, sizes and barriers, before they are lowered further}}
    nvvm.barrier0
    gpu.terminator
  }
  return
}

// -----

func.func @stack_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{'memref.alloca' op in a kernel cannot be run on the host; allocate once a thread, at the top level of a kernel of one block, with a static shape, the identity layout and elements that are numbers or vectors}}
      %x = memref.alloca() : memref<4xf32>
    }
    gpu.terminator
  }
  return
}

// -----

func.func @kept_value(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{'tensor.from_elements' op has a result of type 'tensor<1xindex>' that is used after a barrier, but a buffer cannot keep it until then; use it before the barrier only}}
    %x = tensor.from_elements %tx : tensor<1xindex>
    gpu.barrier
    %y = tensor.extract %x[%bx] : tensor<1xindex>
    gpu.terminator
  }
  return
}

// -----

func.func @token(%choice: i1) {
  %a = gpu.wait async
  %b = gpu.wait async
  // expected-error @+1 {{'arith.select' op hands on a token of an asynchronous operation, which cannot be run on the host; wait with gpu.wait in the same block instead}}
  %c = arith.select %choice, %a, %b : !gpu.async.token
  gpu.wait [%c]
  return
}

// -----

func.func @id_outside() -> index {
  // expected-error @+1 {{'gpu.thread_id' op outside of kernels cannot be run on the host; inline functions that kernels call, and emulate before kernels are compiled}}
  %t = gpu.thread_id x
  return %t : index
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func private @callee() -> index {
      // expected-error @+1 {{'gpu.thread_id' op in a function that a kernel calls cannot be run on the host; inline the function}}
      %t = gpu.thread_id x
      return %t : index
    }
    gpu.func @calls() kernel {
      %t = func.call @callee() : () -> index
      gpu.return
    }
  }
  func.func @launch_calls() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@calls
        blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func private @other() -> index
  gpu.module @kernels {
    // expected-error @+1 {{'func.func' op declares what has the name of another symbol outside of the kernels; rename one}}
    func.func private @other() -> f32
    gpu.func @calls() kernel {
      %t = func.call @other() : () -> f32
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @lowered() attributes {gpu.kernel} {
      llvm.return
    }
  }
  func.func @launch_lowered() {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{'gpu.launch_func' op launches a kernel that is no gpu.func; emulate before kernels are lowered or compiled}}
    gpu.launch_func @kernels::@lowered
        blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

func.func @clusters() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'gpu.launch' op launches clusters of blocks, which cannot be run on the host; launch blocks alone}}
  gpu.launch clusters(%cx, %cy, %cz) in (%lx = %c1, %ly = %c1, %lz = %c1)
      blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}

// -----

func.func @private_buffers(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'gpu.launch' op has an attribution of type 'memref<2xmemref<?xf32>, #gpu.address_space<private>>', which cannot be run on the host; use a static shape, the identity layout and elements that are numbers or vectors}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1)
      private(%m: memref<2xmemref<?xf32>, #gpu.address_space<private>>) {
    gpu.barrier
    gpu.terminator
  }
  return
}

// -----

func.func @affine(%n: index, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %i = arith.muli %tx, %tx : index
    // expected-error @+1 {{'affine.load' op in a kernel cannot be run on the host; lower it (lower-affine) before}}
    %v = affine.load %x[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @a {
    func.func private @other() -> index
  }
  gpu.module @b {
    // expected-error @+1 {{'func.func' op declares what has the name of another symbol outside of the kernels; rename one}}
    func.func private @other() -> f32
  }
}

// -----

// A bound that a thread loads may differ from that of another thread.
func.func @barrier_in_uneven_loop(%n: index, %sizes: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %size = memref.load %sizes[%c0] : memref<?xindex>
    scf.for %i = %c0 to %size step %c1 {
      // expected-error @+1 {{'gpu.barrier' op among branches or in a region of 'scf.for' cannot be run on the host}}
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// -----

// What the outer loop carries becomes different in its second iteration.
func.func @barrier_in_loop_grown_uneven(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%size = %c1) -> index {
      scf.for %j = %c0 to %size step %c1 {
        // expected-error @+1 {{'gpu.barrier' op among branches or in a region of 'scf.for' cannot be run on the host}}
        gpu.barrier
      }
      %next = arith.addi %size, %tx : index
      scf.yield %next : index
    }
    gpu.terminator
  }
  return
}

// -----

// The inner branch is even, the outer one is not.
func.func @barrier_in_even_in_uneven(%n: index, %even: i1) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %first = arith.cmpi eq, %tx, %c1 : index
    scf.if %first {
      scf.if %even {
        // expected-error @+1 {{'gpu.barrier' op among branches or in a region of 'scf.if' cannot be run on the host}}
        gpu.barrier
      }
    }
    gpu.terminator
  }
  return
}

// -----

func.func @barrier_among_parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      // expected-error @+1 {{'gpu.barrier' op among branches or in a region of 'scf.parallel' cannot be run on the host}}
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// -----

func.func @carried_token(%n: index, %t: tensor<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    // expected-error @+2 {{'scf.for' op carries a value of type 'tensor<1xf32>' across a barrier, but a buffer cannot keep it; carry numbers or vectors}}
    // expected-error @+1 {{'scf.for' op has a result of type 'tensor<1xf32>' that is used after a barrier, but a buffer cannot keep it until then; use it before the barrier only}}
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> tensor<1xf32> {
      gpu.barrier
      scf.yield %x : tensor<1xf32>
    }
    gpu.terminator
  }
  return
}
