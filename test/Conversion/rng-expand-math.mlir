// RUN: %rng_opt %s --rng-expand-math | FileCheck %s
// RUN: %rng_opt %s --rng-expand-math="math=libm" \
// RUN:   | FileCheck %s --check-prefix=LIBM
// RUN: not %rng_opt %s --rng-expand-math="math=fast" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR

// ERROR: for the --math option: Cannot find option named 'fast'!

// CHECK-LABEL: func @f32
// LIBM-LABEL: func @f32
func.func @f32(%x: f32) -> f32 {
  // CHECK-NOT: math.tanh
  // CHECK-NOT: math.sinh
  // CHECK-NOT: math.exp
  // LIBM: math.tanh
  // LIBM: math.sinh
  // CHECK: return
  %t = math.tanh %x : f32
  %s = math.sinh %t : f32
  return %s : f32
}

// The square root is exact everywhere.
// CHECK-LABEL: func @exact
func.func @exact(%x: f32) -> f32 {
  // CHECK: math.sqrt
  %r = math.sqrt %x : f32
  return %r : f32
}
