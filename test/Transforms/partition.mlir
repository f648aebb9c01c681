// RUN: %rng_opt %s -split-input-file --rng-partition | FileCheck %s

// Trap 30: recomputed work at the top of the backward.
// Trap 31: another number of values saved than taken.
// The whole form of a partition: seed and offset cross, the mask does not; new
// values follow the primal results; the draw stands just before its first use.

// CHECK-LABEL: func.func @dropout_forward(
// CHECK-SAME:    %[[A:.+]]: tensor<8xf32>) -> (tensor<8xf32>, i64, i64)
// CHECK-SAME:    rng.backward = @dropout_backward
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]
// CHECK:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve
// CHECK:         %[[KEEP:.+]] = rng.stateless_bernoulli %[[SEED]], %[[OFFSET]]
// CHECK:         %[[Y:.+]] = arith.select %[[KEEP]], %[[A]]
// CHECK-NEXT:    return %[[Y]], %[[SEED]], %[[OFFSET]] : tensor<8xf32>, i64, i64
// CHECK-LABEL: func.func @dropout_backward(
// CHECK-SAME:    %[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64,
// CHECK-SAME:    %[[D:.+]]: tensor<8xf32> {rng.cotangent})
// CHECK-SAME:    -> (tensor<8xf32> {rng.gradient}) {
// CHECK-NEXT:    %[[TWO:.+]] = arith.constant dense<2.0
// CHECK-NEXT:    %[[SCALED:.+]] = arith.mulf %[[D]], %[[TWO]]
// CHECK-NEXT:    %[[P:.+]] = arith.constant 5.0
// CHECK-NEXT:    %[[KEEP:.+]] = rng.stateless_bernoulli %[[SEED]], %[[OFFSET]] prob(%[[P]])
// CHECK-NEXT:    %[[ZERO:.+]] = arith.constant dense<0.0
// CHECK-NEXT:    %[[DA:.+]] = arith.select %[[KEEP]], %[[SCALED]], %[[ZERO]]
// CHECK-NEXT:    return %[[DA]]
// CHECK-NOT:   func.func @dropout(
func.func @dropout(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %one = arith.constant 1 : i64
  %seed, %offset = rng.reserve %one : i64, i64
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
  %y = arith.select %keep, %a, %zero : tensor<8xi1>, tensor<8xf32>
  %scaled = arith.mulf %d, %two : tensor<8xf32>
  %da = arith.select %keep, %scaled, %zero : tensor<8xi1>, tensor<8xf32>
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}

// -----

// Trap 6: state read or advanced a second time in the backward.
// Ten draws on one generator need one seed and one offset; the additions are
// done again.

