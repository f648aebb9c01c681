// RUN: %rng_opt %s -rng-to-nvptx | FileCheck %s
// RUN: rm -rf %t && %rng_opt %s -rng-to-nvptx=dump-dir=%t > %t.mlir
// RUN: FileCheck %s --check-prefix=RESERVE < %t/f_kernel.ptx
// RUN: FileCheck %s --check-prefix=DRAW < %t/f_kernel_0.ptx

// Trap 10: the host reads neither seed nor offset, so that a captured graph
// draws fresh numbers on each replay. One kernel takes the snapshot and
// advances the state, the other draws at what is in the snapshot.

// CHECK-LABEL: llvm.func @f(
// CHECK-NOT:     mgpuMemcpy
// CHECK:         llvm.call @mgpuMemAlloc
// CHECK-NOT:     mgpuMemcpy
// CHECK:         gpu.launch_func {{.*}} @f_kernel::@f_kernel
// CHECK-NOT:     mgpuMemcpy
// CHECK:         gpu.launch_func {{.*}} @f_kernel_0::@f_kernel
// CHECK-NOT:     mgpuMemcpy
// CHECK-NOT:     gpu.launch_func
// CHECK:         llvm.return

// RESERVE-LABEL: .entry f_kernel(
// RESERVE:         ld.global
// RESERVE:         st.global
// RESERVE:         ret;

// The snapshot, at once.
// DRAW-LABEL: .entry f_kernel(
// DRAW:         ld.global.nc.v2.b64 {{.*}}, [%rd{{[0-9]+}}];
// DRAW:         st.global
// DRAW:         ret;
func.func @f(%memory: memref<2xi64>) -> tensor<1024xi32> {
  %blocks = arith.constant 2 : i64
  %delta = arith.constant 1 : i64
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  %x = rng.stateless_bits %s[%delta] : tensor<1024xi32>
  return %x : tensor<1024xi32>
}
