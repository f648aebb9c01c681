// Ways to tile what is marked {rank1}, {rank2} and {rank4}, one entry point each.

module attributes {transform.with_named_sequence} {

// Tiles that do not divide, loops in another order.
transform.named_sequence @loops(%root: !transform.any_op) {
  %1 = transform.structured.match attributes {rank1} in %root
      : (!transform.any_op) -> !transform.any_op
  %t1, %l1 = transform.structured.tile_using_for %1 tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %2 = transform.structured.match attributes {rank2} in %root
      : (!transform.any_op) -> !transform.any_op
  %t2, %l2:2 = transform.structured.tile_using_for %2 tile_sizes [3, 8]
      interchange = [1, 0]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %4 = transform.structured.match attributes {rank4} in %root
      : (!transform.any_op) -> !transform.any_op
  %t4, %l4:3 = transform.structured.tile_using_for %4 tile_sizes [2, 0, 3, 4]
      interchange = [3, 0, 1, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op,
                                !transform.any_op, !transform.any_op)
  transform.yield
}

// Iterations without an order, by size and by number.
transform.named_sequence @forall(%root: !transform.any_op) {
  %1 = transform.structured.match attributes {rank1} in %root
      : (!transform.any_op) -> !transform.any_op
  %t1, %l1 = transform.structured.tile_using_forall %1 tile_sizes [5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %2 = transform.structured.match attributes {rank2} in %root
      : (!transform.any_op) -> !transform.any_op
  %t2, %l2 = transform.structured.tile_using_forall %2 num_threads [4, 3]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %4 = transform.structured.match attributes {rank4} in %root
      : (!transform.any_op) -> !transform.any_op
  %t4, %l4 = transform.structured.tile_using_forall %4 tile_sizes [1, 2, 2, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// The last iteration of each loop on its own, the first of one too.
transform.named_sequence @peeled(%root: !transform.any_op) {
  %1 = transform.structured.match attributes {rank1} in %root
      : (!transform.any_op) -> !transform.any_op
  %t1, %l1 = transform.structured.tile_using_for %1 tile_sizes [6]
      : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
  %m1, %r1 = transform.loop.peel %l1 : (!transform.op<"scf.for">)
      -> (!transform.any_op, !transform.any_op)
  %2 = transform.structured.match attributes {rank2} in %root
      : (!transform.any_op) -> !transform.any_op
  %t2, %l2:2 = transform.structured.tile_using_for %2 tile_sizes [5, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">,
                                !transform.op<"scf.for">)
  %m2, %r2 = transform.loop.peel %l2#1 : (!transform.op<"scf.for">)
      -> (!transform.any_op, !transform.any_op)
  %m3, %r3 = transform.loop.peel %l2#0 : (!transform.op<"scf.for">)
      -> (!transform.any_op, !transform.any_op)
  %4 = transform.structured.match attributes {rank4} in %root
      : (!transform.any_op) -> !transform.any_op
  %t4, %l4:2 = transform.structured.tile_using_for %4 tile_sizes [0, 2, 0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">,
                                !transform.op<"scf.for">)
  %m4, %r4 = transform.loop.peel %l4#1 {peel_front = true}
      : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// Tiles of tiles: slices of slices.
transform.named_sequence @nested(%root: !transform.any_op) {
  %1 = transform.structured.match attributes {rank1} in %root
      : (!transform.any_op) -> !transform.any_op
  %t1, %l1 = transform.structured.tile_using_for %1 tile_sizes [7]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %u1, %k1 = transform.structured.tile_using_for %t1 tile_sizes [3]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %2 = transform.structured.match attributes {rank2} in %root
      : (!transform.any_op) -> !transform.any_op
  %t2, %l2 = transform.structured.tile_using_forall %2 tile_sizes [4, 6]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %u2, %k2:2 = transform.structured.tile_using_for %t2 tile_sizes [3, 4]
      interchange = [1, 0]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %4 = transform.structured.match attributes {rank4} in %root
      : (!transform.any_op) -> !transform.any_op
  %t4, %l4:2 = transform.structured.tile_using_for %4 tile_sizes [0, 2, 0, 5]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %u4, %k4:2 = transform.structured.tile_using_for %t4 tile_sizes [1, 0, 0, 3]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// Loops collapsed into one.
transform.named_sequence @collapsed(%root: !transform.any_op) {
  %1 = transform.structured.match attributes {rank1} in %root
      : (!transform.any_op) -> !transform.any_op
  %t1, %l1 = transform.structured.tile_using_for %1 tile_sizes [1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %2 = transform.structured.match attributes {rank2} in %root
      : (!transform.any_op) -> !transform.any_op
  %t2, %l2:2 = transform.structured.tile_using_for %2 tile_sizes [2, 5]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %c2 = transform.loop.coalesce %l2#0
      : (!transform.any_op) -> !transform.any_op
  %4 = transform.structured.match attributes {rank4} in %root
      : (!transform.any_op) -> !transform.any_op
  %t4, %l4:4 = transform.structured.tile_using_for %4 tile_sizes [1, 2, 3, 4]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op,
          !transform.any_op, !transform.any_op)
  %c4 = transform.loop.coalesce %l4#0
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
