// RUN: rng-test-opt %s --rng-reserve-draws --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @shuffle(
// CHECK-SAME:    %[[X:.+]]: f32)
// CHECK:         %[[N:.+]] = arith.constant 3 : i64
// CHECK:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve %[[N]] : i64, i64
// CHECK:         %[[Y:.+]] = test_rng.shuffle_at %[[X]] at %[[SEED]], %[[OFFSET]] : f32, i64
// CHECK:         return %[[Y]]
func.func @shuffle(%x: f32) -> f32 {
  %y = test_rng.shuffle %x by 3 : f32
  return %y : f32
}

// -----

func.func @reject(%x: f32) -> f32 {
  // expected-error @below {{'test_rng.reject' op uses a number of stream blocks that nothing tells before it runs, so they cannot be reserved: run 'rng-thread-state' instead}}
  %y = test_rng.reject %x : f32
  return %y : f32
}
