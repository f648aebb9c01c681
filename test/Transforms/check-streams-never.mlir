// Draws that constants keep from ever running conflict with none.

// RUN: %rng_opt %s --rng-check-streams --verify-diagnostics -o %t.mlir \
// RUN:   --split-input-file
//
// However they are threaded, and before.
// RUN: %rng_opt %s --rng-thread-state --rng-check-streams \
// RUN:   --verify-diagnostics -o %t.mlir --split-input-file
// RUN: %rng_opt %s --rng-thread-state=entry=arguments --rng-check-streams \
// RUN:   --verify-diagnostics -o %t.mlir --split-input-file
// RUN: %rng_opt %s --rng-thread-state=entry=memory --rng-check-streams \
// RUN:   --verify-diagnostics -o %t.mlir --split-input-file

// Loops of each kind without an iteration, and what comes behind them.

func.func @for() -> f32 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c3 to %c3 step %c1 {
    %a = rng.uniform : f32
  }
  %b = rng.normal : f32
  return %b : f32
}
func.func @for_down(%step: index) -> f32 {
  %c2 = arith.constant 2 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c2 to %c1 step %c1 : i32 {
    %a = rng.uniform : f32
  }
  %b = rng.normal : f32
  return %b : f32
}
func.func @affine_for() -> f32 {
  affine.for %i = 4 to 2 {
    %a = rng.uniform : f32
  }
  %b = rng.normal : f32
  return %b : f32
}
func.func @parallel(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c0) step (%c1, %c1) {
    %a = rng.uniform : f32
  }
  %b = rng.normal : f32
  return %b : f32
}
func.func @forall() -> f32 {
  scf.forall (%i, %j) in (3, 0) {
    %a = rng.uniform : f32
  }
  %b = rng.normal : f32
  return %b : f32
}
func.func @affine_parallel() -> f32 {
  affine.parallel (%i, %j) = (0, 1) to (2, 1) {
    %a = rng.uniform : f32
  }
  %b = rng.normal : f32
  return %b : f32
}

// A loop in one that never runs, and one that never runs in a loop.

func.func @nested() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c0 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %a = rng.uniform : f32
    }
  }
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c0 step %c1 {
      %a = rng.uniform : f32
    }
    %b = rng.normal : f32
  }
  %b = rng.normal : f32
  return %b : f32
}

// Calls are not made, either.

func.func private @draw() -> f32 {
  %a = rng.uniform : f32
  return %a : f32
}
func.func @call() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c0 step %c1 {
    %a = func.call @draw() : () -> f32
  }
  %b = rng.normal : f32
  return %b : f32
}

// -----

// Offsets that a loop would carry are what it starts with.

func.func @carried(%s: i64, %o: i64) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %next = scf.for %i = %c0 to %c0 step %c1 iter_args(%p = %o) -> i64 {
    %a = rng.stateless_uniform %s, %p : f32
    %q = arith.addi %p, %one : i64
    scf.yield %q : i64
  }
  %b = rng.stateless_normal %s, %next : f32
  return %b : f32
}

// -----

// A branch that a constant does not take.

func.func @branch(%s: i64, %o: i64) -> f32 {
  %false = arith.constant false
  scf.if %false {
    %a = rng.stateless_uniform %s, %o : f32
  }
  %b = rng.stateless_normal %s, %o : f32
  return %b : f32
}

// -----

func.func @switch(%s: i64, %o: i64) -> f32 {
  %c5 = arith.constant 5 : index
  scf.index_switch %c5
  case 2 {
    %a = rng.stateless_uniform %s, %o : f32
    scf.yield
  }
  default {
  }
  %b = rng.stateless_normal %s, %o : f32
  return %b : f32
}

// -----

// The same of basic blocks, in a function and in a region. What no constant keeps
// from running is looked at.

func.func @basic_blocks(%s: i64, %o: i64) -> f32 {
  %false = arith.constant false
  cf.cond_br %false, ^never, ^end
^never:
  %a = rng.stateless_uniform %s, %o : f32
  cf.br ^after
^after:
  %b = rng.stateless_bits %s, %o : i32
  cf.br ^end
^end:
  %c = rng.stateless_normal %s, %o : f32
  return %c : f32
}

// -----

