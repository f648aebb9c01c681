// RUN: %rng_opt %s -rng-thread-state -rng-partition=report=- -split-input-file \
// RUN:   -o %t | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s < %t
//
// Two branches of one condition, in the forward and in the backward, are cut as
// the two straight programs that they stand for.

// A layer that is dropped as a whole: the mask inside is drawn again.

// REPORT-LABEL: @drop_forward saves
// REPORT-NEXT:    value
// REPORT-NEXT:    argument 1  tensor<32x32xf32>   4096
// REPORT-NEXT:    new 1       tensor<32x32xf32>   4096
// REPORT-NEXT:    argument 2  i1                     1
// REPORT-NEXT:    new 2       i64                    8
// REPORT-NEXT:    new 3       i64                    8
// REPORT-NEXT:    saved                           8209 bytes
// REPORT-NEXT:    if all that is used were saved  9233 bytes
// REPORT-NEXT:      of it masks                   1024 bytes
// REPORT:       @drop_backward recomputes:
// REPORT:         rng.stateless_bernoulli  49152  at {{.*}} (in a branch)

// CHECK-LABEL: func.func @drop_forward(
// CHECK:         scf.if
// CHECK:           %[[T:.+]] = math.tanh
// CHECK:           scf.yield %{{.+}}, %{{.+}}, %[[T]] : tensor<32x32xf32>, i64, tensor<32x32xf32>
// CHECK:         } else {
// CHECK:           %[[ANY:.+]] = tensor.empty() : tensor<32x32xf32>
// CHECK:           scf.yield %{{.+}}, %{{.+}}, %[[ANY]] :
// CHECK-LABEL: func.func @drop_backward(
// CHECK-SAME:    %[[SEED:[^:]+]]: i64, %[[OFFSET:[^:]+]]: i64,
// CHECK:         scf.if
// CHECK:           rng.stateless_bernoulli %[[SEED]], %[[OFFSET]]
func.func @drop(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>, %c: i1, %dy: tensor<32x32xf32> {rng.cotangent})
    -> (tensor<32x32xf32>, tensor<32x32xf32> {rng.gradient}) {
  %p = arith.constant 0.75 : f32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %f = arith.constant dense<false> : tensor<32x32xi1>
  %y, %keep, %a = scf.if %c -> (tensor<32x32xf32>, tensor<32x32xi1>, tensor<32x32xf32>) {
    %k = rng.bernoulli prob(%p) : tensor<32x32xi1>
    %b = linalg.matmul ins(%x, %w : tensor<32x32xf32>, tensor<32x32xf32>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
    %t = math.tanh %b : tensor<32x32xf32>
    %d = arith.select %k, %t, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %d, %k, %t : tensor<32x32xf32>, tensor<32x32xi1>, tensor<32x32xf32>
  } else {
    scf.yield %x, %f, %zeros : tensor<32x32xf32>, tensor<32x32xi1>, tensor<32x32xf32>
  }
  %dx = scf.if %c -> (tensor<32x32xf32>) {
    %d = arith.select %keep, %dy, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    %s = arith.mulf %a, %d : tensor<32x32xf32>
    %g = linalg.matmul ins(%s, %w : tensor<32x32xf32>, tensor<32x32xf32>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %g : tensor<32x32xf32>
  } else {
    scf.yield %dy : tensor<32x32xf32>
  }
  return %y, %dx : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// What the two branches save is of one type: one result holds either.

// REPORT-LABEL: @either_forward saves
// REPORT-NEXT:    value
// REPORT-NEXT:    argument 1  tensor<32x32xf32>    4096
// REPORT-NEXT:    new 1       tensor<32x32xf32>    4096
// REPORT-NEXT:    argument 2  i1                      1
// REPORT-NEXT:    new 2       i64                     8
// REPORT-NEXT:    new 3       i64                     8
// REPORT-NEXT:    saved                            8209 bytes
// REPORT-NEXT:    if all that is used were saved  13329 bytes

// CHECK-LABEL: func.func @either_forward(
// CHECK:           %[[T:.+]] = math.tanh
// CHECK:           scf.yield %{{.+}}, %[[T]] : tensor<32x32xf32>, tensor<32x32xf32>
// CHECK:           %[[S:.+]] = math.sin
// CHECK:           scf.yield %{{.+}}, %[[S]] : tensor<32x32xf32>, tensor<32x32xf32>
// CHECK-LABEL: func.func @either_backward(
// CHECK:           rng.stateless_bernoulli
// CHECK:           rng.stateless_normal
func.func @either(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>, %c: i1, %dy: tensor<32x32xf32> {rng.cotangent})
    -> (tensor<32x32xf32>, tensor<32x32xf32> {rng.gradient}) {
  %p = arith.constant 0.75 : f32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %f = arith.constant dense<false> : tensor<32x32xi1>
  %y, %keep, %a, %u = scf.if %c -> (tensor<32x32xf32>, tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>) {
    %k = rng.bernoulli prob(%p) : tensor<32x32xi1>
    %b = linalg.matmul ins(%x, %w : tensor<32x32xf32>, tensor<32x32xf32>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
    %t = math.tanh %b : tensor<32x32xf32>
    %d = arith.select %k, %t, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    scf.yield %d, %k, %t, %zeros : tensor<32x32xf32>, tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>
  } else {
    %n = rng.normal : tensor<32x32xf32>
    %b = linalg.matmul ins(%w, %x : tensor<32x32xf32>, tensor<32x32xf32>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
    %s = math.sin %b : tensor<32x32xf32>
    %m = arith.mulf %n, %s : tensor<32x32xf32>
    scf.yield %m, %f, %n, %s : tensor<32x32xf32>, tensor<32x32xi1>, tensor<32x32xf32>, tensor<32x32xf32>
  }
  %dx = scf.if %c -> (tensor<32x32xf32>) {
    %d = arith.select %keep, %dy, %zeros : tensor<32x32xi1>, tensor<32x32xf32>
    %s = arith.mulf %a, %d : tensor<32x32xf32>
    %g = linalg.matmul ins(%s, %w : tensor<32x32xf32>, tensor<32x32xf32>) outs(%zeros : tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %g : tensor<32x32xf32>
  } else {
    %s = arith.mulf %a, %dy : tensor<32x32xf32>
    %r = arith.mulf %s, %u : tensor<32x32xf32>
    %q = arith.addf %r, %y : tensor<32x32xf32>
    scf.yield %q : tensor<32x32xf32>
  }
  return %y, %dx : tensor<32x32xf32>, tensor<32x32xf32>
}
