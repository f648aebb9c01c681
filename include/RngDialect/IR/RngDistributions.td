//===- RngDistributions.td - The distributions -------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that the dialect knows of a distribution besides how words become its
// values, which is WordConversion's: its name, the types of its elements and
// its operands. A new distribution is a record here, two ops in RngOps.td and
// the conversion of its words.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGDISTRIBUTIONS_TD
#define RNGDIALECT_IR_RNGDISTRIBUTIONS_TD

include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Types of elements
//===----------------------------------------------------------------------===//

/// Element types that a distribution draws, and their names in errors.
class Rng_Elements<list<Type> elementTypes, string elementNames> {
  list<Type> types = elementTypes;
  string names = elementNames;
  /// The condition, in C++, that `elementType` is one of them.
  string condition = !interleave(
      !foreach(one, types, !subst("$_self", "elementType",
                                  !cast<CPred>(one.predicate).predExpr)),
      " || ");
}

def Rng_FloatElements
    : Rng_Elements<[F16, BF16, F32, F64], "f16, bf16, f32 or f64">;
def Rng_BoolElements : Rng_Elements<[I1], "i1">;
def Rng_IntegerElements
    : Rng_Elements<[I8, I16, I32, I64], "i8, i16, i32 or i64">;
def Rng_BitElements
    : Rng_Elements<[I1, I8, I16, I32, I64], "i1, i8, i16, i32 or i64">;

/// What a draw of such elements yields. (C1, C2: the errors are those of the
/// trait `DrawTypes`.)
class Rng_Drawn<Rng_Elements elements>
    : Type<And<[CPred<"::mlir::rng::isDrawnShape($_self)">,
                Or<!foreach(one, elements.types,
                            SubstLeaves<"$_self",
                                        "::mlir::getElementTypeOrSelf($_self)",
                                        one.predicate>)>]>,
           "a ranked tensor, a vector of fixed size or a scalar of " #
               elements.names>;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The type of operands of a distribution: an expression of `elementType` in
/// C++, and all types that it may be.
class Rng_ParamType<string typeExpression, Type typeConstraint> {
  string expression = typeExpression;
  Type constraint = typeConstraint;
}

def Rng_FloatParam : Rng_ParamType<[{
    elementType.isF64() ? elementType
                        : ::mlir::Float32Type::get(elementType.getContext())
  }], AnyTypeOf<[F32, F64], "f32, or f64 for draws of f64">>;
def Rng_F32Param : Rng_ParamType<
    "::mlir::Float32Type::get(elementType.getContext())", F32>;
def Rng_ElementParam : Rng_ParamType<
    "elementType", AnyTypeOf<[I8, I16, I32, I64], "the element type">>;

/// The operands of a distribution: `paramsKeyword(paramsNames...)` in the
/// assembly, all of one type.
class Rng_Params<string paramsKeyword, list<string> paramNames,
                 Rng_ParamType paramType, bit areOptional> {
  string keyword = paramsKeyword;
  list<string> names = paramNames;
  Rng_ParamType type = paramType;
  /// Whether a draw may do without all of them.
  bit isOptional = areOptional;
  /// As errors write them; empty if there are none.
  string syntax = !if(!empty(names), "",
                      keyword # "(" # !interleave(names, ", ") # ")");
}

def Rng_NoParams : Rng_Params<"", [], Rng_F32Param, /*areOptional=*/0>;

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

/// A distribution: `caseSymbol` of the enumeration, which bytecode stores as
/// `number`, drawn by `rng.<name>` and `rng.stateless_<name>`.
class Rng_DistributionCase<string caseSymbol, int number, string name,
                           Rng_Elements drawnElements, Rng_Params drawParams>
    : I32EnumAttrCase<caseSymbol, number, name> {
  Rng_Elements elements = drawnElements;
  Rng_Params params = drawParams;
}

def Rng_Bits : Rng_DistributionCase<"Bits", 0, "bits", Rng_BitElements,
                                    Rng_NoParams>;
def Rng_Uniform : Rng_DistributionCase<
    "Uniform", 1, "uniform", Rng_FloatElements,
    Rng_Params<"range", ["lo", "hi"], Rng_FloatParam, /*areOptional=*/1>>;
def Rng_Bernoulli : Rng_DistributionCase<
    "Bernoulli", 2, "bernoulli", Rng_BoolElements,
    Rng_Params<"prob", ["p"], Rng_F32Param, /*areOptional=*/0>>;
def Rng_Randint : Rng_DistributionCase<
    "Randint", 3, "randint", Rng_IntegerElements,
    Rng_Params<"range", ["lo", "hi"], Rng_ElementParam, /*areOptional=*/0>>;
def Rng_Normal : Rng_DistributionCase<
    "Normal", 4, "normal", Rng_FloatElements,
    Rng_Params<"params", ["mean", "std"], Rng_FloatParam, /*areOptional=*/1>>;
def Rng_TruncatedNormal : Rng_DistributionCase<
    "TruncatedNormal", 5, "truncated_normal", Rng_FloatElements,
    Rng_Params<"params", ["mean", "std"], Rng_FloatParam, /*areOptional=*/1>>;
def Rng_Exponential : Rng_DistributionCase<
    "Exponential", 6, "exponential", Rng_FloatElements,
    Rng_Params<"rate", ["lambda"], Rng_FloatParam, /*areOptional=*/1>>;

def Rng_Distribution : I32EnumAttr<"Distribution", "what a draw yields", [
    Rng_Bits, Rng_Uniform, Rng_Bernoulli, Rng_Randint, Rng_Normal,
    Rng_TruncatedNormal, Rng_Exponential]> {
  let cppNamespace = "::mlir::rng";
}

#endif // RNGDIALECT_IR_RNGDISTRIBUTIONS_TD
