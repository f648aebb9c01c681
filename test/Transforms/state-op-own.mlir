// An op of another dialect that implements the interface of state ops is
// threaded, checked and cut as the ops of this dialect are. 'test_rng.shuffle'
// uses a constant number of stream blocks, 'test_rng.reject' tells theirs only
// when it has run.

// RUN: rng-test-opt %s --rng-thread-state --split-input-file | FileCheck %s --check-prefix=STATE
// RUN: rng-test-opt %s --rng-thread-state=entry=arguments --split-input-file | FileCheck %s --check-prefix=ARGS
// RUN: rng-test-opt %s --rng-thread-state=entry=memory --split-input-file | FileCheck %s --check-prefix=MEMORY
// RUN: rng-test-opt %s --rng-thread-state --rng-partition --split-input-file | FileCheck %s --check-prefix=CUT

// Between two draws: at their distance, and the reservation counts it.

// STATE-LABEL: func.func @shuffle(
// STATE:         %[[C5:.+]] = arith.constant 5 : i64
// STATE:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve %[[C5]] : i64, i64
// STATE:         rng.stateless_uniform %[[SEED]], %[[OFFSET]]
// STATE:         %[[C1:.+]] = arith.constant 1 : i64
// STATE:         %[[AT1:.+]] = arith.addi %[[OFFSET]], %[[C1]]
// STATE:         test_rng.shuffle_at %{{.+}} at %[[SEED]], %[[AT1]] : tensor<8xf32>, i64
// STATE:         %[[C4:.+]] = arith.constant 4 : i64
// STATE:         %[[AT4:.+]] = arith.addi %[[OFFSET]], %[[C4]]
// STATE:         rng.stateless_uniform %[[SEED]], %[[AT4]]

// ARGS-LABEL:  func.func @shuffle(
// ARGS-SAME:     %{{.+}}: tensor<8xf32>, %[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64)
// ARGS:          %[[C1:.+]] = arith.constant 1 : i64
// ARGS:          %[[AT1:.+]] = arith.addi %[[OFFSET]], %[[C1]]
// ARGS:          test_rng.shuffle_at %{{.+}} at %[[SEED]], %[[AT1]] : tensor<8xf32>, i64
// ARGS:          %[[C5:.+]] = arith.constant 5 : i64
// ARGS:          %[[END:.+]] = arith.addi %[[OFFSET]], %[[C5]]
// ARGS:          return %{{.+}}, %{{.+}}, %{{.+}}, %[[END]]

// MEMORY-LABEL: func.func @shuffle(
// MEMORY-SAME:    %{{.+}}: tensor<8xf32>, %[[BUFFER:.+]]: memref<2xi64>)
// MEMORY:         %[[C5:.+]] = arith.constant 5 : i64
// MEMORY:         %[[SNAPSHOT:.+]] = rng.reserve_memory %[[BUFFER]], %[[C5]]
// MEMORY:         %[[C1:.+]] = arith.constant 1 : i64
// MEMORY:         test_rng.shuffle_at %{{.+}} at %[[SNAPSHOT]], %[[C1]] : tensor<8xf32>, tensor<2xi64>
// MEMORY:         %[[C4:.+]] = arith.constant 4 : i64
// MEMORY:         rng.stateless_uniform %[[SNAPSHOT]][%[[C4]]]
func.func @shuffle(%x: tensor<8xf32>) -> (f32, tensor<8xf32>, f32) {
  %a = rng.uniform : f32
  %y = test_rng.shuffle %x by 3 : tensor<8xf32>
  %b = rng.uniform : f32
  return %a, %y, %b : f32, tensor<8xf32>, f32
}

// -----

// A function without a draw of this dialect is threaded, too.

// STATE-LABEL: func.func @alone(
// STATE:         rng.reserve
// STATE:         test_rng.shuffle_at
func.func @alone(%x: f32) -> f32 {
  %y = test_rng.shuffle %x by 3 : f32
  return %y : f32
}

// -----

// What nothing tells before it has run: the op that replaces it does.

