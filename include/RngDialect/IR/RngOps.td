//===- RngOps.td - Operations ------------------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGOPS_TD
#define RNGDIALECT_IR_RNGOPS_TD

include "RngDialect/IR/RngAttrs.td"
include "RngDialect/IR/RngOpInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

class Rng_Op<string mnemonic, list<Trait> traits = []>
    : Op<Rng_Dialect, mnemonic, traits>;

def Rng_Generator : OptionalAttr<FlatSymbolRefAttr>;
def Rng_Algorithm : OptionalAttr<Rng_AlgorithmAttrInterface>;
def Rng_Snapshot
    : Type<CPred<"::mlir::rng::isSnapshotType($_self)">, "tensor<2xi64>",
           "::mlir::RankedTensorType">,
      BuildableType<"::mlir::rng::getSnapshotType($_builder.getContext())">;
// C7
def Rng_SeedOrSnapshot : AnyTypeOf<[I64, Rng_Snapshot],
    "an i64 seed or a tensor<2xi64> snapshot">;
def Rng_StateMemory : MemRefRankOf<[I64], [1]>;

//===----------------------------------------------------------------------===//
// Generators and their state
//===----------------------------------------------------------------------===//

def Rng_GeneratorOp : Rng_Op<"generator", [Symbol]> {
  let summary = "declares a named generator";
  let description = [{
    Declares a source of random numbers besides the default one. Draws from it
    use `algorithm` (the default generator's algorithm if absent); its state
    starts as (`seed`, 0), seed 0 if absent. Its name is neither empty, which
    would be the default generator's, nor does it hold a NUL, which ends names
    in the runtime.

    Example:

    ```mlir
    rng.generator @dropout {algorithm = #rng.philox, seed = 7 : i64}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       Rng_Algorithm:$algorithm,
                       OptionalAttr<I64Attr>:$seed);
  let assemblyFormat = "$sym_name attr-dict";
  let hasVerifier = 1;
}

/// The methods of an op on the state of a generator. Its effects, on
/// `RngStateResource`, name the generator, so that ops on two generators need
/// no order between them.
class Rng_StateMethods<bit reads, bit writes> {
  string definition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance>
            &effects) {
      ::mlir::rng::addStateEffects(getGeneratorAttr(), /*reads=*/}] #
      reads # [{, /*writes=*/}] # writes # [{, effects);
    }
    ::llvm::LogicalResult $cppClass::verifySymbolUses(
        ::mlir::SymbolTableCollection &symbolTable) {
      return ::mlir::rng::ir::verifyGenerator(*this, getGeneratorAttr(),
                                              symbolTable);
    }
  }];
}

class Rng_StateOp<string mnemonic, bit reads, bit writes,
                  list<Trait> traits = []>
    : Rng_Op<mnemonic, traits # [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let extraClassDefinition = Rng_StateMethods<reads, writes>.definition;
}

def Rng_GetStateOp : Rng_StateOp<"get_state", /*reads=*/1, /*writes=*/0, [
    DeclareOpInterfaceMethods<StateOpInterface, [
      "getStateAccess", "getYieldedSeed", "getYieldedOffset"]>]> {
  let summary = "reads the state of a generator";
  let description = [{
    Yields the current (seed, offset) of the generator, the default one if none
    is named. Reads the state.

    Example:

    ```mlir
    %seed, %offset = rng.get_state : i64, i64
    ```
  }];
  let arguments = (ins Rng_Generator:$generator);
  let results = (outs I64:$seed, I64:$offset);
  let assemblyFormat = [{
    ($generator^)? attr-dict `:` type($seed) `,` type($offset)
  }];
}

def Rng_SetStateOp : Rng_StateOp<"set_state", /*reads=*/0, /*writes=*/1, [
    DeclareOpInterfaceMethods<StateOpInterface, [
      "getStateAccess", "getStoredSeed", "getStoredOffset"]>]> {
  let summary = "sets the state of a generator";
  let description = [{
    Makes (seed, offset) the state of the generator. Writes the state.

    Example:

    ```mlir
    func.func @reseed(%seed: i64, %offset: i64) {
      rng.set_state %seed, %offset : i64, i64
      return
    }
    ```
  }];
  let arguments = (ins Rng_Generator:$generator, I64:$seed, I64:$offset);
  let assemblyFormat = [{
    ($generator^ `,`)? $seed `,` $offset attr-dict
    `:` type($seed) `,` type($offset)
  }];
}

def Rng_ReserveOp : Rng_StateOp<"reserve", /*reads=*/1, /*writes=*/1, [
    DeclareOpInterfaceMethods<StateOpInterface, [
      "getYieldedSeed", "getYieldedOffset", "getStateBlocks"]>]> {
  let summary = "atomically reads and advances the state of a generator";
  let description = [{
    Yields the state of the generator as it was and adds `blocks` (unsigned,
    mod 2^64) to its offset, in one atomic step: concurrent callers get disjoint
    ranges. Reads and writes the state.

    Example:

    ```mlir
    %blocks = arith.constant 3 : i64
    %seed, %offset = rng.reserve %blocks : i64, i64
    ```
  }];
  let arguments = (ins Rng_Generator:$generator, I64:$blocks);
  let results = (outs I64:$seed, I64:$offset);
  let assemblyFormat = [{
    ($generator^ `,`)? custom<I64Operand>($blocks, type($blocks)) attr-dict
    `:` type($seed) `,` type($offset)
  }];
}

def Rng_ReserveMemoryOp : Rng_Op<"reserve_memory", [
    DeclareOpInterfaceMethods<StateOpInterface, [
      "getStateGenerator", "getStateMemory", "getYieldedSeed",
      "getStateBlocks"]>]> {
  let summary = "reads and advances a state kept in memory";
  let description = [{
    Yields an immutable snapshot of the (seed, offset) that `memory` holds and
    adds `blocks` to the offset there. The state may live in device memory: the
    snapshot is read there too, so that a captured graph draws fresh numbers on
    each replay. Reads and writes `memory`.

    Example:

    ```mlir
    func.func @f(%memory: memref<2xi64>, %blocks: i64) -> tensor<2xi64> {
      %s = rng.reserve_memory %memory, %blocks
        : memref<2xi64> -> tensor<2xi64>
      return %s : tensor<2xi64>
    }
    ```
  }];
  let arguments = (ins
    Arg<Rng_StateMemory, "the state", [MemRead, MemWrite]>:$memory,
    I64:$blocks);
  let results = (outs Rng_Snapshot:$snapshot);
  let assemblyFormat = [{
    $memory `,` custom<I64Operand>($blocks, type($blocks)) attr-dict
    `:` type($memory) `->` type($snapshot)
  }];
  let hasVerifier = 1;
}

def Rng_AdvanceOp : Rng_Op<"advance", [Pure]> {
  let summary = "the offset after a draw";
  let description = [{
    Adds to `offset` (unsigned, mod 2^64) the stream blocks that a draw of this
    distribution and type reserves under `algorithm`: the one advance rule.
    Becomes an `arith.addi` when that number is static.

    Example:

    ```mlir
    func.func @f(%offset: i64, %d0: index) -> i64 {
      %next = rng.advance %offset by uniform tensor<?x8xf32>(%d0)
      return %next : i64
    }
    ```
  }];
  let arguments = (ins I64:$offset, Rng_Distribution:$distribution,
                       TypeAttr:$drawType, Variadic<Index>:$sizes,
                       Rng_Algorithm:$algorithm);
  let results = (outs I64:$next);
  let assemblyFormat = [{
    custom<I64Operand>($offset, type($offset)) `by` $distribution $drawType
    (`(` custom<SizeOperands>($sizes, type($sizes))^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The algorithm, `#rng.philox` if the attribute is absent.
    RngAlgorithmAttrInterface getDrawAlgorithm();
  }];
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

def Rng_FoldInOp : Rng_Op<"fold_in", [Pure]> {
  let summary = "the seed of a stream of its own";
  let description = [{
    Derives a seed from `seed` and `data`, such as the number of a rank, a layer
    or a step: words 0 (lower half) and 1 of the Philox4x32-10 stream block with
    key (seed lo32, seed hi32) and counter (data lo32, data hi32, 2^32 - 1,
    2^32 - 1). No draw under the default convention has a counter whose upper
    half is 2^64 - 1. The same for all algorithms. Pure.

    Example:

    ```mlir
    func.func @f(%seed: i64, %rank: i64) -> i64 {
      %own = rng.fold_in %seed, %rank
      return %own : i64
    }
    ```
  }];
  let arguments = (ins I64:$seed, I64:$data);
  let results = (outs I64:$result);
  let assemblyFormat = [{
    custom<I64Operand>($seed, type($seed)) `,`
    custom<I64Operand>($data, type($data)) attr-dict
  }];
}

def Rng_SplitOp : Rng_Op<"split", [Pure]> {
  let summary = "the seeds of several streams";
  let description = [{
    Derives as many seeds from `seed` as there are results. Result i is words 2
    (lower half) and 3 of the stream block of which `rng.fold_in %seed, %i`
    takes words 0 and 1, so that a seed may be split and folded into. Pure.

    Example:

    ```mlir
    func.func @f(%seed: i64) -> (i64, i64) {
      %a, %b = rng.split %seed : i64, i64
      return %a, %b : i64, i64
    }
    ```
  }];
  let arguments = (ins I64:$seed);
  let results = (outs Variadic<I64>:$results);
  let assemblyFormat = [{
    custom<I64Operand>($seed, type($seed)) attr-dict `:` type($results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Draws: what all share
//===----------------------------------------------------------------------===//

/// The types of a draw. Verified before the constraints on its operands and
/// result, which say the same but could not name the parameter in an error.
def Rng_DrawTypes : NativeOpTrait<"DrawTypes">, StructuralOpTrait {
  let cppNamespace = "::mlir::rng";
}

/// The facts of a distribution, for C++.
class Rng_DistributionFacts<Rng_DistributionCase distribution> {
  string definition = [{
    const ::mlir::rng::DistributionFacts &$cppClass::getFacts() {
      static constexpr ::mlir::rng::DistributionFacts facts = {
          ::mlir::rng::Distribution::}] # distribution.symbol # [{,
          "}] # distribution.elements.names # [{",
          "}] # distribution.params.keyword # [{",
          "}] # distribution.params.syntax # [{",
          /*numParams=*/}] # !size(distribution.params.names) # [{,
          /*areParamsOptional=*/}] # distribution.params.isOptional # [{,
          [](::mlir::Type elementType) -> bool {
            return }] # distribution.elements.condition # [{;
          },
          [](::mlir::Type elementType) -> ::mlir::Type {
            return }] # distribution.params.type.expression # [{;
          }};
      return facts;
    }
    ::mlir::rng::Distribution $cppClass::getDistribution() {
      return ::mlir::rng::Distribution::}] # distribution.symbol # [{;
    }
  }];
}

