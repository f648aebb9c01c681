// RUN: %rng_opt %s --rng-keep-roundings --canonicalize | FileCheck %s

// The pair would fold away with the permission that upstream gave it.
// CHECK-LABEL: func.func @pair
// CHECK-SAME: (%[[X:.+]]: f32)
func.func @pair(%x: f32) -> f32 {
  // CHECK: %[[H:.+]] = arith.truncf %[[X]] : f32 to bf16
  // CHECK: %[[Y:.+]] = arith.extf %[[H]] : bf16 to f32
  // CHECK: return %[[Y]]
  %h = arith.truncf %x fastmath<contract> : f32 to bf16
  %y = arith.extf %h fastmath<contract> : bf16 to f32
  return %y : f32
}