// CHECK-LABEL: func.func @one_base_forward(
// CHECK-SAME:    -> (tensor<8xf32>, i64, i64)
// CHECK-LABEL: func.func @one_base_backward(
// CHECK-SAME:    %[[SEED:[^:]+]]: i64, %[[OFFSET:[^:]+]]: i64, %{{[^:]+}}: tensor<8xf32> {rng.cotangent})
// CHECK:         arith.addi %[[OFFSET]]
// CHECK:         arith.addi %[[OFFSET]]
func.func @one_base(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %three = arith.constant 3 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %seed, %offset = rng.reserve %three : i64, i64
  %k0 = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
  %offset1 = arith.addi %offset, %one : i64
  %k1 = rng.stateless_bernoulli %seed, %offset1 prob(%p) : tensor<8xi1>
  %offset2 = arith.addi %offset, %two : i64
  %k2 = rng.stateless_bernoulli %seed, %offset2 prob(%p) : tensor<8xi1>
  %y0 = arith.select %k0, %a, %zero : tensor<8xi1>, tensor<8xf32>
  %y1 = arith.select %k1, %y0, %zero : tensor<8xi1>, tensor<8xf32>
  %y2 = arith.select %k2, %y1, %zero : tensor<8xi1>, tensor<8xf32>
  %d2 = arith.select %k2, %d, %zero : tensor<8xi1>, tensor<8xf32>
  %d1 = arith.select %k1, %d2, %zero : tensor<8xi1>, tensor<8xf32>
  %d0 = arith.select %k0, %d1, %zero : tensor<8xi1>, tensor<8xf32>
  return %y2, %d0 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A function without a gradient is left alone, and so is the backward of a
// pair: partitioning twice is partitioning once.

// CHECK-LABEL: func.func @plain(
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @pair_forward(
// CHECK-LABEL: func.func @pair_backward(
// CHECK-NOT:   func.func
func.func @plain(%a: tensor<8xf32> {rng.cotangent}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
func.func @pair_forward(%a: tensor<8xf32>) -> tensor<8xf32>
    attributes {rng.backward = @pair_backward, rng.saved = []} {
  return %a : tensor<8xf32>
}
func.func @pair_backward(%d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32> {rng.gradient}) {
  return %d : tensor<8xf32>
}

// -----

// Trap 33: gradients without a cotangent, inputs as results.
// Trap 42: work of the backward alone done in the forward.
// Gradients without cotangents: one that is an input, one that is computed from
// inputs alone, one that is constant. Class U work is done in the backward.

// CHECK-LABEL: func.func @no_cotangent_forward(
// CHECK-SAME:    %[[A:.+]]: tensor<8xf32>) -> tensor<8xf32>
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>]
// CHECK-NEXT:    %[[SIN:.+]] = math.sin %[[A]]
// CHECK-NEXT:    return %[[SIN]]
// CHECK-LABEL: func.func @no_cotangent_backward(
// CHECK-SAME:    %[[A:.+]]: tensor<8xf32>)
// CHECK-SAME:    -> (tensor<8xf32> {rng.gradient}, tensor<8xf32> {rng.gradient}, tensor<8xf32> {rng.gradient})
// CHECK-DAG:     %[[COS:.+]] = math.cos %[[A]]
// CHECK-DAG:     %[[ONE:.+]] = arith.constant dense<1.0
// CHECK:         return %[[A]], %[[COS]], %[[ONE]]
func.func @no_cotangent(%a: tensor<8xf32>)
    -> (tensor<8xf32> {rng.gradient}, tensor<8xf32>,
        tensor<8xf32> {rng.gradient}, tensor<8xf32> {rng.gradient}) {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %sin = math.sin %a : tensor<8xf32>
  %cos = math.cos %a : tensor<8xf32>
  return %a, %sin, %cos, %one
      : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Trap 33: inputs as primals, duplicates, unused cotangents.
// Trap 39: arguments and results returned once more to be saved.
// A primal that is an input, one that is returned twice, an unused cotangent, a
// gradient that is a cotangent, one that is returned twice. The square root is
// saved as a result, not returned a third time: results cost what arguments do
// and less work follows.

// CHECK-LABEL: func.func @duplicates_forward(
// CHECK-SAME:    %[[A:.+]]: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
// CHECK-SAME:    rng.saved = [#rng.saved<result 1>]
// CHECK:         %[[ROOT:.+]] = math.sqrt %[[A]]
// CHECK-NEXT:    return %[[A]], %[[ROOT]], %[[ROOT]]
// CHECK-LABEL: func.func @duplicates_backward(
// CHECK-SAME:    %[[ROOT:.+]]: tensor<8xf32>, %[[D0:.+]]: tensor<8xf32> {rng.cotangent}, %[[D1:.+]]: tensor<8xf32> {rng.cotangent})
// CHECK-NEXT:    %[[DA:.+]] = arith.divf %[[D0]], %[[ROOT]]
// CHECK-NEXT:    return %[[DA]], %[[DA]], %[[D0]]
func.func @duplicates(%d0: tensor<8xf32> {rng.cotangent}, %a: tensor<8xf32>,
                      %d1: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>,
        tensor<8xf32> {rng.gradient}, tensor<8xf32> {rng.gradient},
        tensor<8xf32> {rng.gradient}) {
  %root = math.sqrt %a : tensor<8xf32>
  // The same again: CSE comes first.
  %root2 = math.sqrt %a : tensor<8xf32>
  %da = arith.divf %d0, %root : tensor<8xf32>
  %da2 = arith.divf %d0, %root2 : tensor<8xf32>
  return %a, %root, %root2, %da, %da2, %d0
      : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>,
        tensor<8xf32>, tensor<8xf32>
}

// -----

// No primal result at all; visibility and other attributes go along.

// CHECK-LABEL: func.func private @no_primal_forward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32> {rng.persistent})
// CHECK-SAME:    attributes {custom.note = 1 : i64, rng.backward = @no_primal_backward, rng.saved = [#rng.saved<argument 0>]}
// CHECK-NEXT:    return{{$}}
// CHECK-LABEL: func.func private @no_primal_backward(
// CHECK-SAME:    %{{.+}}: tensor<8xf32> {rng.persistent}, %{{.+}}: tensor<8xf32> {rng.cotangent})
// CHECK-SAME:    attributes {custom.note = 1 : i64}
func.func private @no_primal(%a: tensor<8xf32> {rng.persistent},
                             %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32> {rng.gradient})
    attributes {custom.note = 1 : i64} {
  %da = arith.mulf %d, %a : tensor<8xf32>
  return %da : tensor<8xf32>
}

// -----

// Trap 27: the cast of a weight saved, which is alive anyway.
// Trap 43: the cast of an argument saved beside the argument.
// A cast of a persistent argument is not saved, nor is the cast of an argument:
// half the bytes are more than an eighth of them.

// CHECK-LABEL: func.func @casts_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>]
// CHECK-LABEL: func.func @casts_backward(
// CHECK-SAME:    %[[A:.+]]: tensor<64xf32>, %[[W:.+]]: tensor<64xf32> {rng.persistent}
// CHECK-DAG:     arith.truncf %[[A]]
// CHECK-DAG:     arith.truncf %[[W]]
func.func @casts(%a: tensor<64xf32>, %w: tensor<64xf32> {rng.persistent},
                 %d: tensor<64xbf16> {rng.cotangent})
    -> (tensor<64xbf16>, tensor<64xbf16> {rng.gradient},
        tensor<64xbf16> {rng.gradient}) {
  %a16 = arith.truncf %a : tensor<64xf32> to tensor<64xbf16>
  %w16 = arith.truncf %w : tensor<64xf32> to tensor<64xbf16>
  %y = arith.mulf %a16, %w16 : tensor<64xbf16>
  %da = arith.mulf %d, %w16 : tensor<64xbf16>
  %dw = arith.mulf %d, %a16 : tensor<64xbf16>
  return %y, %da, %dw : tensor<64xbf16>, tensor<64xbf16>, tensor<64xbf16>
}

// -----

// Trap 37: empties, constants and views saved.
// A product is not done twice: its result is saved. Fills, empties and views of
// the full size are never saved; the smaller slice is, instead of its source.

// CHECK-LABEL: func.func @never_saved_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<4x64xf32>)
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>]
// CHECK-LABEL: func.func @never_saved_backward(
// CHECK-SAME:    %[[SLICE:[^:]+]]: tensor<4x64xf32>, %{{[^:]+}}: tensor<256xf32> {rng.cotangent})
// CHECK:         %[[FLAT:.+]] = tensor.collapse_shape %[[SLICE]]
// CHECK:         arith.mulf %{{.+}}, %[[FLAT]]
// CHECK:         linalg.fill
// CHECK-NOT:     linalg.matmul
// CHECK:         return
func.func @never_saved(%a: tensor<64x64xf32>, %d: tensor<256xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<256xf32> {rng.gradient}) {
  %c1 = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%c1 : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = math.exp %p : tensor<64x64xf32>
  %slice = tensor.extract_slice %p[0, 0] [4, 64] [1, 1]
      : tensor<64x64xf32> to tensor<4x64xf32>
  %flat = tensor.collapse_shape %slice [[0, 1]] : tensor<4x64xf32> into tensor<256xf32>
  %flat_d = arith.mulf %d, %flat : tensor<256xf32>
  %shape = tensor.expand_shape %flat_d [[0, 1]] output_shape [4, 64]
      : tensor<256xf32> into tensor<4x64xf32>
  %init4 = tensor.extract_slice %init[0, 0] [4, 64] [1, 1]
      : tensor<64x64xf32> to tensor<4x64xf32>
  %more = arith.addf %shape, %init4 : tensor<4x64xf32>
  %da = tensor.collapse_shape %more [[0, 1]] : tensor<4x64xf32> into tensor<256xf32>
  return %y, %da : tensor<64x64xf32>, tensor<256xf32>
}

// -----

// A residual addition is recomputed where its input takes no layer: from x and
// the narrow product, half the bytes. Trap 41, recomputation chained through a
// residual stream, is in partition-far-joins.test.

// CHECK-LABEL: func.func @residual_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64x64xbf16>)
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>]
// CHECK-LABEL: func.func @residual_backward(
// CHECK:         arith.addf
func.func @residual(%a: tensor<64x64xf32>, %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %c0 = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<64x64xbf16>
  %init = linalg.fill ins(%c0 : bf16) outs(%empty : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %x = math.sin %a : tensor<64x64xf32>
  %x16 = arith.truncf %x : tensor<64x64xf32> to tensor<64x64xbf16>
  %p = linalg.matmul ins(%x16, %x16 : tensor<64x64xbf16>, tensor<64x64xbf16>)
      outs(%init : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %p32 = arith.extf %p : tensor<64x64xbf16> to tensor<64x64xf32>
  %sum = arith.addf %x, %p32 : tensor<64x64xf32>
  %y = math.exp %sum : tensor<64x64xf32>
  %da = arith.mulf %d, %sum : tensor<64x64xf32>
  return %y, %da : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// A bias that was defined far away does not depend on the product: the addition
// may be done again, from the narrow product.

// CHECK-LABEL: func.func @bias_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64x64xbf16>)
// CHECK-SAME:    rng.saved = [#rng.saved<argument 1>, #rng.saved<new 1>]
func.func @bias(%a: tensor<64x64xbf16>, %b: tensor<64x64xf32>,
                %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %c0 = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<64x64xbf16>
  %init = linalg.fill ins(%c0 : bf16) outs(%empty : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %p = linalg.matmul ins(%a, %a : tensor<64x64xbf16>, tensor<64x64xbf16>)
      outs(%init : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %p32 = arith.extf %p : tensor<64x64xbf16> to tensor<64x64xf32>
  %sum = arith.addf %b, %p32 : tensor<64x64xf32>
  %y = math.exp %sum : tensor<64x64xf32>
  %da = arith.mulf %d, %sum : tensor<64x64xf32>
  return %y, %da : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Softmax joins a value with a reduction of itself; a reduction is no layer.
// The maximum (256 bytes) is saved, the exponential is not.

// CHECK-LABEL: func.func @softmax_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64xf32>)
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>]
// CHECK-LABEL: func.func @softmax_backward(
// CHECK-NOT:     linalg.reduce
// CHECK:         linalg.broadcast
// CHECK:         math.exp
func.func @softmax(%a: tensor<64x64xf32>, %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %low = arith.constant dense<0xFF800000> : tensor<64xf32>
  %max = linalg.reduce { arith.maximumf } ins(%a : tensor<64x64xf32>)
      outs(%low : tensor<64xf32>) dimensions = [1]
  %empty = tensor.empty() : tensor<64x64xf32>
  %rows = linalg.broadcast ins(%max : tensor<64xf32>)
      outs(%empty : tensor<64x64xf32>) dimensions = [1]
  %shifted = arith.subf %a, %rows : tensor<64x64xf32>
  %e = math.exp %shifted : tensor<64x64xf32>
  %y = math.sin %e : tensor<64x64xf32>
  %da = arith.mulf %d, %e : tensor<64x64xf32>
  return %y, %da : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Side effects stay in the forward, in order, though nothing uses them, except
// behind one that uses a cotangent.

// CHECK-LABEL: func.func @effects_forward(
// CHECK:         call @log(%{{.+}})
// CHECK:         rng.reserve
// CHECK:         rng.set_state
// CHECK-NOT:     call
// CHECK:         return
// CHECK-LABEL: func.func @effects_backward(
// CHECK-SAME:    %[[A:[^:]+]]: f32, %[[D:[^:]+]]: f32 {rng.cotangent})
// CHECK:         call @log(%[[D]])
// CHECK:         call @log(%[[A]])
// CHECK:         return
func.func private @log(f32)
func.func @effects(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %one = arith.constant 1 : i64
  func.call @log(%a) : (f32) -> ()
  %seed, %offset = rng.reserve %one : i64, i64
  rng.set_state %seed, %offset : i64, i64
  func.call @log(%d) : (f32) -> ()
  func.call @log(%a) : (f32) -> ()
  return %a, %d : f32, f32
}

// -----

// Trap 30: work done again inside a loop instead of before it.
// Values that regions capture count as operands, on both sides.

// CHECK-LABEL: func.func @captured_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>]
// CHECK-NOT:     arith.constant 2.0
// CHECK-LABEL: func.func @captured_backward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32>, %[[N:[^:]+]]: index, %[[D:[^:]+]]: tensor<8xf32> {rng.cotangent})
// CHECK-DAG:     %[[EXP:.+]] = math.exp %[[A]]
// CHECK-DAG:     %[[TWO:.+]] = arith.constant dense<2.0
// CHECK:         scf.for %{{.+}} to %[[N]]
// CHECK:           arith.mulf %{{.+}}, %[[EXP]]
// CHECK:           arith.mulf %{{.+}}, %[[TWO]]
func.func @captured(%a: tensor<8xf32>, %n: index,
                    %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %e = math.exp %a : tensor<8xf32>
  %y = math.sin %e : tensor<8xf32>
  %da = scf.for %i = %c0 to %n step %c1 iter_args(%x = %d) -> tensor<8xf32> {
    %m = arith.mulf %x, %e : tensor<8xf32>
    %m2 = arith.mulf %m, %two : tensor<8xf32>
    scf.yield %m2 : tensor<8xf32>
  }
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}

// -----

// Dead work is gone from both functions.

// CHECK-LABEL: func.func @dead_forward(
// CHECK-NOT:     math.
// CHECK:         return
// CHECK-LABEL: func.func @dead_backward(
// CHECK-SAME:    %{{[^:]+}}: tensor<8xf32> {rng.cotangent})
// CHECK-NEXT:    return
func.func @dead(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %0 = math.exp %a : tensor<8xf32>
  %1 = math.sin %0 : tensor<8xf32>
  %2 = arith.mulf %d, %1 : tensor<8xf32>
  %3 = math.cos %2 : tensor<8xf32>
  return %a, %d : tensor<8xf32>, tensor<8xf32>
}

// -----

// Trap 32: orders overridden.
// Orders: by themselves the sine would be computed again from the argument, and
// the mask drawn again.

// CHECK-LABEL: func.func @orders_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]
// CHECK:         %[[SIN:.+]] = math.sin
// CHECK:         %[[KEEP:.+]] = rng.stateless_bernoulli
// CHECK:         return %{{.+}}, %[[SIN]], %[[KEEP]]
func.func @orders(%a: tensor<8xf32>, %seed: i64, %offset: i64,
                  %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %sin = math.sin %a {rng.save} : tensor<8xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) {rng.save} : tensor<8xi1>
  %y = arith.select %keep, %sin, %a : tensor<8xi1>, tensor<8xf32>
  %da = arith.select %keep, %d, %sin : tensor<8xi1>, tensor<8xf32>
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}

// -----

// An ordered product is done again.

// CHECK-LABEL: func.func @recompute_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>]
// CHECK-LABEL: func.func @recompute_backward(
// CHECK:         linalg.matmul
func.func @recompute(%a: tensor<8x8xf32>, %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %p = linalg.matmul {rng.recompute} ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = math.exp %p : tensor<8x8xf32>
  %da = arith.mulf %d, %p : tensor<8x8xf32>
  return %y, %da : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Trap 38: zero, dynamic and huge dimensions.
// Sizes that do not fit 64 bits saturate; a zero dimension makes a value free
// but not wrong; dynamic ones count a hint.

// CHECK-LABEL: func.func @sizes_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>, #rng.saved<argument 2>]
func.func @sizes(%huge: tensor<9223372036854775807x9223372036854775807xf32>,
                 %none: tensor<0x9223372036854775807x4xf32>,
                 %some: tensor<?x?xf32>,
                 %d: tensor<?x?xf32> {rng.cotangent},
                 %d2: tensor<0x9223372036854775807x4xf32> {rng.cotangent},
                 %d3: tensor<9223372036854775807x9223372036854775807xf32> {rng.cotangent})
    -> (tensor<?x?xf32>, tensor<?x?xf32> {rng.gradient},
        tensor<0x9223372036854775807x4xf32> {rng.gradient},
        tensor<9223372036854775807x9223372036854775807xf32> {rng.gradient}) {
  %y = math.exp %some : tensor<?x?xf32>
  %e = math.exp %huge : tensor<9223372036854775807x9223372036854775807xf32>
  %g = arith.mulf %d, %some : tensor<?x?xf32>
  %g2 = arith.mulf %d2, %none : tensor<0x9223372036854775807x4xf32>
  %g3 = arith.mulf %d3, %e : tensor<9223372036854775807x9223372036854775807xf32>
  return %y, %g, %g2, %g3 : tensor<?x?xf32>, tensor<?x?xf32>,
    tensor<0x9223372036854775807x4xf32>,
    tensor<9223372036854775807x9223372036854775807xf32>
}

// -----

// Trap 25: weights without the number of elements, or of one.
// One wide value of few elements instead of two narrow ones of many, and of
// these the one with fewer bytes though both have as many elements.

// CHECK-LABEL: func.func @bytes_forward(
// CHECK-SAME:    -> (tensor<4x64xf64>, tensor<64x64xf32>, tensor<4xf64>, tensor<64x64xbf16>)
// CHECK-SAME:    rng.saved = [#rng.saved<new 2>, #rng.saved<new 3>]
func.func @bytes(%a: tensor<4x64xf64>, %b: tensor<64x64xf32>,
                 %d: tensor<4x64xf64> {rng.cotangent},
                 %d2: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<4x64xf64>, tensor<64x64xf32>,
        tensor<4x64xf64> {rng.gradient}, tensor<64x64xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<4xf64>
  %row = linalg.reduce { arith.addf } ins(%a : tensor<4x64xf64>)
      outs(%zero : tensor<4xf64>) dimensions = [1]
  %empty = tensor.empty() : tensor<4x64xf64>
  %rows = linalg.broadcast ins(%row : tensor<4xf64>)
      outs(%empty : tensor<4x64xf64>) dimensions = [1]
  %y = math.exp %rows : tensor<4x64xf64>
  %da = arith.mulf %d, %rows : tensor<4x64xf64>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = linalg.matmul ins(%b, %b : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%none : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p16 = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
  %back = arith.extf %p16 : tensor<64x64xbf16> to tensor<64x64xf32>
  %y2 = math.exp %p : tensor<64x64xf32>
  %y3 = arith.addf %y2, %back : tensor<64x64xf32>
  %db = arith.mulf %d2, %back : tensor<64x64xf32>
  return %y, %y3, %da, %db : tensor<4x64xf64>, tensor<64x64xf32>,
    tensor<4x64xf64>, tensor<64x64xf32>
}
