// RUN: %rng_opt %examples/interior.mlir --rng-thread-state \
// RUN:   --rng-partition=keep-joint --rng-generate-driver=finite-differences \
// RUN:   --rng-to-cpu | %run_cpu | FileCheck %s

// CHECK-LABEL: interior: result 0: 64x256xf32
// CHECK-NEXT:  interior: saved 0 (argument 1): 256x512xf32
// CHECK-NEXT:  interior: saved 1 (argument 2): 512x256xf32
// CHECK-NEXT:  interior: saved 2 (new 1): 64x512xi1
// CHECK-NEXT:  interior: saved 3 (new 2): 64x512xbf16
// CHECK-NEXT:  interior: saved 4 (new 3): 0{{$}}
// CHECK-NEXT:  interior: saved 5 (new 4): 0{{$}}
// CHECK-NEXT:  interior: gradient 0: 64x256xf32
// CHECK-NEXT:  interior: gradient 1: 512x256xf32
// CHECK-NEXT:  check interior: draw 0 of the backward equals draw 0 of the forward: 32768 of 32768 elements PASS
// CHECK-NEXT:  check interior: draw 0 of a second call differs: 12355 of 32768 elements PASS
// CHECK-NEXT:  check interior: draw 0 is the same after restoring the state: 32768 of 32768 elements PASS
// CHECK-NEXT:  check interior: result 0 and the joint function: 0 of 16384 elements differ, at most by 0 PASS
// CHECK-NEXT:  check interior: gradient 0 and the joint function: 0 of 16384 elements differ, at most by 0 PASS
// CHECK-NEXT:  check interior: gradient 1 and the joint function: 0 of 131072 elements differ, at most by 0 PASS
// CHECK-NEXT:  check interior: the state after the pair and after the joint function: 0 elements differ PASS
// CHECK-NEXT:  check interior: finite differences of gradient 0 (argument 0): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  check interior: finite differences of gradient 1 (argument 2): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  driver: all checks passed
// CHECK-NOT:   {{.}}
