// RUN: %rng_opt %s -split-input-file -verify-diagnostics --rng-rematerialize \
// RUN:   -allow-unregistered-dialect

// expected-error@below {{'func.func' op expected 'rng.backward' to name a function but got @nobody}}
func.func @f() attributes {rng.backward = @nobody, rng.saved = []} {
  return
}

// -----

rng.generator @g
// expected-error@below {{expected 'rng.backward' to name a function but got @g}}
func.func @f() attributes {rng.backward = @g, rng.saved = []} {
  return
}

// -----

// expected-error@below {{expected both 'rng.backward' and 'rng.saved' or none of them}}
func.func @f() attributes {rng.backward = @b} {
  return
}
func.func @b() {
  return
}

// -----

// expected-error@below {{is the backward of '@f' and cannot be a forward too}}
func.func @f() attributes {rng.backward = @f, rng.saved = []} {
  return
}

// -----

func.func @f() attributes {rng.backward = @g, rng.saved = []} {
  return
}
// expected-error@below {{is the backward of '@f' and cannot be a forward too}}
func.func @g() attributes {rng.backward = @h, rng.saved = []} {
  return
}
func.func @h() {
  return
}

// -----

// expected-note@below {{the other forward is here}}
func.func @f() attributes {rng.backward = @b, rng.saved = []} {
  return
}
// expected-error@below {{has the backward '@b', which is that of another forward too: make a copy of it}}
func.func @g() attributes {rng.backward = @b, rng.saved = []} {
  return
}
func.func @b() {
  return
}

// -----

// expected-error@below {{is one of a pair to be joined, but has no body}}
func.func private @f() attributes {rng.backward = @b, rng.saved = []}
func.func @b() {
  return
}

// -----

func.func @f(%c: i1) attributes {rng.backward = @b, rng.saved = [#rng.saved<argument 0>]} {
  return
}
// expected-error@below {{is one of a pair to be joined, but has several blocks: turn its branches into structured control flow (scf)}}
func.func @b(%c: i1) {
  cf.cond_br %c, ^a, ^a
^a:
  return
}

// -----

// expected-error@below {{cannot be joined with its backward '@b', which is of another kind: 'llvm.func'}}
func.func @f() attributes {rng.backward = @b, rng.saved = []} {
  return
}
llvm.func @b() {
  llvm.return
}

// -----

// expected-error@below {{has a backward already, but also results marked 'rng.gradient': remove the marks or 'rng.backward'}}
func.func @f(%a: f32) -> (f32 {rng.gradient})
    attributes {rng.backward = @b, rng.saved = []} {
  return %a : f32
}
func.func @b() {
  return
}

// -----

// expected-error@below {{has the argument #0 marked 'rng.cotangent', which only its backward can use: remove the mark}}
func.func @f(%a: f32 {rng.cotangent})
    attributes {rng.backward = @b, rng.saved = []} {
  return
}
func.func @b() {
  return
}

// -----

// Wrong lists.

// expected-error@below {{saves 2 values, but its backward '@b' has 1 argument}}
func.func @f(%a: f32) attributes {rng.backward = @b,
    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 0>]} {
  return
}
func.func @b(%a: f32) {
  return
}

// -----

func.func @f(%a: f32, %b: f32) attributes {rng.backward = @b,
    rng.saved = [#rng.saved<argument 0>]} {
  return
}
// expected-error@below {{has the argument #1, which is neither among the 1 saved values of its forward '@f' nor marked 'rng.cotangent'}}
func.func @b(%a: f32, %b: f32, %d: f32 {rng.cotangent}) {
  return
}

// -----

func.func @f(%a: f32, %b: f32) attributes {rng.backward = @b,
    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>]} {
  return
}
// expected-error@below {{has the argument #1 marked 'rng.cotangent', but 'rng.saved' of its forward '@f' says that it is #rng.saved<argument 1>}}
func.func @b(%a: f32, %d: f32 {rng.cotangent}) {
  return
}

// -----

