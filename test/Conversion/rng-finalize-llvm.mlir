// RUN: %rng_opt %s --rng-finalize-llvm --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func @attributes
llvm.func @attributes(%x: f16) -> f32 {
  // CHECK: llvm.fpext %{{.+}} : f16 to f32
  %y = llvm.fpext %x {fastmath = #arith.fastmath<contract>} : f16 to f32
  // CHECK: llvm.return {kept = 1 : i32} %{{.+}} : f32
  llvm.return {kept = 1 : i32} %y : f32
}

// -----

llvm.func @left_over() {
  // expected-error @+1 {{'arith.constant' op could not be lowered to the LLVM dialect: lower it before this pipeline, or change the types it is given}}
  %c = arith.constant 1 : i32
  llvm.return
}

// -----

// The op that a cast is for.
llvm.func @cast(%x: i8) {
  %c = builtin.unrealized_conversion_cast %x : i8 to f8E4M3FN
  // expected-error @+1 {{'arith.negf' op could not be lowered to the LLVM dialect}}
  %n = arith.negf %c : f8E4M3FN
  llvm.return
}
