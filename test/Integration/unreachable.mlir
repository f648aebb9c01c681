// A basic block that is never reached ends in ub.unreachable, in front of which
// the program draws and prints: it is lowered by all pipelines, and the other
// basic blocks draw what they would without it.
//
// RUN: for entry in state arguments memory; do \
// RUN:   for to in cpu nvptx emulated-gpu; do \
// RUN:     %rng_opt %s -rng-thread-state=entry=$entry -rng-to-$to -o /dev/null \
// RUN:       || exit 1; \
// RUN:   done; \
// RUN: done
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu > %t.cpu
// RUN: FileCheck %s < %t.cpu
// RUN: %rng_opt %s -rng-thread-state -rng-to-emulated-gpu | %run_cpu \
// RUN: | diff %t.cpu -

func.func @f(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %u = rng.uniform : tensor<4xf32>
  cf.cond_br %c, ^a, ^b
^a:
  %y = arith.addf %u, %x : tensor<4xf32>
  return %y : tensor<4xf32>
^b:
  %k = rng.bits : i32
  vector.print %k : i32
  ub.unreachable
}

func.func private @print(%x: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %e = tensor.extract %x[%i] : tensor<4xf32>
    vector.print %e : f32
  }
  return
}

// CHECK:      [[A:0.+]]
// CHECK-NEXT: [[B:0.+]]
// CHECK-NEXT: [[C:0.+]]
// CHECK-NEXT: [[D:0.+]]
// CHECK-NEXT: [[A]]
// CHECK-NEXT: [[B]]
// CHECK-NEXT: [[C]]
// CHECK-NEXT: [[D]]
func.func @main() {
  %true = arith.constant true
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %y = call @f(%true, %zero) : (i1, tensor<4xf32>) -> tensor<4xf32>
  call @print(%y) : (tensor<4xf32>) -> ()
  %c0 = arith.constant 0 : i64
  %u = rng.stateless_uniform %c0, %c0 : tensor<4xf32>
  call @print(%u) : (tensor<4xf32>) -> ()
  return
}