func.func @switch_of_basic_blocks(%s: i64, %o: i64, %c: i1) -> f32 {
  %c5 = arith.constant 5 : i32
  scf.if %c {
    scf.execute_region {
      cf.switch %c5 : i32, [
        default: ^end,
        2: ^never
      ]
    ^never:
      %a = rng.stateless_uniform %s, %o : f32
      cf.br ^end
    ^end:
      scf.yield
    }
  }
  %b = rng.stateless_normal %s, %o : f32
  return %b : f32
}

// -----

func.func @basic_block_that_runs(%s: i64, %o: i64) -> f32 {
  %true = arith.constant true
  cf.cond_br %true, ^always, ^end
^always:
  // expected-note @below {{here}}
  %a = rng.stateless_uniform %s, %o : f32
  cf.br ^end
^end:
  // expected-error @below {{reads blocks [0, 1) after an offset, which another draw reads, too}}
  %c = rng.stateless_normal %s, %o : f32
  return %c : f32
}

// -----

// Basic blocks that lead to none but one that must not be reached, in a callee
// and in a region.

func.func private @may_stop(%c: i1, %d: i1) -> f32 {
  %a = rng.uniform : f32
  cf.cond_br %c, ^on, ^stop
^stop:
  %b = rng.bits : i32
  cf.cond_br %d, ^one, ^other
^one:
  %e = rng.uniform : f32
  cf.br ^other
^other:
  ub.unreachable
^on:
  return %a : f32
}
func.func @behind_call(%c: i1) -> f32 {
  %a = func.call @may_stop(%c, %c) : (i1, i1) -> f32
  %b = rng.normal : f32
  %d = func.call @may_stop(%c, %c) : (i1, i1) -> f32
  return %b : f32
}
func.func @behind_region(%c: i1) -> f32 {
  scf.execute_region {
    cf.cond_br %c, ^on, ^stop
  ^stop:
    %a = rng.bits : i32
    ub.unreachable
  ^on:
    scf.yield
  }
  %b = rng.normal : f32
  return %b : f32
}

// -----

// A loop of basic blocks that is left at once: the offset is the one before.

func.func @loop_of_basic_blocks(%s: i64, %o: i64) -> f32 {
  %false = arith.constant false
  %one = arith.constant 1 : i64
  cf.br ^head(%o : i64)
^head(%p: i64):
  cf.cond_br %false, ^body, ^end
^body:
  %a = rng.stateless_uniform %s, %p : f32
  %q = arith.addi %p, %one : i64
  cf.br ^head(%q : i64)
^end:
  %c = rng.stateless_normal %s, %p : f32
  return %c : f32
}

// -----

// A loop whose condition is false at once: its first region runs, once, its
// second one does not.

func.func @while(%s: i64, %o: i64, %c: i1) -> f32 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.while (%fuel = %zero, %p = %o) : (i64, i64) -> (i64, i64) {
    %u = rng.stateless_uniform %s, %p : f32
    %next = arith.addi %p, %one : i64
    %left = arith.cmpi sgt, %fuel, %zero : i64
    %goes = arith.andi %c, %left : i1
    scf.condition(%goes) %fuel, %next : i64, i64
  } do {
  ^bb0(%fuel: i64, %p: i64):
    %a = rng.stateless_bits %s, %p : i32
    %less = arith.subi %fuel, %one : i64
    scf.yield %less, %p : i64, i64
  }
  %b = rng.stateless_normal %s, %r#1 : f32
  return %b : f32
}

// -----

func.func @while_runs_first_region(%s: i64, %o: i64) -> f32 {
  %false = arith.constant false
  scf.while : () -> () {
    // expected-note @below {{here}}
    %u = rng.stateless_uniform %s, %o : f32
    scf.condition(%false)
  } do {
    scf.yield
  }
  // expected-error @below {{reads blocks [0, 1) after an offset, which another draw reads, too}}
  %b = rng.stateless_normal %s, %o : f32
  return %b : f32
}

// -----

// One iteration is enough.

func.func @once(%s: i64, %o: i64) -> f32 {
  affine.for %i = 1 to 2 {
    // expected-note @below {{here}}
    %a = rng.stateless_uniform %s, %o : f32
  }
  // expected-error @below {{reads blocks [0, 1) after an offset, which another draw reads, too}}
  %b = rng.stateless_normal %s, %o : f32
  return %b : f32
}
