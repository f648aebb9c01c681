// RUN: not %rng_opt %s --rng-partition=memory-budget=much 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rng_opt %s --rng-partition=memory-budget=-1 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rng_opt %s --rng-partition=memory-budget=. 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rng_opt %s --rng-partition=memory-budget=1e6 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rng_opt %s --rng-partition=memory-budget=KiB 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rng_opt %s --rng-partition=memory-budget=1.2.3 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rng_opt %s --rng-partition=memory-budget=0x10 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rng_opt %s --rng-partition=memory-budget=50%% 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %rng_opt %s --rng-partition=memory-budget=10MB 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not %rng_opt %s --rng-partition=memory-budget=10M 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not %rng_opt %s --rng-partition=memory-budget=1.5 2>&1 | FileCheck %s --check-prefix=FRACTION
// RUN: not %rng_opt %s --rng-partition=memory-budget=1.000000001 2>&1 | FileCheck %s --check-prefix=FRACTION
// RUN: not %rng_opt %s --rng-partition=memory-budget=99999999999999999999 2>&1 | FileCheck %s --check-prefix=LARGE

// WRONG:    error: expected memory-budget to be a number of bytes (1000000, 64KiB, 1.5MiB, 2GiB) or a fraction from 0.0 to 1.0 but got '{{.*}}'{{$}}
// UNIT:     but got '{{10MB?}}': the units are KiB, MiB, GiB and TiB
// FRACTION: but got '{{.*}}': a number with a point and without a unit is a fraction
// LARGE:    but got '99999999999999999999', which does not fit 64 bits

// What is read as what: the least here is 256 bytes.

// RUN: not %rng_opt %s --rng-partition=memory-budget=0.1KiB 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not %rng_opt %s --rng-partition=memory-budget=0KiB 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %rng_opt %s --rng-partition=memory-budget=255 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: %rng_opt %s --rng-partition=memory-budget=.25KiB -o %t.mlir
// RUN: %rng_opt %s --rng-partition=memory-budget=0. -o %t.mlir
// RUN: %rng_opt %s --rng-partition=memory-budget=1.0000000000000 -o %t.mlir
// RUN: %rng_opt %s --rng-partition=memory-budget=18446744073709551615TiB -o %t.mlir

// PART:  but memory-budget allows 102:
// ZERO:  but memory-budget allows 0:
// BYTES: but memory-budget allows 255:

func.func @f(%x: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %y = math.exp %x : tensor<64xf32>
  %g = arith.mulf %d, %x : tensor<64xf32>
  return %y, %g : tensor<64xf32>, tensor<64xf32>
}
