// RUN: %rng_opt %s -split-input-file --rng-rematerialize | FileCheck %s
// RUN: %rng_opt %s -split-input-file --rng-rematerialize \
// RUN:   --mlir-print-debuginfo -o %t.once.mlir
// RUN: %rng_opt %s -split-input-file --rng-rematerialize --rng-rematerialize \
// RUN:   --mlir-print-debuginfo -o %t.twice.mlir
// RUN: cmp %t.once.mlir %t.twice.mlir
// RUN: %rng_opt %s -split-input-file --rng-rematerialize=recompute-weight=100000 \
// RUN: | FileCheck %s --check-prefix=WORK

// A pair written by hand that saves the mask: seed and offset take its place.
// Names, places, visibility and attributes stay; marks are added.

// CHECK-LABEL: func.func private @mask_backward(
// CHECK-SAME:    %[[SEED:[^:]+]]: i64, %[[OFFSET:[^:]+]]: i64, %[[D:[^:]+]]: tensor<8xf32> {rng.cotangent})
// CHECK-SAME:    -> (tensor<8xf32> {rng.gradient}) attributes {custom.note} {
// CHECK:         %[[KEEP:.+]] = rng.stateless_bernoulli %[[SEED]], %[[OFFSET]]
// CHECK:         arith.select %[[KEEP]], %[[D]]
// CHECK-LABEL: func.func private @between()
// CHECK-LABEL: func.func @mask_forward(
// CHECK-SAME:    -> (tensor<8xf32>, i64, i64)
// CHECK-SAME:    rng.backward = @mask_backward
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]
// CHECK:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve
// CHECK:         return %{{.+}}, %[[SEED]], %[[OFFSET]]

// Where work is dear the mask stays.

