// RUN: %rng_opt %s --rng-generalize-elementwise --rng-fuse-elementwise \
// RUN:   --canonicalize -split-input-file | FileCheck %s

// What several ops of a region use is computed once; what others use is a
// result.
// CHECK-LABEL: func @several_users(
#id = affine_map<(i, j) -> (i, j)>
func.func @several_users(%x: tensor<8x4xf32>, %seed: i64, %offset: i64)
    -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK: %[[R:.+]]:2 = linalg.generic
  // CHECK-SAME: ins(%{{.+}} : tensor<8x4xf32>)
  // CHECK: %[[U:.+]] = rng.stateless_uniform
  // CHECK: %[[A:.+]] = arith.addf %{{.+}}, %[[U]]
  // CHECK: %[[B:.+]] = arith.mulf %[[A]], %[[A]]
  // CHECK: %[[C:.+]] = arith.subf %[[A]], %[[B]]
  // CHECK: linalg.yield %[[B]], %[[C]]
  // CHECK-NOT: linalg.generic
  // CHECK: return %[[R]]#1, %[[R]]#0
  %e = tensor.empty() : tensor<8x4xf32>
  %u = linalg.generic {indexing_maps = [#id],
                       iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<8x4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %d = rng.stateless_uniform %seed, %offset slice [%i, %j] of [8, 4] : f32
    linalg.yield %d : f32
  } -> tensor<8x4xf32>
  %a = linalg.add ins(%x, %u : tensor<8x4xf32>, tensor<8x4xf32>)
      outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %b = linalg.mul ins(%a, %a : tensor<8x4xf32>, tensor<8x4xf32>)
      outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = linalg.sub ins(%a, %b : tensor<8x4xf32>, tensor<8x4xf32>)
      outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %c, %b : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Neither uses the other, but they read one tensor.
// CHECK-LABEL: func @siblings(
func.func @siblings(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>,
                    %e: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  // CHECK: %[[R:.+]]:2 = linalg.generic
  // CHECK-DAG: arith.addf
  // CHECK-DAG: arith.mulf
  // CHECK: %[[N:.+]] = linalg.generic
  // CHECK: arith.negf
  // CHECK: return %[[R]]#0, %[[R]]#1, %[[N]]
  %a = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>)
      outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %b = linalg.mul ins(%x, %x : tensor<?xf32>, tensor<?xf32>)
      outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // This one has nothing in common with them.
  %c = linalg.negf ins(%z : tensor<?xf32>) outs(%e : tensor<?xf32>)
      -> tensor<?xf32>
  return %a, %b, %c : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// One tensor, but read by loops of different sizes.
// CHECK-LABEL: func @different_spaces(
#row = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @different_spaces(%x: tensor<4xf32>, %e: tensor<4xf32>,
                            %f: tensor<8x4xf32>)
    -> (tensor<4xf32>, tensor<8x4xf32>) {
  // CHECK-COUNT-2: = linalg.generic
  // CHECK-NOT: linalg.generic
  %a = linalg.negf ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
      -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#row, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4xf32>) outs(%f : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %a, %b : tensor<4xf32>, tensor<8x4xf32>
}

// -----

