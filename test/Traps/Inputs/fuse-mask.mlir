// Fuses the mask of @forward and @backward into their loops over tiles.

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %forward = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "forward"} in %root
      : (!transform.any_op) -> !transform.any_op
  %mask = transform.structured.match ops{["rng.stateless_bernoulli"]}
      in %forward : (!transform.any_op) -> !transform.any_op
  %loop = transform.structured.match ops{["scf.for"]}
      attributes {rows} in %forward : (!transform.any_op) -> !transform.any_op
  %fused, %with = transform.structured.fuse_into_containing_op %mask into %loop
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)

  %backward = transform.structured.match ops{["func.func"]}
      attributes {sym_name = "backward"} in %root
      : (!transform.any_op) -> !transform.any_op
  %mask2 = transform.structured.match ops{["rng.stateless_bernoulli"]}
      in %backward : (!transform.any_op) -> !transform.any_op
  %loop2 = transform.structured.match ops{["scf.for"]}
      attributes {columns} in %backward
      : (!transform.any_op) -> !transform.any_op
  %fused2, %with2 = transform.structured.fuse_into_containing_op %mask2
      into %loop2
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}
