// RUN: %rng_opt %s -rng-partition | FileCheck %s --check-prefixes=CHECK,SMALL
// RUN: %rng_opt %s -rng-partition=dynamic-size=1000 \
// RUN: | FileCheck %s --check-prefixes=CHECK,LARGE
//
// Trap 38: a zero-size or dynamic dimension breaks the estimate. Here sums and
// products saturate, nothing costs nothing, and an option says what a dynamic
// dimension counts.

// Two values that are saved cost more than one and work, all beyond 2^64.

// CHECK-LABEL: func.func @huge_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>]
!huge = tensor<4611686018427387904xf32>
func.func @huge(%a: !huge, %d: !huge {rng.cotangent})
    -> (!huge, !huge {rng.gradient}) {
  %e = arith.addf %a, %a : !huge
  %f = arith.mulf %a, %a : !huge
  %y = arith.addf %e, %f : !huge
  %d0 = arith.mulf %d, %e : !huge
  %da = arith.mulf %d0, %f : !huge
  return %y, %da : !huge, !huge
}

// An empty value is saved rather than a scalar beside it computed again.

// CHECK-LABEL: func.func @none_forward(
// CHECK-SAME:    -> (tensor<0x9223372036854775807x4xf32>, tensor<0x9223372036854775807x4xf32>)
!none = tensor<0x9223372036854775807x4xf32>
func.func private @make() -> !none
func.func @none(%d: !none {rng.cotangent}) -> (!none, !none {rng.gradient}) {
  %a = call @make() : () -> !none
  %y = math.exp %a : !none
  %da = arith.mulf %d, %a : !none
  return %y, %da : !none, !none
}

// CHECK-LABEL: func.func @dynamic_forward(
// SMALL-SAME:    -> (tensor<256xf32>, tensor<?xf32>)
// LARGE-SAME:    -> (tensor<256xf32>, tensor<256xf32>)
func.func private @get() -> tensor<?xf32>
func.func @dynamic(%d: tensor<256xf32> {rng.cotangent})
    -> (tensor<256xf32>, tensor<256xf32> {rng.gradient}) {
  %x = call @get() : () -> tensor<?xf32>
  %slice = tensor.extract_slice %x[0] [256] [1] : tensor<?xf32> to tensor<256xf32>
  %y = math.exp %slice : tensor<256xf32>
  %da = arith.mulf %d, %slice : tensor<256xf32>
  return %y, %da : tensor<256xf32>, tensor<256xf32>
}
