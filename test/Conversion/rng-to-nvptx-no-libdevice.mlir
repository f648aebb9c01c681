// Where there is no libdevice, math=libm is an error that says what to set.
//
// UNSUPPORTED: libdevice
// RUN: not %rng_opt %s --rng-to-nvptx=math=libm 2>&1 | FileCheck %s
// CHECK: error: 'math=libm' needs 'libdevice.10.bc' of the CUDA toolkit: install the toolkit and set CUDA_HOME to its folder or put its 'bin' on PATH, or use 'math=poly'
func.func @f() {
  return
}
