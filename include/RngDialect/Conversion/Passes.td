//===- Passes.td - Lowerings of the rng dialect ------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_PASSES_TD
#define RNGDIALECT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Draws and state
//===----------------------------------------------------------------------===//

def ConvertRngStateToRuntimePass
    : Pass<"convert-rng-state-to-runtime", "ModuleOp"> {
  let summary = "Lower reads and writes of generators to calls of the runtime";
  let description = [{
    `rng.get_state`, `rng.set_state` and `rng.reserve` become calls of the C
    functions `rngGetState`, `rngSetState` and `rngReserve` of the runtime
    (`RngDialect/Runtime/RngRuntime.h`); embedders that bring their own set
    `prefix`. The state comes back through a stack slot in the entry block of
    the function. `rng.generator` ops are erased: `rngDeclare` gives each its
    seed, unless it is known already, when the module is loaded (by a constructor
    in `llvm.mlir.global_ctors`) and before each use.

    Stateful draws are an error: run `rng-thread-state` first.

    ```mlir-fragment
    %seed, %offset = rng.reserve %blocks : i64, i64
    ```
    becomes
    ```mlir-fragment
    %state = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
    %name = llvm.mlir.zero : !llvm.ptr
    llvm.call @rngReserve(%name, %blocks, %state)
        : (!llvm.ptr, i64, !llvm.ptr) -> ()
    %seed_address = llvm.getelementptr %state[0] : (!llvm.ptr) -> !llvm.ptr, i64
    %seed = llvm.load %seed_address : !llvm.ptr -> i64
    %offset_address = llvm.getelementptr %state[1]
        : (!llvm.ptr) -> !llvm.ptr, i64
    %offset = llvm.load %offset_address : !llvm.ptr -> i64
    ```
  }];
  let options = [
    Option<"prefix", "prefix", "std::string", [{"rng"}],
           "Prefix of the functions of the runtime">];
  let statistics = [
    Statistic<"numCalls", "num-calls", "Number of state ops lowered">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

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

    ```mlir-fragment
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
    ```
    becomes
    ```mlir-fragment
    %snapshot = memref.alloc() : memref<2xi64>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
                                     affine_map<(d0) -> (d0)>],
                    iterator_types = ["parallel"]}
        outs(%memory, %snapshot : memref<2xi64>, memref<2xi64>) {
    ^bb0(%word: i64, %out: i64):
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

def ConvertRngToArithPass : Pass<"convert-rng-to-arith"> {
  let summary = "Lower scalar and vector draws to arith, math and vector";
  let description = [{
    Stateless draws of scalars and vectors become the arithmetic of their
    algorithm: logical index, block, words, value. Lanes whose places in the
    logical draw are static relative to a start of a block (`aligned`, or a
    static index) share the blocks they have in common; other lanes compute one
    each. `rng.advance` becomes an addition. Draws of tensors are left alone.

    ```mlir-fragment
    %w = rng.stateless_bits %seed, %offset slice [%i] of [%n] : i32
    ```
    becomes (some of it left out)
    ```mlir-fragment
    %index = arith.index_castui %i : index to i64
    %block = arith.shrui %index, %c2 : i64
    %slot = arith.andi %index, %c3 : i64
    %low, %high = arith.mului_extended %counter_0, %multiplier : i32
    ...
    %w = arith.select %is_slot_3, %word_3, %w_2 : i32
    ```
  }];
  let options = [
    Option<"keepInBodies", "keep-in-bodies", "bool", /*default=*/"false",
           "Leave draws from scalars in the bodies of structured ops to "
           "convert-rng-to-gpu">,
    Option<"maxScalarBlocks", "max-scalar-blocks", "unsigned", /*default=*/"1",
           "Compute more blocks than this of neighbouring lanes as one vector; "
           "what has no SIMD registers wants 8">];
  let statistics = [
    Statistic<"numDraws", "num-draws", "Number of draws lowered">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def ConvertRngToLinalgPass : Pass<"convert-rng-to-linalg"> {
  let summary = "Lower tensor draws to linalg.generic of scalar draws";
  let description = [{
    A stateless draw of a tensor becomes a `linalg.generic` whose body draws one
    element: the slice that starts at the indices of the loops. Elementwise
    fusion can then merge it with its users, so that the random values need no
    memory.

    ```mlir-fragment
    %u = rng.stateless_uniform %seed, %offset : tensor<8x4xf32>
    ```
    becomes
    ```mlir-fragment
    %empty = tensor.empty() : tensor<8x4xf32>
    %u = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        outs(%empty : tensor<8x4xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %e = rng.stateless_uniform %seed, %offset slice [%i, %j] of [8, 4] : f32
      linalg.yield %e : f32
    } -> tensor<8x4xf32>
    ```

    A draw at `%snapshot[%delta]` reads seed and offset in front of the op, or,
    with `snapshots-in-body`, in it: `ins(%snapshot, %snapshot)` with the maps
    `(i, j) -> (0)` and `(i, j) -> (1)`. Kernels then load the state from device
    memory whenever they run, and the host never does.
  }];
  let options = [
    Option<"snapshotsInBody", "snapshots-in-body", "bool", /*default=*/"false",
           "Read snapshots in the body of the op">];
  let statistics = [
    Statistic<"numDraws", "num-draws", "Number of draws lowered">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Steps of the pipelines
//===----------------------------------------------------------------------===//

def RngBufferizePass : Pass<"rng-bufferize", "::mlir::ModuleOp"> {
  let summary = "Bufferize so that functions see contiguous buffers only";
  let description = [{
    Runs `one-shot-bufferize` with function boundaries and identity layouts.
    It hands a view of a buffer with dynamic sizes to a function, or returns it,
    by a cast that is only right if the view has no gaps: this pass makes
    contiguous copies instead. Casts that the program had before stay.

    The globals that it makes of constants stand in front, named and in the order
    of their first uses.

    ```mlir-fragment
    %s = tensor.extract_slice %t[0, 0] [%m, %n] [1, 1]
        : tensor<?x?xf32> to tensor<?x?xf32>
    return %s : tensor<?x?xf32>
    ```
    becomes
    ```mlir-fragment
    %s = memref.subview %t[0, 0] [%m, %n] [1, 1]
        : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %copy = memref.alloc(%m, %n) : memref<?x?xf32>
    memref.copy %s, %copy
        : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
    return %copy : memref<?x?xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numCopies", "copies", "Number of views that were copied">
  ];
}

