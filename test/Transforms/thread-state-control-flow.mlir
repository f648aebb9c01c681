// RUN: %rng_opt %s -split-input-file -rng-thread-state | FileCheck %s

// Trap 7: code after a branch draws where the branch taken ended. Branches that
// draw alike need no result for that.

// CHECK-LABEL: func.func @if_equal(
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 2 : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK-NEXT:    scf.if %{{.+}} -> (f32) {
// CHECK-NEXT:      rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK:         } else {
// CHECK-NEXT:      rng.stateless_normal %[[SEED]], %[[BASE]]
// CHECK:         %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[O1:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[O1]]
func.func @if_equal(%c: i1) -> f32 {
  %0 = scf.if %c -> f32 {
    %a = rng.uniform : f32
    scf.yield %a : f32
  } else {
    %a = rng.normal : f32
    scf.yield %a : f32
  }
  %1 = rng.uniform : f32
  return %1 : f32
}

// CHECK-LABEL: func.func @if_differs(
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    %[[IF:.+]]:2 = scf.if %{{.+}} -> (f32, i64) {
// CHECK-NEXT:      %[[A:.+]] = rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK:           %[[NEXT:.+]] = arith.addi %[[BASE]]
// CHECK-NEXT:      scf.yield %[[A]], %[[NEXT]] : f32, i64
// CHECK:         } else {
// CHECK:           scf.yield %{{.+}}, %[[BASE]] : f32, i64
// CHECK-NEXT:    } {some.attribute}
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[IF]]#1
// CHECK:         %[[END:.+]] = arith.addi %[[IF]]#1
// CHECK-NEXT:    rng.set_state %[[SEED]], %[[END]]
// CHECK-NEXT:    return %[[IF]]#0
func.func @if_differs(%c: i1) -> (f32, f32) {
  %0 = scf.if %c -> f32 {
    %a = rng.uniform : f32
    scf.yield %a : f32
  } else {
    %x = arith.constant 0.0 : f32
    scf.yield %x : f32
  } {some.attribute}
  %1 = rng.uniform : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @if_without_else(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    %[[IF:.+]] = scf.if %{{.+}} -> (i64) {
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[BASE]]
// CHECK:         rng.set_state %[[SEED]], %[[IF]]
func.func @if_without_else(%c: i1) {
  scf.if %c {
    %a = rng.uniform : f32
  }
  return
}

// -----

// A loop whose iterations are counted is one reservation; the draw after it
// keeps its constant distance. The offset is an iter_arg, the seed is none.

// CHECK-LABEL: func.func @for_constant(
// CHECK-SAME:      %[[X:.+]]: f32)
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 17 : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK:         scf.for {{.+}} iter_args(%{{.+}} = %[[X]], %[[O:.+]] = %[[BASE]]) -> (f32, i64) {
// CHECK-NEXT:      rng.stateless_uniform %[[SEED]], %[[O]]
// CHECK:           %[[O1:.+]] = arith.addi %[[O]]
// CHECK-NEXT:      rng.stateless_uniform %[[SEED]], %[[O1]]
// CHECK:           %[[C2:.+]] = arith.constant 2 : i64
// CHECK-NEXT:      %[[O2:.+]] = arith.addi %[[O]], %[[C2]]
// CHECK-NEXT:      scf.yield %{{.+}}, %[[O2]] : f32, i64
// CHECK:         %[[C16:.+]] = arith.constant 16 : i64
// CHECK-NEXT:    %[[AFTER:.+]] = arith.addi %[[BASE]], %[[C16]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[AFTER]]
// CHECK-NEXT:    return
func.func @for_constant(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %x) -> f32 {
    %a = rng.uniform : f32
    %b = rng.uniform : f32
    %t = arith.addf %s, %a : f32
    scf.yield %t : f32
  }
  %1 = rng.uniform : f32
  return
}

// Where the number of iterations follows from arguments, the reservation at the
// entry is computed there.

// CHECK-LABEL: func.func @for_computed(
// CHECK-SAME:      %[[N:.+]]: index)
// CHECK:         %[[M:.+]] = arith.muli %[[N]], %{{.+}} : index
// CHECK:         %[[TRIPS:.+]] = arith.select
// CHECK:         %[[TOTAL:.+]] = arith.addi %[[TRIPS]], %{{.+}} : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK:         %[[FOR:.+]] = scf.for {{.+}} iter_args(%{{.+}} = %[[BASE]])
// CHECK:         rng.stateless_uniform %[[SEED]], %[[FOR]]
// CHECK-NEXT:    return
func.func @for_computed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  %m = arith.muli %n, %two : index
  scf.for %i = %c0 to %m step %c1 {
    %a = rng.uniform : f32
  }
  %1 = rng.uniform : f32
  return
}

// Not known at the entry: read there and written back.

// CHECK-LABEL: func.func @for_loaded(
// CHECK-NEXT:    rng.get_state
// CHECK:         %[[FOR:.+]] = scf.for
// CHECK:         rng.set_state %{{.+}}, %[[FOR]]
func.func @for_loaded(%memory: memref<index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.load %memory[] : memref<index>
  scf.for %i = %c0 to %n step %c1 {
    %a = rng.uniform : f32
  }
  return
}

// The inner loop runs longer each time.

// CHECK-LABEL: func.func @triangle(
// CHECK-NEXT:    rng.get_state
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:         rng.set_state
func.func @triangle(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %a = rng.uniform : f32
    }
  }
  return
}

