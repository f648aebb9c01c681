// What surrounds draws in programs: each of these once touched device memory
// from the host, launched an empty grid or lost an offset. Values and layouts
// are those of the CPU.
//
// RUN: %rng_opt %s --rng-to-cpu | %run_cpu > %t.cpu
// RUN: %rng_opt %s --rng-to-nvptx | %run_ptx > %t.gpu
// RUN: diff %t.cpu %t.gpu
// RUN: FileCheck %s < %t.gpu

func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @rngPrintF16(memref<*xf16>) attributes {llvm.emit_c_interface}
func.func private @rngPrintBF16(memref<*xbf16>)
    attributes {llvm.emit_c_interface}
func.func private @rngPrintF64(memref<*xf64>) attributes {llvm.emit_c_interface}
func.func private @rngPrintI1(memref<*xi1>) attributes {llvm.emit_c_interface}
func.func private @rngPrintI64(memref<*xi64>) attributes {llvm.emit_c_interface}
func.func private @print_f32(%x: tensor<?x?xf32>) {
  %b = bufferization.to_buffer %x read_only : tensor<?x?xf32> to memref<?x?xf32>
  %c = memref.cast %b : memref<?x?xf32> to memref<*xf32>
  call @rngPrintF32(%c) : (memref<*xf32>) -> ()
  return
}
func.func private @print1_f32(%x: tensor<?xf32>) {
  %b = bufferization.to_buffer %x read_only : tensor<?xf32> to memref<?xf32>
  %c = memref.cast %b : memref<?xf32> to memref<*xf32>
  call @rngPrintF32(%c) : (memref<*xf32>) -> ()
  return
}

// Copies into the middle of a buffer.
func.func @pad(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %f = arith.constant 7.0 : f32
  %p = tensor.pad %x low[1, 2] high[3, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// Copies from and to offsets.
func.func @slice(%x: tensor<?x?xf32>, %i: index) -> tensor<?x?xf32> {
  %s = tensor.extract_slice %x[%i, 1] [2, 3] [1, 1]
      : tensor<?x?xf32> to tensor<2x3xf32>
  %d = arith.addf %s, %s : tensor<2x3xf32>
  %r = tensor.insert_slice %d into %x[0, %i] [2, 3] [1, 1]
      : tensor<2x3xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A result of rank 0, read by the host.
func.func @sum_all(%x: tensor<?x?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf }
      ins(%x : tensor<?x?xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  %v = tensor.extract %r[] : tensor<f32>
  return %v : f32
}

// The dimension to sum over comes first.
func.func @column_sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.addf }
      ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [0]
  return %r : tensor<?xf32>
}

// Loads in the body of a kernel; a constant table.
func.func @gather(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %idx = arith.constant dense<[3, 0, 2, 2, 1]> : tensor<5xindex>
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i)
      -> (i)>], iterator_types = ["parallel"]}
          ins(%idx : tensor<5xindex>) outs(%e : tensor<5xf32>) {
  ^bb0(%i: index, %o: f32):
    %v = tensor.extract %x[%i, %c1] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<5xf32>
  %c = tensor.cast %r : tensor<5xf32> to tensor<?xf32>
  return %c : tensor<?xf32>
}

