// Draws in functions that are called.

// RUN: %rng_opt %s --rng-check-streams --verify-diagnostics -o %t.mlir \
// RUN:   --split-input-file --allow-unregistered-dialect

func.func private @two(%s: i64, %o: i64) -> (tensor<4xf32>, i64) {
  %c1 = arith.constant 1 : i64
  %o1 = arith.addi %o, %c1 : i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-note @below {{'rng.stateless_uniform' in the function called is here}}
  %b = rng.stateless_uniform %s, %o1 : tensor<4xf32>
  %o2 = arith.addi %o1, %c1 : i64
  return %b, %o2 : tensor<4xf32>, i64
}

// The offset that is returned is behind both draws.

func.func @fine(%s: i64, %o: i64) {
  %a, %o1 = call @two(%s, %o) : (i64, i64) -> (tensor<4xf32>, i64)
  %b, %o2 = call @two(%s, %o1) : (i64, i64) -> (tensor<4xf32>, i64)
  %c = rng.stateless_uniform %s, %o2 : tensor<8xf32>
  return
}

// The same call again is the same value again.

func.func @recomputed(%s: i64, %o: i64) {
  %a, %o1 = call @two(%s, %o) : (i64, i64) -> (tensor<4xf32>, i64)
  %b, %o2 = call @two(%s, %o) : (i64, i64) -> (tensor<4xf32>, i64)
  return
}

func.func @after_call(%s: i64, %o: i64) {
  // expected-note @below {{'rng.stateless_uniform' reads blocks [1, 2) here}}
  %a, %o2 = call @two(%s, %o) : (i64, i64) -> (tensor<4xf32>, i64)
  %c1 = arith.constant 1 : i64
  %o1 = arith.subi %o2, %c1 : i64
  // expected-error @below {{'rng.stateless_uniform' op reads blocks [1, 2) after an offset, which another draw reads, too}}
  %c = rng.stateless_uniform %s, %o1 : tensor<8xf32>
  return
}

// -----

// Trap 12: two calls too close to each other.

func.func private @two(%s: i64, %o: i64) {
  %c1 = arith.constant 1 : i64
  %o1 = arith.addi %o, %c1 : i64
  // expected-note @below {{is here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-note @below {{is here}}
  %b = rng.stateless_uniform %s, %o1 : tensor<4xf32>
  return
}

func.func @too_close(%s: i64, %o: i64) {
  %c1 = arith.constant 1 : i64
  %o1 = arith.addi %o, %c1 : i64
  // expected-note @below {{reads blocks [1, 2) here}}
  call @two(%s, %o) : (i64, i64) -> ()
  // expected-error @below {{'func.call' op reads blocks [1, 2) after an offset, which another draw reads, too}}
  call @two(%s, %o1) : (i64, i64) -> ()
  return
}

// -----

// Trap 12: two calls of one function share one state.

func.func private @dropout(%x: tensor<4xf32>, %s: i64, %o: i64, %p: f32) {
  // expected-note @below {{is here}}
  %a = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  return
}

func.func @share(%x: tensor<4xf32>, %y: tensor<4xf32>, %s: i64, %o: i64, %p: f32) {
  // expected-note @below {{the other call is here}}
  call @dropout(%x, %s, %o, %p) : (tensor<4xf32>, i64, i64, f32) -> ()
  call @dropout(%x, %s, %o, %p) : (tensor<4xf32>, i64, i64, f32) -> ()
  // expected-warning @below {{'func.call' op draws the numbers of another call of the same function: unless that is on purpose, give each call an offset of its own}}
  call @dropout(%y, %s, %o, %p) : (tensor<4xf32>, i64, i64, f32) -> ()
  return
}

// Dropout of a gradient is dropout of the activation.

func.func @gradient(%x: tensor<4xf32>, %d: tensor<4xf32> {rng.cotangent}, %s: i64, %o: i64, %p: f32) {
  call @dropout(%x, %s, %o, %p) : (tensor<4xf32>, i64, i64, f32) -> ()
  call @dropout(%d, %s, %o, %p) : (tensor<4xf32>, i64, i64, f32) -> ()
  return
}

// -----

// Two functions that draw the same: the mask of a forward in its backward. Not
// the same: an error.

func.func private @mask(%s: i64, %o: i64, %p: f32) {
  // expected-note @below {{is here}}
  %a = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  return
}
func.func private @mask_again(%s: i64, %o: i64, %p: f32) {
  %a = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  return
}
func.func private @noise(%s: i64, %o: i64) {
  // expected-note @below {{is here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  return
}
func.func @both(%s: i64, %o: i64, %p: f32) {
  // expected-note @below {{reads blocks [0, 1) here}}
  call @mask(%s, %o, %p) : (i64, i64, f32) -> ()
  call @mask_again(%s, %o, %p) : (i64, i64, f32) -> ()
  // expected-error @below {{'func.call' op reads blocks [0, 1)}}
  call @noise(%s, %o) : (i64, i64) -> ()
  return
}

// -----

// Two offsets of the callee that are one in the caller.

func.func private @f(%s: i64, %o: i64, %p: i64) {
  // expected-note @below {{is here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-note @below {{is here}}
  %b = rng.stateless_uniform %s, %p : tensor<8xf32>
  return
}
func.func @g(%s: i64, %o: i64, %p: i64) {
  call @f(%s, %o, %p) : (i64, i64, i64) -> ()
  // expected-error @below {{reads blocks [0, 1)}}
  // expected-note @below {{reads blocks [0, 1) here}}
  call @f(%p, %o, %o) : (i64, i64, i64) -> ()
  return
}

