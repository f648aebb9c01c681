// DEFINE: %{tiling} =
// DEFINE: %{tile} = %rng_opt %s --convert-elementwise-to-linalg \
// DEFINE:   --transform-preload-library=transform-library-paths=%S/Inputs/fusions.mlir \
// DEFINE:   --transform-interpreter=entry-point=%{tiling}

// REDEFINE: %{tiling} = fused
// RUN: %{tile} --resolve-ranked-shaped-type-result-dims --canonicalize \
// RUN:   | FileCheck %s --check-prefix=FUSED
// RUN: %{tile} --rng-to-cpu | %run_cpu | FileCheck %s

// REDEFINE: %{tiling} = contained
// RUN: %{tile} --resolve-ranked-shaped-type-result-dims --canonicalize \
// RUN:   | FileCheck %s --check-prefix=FUSED
// RUN: %{tile} --rng-to-cpu | %run_cpu | FileCheck %s

// REDEFINE: %{tiling} = flattened
// RUN: %{tile} --rng-to-cpu | %run_cpu | FileCheck %s

// A forward tiled in one way and its backward in another, the draw of the mask
// fused into the loops of each, have the same mask, which is that of the
// forward in one piece.

func.func private @rngFillF32(memref<*xf32>, i64)
    attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentF32(memref<*xf32>, memref<*xf32>) -> i64
    attributes {llvm.emit_c_interface}

func.func @whole(%x: tensor<?x70xf32>, %seed: i64, %offset: i64)
    -> tensor<?x70xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.75 : f32
  %n = tensor.dim %x, %c0 : tensor<?x70xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?x70xi1>
  %zero_value = arith.constant 0.0 : f32
  %zero = tensor.splat %zero_value[%n] : tensor<?x70xf32>
  %y = arith.select %keep, %x, %zero : tensor<?x70xi1>, tensor<?x70xf32>
  return %y : tensor<?x70xf32>
}

// FUSED-LABEL: func.func @forward
// FUSED-NOT:   rng.stateless
// FUSED:       scf.for
// FUSED:       rng.stateless_bernoulli {{.+}} slice [%{{.+}}, %{{.+}}] of [%{{.+}}, 70] : tensor<?x?xi1>
func.func @forward(%x: tensor<?x70xf32>, %seed: i64, %offset: i64)
    -> tensor<?x70xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.75 : f32
  %n = tensor.dim %x, %c0 : tensor<?x70xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?x70xi1>
  %zero_value = arith.constant 0.0 : f32
  %zero = tensor.splat %zero_value[%n] : tensor<?x70xf32>
  %y = arith.select %keep, %x, %zero : tensor<?x70xi1>, tensor<?x70xf32>
  return %y : tensor<?x70xf32>
}

// FUSED-LABEL: func.func @backward
// FUSED-NOT:   rng.stateless
// FUSED:       scf.for
// FUSED:       rng.stateless_bernoulli {{.+}} slice [%{{.+}}, %{{.+}}] of [%{{.+}}, 70] : tensor<?x?xi1>
func.func @backward(%dy: tensor<?x70xf32>, %seed: i64, %offset: i64)
    -> tensor<?x70xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.75 : f32
  %n = tensor.dim %dy, %c0 : tensor<?x70xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?x70xi1>
  %zero_value = arith.constant 0.0 : f32
  %zero = tensor.splat %zero_value[%n] : tensor<?x70xf32>
  %dx = arith.select %keep, %dy, %zero : tensor<?x70xi1>, tensor<?x70xf32>
  return %dx : tensor<?x70xf32>
}

// Four dimensions: noise on the heads of an attention.
// FUSED-LABEL: func.func @heads_whole
func.func @heads_whole(%x: tensor<2x3x17x13xf32>, %seed: i64, %offset: i64)
    -> tensor<2x3x17x13xf32> {
  %u = rng.stateless_uniform %seed, %offset : tensor<2x3x17x13xf32>
  %y = arith.addf %x, %u : tensor<2x3x17x13xf32>
  return %y : tensor<2x3x17x13xf32>
}

// FUSED-LABEL: func.func @heads
// FUSED-NOT:   rng.stateless
// FUSED:       scf.for
// FUSED:       rng.stateless_uniform {{.+}} slice [%{{.+}}, 0, %{{.+}}, %{{.+}}] of [2, 3, 17, 13] : tensor<1x3x?x?xf32>
func.func @heads(%x: tensor<2x3x17x13xf32>, %seed: i64, %offset: i64)
    -> tensor<2x3x17x13xf32> {
  %u = rng.stateless_uniform %seed, %offset : tensor<2x3x17x13xf32>
  %y = arith.addf %x, %u : tensor<2x3x17x13xf32>
  return %y : tensor<2x3x17x13xf32>
}

