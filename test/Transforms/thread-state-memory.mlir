// RUN: not %rng_opt %s -rng-thread-state=entry=memory 2>&1 | FileCheck %s
// CHECK: error: entry=memory is not implemented yet: use state or arguments

func.func @f() {
  %u = rng.uniform : f32
  return
}