/// Draws `distribution` from a generator.
class Rng_StatefulDraw<Rng_DistributionCase distribution>
    : Rng_StateOp<distribution.str, /*reads=*/1, /*writes=*/1, [
        AttrSizedOperandSegments, Rng_DrawTypes,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, [
          "reifyResultShapes"]>,
        DeclareOpInterfaceMethods<StatefulDrawOpInterface, [
          "getDistribution", "getDrawAlgorithm", "buildStateless"]>]> {
  let arguments = (ins Rng_Generator:$generator,
                       Variadic<distribution.params.type.constraint>:$params,
                       Variadic<Index>:$sizes);
  let results = (outs Rng_Drawn<distribution.elements>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What RngDistributions.td says of the distribution.
    static const ::mlir::rng::DistributionFacts &getFacts();
  }];
  let extraClassDefinition =
      Rng_StateMethods</*reads=*/1, /*writes=*/1>.definition #
      Rng_DistributionFacts<distribution>.definition # [{
    ::mlir::rng::RngAlgorithmAttrInterface $cppClass::getDrawAlgorithm() {
      return ::mlir::rng::lookupAlgorithm(*this, getGeneratorAttr());
    }
    ::mlir::rng::StatelessDrawOpInterface $cppClass::buildStateless(
        ::mlir::OpBuilder &b,
        ::mlir::rng::RngAlgorithmAttrInterface algorithm, ::mlir::Value seed,
        ::mlir::Value offset) {
      return ::mlir::rng::ir::buildStateless(b, *this, algorithm, seed,
                                             offset);
    }
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &state) {
      return ::mlir::rng::ir::parseStatefulDraw(parser, state, getFacts());
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::mlir::rng::ir::printStatefulDraw(printer, *this);
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::rng::ir::verifyStatefulDraw(
          *this, ::mlir::OperationName(Stateless$cppClass::getOperationName(),
                                       getContext()));
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &b,
        ::mlir::ReifiedRankedShapedTypeDims &reified) {
      return ::mlir::rng::ir::reifyDrawShape(b, getType(), getSizes(),
                                             reified);
    }
  }];
}

