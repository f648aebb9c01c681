// Options, remarks, and what other passes leave.

// RUN: %rng_opt %s --rng-check-streams=severity=warning --split-input-file \
// RUN:   -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: not %rng_opt %s --rng-check-streams --split-input-file -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// RUN: %rng_opt %s --rng-check-streams=severity=warning --split-input-file \
// RUN:   --remarks-filter=rng-check-streams --remark-format=emitRemark \
// RUN:   -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK

// Nothing is found in the worked examples, before and after other passes.

// RUN: %rng_opt %examples/dropout.mlir --rng-check-streams --rng-thread-state \
// RUN:   --rng-check-streams --rng-partition --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %examples/dropout-tie.mlir --rng-check-streams --rng-thread-state \
// RUN:   --rng-check-streams --rng-partition --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %examples/interior.mlir --rng-check-streams --rng-thread-state \
// RUN:   --rng-check-streams --rng-partition --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %examples/mlp-block.mlir --rng-check-streams --rng-thread-state \
// RUN:   --rng-check-streams --rng-partition --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %examples/mlp-block.mlir --rng-thread-state --rng-partition=keep-joint \
// RUN:   --canonicalize --cse --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %examples/mlp-block.mlir --rng-thread-state=entry=arguments \
// RUN:   --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %examples/mlp-block.mlir --rng-thread-state=entry=memory \
// RUN:   --rng-partition --rng-check-streams -o %t.mlir 2>&1 | count 0

// Nor in what threading makes of control flow, whatever the entry.

// RUN: %rng_opt %rng_src/test/Transforms/thread-state-control-flow.mlir \
// RUN:   --split-input-file --allow-unregistered-dialect --rng-thread-state \
// RUN:   --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %rng_src/test/Transforms/thread-state-control-flow.mlir \
// RUN:   --split-input-file --allow-unregistered-dialect --rng-thread-state=entry=arguments \
// RUN:   --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %rng_src/test/Transforms/thread-state-control-flow.mlir \
// RUN:   --split-input-file --allow-unregistered-dialect --rng-thread-state=entry=memory \
// RUN:   --rng-check-streams -o %t.mlir 2>&1 | count 0
// RUN: %rng_opt %rng_src/test/Transforms/thread-state-parallel.mlir \
// RUN:   --split-input-file --allow-unregistered-dialect --rng-thread-state \
// RUN:   --rng-check-streams -o %t.mlir 2>&1 | count 0

// WARNING:     warning: 'rng.stateless_uniform' op reads blocks [0, 1) after an offset
// WARNING:     note: 'rng.stateless_uniform' reads blocks [0, 1) here
// ERROR:       error: 'rng.stateless_uniform' op reads blocks [0, 1) after an offset
func.func @overlap(%s: i64, %o: i64) {
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %b = rng.stateless_uniform %s, %o : tensor<8xf32>
  return
}

// -----

// One remark of a kind for a function.

// REMARK-COUNT-1: RepeatsInLoop{{.*}}Function=loop
// REMARK-NOT:     Function=loop
func.func @loop(%s: i64, %o: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
    %b = rng.stateless_uniform %s, %o : tensor<4xf32>
  }
  return
}

// Pieces of one draw are no repetition.

// REMARK-NOT: Function=tiles
func.func @tiles(%s: i64, %o: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = rng.stateless_uniform %s, %o slice [%i] of [64] : tensor<1xf32>
  }
  return
}

// -----

// REMARK: UncertainPath{{.*}}Function=conditions
func.func @conditions(%c: i1, %d: i1, %s: i64, %o: i64) {
  scf.if %c {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  }
  scf.if %d {
    %a = rng.stateless_uniform %s, %o : tensor<8xf32>
  }
  return
}

// -----

// REMARK: UnknownCall{{.*}}Function=indirect
func.func @indirect(%f: () -> ()) {
  call_indirect %f() : () -> ()
  return
}
