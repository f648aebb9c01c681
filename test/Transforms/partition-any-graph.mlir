// RUN: %rng_opt %s -split-input-file -allow-unregistered-dialect \
// RUN:   -rng-partition | FileCheck %s
// RUN: %rng_opt %s -split-input-file -allow-unregistered-dialect \
// RUN:   -rng-partition -rng-rematerialize | FileCheck %s

// Joint functions of all kinds of ops. (That the two functions compute the same
// is tested by Integration/FuzzPartition.)

// Of two results the backward needs one, so one is saved.

// CHECK-LABEL: func.func @two_results_forward(
// CHECK-SAME:    -> (tensor<8xi32>, tensor<8xi32>)
// CHECK:         %[[LOW:.+]], %[[HIGH:.+]] = arith.mului_extended
// CHECK:         return %{{.+}}, %[[HIGH]]
// CHECK-LABEL: func.func @two_results_backward(
// CHECK-SAME:    %[[HIGH:[^:]+]]: tensor<8xi32>, %[[D:[^:]+]]: tensor<8xi32> {rng.cotangent})
// CHECK-NOT:     arith.mului_extended
// CHECK:         arith.muli %[[D]], %[[HIGH]]
func.func @two_results(%a: tensor<8xi32>, %d: tensor<8xi32> {rng.cotangent})
    -> (tensor<8xi32>, tensor<8xi32> {rng.gradient}) {
  %low, %high = arith.mului_extended %a, %a {rng.save} : tensor<8xi32>
  %y = arith.addi %low, %high : tensor<8xi32>
  %da = arith.muli %d, %high : tensor<8xi32>
  return %y, %da : tensor<8xi32>, tensor<8xi32>
}

// -----

// What regions capture counts: in a loop of the forward, in one of the backward,
// and where the cotangent is seen inside only.

// CHECK-LABEL: func.func @captured_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 1>, #rng.saved<argument 0>]
// CHECK-LABEL: func.func @captured_backward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32>, %[[N:[^:]+]]: index, %[[D:[^:]+]]: tensor<8xf32> {rng.cotangent})
// CHECK:         %[[E:.+]] = math.exp %[[A]]
// CHECK:         scf.for %{{.+}} = %{{.+}} to %[[N]] step %{{.+}} iter_args(%{{.+}} = %[[A]])
// CHECK-NEXT:      arith.addf %[[D]], %[[E]]
func.func @captured(%n: index, %a: tensor<8xf32>,
                    %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = math.exp %a : tensor<8xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<8xf32> {
    %z = arith.mulf %x, %e : tensor<8xf32>
    scf.yield %z : tensor<8xf32>
  }
  %da = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<8xf32> {
    %0 = arith.addf %d, %e : tensor<8xf32>
    %z = arith.mulf %x, %0 : tensor<8xf32>
    scf.yield %z : tensor<8xf32>
  }
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}

// -----

// What is dead inside of a region is not captured: the product is not needed.

// CHECK-LABEL: func.func @dead_inside_forward(
// CHECK-SAME:    -> tensor<8x8xf32> attributes
// CHECK-LABEL: func.func @dead_inside_backward(
// CHECK-SAME:    %{{[^:]+}}: i1, %{{[^:]+}}: f32 {rng.cotangent})
func.func @dead_inside(%a: tensor<8x8xf32>, %c: i1, %d: f32 {rng.cotangent})
    -> (tensor<8x8xf32>, f32 {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %da = scf.if %c -> f32 {
    %0 = math.exp %p : tensor<8x8xf32>
    %1 = math.exp %0 : tensor<8x8xf32>
    %2 = arith.addf %d, %d : f32
    scf.yield %2 : f32
  } else {
    scf.yield %d : f32
  }
  return %p, %da : tensor<8x8xf32>, f32
}

// -----

// Scalars alone; a gradient of another type than any cotangent.

// CHECK-LABEL: func.func @scalars_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>]
// CHECK-LABEL: func.func @scalars_backward(
// CHECK-SAME:    -> (f32 {rng.gradient}, f64 {rng.gradient})
func.func @scalars(%a: f32, %i: index, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}, f64 {rng.gradient}) {
  %0 = arith.index_cast %i : index to i64
  %1 = arith.sitofp %0 : i64 to f64
  %2 = arith.truncf %1 : f64 to f32
  %3 = math.exp %a : f32
  %y = arith.mulf %2, %3 : f32
  %da = arith.mulf %d, %y : f32
  return %y, %da, %1 : f32, f32, f64
}

// -----

