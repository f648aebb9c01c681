// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Traps 14, 17.
// Uniform draws of f64, bit for bit: the values of nvFuser, and all forms of a
// draw against each other. `first` of the chosen words is where the inverse of
// the Philox bijection finds them.

func.func private @rngPrintBitsF64(memref<*xf64>)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentF64(memref<*xf64>, memref<*xf64>) -> i64
    attributes {llvm.emit_c_interface}

// Prints elements first, ..., first + n - 1 of a draw, drawn as a tensor, then
// the number of elements at which scalars, vectors at any start and vectors at
// starts of blocks differ from these.
func.func private @draw(%seed: i64, %offset: i64, %first: index, %n: index,
    %lo: f64, %hi: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 2 : index
  %lanes = arith.constant 4 : index
  %huge = arith.constant 0x7fffffffffffffff : index

  %tensor = rng.stateless_uniform %seed, %offset range(%lo, %hi) sizes(%n)
      slice [%first] of [%huge] : tensor<?xf64>
  %expected = bufferization.to_buffer %tensor : tensor<?xf64> to memref<?xf64>
  %expected_any = memref.cast %expected : memref<?xf64> to memref<*xf64>
  call @rngPrintBitsF64(%expected_any) : (memref<*xf64>) -> ()

  %scalars = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] : f64
    memref.store %x, %scalars[%i] : memref<?xf64>
  }
  %scalars_any = memref.cast %scalars : memref<?xf64> to memref<*xf64>
  %d0 = call @rngCountDifferentF64(%expected_any, %scalars_any)
      : (memref<*xf64>, memref<*xf64>) -> i64

  // Vectors overlap the end: the buffers are longer than n.
  %room = arith.constant 8 : index
  %length = arith.addi %n, %room : index
  %vectors = memref.alloc(%length) : memref<?xf64>
  scf.for %i = %c0 to %n step %lanes {
    %index = arith.addi %first, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] : vector<4xf64>
    vector.store %x, %vectors[%i] : memref<?xf64>, vector<4xf64>
  }
  %vectors_used = memref.subview %vectors[0] [%n] [1]
      : memref<?xf64> to memref<?xf64, strided<[1]>>
  %vectors_any = memref.cast %vectors_used
      : memref<?xf64, strided<[1]>> to memref<*xf64>
  %d1 = call @rngCountDifferentF64(%expected_any, %vectors_any)
      : (memref<*xf64>, memref<*xf64>) -> i64

  %phase = arith.remui %first, %m : index
  %start = arith.subi %first, %phase : index
  %end = arith.addi %n, %phase : index
  %blocks = memref.alloc(%length) : memref<?xf64>
  scf.for %i = %c0 to %end step %lanes {
    %index = arith.addi %start, %i : index
    %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
        slice [%index] of [%huge] {aligned} : vector<4xf64>
    vector.store %x, %blocks[%i] : memref<?xf64>, vector<4xf64>
  }
  %blocks_used = memref.subview %blocks[%phase] [%n] [1]
      : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %blocks_any = memref.cast %blocks_used
      : memref<?xf64, strided<[1], offset: ?>> to memref<*xf64>
  %d2 = call @rngCountDifferentF64(%expected_any, %blocks_any)
      : (memref<*xf64>, memref<*xf64>) -> i64

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
  %rows = arith.constant 54 : index

  // Seed, offset, first index, number of elements.
  %where = arith.constant dense<[
    [81985529216486895, 0, 0, 15],
    [81985529216486895, 0, 0, 15],
    [81985529216486895, 0, 1, 9],
    [1002, 5451521571354745235, 2588663389009437794, 2],
    [1000, -1231850548356582683, 5750972734704988430, 2],
    [1003, -9055467413306443697, 7816746090818442690, 2],
    [1001, -3407873838499755653, 7539977384872386982, 2],
    [1003, 4686245076894921906, 2159167013484877532, 2],
    [1000, -141019611689404888, 1514221820076289882, 2],
    [1000, 6894240355430286845, 8527639591950519914, 2],
    [1002, -5502648273033056616, 332285076136130168, 2],
    [1003, -4747125332724078582, 6585659623653695508, 2],
    [1000, 2840403456587661947, 3006927238654148720, 2],
    [1004, 7699450699465866910, 7551595538941550644, 2],
    [1001, -5455414419043298118, 5524424164163491866, 2],
    [1004, 6358497300163190351, 7989571228464623200, 2],
    [1002, -5699786461541064219, 6205228540353217876, 2],
    [1003, -1563456252869278851, 3620732942677989464, 2],
    [1000, -2921146765440876028, 8618967049827805964, 2],
    [1004, -5859755343184330587, 4574421995556934260, 2],
    [1000, -4478836936214012850, 7278577277983236272, 2],
    [1003, 4971720532925711670, 8346517864439643282, 2],
    [1004, -5085809003887265913, 7129283004321534954, 2],
    [1002, -1550432313617496271, 5413835435260242304, 2],
    [1005, -4515001511332835176, 2744736275112351698, 2],
    [1001, 4119415406645686824, 6846240044197635928, 2],
    [1006, -1190257771933797266, 8126693092960251448, 2],
    [1001, -8165032698930435003, 42792960836723288, 2],
    [1004, 245456092461745653, 2970489009931956042, 2],
    [1000, 197671250483162466, 7783241011573111938, 2],
    [1000, -3857445729998397611, 2057171245652743756, 2],
    [1001, 36150351307158871, 5194615698846934680, 2],
    [1003, 3991913668858339779, 551398559597584266, 2],
    [1000, 8697543586441635945, 579413558189623724, 2],
    [1000, -3868291376887366972, 1201573364313145568, 2],
    [1002, 932439651267410385, 1400564300863883774, 2],
    [1008, 6662117808365195640, 1847042102414136034, 2],
    [1001, 5423400690206022121, 1851404989996160342, 2],
    [1000, 6263581453147049095, 2871583451928972242, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1005, -2617482042869848687, 4047839541437045086, 2],
    [1005, -2617482042869848687, 4047839541437045086, 2],
    [1005, -2617482042869848687, 4047839541437045086, 2],
    [1005, -2617482042869848687, 4047839541437045086, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2],
    [1001, 4342230089456074417, 1630155366897526958, 2]
  ]> : tensor<54x4xi64>
  %los = arith.constant dense<[
    0x0000000000000000, 0x3FB999999999999A, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0xBFF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0xC008000000000000, 0xBFF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0xC008000000000000, 0x4000000000000000,
    0x4000000000000000, 0x0000000000000000, 0xFFF0000000000000,
    0x3FF0000000000000, 0x7FF8000000000000, 0xFFEFFFFFFFFFFFFF
  ]> : tensor<54xf64>
  %his = arith.constant dense<[
    0x3FF0000000000000, 0x3FE6666666666666, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000000, 0x3FF0000000000000,
    0x3FF0000000000000, 0x3FF0000000000001, 0x3FF0000000000002,
    0x3F50624DD2F1A9FC, 0x3FF0000000000000, 0x3FF0000000000001,
    0x3FF0000000000002, 0x3F50624DD2F1A9FC, 0x4000000000000000,
    0x3FF0000000000000, 0x7FF0000000000000, 0x0000000000000000,
    0x7FF8000000000000, 0x3FF0000000000000, 0x7FEFFFFFFFFFFFFF
  ]> : tensor<54xf64>

  scf.for %row = %c0 to %rows step %c1 {
    %seed = tensor.extract %where[%row, %c0] : tensor<54x4xi64>
    %offset = tensor.extract %where[%row, %c1] : tensor<54x4xi64>
    %first_i64 = tensor.extract %where[%row, %c2] : tensor<54x4xi64>
    %n_i64 = tensor.extract %where[%row, %c3] : tensor<54x4xi64>
    %first = arith.index_cast %first_i64 : i64 to index
    %n = arith.index_cast %n_i64 : i64 to index
    %lo = tensor.extract %los[%row] : tensor<54xf64>
    %hi = tensor.extract %his[%row] : tensor<54xf64>
    func.call @draw(%seed, %offset, %first, %n, %lo, %hi)
        : (i64, i64, index, index, f64, f64) -> ()
  }
  return
}

