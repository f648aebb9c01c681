// Contractions of whole tiles, of less, of several and a rest; batches,
// transposed operands, two depths, narrow floats, no depth, nothing at all.
// @main prints the bits.

func.func private @rngPrintBitsF32(tensor<*xf32>
    {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @rngPrintBitsF16(tensor<*xf16>
    {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func private @zeros(%m: index, %n: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %init : tensor<?x?xf32>
}

func.func private @random(%m: index, %n: index, %offset: i64)
    -> tensor<?x?xf32> {
  %seed = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset sizes(%m, %n) : tensor<?x?xf32>
  return %x : tensor<?x?xf32>
}

func.func private @plain(%m: index, %k: index, %n: index) {
  %o1 = arith.constant 1 : i64
  %o2 = arith.constant 2 : i64
  %o3 = arith.constant 3 : i64
  %a = call @random(%m, %k, %o1) : (index, index, i64) -> tensor<?x?xf32>
  %b = call @random(%k, %n, %o2) : (index, index, i64) -> tensor<?x?xf32>
  %c = call @random(%m, %n, %o3) : (index, index, i64) -> tensor<?x?xf32>
  %y = call @multiply(%a, %b, %c)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %any = tensor.cast %y : tensor<?x?xf32> to tensor<*xf32>
  call @rngPrintBitsF32(%any) : (tensor<*xf32>) -> ()
  return
}

func.func private @multiply(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>,
                            %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %cc = arith.addf %c, %c : tensor<?x?xf32>
  %y = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%cc : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// b transposed, of static shapes: 2 x 2 tiles, all of them whole.
func.func private @transposed_right(%a: tensor<32x48xf32>,
                                    %b: tensor<32x48xf32>)
    -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>)
      -> tensor<32x32xf32>
  %y = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%a, %b : tensor<32x48xf32>, tensor<32x48xf32>)
      outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// a and the result transposed, the depth outermost.
func.func private @transposed_left(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>,
                                   %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %cc = arith.addf %c, %c : tensor<?x?xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(k, i, j) -> (k, i)>,
                       affine_map<(k, i, j) -> (k, j)>,
                       affine_map<(k, i, j) -> (j, i)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%cc : tensor<?x?xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %lr = arith.mulf %l, %r : f32
    %next = arith.addf %lr, %sum : f32
    linalg.yield %next : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// Batches, two depths, the sum in f32 of products in f16.
func.func private @batches(%a: tensor<3x20x2x19xf16>,
                           %b: tensor<3x2x19x18xf16>)
    -> tensor<3x20x18xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x20x18xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x20x18xf32>)
      -> tensor<3x20x18xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(b, i, j, k, l) -> (b, i, k, l)>,
                       affine_map<(b, i, j, k, l) -> (b, k, l, j)>,
                       affine_map<(b, i, j, k, l) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction",
                        "reduction"]}
      ins(%a, %b : tensor<3x20x2x19xf16>, tensor<3x2x19x18xf16>)
      outs(%init : tensor<3x20x18xf32>) {
  ^bb0(%l: f16, %r: f16, %sum: f32):
    %lr = arith.mulf %l, %r : f16
    %wide = arith.extf %lr : f16 to f32
    %next = arith.addf %sum, %wide : f32
    linalg.yield %next : f32
  } -> tensor<3x20x18xf32>
  return %y : tensor<3x20x18xf32>
}

func.func private @narrow(%a: tensor<5x33xf16>, %b: tensor<33x17xf16>)
    -> tensor<5x17xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<5x17xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<5x17xf16>)
      -> tensor<5x17xf16>
  %y = linalg.matmul ins(%a, %b : tensor<5x33xf16>, tensor<33x17xf16>)
      outs(%init : tensor<5x17xf16>) -> tensor<5x17xf16>
  return %y : tensor<5x17xf16>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c40 = arith.constant 40 : index
  vector.print str "16 16 16: "
  call @plain(%c16, %c16, %c16) : (index, index, index) -> ()
  vector.print str "1 1 1: "
  call @plain(%c1, %c1, %c1) : (index, index, index) -> ()
  vector.print str "17 40 5: "
  call @plain(%c17, %c40, %c5) : (index, index, index) -> ()
  vector.print str "5 17 40: "
  call @plain(%c5, %c17, %c40) : (index, index, index) -> ()
  vector.print str "5 0 17: "
  call @plain(%c5, %c0, %c17) : (index, index, index) -> ()
  vector.print str "0 5 17: "
  call @plain(%c0, %c5, %c17) : (index, index, index) -> ()

  %seed = arith.constant 11 : i64
  %o1 = arith.constant 1 : i64
  %o2 = arith.constant 2 : i64
  %a = rng.stateless_uniform %seed, %o1 : tensor<32x48xf32>
  %b = rng.stateless_uniform %seed, %o2 : tensor<32x48xf32>
  %y = call @transposed_right(%a, %b)
      : (tensor<32x48xf32>, tensor<32x48xf32>) -> tensor<32x32xf32>
  %y_any = tensor.cast %y : tensor<32x32xf32> to tensor<*xf32>
  vector.print str "transposed right: "
  call @rngPrintBitsF32(%y_any) : (tensor<*xf32>) -> ()

  %la = call @random(%c40, %c17, %o1) : (index, index, i64) -> tensor<?x?xf32>
  %lb = call @random(%c40, %c5, %o2) : (index, index, i64) -> tensor<?x?xf32>
  %lc = call @zeros(%c5, %c17) : (index, index) -> tensor<?x?xf32>
  %ly = call @transposed_left(%la, %lb, %lc)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  vector.print str "transposed left: "
  %ly_any = tensor.cast %ly : tensor<?x?xf32> to tensor<*xf32>
  call @rngPrintBitsF32(%ly_any) : (tensor<*xf32>) -> ()

  %ba = rng.stateless_uniform %seed, %o1 : tensor<3x20x2x19xf16>
  %bb = rng.stateless_uniform %seed, %o2 : tensor<3x2x19x18xf16>
  %by = call @batches(%ba, %bb)
      : (tensor<3x20x2x19xf16>, tensor<3x2x19x18xf16>) -> tensor<3x20x18xf32>
  %by_any = tensor.cast %by : tensor<3x20x18xf32> to tensor<*xf32>
  vector.print str "batches: "
  call @rngPrintBitsF32(%by_any) : (tensor<*xf32>) -> ()

  %na = rng.stateless_uniform %seed, %o1 : tensor<5x33xf16>
  %nb = rng.stateless_uniform %seed, %o2 : tensor<33x17xf16>
  %ny = call @narrow(%na, %nb)
      : (tensor<5x33xf16>, tensor<33x17xf16>) -> tensor<5x17xf16>
  %ny_any = tensor.cast %ny : tensor<5x17xf16> to tensor<*xf16>
  vector.print str "narrow: "
  call @rngPrintBitsF16(%ny_any) : (tensor<*xf16>) -> ()
  return
}