// WORK-LABEL: func.func @mask_forward(
// WORK-SAME:    -> (tensor<8xf32>, tensor<8xi1>)
func.func private @mask_backward(%keep: tensor<8xi1>, %d: tensor<8xf32>)
    -> tensor<8xf32> attributes {custom.note} {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %da = arith.select %keep, %d, %zero : tensor<8xi1>, tensor<8xf32>
  return %da : tensor<8xf32>
}
func.func private @between()
func.func @mask_forward(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi1>)
    attributes {rng.backward = @mask_backward,
                rng.saved = [#rng.saved<new 1>]} {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant 1 : i64
  %seed, %offset = rng.reserve %one : i64, i64
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
  %y = arith.select %keep, %a, %zero : tensor<8xi1>, tensor<8xf32>
  return %y, %keep : tensor<8xf32>, tensor<8xi1>
}

// -----

// Saved are an argument, a result and a new value. A parameter is one whichever
// end says so: then neither its cast nor the sine of it is saved.

// CHECK-LABEL: func.func @kinds_forward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32>, %[[W:[^:]+]]: tensor<8xf32> {rng.persistent})
// CHECK-SAME:    -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-SAME:    rng.saved = [#rng.saved<argument 1>, #rng.saved<result 0>]
// CHECK-LABEL: func.func @kinds_backward(
// CHECK-SAME:    %[[W:[^:]+]]: tensor<8xf32> {rng.persistent}, %[[Y:[^:]+]]: tensor<8xf32>, %[[D:[^:]+]]: tensor<8xf32> {rng.cotangent}
// CHECK-DAG:     math.sin %[[W]]
// CHECK-DAG:     arith.truncf %[[W]]
// CHECK:         return
func.func @kinds_forward(%a: tensor<8xf32>, %w: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>)
    attributes {rng.backward = @kinds_backward,
                rng.saved = [#rng.saved<new 2>, #rng.saved<argument 1>,
                             #rng.saved<result 0>, #rng.saved<new 3>]} {
  %s = math.sin %w : tensor<8xf32>
  %w16 = arith.truncf %w : tensor<8xf32> to tensor<8xbf16>
  %wide = arith.extf %w16 : tensor<8xbf16> to tensor<8xf32>
  %y = math.exp %a : tensor<8xf32>
  %0 = arith.mulf %y, %s : tensor<8xf32>
  %z = arith.addf %0, %wide : tensor<8xf32>
  return %y, %z, %s, %w16
      : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>
}
func.func @kinds_backward(%s: tensor<8xf32>, %w: tensor<8xf32> {rng.persistent},
                          %y: tensor<8xf32>, %w16: tensor<8xbf16>,
                          %d: tensor<8xf32> {rng.cotangent},
                          %e: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32> {rng.gradient}, tensor<8xbf16> {rng.gradient},
        tensor<8xf32> {rng.gradient}) {
  %0 = arith.mulf %y, %s : tensor<8xf32>
  %da = arith.mulf %d, %0 : tensor<8xf32>
  %dw = arith.mulf %e, %w : tensor<8xf32>
  return %da, %w16, %dw : tensor<8xf32>, tensor<8xbf16>, tensor<8xf32>
}

// -----

// What the backward had computed again is the forward's, once more.

// CHECK-LABEL: func.func @again_forward(
// CHECK-SAME:    -> (tensor<64xf32>, tensor<4xf32>)
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>]
// CHECK-LABEL: func.func @again_backward(
// CHECK-SAME:    %{{[^:]+}}: tensor<4xf32>, %{{[^:]+}}: tensor<64xf32> {rng.cotangent})
func.func @again_forward(%a: tensor<64xf32>) -> tensor<64xf32>
    attributes {rng.backward = @again_backward,
                rng.saved = [#rng.saved<argument 0>]} {
  %e = math.exp %a : tensor<64xf32>
  %part = tensor.extract_slice %e[0] [4] [1] : tensor<64xf32> to tensor<4xf32>
  %y = tensor.insert_slice %part into %e[8] [4] [1]
      : tensor<4xf32> into tensor<64xf32>
  return %y : tensor<64xf32>
}
func.func @again_backward(%a: tensor<64xf32>, %d: tensor<64xf32>)
    -> tensor<64xf32> {
  %e = math.exp %a : tensor<64xf32>
  %part = tensor.extract_slice %e[0] [4] [1] : tensor<64xf32> to tensor<4xf32>
  %da = tensor.insert_slice %part into %d[8] [4] [1]
      : tensor<4xf32> into tensor<64xf32>
  return %da : tensor<64xf32>
}

// -----

// A pair that is called stays as it is, or nearly so: the mask is all there is
// to save. The calls fit.

// CHECK-LABEL: func.func @called_forward(
// CHECK-SAME:    -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-LABEL: func.func @called_backward(
// CHECK-LABEL: func.func @caller(
func.func private @produce() -> tensor<8xf32>
func.func @called_forward() -> (tensor<8xf32>, tensor<8xf32>)
    attributes {rng.backward = @called_backward,
                rng.saved = [#rng.saved<new 1>]} {
  %a = call @produce() : () -> tensor<8xf32>
  %y = math.exp %a : tensor<8xf32>
  return %y, %a : tensor<8xf32>, tensor<8xf32>
}
func.func @called_backward(%a: tensor<8xf32>, %d: tensor<8xf32>)
    -> tensor<8xf32> {
  %da = arith.mulf %a, %d : tensor<8xf32>
  return %da : tensor<8xf32>
}
func.func @caller(%d: tensor<8xf32>) -> tensor<8xf32> {
  %y, %a = call @called_forward() : () -> (tensor<8xf32>, tensor<8xf32>)
  %da = call @called_backward(%a, %d)
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %da : tensor<8xf32>
}

// -----

// Side effects of the backward that follow from a cotangent stay there, in
// order; those of the forward come first.

// CHECK-LABEL: func.func @effects_forward(
// CHECK:         call @log(
// CHECK-NOT:     call @log(
// CHECK-LABEL: func.func @effects_backward(
// CHECK-SAME:    %[[A:[^:]+]]: f32, %[[D:[^:]+]]: f32 {rng.cotangent})
// CHECK:         call @log(%[[D]])
// CHECK:         call @log(%[[A]])
func.func private @log(f32)
func.func @effects_forward(%a: f32) -> f32
    attributes {rng.backward = @effects_backward,
                rng.saved = [#rng.saved<argument 0>]} {
  call @log(%a) : (f32) -> ()
  return %a : f32
}
func.func @effects_backward(%a: f32, %d: f32) -> f32 {
  call @log(%d) : (f32) -> ()
  call @log(%a) : (f32) -> ()
  return %d : f32
}

// -----

// Nothing saved, nothing taken, nothing returned; functions without a backward
// are left alone, joint functions too.

// CHECK-LABEL: func.func @none_forward()
// CHECK-SAME:    rng.saved = []
// CHECK-LABEL: func.func @none_backward() {
// CHECK-LABEL: func.func @joint(
// CHECK-LABEL: func.func @plain(
func.func @none_forward()
    attributes {rng.backward = @none_backward, rng.saved = []} {
  return
}
func.func @none_backward() {
  return
}
func.func @joint(%d: f32 {rng.cotangent}) -> (f32 {rng.gradient}) {
  return %d : f32
}
func.func @plain() {
  return
}

// -----

// Noise that the backward reserves when it is called, marked to stay there.

// CHECK-LABEL: func.func @noise_forward(
// CHECK:         rng.reserve %{{[^ ]+}} : i64, i64
// CHECK-NOT:     rng.reserve
// CHECK-LABEL: func.func @noise_backward(
// CHECK:         rng.reserve %{{[^ ]+}} {rng.in_backward} : i64, i64
// CHECK:         rng.stateless_normal
func.func @noise_forward(%a: f32) -> (f32, f32)
    attributes {rng.backward = @noise_backward, rng.saved = [#rng.saved<new 1>]} {
  %one = arith.constant 1 : i64
  %seed, %offset = rng.reserve %one : i64, i64
  %m = rng.stateless_uniform %seed, %offset : f32
  %y = arith.mulf %a, %m : f32
  return %y, %m : f32, f32
}
func.func @noise_backward(%m: f32, %d: f32) -> f32 {
  %one = arith.constant 1 : i64
  %seed, %offset = rng.reserve %one {rng.in_backward} : i64, i64
  %n = rng.stateless_normal %seed, %offset : f32
  %s = arith.addf %n, %m : f32
  %g = arith.mulf %s, %d : f32
  return %g : f32
}
