// RUN: %rng_opt %s -rng-thread-state -rng-partition -canonicalize -split-input-file \
// RUN:   | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -rng-partition=report=- -split-input-file \
// RUN:   -o %t | FileCheck %s --check-prefix=REPORT
//
// A loop is cut as its iteration: what is saved of it is what is saved of the
// unrolled loop.

// Layers with dropout. Of the two tapes the backward only needs that of the
// activations: it draws the masks again, each at the offset of its iteration.

// CHECK-LABEL: func.func @mlp_forward(
// CHECK:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve
// CHECK:         %[[LOOP:.+]]:2 = scf.for %[[I:.+]] = %c0 to %c8 step %c1 iter_args(%[[H:.+]] = %{{.+}}, %[[TAPE:.+]] = %{{.+}}) -> (tensor<32x128xf32>, tensor<8x32x128xf32>)
// CHECK-NOT:       xi1> into
// CHECK:           tensor.insert_slice %[[H]] into %[[TAPE]][%[[I]], 0, 0]
// CHECK-NOT:       xi1> into
// CHECK:         return %[[LOOP]]#0, %[[LOOP]]#1, %[[SEED]], %[[OFFSET]]
// CHECK-LABEL: func.func @mlp_backward(
// CHECK-SAME:    %[[HS:[^:]+]]: tensor<8x32x128xf32>, %[[SEED:[^:]+]]: i64, %[[OFFSET:[^:]+]]: i64,
// CHECK:         scf.for %[[K:.+]] = %c0 to %c8 step %c1
// CHECK:           %[[J:.+]] = arith.subi %c7, %[[K]] : index
// CHECK:           tensor.extract_slice %[[HS]][%[[J]], 0, 0]
// CHECK:           %[[J64:.+]] = arith.index_cast %[[J]] : index to i64
// CHECK:           %[[AT:.+]] = arith.addi %[[OFFSET]], %[[J64]] : i64
// CHECK:           rng.stateless_bernoulli %[[SEED]], %[[AT]] prob

// REPORT-LABEL: @mlp_forward saves
// REPORT-NEXT:    value
// REPORT-NEXT:    argument 1  tensor<8x128x128xf32>  524288
// REPORT-NEXT:    new 1       tensor<8x32x128xf32>   131072
// REPORT-NEXT:    new 2       i64                         8
// REPORT-NEXT:    new 3       i64                         8
// REPORT-NEXT:    saved                              655376 bytes (640.0 KiB, 95.2 % of all that is used)
// REPORT-NEXT:    if all that is used were saved     688144 bytes
// REPORT-NEXT:      of it masks                       32768 bytes
// REPORT:       @mlp_backward recomputes:
// REPORT:         rng.stateless_bernoulli  1572864  at {{.*}} (in a loop)

