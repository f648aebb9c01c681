// Dropout and its backward, of any size and probability of keeping. The same
// by hand: ../cuda/dropout.cu.

!element = f32

func.func @dropout_forward(%x: tensor<?x!element>, %seed: i64, %offset: i64,
                           %p: f32, %scale: !element) -> tensor<?x!element> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : !element
  %n = tensor.dim %x, %c0 : tensor<?x!element>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?x!element>
  %zeros = tensor.splat %zero[%n] : tensor<?x!element>
  %scaled = arith.mulf %x, %scales : tensor<?x!element>
  %y = arith.select %keep, %scaled, %zeros : tensor<?xi1>, tensor<?x!element>
  return %y : tensor<?x!element>
}

func.func @dropout_backward(%dy: tensor<?x!element>, %seed: i64, %offset: i64,
                            %p: f32, %scale: !element) -> tensor<?x!element> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : !element
  %n = tensor.dim %dy, %c0 : tensor<?x!element>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?x!element>
  %zeros = tensor.splat %zero[%n] : tensor<?x!element>
  %kept = arith.select %keep, %dy, %zeros : tensor<?xi1>, tensor<?x!element>
  %dx = arith.mulf %kept, %scales : tensor<?x!element>
  return %dx : tensor<?x!element>
}
