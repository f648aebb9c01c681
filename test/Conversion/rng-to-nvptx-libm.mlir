// math=libm: functions of libdevice, linked into the PTX, which calls nothing
// that is not in it; what the machine rounds correctly stays its own. Narrow
// types compute in f32.
//
// REQUIRES: libdevice
// RUN: rm -rf %t
// RUN: %rng_opt %s --rng-to-nvptx="math=libm dump-dir=%t/3" -o /dev/null
// RUN: cat %t/3/all_kernel.ptx | FileCheck %s
// RUN: cat %t/3/tanh64_kernel.ptx | FileCheck %s --check-prefix=WIDE
// RUN: %rng_opt %s --rng-to-nvptx="math=libm opt-level=0 dump-dir=%t/0" \
// RUN:   -o /dev/null
// RUN: cat %t/0/*.ptx | FileCheck %s --check-prefix=PLAIN
//
// Found by itself, from the tools on the path or the usual folders.
// RUN: env -u CUDA_HOME -u CUDA_ROOT -u CUDA_PATH %rng_opt %s \
// RUN:   --rng-to-nvptx="math=libm dump-dir=%t/path" -o /dev/null
// RUN: diff %t/3/all_kernel.ptx %t/path/all_kernel.ptx
// RUN: env CUDA_ROOT=%t %rng_opt %s \
// RUN:   --rng-to-nvptx="math=libm dump-dir=%t/wrong" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: diff %t/3/all_kernel.ptx %t/wrong/all_kernel.ptx
// RUN: %if ptxas %{ %rng_opt %s --rng-to-nvptx="math=libm format=bin" \
// RUN:   -o /dev/null %}
//
// QUIET-NOT: error

// CHECK-NOT: .extern
// CHECK-NOT: __nv_
// CHECK: .visible .entry all_kernel(
// CHECK: ex2.approx.ftz.f32
// CHECK: sqrt.rn.f32
// CHECK-NOT: sqrt.approx
// CHECK-NOT: .local
// CHECK-NOT: call
// PLAIN-NOT: .extern
// PLAIN-NOT: __nvvm_reflect
// PLAIN: .visible .entry
func.func @all(%x: tensor<64xf32>, %h: tensor<64xf16>)
    -> (tensor<64xf32>, tensor<64xf16>) {
  %a = math.exp %x : tensor<64xf32>
  %b = math.sqrt %a : tensor<64xf32>
  %c = math.powf %b, %x : tensor<64xf32>
  %d = math.erf %c : tensor<64xf32>
  %e = math.log1p %h : tensor<64xf16>
  return %d, %e : tensor<64xf32>, tensor<64xf16>
}

// WIDE-NOT: .extern
// WIDE: .visible .entry tanh64_kernel(
// WIDE: fma.rn.f64
func.func @tanh64(%x: tensor<64xf64>, %y: tensor<64xf64>) -> tensor<64xf64> {
  %a = math.tanh %x : tensor<64xf64>
  %b = arith.remf %a, %y : tensor<64xf64>
  return %b : tensor<64xf64>
}