func.func @mlp(%x: tensor<32x128xf32>, %ws: tensor<8x128x128xf32>, %dy: tensor<32x128xf32> {rng.cotangent})
    -> (tensor<32x128xf32>, tensor<32x128xf32> {rng.gradient}, tensor<8x128x128xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %p = arith.constant 0.9 : f32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<32x128xf32>
  %tm0 = tensor.empty() : tensor<8x32x128xi1>
  %th0 = tensor.empty() : tensor<8x32x128xf32>
  %e = tensor.empty() : tensor<32x128xf32>
  %y, %tm, %th = scf.for %i = %c0 to %c8 step %c1
      iter_args(%h = %x, %am = %tm0, %ah = %th0)
      -> (tensor<32x128xf32>, tensor<8x32x128xi1>, tensor<8x32x128xf32>) {
    %w = tensor.extract_slice %ws[%i, 0, 0] [1, 128, 128] [1, 1, 1] : tensor<8x128x128xf32> to tensor<128x128xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<32x128xf32>) -> tensor<32x128xf32>
    %a = linalg.matmul ins(%h, %w : tensor<32x128xf32>, tensor<128x128xf32>) outs(%init : tensor<32x128xf32>) -> tensor<32x128xf32>
    %keep = rng.bernoulli prob(%p) : tensor<32x128xi1>
    %next = arith.select %keep, %a, %zeros : tensor<32x128xi1>, tensor<32x128xf32>
    %am1 = tensor.insert_slice %keep into %am[%i, 0, 0] [1, 32, 128] [1, 1, 1] : tensor<32x128xi1> into tensor<8x32x128xi1>
    %ah1 = tensor.insert_slice %h into %ah[%i, 0, 0] [1, 32, 128] [1, 1, 1] : tensor<32x128xf32> into tensor<8x32x128xf32>
    scf.yield %next, %am1, %ah1 : tensor<32x128xf32>, tensor<8x32x128xi1>, tensor<8x32x128xf32>
  }
  %dw0 = tensor.empty() : tensor<8x128x128xf32>
  %dx, %dw = scf.for %k = %c0 to %c8 step %c1 iter_args(%g = %dy, %adw = %dw0)
      -> (tensor<32x128xf32>, tensor<8x128x128xf32>) {
    %j = arith.subi %c7, %k : index
    %keep = tensor.extract_slice %tm[%j, 0, 0] [1, 32, 128] [1, 1, 1] : tensor<8x32x128xi1> to tensor<32x128xi1>
    %h = tensor.extract_slice %th[%j, 0, 0] [1, 32, 128] [1, 1, 1] : tensor<8x32x128xf32> to tensor<32x128xf32>
    %w = tensor.extract_slice %ws[%j, 0, 0] [1, 128, 128] [1, 1, 1] : tensor<8x128x128xf32> to tensor<128x128xf32>
    %da = arith.select %keep, %g, %zeros : tensor<32x128xi1>, tensor<32x128xf32>
    %wz = tensor.empty() : tensor<128x128xf32>
    %wi = linalg.fill ins(%zero : f32) outs(%wz : tensor<128x128xf32>) -> tensor<128x128xf32>
    %hte = tensor.empty() : tensor<128x32xf32>
    %ht = linalg.transpose ins(%h : tensor<32x128xf32>) outs(%hte : tensor<128x32xf32>) permutation = [1, 0]
    %dwj = linalg.matmul ins(%ht, %da : tensor<128x32xf32>, tensor<32x128xf32>) outs(%wi : tensor<128x128xf32>) -> tensor<128x128xf32>
    %wte = tensor.empty() : tensor<128x128xf32>
    %wt = linalg.transpose ins(%w : tensor<128x128xf32>) outs(%wte : tensor<128x128xf32>) permutation = [1, 0]
    %gi = linalg.fill ins(%zero : f32) outs(%e : tensor<32x128xf32>) -> tensor<32x128xf32>
    %dh = linalg.matmul ins(%da, %wt : tensor<32x128xf32>, tensor<128x128xf32>) outs(%gi : tensor<32x128xf32>) -> tensor<32x128xf32>
    %adw1 = tensor.insert_slice %dwj into %adw[%j, 0, 0] [1, 128, 128] [1, 1, 1] : tensor<128x128xf32> into tensor<8x128x128xf32>
    scf.yield %dh, %adw1 : tensor<32x128xf32>, tensor<8x128x128xf32>
  }
  return %y, %dx, %dw : tensor<32x128xf32>, tensor<32x128xf32>, tensor<8x128x128xf32>
}

// -----

// What an iteration yields is what the next one begins with: of both the
// backward needs one tape, which has one slice more.

