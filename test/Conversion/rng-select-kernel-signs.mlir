// RUN: %rng_opt %s --rng-select-kernel-signs | FileCheck %s

gpu.module @kernels {
  // The backend takes true for 1 where the result is bf16.
  // CHECK-LABEL: gpu.func @sign(
  // CHECK-SAME: %[[X:.+]]: i1
  gpu.func @sign(%x: i1) -> bf16 {
    // CHECK: %[[R:.+]] = arith.select %[[X]], %{{.+}}, %{{.+}} : bf16
    %r = arith.sitofp %x : i1 to bf16
    // CHECK: gpu.return %[[R]]
    gpu.return %r : bf16
  }

  // Other integers have conversions that are right.
  // CHECK-LABEL: gpu.func @others(
  gpu.func @others(%x: i8, %y: i1) -> (bf16, f32) {
    // CHECK: arith.sitofp %{{.+}} : i8 to bf16
    %a = arith.sitofp %x : i8 to bf16
    // CHECK: arith.uitofp %{{.+}} : i1 to f32
    %b = arith.uitofp %y : i1 to f32
    gpu.return %a, %b : bf16, f32
  }
}
