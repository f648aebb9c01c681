//===- TestStreams.td - An algorithm and a convention ------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTSTREAMS_TD
#define TEST_LIB_TESTSTREAMS_TD

include "RngDialect/IR/RngAttrInterfaces.td"
include "RngDialect/IR/RngEnums.td"
include "mlir/IR/AttrTypeBase.td"

def Test_Dialect : Dialect {
  let name = "test_rng";
  let cppNamespace = "::mlir::rng::test";
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = "void registerStateOps();";
}

class Test_Attr<string name, string attrMnemonic, list<Trait> traits>
    : AttrDef<Test_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Test_LinearAttr : Test_Attr<"Linear", "linear",
    [DeclareAttrInterfaceMethods<Rng_AlgorithmAttrInterface, [
      "getWordsPerBlock", "getBlockWork"]>]> {
  let summary = "Words that are easy to foresee: no generator to use";
  let description = [{
    Word j of block c at (seed, offset) is the upper half of (seed + 8 (offset +
    c) + j) * factor mod 2^64. Eight words a block; a value of 64 bits takes two.
    Floats are the upper mantissa bits.
  }];
  let parameters = (ins "uint64_t":$factor);
  let assemblyFormat = "`<` $factor `>`";
}

def Test_ReversedAttr : Test_Attr<"Reversed", "reversed",
    [DeclareAttrInterfaceMethods<Rng_ConventionAttrInterface, [
      "getAdvanceDivisor", "getSlotWords"]>]> {
  let summary = "The default convention with the words of a block reversed";
}

#endif // TEST_LIB_TESTSTREAMS_TD
