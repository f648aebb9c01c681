// RUN: not %rng_opt %s -rng-partition 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %rng_opt %s -rng-thread-state -rng-partition=keep-joint \
// RUN:   -rng-generate-driver -rng-to-cpu | %run_cpu | FileCheck %s
//
// Trap 28: a stateful draw that is recomputed gives fresh numbers and the
// gradient is silently wrong. Here it is refused; threaded, the backward draws
// from the pair that its forward saved, in branches and loops as well.

// ERROR: 28-fresh-numbers.mlir:[[#@LINE+7]]:{{.*}}: error: 'rng.bernoulli' op draws from a generator inside a joint function, and drawing again would yield other numbers: run rng-thread-state first
// CHECK: driver: all checks passed
func.func @f(%a: tensor<64xf32>, %n: index, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %true = arith.constant true
  %keep = rng.bernoulli prob(%p) : tensor<64xi1>
  %y0 = arith.select %keep, %a, %zero : tensor<64xi1>, tensor<64xf32>
  %noise = scf.if %true -> tensor<64xf32> {
    %u = rng.uniform : tensor<64xf32>
    scf.yield %u : tensor<64xf32>
  } else {
    scf.yield %zero : tensor<64xf32>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %noise) -> tensor<64xf32> {
    %u = rng.uniform : tensor<64xf32>
    %t = arith.addf %s, %u : tensor<64xf32>
    scf.yield %t : tensor<64xf32>
  }
  %y = arith.mulf %y0, %sum : tensor<64xf32>
  %d0 = arith.mulf %d, %sum : tensor<64xf32>
  %da = arith.select %keep, %d0, %zero : tensor<64xi1>, tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}
