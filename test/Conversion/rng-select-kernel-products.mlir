// RUN: %rng_opt %s --rng-select-kernel-products | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @halves(
  // CHECK-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32
  gpu.func @halves(%a: i32, %b: i32) -> (i32, i32) {
    // CHECK: %[[LOW:.+]] = arith.muli %[[A]], %[[B]] : i32
    // CHECK: %[[HIGH:.+]] = llvm.call_intrinsic "llvm.nvvm.mulhi.ui"(%[[A]], %[[B]])
    %low, %high = arith.mului_extended %a, %b : i32
    // CHECK: gpu.return %[[LOW]], %[[HIGH]]
    gpu.return %low, %high : i32, i32
  }

  // CHECK-LABEL: gpu.func @wide(
  gpu.func @wide(%a: i64, %b: i64) -> (i64, i64) {
    // CHECK: arith.mului_extended
    %low, %high = arith.mului_extended %a, %b : i64
    gpu.return %low, %high : i64, i64
  }

  // CHECK-LABEL: gpu.func @exact(
  // CHECK-SAME: %[[N:.+]]: i32, %[[C:.+]]: f32
  gpu.func @exact(%n: i32, %c: f32) -> f32 {
    // CHECK: %[[UNIT:.+]] = arith.constant 2.32830644E-10 : f32
    %unit = arith.constant 0x2F800000 : f32
    // CHECK: %[[X:.+]] = arith.uitofp %[[N]]
    %x = arith.uitofp %n : i32 to f32
    %p = arith.mulf %x, %unit : f32
    // CHECK: %[[R:.+]] = llvm.call_intrinsic "llvm.fma.f32"(%[[X]], %[[UNIT]], %[[C]])
    %r = arith.addf %p, %c : f32
    // CHECK: gpu.return %[[R]]
    gpu.return %r : f32
  }

  // A product that is rounded stays one: of a factor that is no power of two,
  // of a float, and where an integer may be infinite.
  // CHECK-LABEL: gpu.func @rounded(
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: gpu.return
  gpu.func @rounded(%n: i32, %m: i1024, %x: f32, %c: f32) -> (f32, f32, f32) {
    %third = arith.constant 0.3 : f32
    %half = arith.constant 0.5 : f32
    %a = arith.uitofp %n : i32 to f32
    %p = arith.mulf %a, %third : f32
    %r = arith.addf %p, %c : f32
    %q = arith.mulf %x, %half : f32
    %s = arith.addf %q, %c : f32
    %b = arith.uitofp %m : i1024 to f32
    %o = arith.mulf %b, %half : f32
    %t = arith.addf %o, %c : f32
    gpu.return %r, %s, %t : f32, f32, f32
  }
}