/// The same numbers at a state.
class Rng_StatelessDraw<Rng_DistributionCase distribution>
    : Rng_Op<"stateless_" # distribution.str, [
        Pure, AttrSizedOperandSegments, Rng_DrawTypes,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, [
          "reifyResultShapes"]>,
        DeclareOpInterfaceMethods<StatelessDrawOpInterface, [
          "getDistribution", "getDrawAlgorithm", "getMixedSliceOffsets",
          "getMixedSliceSizes", "buildSlice"]>,
        DeclareOpInterfaceMethods<TilingInterface, [
          "getLoopIteratorTypes", "getIterationDomain",
          "getTiledImplementation", "getResultTilePosition",
          "generateResultTileValue", "getIterationDomainTileFromResultTile",
          "isOpFusableWithConsumerSlice"]>]> {
  let arguments = (ins Rng_SeedOrSnapshot:$seed, I64:$offset,
                       Variadic<distribution.params.type.constraint>:$params,
                       Variadic<Index>:$sizes,
                       Variadic<Index>:$sliceOffsets,
                       Variadic<Index>:$sliceSizes,
                       OptionalAttr<DenseI64ArrayAttr>:$staticSliceOffsets,
                       OptionalAttr<DenseI64ArrayAttr>:$staticSliceSizes,
                       Rng_Algorithm:$algorithm,
                       UnitAttr:$aligned);
  let results = (outs Rng_Drawn<distribution.elements>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let builders = [
    // The whole of a draw. The default algorithm may be null.
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$seed,
                   "::mlir::Value":$offset,
                   CArg<"::mlir::ValueRange", "{}">:$params,
                   CArg<"::mlir::ValueRange", "{}">:$sizes,
                   CArg<"::mlir::rng::RngAlgorithmAttrInterface",
                        "{}">:$algorithm), [{
      if (algorithm ==
          ::mlir::rng::getDefaultAlgorithm($_builder.getContext()))
        algorithm = {};
      build($_builder, $_state, type, seed, offset, params, sizes,
            /*sliceOffsets=*/::mlir::ValueRange(),
            /*sliceSizes=*/::mlir::ValueRange(),
            /*staticSliceOffsets=*/::mlir::DenseI64ArrayAttr(),
            /*staticSliceSizes=*/::mlir::DenseI64ArrayAttr(), algorithm,
            /*aligned=*/false);
    }]>
  ];
  let extraClassDefinition = [{
    ::mlir::rng::Distribution $cppClass::getDistribution() {
      return ::mlir::rng::Distribution::}] # distribution.symbol # [{;
    }
    ::mlir::rng::RngAlgorithmAttrInterface $cppClass::getDrawAlgorithm() {
      if (::mlir::rng::RngAlgorithmAttrInterface algorithm =
              getAlgorithmAttr())
        return algorithm;
      return ::mlir::rng::getDefaultAlgorithm(getContext());
    }
    ::llvm::SmallVector<::mlir::OpFoldResult>
    $cppClass::getMixedSliceOffsets() {
      return ::mlir::rng::ir::getMixedSlice(getStaticSliceOffsets(),
                                            getSliceOffsets(), getContext());
    }
    ::llvm::SmallVector<::mlir::OpFoldResult> $cppClass::getMixedSliceSizes() {
      return ::mlir::rng::ir::getMixedSlice(getStaticSliceSizes(),
                                            getSliceSizes(), getContext());
    }
    ::mlir::rng::StatelessDrawOpInterface $cppClass::buildSlice(
        ::mlir::OpBuilder &b, ::mlir::Location loc, ::mlir::Type type,
        ::mlir::ValueRange params, ::mlir::ValueRange sizes,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sliceOffsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sliceSizes, bool aligned) {
      return ::mlir::rng::ir::buildSlice(b, loc, *this, type, params, sizes,
                                         sliceOffsets, sliceSizes, aligned);
    }
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &state) {
      return ::mlir::rng::ir::parseStatelessDraw(
          parser, state,
          ::mlir::rng::getDistributionFacts(
              ::mlir::rng::Distribution::}] # distribution.symbol # [{));
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::mlir::rng::ir::printStatelessDraw(printer, *this, getSliceOffsets(),
                                          getSliceSizes());
    }
    ::llvm::LogicalResult $cppClass::verify() {
      if (failed(::mlir::rng::ir::verifyState(
              *this, getODSOperandIndexAndLength(0).second,
              getODSOperandIndexAndLength(1).second)))
        return ::mlir::failure();
      return ::mlir::rng::ir::verifySlice(
          *this, getType(), getStaticSliceOffsets(), getStaticSliceSizes(),
          getSliceOffsets().size(), getSliceSizes().size());
    }
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      if (::mlir::Attribute constant =
              ::mlir::rng::ir::foldToConstant(*this, adaptor.getParams()))
        return constant;
      if (!::mlir::rng::ir::isIdentitySlice(*this))
        return {};
      getSliceOffsetsMutable().clear();
      getSliceSizesMutable().clear();
      removeStaticSliceOffsetsAttr();
      removeStaticSliceSizesAttr();
      return getResult();
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &b,
        ::mlir::ReifiedRankedShapedTypeDims &reified) {
      return ::mlir::rng::ir::reifyDrawShape(b, getType(), getSizes(),
                                             reified);
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType>
    $cppClass::getLoopIteratorTypes() {
      return ::mlir::rng::ir::getIteratorTypes(*this);
    }
    ::llvm::SmallVector<::mlir::Range> $cppClass::getIterationDomain(
        ::mlir::OpBuilder &b) {
      return ::mlir::rng::ir::getDomain(b, *this);
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::getTiledImplementation(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return ::mlir::rng::ir::drawLoopTile(b, *this, offsets, sizes);
    }
    ::llvm::LogicalResult $cppClass::getResultTilePosition(
        ::mlir::OpBuilder &, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultOffsets,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultSizes) {
      return ::mlir::rng::ir::mapTile(*this, offsets, sizes, resultOffsets,
                                      resultSizes);
    }
    ::mlir::FailureOr<::mlir::TilingResult>
    $cppClass::generateResultTileValue(
        ::mlir::OpBuilder &b, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return ::mlir::rng::ir::drawTile(b, *this, offsets, sizes);
    }
    ::llvm::LogicalResult $cppClass::getIterationDomainTileFromResultTile(
        ::mlir::OpBuilder &, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &domain,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &domainSizes) {
      return ::mlir::rng::ir::mapTile(*this, offsets, sizes, domain,
                                      domainSizes);
    }
    bool $cppClass::isOpFusableWithConsumerSlice(
        unsigned, ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return ::mlir::rng::ir::isTile(*this, offsets, sizes);
    }
  }];
}

