// Why a thread does one element, for those who ask; nobody else hears of it.
//
// RUN: %rng_opt %s --convert-rng-to-gpu -verify-diagnostics \
// RUN:   --remarks-filter-missed=convert-rng-to-gpu
// RUN: %rng_opt %s --convert-rng-to-gpu 2>&1 | FileCheck %s
// CHECK-NOT: remark: [Missed]

#id = affine_map<(i) -> (i)>

func.func @refused(%x: memref<1024xf32>, %few: memref<2xf32>,
                   %strided: memref<1024xf32, strided<[2]>>, %seed: i64,
                   %offset: i64) attributes {rng.device} {
  // expected-remark@+1 {{Missed] NotGrouped | Category:convert-rng-to-gpu | Function=refused | Reason="a result is not contiguous, or not written in the order of the loops"}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%strided : memref<1024xf32, strided<[2]>>) {
  ^bb0(%out: f32):
    %r = arith.negf %out : f32
    linalg.yield %r : f32
  }
  // expected-remark@+1 {{Reason="operand #0 is not contiguous, or broadcast by other sizes than multiples of 4 elements"}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%strided : memref<1024xf32, strided<[2]>>)
      outs(%x : memref<1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  }
  // expected-remark@+1 {{Reason="a draw is not of the shape of the loops, at their indices and at one state"}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%x : memref<1024xf32>) {
  ^bb0(%out: f32):
    %u = rng.stateless_uniform %seed, %offset : f32
    linalg.yield %u : f32
  }
  // expected-remark@+1 {{Reason="all of it is less than one group"}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%few : memref<2xf32>) {
  ^bb0(%out: f32):
    %r = arith.negf %out : f32
    linalg.yield %r : f32
  }
  return
}

#row = affine_map<(i, j) -> (i, j)>

func.func @rows(%y: memref<8x6xf32>, %seed: i64, %offset: i64)
    attributes {rng.device} {
  scf.forall (%r) in (8) {
    %row = memref.subview %y[%r, 0] [1, 6] [1, 1]
        : memref<8x6xf32> to memref<1x6xf32, strided<[6, 1], offset: ?>>
    // expected-remark@+1 {{Missed] RowNotGrouped | Category:convert-rng-to-gpu | Function=rows | Reason="rows of a draw do not start where its stream blocks do"}}
    linalg.generic {indexing_maps = [#row],
                    iterator_types = ["parallel", "parallel"]}
        outs(%row : memref<1x6xf32, strided<[6, 1], offset: ?>>) {
    ^bb0(%out: f32):
      %j = linalg.index 1 : index
      %u = rng.stateless_uniform %seed, %offset slice [%r, %j] of [8, 6] : f32
      linalg.yield %u : f32
    }
  }
  return
}
