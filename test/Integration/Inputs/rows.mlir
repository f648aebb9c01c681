// Parallel loops over rows: softmax with dropout, where a row is kept for all
// steps, in static and dynamic shapes and in one too large for workgroup memory;
// layer norm over two outer dimensions, with a weight of all rows; rows that are
// matrices, of which sums of columns and of rows are taken. @main prints bits.

#row = affine_map<(d0, d1) -> (d0, d1)>
#stat = affine_map<(d0, d1) -> (d0)>

func.func private @rngPrintBitsF32(tensor<*xf32>
    {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func private @softmax_dropout(%x: tensor<?x?xf32>, %seed: i64,
                                   %offset: i64) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %keep = arith.constant 0.75 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %y = scf.forall (%i) in (%m) shared_outs(%out = %empty)
      -> (tensor<?x?xf32>) {
    %xi = tensor.extract_slice %x[%i, 0] [1, %n] [1, 1]
        : tensor<?x?xf32> to tensor<1x?xf32>
    %oi = tensor.extract_slice %out[%i, 0] [1, %n] [1, 1]
        : tensor<?x?xf32> to tensor<1x?xf32>
    %s = tensor.empty() : tensor<1xf32>
    %max_init = linalg.fill ins(%low : f32) outs(%s : tensor<1xf32>)
        -> tensor<1xf32>
    %max = linalg.generic {indexing_maps = [#row, #stat],
                           iterator_types = ["parallel", "reduction"]}
        ins(%xi : tensor<1x?xf32>) outs(%max_init : tensor<1xf32>) {
    ^bb0(%a: f32, %old: f32):
      %next = arith.maximumf %old, %a : f32
      linalg.yield %next : f32
    } -> tensor<1xf32>
    %ei = tensor.empty(%n) : tensor<1x?xf32>
    %exp = linalg.generic {indexing_maps = [#row, #stat, #row],
                           iterator_types = ["parallel", "parallel"]}
        ins(%xi, %max : tensor<1x?xf32>, tensor<1xf32>)
        outs(%ei : tensor<1x?xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %d = arith.subf %a, %b : f32
      %e = math.exp %d : f32
      linalg.yield %e : f32
    } -> tensor<1x?xf32>
    %t = tensor.empty() : tensor<1xf32>
    %sum_init = linalg.fill ins(%zero : f32) outs(%t : tensor<1xf32>)
        -> tensor<1xf32>
    %sum = linalg.generic {indexing_maps = [#row, #stat],
                           iterator_types = ["parallel", "reduction"]}
        ins(%exp : tensor<1x?xf32>) outs(%sum_init : tensor<1xf32>) {
    ^bb0(%a: f32, %old: f32):
      %next = arith.addf %a, %old : f32
      linalg.yield %next : f32
    } -> tensor<1xf32>
    %r = linalg.generic {indexing_maps = [#row, #stat, #row],
                         iterator_types = ["parallel", "parallel"]}
        ins(%exp, %sum : tensor<1x?xf32>, tensor<1xf32>)
        outs(%oi : tensor<1x?xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %p = arith.divf %a, %b : f32
      %j = linalg.index 1 : index
      %u = rng.stateless_uniform %seed, %offset slice [%i, %j] of [%m, %n] : f32
      %k = arith.cmpf olt, %u, %keep : f32
      %q = arith.select %k, %p, %zero : f32
      linalg.yield %q : f32
    } -> tensor<1x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i, 0] [1, %n] [1, 1]
          : tensor<1x?xf32> into tensor<?x?xf32>
    }
  }
  return %y : tensor<?x?xf32>
}

// 52 KB a row. Four neighbours share a block of the draw.
func.func private @large(%x: tensor<2x13000xf32>, %seed: i64, %offset: i64)
    -> tensor<2x13000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x13000xf32>
  %y = scf.forall (%i) in (2) shared_outs(%out = %empty)
      -> (tensor<2x13000xf32>) {
    %xi = tensor.extract_slice %x[%i, 0] [1, 13000] [1, 1]
        : tensor<2x13000xf32> to tensor<1x13000xf32>
    %oi = tensor.extract_slice %out[%i, 0] [1, 13000] [1, 1]
        : tensor<2x13000xf32> to tensor<1x13000xf32>
    %ei = tensor.empty() : tensor<1x13000xf32>
    %squares = linalg.generic {indexing_maps = [#row, #row],
                               iterator_types = ["parallel", "parallel"]}
        ins(%xi : tensor<1x13000xf32>) outs(%ei : tensor<1x13000xf32>) {
    ^bb0(%a: f32, %old: f32):
      %aa = arith.mulf %a, %a : f32
      linalg.yield %aa : f32
    } -> tensor<1x13000xf32>
    %t = tensor.empty() : tensor<1xf32>
    %init = linalg.fill ins(%zero : f32) outs(%t : tensor<1xf32>)
        -> tensor<1xf32>
    %sum = linalg.generic {indexing_maps = [#row, #stat],
                           iterator_types = ["parallel", "reduction"]}
        ins(%squares : tensor<1x13000xf32>) outs(%init : tensor<1xf32>) {
    ^bb0(%a: f32, %old: f32):
      %next = arith.addf %old, %a : f32
      linalg.yield %next : f32
    } -> tensor<1xf32>
    %r = linalg.generic {indexing_maps = [#row, #stat, #row],
                         iterator_types = ["parallel", "parallel"]}
        ins(%squares, %sum : tensor<1x13000xf32>, tensor<1xf32>)
        outs(%oi : tensor<1x13000xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %p = arith.divf %a, %b : f32
      %j = linalg.index 1 : index
      %u = rng.stateless_uniform %seed, %offset slice [%i, %j] of [2, 13000]
          : f32
      %up = arith.mulf %u, %p : f32
      linalg.yield %up : f32
    } -> tensor<1x13000xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i, 0] [1, 13000] [1, 1]
          : tensor<1x13000xf32> into tensor<2x13000xf32>
    }
  }
  return %y : tensor<2x13000xf32>
}

func.func private @layer_norm(%x: tensor<2x3x70xf32>, %w: tensor<70xf32>)
    -> tensor<2x3x70xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 70.0 : f32
  %small = arith.constant 1.0e-5 : f32
  %empty = tensor.empty() : tensor<2x3x70xf32>
  %y = scf.forall (%i, %j) in (2, 3) shared_outs(%out = %empty)
      -> (tensor<2x3x70xf32>) {
    %xi = tensor.extract_slice %x[%i, %j, 0] [1, 1, 70] [1, 1, 1]
        : tensor<2x3x70xf32> to tensor<70xf32>
    %oi = tensor.extract_slice %out[%i, %j, 0] [1, 1, 70] [1, 1, 1]
        : tensor<2x3x70xf32> to tensor<70xf32>
    %s = tensor.empty() : tensor<f32>
    %init = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
    %sum = linalg.reduce { arith.addf } ins(%xi : tensor<70xf32>)
        outs(%init : tensor<f32>) dimensions = [0]
    %squares = linalg.generic {
        indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>,
                         affine_map<(k) -> ()>],
        iterator_types = ["reduction"]}
        ins(%xi, %sum : tensor<70xf32>, tensor<f32>)
        outs(%init : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %mean = arith.divf %b, %count : f32
      %d = arith.subf %a, %mean : f32
      %dd = arith.mulf %d, %d : f32
      %next = arith.addf %old, %dd : f32
      linalg.yield %next : f32
    } -> tensor<f32>
    %r = linalg.generic {
        indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>,
                         affine_map<(k) -> ()>, affine_map<(k) -> (k)>,
                         affine_map<(k) -> (k)>],
        iterator_types = ["parallel"]}
        ins(%xi, %sum, %squares, %w
            : tensor<70xf32>, tensor<f32>, tensor<f32>, tensor<70xf32>)
        outs(%oi : tensor<70xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %weight: f32, %old: f32):
      %mean = arith.divf %b, %count : f32
      %d = arith.subf %a, %mean : f32
      %variance = arith.divf %c, %count : f32
      %positive = arith.addf %variance, %small : f32
      %scale = math.rsqrt %positive : f32
      %n = arith.mulf %d, %scale : f32
      %wn = arith.mulf %n, %weight : f32
      linalg.yield %wn : f32
    } -> tensor<70xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i, %j, 0] [1, 1, 70] [1, 1, 1]
          : tensor<70xf32> into tensor<2x3x70xf32>
    }
  }
  return %y : tensor<2x3x70xf32>
}

