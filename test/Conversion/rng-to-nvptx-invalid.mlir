// Errors name the option and the way out, and leave the module alone.
//
// RUN: split-file %s %t
// RUN: not %rng_opt %t/fine.mlir --rng-to-nvptx=chip=foo \
// RUN:   --mlir-print-ir-after-failure 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not %rng_opt %t/fine.mlir --rng-to-nvptx=chip=sm_999 2>&1 \
// RUN: | FileCheck %s --check-prefix=CHIP999
// RUN: not %rng_opt %t/fine.mlir --rng-to-nvptx=chip= 2>&1 \
// RUN: | FileCheck %s --check-prefix=EMPTY
// RUN: not %rng_opt %t/fine.mlir --rng-to-nvptx=format=xyz 2>&1 \
// RUN: | FileCheck %s --check-prefix=FORMAT
// RUN: not %rng_opt %t/fine.mlir --rng-to-nvptx=opt-level=4 2>&1 \
// RUN: | FileCheck %s --check-prefix=LEVEL
// RUN: not %rng_opt %t/fine.mlir --rng-to-nvptx=opt-level=-1 2>&1 \
// RUN: | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %rng_opt %t/fine.mlir --rng-to-nvptx=dump-dir=%t/fine.mlir 2>&1 \
// RUN: | FileCheck %s --check-prefix=DUMP
// RUN: not %rng_opt %t/fine.mlir --rng-to-nvptx=chips=sm_90 2>&1 \
// RUN: | FileCheck %s --check-prefix=OPTION
//
// Without the CUDA toolkit.
// RUN: env -u CUDA_HOME -u CUDA_ROOT CUDA_PATH=%t PATH=%llvm_tools_dir:%rng_bin \
// RUN:   not %rng_opt %t/fine.mlir --rng-to-nvptx=format=bin 2>&1 \
// RUN: | FileCheck %s --check-prefix=PTXAS
// RUN: env -u CUDA_HOME -u CUDA_ROOT CUDA_PATH=%t PATH=%llvm_tools_dir:%rng_bin \
// RUN:   not %rng_opt %t/fine.mlir --rng-to-nvptx=format=fatbin 2>&1 \
// RUN: | FileCheck %s --check-prefix=PTXAS
//
// Math functions that need libdevice.
// RUN: not %rng_opt %t/tanh.mlir --rng-to-nvptx 2>&1 \
// RUN: | FileCheck %s --check-prefix=TANH
// RUN: not %rng_opt %t/rem.mlir --rng-to-nvptx 2>&1 \
// RUN: | FileCheck %s --check-prefix=REM
// RUN: not %rng_opt %t/extern.mlir --rng-dump-gpu-binaries 2>&1 \
// RUN: | FileCheck %s --check-prefix=EXTERN
//
// Types that the machine does not have: the backend crashed for some.
// RUN: not %rng_opt %t/f128.mlir --rng-to-nvptx 2>&1 \
// RUN: | FileCheck %s --check-prefix=F128
// RUN: not %rng_opt %t/f8.mlir --rng-to-nvptx 2>&1 \
// RUN: | FileCheck %s --check-prefix=F8
// RUN: not %rng_opt %t/i0.mlir --rng-to-nvptx 2>&1 \
// RUN: | FileCheck %s --check-prefix=I0
//
// The user's own targets.
// RUN: not %rng_opt %t/target.mlir --rng-to-nvptx 2>&1 \
// RUN: | FileCheck %s --check-prefix=TARGET
// RUN: not %rng_opt %t/rocdl.mlir --rng-to-nvptx 2>&1 \
// RUN: | FileCheck %s --check-prefix=ROCDL
//
// Draws that cannot be lowered.
// RUN: not %rng_opt %t/stateful.mlir --rng-to-nvptx 2>&1 \
// RUN: | FileCheck %s --check-prefix=STATEFUL

