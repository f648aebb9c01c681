// Masks (an i1 is a byte) and copies are accessed 16 bytes at a time too, or
// as many as the elements of a group take.
//
// RUN: rm -rf %t
// RUN: %rng_opt %s --rng-to-nvptx="chip=sm_80 dump-dir=%t" -o /dev/null
// RUN: FileCheck %s --check-prefix=MASK < %t/mask_kernel.ptx
// RUN: FileCheck %s --check-prefix=APPLY < %t/apply_kernel.ptx
// RUN: FileCheck %s --check-prefix=COPY < %t/copy_kernel.ptx
// RUN: FileCheck %s --check-prefix=STRIDED < %t/copy_strided_kernel.ptx

// MASK-NOT: st.global
// MASK: st.global.v4.b32
// MASK-NOT: st.global
// MASK: st.global.b8
// MASK-NOT: st.global
func.func @mask(%n: index, %seed: i64, %offset: i64, %p: f32) -> tensor<?xi1> {
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  return %keep : tensor<?xi1>
}

// Four bytes for 16 of the others.
// APPLY-COUNT-4: ld.global.nc.b32
// APPLY-NOT: ld.global.nc.b8
// APPLY: st.global.v4.b32
// APPLY: ld.global.nc.b8
func.func @apply(%x: tensor<?xf32>, %keep: tensor<?xi1>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?xf32>
  %y = arith.select %keep, %x, %zeros : tensor<?xi1>, tensor<?xf32>
  return %y : tensor<?xf32>
}

// COPY-COUNT-2: ld.global.v4.b32
// COPY-COUNT-2: st.global.v4.b32
// COPY: ld.global.b16
// COPY: st.global.b16
func.func @copy(%x: memref<?x3xbf16>, %y: memref<?x3xbf16>,
                %on_device: tensor<f32>) {
  memref.copy %x, %y : memref<?x3xbf16> to memref<?x3xbf16>
  return
}

// STRIDED-NOT: global.v4
// STRIDED: ld.global.b16
// STRIDED-NOT: global.v4
func.func @copy_strided(%x: memref<?x3xbf16, strided<[4, 1]>>,
                        %y: memref<?x3xbf16>, %on_device: tensor<f32>) {
  memref.copy %x, %y
      : memref<?x3xbf16, strided<[4, 1]>> to memref<?x3xbf16>
  return
}
