// With math=libm what libdevice has stays for convert-gpu-to-nvvm; without, it
// is one error for each place in the source, and what neither has is another.
//
// RUN: %rng_opt %s --rng-unroll-kernel-math --rng-convert-kernel-math=math=libm -split-input-file \
// RUN:   | FileCheck %s
// RUN: %rng_opt %s --rng-unroll-kernel-math --rng-convert-kernel-math -split-input-file \
// RUN:   -verify-diagnostics

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @functions(
  gpu.func @functions(%x: f32, %y: f64, %n: i32) -> (f32, f64, f32) {
    // CHECK: math.tanh %{{.+}} : f32
    // expected-error@+1 {{'math.tanh' op on 'f32' has no code on NVIDIA GPUs without the libdevice of the CUDA toolkit; use 'math=libm', or express it by other functions or arithmetic}}
    %a = math.tanh %x : f32
    // CHECK: arith.remf %{{.+}} : f64
    // expected-error@+1 {{'arith.remf' op on 'f64' has no code on NVIDIA GPUs without the libdevice of the CUDA toolkit; use 'math=libm', or compute it in f32}}
    %b = arith.remf %y, %y : f64
    // CHECK: math.fpowi %{{.+}} : f32, i32
    // expected-error@+1 {{'math.fpowi' op on 'f32'}}
    %c = math.fpowi %x, %n : f32, i32
    gpu.return %a, %b, %c : f32, f64, f32
  }
}

// -----

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @vectors(
  gpu.func @vectors(%x: vector<2xf32>) -> vector<2xf32> {
    // CHECK-COUNT-2: math.exp %{{.+}} : f32
    // expected-error@+1 {{'math.exp' op on 'f32'}}
    %a = math.exp %x : vector<2xf32>
    gpu.return %a : vector<2xf32>
  }
}
