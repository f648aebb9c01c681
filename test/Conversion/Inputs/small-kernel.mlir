func.func @f(%x: tensor<?xf32>, %seed: i64, %offset: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.75 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %t = math.tanh %x : tensor<?xf32>
  %y = arith.select %keep, %t, %x : tensor<?xi1>, tensor<?xf32>
  return %y : tensor<?xf32>
}
