//===- Passes.td - State kept in memory --------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_RNGMEMORYTOLINALG_PASSES_TD
#define RNGDIALECT_CONVERSION_RNGMEMORYTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertRngMemoryToLinalgPass : Pass<"convert-rng-memory-to-linalg"> {
  let summary = "Lower rng.reserve_memory to a linalg.generic on buffers";
  let description = [{
    `rng.reserve_memory` becomes a `linalg.generic` that copies both words of
    the state to a new buffer, the snapshot, and advances the offset in memory:
    two loads and stores on a CPU, one tiny kernel on a GPU, where the host sees
    neither word. The buffer is nobody else's and is never written to again, so
    that the snapshot keeps its value whatever happens to the memory. Without
    uses of the snapshot only the offset is advanced. Right before
    bufferization in the pipelines.

    An error where threads run: in kernels, bodies of structured ops and
    parallel loops.

    ```mlir
    // rng-opt --convert-rng-memory-to-linalg
    func.func @f(%memory: memref<2xi64>, %blocks: i64) -> tensor<2xi64> {
      %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
      return %s : tensor<2xi64>
    }
    ```
    becomes
    ```mlir-fragment
    %snapshot = memref.alloc() : memref<2xi64>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                     affine_map<(i) -> (i)>],
                    iterator_types = ["parallel"]}
        outs(%memory, %snapshot : memref<2xi64>, memref<2xi64>) {
    ^bb0(%word: i64, %out: i64):
      %c1 = arith.constant 1 : index
      %i = linalg.index 0 : index
      %is_offset = arith.cmpi eq, %i, %c1 : index
      %sum = arith.addi %word, %blocks : i64
      %next = arith.select %is_offset, %sum, %word : i64
      linalg.yield %next, %word : i64, i64
    }
    %s = bufferization.to_tensor %snapshot restrict
        : memref<2xi64> to tensor<2xi64>
    ```
  }];
  let statistics = [
    Statistic<"numReservations", "num-reservations",
              "Number of reservations lowered">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

#endif // RNGDIALECT_CONVERSION_RNGMEMORYTOLINALG_PASSES_TD