// -----

// Regions without draws are left alone; those that only read the state see it
// from outside.

// CHECK-LABEL: func.func @untouched(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve
// CHECK:         scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{[^ ]+}} {
// CHECK-NEXT:      scf.if %{{[^ ]+}} {
// CHECK:         scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{[^ ]+}} {
// CHECK:           %[[O:.+]] = arith.addi %[[BASE]]
// CHECK-NEXT:      vector.print %[[O]]
func.func @untouched(%n: index, %c: i1) {
  %c1 = arith.constant 1 : index
  %0 = rng.uniform : f32
  scf.for %i = %c1 to %n step %c1 {
    scf.if %c {
      vector.print %0 : f32
    }
  }
  scf.for %i = %c1 to %n step %c1 {
    %s, %o = rng.get_state : i64, i64
    vector.print %o : i64
  }
  return
}

// -----

// A seed that is set in a loop is carried, too.

// CHECK-LABEL: func.func @set_in_loop(
// CHECK-SAME:      %{{.+}}: index, %[[NEW:.+]]: i64)
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK:         %[[FOR:.+]]:2 = scf.for {{.+}} iter_args(%[[S:.+]] = %[[SEED]], %[[O:.+]] = %[[BASE]]) -> (i64, i64) {
// CHECK-NEXT:      rng.stateless_uniform %[[S]], %[[O]]
// CHECK-NEXT:      scf.yield %[[NEW]], %[[NEW]]
// CHECK:         rng.set_state %[[FOR]]#0, %[[FOR]]#1
func.func @set_in_loop(%n: index, %seed: i64) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %0 = rng.uniform : f32
    rng.set_state %seed, %seed : i64, i64
  }
  return
}

// Set in a branch, of one generator of two.

rng.generator @g
// CHECK-LABEL: func.func @set_in_branch(
// CHECK-SAME:      %{{.+}}: i1, %[[NEW:.+]]: i64)
// CHECK:         %[[S0:.+]], %[[O0:.+]] = rng.reserve %{{[^@]+}} : i64, i64
// CHECK-NEXT:    %[[SG:.+]], %[[OG:.+]] = rng.get_state @g
// CHECK:         %[[IF:.+]]:2 = scf.if %{{.+}} -> (i64, i64) {
// CHECK-NEXT:      scf.yield %[[NEW]], %[[NEW]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[SG]], %[[OG]]
// CHECK:         rng.stateless_uniform %[[IF]]#0, %[[IF]]#1
// CHECK:         rng.stateless_uniform %[[S0]], %[[O0]]
func.func @set_in_branch(%c: i1, %seed: i64) {
  scf.if %c {
    rng.set_state @g, %seed, %seed : i64, i64
  }
  %0 = rng.uniform @g : f32
  %1 = rng.uniform : f32
  return
}

// -----

// CHECK-LABEL: func.func @while(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    %[[WHILE:.+]]:2 = scf.while (%{{.+}} = %{{.+}}, %[[O:.+]] = %[[BASE]]) : (f32, i64) -> (f32, i64) {
// CHECK-NEXT:      rng.stateless_uniform %[[SEED]], %[[O]]
// CHECK:           %[[NEXT:.+]] = arith.addi %[[O]]
// CHECK-NEXT:      scf.condition(%{{.+}}) %{{.+}}, %[[NEXT]] : f32, i64
// CHECK:         ^bb0(%{{.+}}: f32, %[[P:.+]]: i64):
// CHECK-NEXT:      rng.stateless_normal %[[SEED]], %[[P]]
// CHECK:           %[[NEXT:.+]] = arith.addi %[[P]]
// CHECK-NEXT:      scf.yield %{{.+}}, %[[NEXT]] : f32, i64
// CHECK:         rng.set_state %[[SEED]], %[[WHILE]]#1
func.func @while(%p: f32) {
  %r = scf.while (%x = %p) : (f32) -> f32 {
    %a = rng.uniform : f32
    %c = arith.cmpf olt, %a, %p : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%y: f32):
    %b = rng.normal : f32
    scf.yield %b : f32
  }
  return
}

