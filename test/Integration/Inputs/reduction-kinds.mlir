// Reductions of other kinds than plain sums: of draws alone, of i1 and i8, of
// strided views, of inputs that are broadcast, named ones, one that
// keeps a dimension, one of two results. @main prints what they yield.

func.func private @rngPrintF32(tensor<*xf32>
    {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @rngPrintI32(tensor<*xi32>
    {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @rngPrintI8(tensor<*xi8>
    {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @rngPrintI1(tensor<*xi1>
    {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @rngPrintI64(tensor<*xi64>
    {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

// No inputs at all.
func.func private @count(%seed: i64, %offset: i64, %n: index) -> tensor<i32> {
  %z = arith.constant 0 : i32
  %p = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<i32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %k = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n) : tensor<?xi1>
  %w = arith.extui %k : tensor<?xi1> to tensor<?xi32>
  %r = linalg.reduce { arith.addi } ins(%w : tensor<?xi32>)
      outs(%f : tensor<i32>) dimensions = [0]
  return %r : tensor<i32>
}

func.func private @any(%x: tensor<4x?xi1>) -> tensor<4xi1> {
  %z = arith.constant false
  %e = tensor.empty() : tensor<4xi1>
  %f = linalg.fill ins(%z : i1) outs(%e : tensor<4xi1>) -> tensor<4xi1>
  %r = linalg.reduce { arith.xori } ins(%x : tensor<4x?xi1>)
      outs(%f : tensor<4xi1>) dimensions = [1]
  return %r : tensor<4xi1>
}

func.func private @bytes(%x: tensor<4x?xi8>) -> tensor<4xi8> {
  %z = arith.constant 3 : i8
  %e = tensor.empty() : tensor<4xi8>
  %f = linalg.fill ins(%z : i8) outs(%e : tensor<4xi8>) -> tensor<4xi8>
  %r = linalg.reduce { arith.muli } ins(%x : tensor<4x?xi8>)
      outs(%f : tensor<4xi8>) dimensions = [1]
  return %r : tensor<4xi8>
}

func.func private @strided(%x: tensor<8x?x6xf32>, %o: tensor<16xf32>,
    %n: index) -> tensor<16xf32> {
  %s = tensor.extract_slice %x[1, 0, 2] [3, %n, 1] [2, 1, 1]
      : tensor<8x?x6xf32> to tensor<3x?xf32>
  %t = tensor.extract_slice %o[4] [3] [2] : tensor<16xf32> to tensor<3xf32>
  %r = linalg.reduce { arith.addf } ins(%s : tensor<3x?xf32>)
      outs(%t : tensor<3xf32>) dimensions = [1]
  %q = tensor.insert_slice %r into %o[4] [3] [2] : tensor<3xf32> into
      tensor<16xf32>
  return %q : tensor<16xf32>
}

// The index of the reduction in the body.
func.func private @weights(%x: tensor<5xf32>, %w: tensor<?xf32>,
    %o: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
      affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
     ins(%x, %w : tensor<5xf32>, tensor<?xf32>) outs(%o : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %j : index to i32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %f : f32
    %n = arith.addf %q, %c : f32
    linalg.yield %n : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func private @named(%a: tensor<?x?xf32>, %x: tensor<?xf32>, %y:
    tensor<?xf32>, %o: tensor<?xf32>, %d: tensor<f32>)
        -> (tensor<?xf32>, tensor<f32>, tensor<?xf32>) {
  %m = linalg.matvec ins(%a, %x : tensor<?x?xf32>, tensor<?xf32>) outs(%o
      : tensor<?xf32>) -> tensor<?xf32>
  %t = linalg.dot ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%d
      : tensor<f32>) -> tensor<f32>
  %v = linalg.vecmat ins(%m, %a : tensor<?xf32>, tensor<?x?xf32>) outs(%y
      : tensor<?xf32>) -> tensor<?xf32>
  return %m, %t, %v : tensor<?xf32>, tensor<f32>, tensor<?xf32>
}

func.func private @kept(%x: tensor<3x400xf32>) -> tensor<3x1xf32> {
  %z = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<3x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x1xf32>) -> tensor<3x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j)
      -> (i, j)>, affine_map<(i, j) -> (i, 0)>],
      iterator_types = ["parallel", "reduction"]}
     ins(%x : tensor<3x400xf32>) outs(%f : tensor<3x1xf32>) {
  ^bb0(%a: f32, %c: f32):
    %n = arith.addf %c, %a : f32
    linalg.yield %n : f32
  } -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}

func.func private @argmax(%x: tensor<3x400xf32>) -> tensor<3xi64> {
  %z = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %ei = tensor.empty() : tensor<3xi64>
  %fi = linalg.fill ins(%zi : i64) outs(%ei : tensor<3xi64>) -> tensor<3xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j)
      -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j)
      -> (i)>], iterator_types = ["parallel", "reduction"]}
     ins(%x : tensor<3x400xf32>) outs(%f, %fi : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%a: f32, %c: f32, %at: i64):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i64
    %more = arith.cmpf ogt, %a, %c : f32
    %n = arith.select %more, %a, %c : f32
    %p = arith.select %more, %ji, %at : i64
    linalg.yield %n, %p : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  return %r#1 : tensor<3xi64>
}

func.func @main() {
  %s = arith.constant 5 : i64
  %o = arith.constant 6 : i64
  %o2 = arith.constant 8 : i64
  %z = arith.constant 0.0 : f32
  %n = arith.constant 777 : index
  %c5 = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %total = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %s) -> i64 {
    %c = func.call @count(%acc, %o, %n) : (i64, i64, index) -> tensor<i32>
    %ca = tensor.cast %c : tensor<i32> to tensor<*xi32>
    func.call @rngPrintI32(%ca) : (tensor<*xi32>) -> ()
    %nx = arith.addi %acc, %o : i64
    scf.yield %nx : i64
  }
  %b1 = rng.stateless_bits %s, %o sizes(%n) : tensor<4x?xi1>
  %r1 = call @any(%b1) : (tensor<4x?xi1>) -> tensor<4xi1>
  %a1 = tensor.cast %r1 : tensor<4xi1> to tensor<*xi1>
  call @rngPrintI1(%a1) : (tensor<*xi1>) -> ()
  %b8 = rng.stateless_bits %s, %o sizes(%c5) : tensor<4x?xi8>
  %r8 = call @bytes(%b8) : (tensor<4x?xi8>) -> tensor<4xi8>
  %a8 = tensor.cast %r8 : tensor<4xi8> to tensor<*xi8>
  call @rngPrintI8(%a8) : (tensor<*xi8>) -> ()
  %x = rng.stateless_uniform %s, %o sizes(%n) : tensor<8x?x6xf32>
  %oo = rng.stateless_uniform %s, %o2 : tensor<16xf32>
  %r = call @strided(%x, %oo, %n) : (tensor<8x?x6xf32>,
      tensor<16xf32>, index) -> tensor<16xf32>
  %a = tensor.cast %r : tensor<16xf32> to tensor<*xf32>
  call @rngPrintF32(%a) : (tensor<*xf32>) -> ()
  %x5 = rng.stateless_uniform %s, %o2 : tensor<5xf32>
  %w = rng.stateless_uniform %s, %o sizes(%n) : tensor<?xf32>
  %rw = call @weights(%x5, %w, %x5) : (tensor<5xf32>, tensor<?xf32>,
      tensor<5xf32>) -> tensor<5xf32>
  %aw = tensor.cast %rw : tensor<5xf32> to tensor<*xf32>
  call @rngPrintF32(%aw) : (tensor<*xf32>) -> ()
  %m = rng.stateless_uniform %s, %o sizes(%c5, %n) : tensor<?x?xf32>
  %v5 = tensor.splat %z[%c5] : tensor<?xf32>
  %vn = tensor.splat %z[%n] : tensor<?xf32>
  %zz = tensor.splat %z : tensor<f32>
  %nm:3 = call @named(%m, %w, %vn, %v5, %zz) : (tensor<?x?xf32>,
      tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<f32>)
      -> (tensor<?xf32>, tensor<f32>, tensor<?xf32>)
  %n1 = tensor.cast %nm#0 : tensor<?xf32> to tensor<*xf32>
  call @rngPrintF32(%n1) : (tensor<*xf32>) -> ()
  %n2 = tensor.cast %nm#1 : tensor<f32> to tensor<*xf32>
  call @rngPrintF32(%n2) : (tensor<*xf32>) -> ()
  %n3 = tensor.cast %nm#2 : tensor<?xf32> to tensor<*xf32>
  call @rngPrintF32(%n3) : (tensor<*xf32>) -> ()
  %k = rng.stateless_uniform %s, %o : tensor<3x400xf32>
  %kr = call @kept(%k) : (tensor<3x400xf32>) -> tensor<3x1xf32>
  %ka = tensor.cast %kr : tensor<3x1xf32> to tensor<*xf32>
  call @rngPrintF32(%ka) : (tensor<*xf32>) -> ()
  %am = call @argmax(%k) : (tensor<3x400xf32>) -> tensor<3xi64>
  %ama = tensor.cast %am : tensor<3xi64> to tensor<*xi64>
  call @rngPrintI64(%ama) : (tensor<*xi64>) -> ()
  return
}
