// RUN: %rng_opt %examples/dropout.mlir --rng-thread-state \
// RUN:   --rng-partition=keep-joint --rng-generate-driver=finite-differences \
// RUN:   --rng-to-cpu > %t.mlir
// RUN: %run_cpu %t.mlir > %t.first
// RUN: FileCheck %s < %t.first

// Two processes draw the same numbers.
// RUN: %run_cpu %t.mlir > %t.second
// RUN: diff %t.first %t.second

// The state handed in instead of kept: the same pair, nothing to restore.
// RUN: %rng_opt %examples/dropout.mlir --rng-thread-state=entry=arguments \
// RUN:   --rng-partition=keep-joint --rng-generate-driver=finite-differences \
// RUN:   --rng-to-cpu | %run_cpu | FileCheck %s --check-prefix=ARGUMENTS

// CHECK-LABEL: dropout: result 0: 64x64xf32
// CHECK-NEXT:  dropout: saved 0 (argument 0): 64x64xf32
// CHECK-NEXT:  dropout: saved 1 (new 1): 0{{$}}
// CHECK-NEXT:  dropout: saved 2 (new 2): 0{{$}}
// CHECK-NEXT:  dropout: gradient 0: 64x64xf32
// CHECK-NEXT:  check dropout: draw 0 of the backward equals draw 0 of the forward: 4096 of 4096 elements PASS
// CHECK-NEXT:  check dropout: draw 0 of a second call differs: 2080 of 4096 elements PASS
// CHECK-NEXT:  check dropout: draw 0 is the same after restoring the state: 4096 of 4096 elements PASS
// CHECK-NEXT:  check dropout: result 0 and the joint function: 0 of 4096 elements differ, at most by 0 PASS
// CHECK-NEXT:  check dropout: gradient 0 and the joint function: 0 of 4096 elements differ, at most by 0 PASS
// CHECK-NEXT:  check dropout: the state after the pair and after the joint function: 0 elements differ PASS
// CHECK-NEXT:  check dropout: finite differences of gradient 0 (argument 0): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  driver: all checks passed
// CHECK-NOT:   {{.}}

// ARGUMENTS:     check dropout: draw 0 of the backward equals draw 0 of the forward: 4096 of 4096 elements PASS
// ARGUMENTS-NOT: second call
// ARGUMENTS:     driver: all checks passed
