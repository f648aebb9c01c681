// A joint function that meets another pass before `rng-partition`.

// RUN: %rng_opt %s --rng-rematerialize=report=%t.txt 2>&1 -o %t.mlir \
// RUN:   | FileCheck %s --check-prefixes=REMATERIALIZE,REPORT
// RUN: %rng_opt %s --rng-to-cpu 2>&1 -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=LOWER
// RUN: %rng_opt %s --rng-to-nvptx 2>&1 -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=LOWER
// RUN: %rng_opt %s --rng-to-emulated-gpu 2>&1 -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=LOWER
//
// Not where it is kept on purpose, beside its pair.
// RUN: %rng_opt %s --rng-partition=keep-joint --rng-rematerialize --rng-to-cpu \
// RUN:   2>&1 -o %t.mlir | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: {{.}}

// REMATERIALIZE: joint-unsplit.mlir:[[#@LINE+5]]:1: warning: joint function '@f' has not been split: run 'rng-partition' before 'rng-rematerialize', or remove 'rng.gradient' from its results if it is to stay one function
// LOWER-NOT:     warning
// LOWER:         joint-unsplit.mlir:[[#@LINE+3]]:1: warning: joint function '@f' has not been split: run 'rng-partition' before the lowering, or remove 'rng.gradient' from its results if it is to stay one function
// LOWER-NOT:     warning
// REPORT:        warning: nothing to write to the file of 'report', no function has 'rng.backward': run 'rng-partition' first, which makes such pairs
func.func @f(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %y = math.exp %a : tensor<8xf32>
  %g = arith.mulf %y, %d : tensor<8xf32>
  return %y, %g : tensor<8xf32>, tensor<8xf32>
}