// -----

// Inside the callee: reported there, not at calls.

func.func private @f(%s: i64, %o: i64) {
  // expected-note @below {{here}}
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  // expected-error @below {{reads blocks [0, 1)}}
  %b = rng.stateless_uniform %s, %o : tensor<8xf32>
  return
}
func.func @g(%s: i64, %o: i64) {
  call @f(%s, %o) : (i64, i64) -> ()
  call @f(%s, %o) : (i64, i64) -> ()
  return
}

// -----

// Through two calls; called before it is defined; the seed constant, too.

func.func @outer(%o: i64) {
  %s = arith.constant 7 : i64
  // expected-note @below {{reads blocks [2, 3) here}}
  %next = call @middle(%o) : (i64) -> i64
  %c1 = arith.constant 1 : i64
  %last = arith.subi %next, %c1 : i64
  // expected-error @below {{reads blocks [2, 3)}}
  %a = rng.stateless_uniform %s, %last : tensor<4xf32>
  %b = rng.stateless_uniform %s, %next : tensor<4xf32>
  return
}
func.func private @middle(%o: i64) -> i64 {
  %s = arith.constant 7 : i64
  %c2 = arith.constant 2 : i64
  %p = arith.addi %o, %c2 : i64
  %next = call @inner(%s, %p) : (i64, i64) -> i64
  return %next : i64
}
func.func private @inner(%s: i64, %o: i64) -> i64 {
  // expected-note @below {{is here}}
  %a = rng.stateless_uniform %s, %o : tensor<8xf32>
  %next = rng.advance %o by uniform tensor<8xf32>
  return %next : i64
}

// -----

// Stateful draws in a callee advance the state of the caller.

func.func private @draws() {
  // expected-note @below {{'rng.uniform' in the function called is here}}
  %a = rng.uniform : tensor<4xf32>
  return
}
func.func @caller() {
  %s, %o = rng.get_state : i64, i64
  // expected-note @below {{'rng.uniform' reads blocks [0, 1) here}}
  call @draws() : () -> ()
  %s1, %o1 = rng.get_state : i64, i64
  call @draws() : () -> ()
  %s2, %o2 = rng.get_state : i64, i64
  %c = rng.stateless_uniform %s2, %o2 : tensor<8xf32>
  // expected-error @below {{the generator was advanced past that state}}
  %b = rng.stateless_uniform %s, %o : tensor<4xf32>
  return
}

// -----

// Both draw under a condition: perhaps never both.

func.func private @maybe(%c: i1, %s: i64, %o: i64) {
  scf.if %c {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  }
  return
}
func.func @caller(%c: i1, %s: i64, %o: i64) {
  call @maybe(%c, %s, %o) : (i1, i64, i64) -> ()
  scf.if %c {
    %a = rng.stateless_uniform %s, %o : tensor<8xf32>
  }
  return
}

// -----

// Recursion: not looked through, and no loop of the pass.

func.func private @even(%s: i64, %o: i64, %c: i1) -> i64 {
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %n = rng.advance %o by uniform tensor<4xf32>
  %r = call @odd(%s, %n, %c) : (i64, i64, i1) -> i64
  %b = rng.uniform : tensor<4xf32>
  return %r : i64
}
func.func private @odd(%s: i64, %o: i64, %c: i1) -> i64 {
  %x = rng.stateless_uniform %s, %o : tensor<8xf32>
  %r = call @even(%s, %o, %c) : (i64, i64, i1) -> i64
  %y = rng.stateless_uniform %s, %r : tensor<8xf32>
  return %r : i64
}
func.func @start(%s: i64, %o: i64, %c: i1) {
  %r = call @even(%s, %o, %c) : (i64, i64, i1) -> i64
  return
}

// -----

// A pair of forward and backward, run twice: each backward has the state of its
// own forward, and draws the same.

func.func private @f_forward(%x: tensor<4xf32>) -> (tensor<4xf32>, i64, i64)
    attributes {rng.backward = @f_backward, rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]} {
  %p = arith.constant 0.5 : f32
  %c1 = arith.constant 1 : i64
  %s, %o = rng.reserve %c1 : i64, i64
  %m = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  return %x, %s, %o : tensor<4xf32>, i64, i64
}
func.func private @f_backward(%s: i64, %o: i64, %d: tensor<4xf32> {rng.cotangent}) -> (tensor<4xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %m = rng.stateless_bernoulli %s, %o prob(%p) : tensor<4xi1>
  return %d : tensor<4xf32>
}
func.func @step(%x: tensor<4xf32>) {
  %y0, %s0, %o0 = call @f_forward(%x) : (tensor<4xf32>) -> (tensor<4xf32>, i64, i64)
  %y1, %s1, %o1 = call @f_forward(%x) : (tensor<4xf32>) -> (tensor<4xf32>, i64, i64)
  %d1 = call @f_backward(%s1, %o1, %y1) : (i64, i64, tensor<4xf32>) -> tensor<4xf32>
  %d0 = call @f_backward(%s0, %o0, %y0) : (i64, i64, tensor<4xf32>) -> tensor<4xf32>
  return
}