// A consumer that transposes its noise, broadcasts a second one along its rows
// and a third, of rank 0, everywhere.
// FUSED-LABEL: func.func @transposed_whole
func.func @transposed_whole(%seed: i64, %offset: i64) -> tensor<21x18xf32> {
  %next = rng.advance %offset by uniform tensor<18x21xf32>
  %u = rng.stateless_uniform %seed, %offset : tensor<18x21xf32>
  %v = rng.stateless_uniform %seed, %next : tensor<18xf32>
  %w = rng.stateless_uniform %seed, %next : tensor<f32>
  %empty = tensor.empty() : tensor<21x18xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%u, %v, %w : tensor<18x21xf32>, tensor<18xf32>, tensor<f32>)
      outs(%empty : tensor<21x18xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %ab = arith.addf %a, %b : f32
    %abc = arith.mulf %ab, %c : f32
    linalg.yield %abc : f32
  } -> tensor<21x18xf32>
  return %y : tensor<21x18xf32>
}

// FUSED-LABEL: func.func @transposed
// FUSED-SAME:    tensor<21x18xf32>
// FUSED:         scf.for
// FUSED-DAG:     rng.stateless_uniform {{.+}} slice [%{{.+}}, %{{.+}}] of [18, 21] : tensor<?x?xf32>
// FUSED-DAG:     rng.stateless_uniform {{.+}} slice [%{{.+}}] of [18] : tensor<?xf32>
// FUSED:         linalg.generic
func.func @transposed(%seed: i64, %offset: i64) -> tensor<21x18xf32> {
  %next = rng.advance %offset by uniform tensor<18x21xf32>
  %u = rng.stateless_uniform %seed, %offset : tensor<18x21xf32>
  %v = rng.stateless_uniform %seed, %next : tensor<18xf32>
  %w = rng.stateless_uniform %seed, %next : tensor<f32>
  %empty = tensor.empty() : tensor<21x18xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%u, %v, %w : tensor<18x21xf32>, tensor<18xf32>, tensor<f32>)
      outs(%empty : tensor<21x18xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %ab = arith.addf %a, %b : f32
    %abc = arith.mulf %ab, %c : f32
    linalg.yield %abc : f32
  } -> tensor<21x18xf32>
  return %y : tensor<21x18xf32>
}

// Weighted sums of rows, of whole numbers: a sum of pieces of a row adds up in
// another order.
// FUSED-LABEL: func.func @rows_whole
func.func @rows_whole(%x: tensor<23x70xf32>, %seed: i64, %offset: i64)
    -> tensor<23xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<23xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<23xf32>)
      -> tensor<23xf32>
  %u = rng.stateless_uniform %seed, %offset : tensor<23x70xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %u : tensor<23x70xf32>, tensor<23x70xf32>)
      outs(%init : tensor<23xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %ab = arith.mulf %a, %b : f32
    %scale = arith.constant 4096.0 : f32
    %scaled = arith.mulf %ab, %scale : f32
    %whole = math.floor %scaled : f32
    %next = arith.addf %sum, %whole : f32
    linalg.yield %next : f32
  } -> tensor<23xf32>
  return %y : tensor<23xf32>
}

// The same, a piece of a row at a time.
// FUSED-LABEL: func.func @rows
// FUSED-NOT:   rng.stateless
// FUSED:       scf.for
// FUSED:       rng.stateless_uniform {{.+}} slice [%{{.+}}, %{{.+}}] of [23, 70] : tensor<?x?xf32>
func.func @rows(%x: tensor<23x70xf32>, %seed: i64, %offset: i64)
    -> tensor<23xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<23xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<23xf32>)
      -> tensor<23xf32>
  %u = rng.stateless_uniform %seed, %offset : tensor<23x70xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %u : tensor<23x70xf32>, tensor<23x70xf32>)
      outs(%init : tensor<23xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %ab = arith.mulf %a, %b : f32
    %scale = arith.constant 4096.0 : f32
    %scaled = arith.mulf %ab, %scale : f32
    %whole = math.floor %scaled : f32
    %next = arith.addf %sum, %whole : f32
    linalg.yield %next : f32
  } -> tensor<23xf32>
  return %y : tensor<23xf32>
}

func.func @compare(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %left = bufferization.to_buffer %a read_only
      : tensor<*xf32> to memref<*xf32>
  %right = bufferization.to_buffer %b read_only
      : tensor<*xf32> to memref<*xf32>
  %different = call @rngCountDifferentF32(%left, %right)
      : (memref<*xf32>, memref<*xf32>) -> i64
  vector.print %different : i64
  return
}

