//===- RngAttrs.td - Attributes ----------------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGATTRS_TD
#define RNGDIALECT_IR_RNGATTRS_TD

include "RngDialect/IR/RngAttrInterfaces.td"
include "RngDialect/IR/RngEnums.td"
include "mlir/IR/AttrTypeBase.td"

class Rng_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Rng_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Algorithms
//===----------------------------------------------------------------------===//

def Rng_PhiloxAttr : Rng_Attr<"Philox", "philox",
    [DeclareAttrInterfaceMethods<Rng_AlgorithmAttrInterface, [
      "checkDraw", "getWordsPerBlock", "getValuesPerBlock", "getSlotsPerBlock",
      "getAdvanceDivisor", "getStaticAdvance", "getAdvance", "placeElement",
      "getSlotWords", "convertWords", "describeSurprise", "getBlockWork"]>]> {
  let summary = "Philox4x32, with the convention of a system";
  let description = [{
    The Philox4x32 bijection (Salmon et al., "Parallel random numbers: as easy
    as 1, 2, 3", SC 2011) with `rounds` rounds; key and counter are filled, and
    words converted, as `convention` says. Defaults are not printed, and
    a convention without parameters may be written as a keyword.

    Example:

    ```mlir
    rng.generator @default {algorithm = #rng.philox}
    rng.generator @fast {algorithm = #rng.philox<rounds = 7>}
    rng.generator @named {algorithm = #rng.philox<convention = nvfuser>}
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"unsigned", "10">:$rounds,
    "::mlir::rng::RngConventionAttrInterface":$convention);
  let builders = [
    AttrBuilder<(ins), [{
      return $_get($_ctxt, 10u, NvfuserAttr::get($_ctxt));
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Rng_ThreefryAttr : Rng_Attr<"Threefry", "threefry",
    [DeclareAttrInterfaceMethods<Rng_AlgorithmAttrInterface, [
      "getValuesPerBlock", "getSlotWords", "convertWords", "getBlockWork"]>]> {
  let summary = "Threefry2x32, the stream of JAX";
  let description = [{
    The Threefry2x32 bijection with 20 rounds (Salmon et al., SC 2011) as
    `jax.random` uses it with partitionable keys (the default since JAX 0.5):
    key = (seed hi32, seed lo32), counter = (c hi32, c lo32) of c = offset + i,
    one element a stream block. At offset 0, a seed gives the bits of
    `jax.random.key(seed)`. An offset counts elements, so that a draw reserves
    as many stream blocks as it has elements, and two draws in a row are one of
    their joint length.

    * bits: the low N bits of w0 ^ w1; i64: w0 << 32 | w1;
    * uniform: the upper mantissa bits of those N bits (bf16: of 8 bits), then
      max(lo, u * (hi - lo) + lo), fused in f32 and f64, with each operation
      rounded to the type in f16 and bf16, as XLA compiles it;
    * bernoulli: f32 uniform < p;
    * exponential: of the complement of the bits, as JAX has -log(1 - u), but
      never 0;
    * randint: multiply-high, unlike JAX, which draws twice.

    A range of f16 is JAX's only where XLA does not fuse in f16: on a CPU with
    AVX512-FP16, `jax.random.uniform` rounds u * (hi - lo) + lo once, and its
    last bits differ. f16 without a range, and all other types, are JAX's
    everywhere.

    Example:

    ```mlir
    rng.generator @jax {algorithm = #rng.threefry, seed = 42 : i64}
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Conventions
//===----------------------------------------------------------------------===//

def Rng_NvfuserAttr : Rng_Attr<"Nvfuser", "nvfuser",
    [DeclareAttrInterfaceMethods<Rng_ConventionAttrInterface, [
      "getAdvanceDivisor"]>]> {
  let summary = "The stream of nvFuser, the default";
  let description = [{
    With sub = i / m and slot = i % m for the m values a stream block yields (m
    = 4 for types up to 32 bits, 2 for 64-bit types, which use words 2c and 2c +
    1): key = (seed lo32, seed hi32), counter = (offset lo32, offset hi32, sub
    lo32, sub hi32). Every draw reserves one stream block, whatever its shape:
    the offset owns half of the counter, so draws never overlap.

    * f32: u = fma(float(w), 2^-32, 2^-33), then 1.0 becomes 0.0;
    * f64: (x ^ (y << 21)) * 2^-53 + 2^-54 of words x, y, the same end rule;
    * range [lo, hi): f32 and f64 fma(hi - lo, u, lo); f16 and bf16 scale the
      raw (0, 1] f32 value in f32 and round once. A result not less than
      RN_T(hi) becomes RN_T(lo). lo >= hi or a non-finite hi - lo gives lo;
    * bernoulli: true exactly where the f32 uniform is below p: 128 words count
      as 0, so that at p = 1e-6 the rate is 3 % above p;
    * exponential: -log(u) of u = (w + 1/2) 2^-32, where w has its upper bit set
      calculated of 1 - u, so that it is never 0 (see the specification);
    * bits: the low N bits of the word; i64: word 2c | word 2c+1 << 32; i1: bit
      31.
  }];
}

def Rng_TorchAttr : Rng_Attr<"Torch", "torch",
    [DeclareAttrInterfaceMethods<Rng_ConventionAttrInterface>]> {
  let summary = "The stateless draws of PyTorch (2026)";
  let description = [{
    `torch.func._random`, experimental in PyTorch in 2026. With sub = i / m and
    slot = i % m as in the default: key = (seed lo32, seed hi32), counter = (c
    lo32, c hi32, 0, 0) of c = offset + sub mod 2^64. The offset counts stream
    blocks; a draw of n elements reserves ceil(n / m) of them.

    * uniform: the low p bits of the word times 2^-p, for the p = 24, 11, 8, 53
      bits of precision of f32, f16, bf16, f64; a range u * (hi - lo) + lo in
      f32 or f64, product and sum rounded, then rounded to the type, may yield
      hi by rounding;
    * 64-bit types: the first word is the upper half;
    * exponential: as in the default;
    * randint: lo + w % (hi - lo). PyTorch uses two words for ranges of 2^28
      integers and more, for which one would be off by 5 %; here i64 always does
      and narrower types never do. So draw i64 and truncate ranges of 2^28 and
      more, draw i32 and extend smaller ones, and the numbers are PyTorch's.
  }];
}

def Rng_TorchEagerAttr : Rng_Attr<"TorchEager", "torch_eager",
    [DeclareAttrInterfaceMethods<Rng_ConventionAttrInterface, [
      "getValuesPerBlock", "getSlotsPerBlock", "getAdvanceDivisor",
      "placeElement"]>]> {
  let summary = "What PyTorch draws eagerly on CUDA";
  let description = [{
    `torch.rand(device="cuda")` and its like on a device that runs `threads`
    threads at once: the number of multiprocessors times the threads of one,
    rounded down to a multiple of 256 for each (132 * 2048 = 270336 on an H100).
    Element i belongs to thread t = i % threads, and is number j = i / threads
    there: key = (seed lo32, seed hi32), counter = offset + j / m with a carry
    into t, slot j % m. A draw of n elements reserves ceil(n / (m * threads))
    stream blocks; PyTorch's own offset counts words and is four times this one.

    * uniform: float(w) * 2^-32 + 2^-33 (f64: as in the default), bounds rounded
      to the type first, fma(u, hi - lo, lo) in f32 or f64, rounded to the type;
      what equals hi then becomes lo;
    * 64-bit types: the first word is the upper half;
    * exponential: as in the default;
    * randint: lo + w % (hi - lo). PyTorch uses two words for ranges of 2^28
      integers and more (older versions: of 2^32), here i64 always does and
      narrower types never do. So draw i64 and truncate ranges of 2^28 and more,
      draw i32 and extend smaller ones, and the numbers are PyTorch's.
  }];
  let parameters = (ins "uint64_t":$threads);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Rng_TritonAttr : Rng_Attr<"Triton", "triton",
    [DeclareAttrInterfaceMethods<Rng_ConventionAttrInterface, [
      "checkDraw", "getValuesPerBlock"]>]> {
  let summary = "tl.rand of Triton with offsets of 64 bits";
  let description = [{
    Element i is `tl.rand(seed, offset + i)` of Triton 3.4 and later: key =
    (seed lo32, seed hi32), counter = (c lo32, c hi32, 0, 0) of c = offset + i
    mod 2^64, word 0. The offset counts elements; a draw of n of them reserves n
    stream blocks. Offsets of 32 bits give the same below 2^32 (and wrap there).
    A negative seed is extended by its sign.

    Draws 32-bit words and f32 only, as Triton does, narrower integers of the
    low bits, bernoulli as f32 uniform < p, randint by multiply-high,
    exponential as -log(max(u, 1e-7)), which is above 0 as u is below 1.
  }];
}

def Rng_XlaAttr : Rng_Attr<"Xla", "xla",
    [DeclareAttrInterfaceMethods<Rng_ConventionAttrInterface>]> {
  let summary = "RngBitGenerator of XLA, RNG_PHILOX";
  let description = [{
    The state `u64[2]` of `RngBitGenerator` is (seed, offset): key = (seed lo32,
    seed hi32), counter = offset + sub with a carry into seed, which is also the
    upper half of the counter; sub = i / m and slot = i % m as in the default. A
    draw of n elements reserves ceil(n / m) stream blocks, so that the new state
    is XLA's. `jax.random` with the implementation `rbg` draws so, with seed and
    offset both the key.

    * bits: low N bits; i64: the first word is the lower half;
    * uniform: the upper mantissa bits of the N bits (bf16: of 8 bits), then
      max(lo, u * (hi - lo) + lo), fused in f32 and f64, with each operation
      rounded to the type in f16 and bf16, as XLA compiles
      `jax.random.uniform`;
    * bernoulli: f32 uniform < p;
    * exponential: of the complement of the bits, as JAX has -log(1 - u), but
      never 0;
    * randint: multiply-high.

    A range of f16 is JAX's only where XLA does not fuse in f16: on a CPU with
    AVX512-FP16, `jax.random.uniform` rounds u * (hi - lo) + lo once, and its
    last bits differ. f16 without a range, and all other types, are JAX's
    everywhere.
  }];
}

def Rng_TensorflowAttr : Rng_Attr<"Tensorflow", "tensorflow",
    [DeclareAttrInterfaceMethods<Rng_ConventionAttrInterface, [
      "getAdvanceDivisor"]>]> {
  let summary = "tf.random.stateless_* of TensorFlow";
  let description = [{
    The pair `seed=[s0, s1]` of `tf.random.stateless_uniform` and its like is
    (seed, offset). It is scrambled: four words m = Philox4x32-10 of counter (s0
    lo32, s0 hi32, s1 lo32, s1 hi32) and key (0x3EC8F720, 0x02461E29); then key
    = (m0, m1), counter = (0, 0, m2, m3) + sub as a number of 128 bits; sub = i
    / m and slot = i % m as in the default. A draw reserves one stream block:
    the next one has another pair and so, scrambled, a key and half of a counter
    of its own.

    * uniform: the low mantissa bits of the word (f64: the low 20 of the first
      word above the second), then u * (hi - lo) + lo with each operation
      rounded to the type, may yield hi by rounding;
    * bits of i64: the first word is the lower half;
    * bernoulli: f32 uniform < p;
    * exponential: -log(max(u, 1e-7)), which is above 0 as u is below 1;
    * randint: lo + w % (hi - lo).
  }];
}

//===----------------------------------------------------------------------===//
// Saved values
//===----------------------------------------------------------------------===//

def Rng_SavedAttr : Rng_Attr<"Saved", "saved"> {
  let summary = "Where a value saved for the backward comes from";
  let description = [{
    One entry of the list `rng.saved` of a forward function. `argument k` and
    `result k`: the k-th argument or (primal) result of the forward, which the
    forward does not return a second time; `new k`: result k, which the forward
    has only to save it.

    Example:

    ```mlir
    func.func private @forward(tensor<8xf32>) -> (tensor<8xf32>, i64, i64)
        attributes {rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>,
                                 #rng.saved<new 2>]}
    ```
  }];
  let parameters = (ins
    EnumParameter<Rng_SavedKind>:$kind,
    "unsigned":$index);
  let assemblyFormat = "`<` $kind custom<SavedIndex>($index) `>`";
}

#endif // RNGDIALECT_IR_RNGATTRS_TD
