// Ways to tile the consumers of draws, the draws fused into their loops, one
// entry point each.

module attributes {transform.with_named_sequence} {

// All producers fused as the consumer is tiled.
transform.named_sequence @fused(%root: !transform.any_op) {
  %forward = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "forward"} in %root
      : (!transform.any_op) -> !transform.any_op
  %y = transform.structured.match ops{["linalg.generic"]} in %forward
      : (!transform.any_op) -> !transform.any_op
  %y_tile, %y_loops:2 = transform.structured.fuse %y tile_sizes [16, 32]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)

  %backward = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "backward"} in %root
      : (!transform.any_op) -> !transform.any_op
  %dx = transform.structured.match ops{["linalg.generic"]} in %backward
      : (!transform.any_op) -> !transform.any_op
  %dx_tile, %dx_loops:2 = transform.structured.fuse %dx tile_sizes [10, 64]
      interchange [1, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">,
                                !transform.op<"scf.for">)
  %main, %rest = transform.loop.peel %dx_loops#0
      : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)

  %attention = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "heads"} in %root
      : (!transform.any_op) -> !transform.any_op
  %heads = transform.structured.match ops{["linalg.generic"]} in %attention
      : (!transform.any_op) -> !transform.any_op
  %heads_tile, %heads_loops:3 = transform.structured.fuse %heads
      tile_sizes [1, 0, 8, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op,
                                !transform.any_op, !transform.any_op)

  %transposing = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "transposed"} in %root
      : (!transform.any_op) -> !transform.any_op
  %sum = transform.structured.match ops{["linalg.generic"]} in %transposing
      : (!transform.any_op) -> !transform.any_op
  %sum_tile, %sum_loops:2 = transform.structured.fuse %sum tile_sizes [4, 7]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)

  %summing = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "rows"} in %root
      : (!transform.any_op) -> !transform.any_op
  %rows = transform.structured.match ops{["linalg.generic"]} in %summing
      : (!transform.any_op) -> !transform.any_op
  // Rows first: fused into the loop along them, linalg.fill would start each
  // piece of a sum anew. So the draw is a slice of a slice.
  %rows_tile, %rows_loop = transform.structured.fuse %rows tile_sizes [5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.apply_dce to %summing : !transform.any_op
  %piece_tile, %piece_loop = transform.structured.tile_using_for %rows_tile
      tile_sizes [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %rows_draw = transform.structured.match ops{["rng.stateless_uniform"]}
      in %summing : (!transform.any_op) -> !transform.any_op
  %rows_fused, %rows_with = transform.structured.fuse_into_containing_op
      %rows_draw into %piece_loop
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// The consumer tiled first, then the draws fused one by one.
transform.named_sequence @contained(%root: !transform.any_op) {
  %forward = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "forward"} in %root
      : (!transform.any_op) -> !transform.any_op
  %y = transform.structured.match ops{["linalg.generic"]} in %forward
      : (!transform.any_op) -> !transform.any_op
  %y_tile, %y_loop = transform.structured.tile_using_forall %y
      tile_sizes [16, 20]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %y_draw = transform.structured.match ops{["rng.stateless_bernoulli"]}
      in %forward : (!transform.any_op) -> !transform.any_op
  %y_fused, %y_with = transform.structured.fuse_into_containing_op %y_draw
      into %y_loop
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)

  %backward = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "backward"} in %root
      : (!transform.any_op) -> !transform.any_op
  %dx = transform.structured.match ops{["linalg.generic"]} in %backward
      : (!transform.any_op) -> !transform.any_op
  %dx_tile, %dx_loops:2 = transform.structured.tile_using_for %dx
      tile_sizes [9, 11] interchange = [1, 0]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %dx_draw = transform.structured.match ops{["rng.stateless_bernoulli"]}
      in %backward : (!transform.any_op) -> !transform.any_op
  %dx_fused, %dx_with = transform.structured.fuse_into_containing_op %dx_draw
      into %dx_loops#0
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)

  %attention = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "heads"} in %root
      : (!transform.any_op) -> !transform.any_op
  %heads = transform.structured.match ops{["linalg.generic"]} in %attention
      : (!transform.any_op) -> !transform.any_op
  %heads_tile, %heads_loop = transform.structured.tile_using_forall %heads
      tile_sizes [1, 0, 3, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %heads_draw = transform.structured.match ops{["rng.stateless_uniform"]}
      in %attention : (!transform.any_op) -> !transform.any_op
  %heads_fused, %heads_with = transform.structured.fuse_into_containing_op
      %heads_draw into %heads_loop
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)

  %transposing = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "transposed"} in %root
      : (!transform.any_op) -> !transform.any_op
  %sum = transform.structured.match ops{["linalg.generic"]} in %transposing
      : (!transform.any_op) -> !transform.any_op
  %sum_tile, %sum_loop = transform.structured.tile_using_forall %sum
      num_threads [2, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %sum_draws = transform.structured.match ops{["rng.stateless_uniform"]}
      in %transposing : (!transform.any_op) -> !transform.any_op
  %sum_fused, %sum_with = transform.structured.fuse_into_containing_op
      %sum_draws into %sum_loop
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)

  %summing = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "rows"} in %root
      : (!transform.any_op) -> !transform.any_op
  %rows = transform.structured.match ops{["linalg.generic"]} in %summing
      : (!transform.any_op) -> !transform.any_op
  %rows_tile, %rows_loops:2 = transform.structured.tile_using_for %rows
      tile_sizes [4, 9] interchange = [1, 0]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %rows_draw = transform.structured.match ops{["rng.stateless_uniform"]}
      in %summing : (!transform.any_op) -> !transform.any_op
  %rows_fused, %rows_with = transform.structured.fuse_into_containing_op
      %rows_draw into %rows_loops#0
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// The dimensions of the consumer collapsed before it is tiled: the draws keep
// theirs, outside the loop.
transform.named_sequence @flattened(%root: !transform.any_op) {
  %attention = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "heads"} in %root
      : (!transform.any_op) -> !transform.any_op
  %heads = transform.structured.match ops{["linalg.generic"]} in %attention
      : (!transform.any_op) -> !transform.any_op
  %flat = transform.structured.flatten_elementwise %heads
      : (!transform.any_op) -> !transform.any_op
  %tile, %loop = transform.structured.fuse %flat tile_sizes [100]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}
