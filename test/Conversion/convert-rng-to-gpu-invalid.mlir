// RUN: %rng_opt %s --split-input-file --verify-diagnostics --convert-rng-to-gpu

func.func @atomic(%x: memref<8xf32>, %v: f32) attributes {rng.device} {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{reads, writes or frees memory, which is device memory in this function, and has no form as a kernel; use ops on tensors, or move it to a function without tensors}}
  %r = memref.atomic_rmw addf %v, %x[%c0] : (f32, memref<8xf32>) -> f32
  return
}

// -----

func.func @on_stack() attributes {rng.device} {
  // expected-error @+1 {{allocates on the stack of the host in a function that works in device memory; use memref.alloc}}
  %x = memref.alloca() : memref<8xf32>
  return
}

// -----

func.func @unranked(%x: memref<*xf32>, %y: memref<*xf32>)
    attributes {rng.device} {
  // expected-error @+1 {{copies buffers of unknown rank in device memory; cast them to ranked types first}}
  memref.copy %x, %y : memref<*xf32> to memref<*xf32>
  return
}

// -----

func.func @layout() attributes {rng.device} {
  // expected-error @+1 {{allocates device memory with a layout; only identity layouts can be}}
  %x = memref.alloc() : memref<8xf32, strided<[2]>>
  return
}

// -----

func.func private @make() -> memref<8xf32>
func.func @gets() attributes {rng.device} {
  // expected-error @+1 {{gets a buffer from a function without tensors, which works in host memory, while this function works in device memory; return a tensor there}}
  %x = call @make() : () -> memref<8xf32>
  return
}

// -----

func.func private @print(memref<*xf32>)
func.func @prints(%x: memref<*xf32>) attributes {rng.device} {
  // expected-error @+1 {{hands a buffer of unknown rank from device memory to a function that works in host memory; cast it from a ranked type in the same function}}
  call @print(%x) : (memref<*xf32>) -> ()
  return
}

// -----

// expected-note @+1 {{defined here}}
memref.global "private" @state : memref<2xi64> = dense<0>
func.func @global() attributes {rng.device} {
  // expected-error @+1 {{'memref.get_global' op is host memory in a function that works in device memory, and what is written there would be lost: pass device memory as an argument, or make the global 'constant'}}
  %x = memref.get_global @state : memref<2xi64>
  return
}
