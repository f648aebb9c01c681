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
    the function. Before each use of a named generator, `rngDeclare` gives it
    its seed unless it is known already. `rng.generator` ops are erased.

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
           "convert-rng-to-gpu">];
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

def RngCheckLowerablePass : Pass<"rng-check-lowerable"> {
  let summary = "Report draws that cannot be lowered";
  let description = [{
    Fails at an op of a dialect that is not registered, at an op of this dialect
    in a nested module, where a stateful draw is left, where an algorithm does
    not define a draw yet, at an `rng.reserve_memory` in code that threads run or
    on memory of an odd layout or space, and at `memref.dealloc` (`rng-to-cpu` frees what
    functions allocate, and cannot mix that with what a program frees;
    `allow-dealloc` lets it pass). First in the pipelines, so that they decide
    before they change anything.

    ```mlir-fragment
    %z = rng.stateless_normal %seed, %offset : f32  // error, not there yet
    %u = rng.stateless_uniform %seed, %offset : f32 // fine
    ```
    stays as it is.
  }];
  let options = [
    Option<"allowDealloc", "allow-dealloc", "bool", /*default=*/"false",
           "Let memref.dealloc pass: functions without tensors free by "
           "themselves">
  ];
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
    polynomial is left, and all is with `math=libm`.

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
    parse.

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
  let summary = "Fuse elementwise linalg ops unless that repeats costly work";
  let description = [{
    Fuses a `linalg.generic` into its only user, as
    `linalg-fuse-elementwise-ops` does, except where the user reads each element
    several times (a broadcast, a contraction) and the body draws or calls a
    math function.

    ```mlir-fragment
    %keep = linalg.generic {...} outs(%e0) { draw } -> tensor<8xi1>
    %y = linalg.generic {...} ins(%keep, %x) outs(%e1) { select }
        -> tensor<8xf32>
    ```
    becomes
    ```mlir-fragment
    %y = linalg.generic {...} ins(%x) outs(%e1) { draw, select }
        -> tensor<8xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def RngGeneralizeElementwisePass : Pass<"rng-generalize-elementwise"> {
  let summary = "Generalize named linalg ops other than contractions";
  let description = [{
    Makes `linalg.generic` of named ops and `tensor.splat` so that they can be
    fused. Contractions
    and convolutions stay named until fusion is over: fused into the innermost
    loop, elementwise work would be done again for each of its iterations.

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
    * `memref.store` is a kernel of one thread; `memref.load` one that takes the
      element to a buffer of its own, which is copied to the host;
    * `memref.alloc` becomes `gpu.alloc`, constants (`memref.get_global`) are
      copied to the device;
    * a buffer that is handed to a function without the mark, host code, is
      copied to the host for the call and back afterwards.

    Index arithmetic has 64 bits, or 32 in groups of shapes that are known to fit.
    Shapes that may be empty are guarded, as a
    grid of zero blocks is an error. What is left on the host has no kernel form
    and does not touch device memory; an op that would is an error. Scalars are
    host values and become kernel arguments. The kernels use no dialect of a
    vendor.

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
    * At `gpu.barrier`, at the top level of a kernel, the loop over the threads
      of a block ends and another one begins. Values that live across it are
      kept in buffers of one element a thread; constants and views are repeated.
      Barriers elsewhere are errors.
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
    Fails with an error if LLVM does not know `chip`, `format` is none of `isa`,
    `bin` and `fatbin` or needs tools that are missing, `opt-level` is not 0 to 3,
    or a `gpu.module` has a target of its own that is no NVIDIA chip known to
    LLVM. Changes nothing.

    ```mlir-fragment
    // error: expected option 'chip' to name an NVIDIA chip such as 'sm_90'
    //        but got 'foo'
    module {}
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The chip to compile for">,
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "What kernels become: isa (PTX), bin (cubin) or fatbin">,
    Option<"optLevel", "opt-level", "int", /*default=*/"3",
           "Optimization level of kernels, 0 to 3">
  ];
}

def RngConvertKernelMathPass
    : Pass<"rng-convert-kernel-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math functions to those of NVIDIA GPUs, without libdevice";
  let description = [{
    Turns the `math` ops that the machine computes exactly or correctly rounded
    into LLVM intrinsics: absf, ceil, floor, trunc, round, roundeven, sqrt,
    copysign, fma on floats of any width, absi, ctlz, cttz, ctpop on integers;
    isnan, isinf, isfinite become comparisons. Any other op of the dialect, and
    `arith.remf`, would need the CUDA toolkit's libdevice and is an error;
    functions of f32 and narrower are to be expanded before. So is an op on a type
    that the machine does not have, on which the backend fails or crashes.
    `arith.sitofp` of an i1 becomes a selection.

    ```mlir-fragment
    %y = math.sqrt %x : f32
    // becomes
    %y = llvm.intr.sqrt(%x) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
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
