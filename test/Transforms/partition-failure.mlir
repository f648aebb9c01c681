// RUN: not %rng_opt %s --rng-partition --mlir-print-ir-after-failure 2>&1 \
// RUN:   | FileCheck %s
// RUN: not %rng_opt %s --rng-partition=argument-cost=1/0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// RUN: not %rng_opt %s --rng-partition=argument-cost=cheap 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION

// An error in one function leaves all of them as they were: no CSE, no split.

// OPTION: error: expected argument-cost to be an integer or a fraction such as 1/8 but got '{{1/0|cheap}}'

// CHECK: error: primal result #0 depends on the cotangent argument #0
// CHECK-LABEL: func.func @fine(
// CHECK-NEXT:    math.exp
// CHECK-NEXT:    math.exp
// CHECK-LABEL: func.func @wrong(
// CHECK-NOT:   func.func
func.func @fine(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32, f32 {rng.gradient}) {
  %0 = math.exp %a : f32
  %1 = math.exp %a : f32
  return %0, %1, %d : f32, f32, f32
}
func.func @wrong(%d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  return %d, %d : f32, f32
}
