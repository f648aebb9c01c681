// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Arguments of public functions are not written, results belong to the caller.

func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// Writes in place if it is allowed to.
func.func @increment(%x: tensor<4xf32>, %by: f32) -> tensor<4xf32> {
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%e: f32):
    %s = arith.addf %e, %by : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %buffer = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%buffer : memref<4xf32>)
  %any = memref.cast %buffer : memref<4xf32> to memref<*xf32>
  %x = bufferization.to_tensor %buffer restrict
      : memref<4xf32> to tensor<4xf32>

  %y = call @increment(%x, %one) : (tensor<4xf32>, f32) -> tensor<4xf32>
  // CHECK: 4xf32 [1, 1, 1, 1]
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  // CHECK-NEXT: 4xf32 [2, 2, 2, 2]
  %y_buffer = bufferization.to_buffer %y : tensor<4xf32> to memref<4xf32>
  %y_any = memref.cast %y_buffer : memref<4xf32> to memref<*xf32>
  call @rngPrintF32(%y_any) : (memref<*xf32>) -> ()

  // What is returned is not the argument: writing to it leaves that alone.
  %z = call @identity(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %z_buffer = bufferization.to_buffer %z : tensor<4xf32> to memref<4xf32>
  memref.store %one, %z_buffer[%c0] : memref<4xf32>
  // CHECK-NEXT: 4xf32 [2, 2, 2, 2]
  call @rngPrintF32(%y_any) : (memref<*xf32>) -> ()
  // CHECK-NEXT: 4xf32 [1, 2, 2, 2]
  %z_any = memref.cast %z_buffer : memref<4xf32> to memref<*xf32>
  call @rngPrintF32(%z_any) : (memref<*xf32>) -> ()
  return
}
