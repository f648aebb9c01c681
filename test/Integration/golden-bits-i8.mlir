// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Random bits of i8, bit for bit: Random123, and all forms of a draw against
// each other.

func.func private @rngPrintBitsI8(memref<*xi8>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentI8(memref<*xi8>, memref<*xi8>) -> i64
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
      slice [%first] of [%huge] : tensor<?xi8>
  %expected = bufferization.to_buffer %tensor : tensor<?xi8> to memref<?xi8>
  %expected_any = memref.cast %expected : memref<?xi8> to memref<*xi8>
  call @rngPrintBitsI8(%expected_any) : (memref<*xi8>) -> ()

  %scalars = memref.alloc(%n) : memref<?xi8>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] : i8
    memref.store %x, %scalars[%i] : memref<?xi8>
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
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] : vector<8xi8>
    vector.store %x, %vectors[%i] : memref<?xi8>, vector<8xi8>
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
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] {aligned} : vector<8xi8>
    vector.store %x, %blocks[%i] : memref<?xi8>, vector<8xi8>
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
// CHECK: {{^}}d5 8d 4c d8{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}09 eb 20 a1{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Seeds, offsets and indices at the edges
// CHECK-NEXT: {{^}}2e 4b 20 f9 5e 4b 17{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}09 39 1f 5a ed 02 a2{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}02 5d 15 25 f9 48 0e 51 9e{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}17 58 18 da eb b2 91 c8 ab{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}e3 7a bb d7 24{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}02 90 b6 b2 b2 38 16 3e cf{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}7c a5 1d ea 59{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}09 6c 6a 8f e3 31{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}e1 aa 1a 22 f5 0d bf{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}fc 43 29 91 12 e6 1a 6f 84{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words: all ones, zero, the highest bit
// CHECK-NEXT: {{^}}ff ff 00 00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
