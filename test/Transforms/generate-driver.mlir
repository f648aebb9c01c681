// RUN: %rng_opt %s --rng-generate-driver -split-input-file | FileCheck %s
// RUN: %rng_opt %s --rng-generate-driver=finite-differences -split-input-file \
// RUN:   | FileCheck %s --check-prefix=DIFF

// The pair is called with data of our own; draws are drawn again in copies that
// do nothing else; the state is restored before each forward that has to see
// the same numbers.

func.func @drop_forward(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, i64, i64)
    attributes {rng.backward = @drop_backward,
                rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>,
                             #rng.saved<new 2>]} {
  %p = arith.constant 0.5 : f32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %seed, %offset = rng.reserve %one : i64, i64
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<64x64xi1>
  %y = arith.select %keep, %a, %zero : tensor<64x64xi1>, tensor<64x64xf32>
  %out = arith.mulf %y, %y : tensor<64x64xf32>
  return %out, %seed, %offset : tensor<64x64xf32>, i64, i64
}

func.func @drop_backward(%a: tensor<64x64xf32>, %seed: i64, %offset: i64,
                         %dout: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<64x64xi1>
  %y = arith.select %keep, %a, %zero : tensor<64x64xi1>, tensor<64x64xf32>
  %d = arith.mulf %dout, %y : tensor<64x64xf32>
  %da = arith.addf %d, %d : tensor<64x64xf32>
  return %da : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @main()
// CHECK:         %[[A:.+]] = rng.stateless_uniform
// CHECK-SAME:      tensor<64x64xf32>
// CHECK:         %[[DOUT:.+]] = rng.stateless_uniform
// CHECK-SAME:      tensor<64x64xf32>
// CHECK:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.get_state
// CHECK:         %[[FWD:.+]]:3 = call @drop_forward(%[[A]])
// CHECK:         vector.print str "drop: result 0: "
// CHECK-NEXT:    %[[ANY:.+]] = tensor.cast %[[FWD]]#0
// CHECK-SAME:      to tensor<*xf32>
// CHECK-NEXT:    call @rngPrintF32(%[[ANY]])
// CHECK:         vector.print str "drop: saved 0 (argument 0): "
// CHECK:         vector.print str "drop: saved 1 (new 1): "
// CHECK:         vector.print %[[FWD]]#1 : i64
// CHECK:         %[[DA:.+]] = call @drop_backward(%[[A]], %[[FWD]]#1, %[[FWD]]#2, %[[DOUT]])
// CHECK:         vector.print str "drop: gradient 0: "
// CHECK:         rng.set_state %[[SEED]], %[[OFFSET]]
// CHECK-NEXT:    %[[FIRST:.+]] = call @drop_forward_draws(%[[A]])
// CHECK-NEXT:    %[[AGAIN:.+]] = call @drop_backward_draws(%[[A]], %[[FWD]]#1, %[[FWD]]#2, %[[DOUT]])
// CHECK:         call @rngCountDifferentI1
// CHECK:         vector.print str "check drop: draw 0 of the backward equals draw "
// CHECK:         call @drop_forward_draws(%[[A]])
// CHECK-NEXT:    rng.set_state %[[SEED]], %[[OFFSET]]
// CHECK-NEXT:    call @drop_forward_draws(%[[A]])
// CHECK:         vector.print str "check drop: draw 0 of a second call differs: "
// CHECK:         vector.print str "check drop: draw 0 is the same after restoring the state: "
// CHECK-NOT:     call @drop_forward(
// CHECK:         vector.print str "driver: "
// CHECK:         call @rngExitIfFailed

// CHECK:       func.func private @rngPrintF32(tensor<*xf32> {bufferization.access = "read"})
// CHECK-SAME:    llvm.emit_c_interface

// CHECK-LABEL: func.func private @drop_forward_draws
// CHECK-SAME:    (%{{.+}}: tensor<64x64xf32>) -> tensor<64x64xi1> {
// CHECK:         rng.reserve
// CHECK-NEXT:    %[[KEEP:.+]] = rng.stateless_bernoulli
// CHECK-NEXT:    return %[[KEEP]]

// DIFF-LABEL: func.func @main()
// DIFF:         %[[A:.+]] = rng.stateless_uniform
// DIFF:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.get_state
// DIFF:         %[[DA:.+]] = call @drop_backward(
// DIFF:         call @rngMaxAbsDifferenceF32
// DIFF:         %[[PLUS:.+]] = linalg.generic {{.*}} ins(%[[A]], %[[DA]] :
// DIFF:         %[[MINUS:.+]] = linalg.generic {{.*}} ins(%[[A]], %[[DA]] :
// DIFF:         rng.set_state %[[SEED]], %[[OFFSET]]
// DIFF-NEXT:    call @drop_forward(%[[PLUS]])
// DIFF:         call @rngDotF32
// DIFF:         rng.set_state %[[SEED]], %[[OFFSET]]
// DIFF-NEXT:    call @drop_forward(%[[MINUS]])
// DIFF:         vector.print str "check drop: finite differences of gradient 0 (argument 0): relative error "

// -----

// All generators are saved and restored; dynamic dimensions get a size; each
// type has its data; weights are small; the joint function gets cotangents in
// its own order.

rng.generator @g {seed = 7 : i64}

func.func @f(%dy: tensor<?xf64> {rng.cotangent}, %w: tensor<?xf64>,
             %m: tensor<4xi1>, %n: tensor<4xi8>, %s: f32, %k: index)
    -> (tensor<?xf64> {rng.gradient}, tensor<?xf64>) {
  return %dy, %w : tensor<?xf64>, tensor<?xf64>
}

func.func @f_forward(%w: tensor<?xf64> {rng.persistent}, %m: tensor<4xi1>,
                     %n: tensor<4xi8>, %s: f32, %k: index) -> tensor<?xf64>
    attributes {rng.backward = @f_backward, rng.saved = []} {
  return %w : tensor<?xf64>
}

func.func @f_backward(%dy: tensor<?xf64>) -> tensor<?xf64> {
  return %dy : tensor<?xf64>
}

// CHECK-LABEL: func.func @main()
// CHECK-DAG:     %[[LO:.+]] = arith.constant -5.000000e-02 : f64
// CHECK-DAG:     %[[HI:.+]] = arith.constant 5.000000e-02 : f64
// CHECK-DAG:     %[[SIZE:.+]] = arith.constant 5 : index
// CHECK:         %[[W:.+]] = rng.stateless_uniform {{.+}} range(%[[LO]], %[[HI]]) sizes(%[[SIZE]]) : tensor<?xf64>
// CHECK:         %[[M:.+]] = rng.stateless_bernoulli {{.+}} : tensor<4xi1>
// CHECK:         %[[BITS:.+]] = rng.stateless_bits {{.+}} : tensor<4xi8>
// CHECK:         %[[N:.+]] = linalg.generic {{.*}} ins(%[[BITS]]
// CHECK:         %[[S:.+]] = arith.constant 5.000000e-01 : f32
// CHECK:         %[[K:.+]] = arith.constant 5 : index
// CHECK:         %[[DY:.+]] = rng.stateless_uniform {{.+}} : tensor<?xf64>
// CHECK:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.get_state : i64, i64
// CHECK:         %[[GSEED:.+]], %[[GOFFSET:.+]] = rng.get_state @g
// CHECK:         call @f_forward(%[[W]], %[[M]], %[[N]], %[[S]], %[[K]])
// CHECK:         call @f_backward(%[[DY]])
// CHECK:         vector.print str "check f: nothing is redrawn in the backward\0A"
// CHECK:         rng.set_state %[[SEED]], %[[OFFSET]]
// CHECK-NEXT:    rng.set_state @g, %[[GSEED]], %[[GOFFSET]]
// CHECK-NEXT:    call @f(%[[DY]], %[[W]], %[[M]], %[[N]], %[[S]], %[[K]])
// CHECK:         vector.print str "check f: gradient 0 and the joint function: "
// CHECK:         vector.print str "check f: result 0 and the joint function: "
