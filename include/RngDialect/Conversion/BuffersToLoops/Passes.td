//===- Passes.td - Loops of the CPU ------------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_BUFFERSTOLOOPS_PASSES_TD
#define RNGDIALECT_CONVERSION_BUFFERSTOLOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RngOrderLoopsPass : Pass<"rng-order-loops"> {
  let summary = "Walk buffers contiguously in contractions";
  let description = [{
    Moves the parallel loop that walks all operands contiguously inside the
    reduction of a `linalg.generic` on buffers. Each element's additions keep
    their order, so that results keep their bits.

    ```mlir
    // rng-opt --rng-order-loops
    #a = affine_map<(i, j, k) -> (i, k)>
    #b = affine_map<(i, j, k) -> (k, j)>
    #c = affine_map<(i, j, k) -> (i, j)>
    func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
      // for i, j, k: c[i][j] += a[i][k] * b[k][j]
      linalg.generic {indexing_maps = [#a, #b, #c],
                      iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
          outs(%c : memref<?x?xf32>) {
      ^bb0(%x: f32, %y: f32, %sum: f32):
        %product = arith.mulf %x, %y : f32
        %next = arith.addf %sum, %product : f32
        linalg.yield %next : f32
      }
      return
    }
    ```
    becomes
    ```mlir-fragment
    // for i, k, j: c[i][j] += a[i][k] * b[k][j]
    linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, k)>,
                                     affine_map<(i, k, j) -> (k, j)>,
                                     affine_map<(i, k, j) -> (i, j)>],
                    iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
        outs(%c : memref<?x?xf32>) {
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def RngVectorizeDrawsPass : Pass<"rng-vectorize-draws"> {
  let summary = "Turn elementwise ops that draw into loops over vectors";
  let description = [{
    A `linalg.generic` on contiguous buffers that draws its own elements becomes
    a loop over vectors of consecutive elements, which hold whole stream stream
    blocks: 64 of them, so that each word of a stream block fills SIMD
    registers. What else the op does is done for 64 lanes at a time. Loops over
    eight stream blocks, single ones and elements follow for what is left. The
    bits are those of the op.

    All of the body must be elementwise or the same for all points; operands may
    be broadcast, along rows of a static size that is a multiple of 64;
    draws must be of the shape of the loops. Memory need not be aligned. Other
    ops are left to `convert-linalg-to-loops`.

    `--remarks-filter-missed=rng-vectorize-draws` says of each op that draws and
    is left why it is.

    ```mlir
    // rng-opt --rng-vectorize-draws
    #id = affine_map<(i) -> (i)>
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %seed: i64, %offset: i64,
                 %n: index) {
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        %i = linalg.index 0 : index
        %u = rng.stateless_uniform %seed, %offset slice [%i] of [%n] : f32
        %sum = arith.addf %in, %u : f32
        linalg.yield %sum : f32
      }
      return
    }
    ```
    becomes
    ```mlir-fragment
    scf.for %i = %c0 to %most step %c256 {
      ...
      memref.prefetch %x[%ahead], read, locality<3>, data : memref<?xf32>
      ...
      %u = rng.stateless_uniform %seed, %offset slice [%i] of [%n] {aligned}
          : vector<256xf32>
      %u_0 = vector.extract_strided_slice %u
          {offsets = [0], sizes = [64], strides = [1]}
          : vector<256xf32> to vector<64xf32>
      %in_0 = vector.load %x[%i] {alignment = 4 : i64}
          : memref<?xf32>, vector<64xf32>
      %sum_0 = arith.addf %in_0, %u_0 : vector<64xf32>
      vector.store %sum_0, %y[%i] {alignment = 4 : i64}
          : memref<?xf32>, vector<64xf32>
      ...
    }
    ...
    scf.for %j = %most to %more step %c32 {
    ...
    scf.for %k = %more to %blocks step %c4 {
    ...
    scf.for %l = %blocks to %n step %c1 {
    ```
  }];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"false",
           "Make the loop over most of the elements an scf.parallel, unless it "
           "is known to be short or is in another loop">];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Number of ops vectorised">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def RngLowerReductionsPass : Pass<"rng-lower-reductions"> {
  let summary = "Lower reductions to loops in the order of all targets";
  let description = [{
    Turns structured ops on buffers whose innermost loop is a reduction that may
    be reordered into loops with 256 partial results, which LLVM vectorises: the
    order of `docs/spec.md`, section "Reductions", in which kernels add up, too.
    The partial results of all reductions of a function with one type share
    memory on its stack, so that parallel loops around them must not be run by
    several threads. Short reductions of known size are written out. All other
    ops are left.

    ```mlir
    // rng-opt --rng-lower-reductions
    func.func @f(%x: memref<8x1000xf32>, %sum: memref<8xf32>) {
      linalg.reduce { arith.addf } ins(%x : memref<8x1000xf32>)
          outs(%sum : memref<8xf32>) dimensions = [1]
      return
    }
    ```
    becomes
    ```mlir-fragment
    %lanes = memref.alloca() {alignment = 64 : i64} : memref<256xf32>
    ...
    scf.for %i = %c0 to %c8 step %c1 {
      ...
      // One value a lane, then all others.
      scf.for %lane = %c0_0 to %c256 step %c1_0 {
        %v = memref.load %x[%i, %lane] : memref<8x1000xf32>
        memref.store %v, %lanes[%lane] : memref<256xf32>
      }
      scf.for %start = %c256_0 to %c1000 step %c256_0 {
        ...
        scf.for %l = %c0_0 to %left step %c1_0 {
          %place = arith.addi %l, %start : index
          %value = memref.load %x[%i, %place] : memref<8x1000xf32>
          %old = memref.load %lanes[%l] : memref<256xf32>
          %new = arith.addf %old, %value : f32
          memref.store %new, %lanes[%l] : memref<256xf32>
        }
      }
      ...
      // Half of the lanes onto the other half, and so on.
      scf.for %step = %c0_1 to %steps step %c1_0 {
        %stride = arith.shrui %c128, %step : index
        ...
      }
      // %sum[%i] += %lanes[0]
      %total = memref.load %lanes[%c0_0] : memref<256xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
  let statistics = [
    Statistic<"numReductions", "num-reductions",
              "Number of reductions lowered">
  ];
}

#endif // RNGDIALECT_CONVERSION_BUFFERSTOLOOPS_PASSES_TD