//===----------------------------------------------------------------------===//
// Stateful draws
//===----------------------------------------------------------------------===//

def Rng_UniformOp : Rng_StatefulDraw<Rng_Uniform> {
  let summary = "draws uniform floats from a generator";
  let description = [{
    Draws floats uniform in [lo, hi), in [0, 1) without `range`, and advances
    the generator. Bounds are f64 for f64 draws and f32 for narrower ones.
    lo >= hi or a non-finite hi - lo yields lo. Reads and writes the state.

    Example:

    ```mlir
    func.func @f(%lo: f32, %hi: f32, %d0: index) -> tensor<?x8xf32> {
      %u = rng.uniform range(%lo, %hi) sizes(%d0) : tensor<?x8xf32>
      return %u : tensor<?x8xf32>
    }
    ```
  }];
}

def Rng_NormalOp : Rng_StatefulDraw<Rng_Normal> {
  let summary = "draws normal floats from a generator";
  let description = [{
    Draws floats of the normal distribution with `params(mean, std)`, (0, 1)
    without, by Box-Muller, and advances the generator. Parameters are f64 for
    f64 draws and f32 for narrower ones. Reads and writes the state.

    Example:

    ```mlir
    %z = rng.normal : tensor<8xf32>
    ```
  }];
}

def Rng_TruncatedNormalOp : Rng_StatefulDraw<Rng_TruncatedNormal> {
  let summary = "draws normal floats near the mean from a generator";
  let description = [{
    Draws floats of the normal distribution with `params(mean, std)`, (0, 1)
    without, truncated to [mean - 2 std, mean + 2 std], by inversion, and
    advances the generator. Parameters are f64 for f64 draws and f32 for
    narrower ones. Reads and writes the state.

    Example:

    ```mlir
    %w = rng.truncated_normal : tensor<8xf32>
    ```
  }];
}