// CHIP: error: expected option 'chip' to name an NVIDIA chip such as 'sm_90' but got 'foo'
// CHIP: note: known chips: sm_70, {{.*}}sm_80{{.*}}sm_90
// CHIP: IR Dump After RngCheckNVPTXTargetPass Failed
// CHIP: arith.addf %{{.*}} : tensor<8xf32>
// CHIP999: expected option 'chip' to name an NVIDIA chip such as 'sm_90' but got 'sm_999'
// EMPTY: expected option 'chip' to name an NVIDIA chip such as 'sm_90' but got ''
// FORMAT: expected option 'format' to be 'isa', 'bin' or 'fatbin' but got 'xyz'
// LEVEL: expected option 'opt-level' to be 0, 1, 2 or 3 but got 4
// NEGATIVE: expected option 'opt-level' to be 0, 1, 2 or 3 but got -1
// DUMP: cannot create the folder '{{.*}}fine.mlir' of option 'dump-dir'
// OPTION: no such option chips
// PTXAS: needs 'ptxas' of the CUDA toolkit: install the toolkit and put its 'bin' on PATH or set CUDA_HOME, or use 'format=isa'
// TANH: tanh.mlir:2:8: error: 'math.tanh' op on 'f64' has no code on NVIDIA GPUs without the libdevice of the CUDA toolkit; use 'math=libm', or compute it in f32
// REM: rem.mlir:2:8: error: 'arith.remf' op on 'f32' has no code on NVIDIA GPUs without the libdevice of the CUDA toolkit; use 'math=libm', or express it by other functions or arithmetic
// EXTERN: error: 'kernel' calls '__nv_tanf', which nothing defines: define it in the module of the kernel, or do without it
// F128: f128.mlir:2:8: error: 'memref.load' op on 'memref<8xf128>' has no code on NVIDIA GPUs; compute in f16, bf16, f32 or f64, or in integers of one bit or more
// F8: f8.mlir:2:8: error: 'arith.extf' op on 'f8E5M2' has no code on NVIDIA GPUs
// I0: error: {{.*}} has no code on NVIDIA GPUs
// TARGET: error: 'gpu.module' op has the target #nvvm.target<chip = "sm_999">, which is no NVIDIA chip that this LLVM knows from sm_70 on: remove it, the one of option 'chip' will be attached
// ROCDL: error: 'gpu.module' op has the target #rocdl.target
// STATEFUL: 'rng.uniform'

//--- fine.mlir
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.addf %x, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

//--- tanh.mlir
func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> {
  %y = math.tanh %x : tensor<8xf64>
  return %y : tensor<8xf64>
}

//--- rem.mlir
func.func @f(%x: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %y = arith.remf %x, %z : tensor<8xf32>
  return %y : tensor<8xf32>
}

//--- f128.mlir
func.func @f(%x: tensor<8xf128>) -> tensor<8xf128> {
  %y = arith.addf %x, %x : tensor<8xf128>
  return %y : tensor<8xf128>
}

//--- f8.mlir
func.func @f(%x: tensor<8xf8E5M2>) -> tensor<8xf32> {
  %y = arith.extf %x : tensor<8xf8E5M2> to tensor<8xf32>
  return %y : tensor<8xf32>
}

//--- i0.mlir
func.func @f(%x: tensor<8xi0>) -> tensor<8xi0> {
  %y = arith.addi %x, %x : tensor<8xi0>
  return %y : tensor<8xi0>
}

//--- target.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_999">] {
  gpu.func @k() kernel { gpu.return }
}

//--- rocdl.mlir
gpu.module @kernels [#rocdl.target<chip = "gfx90a">] {
  gpu.func @k() kernel { gpu.return }
}

//--- stateful.mlir
func.func @f() -> tensor<8xf32> {
  %y = rng.uniform : tensor<8xf32>
  return %y : tensor<8xf32>
}

//--- extern.mlir
gpu.binary @kernel [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = ".version 7.8\0A.extern .func vprintf\0A(\0A)\0A;\0A.extern .func (.param .b32 func_retval0) __nv_tanf\0A(\0A\09.param .b32 __nv_tanf_param_0\0A)\0A;\0A">]