// CHECK-LABEL: func.func @rnn_forward(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<4x16xf32>
// CHECK:         %[[EMPTY:.+]] = tensor.empty() : tensor<6x4x16xf32>
// CHECK:         %[[FIRST:.+]] = tensor.insert_slice %[[X]] into %[[EMPTY]][0, 0, 0] [1, 4, 16]
// CHECK:         scf.for %[[I:.+]] = %c0 to %c5 step %c1 iter_args(%{{.+}} = %[[X]], %[[TAPE:.+]] = %[[FIRST]])
// CHECK:           %[[T:.+]] = math.tanh
// CHECK:           %[[NEXT:.+]] = arith.addi %[[I]], %c1 : index
// CHECK:           %[[WRITTEN:.+]] = tensor.insert_slice %[[T]] into %[[TAPE]][%[[NEXT]], 0, 0] [1, 4, 16]
// CHECK:           scf.yield %[[T]], %[[WRITTEN]]
// CHECK-LABEL: func.func @rnn_backward(
// CHECK-SAME:    %[[HS:[^:]+]]: tensor<6x4x16xf32>
// CHECK:           %[[J:.+]] = arith.subi %c4, %{{.+}} : index
// CHECK-DAG:       tensor.extract_slice %[[HS]][%[[J]], 0, 0] [1, 4, 16]
// CHECK-DAG:       %[[NEXT:.+]] = arith.subi %c5, %{{.+}} : index
// CHECK:           tensor.extract_slice %[[HS]][%[[NEXT]], 0, 0] [1, 4, 16]

// REPORT-LABEL: @rnn_forward saves
// REPORT:         argument 1  tensor<5x16x16xf32>   5120
// REPORT-NEXT:    new 1       tensor<6x4x16xf32>    1536
// REPORT-NEXT:    saved                             6656 bytes

