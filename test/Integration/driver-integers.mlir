// RUN: %rng_opt %s --rng-thread-state --rng-partition=keep-joint \
// RUN:   --rng-generate-driver --rng-to-cpu | %run_cpu | FileCheck %s

// The driver makes, prints and compares every integer that there are draws of,
// as tensors and as scalars: arguments, results, saved values and gradients.

func.func @narrow(%a: tensor<4xi16>, %s: i16, %b: tensor<4xi8>,
                  %dy: tensor<4xi16> {rng.cotangent},
                  %ds: i16 {rng.cotangent})
    -> (tensor<4xi16>, i16, tensor<4xi8>, tensor<4xi16> {rng.gradient},
        i16 {rng.gradient}) {
  %lo = arith.constant -5 : i16
  %hi = arith.constant 6 : i16
  %w = rng.bits : tensor<4xi16>
  %n = rng.randint range(%lo, %hi) : tensor<4xi16>
  %x = arith.xori %a, %w : tensor<4xi16>
  %y = arith.addi %x, %n : tensor<4xi16>
  %t = arith.addi %s, %s : i16
  %v = rng.bits : tensor<4xi8>
  %z = arith.xori %b, %v : tensor<4xi8>
  %dx = arith.muli %dy, %w : tensor<4xi16>
  %da = arith.addi %dx, %n : tensor<4xi16>
  %dt = arith.muli %ds, %s : i16
  return %y, %t, %z, %da, %dt
      : tensor<4xi16>, i16, tensor<4xi8>, tensor<4xi16>, i16
}

func.func @wide(%a: tensor<2x3xi32>, %b: tensor<2x3xi64>,
                %dy: tensor<2x3xi64> {rng.cotangent})
    -> (tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xi64> {rng.gradient}) {
  %w = rng.bits : tensor<2x3xi32>
  %n = rng.bits : tensor<2x3xi64>
  %x = arith.xori %a, %w : tensor<2x3xi32>
  %y = arith.xori %b, %n : tensor<2x3xi64>
  %db = arith.muli %dy, %n : tensor<2x3xi64>
  return %x, %y, %db : tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xi64>
}

// CHECK-NOT: FAILED
// CHECK: narrow: result 0: 4xi16 [
// CHECK: narrow: result 1: {{-?[0-9]+$}}
// CHECK: narrow: result 2: 4xi8 [
// CHECK: narrow: gradient 0: 4xi16 [
// CHECK: narrow: gradient 1: {{-?[0-9]+$}}
// CHECK: check narrow: draw 0 of the backward equals draw {{.+}}: 4 of 4 elements PASS
// CHECK: check narrow: gradient 0 and the joint function: 0 of 4 elements differ PASS
// CHECK: wide: result 0: 2x3xi32 [
// CHECK: wide: gradient 0: 2x3xi64 [
// CHECK-NOT: FAILED
// CHECK: driver: all checks passed
