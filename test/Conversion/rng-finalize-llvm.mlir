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

// -----

// Of a NaN, a conversion yields any number; poison would spread.
// CHECK-LABEL: llvm.func @conversions
llvm.func @conversions(%x: f32, %y: vector<4xf64>) -> vector<4xi32> {
  // CHECK: %[[N:.+]] = llvm.fptosi %{{.+}} : f32 to i32
  // CHECK: %[[F:.+]] = llvm.freeze %[[N]] : i32
  // CHECK: %[[M:.+]] = llvm.fptoui %{{.+}} : vector<4xf64> to vector<4xi32>
  // CHECK: %[[G:.+]] = llvm.freeze %[[M]] : vector<4xi32>
  // CHECK: llvm.insertelement %[[F]], %[[G]]
  %n = llvm.fptosi %x : f32 to i32
  %m = llvm.fptoui %y : vector<4xf64> to vector<4xi32>
  %c = llvm.mlir.constant(0 : i32) : i32
  %r = llvm.insertelement %n, %m[%c : i32] : vector<4xi32>
  llvm.return %r : vector<4xi32>
}
