// RUN: %rng_opt %s --convert-elementwise-to-linalg --rng-generalize-elementwise \
// RUN:   --rng-fuse-elementwise | FileCheck %s

// Any number is a size, also those that hash tables keep for themselves.
// CHECK-LABEL: func @largest
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK: return
!largest = tensor<9223372036854775807xf32>
func.func @largest(%x: !largest, %y: !largest) -> !largest {
  %a = arith.addf %x, %y : !largest
  %b = arith.mulf %a, %y : !largest
  return %b : !largest
}

// CHECK-LABEL: func @next
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK: return
!next = tensor<9223372036854775806xf32>
func.func @next(%x: !next, %y: !next) -> !next {
  %a = arith.addf %x, %y : !next
  %b = arith.mulf %a, %y : !next
  return %b : !next
}

// An encoding stays: that of a destination which is not read, too.
// CHECK-LABEL: func @encoding
// CHECK-SAME: -> tensor<8xf32, "layout">
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<8xf32, "layout">
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[EMPTY]] : tensor<8xf32, "layout">)
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK: } -> tensor<8xf32, "layout">
!layout = tensor<8xf32, "layout">
func.func @encoding(%x: !layout) -> !layout {
  %v = arith.mulf %x, %x : !layout
  %w = arith.addf %v, %x : !layout
  return %w : !layout
}

// CHECK-LABEL: func @dynamic_encoding
// CHECK: tensor.empty(%{{.+}}) : tensor<?x8xf32, "layout">
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK: } -> tensor<?x8xf32, "layout">
!dynamic = tensor<?x8xf32, "layout">
func.func @dynamic_encoding(%x: !dynamic) -> !dynamic {
  %v = arith.mulf %x, %x : !dynamic
  %w = arith.addf %v, %x : !dynamic
  return %w : !dynamic
}