// CHECK-LABEL: func.func @switch(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    %[[SWITCH:.+]]:2 = scf.index_switch %{{.+}} -> f32, i64
// CHECK-NEXT:    case 1 {
// CHECK:           %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:      %[[O1:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK-NEXT:      scf.yield %{{.+}}, %[[O1]]
// CHECK:         case 5 {
// CHECK:           %[[C2:.+]] = arith.constant 2 : i64
// CHECK-NEXT:      %[[O2:.+]] = arith.addi %[[BASE]], %[[C2]]
// CHECK-NEXT:      scf.yield %{{.+}}, %[[O2]]
// CHECK:         default {
// CHECK:           scf.yield %{{.+}}, %[[BASE]]
// CHECK:         rng.set_state %[[SEED]], %[[SWITCH]]#1
func.func @switch(%i: index) -> f32 {
  %r = scf.index_switch %i -> f32
  case 1 {
    %a = rng.uniform : f32
    scf.yield %a : f32
  }
  case 5 {
    %a = rng.uniform : f32
    %b = rng.uniform : f32
    scf.yield %b : f32
  }
  default {
    %x = arith.constant 1.0 : f32
    scf.yield %x : f32
  }
  return %r : f32
}

// CHECK-LABEL: func.func @execute(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    %[[EXECUTE:.+]]:2 = scf.execute_region -> (f32, i64) {
// CHECK:           scf.yield %{{.+}}, %{{.+}} : f32, i64
// CHECK:           scf.yield %{{.+}}, %{{.+}} : f32, i64
// CHECK:         rng.set_state %[[SEED]], %[[EXECUTE]]#1
func.func @execute(%c: i1) {
  %r = scf.execute_region -> f32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    %0 = rng.uniform : f32
    scf.yield %0 : f32
  ^b:
    %1 = rng.uniform : f32
    %2 = rng.uniform : f32
    scf.yield %2 : f32
  }
  return
}

// CHECK-LABEL: func.func @affine(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    %[[FOR:.+]] = affine.for %[[I:.+]] = 0 to 10 step 3 iter_args(%[[O:.+]] = %[[BASE]]) -> (i64) {
// CHECK-NEXT:      %[[IF:.+]] = affine.if #{{.+}}(%[[I]]) -> i64 {
// CHECK-NEXT:        rng.stateless_uniform %[[SEED]], %[[O]]
// CHECK:           } else {
// CHECK-NEXT:        affine.yield %[[O]]
// CHECK:           rng.stateless_uniform %[[SEED]], %[[IF]]
// CHECK:         rng.set_state %[[SEED]], %[[FOR]]
func.func @affine(%n: index) {
  affine.for %i = 0 to 10 step 3 {
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) {
      %0 = rng.uniform : f32
    }
    %1 = rng.uniform : f32
  }
  return
}

// CHECK-LABEL: func.func @affine_constant(
// CHECK:         %[[TOTAL:.+]] = arith.constant 5 : i64
// CHECK-NEXT:    rng.reserve %[[TOTAL]]
// CHECK:         affine.for
// CHECK-NOT:     rng.set_state
func.func @affine_constant() {
  affine.for %i = 1 to 10 step 2 {
    %1 = rng.uniform : f32
  }
  return
}

// -----

// Blocks: an argument only where two ways bring different states.

// CHECK-LABEL: func.func @diamond(
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 2 : i64
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[TOTAL]]
// CHECK:       ^[[JOIN:bb3]]:
// CHECK:         %[[O:.+]] = arith.addi %[[BASE]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[O]]
func.func @diamond(%c: i1) -> f32 {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = rng.uniform : f32
  cf.br ^join
^b:
  %1 = rng.uniform : f32
  cf.br ^join
^join:
  %2 = rng.uniform : f32
  return %2 : f32
}

// CHECK-LABEL: func.func @cf_loop(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK:         cf.br ^[[HEAD:.+]](%{{.+}}, %[[BASE]] : index, i64)
// CHECK:       ^[[HEAD]](%{{.+}}: index, %[[O:.+]]: i64):
// CHECK:         cf.cond_br %{{.+}}, ^[[BODY:.+]], ^[[END:.+]]
// CHECK:       ^[[BODY]]:
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[O]]
// CHECK:         %[[NEXT:.+]] = arith.addi %[[O]]
// CHECK-NEXT:    cf.br ^[[HEAD]](%{{.+}}, %[[NEXT]] : index, i64)
// CHECK:       ^[[END]]:
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[O]]
// CHECK:         %[[LAST:.+]] = arith.addi %[[O]]
// CHECK-NEXT:    rng.set_state %[[SEED]], %[[LAST]]
func.func @cf_loop(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %0 = rng.uniform : f32
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  %1 = rng.uniform : f32
  return %1 : f32
}

