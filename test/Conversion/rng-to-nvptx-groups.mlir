// Dropout of contiguous buffers: a thread loads and stores 16 bytes at a time and
// computes each block once, in 32-bit arithmetic, without local memory. What it
// only reads is loaded as such.
//
// RUN: rm -rf %t
// RUN: %rng_opt %s --rng-to-nvptx="chip=sm_80 dump-dir=%t" -o /dev/null
// RUN: FileCheck %s < %t/dropout_kernel.ptx
// RUN: FileCheck %s --check-prefix=WIDE < %t/dropout_kernel.ptx
// RUN: FileCheck %s --check-prefix=NARROW < %t/dropout_bf16_kernel.ptx
// RUN: FileCheck %s --check-prefix=LOAD < %t/dropout_bf16_kernel.ptx

// Four blocks, which have two products and parts of two more in common: those
// of the offset and of the high half of the index.
// CHECK: .visible .entry dropout_kernel(
// CHECK-NOT: .local
// CHECK-COUNT-4: ld.global.nc.v4.b32
// CHECK-NOT: ld.global
// CHECK-COUNT-74: mul.hi.u32
// CHECK-NOT: mul.hi
// CHECK: st.global.v4.b32
// CHECK-NOT: ld.global.nc.v4
// The rest: an element a thread.
// CHECK: ld.global.nc.b32
// CHECK-COUNT-20: mul.hi.u32
// CHECK-NOT: mul.hi
// CHECK: st.global.b32
// CHECK: ret;
// WIDE-NOT: mul.lo.s64
// WIDE-NOT: mul.hi.u64
// WIDE-NOT: .extern
// WIDE-NOT: .local
func.func @dropout(%x: tensor<?xf32>, %seed: i64, %offset: i64, %p: f32)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %scale = arith.constant 1.25 : f32
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?xf32>
  %scaled = arith.mulf %x, %scales : tensor<?xf32>
  %y = arith.select %keep, %scaled, %zeros : tensor<?xi1>, tensor<?xf32>
  return %y : tensor<?xf32>
}

// Two groups of eight elements, of two blocks each.
// NARROW: .visible .entry
// NARROW-NOT: .local
// NARROW-COUNT-74: mul.hi.u32
// NARROW-NOT: mul.hi
// NARROW: st.global.v4.b32
// NARROW-NOT: st.global.v4
// NARROW: ld.global.nc.b16
// NARROW: st.global.b16
// LOAD-COUNT-2: ld.global.nc.v4.b32
// LOAD-NOT: ld.global.nc.v4
func.func @dropout_bf16(%x: tensor<?xbf16>, %seed: i64, %offset: i64)
    -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : bf16
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %zeros = tensor.splat %zero[%n] : tensor<?xbf16>
  %y = arith.select %keep, %x, %zeros : tensor<?xi1>, tensor<?xbf16>
  return %y : tensor<?xbf16>
}
