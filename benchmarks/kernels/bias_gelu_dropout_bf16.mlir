// y = residual + dropout(gelu(x + bias)), GELU in the form with tanh, computed in f32,
// and the gradient of x + bias. The same by hand: ../cuda/bias_gelu_dropout.cu.

!element = bf16
#rows = affine_map<(i, j) -> (i, j)>
#bias = affine_map<(i, j) -> (j)>

func.func @bias_gelu_dropout_forward(
    %x: tensor<?x1024x!element>, %bias: tensor<1024x!element>,
    %residual: tensor<?x1024x!element>, %seed: i64, %offset: i64, %p: f32,
    %scale: f32) -> tensor<?x1024x!element> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  // sqrt(2 / pi) and 0.044715 times that.
  %root = arith.constant 0.797884561 : f32
  %cubic = arith.constant 0.0356774081 : f32
  %n = tensor.dim %x, %c0 : tensor<?x1024x!element>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?x1024xi1>
  %empty = tensor.empty(%n) : tensor<?x1024x!element>
  %y = linalg.generic {indexing_maps = [#rows, #bias, #rows, #rows, #rows],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias, %residual, %keep
          : tensor<?x1024x!element>, tensor<1024x!element>,
            tensor<?x1024x!element>, tensor<?x1024xi1>)
      outs(%empty : tensor<?x1024x!element>) {
  ^bb0(%xin: bf16, %bin: bf16, %rin: bf16, %ki: i1, %init: bf16):
    %xi = arith.extf %xin : bf16 to f32
    %bi = arith.extf %bin : bf16 to f32
    %ri = arith.extf %rin : bf16 to f32
    %z = arith.addf %xi, %bi : f32
    %square = arith.mulf %z, %z : f32
    %factor = math.fma %cubic, %square, %root : f32
    %inner = arith.mulf %z, %factor : f32
    %tanh = math.tanh %inner : f32
    %h = arith.mulf %z, %half : f32
    %gelu = math.fma %h, %tanh, %h : f32
    %scaled = arith.mulf %gelu, %scale : f32
    %kept = arith.select %ki, %scaled, %zero : f32
    %sum = arith.addf %kept, %ri : f32
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x1024x!element>
  return %y : tensor<?x1024x!element>
}

func.func @bias_gelu_dropout_backward(
    %x: tensor<?x1024x!element>, %bias: tensor<1024x!element>,
    %dy: tensor<?x1024x!element>, %seed: i64, %offset: i64, %p: f32,
    %scale: f32) -> tensor<?x1024x!element> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // sqrt(2 / pi) and 0.044715 times that.
  %root = arith.constant 0.797884561 : f32
  %cubic = arith.constant 0.0356774081 : f32
  %cubic3 = arith.constant 0.1070322243 : f32
  %n = tensor.dim %x, %c0 : tensor<?x1024x!element>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?x1024xi1>
  %empty = tensor.empty(%n) : tensor<?x1024x!element>
  %dx = linalg.generic {indexing_maps = [#rows, #bias, #rows, #rows, #rows],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias, %dy, %keep
          : tensor<?x1024x!element>, tensor<1024x!element>,
            tensor<?x1024x!element>, tensor<?x1024xi1>)
      outs(%empty : tensor<?x1024x!element>) {
  ^bb0(%xin: bf16, %bin: bf16, %din: bf16, %ki: i1, %init: bf16):
    %xi = arith.extf %xin : bf16 to f32
    %bi = arith.extf %bin : bf16 to f32
    %di = arith.extf %din : bf16 to f32
    %z = arith.addf %xi, %bi : f32
    %square = arith.mulf %z, %z : f32
    %factor = math.fma %cubic, %square, %root : f32
    %inner = arith.mulf %z, %factor : f32
    %tanh = math.tanh %inner : f32
    %h = arith.mulf %z, %half : f32
    // (1 + tanh) / 2 + z / 2 * (1 - tanh^2) * (root + 3 * cubic * z^2)
    %negative = arith.negf %tanh : f32
    %slope = math.fma %negative, %tanh, %one : f32
    %chain = math.fma %cubic3, %square, %root : f32
    %left = arith.mulf %h, %slope : f32
    %right = math.fma %half, %tanh, %half : f32
    %derivative = math.fma %left, %chain, %right : f32
    %scaled = arith.mulf %di, %scale : f32
    %kept = arith.select %ki, %scaled, %zero : f32
    %product = arith.mulf %kept, %derivative : f32
    %rounded = arith.truncf %product : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<?x1024x!element>
  return %dx : tensor<?x1024x!element>
}