// Host control flow over device buffers, single elements.
func.func @loop(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x?xf32> {
    %v = tensor.extract %a[%i, %c0] : tensor<?x?xf32>
    %w = arith.addf %v, %v : f32
    %b = tensor.insert %w into %a[%c0, %i] : tensor<?x?xf32>
    %p = arith.constant 0.0 : f32
    %q = arith.cmpf ogt, %w, %p : f32
    %d = scf.if %q -> tensor<?x?xf32> {
      %e = arith.mulf %b, %b : tensor<?x?xf32>
      scf.yield %e : tensor<?x?xf32>
    } else {
      scf.yield %b : tensor<?x?xf32>
    }
    scf.yield %d : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// Elements from the host.
func.func @elements(%a: f32, %b: f32) -> tensor<?xf32> {
  %t = tensor.from_elements %a, %b, %a : tensor<3xf32>
  %c = tensor.cast %t : tensor<3xf32> to tensor<?xf32>
  return %c : tensor<?xf32>
}

// A constant as a result is a buffer of its own.
func.func @constant() -> tensor<?xf32> {
  %t = arith.constant dense<[1.5, 2.5, -3.5]> : tensor<3xf32>
  %c = tensor.cast %t : tensor<3xf32> to tensor<?xf32>
  return %c : tensor<?xf32>
}

// An argument as a result is a copy.
func.func @identity(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}

// Control flow in the body of a kernel.
func.func @generate(%n: index) -> tensor<?x?xf32> {
  %t = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.muli %i, %j : index
    %k = arith.index_cast %s : index to i32
    %c0 = arith.constant 0 : i32
    %even = arith.cmpi eq, %k, %c0 : i32
    %v = scf.if %even -> i32 {
      %u = arith.index_cast %i : index to i32
      scf.yield %u : i32
    } else {
      scf.yield %k : i32
    }
    %f = arith.sitofp %v : i32 to f32
    tensor.yield %f : f32
  } : tensor<?x4xf32>
  %c = tensor.cast %t : tensor<?x4xf32> to tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// Views, and a shape that is read from memory.
func.func @transpose_reshape(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = tensor.extract_slice %x[0, 0] [4, 6] [1, 1]
      : tensor<?x?xf32> to tensor<4x6xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %t = linalg.transpose ins(%s : tensor<4x6xf32>)
      outs(%e : tensor<6x4xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %x3 = tensor.expand_shape %c [[0, 1]] output_shape [3, 8]
      : tensor<24xf32> into tensor<3x8xf32>
  %shape = arith.constant dense<[2, 12]> : tensor<2xindex>
  %rs = tensor.reshape %x3(%shape)
      : (tensor<3x8xf32>, tensor<2xindex>) -> tensor<2x12xf32>
  %neg = arith.negf %rs : tensor<2x12xf32>
  %r = tensor.cast %neg : tensor<2x12xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A contraction with a transposed operand.
func.func @matmul(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(i, j, k)
      -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k)
          -> (i, j)>] ins(%x, %x : tensor<?x?xf32>, tensor<?x?xf32>)
              outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Other element types, and math functions on them.
func.func @relu_mask(%x: tensor<?x?xf32>)
    -> (tensor<?x?xi1>, tensor<?x?xf64>, tensor<?x?xbf16>, tensor<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zs = tensor.splat %z[%n, %m] : tensor<?x?xf32>
  %k = arith.cmpf ogt, %x, %zs : tensor<?x?xf32>
  %d = arith.extf %x : tensor<?x?xf32> to tensor<?x?xf64>
  %s = math.sqrt %d : tensor<?x?xf64>
  %a = math.absf %x : tensor<?x?xf32>
  %l = math.log %a : tensor<?x?xf32>
  %h = arith.truncf %l : tensor<?x?xf32> to tensor<?x?xbf16>
  // Rounded after each operation, not once at the end.
  %tanh = math.tanh %h : tensor<?x?xbf16>
  %t = arith.addf %tanh, %h : tensor<?x?xbf16>
  %g = arith.truncf %l : tensor<?x?xf32> to tensor<?x?xf16>
  %v = math.exp %g : tensor<?x?xf16>
  return %k, %s, %t, %v : tensor<?x?xi1>, tensor<?x?xf64>, tensor<?x?xbf16>,
      tensor<?x?xf16>
}

// CHECK: 5x7xf32 [
// CHECK: 9x10xf32 [7, 7,
// CHECK: 3xf32 [1.5, 2.5, -3.5]
// CHECK: 5x7xi1
// CHECK: 0x7xf32 []
// CHECK: 3xf32 [0, 0, 0]
func.func @main() {
  %n = arith.constant 5 : index
  %m = arith.constant 7 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %seed = arith.constant 3 : i64
  %off = arith.constant 0 : i64
  %lo = arith.constant -1.0 : f32
  %hi = arith.constant 1.0 : f32
  %x = rng.stateless_uniform %seed, %off range(%lo, %hi) sizes(%n, %m)
      : tensor<?x?xf32>
  func.call @print_f32(%x) : (tensor<?x?xf32>) -> ()
  %pad = call @pad(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print_f32(%pad) : (tensor<?x?xf32>) -> ()
  %sl = call @slice(%x, %c2) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
  call @print_f32(%sl) : (tensor<?x?xf32>) -> ()
  %s = call @sum_all(%x) : (tensor<?x?xf32>) -> f32
  vector.print %s : f32
  %cs = call @column_sum(%x) : (tensor<?x?xf32>) -> tensor<?xf32>
  call @print1_f32(%cs) : (tensor<?xf32>) -> ()
  %g = call @gather(%x) : (tensor<?x?xf32>) -> tensor<?xf32>
  call @print1_f32(%g) : (tensor<?xf32>) -> ()
  %l = call @loop(%x, %n) : (tensor<?x?xf32>, index) -> tensor<?x?xf32>
  call @print_f32(%l) : (tensor<?x?xf32>) -> ()
  %el = call @elements(%s, %lo) : (f32, f32) -> tensor<?xf32>
  call @print1_f32(%el) : (tensor<?xf32>) -> ()
  %co = call @constant() : () -> tensor<?xf32>
  call @print1_f32(%co) : (tensor<?xf32>) -> ()
  %id = call @identity(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print_f32(%id) : (tensor<?x?xf32>) -> ()
  %ge = call @generate(%n) : (index) -> tensor<?x?xf32>
  call @print_f32(%ge) : (tensor<?x?xf32>) -> ()
  %tr = call @transpose_reshape(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print_f32(%tr) : (tensor<?x?xf32>) -> ()
  %mm = call @matmul(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print_f32(%mm) : (tensor<?x?xf32>) -> ()
  %k:4 = call @relu_mask(%x) : (tensor<?x?xf32>)
      -> (tensor<?x?xi1>, tensor<?x?xf64>, tensor<?x?xbf16>, tensor<?x?xf16>)
  %kb = bufferization.to_buffer %k#0 read_only
      : tensor<?x?xi1> to memref<?x?xi1>
  %kc = memref.cast %kb : memref<?x?xi1> to memref<*xi1>
  call @rngPrintI1(%kc) : (memref<*xi1>) -> ()
  %hb = bufferization.to_buffer %k#2 read_only
      : tensor<?x?xbf16> to memref<?x?xbf16>
  %hc = memref.cast %hb : memref<?x?xbf16> to memref<*xbf16>
  call @rngPrintBF16(%hc) : (memref<*xbf16>) -> ()
  %gb = bufferization.to_buffer %k#3 read_only
      : tensor<?x?xf16> to memref<?x?xf16>
  %gc = memref.cast %gb : memref<?x?xf16> to memref<*xf16>
  call @rngPrintF16(%gc) : (memref<*xf16>) -> ()
  // Nothing to do.
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %none = rng.stateless_uniform %seed, %off range(%lo, %hi) sizes(%c0, %m)
      : tensor<?x?xf32>
  %id0 = call @identity(%none) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  call @print_f32(%id0) : (tensor<?x?xf32>) -> ()
  %cs0 = call @column_sum(%none) : (tensor<?x?xf32>) -> tensor<?xf32>
  %cs3 = tensor.extract_slice %cs0[0] [%c3] [1] : tensor<?xf32> to tensor<?xf32>
  call @print1_f32(%cs3) : (tensor<?xf32>) -> ()
  return
}
