// RUN: %rng_opt %s -rng-return-at-unreachable -split-input-file | FileCheck %s

// What is never reached leaves as its neighbours do.

// CHECK-LABEL: func.func @branch
// CHECK:         cf.cond_br %{{.+}}, ^[[A:.+]], ^[[B:.+]]
// CHECK:       ^[[A]]:
// CHECK-NEXT:    return %{{.+}}, %{{.+}} : i32, tensor<4xf32>
// CHECK:       ^[[B]]:
// CHECK-NEXT:    %[[I:.+]] = ub.poison : i32
// CHECK-NEXT:    %[[T:.+]] = ub.poison : tensor<4xf32>
// CHECK-NEXT:    return %[[I]], %[[T]] : i32, tensor<4xf32>
func.func @branch(%c: i1, %i: i32, %t: tensor<4xf32>) -> (i32, tensor<4xf32>) {
  cf.cond_br %c, ^a, ^b
^a:
  return %i, %t : i32, tensor<4xf32>
^b:
  ub.unreachable
}

// -----

// No neighbour does.
// CHECK-LABEL: func.func @never
// CHECK-NEXT:    %[[I:.+]] = ub.poison : i32
// CHECK-NEXT:    return %[[I]] : i32
func.func @never() -> i32 {
  ub.unreachable
}

// -----

// CHECK-LABEL: func.func @region
// CHECK:         scf.execute_region
// CHECK:         %[[P:.+]] = ub.poison : f32
// CHECK-NEXT:    scf.yield %[[P]] : f32
func.func @region(%c: i1, %x: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield %x : f32
  ^b:
    ub.unreachable
  }
  return %0 : f32
}

// -----

// CHECK-LABEL: gpu.func @kernel
// CHECK:         gpu.return
// CHECK:         gpu.return
// CHECK-NOT:     ub.unreachable
gpu.module @kernels {
  gpu.func @kernel(%c: i1) kernel {
    cf.cond_br %c, ^a, ^b
  ^a:
    gpu.return
  ^b:
    ub.unreachable
  }
}
