// RUN: rm -rf %t
// RUN: %rng_opt %s --rng-to-nvptx="chip=sm_90 format=isa dump-dir=%t/a/b" \
// RUN:   > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: ls %t/a/b | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=PTX < %t/a/b/dropout_kernel.ptx
//
// The PTX version follows the chip, older and newer.
// RUN: %rng_opt %s --rng-to-nvptx="chip=sm_80 dump-dir=%t/80" -o /dev/null
// RUN: FileCheck %s --check-prefix=SM80 < %t/80/dropout_kernel.ptx
// RUN: %rng_opt %s --rng-to-nvptx="chip=sm_100a opt-level=0 dump-dir=%t/100" \
// RUN:   -o /dev/null
// RUN: FileCheck %s --check-prefix=SM100 < %t/100/dropout_kernel.ptx

// SM80: .target sm_80
// SM100: .target sm_100a

// The draw, the product and the choice are one kernel; the mask is never in
// memory.
// CHECK: gpu.container_module
// CHECK: llvm.func @dropout(
// CHECK: llvm.call @rngReserve
// CHECK: llvm.call @mgpuMemAlloc
// CHECK: gpu.launch_func {{.*}}@dropout_kernel::@dropout_kernel
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.return
// CHECK: gpu.binary @dropout_kernel
// CHECK-SAME: chip = "sm_90"
// CHECK-SAME: assembly =
// CHECK-NOT: gpu.binary
// FILES: dropout_kernel.ptx
// FILES-NOT: {{.}}
// PTX: .target sm_90
// PTX: .visible .entry dropout_kernel(
// PTX: ld.global
// PTX: st.global.b32
// PTX-NOT: st.global
// PTX-NOT: .extern
// PTX-NOT: __nv_
func.func @dropout(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %p = arith.constant 0.5 : f32
  %scale = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %seed, %offset = rng.reserve %one : i64, i64
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?x16xi1>
  %scales = tensor.splat %scale[%n] : tensor<?x16xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?x16xf32>
  %scaled = arith.mulf %x, %scales : tensor<?x16xf32>
  %y = arith.select %keep, %scaled, %zeros
      : tensor<?x16xi1>, tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}
