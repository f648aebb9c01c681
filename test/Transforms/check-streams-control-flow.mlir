// Branches, loops and blocks.

// RUN: %rng_opt %s --rng-check-streams --verify-diagnostics -o %t.mlir --split-input-file

// One branch or the other, never both.

func.func @branches(%c: i1, %s: i64, %o: i64) {
  scf.if %c {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  } else {
    %b = rng.stateless_uniform %s, %o : tensor<8xf32>
  }
  return
}

// -----

// A branch, and what comes after it.

func.func @branch_and_after(%c: i1, %s: i64, %o: i64) {
  scf.if %c {
    // expected-note @below {{here}}
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  }
  // expected-error @below {{reads blocks [0, 1) after an offset, which another draw reads, too}}
  %b = rng.stateless_uniform %s, %o : tensor<8xf32>
  return
}

// -----

// Two branches of different conditions: perhaps never both. Of the same one:
// both.

func.func @two_branches(%c: i1, %d: i1, %s: i64, %o: i64) {
  scf.if %c {
    // expected-note @below {{here}}
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  }
  scf.if %d {
    %a = rng.stateless_uniform %s, %o : tensor<8xf32>
  }
  scf.if %c {
    // expected-error @below {{reads blocks [0, 1)}}
    %a = rng.stateless_uniform %s, %o : tensor<9xf32>
  }
  return
}

// -----

// The same, one in a branch of the other condition.

func.func @else_of_the_same(%c: i1, %s: i64, %o: i64) {
  scf.if %c {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  }
  scf.if %c {
  } else {
    %a = rng.stateless_uniform %s, %o : tensor<8xf32>
  }
  return
}

// -----

func.func @switch(%i: index, %s: i64, %o: i64) {
  scf.index_switch %i
  case 0 {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
    scf.yield
  }
  case 1 {
    // expected-note @below {{here}}
    %a = rng.stateless_uniform %s, %o : tensor<5xf32>
    // expected-error @below {{reads blocks [0, 1)}}
    %b = rng.stateless_uniform %s, %o : tensor<6xf32>
    scf.yield
  }
  default {
    %a = rng.stateless_uniform %s, %o : tensor<7xf32>
  }
  return
}

// -----

// Trap 7: both branches leave different offsets. What comes after goes on from
// the one that was taken.

func.func @join(%c: i1, %s: i64, %o: i64) {
  %c1 = arith.constant 1 : i64
  %next = scf.if %c -> i64 {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
    %n = arith.addi %o, %c1 : i64
    scf.yield %n : i64
  } else {
    scf.yield %o : i64
  }
  %b = rng.stateless_uniform %s, %next : tensor<8xf32>
  return
}

// -----

func.func @join_of_equals(%c: i1, %s: i64, %o: i64) {
  %c1 = arith.constant 1 : i64
  %next = scf.if %c -> i64 {
    %n = arith.addi %o, %c1 : i64
    scf.yield %n : i64
  } else {
    %n = rng.advance %o by uniform tensor<4xf32>
    scf.yield %n : i64
  }
  // expected-note @below {{reads blocks [1, 2) here}}
  %a = rng.stateless_uniform %s, %next : tensor<8xf32>
  %n = arith.addi %o, %c1 : i64
  // expected-error @below {{reads blocks [1, 2)}}
  %b = rng.stateless_uniform %s, %n : tensor<9xf32>
  return
}

// -----

// Stateful draws in branches: the state after them is not known.

func.func @state_after_branch(%c: i1) {
  %s, %o = rng.get_state : i64, i64
  %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  %c1 = arith.constant 1 : i64
  %next = arith.addi %o, %c1 : i64
  rng.set_state %s, %next : i64, i64
  scf.if %c {
    %b = rng.uniform : tensor<5xf32>
  }
  %d = rng.uniform : tensor<6xf32>
  // Both advance alike: the draw after them is in a known place.
  %s2, %o2 = rng.get_state : i64, i64
  scf.if %c {
    %b = rng.uniform : tensor<5xf32>
  } else {
    %b = rng.uniform : tensor<7xf32>
  }
  // expected-note @below {{here}}
  %e = rng.uniform : tensor<6xf32>
  %o3 = arith.addi %o2, %c1 : i64
  // expected-error @below {{reads blocks [2, 3)}}
  %f = rng.stateless_uniform %s2, %o3 : tensor<4xf32>
  return
}