func.func @rnn(%x: tensor<4x16xf32>, %ws: tensor<5x16x16xf32>, %dy: tensor<4x16xf32> {rng.cotangent})
    -> (tensor<4x16xf32>, tensor<4x16xf32> {rng.gradient}, tensor<5x16x16xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : tensor<4x16xf32>
  %tt0 = tensor.empty() : tensor<5x4x16xf32>
  %th0 = tensor.empty() : tensor<5x4x16xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %y, %tt, %th = scf.for %i = %c0 to %c5 step %c1
      iter_args(%h = %x, %at = %tt0, %ah = %th0)
      -> (tensor<4x16xf32>, tensor<5x4x16xf32>, tensor<5x4x16xf32>) {
    %w = tensor.extract_slice %ws[%i, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<5x16x16xf32> to tensor<16x16xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    %a = linalg.matmul ins(%h, %w : tensor<4x16xf32>, tensor<16x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
    %t = math.tanh %a : tensor<4x16xf32>
    %at1 = tensor.insert_slice %t into %at[%i, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<4x16xf32> into tensor<5x4x16xf32>
    %ah1 = tensor.insert_slice %h into %ah[%i, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<4x16xf32> into tensor<5x4x16xf32>
    scf.yield %t, %at1, %ah1 : tensor<4x16xf32>, tensor<5x4x16xf32>, tensor<5x4x16xf32>
  }
  %dw0 = tensor.empty() : tensor<5x16x16xf32>
  %dx, %dw = scf.for %k = %c0 to %c5 step %c1 iter_args(%g = %dy, %adw = %dw0)
      -> (tensor<4x16xf32>, tensor<5x16x16xf32>) {
    %j = arith.subi %c4, %k : index
    %t = tensor.extract_slice %tt[%j, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<5x4x16xf32> to tensor<4x16xf32>
    %h = tensor.extract_slice %th[%j, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<5x4x16xf32> to tensor<4x16xf32>
    %w = tensor.extract_slice %ws[%j, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<5x16x16xf32> to tensor<16x16xf32>
    %tsq = arith.mulf %t, %t : tensor<4x16xf32>
    %dt = arith.subf %one, %tsq : tensor<4x16xf32>
    %da = arith.mulf %dt, %g : tensor<4x16xf32>
    %wz = tensor.empty() : tensor<16x16xf32>
    %wi = linalg.fill ins(%zero : f32) outs(%wz : tensor<16x16xf32>) -> tensor<16x16xf32>
    %hte = tensor.empty() : tensor<16x4xf32>
    %ht = linalg.transpose ins(%h : tensor<4x16xf32>) outs(%hte : tensor<16x4xf32>) permutation = [1, 0]
    %dwj = linalg.matmul ins(%ht, %da : tensor<16x4xf32>, tensor<4x16xf32>) outs(%wi : tensor<16x16xf32>) -> tensor<16x16xf32>
    %wte = tensor.empty() : tensor<16x16xf32>
    %wt = linalg.transpose ins(%w : tensor<16x16xf32>) outs(%wte : tensor<16x16xf32>) permutation = [1, 0]
    %gi = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    %dh = linalg.matmul ins(%da, %wt : tensor<4x16xf32>, tensor<16x16xf32>) outs(%gi : tensor<4x16xf32>) -> tensor<4x16xf32>
    %adw1 = tensor.insert_slice %dwj into %adw[%j, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<16x16xf32> into tensor<5x16x16xf32>
    scf.yield %dh, %adw1 : tensor<4x16xf32>, tensor<5x16x16xf32>
  }
  return %y, %dx, %dw : tensor<4x16xf32>, tensor<4x16xf32>, tensor<5x16x16xf32>
}

// -----

// A loop within each of the loops: no tape of tapes either.

// CHECK-LABEL: func.func @nested_forward(
// CHECK-NOT:     tensor<4x3x4x4xi1>
// CHECK-LABEL: func.func @nested_backward(
// CHECK-SAME:    %{{[^:]+}}: tensor<4x4xf32>, %[[SEED:[^:]+]]: i64, %{{[^:]+}}: i64, %{{[^:]+}}: tensor<4x4xf32> {rng.cotangent})
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             rng.stateless_bernoulli %[[SEED]]

// REPORT-LABEL: @nested_forward saves
// REPORT:         saved                              80 bytes
// REPORT-NEXT:    if all that is used were saved    464 bytes
// REPORT:       @nested_backward recomputes:
// REPORT:         rng.stateless_bernoulli  9216  at {{.*}} (in a loop)

func.func @nested(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %dy: tensor<4x4xf32> {rng.cotangent})
    -> (tensor<4x4xf32>, tensor<4x4xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %p = arith.constant 0.75 : f32
  %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
  %t0 = tensor.empty() : tensor<4x3x4x4xi1>
  %y, %masks = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x, %t = %t0) -> (tensor<4x4xf32>, tensor<4x3x4x4xi1>) {
    %m0 = tensor.empty() : tensor<3x4x4xi1>
    %hn, %ms = scf.for %l = %c0 to %c3 step %c1 iter_args(%a = %h, %m = %m0) -> (tensor<4x4xf32>, tensor<3x4x4xi1>) {
      %k = rng.bernoulli prob(%p) : tensor<4x4xi1>
      %b = linalg.matmul ins(%a, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
      %d = arith.select %k, %b, %zeros : tensor<4x4xi1>, tensor<4x4xf32>
      %mn = tensor.insert_slice %k into %m[%l, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<4x4xi1> into tensor<3x4x4xi1>
      scf.yield %d, %mn : tensor<4x4xf32>, tensor<3x4x4xi1>
    }
    %tn = tensor.insert_slice %ms into %t[%i, 0, 0, 0] [1, 3, 4, 4] [1, 1, 1, 1] : tensor<3x4x4xi1> into tensor<4x3x4x4xi1>
    scf.yield %hn, %tn : tensor<4x4xf32>, tensor<4x3x4x4xi1>
  }
  %dx = scf.for %i = %c0 to %c4 step %c1 iter_args(%g = %dy) -> (tensor<4x4xf32>) {
    %j = arith.subi %c3, %i : index
    %ms = tensor.extract_slice %masks[%j, 0, 0, 0] [1, 3, 4, 4] [1, 1, 1, 1] : tensor<4x3x4x4xi1> to tensor<3x4x4xi1>
    %gn = scf.for %l = %c0 to %c3 step %c1 iter_args(%a = %g) -> (tensor<4x4xf32>) {
      %q = arith.subi %c2, %l : index
      %k = tensor.extract_slice %ms[%q, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<3x4x4xi1> to tensor<4x4xi1>
      %d = arith.select %k, %a, %zeros : tensor<4x4xi1>, tensor<4x4xf32>
      %e = tensor.empty() : tensor<4x4xf32>
      %wt = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
      %b = linalg.matmul ins(%d, %wt : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %b : tensor<4x4xf32>
    }
    scf.yield %gn : tensor<4x4xf32>
  }
  return %y, %dx : tensor<4x4xf32>, tensor<4x4xf32>
}
