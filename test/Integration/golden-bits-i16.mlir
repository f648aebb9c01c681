// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Random bits of i16, bit for bit: Random123, and all forms of a draw against
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

  %tensor_narrow = rng.stateless_bits %seed, %offset sizes(%n)
      slice [%first] of [%huge] : tensor<?xi16>
  %tensor = arith.extui %tensor_narrow : tensor<?xi16> to tensor<?xi32>
  %expected = bufferization.to_buffer %tensor : tensor<?xi32> to memref<?xi32>
  %expected_any = memref.cast %expected : memref<?xi32> to memref<*xi32>
  call @rngPrintBitsI32(%expected_any) : (memref<*xi32>) -> ()

  %scalars = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] : i16
    %x_wide = arith.extui %x : i16 to i32
    memref.store %x_wide, %scalars[%i] : memref<?xi32>
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
        slice [%index] of [%huge] : vector<8xi16>
    %x_wide = arith.extui %x : vector<8xi16> to vector<8xi32>
    vector.store %x_wide, %vectors[%i] : memref<?xi32>, vector<8xi32>
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
        slice [%index] of [%huge] {aligned} : vector<8xi16>
    %x_wide = arith.extui %x : vector<8xi16> to vector<8xi32>
    vector.store %x_wide, %blocks[%i] : memref<?xi32>, vector<8xi32>
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
// CHECK: {{^}}0000e8d5 0000c58d 0000ac4c 0000dbd8{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000fe09 0000cceb 0000e420 00006ea1{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Seeds, offsets and indices at the edges
// CHECK-NEXT: {{^}}0000222e 0000b04b 0000a020 0000fff9 0000ff5e 0000844b 0000c717{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00007709 00004739 0000b01f 00009a5a 000036ed 00003102 00004aa2{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00000e02 00000f5d 0000e915 00000a25 0000a2f9 00002148 0000180e 00007651 0000ab9e{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00008617 00004658 00005318 00009fda 0000e5eb 0000f9b2 0000ff91 0000aac8 00005cab{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000b0e3 00002b7a 000095bb 0000cad7 00009024{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000f302 00009a90 000007b6 000002b2 0000e7b2 00005638 00003e16 0000023e 000009cf{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000237c 0000aba5 0000a51d 000040ea 00009e59{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00008c09 0000c56c 00006a6a 0000f58f 0000aae3 00009631{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}000097e1 0000a5aa 00009f1a 00008d22 00006ff5 0000f70d 000060bf{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}000031fc 00006a43 0000b629 0000b891 0000cc12 0000d0e6 0000961a 00002b6f 00004784{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words: all ones, zero, the highest bit
// CHECK-NEXT: {{^}}0000ffff 0000ffff 00000000 00000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
