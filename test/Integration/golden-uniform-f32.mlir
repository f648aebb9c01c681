// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Traps 14, 17.
// Uniform draws of f32, bit for bit: the values of nvFuser, and all forms of a
// draw against each other. `first` of the chosen words is where the inverse of
// the Philox bijection finds them.

func.func private @rngPrintBitsF32(memref<*xf32>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentF32(memref<*xf32>, memref<*xf32>) -> i64
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
      slice [%first] of [%huge] : tensor<?xf32>
  %expected = bufferization.to_buffer %tensor : tensor<?xf32> to memref<?xf32>
  %expected_any = memref.cast %expected : memref<?xf32> to memref<*xf32>
  call @rngPrintBitsF32(%expected_any) : (memref<*xf32>) -> ()

  %scalars = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] : f32
    memref.store %x, %scalars[%i] : memref<?xf32>
  }
  %scalars_any = memref.cast %scalars : memref<?xf32> to memref<*xf32>
  %d0 = call @rngCountDifferentF32(%expected_any, %scalars_any)
      : (memref<*xf32>, memref<*xf32>) -> i64

  // Vectors overlap the end: the buffers are longer than n.
  %room = arith.constant 16 : index
  %length = arith.addi %n, %room : index
  %vectors = memref.alloc(%length) : memref<?xf32>
  scf.for %i = %c0 to %n step %lanes {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] : vector<8xf32>
    vector.store %x, %vectors[%i] : memref<?xf32>, vector<8xf32>
  }
  %vectors_used = memref.subview %vectors[0] [%n] [1]
      : memref<?xf32> to memref<?xf32, strided<[1]>>
  %vectors_any = memref.cast %vectors_used
      : memref<?xf32, strided<[1]>> to memref<*xf32>
  %d1 = call @rngCountDifferentF32(%expected_any, %vectors_any)
      : (memref<*xf32>, memref<*xf32>) -> i64

  %phase = arith.remui %first, %m : index
  %start = arith.subi %first, %phase : index
  %end = arith.addi %n, %phase : index
  %blocks = memref.alloc(%length) : memref<?xf32>
  scf.for %i = %c0 to %end step %lanes {
    %index = arith.addi %start, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] {aligned} : vector<8xf32>
    vector.store %x, %blocks[%i] : memref<?xf32>, vector<8xf32>
  }
  %blocks_used = memref.subview %blocks[%phase] [%n] [1]
      : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %blocks_any = memref.cast %blocks_used
      : memref<?xf32, strided<[1], offset: ?>> to memref<*xf32>
  %d2 = call @rngCountDifferentF32(%expected_any, %blocks_any)
      : (memref<*xf32>, memref<*xf32>) -> i64

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
  %rows = arith.constant 59 : index

  // Seed, offset, first index, number of elements.
  %where = arith.constant dense<[
    [0, 0, 0, 7],
    [81985529216486895, 0, 0, 7],
    [-1, 0, 0, 7],
    [42, 0, 0, 1],
    [42, 0, 0, 7],
    [42, 0, 0, 15],
    [-7, 0, 0, 9],
    [-7, 2, 0, 9],
    [-7, 7, 0, 9],
    [-7, 4294967296, 0, 9],
    [-7, -2, 0, 9],
    [81985529216486895, 0, 0, 15],
    [81985529216486895, 0, 0, 15],
    [42, 1, 0, 1],
    [42, 1, 1, 1],
    [42, 1, 3, 1],
    [42, 1, 4294967295, 1],
    [42, 1, 4294967296, 1],
    [42, 1, 17179869182, 1],
    [42, 1, 17179869183, 1],
    [42, 1, 17179869184, 1],
    [42, 1, 17179869185, 1],
    [42, 1, 17179869189, 1],
    [42, 1, 68719476743, 1],
    [-7, 1, 0, 1],
    [-7, 1, 1, 1],
    [-7, 1, 3, 1],
    [-7, 1, 4294967295, 1],
    [-7, 1, 4294967296, 1],
    [-7, 1, 17179869182, 1],
    [-7, 1, 17179869183, 1],
    [-7, 1, 17179869184, 1],
    [-7, 1, 17179869185, 1],
    [-7, 1, 17179869189, 1],
    [-7, 1, 68719476743, 1],
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
  ]> : tensor<59x4xi64>
  %los = arith.constant dense<[
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x3DCCCCCD, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
    0x00000000, 0x00000000, 0xBF800000, 0x3F800000, 0x3F800000, 0xC0400000,
    0xBF800000, 0x3F800000, 0x3F800000, 0xC0400000, 0x40000000, 0x40000000,
    0x00000000, 0xFF800000, 0x3F800000, 0x7FC00000, 0xFF7FFFFF
  ]> : tensor<59xf32>
  %his = arith.constant dense<[
    0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F333333, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,
    0x3F800000, 0x3F800000, 0x3F800000, 0x3F800001, 0x3F800002, 0x3A83126F,
    0x3F800000, 0x3F800001, 0x3F800002, 0x3A83126F, 0x40000000, 0x3F800000,
    0x7F800000, 0x00000000, 0x7FC00000, 0x3F800000, 0x7F7FFFFF
  ]> : tensor<59xf32>

  scf.for %row = %c0 to %rows step %c1 {
    %seed = tensor.extract %where[%row, %c0] : tensor<59x4xi64>
    %offset = tensor.extract %where[%row, %c1] : tensor<59x4xi64>
    %first_i64 = tensor.extract %where[%row, %c2] : tensor<59x4xi64>
    %n_i64 = tensor.extract %where[%row, %c3] : tensor<59x4xi64>
    %first = arith.index_cast %first_i64 : i64 to index
    %n = arith.index_cast %n_i64 : i64 to index
    %lo = tensor.extract %los[%row] : tensor<59xf32>
    %hi = tensor.extract %his[%row] : tensor<59xf32>
    func.call @draw(%seed, %offset, %first, %n, %lo, %hi)
        : (i64, i64, index, index, f32, f32) -> ()
  }
  return
}

