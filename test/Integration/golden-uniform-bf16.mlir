// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Traps 14, 17.
// Uniform draws of bf16, bit for bit: the values of nvFuser, and all forms of a
// draw against each other. `first` of the chosen words is where the inverse of
// the Philox bijection finds them.

func.func private @rngPrintBitsBF16(memref<*xbf16>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentBF16(memref<*xbf16>, memref<*xbf16>) -> i64
    attributes {llvm.emit_c_interface}

// Prints elements first, ..., first + n - 1 of a draw, drawn as a tensor, then
// the number of elements at which scalars, vectors at any start and vectors at
// starts of blocks differ from these.
func.func private @draw(%seed: i64, %offset: i64, %first: index, %n: index,
    %lo: f32, %hi: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 4 : index
  %lanes = arith.constant 8 : index
  %huge = arith.constant 0x7fffffffffffffff : index

  %tensor = rng.stateless_uniform %seed, %offset range(%lo, %hi) sizes(%n)
      slice [%first] of [%huge] : tensor<?xbf16>
  %expected = bufferization.to_buffer %tensor : tensor<?xbf16> to memref<?xbf16>
  %expected_any = memref.cast %expected : memref<?xbf16> to memref<*xbf16>
  call @rngPrintBitsBF16(%expected_any) : (memref<*xbf16>) -> ()

  %scalars = memref.alloc(%n) : memref<?xbf16>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] : bf16
    memref.store %x, %scalars[%i] : memref<?xbf16>
  }
  %scalars_any = memref.cast %scalars : memref<?xbf16> to memref<*xbf16>
  %d0 = call @rngCountDifferentBF16(%expected_any, %scalars_any)
      : (memref<*xbf16>, memref<*xbf16>) -> i64

  // Vectors overlap the end: the buffers are longer than n.
  %room = arith.constant 16 : index
  %length = arith.addi %n, %room : index
  %vectors = memref.alloc(%length) : memref<?xbf16>
  scf.for %i = %c0 to %n step %lanes {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] : vector<8xbf16>
    vector.store %x, %vectors[%i] : memref<?xbf16>, vector<8xbf16>
  }
  %vectors_used = memref.subview %vectors[0] [%n] [1]
      : memref<?xbf16> to memref<?xbf16, strided<[1]>>
  %vectors_any = memref.cast %vectors_used
      : memref<?xbf16, strided<[1]>> to memref<*xbf16>
  %d1 = call @rngCountDifferentBF16(%expected_any, %vectors_any)
      : (memref<*xbf16>, memref<*xbf16>) -> i64

  %phase = arith.remui %first, %m : index
  %start = arith.subi %first, %phase : index
  %end = arith.addi %n, %phase : index
  %blocks = memref.alloc(%length) : memref<?xbf16>
  scf.for %i = %c0 to %end step %lanes {
    %index = arith.addi %start, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] {aligned} : vector<8xbf16>
    vector.store %x, %blocks[%i] : memref<?xbf16>, vector<8xbf16>
  }
  %blocks_used = memref.subview %blocks[%phase] [%n] [1]
      : memref<?xbf16> to memref<?xbf16, strided<[1], offset: ?>>
  %blocks_any = memref.cast %blocks_used
      : memref<?xbf16, strided<[1], offset: ?>> to memref<*xbf16>
  %d2 = call @rngCountDifferentBF16(%expected_any, %blocks_any)
      : (memref<*xbf16>, memref<*xbf16>) -> i64

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
  %rows = arith.constant 26 : index

  // Seed, offset, first index, number of elements.
  %where = arith.constant dense<[
    [81985529216486895, 0, 0, 15],
    [81985529216486895, 0, 0, 15],
    [81985529216486895, 0, 3, 9],
    [1002, 6398398412771442360, 1538629238049570860, 4],
    [1001, -1292042145033081522, 2152989044688542024, 4],
    [1002, 3972811304853012321, 32189332514060568, 4],
    [1001, -855014617013143656, 4654762355980776692, 4],
    [1008, 6151707157170555505, 4211139696396286616, 4],
    [1012, -1073063579219322150, 4273194563675640420, 4],
    [1001, 7235673363162827134, 964841362207835776, 4],
    [1005, -7483997035202115652, 7719817879461528712, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1001, -3870304806063831851, 122988633726513376, 4],
    [1001, -3870304806063831851, 122988633726513376, 4],
    [1001, -3870304806063831851, 122988633726513376, 4],
    [1001, -3870304806063831851, 122988633726513376, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4],
    [1009, -393474562378853449, 6858845924804579748, 4]
  ]> : tensor<26x4xi64>
  %los = arith.constant dense<[
    0x00000000, 0x3DCCCCCD, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0xBF800000,
    0x3F800000, 0x3F800000, 0xC0400000, 0xBF800000, 0x3F800000, 0x3F800000,
    0xC0400000, 0x40000000, 0x40000000, 0x00000000, 0xFF800000, 0x3F800000,
    0x7FC00000, 0xFF7FFFFF
  ]> : tensor<26xf32>
  %his = arith.constant dense<[
    0x3F800000, 0x3F333333, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F810000, 0x3F820000, 0x3A83126F, 0x3F800000, 0x3F810000, 0x3F820000,
    0x3A83126F, 0x40000000, 0x3F800000, 0x7F800000, 0x00000000, 0x7FC00000,
    0x3F800000, 0x7F7FFFFF
  ]> : tensor<26xf32>

  scf.for %row = %c0 to %rows step %c1 {
    %seed = tensor.extract %where[%row, %c0] : tensor<26x4xi64>
    %offset = tensor.extract %where[%row, %c1] : tensor<26x4xi64>
    %first_i64 = tensor.extract %where[%row, %c2] : tensor<26x4xi64>
    %n_i64 = tensor.extract %where[%row, %c3] : tensor<26x4xi64>
    %first = arith.index_cast %first_i64 : i64 to index
    %n = arith.index_cast %n_i64 : i64 to index
    %lo = tensor.extract %los[%row] : tensor<26xf32>
    %hi = tensor.extract %his[%row] : tensor<26xf32>
    func.call @draw(%seed, %offset, %first, %n, %lo, %hi)
        : (i64, i64, index, index, f32, f32) -> ()
  }
  return
}