// STATE-LABEL: func.func @reject(
// STATE:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.get_state @g : i64, i64
// STATE:         %{{.+}}, %[[N:.+]] = test_rng.reject_at %{{.+}} at %[[SEED]], %[[OFFSET]] : f32
// STATE:         %[[NEXT:.+]] = arith.addi %[[OFFSET]], %[[N]]
// STATE:         rng.stateless_uniform %[[SEED]], %[[NEXT]]
// STATE:         %[[C1:.+]] = arith.constant 1 : i64
// STATE:         %[[END:.+]] = arith.addi %[[NEXT]], %[[C1]]
// STATE:         rng.set_state @g, %[[SEED]], %[[END]]

// ARGS-LABEL:  func.func @reject(
// ARGS-SAME:     %{{.+}}: f32, %[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64)
// ARGS:          %{{.+}}, %[[N:.+]] = test_rng.reject_at %{{.+}} at %[[SEED]], %[[OFFSET]] : f32
// ARGS:          %[[NEXT:.+]] = arith.addi %[[OFFSET]], %[[N]]
// ARGS:          rng.stateless_uniform %[[SEED]], %[[NEXT]]

// MEMORY-LABEL: func.func @reject(
// MEMORY-SAME:    %{{.+}}: f32, %[[BUFFER:.+]]: memref<2xi64>)
// MEMORY:         %[[SNAPSHOT:.+]] = rng.reserve_memory %[[BUFFER]], %{{.+}}
// MEMORY:         %[[SEED:.+]] = tensor.extract %[[SNAPSHOT]]
// MEMORY:         %[[OFFSET:.+]] = tensor.extract %[[SNAPSHOT]]
// MEMORY:         %{{.+}}, %[[N:.+]] = test_rng.reject_at %{{.+}} at %[[SEED]], %[[OFFSET]] : f32
// MEMORY:         %[[C0:.+]] = arith.constant 0 : i64
// MEMORY:         %[[NEXT:.+]] = arith.addi %[[C0]], %[[N]]
// MEMORY:         rng.stateless_uniform %[[SNAPSHOT]][%[[NEXT]]]
// MEMORY:         %[[C1:.+]] = arith.constant 1 : i64
// MEMORY:         %[[END:.+]] = arith.addi %[[NEXT]], %[[C1]]
// MEMORY:         rng.reserve_memory %[[BUFFER]], %[[END]]
rng.generator @g
func.func @reject(%x: f32) -> (f32, f32) {
  %y = test_rng.reject @g, %x : f32
  %u = rng.uniform @g : f32
  return %y, %u : f32, f32
}

// -----

// Through a loop: five times two stream blocks, then one.

// STATE-LABEL: func.func @loop(
// STATE:         %[[C11:.+]] = arith.constant 11 : i64
// STATE:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve %[[C11]]
// STATE:         scf.for {{.+}} iter_args(%{{.+}} = %{{.+}}, %[[AT:.+]] = %[[OFFSET]])
// STATE:           test_rng.shuffle_at %{{.+}} at %[[SEED]], %[[AT]]
// STATE:         %[[C10:.+]] = arith.constant 10 : i64
// STATE:         %[[BEHIND:.+]] = arith.addi %[[OFFSET]], %[[C10]]
// STATE:         rng.stateless_uniform %[[SEED]], %[[BEHIND]]
func.func @loop(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %y = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %x) -> f32 {
    %z = test_rng.shuffle %acc by 2 : f32
    scf.yield %z : f32
  }
  %u = rng.uniform : f32
  %s = arith.addf %y, %u : f32
  return %s : f32
}

// -----

// The backward shuffles again, at the state that the forward reserved.

// CUT-LABEL: func.func @joint_forward(
// CUT-SAME:    %[[X:.+]]: tensor<64xf32>)
// CUT-SAME:    -> (f32, i64, i64)
// CUT:         %[[SEED:.+]], %[[OFFSET:.+]] = rng.reserve
// CUT:         test_rng.shuffle_at %[[X]] at %[[SEED]], %[[OFFSET]]
// CUT-LABEL: func.func @joint_backward(
// CUT-NOT:     rng.reserve
// CUT:         test_rng.shuffle_at
func.func @joint(%x: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (f32, tensor<64xf32> {rng.gradient}) {
  %y = test_rng.shuffle %x by 3 {rng.recompute} : tensor<64xf32>
  %c0 = arith.constant 0 : index
  %first = tensor.extract %y[%c0] : tensor<64xf32>
  %g = arith.mulf %y, %d : tensor<64xf32>
  return %first, %g : f32, tensor<64xf32>
}
