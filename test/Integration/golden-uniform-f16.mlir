// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Traps 14, 17.
// Uniform draws of f16, bit for bit: the values of nvFuser, and all forms of a
// draw against each other. `first` of the chosen words is where the inverse of
// the Philox bijection finds them.

func.func private @rngPrintBitsF16(memref<*xf16>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentF16(memref<*xf16>, memref<*xf16>) -> i64
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
      slice [%first] of [%huge] : tensor<?xf16>
  %expected = bufferization.to_buffer %tensor : tensor<?xf16> to memref<?xf16>
  %expected_any = memref.cast %expected : memref<?xf16> to memref<*xf16>
  call @rngPrintBitsF16(%expected_any) : (memref<*xf16>) -> ()

  %scalars = memref.alloc(%n) : memref<?xf16>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] : f16
    memref.store %x, %scalars[%i] : memref<?xf16>
  }
  %scalars_any = memref.cast %scalars : memref<?xf16> to memref<*xf16>
  %d0 = call @rngCountDifferentF16(%expected_any, %scalars_any)
      : (memref<*xf16>, memref<*xf16>) -> i64

  // Vectors overlap the end: the buffers are longer than n.
  %room = arith.constant 16 : index
  %length = arith.addi %n, %room : index
  %vectors = memref.alloc(%length) : memref<?xf16>
  scf.for %i = %c0 to %n step %lanes {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] : vector<8xf16>
    vector.store %x, %vectors[%i] : memref<?xf16>, vector<8xf16>
  }
  %vectors_used = memref.subview %vectors[0] [%n] [1]
      : memref<?xf16> to memref<?xf16, strided<[1]>>
  %vectors_any = memref.cast %vectors_used
      : memref<?xf16, strided<[1]>> to memref<*xf16>
  %d1 = call @rngCountDifferentF16(%expected_any, %vectors_any)
      : (memref<*xf16>, memref<*xf16>) -> i64

  %phase = arith.remui %first, %m : index
  %start = arith.subi %first, %phase : index
  %end = arith.addi %n, %phase : index
  %blocks = memref.alloc(%length) : memref<?xf16>
  scf.for %i = %c0 to %end step %lanes {
    %index = arith.addi %start, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] {aligned} : vector<8xf16>
    vector.store %x, %blocks[%i] : memref<?xf16>, vector<8xf16>
  }
  %blocks_used = memref.subview %blocks[%phase] [%n] [1]
      : memref<?xf16> to memref<?xf16, strided<[1], offset: ?>>
  %blocks_any = memref.cast %blocks_used
      : memref<?xf16, strided<[1], offset: ?>> to memref<*xf16>
  %d2 = call @rngCountDifferentF16(%expected_any, %blocks_any)
      : (memref<*xf16>, memref<*xf16>) -> i64

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
    [1010, 4687401300328996076, 5012449243716655820, 4],
    [1000, -3862323857230350622, 3253182432947894816, 4],
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
    0x3F802000, 0x3F804000, 0x3A83126F, 0x3F800000, 0x3F802000, 0x3F804000,
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
// CHECK: {{^}}39c3 3a2c 2d2a 37a8 3bd5 36c1 3698 2591 38c7 344d 3b8b 2898 34f2 3417 31cd{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: a range
// CHECK-NEXT: {{^}}3842 3881 30c0 3632 3980 35a7 358e 2f3c 3756 342e 3953 2fc7 3491 340e 32ae{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: from the middle of a block
// CHECK-NEXT: {{^}}37a8 3bd5 36c1 3698 2591 38c7 344d 3b8b 2898{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words
// CHECK-NEXT: {{^}}0000 0000 0000 0000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0001 0001 0001 0004{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0004 1800 1800 1800{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}1c00 1c00 1c00 3800{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3800 3800 3800 3bf0{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3bf8 3bfc 3bfc 3bff{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000 0000 0000 0000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000 0000 2c8d 3af5{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words in ranges whose ends round
// CHECK-NEXT: {{^}}bc00 bc00 0000 bc00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3c00 3c00 3c00 3c00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3c00 3c00 3c01 3c00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}1418 c200 bdff 1418{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3bff 3bff 3bf8 3bf8{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3c00 3c00 3c00 3c00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3c00 3c00 3c00 3c00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0c61 0c60 9cfa 9cfa{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// No range: lo >= hi, or hi - lo is not finite
// CHECK-NEXT: {{^}}4000 4000 4000 4000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}4000 4000 4000 4000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000 0000 0000 0000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}fc00 fc00 fc00 fc00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3c00 3c00 3c00 3c00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}7e00 7e00 7e00 7e00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}fc00 fc00 fc00 fc00{{$}}
// CHECK-NEXT: {{^}}0{{$}}
