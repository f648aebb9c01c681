// Calls of what nothing defines are found before anything is compiled.
//
// RUN: %rng_opt %s --rng-compile-kernels=format=isa -verify-diagnostics \
// RUN:   -split-input-file
// RUN: %rng_opt %s --rng-compile-kernels=format=bin -verify-diagnostics \
// RUN:   -split-input-file

gpu.module @unknown [#nvvm.target<chip = "sm_90">] {
  llvm.func @mystery(f32) -> f32
  llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr -> f32
    // expected-error@+1 {{kernel code calls 'mystery', which nothing defines: define it in the module of the kernel}}
    %y = llvm.call @mystery(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr
    llvm.return
  }
}
