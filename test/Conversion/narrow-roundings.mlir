// Each op on bf16 rounds, also where it is computed in f32, so that values do
// not depend on what it is lowered to.
//
// RUN: %rng_opt %s --rng-to-cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-nvptx | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: llvm.func @f(
// CHECK: llvm.fmul %{{.+}} : f32
// CHECK: llvm.trunc %{{.+}} : i32 to i16
// CHECK: llvm.fadd %{{.+}} : f32
// CHECK: llvm.trunc %{{.+}} : i32 to i16
// PTX: mul.rn.bf16
// PTX-SAME: add.rn.bf16
func.func @f(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
  %m = arith.mulf %x, %y : tensor<4xbf16>
  %a = arith.addf %m, %y : tensor<4xbf16>
  return %a : tensor<4xbf16>
}
