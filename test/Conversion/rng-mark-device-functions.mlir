// RUN: %rng_opt %s --rng-mark-device-functions | FileCheck %s

// Tensors in the signature.
// CHECK: func.func @takes_tensor(%{{.*}}) -> index attributes {rng.device}
func.func @takes_tensor(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  return %n : index
}

// Tensors inside only.
// CHECK: func.func @computes() -> f32 attributes {rng.device}
func.func @computes() -> f32 {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.extract %x[%c0] : tensor<2xf32>
  return %e : f32
}

// Defined elsewhere.
// CHECK: func.func private @elsewhere(tensor<2xf32>) attributes {rng.device}
func.func private @elsewhere(tensor<2xf32>)
// CHECK: func.func private @on_host(memref<2xf32>)
// CHECK-NOT: rng.device
func.func private @on_host(memref<2xf32>)

// A C function of a library.
// CHECK: func.func private @c_function(tensor<*xf32>) attributes {llvm.emit_c_interface}
func.func private @c_function(tensor<*xf32>)
    attributes {llvm.emit_c_interface}

// A driver hands tensors on and computes with none.
// CHECK: func.func @driver(
// CHECK-NOT: rng.device
func.func @driver(%m: memref<2xf32>) {
  %x = bufferization.to_tensor %m restrict : memref<2xf32> to tensor<2xf32>
  call @elsewhere(%x) : (tensor<2xf32>) -> ()
  return
}

// CHECK: func.func @scalars(
// CHECK-NOT: rng.device
func.func @scalars(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