// Of each matrix: sums of its rows (long ones and short ones), added to those
// of its columns.
func.func private @matrices(%x: tensor<3x40x40xf32>, %z: tensor<3x40x8xf32>)
    -> tensor<3x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x40xf32>
  %y = scf.forall (%i) in (3) shared_outs(%out = %empty) -> (tensor<3x40xf32>) {
    %xi = tensor.extract_slice %x[%i, 0, 0] [1, 40, 40] [1, 1, 1]
        : tensor<3x40x40xf32> to tensor<40x40xf32>
    %zi = tensor.extract_slice %z[%i, 0, 0] [1, 40, 8] [1, 1, 1]
        : tensor<3x40x8xf32> to tensor<40x8xf32>
    %oi = tensor.extract_slice %out[%i, 0] [1, 40] [1, 1]
        : tensor<3x40xf32> to tensor<40xf32>
    %init = linalg.fill ins(%zero : f32) outs(%oi : tensor<40xf32>)
        -> tensor<40xf32>
    %rows = linalg.reduce { arith.addf } ins(%xi : tensor<40x40xf32>)
        outs(%init : tensor<40xf32>) dimensions = [1]
    %short = linalg.reduce { arith.addf } ins(%zi : tensor<40x8xf32>)
        outs(%rows : tensor<40xf32>) dimensions = [1]
    %columns = linalg.reduce { arith.addf } ins(%xi : tensor<40x40xf32>)
        outs(%short : tensor<40xf32>) dimensions = [0]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %columns into %out[%i, 0] [1, 40] [1, 1]
          : tensor<40xf32> into tensor<3x40xf32>
    }
  }
  return %y : tensor<3x40xf32>
}

