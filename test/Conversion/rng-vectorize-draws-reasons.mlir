// Why draws stay scalars, for those who ask; nobody else hears of it, and ops
// that draw nothing are not spoken of.
//
// RUN: %rng_opt %s --rng-vectorize-draws -verify-diagnostics \
// RUN:   --remarks-filter-missed=rng-vectorize-draws
// RUN: %rng_opt %s --rng-vectorize-draws 2>&1 | FileCheck %s
// CHECK-NOT: remark: [Missed]

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

func.func @refused(%x: memref<1024xf32>, %s: memref<f32>,
                   %strided: memref<1024xf32, strided<[2]>>, %seed: i64,
                   %offset: i64) {
  // expected-remark@+1 {{Missed] NotVectorised | Category:rng-vectorize-draws | Function=refused | Reason="it has no loops, or loops that are not parallel"}}
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%x : memref<1024xf32>) outs(%s : memref<f32>) {
  ^bb0(%in: f32, %sum: f32):
    %i = linalg.index 0 : index
    %u = rng.stateless_uniform %seed, %offset slice [%i] of [1024] : f32
    %next = arith.addf %sum, %u : f32
    linalg.yield %next : f32
  }
  // expected-remark@+1 {{Reason="'linalg.index' is used by more than draws"}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%x : memref<1024xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %u = rng.stateless_uniform %seed, %offset slice [%i] of [1024] : f32
    %r = arith.addf %f, %u : f32
    linalg.yield %r : f32
  }
  // expected-remark@+1 {{Reason="'rng.stateless_uniform' is not of the shape of the loops, at their indices and at one state"}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%x : memref<1024xf32>) {
  ^bb0(%out: f32):
    %u = rng.stateless_uniform %seed, %offset : f32
    linalg.yield %u : f32
  }
  // expected-remark@+1 {{Reason="operand #0 is not contiguous, or broadcast by other sizes than multiples of 64 elements"}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%strided : memref<1024xf32, strided<[2]>>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %u = rng.stateless_uniform %seed, %offset slice [%i] of [1024] : f32
    linalg.yield %u : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%strided : memref<1024xf32, strided<[2]>>) {
  ^bb0(%out: f32):
    %r = arith.negf %out : f32
    linalg.yield %r : f32
  }
  return
}
