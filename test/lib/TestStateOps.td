//===- TestStateOps.td - State ops of an embedder ----------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTSTATEOPS_TD
#define TEST_LIB_TESTSTATEOPS_TD

include "RngDialect/IR/RngOpInterfaces.td"
include "TestStreams.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Test_Op<string mnemonic, list<Trait> traits>
    : Op<Test_Dialect, mnemonic, traits>;

/// An op that uses stream blocks of a generator and is no draw.
class Test_StateOp<string mnemonic, list<string> stateMethods>
    : Test_Op<mnemonic, [
        AllTypesMatch<["value", "result"]>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<StateOpInterface, stateMethods>]> {
  let results = (outs AnyType:$result);
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance>
            &effects) {
      ::mlir::rng::addStateEffects(getGeneratorAttr(), /*reads=*/true,
                                   /*writes=*/true, effects);
    }
  }];
}

def Test_ShuffleOp : Test_StateOp<"shuffle", [
    "getStateBlocks", "takesSnapshot", "buildAtState"]> {
  let summary = "Uses a constant number of stream blocks";
  let arguments = (ins OptionalAttr<FlatSymbolRefAttr>:$generator,
                       AnyType:$value, I64Attr:$blocks);
  let assemblyFormat = [{
    ($generator^ `,`)? $value `by` $blocks attr-dict `:` type($value)
  }];
}

def Test_ShuffleAtOp : Test_Op<"shuffle_at", [
    Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "The shuffle at a state, in either form";
  let arguments = (ins AnyType:$seed, I64:$offset, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $value `at` $seed `,` $offset attr-dict `:` type($value) `,` type($seed)
  }];
}

def Test_RejectOp : Test_StateOp<"reject", ["buildAtState"]> {
  let summary = "Uses as many stream blocks as it needs";
  let arguments = (ins OptionalAttr<FlatSymbolRefAttr>:$generator,
                       AnyType:$value);
  let assemblyFormat = "($generator^ `,`)? $value attr-dict `:` type($value)";
}

def Test_RejectAtOp : Test_Op<"reject_at", [
    Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "The same at a state; yields the stream blocks used, too";
  let arguments = (ins I64:$seed, I64:$offset, AnyType:$value);
  let results = (outs AnyType:$result, I64:$blocks);
  let assemblyFormat = [{
    $value `at` $seed `,` $offset attr-dict `:` type($value)
  }];
}

#endif // TEST_LIB_TESTSTATEOPS_TD