def Rng_ExponentialOp : Rng_StatefulDraw<Rng_Exponential> {
  let summary = "draws exponential floats from a generator";
  let description = [{
    Draws floats of the exponential distribution with `rate(lambda)`, 1 without,
    and advances the generator. They are above 0 and finite, after rounding to
    the element type too, so that -log of them is Gumbel noise. The rate is f64
    for f64 draws and f32 for narrower ones; one that is not above 0 or not
    finite yields 0. Reads and writes the state.

    Example:

    ```mlir
    func.func @f(%rate: f32) -> tensor<8xf32> {
      %t = rng.exponential rate(%rate) : tensor<8xf32>
      return %t : tensor<8xf32>
    }
    ```
  }];
}

def Rng_BernoulliOp : Rng_StatefulDraw<Rng_Bernoulli> {
  let summary = "draws booleans from a generator";
  let description = [{
    Draws i1 values that are true with probability `prob` (f32): exactly where
    an f32 uniform draw is below it. A NaN yields false. Reads and writes the
    state.

    Example:

    ```mlir
    func.func @f(%p: f32) -> tensor<8xi1> {
      %keep = rng.bernoulli prob(%p) : tensor<8xi1>
      return %keep : tensor<8xi1>
    }
    ```
  }];
}

def Rng_RandintOp : Rng_StatefulDraw<Rng_Randint> {
  let summary = "draws integers in a range from a generator";
  let description = [{
    Draws integers of [lo, hi): lo + mulhi(word, k) for k = hi - lo mod 2^N
    unsigned; k = 0 yields lo. Bounds have the element type. Reads and writes
    the state.

    Example:

    ```mlir
    func.func @f(%lo: i32, %hi: i32) -> tensor<8xi32> {
      %n = rng.randint range(%lo, %hi) : tensor<8xi32>
      return %n : tensor<8xi32>
    }
    ```
  }];
}

