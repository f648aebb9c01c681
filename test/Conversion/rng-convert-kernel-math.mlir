// RUN: %rng_opt %s --rng-convert-kernel-math | FileCheck %s
// RUN: %rng_opt %s --rng-convert-kernel-math=math=libm | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @intrinsics(
  // CHECK-SAME: %[[X:.+]]: f32, %[[Y:.+]]: bf16, %[[N:.+]]: i32
  gpu.func @intrinsics(%x: f32, %y: bf16, %n: i32) -> (f32, bf16, i32, i32) {
    // CHECK: %[[S:.+]] = llvm.call_intrinsic "llvm.sqrt.f32"(%[[X]])
    %s = math.sqrt %x : f32
    // CHECK: %[[A:.+]] = llvm.call_intrinsic "llvm.fabs.bf16"(%[[Y]])
    %a = math.absf %y : bf16
    // CHECK: %[[FALSE:.+]] = llvm.mlir.constant(false) : i1
    // CHECK: %[[Z:.+]] = llvm.call_intrinsic "llvm.ctlz.i32"(%[[N]], %[[FALSE]])
    %z = math.ctlz %n : i32
    // CHECK: %[[P:.+]] = llvm.call_intrinsic "llvm.ctpop.i32"(%[[N]])
    %p = math.ctpop %n : i32
    // CHECK: gpu.return %[[S]], %[[A]], %[[Z]], %[[P]]
    gpu.return %s, %a, %z, %p : f32, bf16, i32, i32
  }

  // CHECK-LABEL: gpu.func @classes(
  // CHECK-SAME: %[[X:.+]]: f32
  gpu.func @classes(%x: f32) -> (i1, i1) {
    // CHECK: %[[NAN:.+]] = arith.cmpf uno, %[[X]], %[[X]]
    %nan = math.isnan %x : f32
    // CHECK: %[[A:.+]] = llvm.call_intrinsic "llvm.fabs.f32"(%[[X]])
    // CHECK: %[[FINITE:.+]] = arith.cmpf olt, %[[A]]
    %finite = math.isfinite %x : f32
    // CHECK: gpu.return %[[NAN]], %[[FINITE]]
    gpu.return %nan, %finite : i1, i1
  }

  // The rounding between two narrow functions stays.
  // CHECK-LABEL: gpu.func @rounds(
  gpu.func @rounds(%x: f32) -> f32 {
    // CHECK: arith.truncf %{{.+}} : f32 to bf16
    %h = arith.truncf %x fastmath<contract> : f32 to bf16
    // CHECK: arith.extf %{{.+}} : bf16 to f32
    %y = arith.extf %h fastmath<contract> : bf16 to f32
    gpu.return %y : f32
  }
}
