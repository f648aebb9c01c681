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
    [DeclareAttrInterfaceMethods<Rng_AlgorithmAttrInterface>]> {
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

//===----------------------------------------------------------------------===//
// Conventions
//===----------------------------------------------------------------------===//

def Rng_NvfuserAttr : Rng_Attr<"Nvfuser", "nvfuser",
    [DeclareAttrInterfaceMethods<Rng_ConventionAttrInterface>]> {
  let summary = "The stream of nvFuser, the default";
  let description = [{
    With sub = i / m and slot = i % m for the m values a block yields (m = 4 for
    types up to 32 bits, 2 for 64-bit types, which use words 2c and 2c + 1):
    key = (seed lo32, seed hi32), counter = (offset lo32, offset hi32, sub lo32,
    sub hi32). Every draw reserves one block, whatever its shape: the offset
    owns half of the counter, so draws never overlap.

    * f32: u = fma(float(w), 2^-32, 2^-33), then 1.0 becomes 0.0;
    * f64: (x ^ (y << 21)) * 2^-53 + 2^-54 of words x, y, the same end rule;
    * range [lo, hi): f32 and f64 fma(hi - lo, u, lo); f16 and bf16 scale the
      raw (0, 1] f32 value in f32 and round once. A result not less than
      RN_T(hi) becomes RN_T(lo). lo >= hi or a non-finite hi - lo gives lo;
    * bernoulli: true exactly where the f32 uniform is below p;
    * bits: the low N bits of the word; i64: word 2c | word 2c+1 << 32; i1: bit
      31.
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
  let assemblyFormat = "`<` $kind $index `>`";
}

#endif // RNGDIALECT_IR_RNGATTRS_TD
