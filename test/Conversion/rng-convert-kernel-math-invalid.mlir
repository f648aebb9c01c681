// What has no code on NVIDIA GPUs, with libdevice or without.
//
// RUN: %rng_opt %s --rng-convert-kernel-math=math=libm -verify-diagnostics
// RUN: %rng_opt %s --rng-convert-kernel-math=math=poly -verify-diagnostics

gpu.module @kernels {
  gpu.func @powers(%x: f32, %n: i64) -> (f32, i64) {
    // expected-error@+1 {{'math.ipowi' op on 'i64' has no code on NVIDIA GPUs; express it by other functions or arithmetic}}
    %a = math.ipowi %n, %n : i64
    // expected-error@+1 {{'math.fpowi' op on 'f32' has no code on NVIDIA GPUs; express it by other functions or arithmetic}}
    %b = math.fpowi %x, %n : f32, i64
    gpu.return %b, %a : f32, i64
  }
}