def Rng_BitsOp : Rng_StatefulDraw<Rng_Bits> {
  let summary = "draws raw bits from a generator";
  let description = [{
    Draws integers whose bits are all random: the low bits of the algorithm's
    words (i1: the highest). Reads and writes the state.

    Example:

    ```mlir
    %w = rng.bits : vector<4xi32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Stateless draws
//===----------------------------------------------------------------------===//

class Rng_StatelessDescription<string what, string example> {
  string text = what # [{
    The value of an element is a pure function of the state and of the row-major
    logical index of the element: of its own shape, or with `slice [o...] of
    [n...]` of the larger logical draw of shape n, of which the result is the
    piece that starts at o (unit strides, covering the last dimensions). The
    state is `%seed, %offset`, or `%snapshot[%delta]`, `delta` stream blocks
    after a snapshot. `aligned` promises that the first index starts a stream
    block. Pure.

    Example:

    ```mlir
    }] # example # [{
    ```
  }];
}

def Rng_StatelessUniformOp : Rng_StatelessDraw<Rng_Uniform> {
  let summary = "uniform floats at a state";
  let description = Rng_StatelessDescription<[{
    Yields floats uniform in [lo, hi), in [0, 1) without `range`, as
    `rng.uniform` draws them at this state.
  }], [{
    func.func @f(%seed: i64, %offset: i64, %i: index) -> tensor<32x8xf32> {
      %u = rng.stateless_uniform %seed, %offset slice [%i, 0] of [64, 8]
        : tensor<32x8xf32>
      return %u : tensor<32x8xf32>
    }
  }]>.text;
}

def Rng_StatelessNormalOp : Rng_StatelessDraw<Rng_Normal> {
  let summary = "normal floats at a state";
  let description = Rng_StatelessDescription<[{
    Yields normal floats as `rng.normal` draws them at this state.
  }], [{
    func.func @f(%seed: i64, %offset: i64) -> tensor<8xf32> {
      %z = rng.stateless_normal %seed, %offset : tensor<8xf32>
      return %z : tensor<8xf32>
    }
  }]>.text;
}

def Rng_StatelessTruncatedNormalOp
    : Rng_StatelessDraw<Rng_TruncatedNormal> {
  let summary = "normal floats near the mean at a state";
  let description = Rng_StatelessDescription<[{
    Yields normal floats within two standard deviations of the mean as
    `rng.truncated_normal` draws them at this state.
  }], [{
    func.func @f(%seed: i64, %offset: i64) -> tensor<8xf32> {
      %w = rng.stateless_truncated_normal %seed, %offset : tensor<8xf32>
      return %w : tensor<8xf32>
    }
  }]>.text;
}

def Rng_StatelessExponentialOp : Rng_StatelessDraw<Rng_Exponential> {
  let summary = "exponential floats at a state";
  let description = Rng_StatelessDescription<[{
    Yields exponential floats as `rng.exponential` draws them at this state.
  }], [{
    func.func @f(%seed: i64, %offset: i64) -> tensor<8xf32> {
      %t = rng.stateless_exponential %seed, %offset : tensor<8xf32>
      return %t : tensor<8xf32>
    }
  }]>.text;
}

def Rng_StatelessBernoulliOp : Rng_StatelessDraw<Rng_Bernoulli> {
  let summary = "booleans at a state";
  let description = Rng_StatelessDescription<[{
    Yields i1 values, true with probability `prob` (f32), as `rng.bernoulli`
    draws them at this state.
  }], [{
    func.func @f(%s: tensor<2xi64>, %delta: i64, %p: f32) -> tensor<8xi1> {
      %keep = rng.stateless_bernoulli %s[%delta] prob(%p) : tensor<8xi1>
      return %keep : tensor<8xi1>
    }
  }]>.text;
}

def Rng_StatelessRandintOp : Rng_StatelessDraw<Rng_Randint> {
  let summary = "integers in a range at a state";
  let description = Rng_StatelessDescription<[{
    Yields integers of [lo, hi) as `rng.randint` draws them at this state.
  }], [{
    func.func @f(%seed: i64, %offset: i64, %lo: i32, %hi: i32) -> i32 {
      %n = rng.stateless_randint %seed, %offset range(%lo, %hi) : i32
      return %n : i32
    }
  }]>.text;
}

def Rng_StatelessBitsOp : Rng_StatelessDraw<Rng_Bits> {
  let summary = "raw bits at a state";
  let description = Rng_StatelessDescription<[{
    Yields integers of random bits as `rng.bits` draws them at this state.
  }], [{
    func.func @f(%seed: i64, %offset: i64) -> vector<4xi32> {
      %w = rng.stateless_bits %seed, %offset {aligned} : vector<4xi32>
      return %w : vector<4xi32>
    }
  }]>.text;
}

#endif // RNGDIALECT_IR_RNGOPS_TD
