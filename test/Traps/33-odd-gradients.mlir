// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition=keep-joint -rng-generate-driver -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s --check-prefix=EXEC
//
// Trap 33: a gradient that no cotangent enters, an input that is returned as a
// gradient, an input that is also an output. Here all are results like others.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32>, %[[B:[^:]+]]: f32) -> (tensor<8xf32>, tensor<8xf32>) attributes
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>]
// CHECK-NEXT:    return %[[A]], %[[A]]
// CHECK-LABEL: func.func @f_backward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32>, %[[B:[^:]+]]: f32, %[[D:[^:]+]]: tensor<8xf32> {rng.cotangent}, %{{[^:]+}}: f32 {rng.cotangent})
// CHECK-DAG:     %[[COS:.+]] = math.cos %[[A]]
// CHECK-DAG:     %[[ONE:.+]] = arith.constant 1.0
// CHECK:         return %[[D]], %[[A]], %[[COS]], %[[ONE]], %[[B]], %[[COS]]

// EXEC: driver: all checks passed
func.func @f(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent},
             %unused: f32 {rng.cotangent}, %b: f32)
    -> (tensor<8xf32> {rng.gradient}, tensor<8xf32>,
        tensor<8xf32> {rng.gradient}, tensor<8xf32> {rng.gradient},
        tensor<8xf32>, f32 {rng.gradient}, f32 {rng.gradient},
        tensor<8xf32> {rng.gradient}) {
  %cos = math.cos %a : tensor<8xf32>
  %one = arith.constant 1.0 : f32
  return %d, %a, %a, %cos, %a, %one, %b, %cos
      : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>,
        tensor<8xf32>, f32, f32, tensor<8xf32>
}

// Without any cotangent, and without any output.

// CHECK-LABEL: func.func @alone_forward(
// CHECK-SAME:    %{{[^:]+}}: tensor<8xf32>) attributes
// CHECK-LABEL: func.func @alone_backward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32>) -> (tensor<8xf32> {rng.gradient})
// CHECK-NEXT:    return %[[A]]
func.func @alone(%a: tensor<8xf32>) -> (tensor<8xf32> {rng.gradient}) {
  return %a : tensor<8xf32>
}
