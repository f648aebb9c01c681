// RUN: %rng_opt %s -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-rematerialize -rng-to-cpu | %run_cpu | FileCheck %s
//
// Trap 40: bufferization writes the result into the caller's input. Here it may
// not: what the forward and the backward are handed is as before after both have
// updated it, as their own value, and results are no views of arguments.

func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @f_forward(%x: tensor<4xf32>) -> tensor<4xf32>
    attributes {rng.backward = @f_backward,
                rng.saved = [#rng.saved<argument 0>]} {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f32
  %y = tensor.insert %nine into %x[%c0] : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @f_backward(%x: tensor<4xf32>, %d: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %dx = tensor.insert %d into %x[%c1] : tensor<4xf32>
  return %dx, %x : tensor<4xf32>, tensor<4xf32>
}

func.func private @print(%x: tensor<4xf32>) {
  %buffer = bufferization.to_buffer %x read_only
      : tensor<4xf32> to memref<4xf32>
  %any = memref.cast %buffer : memref<4xf32> to memref<*xf32>
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7.0 : f32
  %buffer = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%buffer : memref<4xf32>)
  %any = memref.cast %buffer : memref<4xf32> to memref<*xf32>
  %x = bufferization.to_tensor %buffer restrict
      : memref<4xf32> to tensor<4xf32>
  %y = call @f_forward(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %dx, %same = call @f_backward(%x, %seven)
      : (tensor<4xf32>, f32) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: 4xf32 [1, 1, 1, 1]
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  // CHECK-NEXT: 4xf32 [9, 1, 1, 1]
  call @print(%y) : (tensor<4xf32>) -> ()
  // CHECK-NEXT: 4xf32 [1, 7, 1, 1]
  call @print(%dx) : (tensor<4xf32>) -> ()
  // Written by the caller, the argument changes and the results do not.
  memref.store %seven, %buffer[%c2] : memref<4xf32>
  // CHECK-NEXT: 4xf32 [1, 1, 7, 1]
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  // CHECK-NEXT: 4xf32 [1, 1, 1, 1]
  call @print(%same) : (tensor<4xf32>) -> ()
  return
}
