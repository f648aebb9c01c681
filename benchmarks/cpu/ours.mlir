// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cpu_speed.py measures, as programs on tensors. They write to the memory
// of the caller, as the programs they are compared with do.

func.func @uniform32(%out: memref<?xf32>, %seed: i64, %offset: i64)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %out, %c0 : memref<?xf32>
  %u = rng.stateless_uniform %seed, %offset sizes(%n) : tensor<?xf32>
  bufferization.materialize_in_destination %u in restrict writable %out
      : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

func.func @uniform64(%out: memref<?xf64>, %seed: i64, %offset: i64)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %out, %c0 : memref<?xf64>
  %u = rng.stateless_uniform %seed, %offset sizes(%n) : tensor<?xf64>
  bufferization.materialize_in_destination %u in restrict writable %out
      : (tensor<?xf64>, memref<?xf64>) -> ()
  return
}

func.func @bernoulli(%out: memref<?xi1>, %seed: i64, %offset: i64, %p: f32)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %out, %c0 : memref<?xi1>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  bufferization.materialize_in_destination %keep in restrict writable %out
      : (tensor<?xi1>, memref<?xi1>) -> ()
  return
}

func.func @normal32(%out: memref<?xf32>, %seed: i64, %offset: i64)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %out, %c0 : memref<?xf32>
  %z = rng.stateless_normal %seed, %offset sizes(%n) : tensor<?xf32>
  bufferization.materialize_in_destination %z in restrict writable %out
      : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

func.func @dropout(%out: memref<?xf32>, %in: memref<?xf32>, %seed: i64,
                   %offset: i64, %p: f32, %scale: f32)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %in restrict : memref<?xf32> to tensor<?xf32>
  %n = memref.dim %in, %c0 : memref<?xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?xf32>
  %scaled = arith.mulf %x, %scales : tensor<?xf32>
  %y = arith.select %keep, %scaled, %zeros : tensor<?xi1>, tensor<?xf32>
  bufferization.materialize_in_destination %y in restrict writable %out
      : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// Of the gradients, as differentiation hands it over.
func.func @backward(%out: memref<?xf32>, %in: memref<?xf32>, %seed: i64,
                    %offset: i64, %p: f32, %scale: f32)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %in restrict : memref<?xf32> to tensor<?xf32>
  %n = memref.dim %in, %c0 : memref<?xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?xf32>
  %kept = arith.select %keep, %x, %zeros : tensor<?xi1>, tensor<?xf32>
  %y = arith.mulf %kept, %scales : tensor<?xf32>
  bufferization.materialize_in_destination %y in restrict writable %out
      : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