// nvFuser: seeds and offsets
// CHECK: {{^}}3fe8b196b130222e 3fdea13fd70f4041 3fdb0420e7fbfebd 3f9643f32338e2f0 3fd133ee3ad00efd 3fa26139643aa6c8 3fd05a62aef80543 3fee11ad6fa662d0 3fdded19293de855 3fecc0b96791ab16 3fde26731583da25 3fda3ae8a4abe289 3fdaba7f3220d9e3 3febc4b5ca45da3a 3fe1d88790723a78{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: a range
// CHECK-NEXT: {{^}}3fe20427371ce14f 3fd8c7264dd5f35a 3fd69c13be63ff3e 3fbcf097abaeeed8 3fd0b8c22349a298 3fbf1d2ad144cba3 3fd0363b35c80328 3fe53dce7630a1b0 3fd85b0f18bebe99 3fe473a2715766a7 3fd87d78401be949 3fd6235862cd87ec 3fd66fe5eae082bb 3fe3dc6d12f6b623 3fdbd0a2ad55dfc3{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// nvFuser: from the middle of a block
// CHECK-NEXT: {{^}}3fdea13fd70f4041 3fdb0420e7fbfebd 3f9643f32338e2f0 3fd133ee3ad00efd 3fa26139643aa6c8 3fd05a62aef80543 3fee11ad6fa662d0 3fdded19293de855 3fecc0b96791ab16{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words of nvFuser
// CHECK-NEXT: {{^}}3df0000040000000 3e70000000400000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f60000020000080 3fe0000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefffffe00000 3feffffff0000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b7dde00000 3fefffffffe00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3df0004040000000 3e70000040400000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f60000020008080 3fe0000000000080{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefffffe00080 3feffffff0000080{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b7dde00080 3fefffffffe00080{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3df0020040000000 3e70000200400000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f60000020040080 3fe0000000000400{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefffffe00400 3feffffff0000400{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b7dde00400 3fefffffffe00400{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e1bfffff0000000 3e707fffffc00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f600000dfffff80 3fe0000001000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefffff200000 3feffffff1000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b7dd200000 3fefffffff200000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e90040000100000 3e94000000100000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f60008020000080 3fe0000080000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefff7fe00000 3fefffff70000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b75de00000 3fefffff7fe00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e9fe40000100000 3e9be00000100000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f6000ff20000080 3fe00000ff000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefff00e00000 3fefffff0f000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b722e00000 3fefffff00e00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e9ffa0000100000 3e9bfe0000100000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f6000ffd0000080 3fe00000fff00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefff00100000 3fefffff0ff00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b722100000 3fefffff00100000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e9ffbffffd00000 3e9bffffffd00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f6000ffdffffe80 3fe00000fffffffe{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefff001ffffe 3fefffff0ffffffe{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b7221ffffe 3fefffff001ffffe{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3e9ffbfffff00000 3e9bfffffff00000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f6000ffdfffff80 3fe0000100000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3fefefff00200000 3fefffff10000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3febd5b722200000 3fefffff00200000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// Chosen words in ranges whose ends round
// CHECK-NEXT: {{^}}3feffffe00400000 bfefffffffffffff{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ff0000000000000 3ff0000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ff0000000000000 3ff0000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3f505c4e0fef9bb6 c008000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000000000000000 be6fc00001000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ff0000000000000 3ff0000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ff0000000000001 3ff0000000000001{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}bff7fdf3b645a1cb bff7fdf3ce17a9fd{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// No range: lo >= hi, or hi - lo is not finite
// CHECK-NEXT: {{^}}4000000000000000 4000000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}4000000000000000 4000000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0000000000000000 0000000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}fff0000000000000 fff0000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}3ff0000000000000 3ff0000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}7ff8000000000000 7ff8000000000000{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}ffefffffffffffff ffefffffffffffff{{$}}
// CHECK-NEXT: {{^}}0{{$}}
