// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Random bits of i32, bit for bit: Random123, and all forms of a draw against
// each other.

func.func private @rngPrintBitsI32(memref<*xi32>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentI32(memref<*xi32>, memref<*xi32>) -> i64
    attributes {llvm.emit_c_interface}

// Prints elements first, ..., first + n - 1 of a draw, drawn as a tensor, then
// the number of elements at which scalars, vectors at any start and vectors at
// starts of blocks differ from these.
func.func private @draw(%seed: i64, %offset: i64, %first: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 4 : index
  %lanes = arith.constant 8 : index
  %huge = arith.constant 0x7fffffffffffffff : index

  %tensor = rng.stateless_bits %seed, %offset sizes(%n)
      slice [%first] of [%huge] : tensor<?xi32>
  %expected = bufferization.to_buffer %tensor : tensor<?xi32> to memref<?xi32>
  %expected_any = memref.cast %expected : memref<?xi32> to memref<*xi32>
  call @rngPrintBitsI32(%expected_any) : (memref<*xi32>) -> ()

  %scalars = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] : i32
    memref.store %x, %scalars[%i] : memref<?xi32>
  }
  %scalars_any = memref.cast %scalars : memref<?xi32> to memref<*xi32>
  %d0 = call @rngCountDifferentI32(%expected_any, %scalars_any)
      : (memref<*xi32>, memref<*xi32>) -> i64

  // Vectors overlap the end: the buffers are longer than n.
  %room = arith.constant 16 : index
  %length = arith.addi %n, %room : index
  %vectors = memref.alloc(%length) : memref<?xi32>
  scf.for %i = %c0 to %n step %lanes {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] : vector<8xi32>
    vector.store %x, %vectors[%i] : memref<?xi32>, vector<8xi32>
  }
  %vectors_used = memref.subview %vectors[0] [%n] [1]
      : memref<?xi32> to memref<?xi32, strided<[1]>>
  %vectors_any = memref.cast %vectors_used
      : memref<?xi32, strided<[1]>> to memref<*xi32>
  %d1 = call @rngCountDifferentI32(%expected_any, %vectors_any)
      : (memref<*xi32>, memref<*xi32>) -> i64

  %phase = arith.remui %first, %m : index
  %start = arith.subi %first, %phase : index
  %end = arith.addi %n, %phase : index
  %blocks = memref.alloc(%length) : memref<?xi32>
  scf.for %i = %c0 to %end step %lanes {
    %index = arith.addi %start, %i : index
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] {aligned} : vector<8xi32>
    vector.store %x, %blocks[%i] : memref<?xi32>, vector<8xi32>
  }
  %blocks_used = memref.subview %blocks[%phase] [%n] [1]
      : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
  %blocks_any = memref.cast %blocks_used
      : memref<?xi32, strided<[1], offset: ?>> to memref<*xi32>
  %d2 = call @rngCountDifferentI32(%expected_any, %blocks_any)
      : (memref<*xi32>, memref<*xi32>) -> i64

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
  %rows = arith.constant 13 : index

  // Seed, offset, first index, number of elements.
  %where = arith.constant dense<[
    [0, 0, 0, 4],
    [2999170649027065890, -8817193942522041720, 991298862883154104, 4],
    [81985529216486895, 0, 0, 7],
    [-1, 0, 0, 7],
    [-7, 2, 3, 9],
    [-7, 4294967296, 1, 9],
    [-7, 4294967295, 0, 5],
    [42, -2, 0, 9],
    [42, -1, 2, 5],
    [42, 1, 4294967295, 6],
    [42, 1, 17179869181, 7],
    [42, 1, 68719476741, 9],
    [1007, -1487496738337590499, 88192388202913576, 4]
  ]> : tensor<13x4xi64>

  scf.for %row = %c0 to %rows step %c1 {
    %seed = tensor.extract %where[%row, %c0] : tensor<13x4xi64>
    %offset = tensor.extract %where[%row, %c1] : tensor<13x4xi64>
    %first_i64 = tensor.extract %where[%row, %c2] : tensor<13x4xi64>
    %n_i64 = tensor.extract %where[%row, %c3] : tensor<13x4xi64>
    %first = arith.index_cast %first_i64 : i64 to index
    %n = arith.index_cast %n_i64 : i64 to index
    func.call @draw(%seed, %offset, %first, %n)
        : (i64, i64, index, index) -> ()
  }
  return
}

// Known answers of Random123
// CHECK: {{^}}6627e8d5 e169c58d bc57ac4c 9b00dbd8{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}d16cfe09 94fdcceb 5001e420 24126ea1{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Seeds, offsets and indices at the edges
// CHECK-NEXT: {{^}}b850222e c58cb04b 14a7a020 7a84fff9 fa9dff5e 6c10844b 6979c717{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}72a47709 15474739 9f41b01f 22799a5a a74236ed 7e853102 4c324aa2{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}42610e02 61750f5d d023e915 72610a25 9fa4a2f9 7a1c2148 c0bf180e ba3d7651 833dab9e{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}97eb8617 3bbb4658 93755318 39849fda db9de5eb 7a69f9b2 4c1fff91 2e54aac8 8fa55cab{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}b07fb0e3 d1e92b7a 750495bb e699cad7 dc0e9024{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}1873f302 5d269a90 9c6307b6 38da02b2 7d69e7b2 88025638 25a63e16 8b93023e e54709cf{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}6fae237c d013aba5 4f49a51d 344140ea 4da79e59{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3aad8c09 e055c56c 6ba36a6a 54f2f58f a0e3aae3 7c9d9631{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}8cff97e1 c803a5aa 387b9f1a 1f858d22 5a936ff5 261ef70d 92dd60bf{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}415831fc 90326a43 6a99b629 3ab9b891 7f93cc12 8bbfd0e6 caec961a cf8a2b6f ec4f4784{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words: all ones, zero, the highest bit
// CHECK-NEXT: {{^}}ffffffff ffffffff 00000000 80000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