func.func @main() {
  %seed = arith.constant 17 : i64
  %offset = arith.constant 4 : i64
  %n = arith.constant 45 : index

  %buffer = memref.alloc(%n) : memref<?x70xf32>
  %buffer_any = memref.cast %buffer : memref<?x70xf32> to memref<*xf32>
  call @rngFillF32(%buffer_any, %seed) : (memref<*xf32>, i64) -> ()
  %x = bufferization.to_tensor %buffer restrict
      : memref<?x70xf32> to tensor<?x70xf32>
  %y = call @whole(%x, %seed, %offset)
      : (tensor<?x70xf32>, i64, i64) -> tensor<?x70xf32>
  %tiled = call @forward(%x, %seed, %offset)
      : (tensor<?x70xf32>, i64, i64) -> tensor<?x70xf32>
  %dx = call @backward(%x, %seed, %offset)
      : (tensor<?x70xf32>, i64, i64) -> tensor<?x70xf32>
  %x_any = tensor.cast %x : tensor<?x70xf32> to tensor<*xf32>
  %y_any = tensor.cast %y : tensor<?x70xf32> to tensor<*xf32>
  %tiled_any = tensor.cast %tiled : tensor<?x70xf32> to tensor<*xf32>
  %dx_any = tensor.cast %dx : tensor<?x70xf32> to tensor<*xf32>
  // About a quarter of 3150 elements is dropped.
  // CHECK: {{^[78][0-9][0-9]$}}
  call @compare(%x_any, %y_any) : (tensor<*xf32>, tensor<*xf32>) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @compare(%y_any, %tiled_any) : (tensor<*xf32>, tensor<*xf32>) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @compare(%y_any, %dx_any) : (tensor<*xf32>, tensor<*xf32>) -> ()

  %heads_buffer = memref.alloc() : memref<2x3x17x13xf32>
  %heads_buffer_any = memref.cast %heads_buffer
      : memref<2x3x17x13xf32> to memref<*xf32>
  call @rngFillF32(%heads_buffer_any, %seed) : (memref<*xf32>, i64) -> ()
  %heads = bufferization.to_tensor %heads_buffer restrict
      : memref<2x3x17x13xf32> to tensor<2x3x17x13xf32>
  %heads_y = call @heads_whole(%heads, %seed, %offset)
      : (tensor<2x3x17x13xf32>, i64, i64) -> tensor<2x3x17x13xf32>
  %heads_tiled = call @heads(%heads, %seed, %offset)
      : (tensor<2x3x17x13xf32>, i64, i64) -> tensor<2x3x17x13xf32>
  %heads_y_any = tensor.cast %heads_y
      : tensor<2x3x17x13xf32> to tensor<*xf32>
  %heads_tiled_any = tensor.cast %heads_tiled
      : tensor<2x3x17x13xf32> to tensor<*xf32>
  // CHECK-NEXT: {{^}}0{{$}}
  call @compare(%heads_y_any, %heads_tiled_any)
      : (tensor<*xf32>, tensor<*xf32>) -> ()

  %transposed = call @transposed_whole(%seed, %offset)
      : (i64, i64) -> tensor<21x18xf32>
  %transposed_tiled = call @transposed(%seed, %offset)
      : (i64, i64) -> tensor<21x18xf32>
  %transposed_any = tensor.cast %transposed
      : tensor<21x18xf32> to tensor<*xf32>
  %transposed_tiled_any = tensor.cast %transposed_tiled
      : tensor<21x18xf32> to tensor<*xf32>
  // CHECK-NEXT: {{^}}0{{$}}
  call @compare(%transposed_any, %transposed_tiled_any)
      : (tensor<*xf32>, tensor<*xf32>) -> ()

  %rows_buffer = memref.alloc() : memref<23x70xf32>
  %rows_buffer_any = memref.cast %rows_buffer
      : memref<23x70xf32> to memref<*xf32>
  call @rngFillF32(%rows_buffer_any, %seed) : (memref<*xf32>, i64) -> ()
  %rows = bufferization.to_tensor %rows_buffer restrict
      : memref<23x70xf32> to tensor<23x70xf32>
  %rows_y = call @rows_whole(%rows, %seed, %offset)
      : (tensor<23x70xf32>, i64, i64) -> tensor<23xf32>
  %rows_tiled = call @rows(%rows, %seed, %offset)
      : (tensor<23x70xf32>, i64, i64) -> tensor<23xf32>
  %rows_y_any = tensor.cast %rows_y : tensor<23xf32> to tensor<*xf32>
  %rows_tiled_any = tensor.cast %rows_tiled : tensor<23xf32> to tensor<*xf32>
  // CHECK-NEXT: {{^}}0{{$}}
  call @compare(%rows_y_any, %rows_tiled_any)
      : (tensor<*xf32>, tensor<*xf32>) -> ()
  return
}
