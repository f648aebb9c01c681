//===- RngDialect.td - The rng dialect ---------------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGDIALECT_TD
#define RNGDIALECT_IR_RNGDIALECT_TD

include "mlir/IR/DialectBase.td"

def Rng_Dialect : Dialect {
  let name = "rng";
  let cppNamespace = "::mlir::rng";
  let summary = "Random numbers that can be recomputed";
  let description = [{
    The `rng` dialect models random draws in two forms:

    * *stateful* draws (`rng.uniform`, ...) read and advance the state of a
      generator, in program order;
    * *stateless* draws (`rng.stateless_uniform`, ...) are pure functions of
      `(seed, offset)` and the row-major logical index of each element, so that
      they can be moved, tiled, cloned and recomputed freely.

    The state of a generator is a pair of unsigned 64-bit numbers carried in
    signless `i64`: a seed, and an offset that counts *stream blocks* of the
    generator's algorithm (for Philox, 128 bits each). Arithmetic on them wraps.

    Discardable attributes of the dialect:

    | attribute | on | meaning |
    |---|---|---|
    | `rng.cotangent` | function argument | an incoming gradient |
    | `rng.persistent` | function argument, result | alive anyway (a parameter): saving it is free |
    | `rng.gradient` | function result | a gradient, computed by the backward |
    | `rng.state` | function argument, result | the state of a generator (its symbol; `unit`: the default one) that a joint function, its forward or its backward is given or hands back |
    | `rng.in_backward` | op | it is executed when the backward is called, whatever it uses |
    | `rng.save`, `rng.recompute` | op | orders to the partition: never recompute, never save |
    | `rng.draws` | external function | generators that the function may draw from (`unit`: the default one) |
    | `rng.backward` | function | the backward of this forward |
    | `rng.saved` | function | where each saved value comes from |
    | `rng.device` | function | its buffers are in device memory (within the lowering to GPUs) |
    | `rng.default_algorithm` | module | algorithm of the default generator |
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
  // Parsed as by default, but nothing after an attribute is skipped.
  let useDefaultAttributePrinterParser = 0;
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the discardable attributes (see the dialect description).
    static constexpr ::llvm::StringLiteral kCotangent = "rng.cotangent";
    static constexpr ::llvm::StringLiteral kPersistent = "rng.persistent";
    static constexpr ::llvm::StringLiteral kGradient = "rng.gradient";
    static constexpr ::llvm::StringLiteral kState = "rng.state";
    static constexpr ::llvm::StringLiteral kInBackward = "rng.in_backward";
    static constexpr ::llvm::StringLiteral kSave = "rng.save";
    static constexpr ::llvm::StringLiteral kRecompute = "rng.recompute";
    static constexpr ::llvm::StringLiteral kDraws = "rng.draws";
    static constexpr ::llvm::StringLiteral kBackward = "rng.backward";
    static constexpr ::llvm::StringLiteral kSaved = "rng.saved";
    static constexpr ::llvm::StringLiteral kDevice = "rng.device";
    static constexpr ::llvm::StringLiteral kDefaultAlgorithm =
        "rng.default_algorithm";
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
    /// Registers the attributes; defined in RngAttrs.cpp.
    void registerAttributes();
    /// Registers versioned bytecode; defined in RngBytecode.cpp.
    void registerBytecode();
  }];
}

#endif // RNGDIALECT_IR_RNGDIALECT_TD
