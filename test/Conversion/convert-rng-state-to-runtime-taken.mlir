// RUN: %rng_opt %s --convert-rng-state-to-runtime --split-input-file \
// RUN:   --verify-diagnostics
// RUN: %rng_opt %s --convert-rng-state-to-runtime="prefix=my" \
// RUN:   --split-input-file | FileCheck %s

// expected-note @+1 {{taken here}}
func.func private @rngGetState(i32)

// CHECK-LABEL: func @f
func.func @f() -> i64 {
  // CHECK: llvm.call @myGetState
  // expected-error @+1 {{'rng.get_state' op needs the runtime function 'rngGetState' of type '!llvm.func<void (ptr, ptr)>', but the name is taken: rename it or set the option prefix}}
  %seed, %offset = rng.get_state : i64, i64
  return %seed : i64
}

// -----

// CHECK: llvm.func @myDeclare
// expected-error @+1 {{'rng.generator' op needs the runtime function 'rngDeclare' of type '!llvm.func<void (ptr, i64)>', but the name is taken: rename it or set the option prefix}}
rng.generator @g
// expected-note @+1 {{taken here}}
func.func private @rngDeclare()
