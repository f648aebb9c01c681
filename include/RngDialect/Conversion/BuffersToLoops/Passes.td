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

    ```mlir-fragment
    // for i, j, k: c[i][j] += a[i][k] * b[k][j]
    linalg.generic {iterator_types = ["parallel", "parallel", "reduction"]} ...
    ```
    becomes
    ```mlir-fragment
    // for i, k, j: c[i][j] += a[i][k] * b[k][j]
    linalg.generic {iterator_types = ["parallel", "reduction", "parallel"]} ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def RngVectorizeDrawsPass : Pass<"rng-vectorize-draws"> {
  let summary = "Turn elementwise ops that draw into loops over vectors";
  let description = [{
    A `linalg.generic` on contiguous buffers that draws its own elements becomes
    a loop over vectors of consecutive elements, which hold whole blocks of the
    generator: 64 of them, so that each word of a block fills SIMD registers.
    What else the op does is done for 64 lanes at a time. Loops over eight
    blocks, single blocks and elements follow for what is left. The bits are
    those of the op.

    All of the body must be elementwise or the same for all points; operands may
    be broadcast, along rows of a static size that is a multiple of 64;
    draws must be of the shape of the loops. Memory need not be aligned. Other
    ops are left to `convert-linalg-to-loops`.

    ```mlir-fragment
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %i = linalg.index 0 : index
      %u = rng.stateless_uniform %seed, %offset slice [%i] of [%n] : f32
      %sum = arith.addf %in, %u : f32
      linalg.yield %sum : f32
    }
    ```
    becomes
    ```mlir-fragment
    scf.for %i = %c0 to %most step %c256 {
      %u = rng.stateless_uniform %seed, %offset slice [%i] of [%n] {aligned}
          : vector<256xf32>
      %u_0 = vector.extract_strided_slice %u
          {offsets = [0], sizes = [64], strides = [1]}
          : vector<256xf32> to vector<64xf32>
      %in_0 = vector.load %x[%i] : memref<?xf32>, vector<64xf32>
      %sum_0 = arith.addf %in_0, %u_0 : vector<64xf32>
      vector.store %sum_0, %y[%i] : memref<?xf32>, vector<64xf32>
      ...
    }
    scf.for %i = %most to %more step %c32 { ... }
    scf.for %i = %more to %blocks step %c4 { ... }
    scf.for %i = %blocks to %n step %c1 { ... }
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

    ```mlir-fragment
    linalg.reduce { arith.addf } ins(%x : memref<8x1000xf32>)
        outs(%sum : memref<8xf32>) dimensions = [1]
    ```
    becomes
    ```mlir-fragment
    %lanes = memref.alloca() : memref<256xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %lane = %c0 to %c256 step %c1 {
        %v = memref.load %x[%i, %lane] : memref<8x1000xf32>
        memref.store %v, %lanes[%lane] : memref<256xf32>
      }
      scf.for %start = %c256 to %c1000 step %c256 {
        // %lanes[%lane] += %x[%i, %start + %lane]
      }
      scf.for %step = %c0 to %c8 step %c1 {
        // %lanes[%lane] += %lanes[%lane + 128 >> %step]
      }
      // %sum[%i] += %lanes[0]
    }
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
