// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Random bits of i64, bit for bit: Random123, and all forms of a draw against
// each other.

func.func private @rngPrintBitsI64(memref<*xi64>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentI64(memref<*xi64>, memref<*xi64>) -> i64
    attributes {llvm.emit_c_interface}

// Prints elements first, ..., first + n - 1 of a draw, drawn as a tensor, then
// the number of elements at which scalars, vectors at any start and vectors at
// starts of blocks differ from these.
func.func private @draw(%seed: i64, %offset: i64, %first: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 2 : index
  %lanes = arith.constant 4 : index
  %huge = arith.constant 0x7fffffffffffffff : index

  %tensor = rng.stateless_bits %seed, %offset sizes(%n)
      slice [%first] of [%huge] : tensor<?xi64>
  %expected = bufferization.to_buffer %tensor : tensor<?xi64> to memref<?xi64>
  %expected_any = memref.cast %expected : memref<?xi64> to memref<*xi64>
  call @rngPrintBitsI64(%expected_any) : (memref<*xi64>) -> ()

  %scalars = memref.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] : i64
    memref.store %x, %scalars[%i] : memref<?xi64>
  }
  %scalars_any = memref.cast %scalars : memref<?xi64> to memref<*xi64>
  %d0 = call @rngCountDifferentI64(%expected_any, %scalars_any)
      : (memref<*xi64>, memref<*xi64>) -> i64

  // Vectors overlap the end: the buffers are longer than n.
  %room = arith.constant 8 : index
  %length = arith.addi %n, %room : index
  %vectors = memref.alloc(%length) : memref<?xi64>
  scf.for %i = %c0 to %n step %lanes {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] : vector<4xi64>
    vector.store %x, %vectors[%i] : memref<?xi64>, vector<4xi64>
  }
  %vectors_used = memref.subview %vectors[0] [%n] [1]
      : memref<?xi64> to memref<?xi64, strided<[1]>>
  %vectors_any = memref.cast %vectors_used
      : memref<?xi64, strided<[1]>> to memref<*xi64>
  %d1 = call @rngCountDifferentI64(%expected_any, %vectors_any)
      : (memref<*xi64>, memref<*xi64>) -> i64

  %phase = arith.remui %first, %m : index
  %start = arith.subi %first, %phase : index
  %end = arith.addi %n, %phase : index
  %blocks = memref.alloc(%length) : memref<?xi64>
  scf.for %i = %c0 to %end step %lanes {
    %index = arith.addi %start, %i : index
    %x = rng.stateless_bits %seed, %offset
        slice [%index] of [%huge] {aligned} : vector<4xi64>
    vector.store %x, %blocks[%i] : memref<?xi64>, vector<4xi64>
  }
  %blocks_used = memref.subview %blocks[%phase] [%n] [1]
      : memref<?xi64> to memref<?xi64, strided<[1], offset: ?>>
  %blocks_any = memref.cast %blocks_used
      : memref<?xi64, strided<[1], offset: ?>> to memref<*xi64>
  %d2 = call @rngCountDifferentI64(%expected_any, %blocks_any)
      : (memref<*xi64>, memref<*xi64>) -> i64

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
    [0, 0, 0, 2],
    [2999170649027065890, -8817193942522041720, 495649431441577052, 2],
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
    [1004, 8576746769974501722, 9175905720481912100, 2]
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
// CHECK: {{^}}e169c58d6627e8d5 9b00dbd8bc57ac4c{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}94fdccebd16cfe09 24126ea15001e420{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Seeds, offsets and indices at the edges
// CHECK-NEXT: {{^}}c58cb04bb850222e 7a84fff914a7a020 6c10844bfa9dff5e 0590ff836979c717 44cfbc2c98e8077e 09309b39f163aa6c 416988c34f1c02a1{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}1547473972a47709 22799a5a9f41b01f 7e853102a74236ed 4212cad64c324aa2 455624a3b2efe78c fec6ba46a1dba56e c4d0ed031d8daf79{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}9fa4a2f972610a25 c0bf180e7a1c2148 833dab9eba3d7651 b4a97a24bb1874b5 22a0f18ca1108d09 6db10a72b78d17d5 495e6cfed8ec020b 8d75cf6b6486d92f 993461248636aa89{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}937553183bbb4658 db9de5eb39849fda 4c1fff917a69f9b2 8fa55cab2e54aac8 bc7be7d2084c3309 0f49209e9503f8f5 eab60223f3a85507 ad52421adddced4c 9bcee909159f5fcd{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}d1e92b7ab07fb0e3 e699cad7750495bb 4e050bcadc0e9024 dd10ebfc9866bfda 3eebe2bb1ecc5513{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}5d269a901873f302 38da02b29c6307b6 880256387d69e7b2 8b93023e25a63e16 982fa766e54709cf 1ac8604f950008c6 5187ac481dcb51bc 6d216dfd70f8d1fb 208e27b2070a6d83{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}344140ea4f49a51d 3c0924b64da79e59 e5eea8b12ac40be7 b92d8e35469a56fb 12d6d5fe82fb0871{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}a9948a38c147b522 bb1d342c71224950 faed499d2a82029b 94bb147773796352 ee50afc86b17dba2 cd96198efce1c712{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}a38edc3957e78ec6 f79d47649d361a83 629f7035b92db8b6 d58ce9be606212cf 10ffa4fc92a0a900 ad92a2b4a26daa9c 0e226314c97c89b9{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}e3deb3a3c97ab739 d27f2184f1abd2c8 eef20791ae2955df c2a6dd7fd52d5919 1e198af705a106bf ca740eae71767ccb c1bc6a40899ec948 38e7f10e666d39e4 cb696628cf82ea85{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words: all ones, zero, the highest bit
// CHECK-NEXT: {{^}}ffffffffffffffff 8000000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
