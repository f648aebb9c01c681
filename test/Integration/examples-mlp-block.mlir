// RUN: %rng_opt %examples/mlp-block.mlir --rng-thread-state \
// RUN:   --rng-partition=keep-joint --rng-generate-driver=finite-differences \
// RUN:   --rng-to-cpu | %run_cpu | FileCheck %s

// CHECK-LABEL: mlp_block: result 0: 128x768xf32
// CHECK-NEXT:  mlp_block: saved 0 (argument 0): 128x768xf32
// CHECK-NEXT:  mlp_block: saved 1 (argument 1): 768x3072xf32
// CHECK-NEXT:  mlp_block: saved 2 (argument 3): 3072x768xf32
// CHECK-NEXT:  mlp_block: saved 3 (new 1): 128x3072xf32
// CHECK-NEXT:  mlp_block: saved 4 (new 2): 0{{$}}
// CHECK-NEXT:  mlp_block: saved 5 (new 3): 0{{$}}
// CHECK-NEXT:  mlp_block: gradient 0: 128x768xf32
// CHECK-NEXT:  mlp_block: gradient 1: 768x3072xf32
// CHECK-NEXT:  mlp_block: gradient 2: 3072xf32
// CHECK-NEXT:  mlp_block: gradient 3: 3072x768xf32
// CHECK-NEXT:  mlp_block: gradient 4: 768xf32
// CHECK-NEXT:  check mlp_block: draw 0 of the backward equals draw 0 of the forward: 98304 of 98304 elements PASS
// CHECK-NEXT:  check mlp_block: draw 0 of a second call differs: 17705 of 98304 elements PASS
// CHECK-NEXT:  check mlp_block: draw 0 is the same after restoring the state: 98304 of 98304 elements PASS
// CHECK-NEXT:  check mlp_block: result 0 and the joint function: 0 of 98304 elements differ, at most by 0 PASS
// CHECK-NEXT:  check mlp_block: gradient 0 and the joint function: 0 of 98304 elements differ, at most by 0 PASS
// CHECK-NEXT:  check mlp_block: gradient 1 and the joint function: 0 of 2359296 elements differ, at most by 0 PASS
// CHECK-NEXT:  check mlp_block: gradient 2 and the joint function: 0 of 3072 elements differ, at most by 0 PASS
// CHECK-NEXT:  check mlp_block: gradient 3 and the joint function: 0 of 2359296 elements differ, at most by 0 PASS
// CHECK-NEXT:  check mlp_block: gradient 4 and the joint function: 0 of 768 elements differ, at most by 0 PASS
// CHECK-NEXT:  check mlp_block: the state after the pair and after the joint function: 0 elements differ PASS
// CHECK-NEXT:  check mlp_block: finite differences of gradient 0 (argument 0): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  check mlp_block: finite differences of gradient 1 (argument 1): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  check mlp_block: finite differences of gradient 2 (argument 2): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  check mlp_block: finite differences of gradient 3 (argument 3): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  check mlp_block: finite differences of gradient 4 (argument 4): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  driver: all checks passed
// CHECK-NOT:   {{.}}
