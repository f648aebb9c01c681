// RUN: %rng_opt %examples/dropout-tie.mlir --rng-thread-state \
// RUN:   --rng-partition=keep-joint --rng-generate-driver=finite-differences \
// RUN:   --rng-to-cpu | %run_cpu | FileCheck %s

// CHECK-LABEL: dropout_tie: result 0: 2x2xf32
// CHECK-NEXT:  dropout_tie: saved 0 (argument 0): 2x2xf32
// CHECK-NEXT:  dropout_tie: saved 1 (new 1): 0{{$}}
// CHECK-NEXT:  dropout_tie: saved 2 (new 2): 0{{$}}
// CHECK-NEXT:  dropout_tie: gradient 0: 2x2xf32
// CHECK-NEXT:  check dropout_tie: draw 0 of the backward equals draw 0 of the forward: 4 of 4 elements PASS
// CHECK-NEXT:  check dropout_tie: draw 0 of a second call differs: 3 of 4 elements PASS
// CHECK-NEXT:  check dropout_tie: draw 0 is the same after restoring the state: 4 of 4 elements PASS
// CHECK-NEXT:  check dropout_tie: result 0 and the joint function: 0 of 4 elements differ, at most by 0 PASS
// CHECK-NEXT:  check dropout_tie: gradient 0 and the joint function: 0 of 4 elements differ, at most by 0 PASS
// CHECK-NEXT:  check dropout_tie: the state after the pair and after the joint function: 0 elements differ PASS
// CHECK-NEXT:  check dropout_tie: finite differences of gradient 0 (argument 0): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  driver: all checks passed
// CHECK-NOT:   {{.}}