def RngCheckBufferizablePass : Pass<"rng-check-bufferizable"> {
  let summary = "Report ops on tensors that cannot be bufferized";
  let description = [{
    Fails at an op on tensors without `BufferizableOpInterface`, and names it,
    which `one-shot-bufferize` does not, and at a tensor with an encoding, which
    would be lost. In the pipelines, just before that.

    ```mlir-fragment
    %b = tosa.tanh %a : (tensor<4xf32>) -> tensor<4xf32> // error
    %c = tensor.empty() : tensor<4xf32>                  // fine
    ```
    stays as it is.
  }];
}

def RngCheckLowerablePass : Pass<"rng-check-lowerable"> {
  let summary = "Report what cannot be lowered";
  let description = [{
    Fails at

    * an op of a dialect that is not registered, or that no pass of the
      pipelines lowers (it has no `ConvertToLLVMPatternInterface`);
    * an op of this dialect or on tensors in a nested module, a stateful draw, a
      draw that an algorithm does not define, an `rng.reserve_memory` in code
      that threads run or on memory of an odd layout or space;
    * a value, a function or a global of a type that has no form in LLVM, such
      as a quantised number or memory in a space that is not a number
      (`allow-kernels` lets those of the `gpu` dialect pass);
    * a value of more than 2^62 bytes of static size, a vector of more than 65536
      elements, a tensor with an encoding, which a buffer does not keep;
    * an op on tensors, or on what holds tensors, that cannot be bufferized, and
      `bufferization.to_tensor` without `restrict`;
    * a function that does not end in `func.return`, or never ends;
    * an op that frees memory, such as `memref.dealloc`, or that does not say
      what it does to memory: `rng-to-cpu` frees what functions allocate, and
      cannot mix that with what a program frees (`allow-dealloc` lets these
      pass).

    First in the pipelines, so that they decide before they change anything.
    Warns of joint functions that `rng-partition` has not split.

    ```mlir-fragment
    %z = rng.stateless_normal %seed, %offset : f32  // error, not there yet
    %u = rng.stateless_uniform %seed, %offset : f32 // fine
    ```
    stays as it is.
  }];
  let options = [
    Option<"allowDealloc", "allow-dealloc", "bool", /*default=*/"false",
           "Let memref.dealloc pass: functions without tensors free by "
           "themselves">,
    Option<"allowKernels", "allow-kernels", "bool", /*default=*/"false",
           "Let types of the gpu dialect pass: kernels are compiled">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def RngReturnAtUnreachablePass : Pass<"rng-return-at-unreachable"> {
  let summary = "Let basic blocks that are never reached return";
  let description = [{
    Replaces `ub.unreachable` by what other basic blocks of the region end in, a
    return of the function as a rule, with poison for its operands: nobody can
    tell. Upstream's deallocation refuses the op, and a function with one exit
    can become structured control flow.

    ```mlir-fragment
    ub.unreachable
    ```
    becomes
    ```mlir-fragment
    %0 = ub.poison : tensor<4xf32>
    return %0 : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::ub::UBDialect"];
}

def RngDefinePoisonPass : Pass<"rng-define-poison"> {
  let summary = "Replace poisoned tensors by undefined ones";
  let description = [{
    Replaces `ub.poison` of a tensor, which `lift-cf-to-scf` puts where a value
    is not needed and which bufferization does not know, by `tensor.empty`.
    Dynamic sizes are 0.

    ```mlir-fragment
    %0 = ub.poison : tensor<2xi64>
    ```
    becomes
    ```mlir-fragment
    %0 = tensor.empty() : tensor<2xi64>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RngDropEmptySlicesPass : Pass<"rng-drop-empty-slices"> {
  let summary = "Drop slices without elements";
  let description = [{
    Drops insertions of tensors without elements and such inputs of
    `tensor.concat`; `tensor.pad` of one becomes `tensor.generate`. Lowered, they
    would be slices that start where a tensor ends, which upstream's verifiers
    refuse.

    ```mlir-fragment
    %c = tensor.concat dim(0) %a, %b
        : (tensor<2xf32>, tensor<0xf32>) -> tensor<2xf32>
    %d = tensor.insert_slice %b into %c[%i] [0] [1]
        : tensor<0xf32> into tensor<2xf32>
    // becomes: %d is %a
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"];
}

def RngExpandMathPass : Pass<"rng-expand-math"> {
  let summary = "Compute math functions by polynomials";
  let description = [{
    With `math=poly` replaces functions of `math` on floats up to 32 bits by
    arithmetic (polynomials, or other functions that have one), so that every
    target computes the same bits and none needs a library. What has no
    polynomial is left, and all is with `math=libm`. An error are functions of
    tensors: they are turned into linalg first.

    ```mlir-fragment
    %t = math.tanh %x : f32
    ```
    becomes (the middle left out)
    ```mlir-fragment
    %x2 = arith.mulf %x_clamped, %x_clamped : f32
    ...
    %t = arith.divf %p, %q : f32
    ```
  }];
  let options = [
    Option<"math", "math", "::mlir::rng::MathLowering",
           "::mlir::rng::MathLowering::Poly", "How math functions are computed",
           [{::llvm::cl::values(
             clEnumValN(::mlir::rng::MathLowering::Poly, "poly",
                        "polynomials: the same bits on every target"),
             clEnumValN(::mlir::rng::MathLowering::Libm, "libm",
                        "the C library"))}]>];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def RngFinalizeLLVMPass : Pass<"rng-finalize-llvm", "ModuleOp"> {
  let summary = "Make sure that a module is of the LLVM dialect alone";
  let description = [{
    Last in the pipelines: names the first op that no pass of the pipeline could
    lower (compiled kernels and their launches are fine), instead of leaving
    that to the next tool, and drops attributes of other dialects that
    conversions left on ops and that tools without these dialects could not
    parse. What a conversion of a float to an integer yields is frozen: of a
    float that no integer stands for, it is any number, but not poison.

    ```mlir-fragment
    %y = llvm.fpext %x {fastmath = #arith.fastmath<contract>} : f16 to f32
    ```
    becomes
    ```mlir-fragment
    %y = llvm.fpext %x : f16 to f32
    ```
  }];
}

def RngFuseElementwisePass : Pass<"rng-fuse-elementwise"> {
  let summary = "Make one linalg op of each region of elementwise ops";
  let description = [{
    A *region* is a set of elementwise `linalg.generic` ops in one block over one
    iteration space (sizes that are equal, static or dynamic), connected by what
    one makes and the other reads at the same indices, or by a tensor that
    several read. It becomes one op, with a result for each value that something
    outside of the region uses. Nothing is computed twice. Regions are maximal,
    but for

    * values that depend on a region through another op, such as a contraction:
      what uses them is in another region. What only that one needs is computed
      there: a mask is drawn where it is used;
    * `max-cost` and `max-operands`: a region beyond is cut, in program order.

    Into reductions, and where elements are read in another order or several
    times (a transposition, a broadcast), an op is fused if nothing else uses it
    and no more is stored than before; but not where that repeats a draw or a
    math function. Reads of a broadcast or a fill become reads of what is
    broadcast.

    The ops of a region are moved to the last one, or to the first use of one of
    their results, and what they need before them; ops with effects keep their
    order.

    ```mlir-fragment
    %keep = linalg.generic {...} outs(%e0) { draw } -> tensor<8xi1>
    %y = linalg.generic {...} ins(%keep, %x) outs(%e1) { select }
        -> tensor<8xf32>
    %z = linalg.generic {...} ins(%y) outs(%e2) { negf } -> tensor<8xf32>
    return %y, %z
    ```
    becomes
    ```mlir-fragment
    %yz:2 = linalg.generic {...} ins(%x) outs(%e1, %e2) { draw, select, negf }
        -> tensor<8xf32>, tensor<8xf32>
    return %yz#0, %yz#1
    ```
  }];
  let options = [
    Option<"maxCost", "max-cost", "int64_t", /*default=*/"1024",
           "Most instructions of a region (1 an op, 16 a math function, 64 a "
           "draw)">,
    Option<"maxOperands", "max-operands", "int64_t", /*default=*/"32",
           "Most tensors that a region reads and writes">];
  let statistics = [
    Statistic<"numRegions", "num-regions", "Number of regions of several ops">,
    Statistic<"numFused", "num-fused", "Number of ops in them">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"];
}

def RngFuseRowsPass : Pass<"rng-fuse-rows"> {
  let summary = "Make one loop over rows of reductions and what is around them";
  let description = [{
    A *row region* is a set of `linalg.generic` ops in one block, connected and
    maximal as regions of `rng-fuse-elementwise` are: reductions over the
    innermost dimensions, and elementwise ops, whose outermost loops (one to
    three) are over the same rows, and each of which reads only its own row of
    what the others make. A softmax or a layer norm with a dropout behind it is
    one. It becomes an `scf.forall` over the rows around its ops, each of which
    does one row. What only the region uses is a tensor of one row.

    Regions of a single reduction and of what has one element a row stay as they
    are, and so do contractions: ops with parallel loops inside the row and reductions.
    `max-cost` and `max-operands` are those of `rng-fuse-elementwise`.

    ```mlir-fragment
    %sums = linalg.generic {iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x4xf32>) outs(%zeros : tensor<8xf32>) { addf }
    %y = linalg.generic {iterator_types = ["parallel", "parallel"]}
        ins(%x, %sums : tensor<8x4xf32>, tensor<8xf32>)
        outs(%e : tensor<8x4xf32>) { divf }
    ```
    becomes
    ```mlir-fragment
    %y = scf.forall (%i) in (8) shared_outs(%out = %e) -> (tensor<8x4xf32>) {
      %x_row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1]
          : tensor<8x4xf32> to tensor<1x4xf32>
      ...
      %sum = linalg.generic {iterator_types = ["parallel", "reduction"]}
          ins(%x_row : tensor<1x4xf32>) outs(%zero : tensor<1xf32>) { addf }
      %y_row = linalg.generic {iterator_types = ["parallel", "parallel"]}
          ins(%x_row, %sum : tensor<1x4xf32>, tensor<1xf32>)
          outs(%out_row : tensor<1x4xf32>) { divf }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y_row into %out[%i, 0] [1, 4] [1, 1]
            : tensor<1x4xf32> into tensor<8x4xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"maxCost", "max-cost", "int64_t", /*default=*/"1024",
           "Most instructions of a region, as in rng-fuse-elementwise">,
    Option<"maxOperands", "max-operands", "int64_t", /*default=*/"32",
           "Most tensors that a region reads and writes">];
  let statistics = [
    Statistic<"numRegions", "num-regions", "Number of loops over rows">,
    Statistic<"numFused", "num-fused", "Number of ops in them">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def RngGeneralizeElementwisePass : Pass<"rng-generalize-elementwise"> {
  let summary = "Generalize named linalg ops other than contractions";
  let description = [{
    Makes `linalg.generic` of named ops and `tensor.splat` so that they can be
    fused, and of ops on tensors that stand for several (`linalg.softmax`).
    Contractions and convolutions stay named until fusion is over: fused into
    the innermost loop, elementwise work would be done again for each of its
    iterations.

    ```mlir-fragment
    %b = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<8x4xf32>)
        dimensions = [0]
    ```
    becomes
    ```mlir-fragment
    %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>,
                                          affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def RngKeepArgumentsPass : Pass<"rng-keep-arguments"> {
  let summary = "Mark tensor arguments of public functions as read only";
  let description = [{
    Sets `bufferization.writable = false` on tensor arguments of public
    functions that do not say otherwise: bufferization would write results into
    the memory of the caller's inputs.

    ```mlir-fragment
    func.func @f(%a: tensor<8xf32>)
    ```
    becomes
    ```mlir-fragment
    func.func @f(%a: tensor<8xf32> {bufferization.writable = false})
    ```
  }];
  let statistics = [
    Statistic<"numArguments", "num-arguments", "Number of arguments marked">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

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

def RngKeepRoundingsPass : Pass<"rng-keep-roundings"> {
  let summary = "Round wherever the program rounds";
  let description = [{
    Takes from `arith.extf` and `arith.truncf` the permission to be contracted.
    Upstream computes narrow floats in wide ones and lets folds skip the rounding
    between two operations; the bits would then depend on what was fused, and
    differ between the CPU and a GPU with operations on narrow floats.

    ```mlir-fragment
    %h = arith.truncf %x fastmath<contract> : f32 to bf16
    %y = arith.extf %h fastmath<contract> : bf16 to f32
    ```
    becomes
    ```mlir-fragment
    %h = arith.truncf %x : f32 to bf16
    %y = arith.extf %h : bf16 to f32
    ```
  }];
}

def RngRepeatFillsPass : Pass<"rng-repeat-fills"> {
  let summary = "Fill a tensor again for each op that overwrites it";
  let description = [{
    A fill whose result several `linalg` ops accumulate into is cloned for each
    of them, so that bufferization does not copy it. The last pass before
    bufferization that may do so: CSE makes one of the clones.

    ```mlir-fragment
    %zero = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>)
    %a = linalg.matmul ins(%x, %y) outs(%zero)
    %b = linalg.matmul ins(%y, %x) outs(%zero)
    ```
    becomes
    ```mlir-fragment
    %zero_a = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>)
    %a = linalg.matmul ins(%x, %y) outs(%zero_a)
    %zero = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>)
    %b = linalg.matmul ins(%y, %x) outs(%zero)
    ```

    A `tensor.empty` that CSE has made one for more than 32 ops becomes one for
    each 32: the time of bufferization grows with the square of this number.
  }];
  let statistics = [
    Statistic<"numFills", "num-fills", "Number of fills that were added">,
    Statistic<"numEmpties", "num-empties",
              "Number of empty tensors that were added">];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def RngStripAttributesPass : Pass<"rng-strip-attributes"> {
  let summary = "Remove the discardable attributes of the rng dialect";
  let description = [{
    Removes what the dialect notes on modules, functions, arguments, results and
    ops: it has served its purpose once all draws are lowered, and tools without
    the dialect could not parse it.

    ```mlir-fragment
    func.func @f(%w: tensor<8xf32> {rng.persistent})
    ```
    becomes
    ```mlir-fragment
    func.func @f(%w: tensor<8xf32>)
    ```
  }];
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

def RngMarkDeviceFunctionsPass
    : Pass<"rng-mark-device-functions", "::mlir::ModuleOp"> {
  let summary = "Mark the functions that work in device memory";
  let description = [{
    Puts `rng.device` on each function that takes or returns tensors or has an
    op that computes with them: one with a tensor operand or result, other than
    calls, `bufferization.to_tensor` and `bufferization.to_buffer`. In these
    functions every buffer will be device memory, arguments and results
    included; so they are in functions defined elsewhere that take or return
    tensors, unless they are C functions (`llvm.emit_c_interface`). All other
    functions are host code and are left as they are: a driver may allocate
    device memory (`gpu.alloc`), fill it from the host (`gpu.memcpy`), hand it
    to a device function as a tensor (`bufferization.to_tensor`), and owns
    (frees) the results that come back.

    Runs before bufferization, after which tensors are gone.

    ```mlir-fragment
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = arith.addf %x, %x : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    // becomes
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {rng.device} {
      %y = arith.addf %x, %x : tensor<8xf32>
      return %y : tensor<8xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numDeviceFunctions", "num-device-functions",
              "Functions that work in device memory">
  ];
}

def ConvertRngToGPUPass : Pass<"convert-rng-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn work on buffers of device functions into kernels";
  let description = [{
    In functions marked `rng.device` (see `rng-mark-device-functions`), after
    bufferization:

    * each structured op (any `linalg` op on buffers) and each `memref.copy`
      becomes a `gpu.launch`: one thread for each point of the parallel
      dimensions in row-major order, blocks of 256 in one grid dimension,
      reduction dimensions in a loop in the thread, their results in registers,
      in the order of the indices. An op whose results are not one to one with
      its parallel points is run by a single thread;
    * in an elementwise op on contiguous buffers (identity maps and layouts;
      inputs may be broadcast over outer or inner dimensions of matching sizes),
      a thread does groups of as many neighbours as fill 16 bytes of the widest
      operand, or as a block of a draw yields, if more: up to 16 elements, fewer
      where loads or code would be long or the size is known to be small. The
      groups of a block of threads lie side by side, first the first one of each
      thread. Each operand is accessed 16 bytes at a time (masks too, an i1 is a
      byte), and draws of the element compute each block once for all its
      values. Further threads of the kernel do one element each: what is left of
      the size, or everything if an address turns out to be no multiple of 16.
      Other draws stay, for `convert-rng-to-arith`. A copy of contiguous buffers
      is done so too;
    * a reduction whose innermost loop is one is done by a block of threads for
      each element of its result, in the order of `docs/spec.md`, section
      "Reductions", unless it is short: up to 32 values of known number are one
      thread's;
    * a contraction with loops over rows and columns of its result (a matmul, in
      batches or transposed) is done by blocks of 16 x 16 threads, through tiles
      in workgroup memory, in the order of its loops;
    * `scf.forall` on buffers, without a mapping, of structured ops, copies,
      views, scalar accesses, index arithmetic and `memref.alloc` is one kernel:
      a block of threads for each iteration does one op after the other, with
      barriers between those that depend on each other. What it allocates is
      workgroup memory while 48 KiB last, else device memory. Other parallel
      loops stay on the host;
    * `memref.store` is a kernel of one thread; `memref.load` one that takes the
      element to a buffer of its own, which is copied to the host;
    * `memref.alloc` becomes `gpu.alloc`, constants (`memref.get_global`) are
      copied to the device;
    * a buffer that is handed to a function without the mark, host code, is
      copied to the host for the call and back afterwards.

    Index arithmetic has 64 bits, or 32 in groups of shapes that are known to
    fit. Shapes that may be empty are guarded, as a grid of zero blocks is an
    error. What is left on the host has no kernel form and does not touch device
    memory; an op that would is an error. Scalars are host values and become
    kernel arguments. The kernels use no dialect of a vendor.

    ```mlir-fragment
    linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}
        ins(%x : memref<?xf32, strided<[2]>>) outs(%y : memref<?xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    }
    // becomes
    %some = arith.cmpi ne, %n, %c0 : index
    scf.if %some {
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
        %base = arith.muli %bx, %c256 : index
        %i = arith.addi %base, %tx : index
        %inside = arith.cmpi ult, %i, %n : index
        scf.if %inside {
          %a = memref.load %x[%i] : memref<?xf32, strided<[2]>>
          %s = arith.addf %a, %a : f32
          memref.store %s, %y[%i] : memref<?xf32>
        }
        gpu.terminator
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels made">
  ];
}

def RngAlignWorkgroupMemoryPass : Pass<"rng-align-workgroup-memory"> {
  let summary = "Align the workgroup memory of kernels to 16 bytes";
  let description = [{
    Puts `llvm.align = 16` on workgroup attributions of `gpu.func` without an
    alignment: LLVM takes arrays of 16 bytes or more to be aligned so and makes
    accesses of 8 and 16 bytes, but its NVPTX backend only aligns them to their
    elements.

    ```mlir-fragment
    gpu.func @f() workgroup(%m: memref<8xf32, #gpu.address_space<workgroup>>)
    // becomes
    gpu.func @f() workgroup(%m: memref<8xf32, #gpu.address_space<workgroup>>
        {llvm.align = 16 : i64})
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def RngHoistFromLaunchesPass
    : InterfacePass<"rng-hoist-from-launches", "::mlir::FunctionOpInterface"> {
  let summary = "Compute on the host what kernels compute of its floats alone";
  let description = [{
    Moves operations of `arith` and `math` on scalars in front of the
    `gpu.launch` that they are in if all their operands are floats from outside,
    results of operations that move, or constants: one thread's worth of work
    instead of every thread's. Of integers nothing starts to move, for what is
    computed of a seed or a size is often as many values as operations, each of
    which a kernel would have to load.

    ```mlir-fragment
    gpu.launch ... {
      %scaled = arith.mulf %p, %unit : f32
      %threshold = arith.fptoui %scaled : f32 to i32
      ...
    }
    // becomes
    %scaled = arith.mulf %p, %unit : f32
    %threshold = arith.fptoui %scaled : f32 to i32
    gpu.launch ... {
      ...
    }
    ```
  }];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Operations moved">
  ];
}

def RngInsertDeviceDeallocsPass
    : Pass<"rng-insert-device-deallocs", "::mlir::ModuleOp"> {
  let summary = "Free the buffers of device functions";
  let description = [{
    Upstream's ownership-based deallocation, for functions marked `rng.device`
    only: results belong to the caller, arguments are not freed, everything else
    is freed (`bufferization.dealloc`). Functions without the mark free their
    memory themselves.

    ```mlir-fragment
    func.func @f(%x: memref<8xf32>) attributes {rng.device} {
      %t = gpu.alloc () : memref<8xf32>
      gpu.launch_func @f_kernel::@f_kernel
          blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
          args(%x : memref<8xf32>, %t : memref<8xf32>)
      bufferization.dealloc (%t : memref<8xf32>) if (%true)   // <- new
      return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def RngLowerDeviceDeallocsPass
    : Pass<"rng-lower-device-deallocs", "::mlir::ModuleOp"> {
  let summary = "Turn deallocations of device memory into gpu.dealloc";
  let description = [{
    In functions marked `rng.device`, after `convert-rng-to-gpu` and the
    lowering of `bufferization.dealloc`: a `memref.dealloc` of what did not come
    from `memref.alloc` (host memory) becomes `gpu.dealloc`, a
    `bufferization.clone` becomes an allocation and a kernel that copies. Then
    removes the marks.

    ```mlir-fragment
    memref.dealloc %t : memref<8xf32>
    // becomes
    gpu.dealloc %t : memref<8xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def RngEmulateGPUPass : Pass<"rng-emulate-gpu", "::mlir::ModuleOp"> {
  let summary = "Run kernels on the host";
  let description = [{
    For tests on machines without a GPU: the kernels of `gpu.launch` and
    `gpu.launch_func`, as `convert-rng-to-gpu` and `gpu-kernel-outlining` leave
    them, become loops of the host over blocks and their threads around the same
    bodies.

    * Ids and sizes are the variables and bounds of the loops.
    * At `gpu.barrier` the loop over the threads of a block ends and another one
      begins. Values that live across it are kept in buffers of one element a
      thread; constants and views are repeated.
    * `scf.for`, `scf.while` and `scf.if` with barriers are outside of the loops
      over threads. Their bounds and conditions must be the same for all threads
      of a block, as constants, arguments, block ids, sizes, and what ops without
      memory effects compute of such values are; other barriers are errors.
    * Workgroup attributions are buffers that one block after the other uses;
      private ones, and `memref.alloca` at the top level, have memory of their
      own for each thread. Both are freed after the launch.
    * `gpu.alloc`, `gpu.dealloc`, `gpu.memcpy` and `gpu.memset` become accesses
      to memory of the host. All memory spaces are dropped from the module.
    * Everything happens in program order: tokens and waits vanish.
    * Functions and globals beside kernels move to the module, with new names
      where theirs are taken.

    Subgroup ops, clusters, shared memory of dynamic size, and ops of vendors
    are errors. An error leaves the module as it was.

    ```mlir-fragment
    gpu.module @fill_kernel {
      gpu.func @fill_kernel(%x: memref<?xf32>, %v: f32) kernel {
        %i = gpu.global_id x
        memref.store %v, %x[%i] : memref<?xf32>
        gpu.return
      }
    }
    ...
    gpu.launch_func @fill_kernel::@fill_kernel
        blocks in (%b, %c1, %c1) threads in (%t, %c1, %c1)
        args(%x : memref<?xf32>, %v : f32)
    // becomes
    func.func private @fill_kernel(
        %bx: index, %by: index, %bz: index, %tx: index, %ty: index, %tz: index,
        %x: memref<?xf32>, %v: f32) {
      scf.for %k = %c0 to %bz step %c1 {
        ...
          scf.for %j = %c0 to %tx step %c1 {
            %first = arith.muli %block, %tx : index
            %i = arith.addi %first, %j : index
            memref.store %v, %x[%i] : memref<?xf32>
          }
      }
      return
    }
    ...
    func.call @fill_kernel(%b, %c1, %c1, %t, %c1, %c1, %x, %v)
        : (index, index, index, index, index, index, memref<?xf32>, f32) -> ()
    ```
  }];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Launches replaced">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def RngCheckNVPTXTargetPass
    : Pass<"rng-check-nvptx-target", "::mlir::ModuleOp"> {
  let summary = "Check that the target and its tools exist";
  let description = [{
    Fails with an error if LLVM does not know `chip` or it is older than `sm_70`;
    `format` is none of `isa`, `bin` and `fatbin`, needs tools that are missing or
    has tools that do not know the chip; `opt-level` is not 0 to 3; `math` is
    `libm` and there is no libdevice; or a `gpu.module` has a target of its own
    for which the same holds. Changes nothing.

    Tools are looked for on `PATH`, then in the CUDA toolkit. The toolkit is the
    first with a libdevice: what `CUDA_ROOT`, `CUDA_HOME` or `CUDA_PATH` names,
    where `nvcc` or `ptxas` on `PATH` is, `/usr/local/cuda`, `/usr/lib/cuda`,
    `/usr/lib/nvidia-cuda-toolkit`, `/opt/cuda`.

    ```mlir-fragment
    // error: expected option 'chip' to name an NVIDIA chip such as 'sm_90'
    //        but got 'foo'
    module {}
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The chip to compile for">,
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "What kernels become: isa (PTX), bin (cubin) or fatbin">,
    Option<"optLevel", "opt-level", "int", /*default=*/"3",
           "Optimization level of kernels, 0 to 3">,
    Option<"math", "math", "::mlir::rng::MathLowering",
           "::mlir::rng::MathLowering::Poly", "How math functions are computed",
           [{::llvm::cl::values(
             clEnumValN(::mlir::rng::MathLowering::Poly, "poly",
                        "polynomials: the same bits on every target"),
             clEnumValN(::mlir::rng::MathLowering::Libm, "libm",
                        "libdevice of the CUDA toolkit"))}]>
  ];
}

def RngConvertKernelMathPass
    : Pass<"rng-convert-kernel-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math functions to those of NVIDIA GPUs";
  let description = [{
    Turns the `math` ops that the machine computes exactly or correctly rounded
    into LLVM intrinsics: absf, ceil, floor, trunc, round, roundeven, sqrt,
    copysign, fma on floats of any width, absi, ctlz, cttz, ctpop on integers;
    isnan, isinf, isfinite become comparisons. Any other op of the dialect, and
    `arith.remf`, needs the CUDA toolkit's libdevice and is an error;
    functions of f32 and narrower are to be expanded before. With `math=libm` the
    ops on f32 and f64 that libdevice has stay for `convert-gpu-to-nvvm`, which
    calls it. An op on a type that the machine does not have, on which the backend
    fails or crashes, is an error too. Ops on vectors become one for each element,
    an error beyond 4096 of them, and `arith.sitofp` of an i1 a selection.

    ```mlir-fragment
    %y = math.sqrt %x : f32
    // becomes
    %y = llvm.intr.sqrt(%x) : (f32) -> f32
    ```
  }];
  let options = [
    Option<"math", "math", "::mlir::rng::MathLowering",
           "::mlir::rng::MathLowering::Poly", "How math functions are computed",
           [{::llvm::cl::values(
             clEnumValN(::mlir::rng::MathLowering::Poly, "poly",
                        "polynomials: the same bits on every target"),
             clEnumValN(::mlir::rng::MathLowering::Libm, "libm",
                        "libdevice of the CUDA toolkit"))}]>
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def RngCompileKernelsPass : Pass<"rng-compile-kernels", "::mlir::ModuleOp"> {
  let summary = "Compile kernels with the libdevice that is there";
  let description = [{
    Runs upstream's `gpu-module-to-binary`. If a kernel calls functions of
    libdevice, links the one that is found in the places that
    `rng-check-nvptx-target` lists; if there is none, or a kernel calls anything
    else that nothing defines, that is an error. Where nothing needs libdevice,
    upstream's complaint is dropped that the toolkit which the environment names
    has none.

    ```mlir-fragment
    gpu.module @f_kernel [#nvvm.target<chip = "sm_90">] { ... }
    // becomes
    gpu.binary @f_kernel [#gpu.object<#nvvm.target<chip = "sm_90">,
                          assembly = "...">]
    ```
  }];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "What kernels become: isa (PTX), bin (cubin) or fatbin">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def RngRenameKernelsPass : Pass<"rng-rename-kernels", "::mlir::ModuleOp"> {
  let summary = "Gives kernels names that PTX allows";
  let description = [{
    Renames what a `gpu.module` defines, and its uses, where the name is no
    identifier of PTX: other characters than letters, digits, `_` and `$` become
    `_`, a digit at the start gets one in front. Names that were different stay
    so. The names of modules of kernels, which host code alone uses, stay.

    ```mlir-fragment
    gpu.launch_func @main.f_kernel::@main.f_kernel blocks in ...
    // becomes
    gpu.launch_func @main.f_kernel::@main_f_kernel blocks in ...
    ```
  }];
  let statistics = [
    Statistic<"numRenamed", "num-renamed", "Symbols renamed">
  ];
}

def RngMarkReadOnlyArgumentsPass
    : Pass<"rng-mark-read-only-arguments", "::mlir::ModuleOp"> {
  let summary = "Tells which buffers a kernel only reads";
  let description = [{
    Marks pointer arguments of kernels (functions of LLVM in a `gpu.module`, as
    `convert-gpu-to-nvvm` makes them) `llvm.noalias` and `llvm.readonly` if the
    kernel only loads from them and, at each `gpu.launch_func`, they do not
    overlap with what it writes: of two buffers, one was allocated in the
    function that launches, and the other was too, by another op, or is one of
    its arguments. Loads from them become `ld.global.nc` and need not keep their
    place among stores. A kernel that works in place, or on two arguments of one
    function, stays as it is.

    ```mlir-fragment
    llvm.func @k(%allocated: !llvm.ptr, %aligned: !llvm.ptr, ...)
    // becomes
    llvm.func @k(%allocated: !llvm.ptr,
                 %aligned: !llvm.ptr {llvm.noalias, llvm.readonly}, ...)
    ```
  }];
  let statistics = [
    Statistic<"numReadOnly", "num-read-only", "Arguments marked">
  ];
}

def RngSelectKernelInstructionsPass
    : Pass<"rng-select-kernel-instructions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Brings arithmetic of kernels into forms of fewer instructions";
  let description = [{
    Rewrites what the NVPTX backend has one instruction for but does not find,
    without changing results:

    * `select(x < c, x, c)` and `select(x > c, x, c)` of f32 where x stays if it
      is NaN and c is a constant other than zero: `arith.minimumf` and
      `arith.maximumf`, if the target of the module (`nvvm-attach-target`) is
      sm_80 or later;
    * the extension to f32 of a bf16 from a vector: a shift or a mask of the
      register that holds two.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"
  ];
}

def RngDumpGPUBinariesPass : Pass<"rng-dump-gpu-binaries", "::mlir::ModuleOp"> {
  let summary = "Check compiled kernels and write them to files";
  let description = [{
    Fails if the PTX of a `gpu.binary` declares a function that nothing defines
    (a math function for which libdevice was missing). Then, with `dump-dir`,
    creates that folder and writes each `gpu.binary` there, to a file of its
    name: `.ptx`, `.cubin` or `.fatbin`. Drops how long compilation took from
    the module, so that two runs give the same bytes.

    ```mlir-fragment
    gpu.binary @f_kernel [#gpu.object<#nvvm.target<chip = "sm_90">,
                          assembly = "...">]     // written to f_kernel.ptx
    ```
  }];
  let options = [
    Option<"dumpDir", "dump-dir", "std::string", /*default=*/"\"\"",
           "Folder to write compiled kernels to">
  ];
  let statistics = [
    Statistic<"numFiles", "num-files", "Files written">
  ];
}

#endif // RNGDIALECT_CONVERSION_PASSES_TD