// An inner loop that draws nothing, in an outer one that does: the inner one
// needs no argument.

// CHECK-LABEL: func.func @inner_cf_loop(
// CHECK:         cf.br ^[[OUTER:.+]](%{{.+}} : i64)
// CHECK:       ^[[OUTER]](%[[O:.+]]: i64):
// CHECK-NEXT:    cf.br ^[[INNER:.+]]{{$}}
// CHECK:       ^[[INNER]]:
// CHECK-NEXT:    cf.cond_br %{{.+}}, ^[[INNER]], ^[[NEXT:.+]]{{$}}
// CHECK:       ^[[NEXT]]:
// CHECK-NEXT:    rng.stateless_uniform %{{.+}}, %[[O]]
func.func @inner_cf_loop(%c: i1) {
  cf.br ^outer
^outer:
  cf.br ^inner
^inner:
  cf.cond_br %c, ^inner, ^next
^next:
  %0 = rng.uniform : f32
  cf.cond_br %c, ^outer, ^end
^end:
  return
}

// Both edges of a branch to one block; a switch; several returns.

// CHECK-LABEL: func.func @edges(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK:         cf.switch
// CHECK-NEXT:      default: ^[[A:[^,]+]],
// CHECK-NEXT:      7: ^[[JOIN:.+]](%[[BASE]] : i64)
// CHECK:       ^[[A]]:
// CHECK:         %[[NEXT:.+]] = arith.addi %[[BASE]]
// CHECK-NEXT:    cf.cond_br %{{.+}}, ^[[JOIN]](%[[NEXT]] : i64), ^[[JOIN]](%[[NEXT]] : i64)
// CHECK:       ^[[JOIN]](%[[O:.+]]: i64):
// CHECK:         cf.cond_br
// CHECK:         rng.set_state %[[SEED]], %[[O]]
// CHECK-NEXT:    return
// CHECK:         rng.stateless_uniform %[[SEED]], %[[O]]
// CHECK:         rng.set_state %[[SEED]], %{{.+}}
// CHECK-NEXT:    return
func.func @edges(%i: i32, %c: i1) {
  cf.switch %i : i32, [
    default: ^a,
    7: ^join
  ]
^a:
  %0 = rng.uniform : f32
  cf.cond_br %c, ^join, ^join
^join:
  cf.cond_br %c, ^b, ^d
^b:
  return
^d:
  %1 = rng.uniform : f32
  return
}

// What is never reached is threaded, too.

// CHECK-LABEL: func.func @unreachable(
// CHECK:         rng.reserve
// CHECK-NOT:     rng.uniform
// CHECK:       return
func.func @unreachable() -> f32 {
  %0 = rng.uniform : f32
  return %0 : f32
^dead:
  %1 = rng.uniform : f32
  cf.br ^dead
}

// -----

// Functions with state in their signature, in branches and loops; recursion
// through a branch.

// CHECK-LABEL: func.func private @recursive(
// CHECK-SAME:      %{{[^:]+}}: i32, %[[SEED:[^:]+]]: i64, %[[BASE:[^:]+]]: i64) -> i64 {
// CHECK:         %[[IF:.+]] = scf.if %{{.+}} -> (i64) {
// CHECK:           %[[CALL:.+]] = func.call @recursive(%{{.+}}, %[[SEED]], %{{.+}}) : (i32, i64, i64) -> i64
// CHECK-NEXT:      scf.yield %[[CALL]]
// CHECK:         return %[[IF]]
func.func private @recursive(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c = arith.cmpi sgt, %n, %zero : i32
  scf.if %c {
    %0 = rng.uniform : f32
    %m = arith.subi %n, %one : i32
    func.call @recursive(%m) : (i32) -> ()
  }
  return
}

// -----

// A way through a region that ends nowhere takes no state along.

// CHECK-LABEL: func.func @ends_nowhere(
// CHECK:         %[[X:.+]]:2 = scf.execute_region -> (f32, i64) {
// CHECK:           scf.yield %{{.+}}, %{{.+}} : f32, i64
// CHECK-COUNT-2:   rng.stateless_uniform
// CHECK-NEXT:      llvm.unreachable
func.func @ends_nowhere(%c: i1) -> f32 {
  %x = scf.execute_region -> f32 {
    %0 = rng.uniform : f32
    cf.cond_br %c, ^a, ^b
  ^a:
    %1 = rng.uniform : f32
    scf.yield %1 : f32
  ^b:
    %2 = rng.uniform : f32
    %3 = rng.uniform : f32
    llvm.unreachable
  }
  return %x : f32
}
