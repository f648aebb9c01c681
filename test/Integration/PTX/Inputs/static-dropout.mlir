// A template: SIZE and TYPE are replaced by numbers and float types.
func.func @dropout_TYPE_SIZE(
    %a: tensor<SIZExTYPE>,
    %dout: tensor<SIZExTYPE> {rng.cotangent})
    -> (tensor<SIZExTYPE>,
        tensor<SIZExTYPE> {rng.gradient}) {
  %p = arith.constant 0.7 : f32
  %zero = arith.constant dense<0.0> : tensor<SIZExTYPE>
  %scale = arith.constant dense<1.4285714> : tensor<SIZExTYPE>
  %keep = rng.bernoulli prob(%p) : tensor<SIZExi1>
  %noise = rng.uniform : tensor<SIZExTYPE>
  %scaled = arith.mulf %a, %scale : tensor<SIZExTYPE>
  %dropped = arith.select %keep, %scaled, %zero
      : tensor<SIZExi1>, tensor<SIZExTYPE>
  %y = arith.addf %dropped, %noise : tensor<SIZExTYPE>
  %dscaled = arith.select %keep, %dout, %zero
      : tensor<SIZExi1>, tensor<SIZExTYPE>
  %da = arith.mulf %dscaled, %scale : tensor<SIZExTYPE>
  return %y, %da : tensor<SIZExTYPE>, tensor<SIZExTYPE>
}
