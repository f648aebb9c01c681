// A lowering that fails leaves the module as it was.
//
// RUN: not %rng_opt %s --convert-rng-to-arith --mlir-print-ir-after-failure \
// RUN:   2>&1 | FileCheck %s
// RUN: not %rng_opt %s --convert-rng-to-linalg --mlir-print-ir-after-failure \
// RUN:   2>&1 | FileCheck %s
// RUN: not %rng_opt %s --rng-to-cpu --mlir-print-ir-after-failure 2>&1 \
// RUN:   | FileCheck %s

// CHECK: error: 'rng.stateless_normal' op Triton draws no 'f64'
// CHECK: IR Dump After {{.+}} Failed
// CHECK: rng.reserve
// CHECK-NEXT: rng.stateless_uniform %{{.+}}, %{{.+}} : f32
// CHECK-NEXT: rng.stateless_uniform %{{.+}}, %{{.+}} : tensor<4xf32>
// CHECK-NEXT: rng.stateless_normal %{{.+}}, %{{.+}} {algorithm = #rng.philox<convention = #rng.triton>} : f64
// CHECK-NEXT: rng.stateless_normal %{{.+}}, %{{.+}} {algorithm = #rng.philox<convention = #rng.triton>} : tensor<4xf64>
func.func @f(%blocks: i64) -> (f32, tensor<4xf32>, f64, tensor<4xf64>) {
  %seed, %offset = rng.reserve %blocks : i64, i64
  %a = rng.stateless_uniform %seed, %offset : f32
  %b = rng.stateless_uniform %seed, %offset : tensor<4xf32>
  %c = rng.stateless_normal %seed, %offset
      {algorithm = #rng.philox<convention = triton>} : f64
  %d = rng.stateless_normal %seed, %offset
      {algorithm = #rng.philox<convention = triton>} : tensor<4xf64>
  return %a, %b, %c, %d : f32, tensor<4xf32>, f64, tensor<4xf64>
}
