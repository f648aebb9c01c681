// RUN: rng-opt %s -split-input-file --transform-interpreter --verify-diagnostics

// A scalar, a vector and a tensor of rank 0 have no loops to tile.

module attributes {transform.with_named_sequence} {
func.func @scalar(%seed: i64, %offset: i64) -> f32 {
  // expected-note @below {{target op}}
  %u = rng.stateless_uniform %seed, %offset : f32
  return %u : f32
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draw = transform.structured.match ops{["rng.stateless_uniform"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{too many tiles provided, expected at most 0 found 1}}
  %tiles, %loops = transform.structured.tile_using_for %draw tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @vector(%seed: i64, %offset: i64) -> vector<8xf32> {
  // expected-note @below {{target op}}
  %u = rng.stateless_uniform %seed, %offset : vector<8xf32>
  return %u : vector<8xf32>
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draw = transform.structured.match ops{["rng.stateless_uniform"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{too many tiles provided, expected at most 0 found 1}}
  %tiles, %loops = transform.structured.tile_using_for %draw tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @rank0(%seed: i64, %offset: i64) -> tensor<f32> {
  // expected-note @below {{target op}}
  %u = rng.stateless_uniform %seed, %offset : tensor<f32>
  return %u : tensor<f32>
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draw = transform.structured.match ops{["rng.stateless_uniform"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{too many tiles provided, expected at most 0 found 1}}
  %tiles, %loops = transform.structured.tile_using_for %draw tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

// Tiles are inserted into a tensor.empty, which has no encoding.

module attributes {transform.with_named_sequence} {
func.func @encoding(%seed: i64, %offset: i64) -> tensor<8xf32, "layout"> {
  // expected-error @below {{faild to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %u = rng.stateless_uniform %seed, %offset : tensor<8xf32, "layout">
  return %u : tensor<8xf32, "layout">
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draw = transform.structured.match ops{["rng.stateless_uniform"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %tiles, %loops = transform.structured.tile_using_for %draw tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}