// -----

// An offset that goes once around a loop.

func.func @loop(%s: i64, %o: i64, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b2 = arith.constant 2 : i64
  %b1 = arith.constant 1 : i64
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %o) -> i64 {
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    %q = arith.addi %p, %b1 : i64
    %b = rng.stateless_uniform %s, %q : tensor<4xf32>
    %next = arith.addi %p, %b2 : i64
    scf.yield %next : i64
  }
  %c = rng.stateless_uniform %s, %end : tensor<8xf32>
  return %end : i64
}

// -----

// It advances by less than what is drawn.

func.func @loop_too_short(%s: i64, %o: i64, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b1 = arith.constant 1 : i64
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %o) -> i64 {
    // expected-error @below {{'rng.stateless_uniform' op reads blocks [0, 1) after an offset, which the iteration before reads, too: carry an offset that is advanced past all draws of an iteration}}
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    %q = arith.addi %p, %b1 : i64
    // expected-note @below {{'rng.stateless_uniform' reads blocks [1, 2) here}}
    %b = rng.stateless_uniform %s, %q : tensor<4xf32>
    scf.yield %q : i64
  }
  return %end : i64
}

// -----

// Increments of noise look back at what the iteration before drew.

func.func @loop_looks_back(%s: i64, %o: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b1 = arith.constant 1 : i64
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %o) -> i64 {
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    %q = arith.subi %p, %b1 : i64
    %b = rng.stateless_uniform %s, %q : tensor<4xf32>
    %next = arith.addi %p, %b1 : i64
    scf.yield %next : i64
  }
  return
}

// -----

// Once is no loop; and the offset after three iterations is known.

func.func @trips(%s: i64, %o: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %b1 = arith.constant 1 : i64
  %b3 = arith.constant 3 : i64
  %x = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %o) -> i64 {
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    %q = arith.addi %p, %b1 : i64
    %b = rng.stateless_uniform %s, %q : tensor<5xf32>
    scf.yield %q : i64
  }
  %y = rng.advance %x by uniform tensor<4xf32>
  %z = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %y) -> i64 {
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    %q = arith.addi %p, %b1 : i64
    scf.yield %q : i64
  }
  // expected-note @below {{reads blocks [5, 6) here}}
  %c = rng.stateless_uniform %s, %z : tensor<4xf32>
  %w = arith.addi %y, %b3 : i64
  // expected-error @below {{reads blocks [5, 6)}}
  %d = rng.stateless_uniform %s, %w : tensor<8xf32>
  return
}

// -----

// The first iteration draws where the loop begins.

func.func @first_iteration(%s: i64, %o: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %o) -> i64 {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> i64 {
      // expected-note @below {{reads blocks [0, 1) here}}
      %a = rng.stateless_uniform %s, %q : tensor<4xf32>
      %next = rng.advance %q by uniform tensor<4xf32>
      scf.yield %next : i64
    }
    scf.yield %inner : i64
  }
  // expected-error @below {{reads blocks [0, 1)}}
  %b = rng.stateless_uniform %s, %o : tensor<8xf32>
  return
}

// -----

// Stateful draws in a loop have a state of their own each; a state that is set
// back by hand does not.

func.func @stateful_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 {
    %a = rng.uniform : tensor<4xf32>
    %b = rng.uniform : tensor<8xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %s, %o = rng.get_state : i64, i64
    %next = arith.addi %o, %b1 : i64
    // expected-error @below {{reads blocks [0, 1) after an offset, which the iteration before reads, too}}
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
    // expected-note @below {{reads blocks [1, 2) here}}
    %b = rng.stateless_uniform %s, %next : tensor<8xf32>
    rng.set_state %s, %next : i64, i64
  }
  return
}

// -----

// A draw at a state from outside of the loop is the same in each iteration.