// Ops that nothing is known of: each once, in order, those that use a cotangent
// and those after them in the backward.

// CHECK-LABEL: func.func @unknown_forward(
// CHECK:         %[[A:.+]] = "foo.first"
// CHECK-NEXT:    %[[B:.+]]:2 = "foo.second"(%[[A]])
// CHECK-NEXT:    return %[[B]]#0, %[[B]]#1
// CHECK-LABEL: func.func @unknown_backward(
// CHECK-NEXT:    "foo.third"
// CHECK-NEXT:    %[[C:.+]] = "foo.fourth"()
// CHECK-NEXT:    return %[[C]]
func.func @unknown(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %0 = "foo.first"(%a) : (f32) -> f32
  %1:2 = "foo.second"(%0) : (f32) -> (f32, f32)
  "foo.third"(%1#1, %d) : (f32, f32) -> ()
  %2 = "foo.fourth"() : () -> f32
  return %1#0, %2 : f32, f32
}

// -----

// Calls of what is not known to be pure, and prints: in order, never twice.

// CHECK-LABEL: func.func @effects_forward(
// CHECK:         vector.print str "a"
// CHECK-NEXT:    %[[X:.+]] = call @get
// CHECK-NEXT:    vector.print %[[X]]
// CHECK-NEXT:    return %[[X]] : f32
// CHECK-LABEL: func.func @effects_backward(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[D:[^:]+]]: f32 {rng.cotangent})
// CHECK-NEXT:    call @log(%[[D]])
// CHECK-NEXT:    vector.print str "b"
// CHECK-NEXT:    call @log(%[[X]])
// CHECK-NEXT:    return
func.func private @get() -> f32
func.func private @log(f32)
func.func @effects(%d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  vector.print str "a"
  %x = call @get() : () -> f32
  vector.print %x : f32
  call @log(%d) : (f32) -> ()
  vector.print str "b"
  call @log(%x) : (f32) -> ()
  return %x, %d : f32, f32
}

// -----

// Trap 6: state advanced by the backward.
// The order of prints and calls is not that of the states of generators: the
// forward writes the state back, though a print of a gradient comes before. Not
// so where the call may draw.

// CHECK-LABEL: func.func @state_forward(
// CHECK:         rng.get_state
// CHECK:         rng.set_state
// CHECK-LABEL: func.func @state_backward(
// CHECK-NOT:     rng.set_state
// CHECK:         vector.print
// CHECK-NEXT:    call @wrapper
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @draws_forward(
// CHECK-NOT:     rng.set_state
// CHECK-LABEL: func.func @draws_backward(
// CHECK-NEXT:    call @draw
// CHECK-NEXT:    rng.set_state
func.func private @log(f32)
func.func private @wrapper(%x: f32) {
  call @log(%x) : (f32) -> ()
  return
}
func.func private @draw(f32) attributes {rng.draws = [unit]}
func.func @state(%a: i64, %d: f32 {rng.cotangent})
    -> (i64, f32 {rng.gradient}) {
  %seed, %offset = rng.get_state : i64, i64
  %next = arith.addi %offset, %a : i64
  vector.print %d : f32
  call @wrapper(%d) : (f32) -> ()
  rng.set_state %seed, %next : i64, i64
  return %next, %d : i64, f32
}
func.func @draws(%a: i64, %d: f32 {rng.cotangent})
    -> (i64, f32 {rng.gradient}) {
  call @draw(%d) : (f32) -> ()
  rng.set_state %a, %a : i64, i64
  return %a, %d : i64, f32
}

// -----

// Ten dropouts need one seed and one offset.

// CHECK-LABEL: func.func @ten_forward(
// CHECK-SAME:    -> (tensor<8xf32>, i64, i64)
// CHECK-LABEL: func.func @ten_backward(
// CHECK-SAME:    %{{[^:]+}}: i64, %{{[^:]+}}: i64, %{{[^:]+}}: tensor<8xf32> {rng.cotangent})
// CHECK-COUNT-10: rng.stateless_bernoulli
// CHECK-NOT:     rng.stateless_bernoulli
func.func @ten(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %ten = arith.constant 10 : i64
  %one = arith.constant 1 : i64
  %seed, %o0 = rng.reserve %ten : i64, i64
  // Each from the one before.
  %o1 = arith.addi %o0, %one : i64
  %o2 = arith.addi %o1, %one : i64
  %o3 = arith.addi %o2, %one : i64
  %o4 = arith.addi %o3, %one : i64
  %o5 = rng.advance %o4 by uniform tensor<8xf32>
  %o6 = arith.addi %o5, %one : i64
  %o7 = arith.addi %o6, %one : i64
  %o8 = arith.addi %o7, %one : i64
  %o9 = arith.addi %o8, %one : i64
  %k0 = rng.stateless_bernoulli %seed, %o0 prob(%p) : tensor<8xi1>
  %k1 = rng.stateless_bernoulli %seed, %o1 prob(%p) : tensor<8xi1>
  %k2 = rng.stateless_bernoulli %seed, %o2 prob(%p) : tensor<8xi1>
  %k3 = rng.stateless_bernoulli %seed, %o3 prob(%p) : tensor<8xi1>
  %k4 = rng.stateless_bernoulli %seed, %o4 prob(%p) : tensor<8xi1>
  %k5 = rng.stateless_bernoulli %seed, %o5 prob(%p) : tensor<8xi1>
  %k6 = rng.stateless_bernoulli %seed, %o6 prob(%p) : tensor<8xi1>
  %k7 = rng.stateless_bernoulli %seed, %o7 prob(%p) : tensor<8xi1>
  %k8 = rng.stateless_bernoulli %seed, %o8 prob(%p) : tensor<8xi1>
  %k9 = rng.stateless_bernoulli %seed, %o9 prob(%p) : tensor<8xi1>
  %y0 = arith.select %k0, %a, %zero : tensor<8xi1>, tensor<8xf32>
  %y1 = arith.select %k1, %y0, %zero : tensor<8xi1>, tensor<8xf32>
  %y2 = arith.select %k2, %y1, %zero : tensor<8xi1>, tensor<8xf32>
  %y3 = arith.select %k3, %y2, %zero : tensor<8xi1>, tensor<8xf32>
  %y4 = arith.select %k4, %y3, %zero : tensor<8xi1>, tensor<8xf32>
  %y5 = arith.select %k5, %y4, %zero : tensor<8xi1>, tensor<8xf32>
  %y6 = arith.select %k6, %y5, %zero : tensor<8xi1>, tensor<8xf32>
  %y7 = arith.select %k7, %y6, %zero : tensor<8xi1>, tensor<8xf32>
  %y8 = arith.select %k8, %y7, %zero : tensor<8xi1>, tensor<8xf32>
  %y9 = arith.select %k9, %y8, %zero : tensor<8xi1>, tensor<8xf32>
  %d9 = arith.select %k9, %d, %zero : tensor<8xi1>, tensor<8xf32>
  %d8 = arith.select %k8, %d9, %zero : tensor<8xi1>, tensor<8xf32>
  %d7 = arith.select %k7, %d8, %zero : tensor<8xi1>, tensor<8xf32>
  %d6 = arith.select %k6, %d7, %zero : tensor<8xi1>, tensor<8xf32>
  %d5 = arith.select %k5, %d6, %zero : tensor<8xi1>, tensor<8xf32>
  %d4 = arith.select %k4, %d5, %zero : tensor<8xi1>, tensor<8xf32>
  %d3 = arith.select %k3, %d4, %zero : tensor<8xi1>, tensor<8xf32>
  %d2 = arith.select %k2, %d3, %zero : tensor<8xi1>, tensor<8xf32>
  %d1 = arith.select %k1, %d2, %zero : tensor<8xi1>, tensor<8xf32>
  %d0 = arith.select %k0, %d1, %zero : tensor<8xi1>, tensor<8xf32>
  return %y9, %d0 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Memory that the forward alone uses is its own; a value loaded from it may be
// saved. What reads memory is not done again.

// CHECK-LABEL: func.func @scratch_forward(
// CHECK-SAME:    -> (f32, f32)
// CHECK:         memref.load
// CHECK-LABEL: func.func @scratch_backward(
// CHECK-SAME:    %{{[^:]+}}: f32, %{{[^:]+}}: f32 {rng.cotangent})
// CHECK-NOT:     memref
// CHECK:         return
func.func @scratch(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1xf32>
  memref.store %a, %m[%c0] : memref<1xf32>
  %x = memref.load %m[%c0] : memref<1xf32>
  memref.store %x, %m[%c0] : memref<1xf32>
  %y = arith.mulf %x, %a : f32
  %da = arith.mulf %x, %d : f32
  return %y, %da : f32, f32
}

// -----

// Joint functions of nested modules are theirs.

// CHECK-LABEL: module @inner
// CHECK:         func.func @f(
// CHECK:       func.func @f_forward(
module @inner {
  func.func @f(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
    return %a, %d : f32, f32
  }
}
func.func @f(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  return %a, %d : f32, f32
}