func.func private @print_softmax(%m: index, %n: index, %seed: i64,
                                 %offset: i64) {
  %x = rng.stateless_uniform %seed, %offset sizes(%m, %n) : tensor<?x?xf32>
  %y = call @softmax_dropout(%x, %seed, %offset)
      : (tensor<?x?xf32>, i64, i64) -> tensor<?x?xf32>
  %any = tensor.cast %y : tensor<?x?xf32> to tensor<*xf32>
  vector.print str "softmax "
  vector.print %m : index
  vector.print %n : index
  call @rngPrintBitsF32(%any) : (tensor<*xf32>) -> ()
  return
}

func.func @main() {
  %seed = arith.constant 3 : i64
  %o1 = arith.constant 1 : i64
  %o2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c300 = arith.constant 300 : index
  %c1025 = arith.constant 1025 : index
  call @print_softmax(%c3, %c300, %seed, %o1) : (index, index, i64, i64) -> ()
  call @print_softmax(%c300, %c3, %seed, %o1) : (index, index, i64, i64) -> ()
  call @print_softmax(%c1, %c1025, %seed, %o1) : (index, index, i64, i64) -> ()
  call @print_softmax(%c0, %c3, %seed, %o1) : (index, index, i64, i64) -> ()
  call @print_softmax(%c3, %c0, %seed, %o1) : (index, index, i64, i64) -> ()

  %large = rng.stateless_uniform %seed, %o1 : tensor<2x13000xf32>
  %large_y = call @large(%large, %seed, %o2)
      : (tensor<2x13000xf32>, i64, i64) -> tensor<2x13000xf32>
  %large_any = tensor.cast %large_y : tensor<2x13000xf32> to tensor<*xf32>
  vector.print str "large: "
  call @rngPrintBitsF32(%large_any) : (tensor<*xf32>) -> ()

  %x = rng.stateless_uniform %seed, %o1 : tensor<2x3x70xf32>
  %w = rng.stateless_uniform %seed, %o2 : tensor<70xf32>
  %norm = call @layer_norm(%x, %w)
      : (tensor<2x3x70xf32>, tensor<70xf32>) -> tensor<2x3x70xf32>
  %norm_any = tensor.cast %norm : tensor<2x3x70xf32> to tensor<*xf32>
  vector.print str "layer norm: "
  call @rngPrintBitsF32(%norm_any) : (tensor<*xf32>) -> ()

  %squares = rng.stateless_uniform %seed, %o1 : tensor<3x40x40xf32>
  %narrow = rng.stateless_uniform %seed, %o2 : tensor<3x40x8xf32>
  %sums = call @matrices(%squares, %narrow)
      : (tensor<3x40x40xf32>, tensor<3x40x8xf32>) -> tensor<3x40xf32>
  %sums_any = tensor.cast %sums : tensor<3x40xf32> to tensor<*xf32>
  vector.print str "matrices: "
  call @rngPrintBitsF32(%sums_any) : (tensor<*xf32>) -> ()
  return
}