func.func @invariant(%s: i64, %o: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  }
  scf.forall (%i) in (%n) {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
  }
  return
}

// -----

// Offsets from the number of the iteration, as parallel loops have them.

func.func @parallel(%s: i64, %o: i64, %n: index) {
  scf.forall (%i) in (%n) {
    %k = arith.index_cast %i : index to i64
    %c2 = arith.constant 2 : i64
    %c1 = arith.constant 1 : i64
    %d = arith.muli %k, %c2 : i64
    %p = arith.addi %o, %d : i64
    %q = arith.addi %p, %c1 : i64
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    // expected-note @below {{here}}
    %b = rng.stateless_uniform %s, %q : tensor<5xf32>
    // expected-error @below {{reads blocks [1, 2)}}
    %c = rng.stateless_uniform %s, %q : tensor<6xf32>
  }
  return
}

// -----

func.func @affine(%s: i64, %o: i64, %c: i1) {
  %b1 = arith.constant 1 : i64
  %last = affine.for %i = 0 to 8 iter_args(%p = %o) -> i64 {
    // expected-error @below {{which the iteration before reads, too}}
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    %next = arith.addi %p, %b1 : i64
    // expected-note @below {{here}}
    %b = rng.stateless_uniform %s, %next : tensor<5xf32>
    affine.yield %next : i64
  }
  return
}

// -----

// A loop of two regions, of which the last iteration runs only the first.

func.func @while(%s: i64, %o: i64, %c: i1) {
  %b1 = arith.constant 1 : i64
  %b2 = arith.constant 2 : i64
  %end:2 = scf.while (%p = %o, %t = %s) : (i64, i64) -> (i64, i64) {
    %a = rng.stateless_uniform %t, %p : tensor<4xf32>
    %next = arith.addi %p, %b1 : i64
    scf.condition(%c) %next, %t : i64, i64
  } do {
  ^bb0(%p: i64, %t: i64):
    %b = rng.stateless_uniform %t, %p : tensor<5xf32>
    %next = arith.addi %p, %b1 : i64
    scf.yield %next, %t : i64, i64
  }
  %c1 = rng.stateless_uniform %end#1, %end#0 : tensor<6xf32>
  %c2 = rng.uniform : tensor<4xf32>
  scf.while : () -> () {
    %d = rng.uniform : tensor<4xf32>
    scf.condition(%c)
  } do {
    %d = rng.uniform : tensor<5xf32>
    scf.yield
  }
  %c3 = rng.uniform : tensor<6xf32>
  return
}

// -----

func.func @while_too_short(%s: i64, %o: i64, %c: i1) {
  %b1 = arith.constant 1 : i64
  %end = scf.while (%p = %o) : (i64) -> i64 {
    // expected-error @below {{which the iteration before reads, too}}
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    %next = arith.addi %p, %b1 : i64
    scf.condition(%c) %next : i64
  } do {
  ^bb0(%p: i64):
    // expected-note @below {{here}}
    %b = rng.stateless_uniform %s, %p : tensor<5xf32>
    scf.yield %p : i64
  }
  return
}

// -----

func.func @while_same_iteration(%s: i64, %o: i64, %c: i1) {
  %b1 = arith.constant 1 : i64
  %end = scf.while (%p = %o) : (i64) -> i64 {
    // expected-note @below {{here}}
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    scf.condition(%c) %p : i64
  } do {
  ^bb0(%p: i64):
    // expected-error @below {{reads blocks [0, 1)}}
    %b = rng.stateless_uniform %s, %p : tensor<5xf32>
    %next = arith.addi %p, %b1 : i64
    scf.yield %next : i64
  }
  // What the last iteration drew.
  // expected-error @below {{reads blocks [0, 1)}}
  %d = rng.stateless_uniform %s, %end : tensor<6xf32>
  return
}

// -----

// What a branch, and the last iteration of a loop, leave unread or not.

