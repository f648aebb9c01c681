// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Traps 14, 16, 17.
// Bernoulli draws: true exactly where the f32 uniform is below p; and all forms
// of a draw against each other.

func.func private @rngPrintBitsI8(memref<*xi8>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentI8(memref<*xi8>, memref<*xi8>) -> i64
    attributes {llvm.emit_c_interface}

// Prints elements first, ..., first + n - 1 of a draw, drawn as a tensor, then
// the number of elements at which scalars, vectors at any start and vectors at
// starts of blocks differ from these.
func.func private @draw(%seed: i64, %offset: i64, %first: index, %n: index,
    %p: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 4 : index
  %lanes = arith.constant 8 : index
  %huge = arith.constant 0x7fffffffffffffff : index

  %tensor_narrow = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      slice [%first] of [%huge] : tensor<?xi1>
  %tensor = arith.extui %tensor_narrow : tensor<?xi1> to tensor<?xi8>
  %expected = bufferization.to_buffer %tensor : tensor<?xi8> to memref<?xi8>
  %expected_any = memref.cast %expected : memref<?xi8> to memref<*xi8>
  call @rngPrintBitsI8(%expected_any) : (memref<*xi8>) -> ()

  %scalars = memref.alloc(%n) : memref<?xi8>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%index] of [%huge] : i1
    %x_wide = arith.extui %x : i1 to i8
    memref.store %x_wide, %scalars[%i] : memref<?xi8>
  }
  %scalars_any = memref.cast %scalars : memref<?xi8> to memref<*xi8>
  %d0 = call @rngCountDifferentI8(%expected_any, %scalars_any)
      : (memref<*xi8>, memref<*xi8>) -> i64

  // Vectors overlap the end: the buffers are longer than n.
  %room = arith.constant 16 : index
  %length = arith.addi %n, %room : index
  %vectors = memref.alloc(%length) : memref<?xi8>
  scf.for %i = %c0 to %n step %lanes {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%index] of [%huge] : vector<8xi1>
    %x_wide = arith.extui %x : vector<8xi1> to vector<8xi8>
    vector.store %x_wide, %vectors[%i] : memref<?xi8>, vector<8xi8>
  }
  %vectors_used = memref.subview %vectors[0] [%n] [1]
      : memref<?xi8> to memref<?xi8, strided<[1]>>
  %vectors_any = memref.cast %vectors_used
      : memref<?xi8, strided<[1]>> to memref<*xi8>
  %d1 = call @rngCountDifferentI8(%expected_any, %vectors_any)
      : (memref<*xi8>, memref<*xi8>) -> i64

  %phase = arith.remui %first, %m : index
  %start = arith.subi %first, %phase : index
  %end = arith.addi %n, %phase : index
  %blocks = memref.alloc(%length) : memref<?xi8>
  scf.for %i = %c0 to %end step %lanes {
    %index = arith.addi %start, %i : index
    %x = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%index] of [%huge] {aligned} : vector<8xi1>
    %x_wide = arith.extui %x : vector<8xi1> to vector<8xi8>
    vector.store %x_wide, %blocks[%i] : memref<?xi8>, vector<8xi8>
  }
  %blocks_used = memref.subview %blocks[%phase] [%n] [1]
      : memref<?xi8> to memref<?xi8, strided<[1], offset: ?>>
  %blocks_any = memref.cast %blocks_used
      : memref<?xi8, strided<[1], offset: ?>> to memref<*xi8>
  %d2 = call @rngCountDifferentI8(%expected_any, %blocks_any)
      : (memref<*xi8>, memref<*xi8>) -> i64

  %d01 = arith.addi %d0, %d1 : i64
  %d012 = arith.addi %d01, %d2 : i64
  vector.print %d012 : i64
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %rows = arith.constant 22 : index

  // Seed, offset, first index, number of elements.
  %where = arith.constant dense<[
    [-7, -2, 1, 9],
    [42, 4294967296, 4294967295, 6],
    [-7, -2, 1, 9],
    [42, 4294967296, 4294967295, 6],
    [-7, -2, 1, 9],
    [42, 4294967296, 4294967295, 6],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1003, 2125363534376338459, 5688530051317373472, 4],
    [1000, 6079362168302776919, 1713745710805589440, 4],
    [1011, 5960045871645691892, 554496339302023116, 4],
    [1030, -1011014488856234386, 2872653437862892228, 4],
    [1008, 8783564432039176246, 5597224090905912236, 4],
    [1002, 8016196361737121361, 1862917640254409568, 4]
  ]> : tensor<22x4xi64>
  %ps = arith.constant dense<[
    0x3F000000, 0x3F000000, 0x3F666666, 0x3F666666, 0x3DCCCCCD, 0x3DCCCCCD,
    0x3F800000, 0x00000000, 0x80000000, 0x2F000000, 0x2F800000, 0x3F7FFFFF,
    0x40000000, 0xBF800000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x3F666666,
    0x3F000000, 0x3DCCCCCD, 0x3E800000, 0x358637BD
  ]> : tensor<22xf32>

  scf.for %row = %c0 to %rows step %c1 {
    %seed = tensor.extract %where[%row, %c0] : tensor<22x4xi64>
    %offset = tensor.extract %where[%row, %c1] : tensor<22x4xi64>
    %first_i64 = tensor.extract %where[%row, %c2] : tensor<22x4xi64>
    %n_i64 = tensor.extract %where[%row, %c3] : tensor<22x4xi64>
    %first = arith.index_cast %first_i64 : i64 to index
    %n = arith.index_cast %n_i64 : i64 to index
    %p = tensor.extract %ps[%row] : tensor<22xf32>
    func.call @draw(%seed, %offset, %first, %n, %p)
        : (i64, i64, index, index, f32) -> ()
  }
  return
}

// Seeds and offsets at the edges
// CHECK: {{^}}00 00 00 01 00 00 01 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00 01 01 01 00 01{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 01 01 01 01 01 01 01 01{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 01 01 01 00 01{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00 00 00 00 00 00 00 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00 01 01 00 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// The words at both ends: p of 1 and 0, next to them, and not a probability
// CHECK-NEXT: {{^}}01 01 01 01{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00 00 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00 00 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 01 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 01 00 01{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 01 00 01{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 01 01 01{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00 00 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00 00 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 01 01 01{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00 00 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Words around the threshold of p
// CHECK-NEXT: {{^}}01 00 01 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 00 01 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 00 01 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 00 01 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}01 00 01 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
