// RUN: %rng_opt %s --rng-partition="report=%t.txt" -o %t.mlir
// RUN: FileCheck %s --check-prefix=BYTES --input-file=%t.txt
// RUN: %rng_opt %s --rng-partition="cost-table=h100 report=%t.h100" -o %t.mlir
// RUN: FileCheck %s --check-prefix=TIME --input-file=%t.h100
// RUN: %rng_opt %s --rng-partition="cost-table=%examples/scarce-memory.costs report=%t.scarce" -o %t.mlir
// RUN: FileCheck %s --check-prefix=SCARCE --input-file=%t.scarce
// RUN: %rng_opt %s --rng-partition="cost-table=cpu report=%t.json" \
// RUN:   --rng-rematerialize="cost-table=h100 report=%t.again" -o %t.mlir
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: FileCheck %s --check-prefix=TIME --input-file=%t.again
//
// By bytes a mask is drawn again; by time it is saved, since a GPU loads a byte
// faster than it draws; and where memory is scarce it is drawn again.

// BYTES-NOT:  estimated
// BYTES:      @mask_forward saves for @mask_backward:
// BYTES-NEXT:   value type bytes from
// BYTES-NEXT:   argument 1 i64 8
// BYTES-NEXT:   argument 2 i64 8
// BYTES-NEXT:   saved 16 bytes (0.0 % of all that is used)
// BYTES-NEXT:   if all that is used were saved 1048576 bytes (1.0 MiB)
// BYTES-NOT:  estimated

// 2^20 bytes written and read at 3350 bytes a nanosecond.

// TIME:       new 1 tensor<1024x1024xi1> 1048576 1.0 MiB rng.stateless_bernoulli
// TIME-NEXT:  saved 1048576 bytes (1.0 MiB, 100.0 % of all that is used)
// TIME:       cost of recomputing 0 fs
// TIME-NEXT:  cost of the cut 626015523 fs
// TIME-NEXT:  estimated time (h100): 626.016 ns to save and reload, 0.000 ns to recompute; 626.016 ns if all that is used were saved

// SCARCE:     argument 1 i64
// SCARCE-NEXT: argument 2 i64
// 2^20 draws at 515 a nanosecond.

// SCARCE:     cost of recomputing 2036069903 fs
// SCARCE:     estimated time ({{.*}}scarce-memory.costs): {{.*}} 2.036 us to recompute;

// JSON:       "estimatedTime": {
// JSON-NEXT:    "costTable": "cpu",
// JSON-NEXT:    "saveFemtoseconds": 141699459460,
// JSON-NEXT:    "recomputeFemtoseconds": 0,
// JSON-NEXT:    "everythingFemtoseconds": 141699459460
func.func @mask(%a: tensor<1024x1024xf32>, %seed: i64, %offset: i64,
                %d: tensor<1024x1024xf32> {rng.cotangent})
    -> (tensor<1024x1024xf32>, tensor<1024x1024xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<1024x1024xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p)
      : tensor<1024x1024xi1>
  %y = arith.select %keep, %a, %zero
      : tensor<1024x1024xi1>, tensor<1024x1024xf32>
  %da = arith.select %keep, %d, %zero
      : tensor<1024x1024xi1>, tensor<1024x1024xf32>
  return %y, %da : tensor<1024x1024xf32>, tensor<1024x1024xf32>
}
