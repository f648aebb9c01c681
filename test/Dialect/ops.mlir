// RUN: rng-opt %s | rng-opt | FileCheck %s
// RUN: rng-opt %s --emit-bytecode | rng-opt | FileCheck %s
// RUN: rng-opt %s --mlir-print-op-generic | rng-opt | FileCheck %s

// Every op in every form of its assembly survives text, bytecode and the
// generic form.

// CHECK: rng.generator @plain
rng.generator @plain
// CHECK: rng.generator @g {algorithm = #rng.philox, seed = 7 : i64}
rng.generator @g {algorithm = #rng.philox, seed = 7 : i64}
// CHECK: rng.generator @seven {algorithm = #rng.philox<rounds = 7>}
rng.generator @seven {algorithm = #rng.philox<rounds = 7, convention = nvfuser>}

// CHECK-LABEL: func.func @state
// CHECK-SAME: (%[[MEM:.+]]: memref<2xi64>, %[[D:.+]]: index)
func.func @state(%mem: memref<2xi64>, %d: index) {
  // CHECK: %[[SEED:.+]], %[[OFFSET:.+]] = rng.get_state : i64, i64
  %seed, %offset = rng.get_state : i64, i64
  // CHECK: rng.get_state @g : i64, i64
  %s1, %o1 = rng.get_state @g : i64, i64
  // CHECK: rng.set_state %[[SEED]], %[[OFFSET]] : i64, i64
  rng.set_state %seed, %offset : i64, i64
  // CHECK: rng.set_state @g, %[[SEED]], %[[OFFSET]] : i64, i64
  rng.set_state @g, %seed, %offset : i64, i64
  // CHECK: rng.reserve %[[OFFSET]] : i64, i64
  %s2, %o2 = rng.reserve %offset : i64, i64
  // CHECK: rng.reserve @g, %[[OFFSET]] : i64, i64
  %s3, %o3 = rng.reserve @g, %offset : i64, i64
  // CHECK: rng.reserve_memory %[[MEM]], %[[OFFSET]] : memref<2xi64> -> tensor<2xi64>
  %snap = rng.reserve_memory %mem, %offset : memref<2xi64> -> tensor<2xi64>
  // CHECK: rng.advance %[[OFFSET]] by uniform tensor<?x8xf32>(%[[D]])
  %n0 = rng.advance %offset by uniform tensor<?x8xf32>(%d)
  // CHECK: rng.advance %[[OFFSET]] by bits i64 {algorithm = #rng.philox<rounds = 7>}
  %n1 = rng.advance %offset by bits i64 {algorithm = #rng.philox<rounds = 7>}
  return
}

// CHECK-LABEL: func.func @stateful
// CHECK-SAME: (%[[A:.+]]: f32, %[[B:.+]]: f32, %[[I:.+]]: i32, %[[D:.+]]: index)
func.func @stateful(%a: f32, %b: f32, %i: i32, %d: index) {
  // CHECK: rng.uniform : f32
  %0 = rng.uniform : f32
  // CHECK: rng.uniform @g range(%[[A]], %[[B]]) sizes(%[[D]]) : tensor<?x8xbf16>
  %1 = rng.uniform @g range(%a, %b) sizes(%d) : tensor<?x8xbf16>
  // CHECK: rng.normal params(%[[A]], %[[B]]) {some.note} : vector<4xf16>
  %2 = rng.normal params(%a, %b) {some.note} : vector<4xf16>
  // CHECK: rng.normal : tensor<f64>
  %3 = rng.normal : tensor<f64>
  // CHECK: rng.bernoulli prob(%[[A]]) : tensor<0x3xi1>
  %4 = rng.bernoulli prob(%a) : tensor<0x3xi1>
  // CHECK: rng.randint @g range(%[[I]], %[[I]]) sizes(%[[D]], %[[D]]) : tensor<?x?xi32>
  %5 = rng.randint @g range(%i, %i) sizes(%d, %d) : tensor<?x?xi32>
  // CHECK: rng.bits : vector<2x4xi64>
  %6 = rng.bits : vector<2x4xi64>
  // CHECK: rng.exponential @g rate(%[[A]]) sizes(%[[D]]) : tensor<?x8xf32>
  %7 = rng.exponential @g rate(%a) sizes(%d) : tensor<?x8xf32>
  // CHECK: rng.exponential : f16
  %8 = rng.exponential : f16
  // CHECK: rng.truncated_normal @g params(%[[A]], %[[B]]) : vector<8xbf16>
  %9 = rng.truncated_normal @g params(%a, %b) : vector<8xbf16>
  // CHECK: rng.truncated_normal : tensor<2xf64>
  %10 = rng.truncated_normal : tensor<2xf64>
  return
}

// CHECK-LABEL: func.func @stateless
// CHECK-SAME: (%[[S:.+]]: i64, %[[O:.+]]: i64, %[[SNAP:.+]]: tensor<2xi64>, %[[A:.+]]: f32, %[[D:.+]]: index)
func.func @stateless(%s: i64, %o: i64, %snap: tensor<2xi64>, %a: f32,
                     %d: index) {
  // CHECK: rng.stateless_uniform %[[S]], %[[O]] : f32
  %0 = rng.stateless_uniform %s, %o : f32
  // CHECK: rng.stateless_uniform %[[S]], %[[O]] range(%[[A]], %[[A]]) slice [%[[D]], 0] of [%[[D]], 8] : tensor<32x8xf32>
  %1 = rng.stateless_uniform %s, %o range(%a, %a) slice [%d, 0] of [%d, 8] : tensor<32x8xf32>
  // CHECK: rng.stateless_bernoulli %[[SNAP]][%[[O]]] prob(%[[A]]) sizes(%[[D]]) slice [0, 2, %[[D]]] of [4, 4, %[[D]]] : tensor<2x?xi1>
  %2 = rng.stateless_bernoulli %snap[%o] prob(%a) sizes(%d) slice [0, 2, %d] of [4, 4, %d] : tensor<2x?xi1>
  // The scalar is one element of the logical draw.
  // CHECK: rng.stateless_bits %[[S]], %[[O]] slice [%[[D]], 3] of [8, 8] : i8
  %3 = rng.stateless_bits %s, %o slice [%d, 3] of [8, 8] : i8
  // The default algorithm is not printed, another is.
  // CHECK: rng.stateless_bits %[[S]], %[[O]] {aligned} : vector<4xi32>
  %4 = rng.stateless_bits %s, %o {aligned, algorithm = #rng.philox} : vector<4xi32>
  // CHECK: rng.stateless_normal %[[S]], %[[O]] {algorithm = #rng.philox<rounds = 7>} : tensor<4xf32>
  %5 = rng.stateless_normal %s, %o {algorithm = #rng.philox<rounds = 7>} : tensor<4xf32>
  %c = arith.constant 3 : i16
  // CHECK: rng.stateless_randint %[[S]], %[[O]] range(%{{.+}}, %{{.+}}) : i16
  %6 = rng.stateless_randint %s, %o range(%c, %c) : i16
  // CHECK: rng.stateless_truncated_normal %[[S]], %[[O]] params(%[[A]], %[[A]]) {algorithm = #rng.threefry} : tensor<4xbf16>
  %7 = rng.stateless_truncated_normal %s, %o params(%a, %a) {algorithm = #rng.threefry} : tensor<4xbf16>
  // CHECK: rng.stateless_exponential %[[S]], %[[O]] rate(%[[A]]) {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 256>>} : f16
  %8 = rng.stateless_exponential %s, %o rate(%a) {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 256>>} : f16
  // CHECK: rng.stateless_exponential %[[S]], %[[O]] {algorithm = #rng.philox<rounds = 7, convention = #rng.xla>} : f64
  %9 = rng.stateless_exponential %s, %o {algorithm = #rng.philox<rounds = 7, convention = xla>} : f64
  return
}

// CHECK-LABEL: func.func @keys
// CHECK-SAME: (%[[S:.+]]: i64, %[[D:.+]]: i64)
func.func @keys(%s: i64, %d: i64) -> (i64, i64, i64, i64) {
  // CHECK: rng.fold_in %[[S]], %[[D]] {some.note}
  %0 = rng.fold_in %s, %d {some.note}
  // CHECK: %{{.+}}:3 = rng.split %[[S]] : i64, i64, i64
  %1:3 = rng.split %s : i64, i64, i64
  return %0, %1#0, %1#1, %1#2 : i64, i64, i64, i64
}

// CHECK-LABEL: func.func @joint
// CHECK-SAME: {rng.persistent}
// CHECK-SAME: {rng.cotangent}
// CHECK-SAME: {rng.gradient}
// CHECK-SAME: rng.backward = @joint
// CHECK-SAME: rng.saved = [#rng.saved<argument 0>, #rng.saved<result 0>, #rng.saved<new 1>]
func.func @joint(%a: f32 {rng.persistent}, %b: f32 {rng.cotangent})
    -> (f32 {rng.gradient}, f32)
    attributes {rng.backward = @joint, rng.saved = [#rng.saved<argument 0>,
                #rng.saved<result 0>, #rng.saved<new 1>]} {
  // CHECK: arith.addf %{{.+}}, %{{.+}} {rng.save}
  %0 = arith.addf %a, %b {rng.save} : f32
  return %0, %0 : f32, f32
}

// CHECK: func.func private @external() attributes {rng.draws = [@g]}
func.func private @external() attributes {rng.draws = [@g]}
// CHECK: module attributes {rng.default_algorithm = #rng.philox<rounds = 7>}
module attributes {rng.default_algorithm = #rng.philox<rounds = 7>} {}