func.func @leave_too_little(%c: i1, %s: i64, %o: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b1 = arith.constant 1 : i64
  %b2 = arith.constant 2 : i64
  %next = scf.if %c -> i64 {
    %a = rng.stateless_uniform %s, %o : tensor<4xf32>
    %p = arith.addi %o, %b1 : i64
    // expected-note @below {{reads blocks [0, 1) here}}
    %b = rng.stateless_uniform %s, %p : tensor<5xf32>
    scf.yield %p : i64
  } else {
    %a = rng.stateless_uniform %s, %o : tensor<6xf32>
    %p = arith.addi %o, %b2 : i64
    scf.yield %p : i64
  }
  // expected-error @below {{reads blocks [0, 1) after an offset, which another draw reads, too}}
  %d = rng.stateless_uniform %s, %next : tensor<8xf32>
  %q = arith.addi %next, %b1 : i64
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %q) -> i64 {
    // expected-note @below {{reads blocks [-1, 0) here}}
    %a = rng.stateless_uniform %s, %p : tensor<4xf32>
    %r = arith.addi %p, %b1 : i64
    scf.yield %r : i64
  }
  %back = arith.subi %end, %b1 : i64
  // expected-error @below {{reads blocks [-1, 0)}}
  %e = rng.stateless_uniform %s, %back : tensor<8xf32>
  return
}

// -----

// Blocks that exclude each other.

func.func @diamond(%c: i1, %s: i64, %o: i64) {
  cf.cond_br %c, ^a, ^b
^a:
  // expected-note @below {{here}}
  %x = rng.stateless_uniform %s, %o : tensor<4xf32>
  cf.br ^end(%o : i64)
^b:
  %y = rng.stateless_uniform %s, %o : tensor<8xf32>
  cf.br ^end(%o : i64)
^end(%p: i64):
  // expected-error @below {{reads blocks [0, 1)}}
  %z = rng.stateless_uniform %s, %p : tensor<9xf32>
  return
}

// -----

// A loop of blocks: the offset of another iteration is another one.

func.func @cycle(%c: i1, %s: i64, %o: i64) {
  %c1 = arith.constant 1 : i64
  cf.br ^head(%o : i64)
^head(%p: i64):
  %next = arith.addi %p, %c1 : i64
  cf.cond_br %c, ^a, ^b
^a:
  %x = rng.stateless_uniform %s, %p : tensor<4xf32>
  cf.br ^head(%next : i64)
^b:
  %y = rng.stateless_uniform %s, %p : tensor<8xf32>
  cf.cond_br %c, ^head(%next : i64), ^end
^end:
  return
}

// -----

// Stateful draws on both ways around; blocks that are never reached.

func.func @cycle_of_states(%c: i1) {
  %c1 = arith.constant 1 : i64
  %s, %o = rng.get_state : i64, i64
  cf.br ^head
^head:
  %x = rng.uniform : tensor<4xf32>
  cf.cond_br %c, ^head, ^end
^never:
  %z = rng.uniform : tensor<9xf32>
  cf.br ^head
^end:
  %y = rng.uniform : tensor<8xf32>
  return
}

// -----

// The iterations of a parallel loop are counted, too.

func.func @counted(%seed: i64) -> f32 {
  %zero = arith.constant 0 : i64
  rng.set_state %seed, %zero : i64, i64
  scf.forall (%i, %j) in (3, 2) {
    %a = rng.uniform : f32
  }
  // expected-note @below {{'rng.uniform' reads blocks [6, 7) here}}
  %b = rng.uniform : f32
  %six = arith.constant 6 : i64
  // expected-error @below {{reads blocks [6, 7) of a seed, which another draw reads, too}}
  %c = rng.stateless_normal %seed, %six : f32
  return %b : f32
}

// -----

// A loop of blocks in a region: behind it is the state of its last round, and
// the draw of ^next is of an earlier one.

func.func private @goes(i32) -> i1
func.func @last_round(%seed: i64) {
  scf.execute_region {
    cf.br ^head
  ^head:
    %a = rng.bits : i32
    %goes = func.call @goes(%a) : (i32) -> i1
    cf.cond_br %goes, ^next, ^end
  ^next:
    %b = rng.uniform : f32
    cf.br ^head
  ^end:
    scf.yield
  }
  %c = rng.normal : f32
  return
}