// nvFuser: seeds and offsets
// CHECK: {{^}}3f38 3f46 3da5 3ef5 3f7b 3ed8 3ed3 3cb2 3f19 3e8a 3f71 3d13 3e9e 3e83 3e3a{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: a range
// CHECK-NEXT: {{^}}3f08 3f10 3e18 3ec6 3f30 3eb5 3eb2 3de8 3eeb 3e86 3f2a 3df9 3e92 3e82 3e56{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: from the middle of a block
// CHECK-NEXT: {{^}}3ef5 3f7b 3ed8 3ed3 3cb2 3f19 3e8a 3f71 3d13{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words of nvFuser
// CHECK-NEXT: {{^}}2f00 2fc0 3020 32ff{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3300 3380 3380 3480{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3480 3b00 3b00 3b00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3b80 3b80 3b80 3f00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f00 3f00 3f00 3f7e{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f7f 0000 0000 0000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000 0000 0000 0000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000 0000 3d92 3f5f{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words in ranges whose ends round
// CHECK-NEXT: {{^}}bf80 bf80 0000 bf80{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f80 3f80 3f80 3f80{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f80 3f80 3f81 3f80{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}c040 c040 bfc0 c040{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}bf80 bf80 3f7f 3f7f{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f80 3f80 3f80 3f80{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f80 3f80 3f80 3f80{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}398c 398c bb9f bb9f{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// No range: lo >= hi, or hi - lo is not finite
// CHECK-NEXT: {{^}}4000 4000 4000 4000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}4000 4000 4000 4000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000 0000 0000 0000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}ff80 ff80 ff80 ff80{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f80 3f80 3f80 3f80{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}7fc0 7fc0 7fc0 7fc0{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}ff80 ff80 ff80 ff80{{$}}
// CHECK-NEXT: {{^}}0{{$}}
