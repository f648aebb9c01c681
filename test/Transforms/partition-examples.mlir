// What the cut saves in the worked examples; each file says why.

// RUN: %rng_opt %examples/dropout.mlir --rng-thread-state --rng-partition \
// RUN:   | FileCheck %s --check-prefix=DROPOUT
// RUN: %rng_opt %examples/dropout-tie.mlir --rng-thread-state --rng-partition \
// RUN:   | FileCheck %s --check-prefix=TIE
// RUN: %rng_opt %examples/mlp-block.mlir --rng-thread-state --rng-partition \
// RUN:   | FileCheck %s --check-prefix=MLP
// RUN: %rng_opt %examples/interior.mlir --rng-thread-state --rng-partition \
// RUN:   | FileCheck %s --check-prefix=INTERIOR

// Trap 35: order by pointers.
// The output is the same in every run.

// RUN: %rng_opt %examples/mlp-block.mlir --rng-thread-state --rng-partition -o %t.1
// RUN: %rng_opt %examples/mlp-block.mlir --rng-thread-state --rng-partition -o %t.2
// RUN: cmp %t.1 %t.2

// Trap 26: the mask saved instead of seed and offset.
// a, seed, offset: neither mask nor y.

// DROPOUT-LABEL: func.func @dropout_forward(
// DROPOUT-SAME:    -> (tensor<64x64xf32>, i64, i64)
// DROPOUT-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>, #rng.saved<new 2>]
// DROPOUT:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve
// DROPOUT:         return %{{.+}}, %[[SEED]], %[[OFFSET]]
// DROPOUT-LABEL: func.func @dropout_backward(
// DROPOUT-NOT:     rng.reserve
// DROPOUT:         rng.stateless_bernoulli

// TIE-LABEL: func.func @dropout_tie_forward(
// TIE-SAME:    -> (tensor<2x2xf32>, i64, i64)
// TIE-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>, #rng.saved<new 2>]
// TIE:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve
// TIE:         return %{{.+}}, %[[SEED]], %[[OFFSET]]
// TIE-LABEL: func.func @dropout_tie_backward(
// TIE:         rng.stateless_bernoulli

// x, w1, w2 are arguments and not returned; h is the product after its bias.

// MLP-LABEL: func.func @mlp_block_forward(
// MLP-SAME:    -> (tensor<128x768xf32>, tensor<128x3072xf32>, i64, i64)
// MLP-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>, #rng.saved<argument 3>, #rng.saved<new 1>, #rng.saved<new 2>, #rng.saved<new 3>]
// MLP:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve
// MLP:         linalg.matmul
// MLP:         %[[BIAS:.+]] = linalg.broadcast
// MLP:         %[[H:.+]] = arith.addf %{{.+}}, %[[BIAS]]
// MLP:         return %{{.+}}, %[[H]], %[[SEED]], %[[OFFSET]]
// MLP-LABEL: func.func @mlp_block_backward(
// MLP-NOT:     linalg.broadcast
// MLP:         math.tanh

// Trap 37: a value saved whose consumer takes fewer bytes.
// The booleans of relu on a product, the narrow cast of its dropout; not the
// narrow cast of the weight.

// INTERIOR-LABEL: func.func @interior_forward(
// INTERIOR-SAME:    -> (tensor<64x256xf32>, tensor<64x512xi1>, tensor<64x512xbf16>, i64, i64)
// INTERIOR-SAME:    rng.saved = [#rng.saved<argument 1>, #rng.saved<argument 2>, #rng.saved<new 1>, #rng.saved<new 2>, #rng.saved<new 3>, #rng.saved<new 4>]
// INTERIOR:         %[[ACTIVE:.+]] = arith.cmpf
// INTERIOR:         %[[D16:.+]] = arith.truncf %{{.+}} : tensor<64x512xf32>
// INTERIOR:         return %{{.+}}, %[[ACTIVE]], %[[D16]]
// INTERIOR-LABEL: func.func @interior_backward(
// INTERIOR:         arith.truncf %{{.+}} : tensor<512x256xf32>
// INTERIOR:         rng.stateless_bernoulli
