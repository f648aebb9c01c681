// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// One draw of 5x3 elements in every shape it can be asked for: the values are
// those of nvFuser for seed 42, whatever the form.

func.func private @rngPrintBitsF32(memref<*xf32>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentF32(memref<*xf32>, memref<*xf32>) -> i64
    attributes {llvm.emit_c_interface}
func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @print(%x: tensor<*xf32>) {
  %buffer = bufferization.to_buffer %x read_only
      : tensor<*xf32> to memref<*xf32>
  call @rngPrintBitsF32(%buffer) : (memref<*xf32>) -> ()
  return
}

func.func @dynamic(%seed: i64, %offset: i64, %d0: index, %d1: index,
                   %i: index, %j: index, %n0: index, %n1: index) {
  %x = rng.stateless_uniform %seed, %offset sizes(%d0, %d1)
      slice [%i, %j] of [%n0, %n1] : tensor<?x?xf32>
  %any = tensor.cast %x : tensor<?x?xf32> to tensor<*xf32>
  call @print(%any) : (tensor<*xf32>) -> ()
  return
}

func.func @vector(%seed: i64, %offset: i64, %i: index, %n: index) {
  %rows = rng.stateless_uniform %seed, %offset slice [%i, 0] of [5, %n]
      : vector<2x3xf32>
  %buffer = memref.alloc() : memref<2x3xf32>
  %c0 = arith.constant 0 : index
  vector.transfer_write %rows, %buffer[%c0, %c0] {in_bounds = [true, true]}
      : vector<2x3xf32>, memref<2x3xf32>
  %any = memref.cast %buffer : memref<2x3xf32> to memref<*xf32>
  call @rngPrintBitsF32(%any) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index

  // Static and dynamic, whole.
  // CHECK: {{^}}3f1ceaf0 3eefea92 3d95fa85 3eae8568 3c24cdda 3e0147a4 3e6da2c1 3f362c41 3ecbfce1 3f052e58 3ed7de3b 3f311de9 3d251a6b 3ee42915 3f3918c6{{$}}
  %static = rng.stateless_uniform %seed, %offset : tensor<5x3xf32>
  %static_any = tensor.cast %static : tensor<5x3xf32> to tensor<*xf32>
  call @print(%static_any) : (tensor<*xf32>) -> ()
  // CHECK-NEXT: {{^}}3f1ceaf0 3eefea92 3d95fa85 3eae8568 3c24cdda 3e0147a4 3e6da2c1 3f362c41 3ecbfce1 3f052e58 3ed7de3b 3f311de9 3d251a6b 3ee42915 3f3918c6{{$}}
  call @dynamic(%seed, %offset, %c5, %c3, %c0, %c0, %c5, %c3)
      : (i64, i64, index, index, index, index, index, index) -> ()

  // A vector of two dimensions, whole and of rows 2 and 3.
  // CHECK-NEXT: {{^}}3f1ceaf0 3eefea92 3d95fa85 3eae8568 3c24cdda 3e0147a4 3e6da2c1 3f362c41 3ecbfce1 3f052e58 3ed7de3b 3f311de9 3d251a6b 3ee42915 3f3918c6{{$}}
  %vector = rng.stateless_uniform %seed, %offset : vector<5x3xf32>
  %vector_buffer = memref.alloc() : memref<5x3xf32>
  vector.transfer_write %vector, %vector_buffer[%c0, %c0]
      {in_bounds = [true, true]} : vector<5x3xf32>, memref<5x3xf32>
  %vector_any = memref.cast %vector_buffer : memref<5x3xf32> to memref<*xf32>
  call @rngPrintBitsF32(%vector_any) : (memref<*xf32>) -> ()
  // CHECK-NEXT: {{^}}3e6da2c1 3f362c41 3ecbfce1 3f052e58 3ed7de3b 3f311de9{{$}}
  call @vector(%seed, %offset, %c2, %c3) : (i64, i64, index, index) -> ()

  // Rows 1 to 3 of columns 1 and 2; the same of a slice with a leading 1.
  // CHECK-NEXT: {{^}}3c24cdda 3e0147a4 3f362c41 3ecbfce1 3ed7de3b 3f311de9{{$}}
  call @dynamic(%seed, %offset, %c3, %c2, %c1, %c1, %c5, %c3)
      : (i64, i64, index, index, index, index, index, index) -> ()
  // CHECK-NEXT: {{^}}3c24cdda 3e0147a4{{$}}
  %row = rng.stateless_uniform %seed, %offset slice [1, 1] of [5, 3]
      : tensor<2xf32>
  %row_any = tensor.cast %row : tensor<2xf32> to tensor<*xf32>
  call @print(%row_any) : (tensor<*xf32>) -> ()

  // A long vector, of eleven blocks, one of them not to the end.
  // CHECK-NEXT: {{^}}0{{$}}
  %long = rng.stateless_uniform %seed, %offset : vector<43xf32>
  %long_buffer = memref.alloc() : memref<43xf32>
  vector.store %long, %long_buffer[%c0] : memref<43xf32>, vector<43xf32>
  %long_any = memref.cast %long_buffer : memref<43xf32> to memref<*xf32>
  %same = rng.stateless_uniform %seed, %offset : tensor<43xf32>
  %same_buffer = bufferization.to_buffer %same : tensor<43xf32> to memref<43xf32>
  %same_any = memref.cast %same_buffer : memref<43xf32> to memref<*xf32>
  %different = call @rngCountDifferentF32(%long_any, %same_any)
      : (memref<*xf32>, memref<*xf32>) -> i64
  vector.print %different : i64

  // Rank 0, as a draw and as a slice; a scalar; vectors of one and no
  // dimension.
  // CHECK-NEXT: {{^}}3f1ceaf0{{$}}
  %point = rng.stateless_uniform %seed, %offset : tensor<f32>
  %point_any = tensor.cast %point : tensor<f32> to tensor<*xf32>
  call @print(%point_any) : (tensor<*xf32>) -> ()
  // CHECK-NEXT: {{^}}3f3918c6{{$}}
  %last = rng.stateless_uniform %seed, %offset slice [4, 2] of [5, 3]
      : tensor<f32>
  %last_any = tensor.cast %last : tensor<f32> to tensor<*xf32>
  call @print(%last_any) : (tensor<*xf32>) -> ()
  // CHECK-NEXT: {{^}}0.61296
  %scalar = rng.stateless_uniform %seed, %offset : f32
  vector.print %scalar : f32
  // CHECK-NEXT: {{^}}( 0.61296 )
  %vector0 = rng.stateless_uniform %seed, %offset : vector<f32>
  vector.print %vector0 : vector<f32>

  // Nothing at all, static and dynamic.
  // CHECK-NEXT: 0x3xf32 []
  %none = rng.stateless_uniform %seed, %offset : tensor<0x3xf32>
  %none_buffer = bufferization.to_buffer %none
      : tensor<0x3xf32> to memref<0x3xf32>
  %none_any = memref.cast %none_buffer : memref<0x3xf32> to memref<*xf32>
  call @rngPrintF32(%none_any) : (memref<*xf32>) -> ()
  // CHECK-NEXT: {{^$}}
  call @dynamic(%seed, %offset, %c5, %c0, %c0, %c0, %c5, %c0)
      : (i64, i64, index, index, index, index, index, index) -> ()

  // From a snapshot: two blocks after offset -2.
  // CHECK-NEXT: {{^}}3f1ceaf0 3eefea92 3d95fa85 3eae8568 3c24cdda{{$}}
  %before = arith.constant -2 : i64
  %delta = arith.constant 2 : i64
  %snapshot = tensor.from_elements %seed, %before : tensor<2xi64>
  %later = rng.stateless_uniform %snapshot[%delta] : tensor<5xf32>
  %later_any = tensor.cast %later : tensor<5xf32> to tensor<*xf32>
  call @print(%later_any) : (tensor<*xf32>) -> ()
  // CHECK-NEXT: {{^}}( 0.61296, 0.468587, 0.0732317, 0.340862 )
  %later_vector = rng.stateless_uniform %snapshot[%delta] : vector<4xf32>
  vector.print %later_vector : vector<4xf32>
  return
}
