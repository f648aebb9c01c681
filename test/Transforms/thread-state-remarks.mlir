// RUN: %rng_opt %s -rng-thread-state -remarks-filter=rng-thread-state \
// RUN:   -remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s
//
// Whether a public function is safe against concurrent callers: one
// reservation, or reading and writing back.

rng.generator @g

// CHECK: remark: [Passed] ThreadedState | Category:rng-thread-state | Function=constant | Generator=default, ReservedBlocks=2
func.func @constant() {
  %0 = rng.uniform : f32
  %1 = rng.uniform : f32
  return
}

// CHECK: remark: [Passed] {{.+}} | Function=computed | Generator=@g, ReservedBlocks="computed at the entry"
func.func @computed(%n: index) {
  scf.forall (%i) in (%n) {
    %0 = rng.uniform @g : f32
  }
  return
}

// CHECK: remark: [Missed] {{.+}} | Function=unknown | Generator=@g, Remark="how many blocks are drawn is not known at the entry: the state is read there and written back at the end"
func.func @unknown(%c: i1) {
  scf.if %c {
    %0 = rng.uniform @g : f32
  }
  return
}

// CHECK-NOT: Function=private
func.func private @private() {
  %0 = rng.uniform : f32
  return
}
