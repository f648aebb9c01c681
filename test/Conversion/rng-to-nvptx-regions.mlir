// Dropout of a biased tensor, residual and GELU: one kernel for the forward and
// one for the backward, in which nothing but inputs and results is in memory.
//
// RUN: %rng_opt %s --rng-thread-state --rng-partition --convert-rng-to-linalg \
// RUN:   --convert-elementwise-to-linalg --convert-tensor-to-linalg \
// RUN:   --rng-generalize-elementwise --resolve-ranked-shaped-type-result-dims \
// RUN:   --canonicalize --cse --rng-fuse-elementwise --canonicalize --cse \
// RUN:   | FileCheck %s
// RUN: rm -rf %t && %rng_opt %s --rng-thread-state --rng-partition \
// RUN:   --rng-to-nvptx=dump-dir=%t | FileCheck %s --check-prefix=LAUNCH
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/static_backward_kernel.ptx
//
// Loads of x, the bias, the residual and dout, stores of dx and dresidual.
// PTX-COUNT-4: ld.global{{(.nc)?}}.v4
// PTX-COUNT-2: st.global.v4

// CHECK-LABEL: func.func @static_forward(
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}} : tensor<128x768xf32>, tensor<768xf32>, tensor<128x768xf32>)
// CHECK-SAME: outs(%{{[^ ]+}} : tensor<128x768xf32>)
// CHECK: rng.stateless_bernoulli
// CHECK: math.tanh
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @static_backward(
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}} : tensor<128x768xf32>, tensor<768xf32>, tensor<128x768xf32>, tensor<128x768xf32>)
// CHECK-SAME: outs(%{{[^ ]+}}, %{{[^ ]+}} : tensor<128x768xf32>, tensor<128x768xf32>)
// CHECK: rng.stateless_bernoulli
// CHECK-NOT: rng.stateless_bernoulli
// CHECK: math.tanh
// CHECK-NOT: math.tanh
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @dynamic_forward(
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}} : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>)
// CHECK-SAME: outs(%{{[^ ]+}} : tensor<?x?xf32>)
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @dynamic_backward(
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}}, %{{[^ ]+}} : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK-SAME: outs(%{{[^ ]+}}, %{{[^ ]+}} : tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK-NOT: linalg.generic

// LAUNCH-LABEL: llvm.func @static_forward(
// LAUNCH: gpu.launch_func
// LAUNCH-NOT: gpu.launch_func
// LAUNCH-LABEL: llvm.func @static_backward(
// LAUNCH: gpu.launch_func
// LAUNCH-NOT: gpu.launch_func
// LAUNCH-LABEL: llvm.func @dynamic_forward(
// LAUNCH: gpu.launch_func
// LAUNCH-NOT: gpu.launch_func
// LAUNCH-LABEL: llvm.func @dynamic_backward(
// LAUNCH: gpu.launch_func
// LAUNCH-NOT: gpu.launch_func

func.func @static(%x: tensor<128x768xf32>, %bias: tensor<768xf32>, %residual: tensor<128x768xf32>,
    %dout: tensor<128x768xf32> {rng.cotangent})
    -> (tensor<128x768xf32>, tensor<128x768xf32> {rng.gradient},
        tensor<128x768xf32> {rng.gradient}) {
  %p = arith.constant 0.9 : f32
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1.0 : f32
  %c_half = arith.constant 0.5 : f32
  %c_scale = arith.constant 1.1111111 : f32
  %c_cubic = arith.constant 0.044715 : f32
  %c_cubic3 = arith.constant 0.134145 : f32
  %c_root = arith.constant 0.7978845608 : f32
  %zero = tensor.splat %c0 : tensor<128x768xf32>
  %one = tensor.splat %c1 : tensor<128x768xf32>
  %half = tensor.splat %c_half : tensor<128x768xf32>
  %scale = tensor.splat %c_scale : tensor<128x768xf32>
  %cubic = tensor.splat %c_cubic : tensor<128x768xf32>
  %cubic3 = tensor.splat %c_cubic3 : tensor<128x768xf32>
  %root = tensor.splat %c_root : tensor<128x768xf32>
  %empty = tensor.empty() : tensor<128x768xf32>
  %rows = linalg.broadcast ins(%bias : tensor<768xf32>) outs(%empty : tensor<128x768xf32>) dimensions = [0]
  %biased = arith.addf %x, %rows : tensor<128x768xf32>
  %keep = rng.bernoulli prob(%p) : tensor<128x768xi1>
  %scaled = arith.mulf %biased, %scale : tensor<128x768xf32>
  %dropped = arith.select %keep, %scaled, %zero
      : tensor<128x768xi1>, tensor<128x768xf32>
  %z = arith.addf %dropped, %residual : tensor<128x768xf32>
  // gelu(z) = z / 2 (1 + t), t = tanh(root (z + cubic z^3)).
  %z2 = arith.mulf %z, %z : tensor<128x768xf32>
  %z2_cubic = arith.mulf %z2, %cubic : tensor<128x768xf32>
  %z2_one = arith.addf %z2_cubic, %one : tensor<128x768xf32>
  %z_poly = arith.mulf %z2_one, %z : tensor<128x768xf32>
  %u = arith.mulf %z_poly, %root : tensor<128x768xf32>
  %t = math.tanh %u : tensor<128x768xf32>
  %t1 = arith.addf %t, %one : tensor<128x768xf32>
  %z_half = arith.mulf %z, %half : tensor<128x768xf32>
  %out = arith.mulf %z_half, %t1 : tensor<128x768xf32>
  // dz = dout ((1 + t) / 2 + z / 2 (1 - t^2) root (1 + 3 cubic z^2)).
  %slope_0 = arith.mulf %t1, %half : tensor<128x768xf32>
  %t_squared = arith.mulf %t, %t : tensor<128x768xf32>
  %dt = arith.subf %one, %t_squared : tensor<128x768xf32>
  %z2_cubic3 = arith.mulf %z2, %cubic3 : tensor<128x768xf32>
  %dpoly = arith.addf %z2_cubic3, %one : tensor<128x768xf32>
  %du = arith.mulf %dpoly, %root : tensor<128x768xf32>
  %dt_du = arith.mulf %dt, %du : tensor<128x768xf32>
  %slope_1 = arith.mulf %z_half, %dt_du : tensor<128x768xf32>
  %slope = arith.addf %slope_0, %slope_1 : tensor<128x768xf32>
  %dz = arith.mulf %dout, %slope : tensor<128x768xf32>
  %ddropped = arith.select %keep, %dz, %zero
      : tensor<128x768xi1>, tensor<128x768xf32>
  %dx = arith.mulf %ddropped, %scale : tensor<128x768xf32>
  return %out, %dx, %dz
      : tensor<128x768xf32>, tensor<128x768xf32>, tensor<128x768xf32>
}

func.func @dynamic(%x: tensor<?x?xf32>, %bias: tensor<?xf32>, %residual: tensor<?x?xf32>,
    %dout: tensor<?x?xf32> {rng.cotangent})
    -> (tensor<?x?xf32>, tensor<?x?xf32> {rng.gradient},
        tensor<?x?xf32> {rng.gradient}) {
  %p = arith.constant 0.9 : f32
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1.0 : f32
  %c_half = arith.constant 0.5 : f32
  %c_scale = arith.constant 1.1111111 : f32
  %c_cubic = arith.constant 0.044715 : f32
  %c_cubic3 = arith.constant 0.134145 : f32
  %c_root = arith.constant 0.7978845608 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %m = tensor.dim %x, %i0 : tensor<?x?xf32>
  %n = tensor.dim %x, %i1 : tensor<?x?xf32>
  %zero = tensor.splat %c0[%m, %n] : tensor<?x?xf32>
  %one = tensor.splat %c1[%m, %n] : tensor<?x?xf32>
  %half = tensor.splat %c_half[%m, %n] : tensor<?x?xf32>
  %scale = tensor.splat %c_scale[%m, %n] : tensor<?x?xf32>
  %cubic = tensor.splat %c_cubic[%m, %n] : tensor<?x?xf32>
  %cubic3 = tensor.splat %c_cubic3[%m, %n] : tensor<?x?xf32>
  %root = tensor.splat %c_root[%m, %n] : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %rows = linalg.broadcast ins(%bias : tensor<?xf32>) outs(%empty : tensor<?x?xf32>) dimensions = [0]
  %biased = arith.addf %x, %rows : tensor<?x?xf32>
  %keep = rng.bernoulli prob(%p) sizes(%m, %n) : tensor<?x?xi1>
  %scaled = arith.mulf %biased, %scale : tensor<?x?xf32>
  %dropped = arith.select %keep, %scaled, %zero
      : tensor<?x?xi1>, tensor<?x?xf32>
  %z = arith.addf %dropped, %residual : tensor<?x?xf32>
  // gelu(z) = z / 2 (1 + t), t = tanh(root (z + cubic z^3)).
  %z2 = arith.mulf %z, %z : tensor<?x?xf32>
  %z2_cubic = arith.mulf %z2, %cubic : tensor<?x?xf32>
  %z2_one = arith.addf %z2_cubic, %one : tensor<?x?xf32>
  %z_poly = arith.mulf %z2_one, %z : tensor<?x?xf32>
  %u = arith.mulf %z_poly, %root : tensor<?x?xf32>
  %t = math.tanh %u : tensor<?x?xf32>
  %t1 = arith.addf %t, %one : tensor<?x?xf32>
  %z_half = arith.mulf %z, %half : tensor<?x?xf32>
  %out = arith.mulf %z_half, %t1 : tensor<?x?xf32>
  // dz = dout ((1 + t) / 2 + z / 2 (1 - t^2) root (1 + 3 cubic z^2)).
  %slope_0 = arith.mulf %t1, %half : tensor<?x?xf32>
  %t_squared = arith.mulf %t, %t : tensor<?x?xf32>
  %dt = arith.subf %one, %t_squared : tensor<?x?xf32>
  %z2_cubic3 = arith.mulf %z2, %cubic3 : tensor<?x?xf32>
  %dpoly = arith.addf %z2_cubic3, %one : tensor<?x?xf32>
  %du = arith.mulf %dpoly, %root : tensor<?x?xf32>
  %dt_du = arith.mulf %dt, %du : tensor<?x?xf32>
  %slope_1 = arith.mulf %z_half, %dt_du : tensor<?x?xf32>
  %slope = arith.addf %slope_0, %slope_1 : tensor<?x?xf32>
  %dz = arith.mulf %dout, %slope : tensor<?x?xf32>
  %ddropped = arith.select %keep, %dz, %zero
      : tensor<?x?xi1>, tensor<?x?xf32>
  %dx = arith.mulf %ddropped, %scale : tensor<?x?xf32>
  return %out, %dx, %dz
      : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