// nvFuser: seeds and offsets
// CHECK: {{^}}3ecc4fd2 3f6169c6 3f3c57ac 3f1b00dc 3f044516 3f708d6f 3d719c05{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f385022 3f458cb0 3da53d01 3ef50a00 3f7a9dff 3ed82109 3ed2f38e{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ee548ee 3daa3a3a 3f1f41b0 3e09e669 3f274237 3efd0a62 3e986495{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f1ceaf0{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f1ceaf0 3eefea92 3d95fa85 3eae8568 3c24cdda 3e0147a4 3e6da2c1{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f1ceaf0 3eefea92 3d95fa85 3eae8568 3c24cdda 3e0147a4 3e6da2c1 3f362c41 3ecbfce1 3f052e58 3ed7de3b 3f311de9 3d251a6b 3ee42915 3f3918c6{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ddaf2c6 3ddf1a4f 3f7fc5e5 3e28ceaf 3efb1185 3e68b627 3de2c526 3e080bf1 3eed5e34{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ef9ba4c 3de33df8 3eabe16e 3e84c21c 3ec2ea1f 3f5023e9 3ee4c214 3f1fa4a3 3ef43843{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e2b7ba5 3f77308a 3f63ddda 3e386c39 3eee04cf 3f58fb3d 3f059e01 3ee93121 3e0ad951{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f66e918 3f17eb86 3e6eed19 3f137553 3e66127f 3f5b9de6 3ef4d3f3 3e983fff 3e3952ab{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f0a5a91 3f14d8f0 3f28c793 3f606f26 3e6a27fd 3f13eecc 3f239809 3eaf2971 3f428359{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f385022 3f458cb0 3da53d01 3ef50a00 3f7a9dff 3ed82109 3ed2f38e 3cb21ff0 3f18e807 3e899f78 3f7163aa 3d1309b4 3e9e3805 3e82d312 3e39998b{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: a range
// CHECK-NEXT: {{^}}3f083014 3f102136 3e17f8b3 3ec63933 3f2ff865 3eb4e09f 3eb1c555 3de784ca 3eeab008 3e85c615 3f2a6eff 3df8e950 3e92219c 3e81b1d7 3e55c286{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: indices beyond 2^32
// CHECK-NEXT: {{^}}3f7cdb21{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ea774da{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ee89c0e{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e6ab630{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f6055c5{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f4803a6{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e61ee7c{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3dfc2c69{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3eb526e0{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3dc4c102{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ed5336c{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3eefee1d{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ea02d2b{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f7f0b99{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f493210{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f0d8517{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f069b83{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e06f4dd{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f2a8db0{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f4f1ad2{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f6f1c25{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f24a5d1{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: from the middle of a block
// CHECK-NEXT: {{^}}3ef50a00 3f7a9dff 3ed82109 3ed2f38e 3cb21ff0 3f18e807 3e899f78 3f7163aa 3d1309b4{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words of nvFuser
// CHECK-NEXT: {{^}}2f000000 2fc00000 30200000 32ff0000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}33008000 337f8000 33804000 347fe000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}34801000 3affffff 3b000000 3b000002{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3b800000 3b800000 3b800002 3f000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f000000 3f000000 3f000000 3f7e0000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f7f0000 3f7f8000 3f7f8000 3f7ff000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f7ff000 3f7fffff 00000000 00000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00000000 00000000 3d91a2b4 3f5eadbf{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words in ranges whose ends round
// CHECK-NEXT: {{^}}bf800000 bf800000 00000000 3f7ffffe{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f800000 3f800000 3f800000 3f800000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f800000 3f800000 3f800001 3f800000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}c0400000 c0400000 bfbfef9e 3a8309ff{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f7fe000 3f7fdffe 3f7f0000 3f7efffe{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f800000 3f800000 3f800000 3f800000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f800000 3f800000 3f800000 3f800000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}398c1f3c 398c073a bb9f4c62 bb9f4de2{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// No range: lo >= hi, or hi - lo is not finite
// CHECK-NEXT: {{^}}40000000 40000000 40000000 40000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}40000000 40000000 40000000 40000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}00000000 00000000 00000000 00000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}ff800000 ff800000 ff800000 ff800000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f800000 3f800000 3f800000 3f800000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}7fc00000 7fc00000 7fc00000 7fc00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}ff7fffff ff7fffff ff7fffff ff7fffff{{$}}
// CHECK-NEXT: {{^}}0{{$}}