// expected-error@below {{saves #rng.saved<result 0> of type 'f32', but argument #0 of its backward '@b' has type 'i64'}}
func.func @f(%a: f32) -> f32 attributes {rng.backward = @b,
    rng.saved = [#rng.saved<result 0>]} {
  return %a : f32
}
func.func @b(%a: i64) {
  return
}

// -----

// expected-error@below {{expected results behind the first new one to be there only to be saved, but 'rng.saved' does not say so of result #1}}
func.func @f(%a: f32) -> (f32, f32) attributes {rng.backward = @b,
    rng.saved = [#rng.saved<new 0>]} {
  return %a, %a : f32, f32
}
func.func @b(%a: f32) {
  return
}

// -----

// expected-error@below {{but 'rng.saved' does not say so of result #0}}
func.func @f(%a: f32) -> f32 attributes {rng.backward = @b,
    rng.saved = [#rng.saved<new 0>, #rng.saved<result 0>]} {
  return %a : f32
}
func.func @b(%a: f32, %b: f32) {
  return
}

// -----

// Functions of other kinds have types that the verifier of the list cannot read.

// expected-error@below {{expected #rng.saved<argument 3> of 'rng.saved' to be below 1}}
llvm.func @f(%a: f32) attributes {rng.backward = @b,
    rng.saved = [#rng.saved<argument 3>]} {
  llvm.return
}
llvm.func @b(%a: f32) {
  llvm.return
}

// -----

// Calls of what would take or return something else.

// expected-error@below {{'func.func' op is used, but another cut changes its type to '(tensor<8xf32>) -> tensor<8xf32>': remove the use, or join the pair before anything uses it}}
func.func @f(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {rng.backward = @b, rng.saved = [#rng.saved<new 1>]} {
  %e = math.exp %a : tensor<8xf32>
  %y = math.sin %e : tensor<8xf32>
  return %y, %e : tensor<8xf32>, tensor<8xf32>
}
func.func @b(%e: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %da = arith.mulf %e, %d : tensor<8xf32>
  return %da : tensor<8xf32>
}
func.func @caller(%a: tensor<8xf32>) {
  // expected-note@below {{used here}}
  %0:2 = call @f(%a) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// The same types, but the arguments of the backward change places.

func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>)
    attributes {rng.backward = @b, rng.saved = [#rng.saved<argument 1>,
                                                #rng.saved<argument 0>]} {
  return
}
// expected-error@below {{'func.func' op is used, but another cut changes what is saved: remove the use}}
func.func @b(%b: tensor<8xf32>, %a: tensor<8xf32>, %d: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %da = arith.mulf %b, %d : tensor<8xf32>
  %db = arith.addf %a, %d : tensor<8xf32>
  return %da, %db : tensor<8xf32>, tensor<8xf32>
}
func.func @caller(%a: tensor<8xf32>) {
  // expected-note@below {{used here}}
  %0:2 = call @b(%a, %a, %a)
      : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// Joined, nothing would keep the print behind the forward.

func.func @f(%a: f32) attributes {rng.backward = @b,
    rng.saved = [#rng.saved<argument 0>]} {
  return
}
func.func @b(%a: f32, %d: f32) -> f32 {
  // expected-error@below {{'vector.print' op has side effects in a backward and uses no cotangent, so nothing would keep it behind the forward: mark it 'rng.in_backward', or move it into the forward or out of the pair}}
  vector.print %a : f32
  return %d : f32
}

// -----

func.func @f() attributes {rng.backward = @b, rng.saved = []} {
  return
}
func.func @b(%d: f32) -> f32 {
  // expected-error@below {{draws from a generator inside a joint function}}
  %u = rng.uniform : f32
  %0 = arith.mulf %u, %d : f32
  return %0 : f32
}

// -----

// expected-error@below {{is of a kind that cannot be joined with its backward: do so while it is a func.func}}
llvm.func @f(%a: f32) -> f32 attributes {rng.backward = @b, rng.saved = []} {
  llvm.return %a : f32
}
llvm.func @b(%d: f32) -> f32 {
  llvm.return %d : f32
}

// -----

// expected-error@below {{contains an unregistered op with a region, which may use the functions: register its dialect}}
module {
  func.func @f() attributes {rng.backward = @b, rng.saved = []} {
    return
  }
  func.func @b() {
    return
  }
  "some.op"() ({
  }) : () -> ()
}
