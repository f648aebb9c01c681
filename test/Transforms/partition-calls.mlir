// RUN: %rng_opt %s --rng-thread-state --rng-partition | FileCheck %s
// RUN: %rng_opt %s --rng-thread-state --rng-partition=memory-budget=0.0 \
// RUN:   | FileCheck %s --check-prefix=BUDGET

// A call is cut like its body: the mask that a function draws inside is drawn
// again from seed and offset, 16 bytes in the place of 4096.

// CHECK-LABEL: func.func @layers_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]
// CHECK-LABEL: func.func @layers_backward(
// CHECK-SAME:    %{{.+}}: i64, %{{.+}}: i64, %{{.+}}: tensor<4096xf32>
// CHECK-COUNT-2: rng.stateless_bernoulli
// CHECK:       return
func.func private @dropout(%x: tensor<4096xf32>)
    -> (tensor<4096xf32>, tensor<4096xi1>) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<4096xf32>
  %keep = rng.bernoulli prob(%p) : tensor<4096xi1>
  %y = arith.select %keep, %x, %zero : tensor<4096xi1>, tensor<4096xf32>
  return %y, %keep : tensor<4096xf32>, tensor<4096xi1>
}
func.func private @dropout_grad(%d: tensor<4096xf32>, %keep: tensor<4096xi1>)
    -> tensor<4096xf32> {
  %zero = arith.constant dense<0.0> : tensor<4096xf32>
  %g = arith.select %keep, %d, %zero : tensor<4096xi1>, tensor<4096xf32>
  return %g : tensor<4096xf32>
}
func.func @layers(%x: tensor<4096xf32>, %d: tensor<4096xf32> {rng.cotangent})
    -> (tensor<4096xf32>, tensor<4096xf32> {rng.gradient}) {
  %h, %k = func.call @dropout(%x)
      : (tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xi1>)
  %y, %l = func.call @dropout(%h)
      : (tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xi1>)
  %e = func.call @dropout_grad(%d, %l)
      : (tensor<4096xf32>, tensor<4096xi1>) -> tensor<4096xf32>
  %g = func.call @dropout_grad(%e, %k)
      : (tensor<4096xf32>, tensor<4096xi1>) -> tensor<4096xf32>
  return %y, %g : tensor<4096xf32>, tensor<4096xf32>
}

// Where that spares nothing, calls stay calls.

// CHECK-LABEL: func.func @stays_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>]
// CHECK:         call @square
// CHECK-LABEL: func.func @stays_backward(
// CHECK:         call @square
func.func private @square(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = arith.mulf %x, %x : tensor<64xf32>
  return %y : tensor<64xf32>
}
func.func @stays(%x: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %y = func.call @square(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %z = math.exp %y : tensor<64xf32>
  %g = arith.mulf %d, %y : tensor<64xf32>
  return %z, %g : tensor<64xf32>, tensor<64xf32>
}

// A product in a chain of calls: what comes out of it is saved inside, and what
// follows is computed again. As a whole the call cannot be.

// CHECK-LABEL: func.func @inside_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64x1xf32>)
// BUDGET-LABEL: func.func @inside_forward(
// BUDGET-SAME:    -> (tensor<64x64xf32>, tensor<64x1xf32>)
func.func private @narrow(%x: tensor<64x64xf32>) -> tensor<64x1xf32> {
  %w = arith.constant dense<0.5> : tensor<64x1xf32>
  %zero = arith.constant dense<0.0> : tensor<64x1xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x1xf32>)
      outs(%zero : tensor<64x1xf32>) -> tensor<64x1xf32>
  return %y : tensor<64x1xf32>
}
func.func private @widen(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %n = func.call @narrow(%x) : (tensor<64x64xf32>) -> tensor<64x1xf32>
  %flat = tensor.collapse_shape %n [[0, 1]]
      : tensor<64x1xf32> into tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %y = linalg.broadcast ins(%flat : tensor<64xf32>)
      outs(%e : tensor<64x64xf32>) dimensions = [1]
  return %y : tensor<64x64xf32>
}
func.func @inside(%x: tensor<64x64xf32>, %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %y = func.call @widen(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %z = math.exp %y : tensor<64x64xf32>
  %g = arith.mulf %d, %y : tensor<64x64xf32>
  return %z, %g : tensor<64x64xf32>, tensor<64x64xf32>
}

// An order on a call is about the call.

// CHECK-LABEL: func.func @ordered_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK:         call @widen
func.func @ordered(%x: tensor<64x64xf32>, %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %y = func.call @widen(%x) {rng.save}
      : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %z = math.exp %y : tensor<64x64xf32>
  %g = arith.mulf %d, %y : tensor<64x64xf32>
  return %z, %g : tensor<64x64xf32>, tensor<64x64xf32>
}