// @a and @c are connected, but @c needs the product of @a: two regions.
// CHECK-LABEL: func @around_a_contraction(
func.func @around_a_contraction(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>)
    -> tensor<4x4xf32> {
  // CHECK: %[[A:.+]] = linalg.generic
  // CHECK: %[[M:.+]] = linalg.matmul ins(%[[A]],
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%[[A]], %[[M]]
  // CHECK-NOT: linalg.generic
  %a = linalg.add ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %x : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = linalg.add ins(%a, %m : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %c : tensor<4x4xf32>
}

// -----

// What is drawn before the product and only needed after it is drawn there,
// though it has two users, and the region goes where its first result is used.
// CHECK-LABEL: func @drawn_where_used(
#id = affine_map<(i, j) -> (i, j)>
func.func @drawn_where_used(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>,
                            %seed: i64, %offset: i64)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[M:.+]] = linalg.matmul
  // CHECK: %[[R:.+]]:2 = linalg.generic
  // CHECK-SAME: ins(%[[M]]
  // CHECK: rng.stateless_uniform
  // CHECK-NOT: linalg.generic
  // CHECK: %[[T:.+]] = linalg.matmul ins(%[[R]]#0
  // CHECK-NOT: linalg.generic
  // CHECK: return %[[T]], %[[R]]#1
  %u = linalg.generic {indexing_maps = [#id],
                       iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<4x4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %d = rng.stateless_uniform %seed, %offset slice [%i, %j] of [4, 4] : f32
    linalg.yield %d : f32
  } -> tensor<4x4xf32>
  %m = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.mul ins(%u, %m : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.matmul ins(%a, %x : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.sub ins(%m, %u : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %t, %b : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// The product that only the caller needs waits for a region that makes less
// traffic: %a is not stored.
// CHECK-LABEL: func @product_waits(
func.func @product_waits(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>,
                         %e: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[M:.+]] = linalg.matmul
  // CHECK: %[[R:.+]]:2 = linalg.generic
  // CHECK: math.exp
  // CHECK-NOT: linalg.generic
  // CHECK: %[[P:.+]] = linalg.matmul ins(%[[R]]#0
  // CHECK: return %[[P]], %[[R]]#1
  %a = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
      -> tensor<4x4xf32>
  %b = linalg.negf ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
      -> tensor<4x4xf32>
  %p = linalg.matmul ins(%b, %w : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%w, %w : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = linalg.mul ins(%m, %a : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %p, %c : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A fill is read as a scalar, also where a contraction needs it in memory, and
// a broadcast as what is broadcast.
// CHECK-LABEL: func @fill_and_broadcast(
// CHECK-SAME: %[[X:.+]]: tensor<4x4xf32>, %[[B:.+]]: tensor<4xf32>
func.func @fill_and_broadcast(%x: tensor<4x4xf32>, %bias: tensor<4xf32>,
                              %e: tensor<4x4xf32>, %v: f32)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[FILL:.+]] = linalg.generic
  // CHECK: linalg.yield
  // CHECK: linalg.matmul {{.*}} outs(%[[FILL]]
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%{{.+}}, %[[B]], %{{.+}} : tensor<4x4xf32>, tensor<4xf32>, f32)
  // CHECK-NOT: linalg.generic
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : tensor<4x4xf32>)
      dimensions = [0]
  %s = linalg.add ins(%m, %b : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.mul ins(%s, %f : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %u = linalg.sub ins(%s, %b : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %t, %u : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A reduction takes in what nothing else uses; %d is stored for @both anyway.
// CHECK-LABEL: func @variance(
#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
func.func @variance(%x: tensor<8x4xf32>, %mean: tensor<8xf32>,
                    %init: tensor<8xf32>, %e: tensor<8x4xf32>)
    -> (tensor<8xf32>, tensor<8x4xf32>) {
  // CHECK: %[[D:.+]] = linalg.generic
  // CHECK: arith.subf
  // CHECK-NEXT: linalg.yield
  // CHECK: %[[V:.+]] = linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "reduction"]
  // CHECK-SAME: ins(%[[D]] : tensor<8x4xf32>)
  // CHECK-NEXT: ^bb0(%[[IN:.+]]: f32, %[[OUT:.+]]: f32):
  // CHECK-NEXT: %[[SQ:.+]] = arith.mulf %[[IN]], %[[IN]]
  // CHECK-NEXT: arith.addf %[[OUT]], %[[SQ]]
  // CHECK: return %[[V]], %[[D]]
  %b = linalg.broadcast ins(%mean : tensor<8xf32>) outs(%e : tensor<8x4xf32>)
      dimensions = [1]
  %d = linalg.sub ins(%x, %b : tensor<8x4xf32>, tensor<8x4xf32>)
      outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %sq = linalg.mul ins(%d, %d : tensor<8x4xf32>, tensor<8x4xf32>)
      outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %v = linalg.generic {indexing_maps = [#id, #row],
                       iterator_types = ["parallel", "reduction"]}
      ins(%sq : tensor<8x4xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %v, %d : tensor<8xf32>, tensor<8x4xf32>
}

// -----

// A reduction of draws alone: only the tensor of draws has the size of its
// loop.
// CHECK-LABEL: func @sum_of_draws(
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @sum_of_draws(%seed: i64, %offset: i64, %e: tensor<16xf32>,
                        %init: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[U:.+]] = linalg.generic
  // CHECK: rng.stateless_uniform
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%[[U]]
  %u = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%e : tensor<16xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %d = rng.stateless_uniform %seed, %offset slice [%i] of [16] : f32
    linalg.yield %d : f32
  } -> tensor<16xf32>
  %v = linalg.generic {indexing_maps = [#id, #none],
                       iterator_types = ["reduction"]}
      ins(%u : tensor<16xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %v : tensor<f32>
}

// -----

// Transposed: fused with the indices turned, as only one op reads it.
// CHECK-LABEL: func @transposed(
#id = affine_map<(i, j) -> (i, j)>
func.func @transposed(%x: tensor<8x4xf32>, %y: tensor<4x8xf32>,
                      %e: tensor<8x4xf32>, %f: tensor<4x8xf32>, %seed: i64)
    -> tensor<4x8xf32> {
  // CHECK: linalg.generic
  // CHECK: %[[I:.+]] = linalg.index 1
  // CHECK: %[[J:.+]] = linalg.index 0
  // CHECK: rng.stateless_uniform {{.*}} slice [%[[I]], %[[J]]] of [8, 4]
  // CHECK-NOT: linalg.generic
  // CHECK: return
  %u = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %d = rng.stateless_uniform %seed, %seed slice [%i, %j] of [8, 4] : f32
    %a = arith.addf %in, %d : f32
    linalg.yield %a : f32
  } -> tensor<8x4xf32>
  %t = linalg.transpose ins(%u : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>)
      permutation = [1, 0]
  %s = linalg.add ins(%t, %y : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// -----

// Nobody needs a tensor for its size.
// CHECK-LABEL: func @sizes(
// CHECK-SAME: %[[X:.+]]: tensor<?xf32>
func.func @sizes(%x: tensor<?xf32>) -> (tensor<?xf32>, index) {
  // CHECK: %[[N:.+]] = tensor.dim %[[X]]
  // CHECK: %[[R:.+]] = linalg.generic
  // CHECK: math.exp
  // CHECK-NOT: linalg.generic
  // CHECK: return %[[R]], %[[N]]
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.negf ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>)
      -> tensor<?xf32>
  %k = tensor.dim %a, %c0 : tensor<?xf32>
  %f = tensor.empty(%k) : tensor<?xf32>
  %b = linalg.exp ins(%a : tensor<?xf32>) outs(%f : tensor<?xf32>)
      -> tensor<?xf32>
  %l = tensor.dim %b, %c0 : tensor<?xf32>
  return %b, %l : tensor<?xf32>, index
}

// -----

// The second op reads any element of the first one: no region.
// CHECK-LABEL: func @captured(
#id = affine_map<(i) -> (i)>
func.func @captured(%x: tensor<8xf32>, %e: tensor<8xf32>, %k: index)
    -> tensor<8xf32> {
  // CHECK: %[[A:.+]] = linalg.generic
  // CHECK: arith.negf
  // CHECK: linalg.generic
  // CHECK: tensor.extract %[[A]]
  %a = linalg.negf ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
      -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %o = tensor.extract %a[%k] : tensor<8xf32>
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// Calls keep their order among each other; the region waits for the number.
// CHECK-LABEL: func @effects(
func.func private @get() -> f32
func.func private @use(f32)
func.func @effects(%x: tensor<8xf32>, %e: tensor<8xf32>, %k: index)
    -> (tensor<8xf32>, tensor<8xf32>, f32) {
  // CHECK: %[[G:.+]] = {{.*}}call @get
  // CHECK: %[[R:.+]]:2 = linalg.generic
  // CHECK: %[[E:.+]] = tensor.extract %[[R]]#0
  // CHECK-NEXT: call @use(%[[E]])
  // CHECK-NEXT: %[[W:.+]] = {{.*}}call @get
  // CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[W]]
  %a = linalg.negf ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
      -> tensor<8xf32>
  %v = func.call @get() : () -> f32
  %o = tensor.extract %a[%k] : tensor<8xf32>
  func.call @use(%o) : (f32) -> ()
  %w = func.call @get() : () -> f32
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.add ins(%a, %f : tensor<8xf32>, tensor<8xf32>)
      outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b, %w : tensor<8xf32>, tensor<8xf32>, f32
}

// -----

// Destinations that are read, and written by others of the region.
// CHECK-LABEL: func @destinations(
// CHECK-SAME: %[[X:.+]]: tensor<8xf32>, %[[Y:.+]]: tensor<8xf32>
#id = affine_map<(i) -> (i)>
func.func @destinations(%x: tensor<8xf32>, %y: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[R:.+]]:2 = linalg.generic
  // CHECK-SAME: ins(%[[X]] : tensor<8xf32>)
  // CHECK-SAME: outs(%[[Y]], %{{.+}} : tensor<8xf32>, tensor<8xf32>)
  // CHECK-NEXT: ^bb0(%[[IN:.+]]: f32, %[[OUT:.+]]: f32, %{{.+}}: f32):
  // CHECK-NEXT: %[[A:.+]] = arith.addf %[[IN]], %[[OUT]]
  // CHECK-NEXT: %[[B:.+]] = arith.mulf %[[IN]], %[[A]]
  // CHECK-NEXT: linalg.yield %[[A]], %[[B]]
  %a = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

// In branches, loops, and over blocks.
// CHECK-LABEL: func @blocks(
func.func @blocks(%x: tensor<8xf32>, %e: tensor<8xf32>, %c: i1)
    -> tensor<8xf32> {
  // CHECK: %[[A:.+]] = linalg.generic
  // CHECK: arith.negf
  // CHECK: cf.cond_br
  // CHECK: ^bb1:
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%[[A]]
  // CHECK: math.exp
  // CHECK: arith.addf
  // CHECK-NOT: linalg.generic
  // CHECK: ^bb2
  %a = linalg.negf ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
      -> tensor<8xf32>
  cf.cond_br %c, ^bb1, ^bb2(%a : tensor<8xf32>)
^bb1:
  %b = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>)
      -> tensor<8xf32>
  %d = linalg.add ins(%b, %a : tensor<8xf32>, tensor<8xf32>)
      outs(%e : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^bb2(%d : tensor<8xf32>)
^bb2(%r: tensor<8xf32>):
  return %r : tensor<8xf32>
}
