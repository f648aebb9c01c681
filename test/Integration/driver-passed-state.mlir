// A backward that draws a mask again at the saved state and noise at a state that
// it is given: the driver passes each where it belongs.
//
// RUN: %rng_opt %s -rng-thread-state=entry=arguments \
// RUN:   -rng-partition=keep-joint -rng-generate-driver -rng-to-cpu \
// RUN:   | %run_cpu | FileCheck %s

// CHECK: check f: draw 0 of the backward equals draw 0 of the forward: 8 of 8 elements PASS
// CHECK: check f: gradient 0 and the joint function: 0 of 8 elements differ
// CHECK: driver: all checks passed
func.func @f(%x: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %m = rng.uniform : tensor<8xf32>
  %y = arith.mulf %x, %m : tensor<8xf32>
  %g = arith.mulf %d, %m : tensor<8xf32>
  %e = tensor.extract %d[%c0] : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf une, %e, %zero : f32
  %h = scf.if %c -> (tensor<8xf32>) {
    %n = rng.normal : tensor<8xf32>
    %s = arith.addf %g, %n : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  } else {
    scf.yield %g : tensor<8xf32>
  }
  return %y, %h : tensor<8xf32>, tensor<8xf32>
}
