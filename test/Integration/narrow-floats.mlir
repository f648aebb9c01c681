// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Each operation on narrow floats rounds, whatever is fused: the sum of two
// sums of bf16 and of f16 numbers whose first rounding matters.

func.func private @rngPrintBitsBF16(tensor<*xbf16> {bufferization.access = "read"})
    attributes {llvm.emit_c_interface}
func.func private @rngPrintBitsF16(tensor<*xf16> {bufferization.access = "read"})
    attributes {llvm.emit_c_interface}

// 1 + 2^-8 rounds to 1 in bf16 (ties to even), twice; in one piece it would be
// 1 + 2^-7 (0x3f81).
func.func @bf16(%one: tensor<1xbf16>, %small: tensor<1xbf16>)
    -> tensor<1xbf16> {
  %0 = arith.addf %one, %small : tensor<1xbf16>
  %1 = arith.addf %0, %small : tensor<1xbf16>
  return %1 : tensor<1xbf16>
}

// 1 + 2^-11 rounds to 1 in f16; in one piece it would be 1 + 2^-10 (0x3c01).
func.func @f16(%one: tensor<1xf16>, %small: tensor<1xf16>) -> tensor<1xf16> {
  %0 = arith.addf %one, %small : tensor<1xf16>
  %1 = arith.addf %0, %small : tensor<1xf16>
  return %1 : tensor<1xf16>
}

// The rounding of a math function counts too: exp(2^-9) rounds to 1 in bf16,
// and 1 - 1 is 0.
func.func @exp(%x: tensor<1xbf16>, %one: tensor<1xbf16>) -> tensor<1xbf16> {
  %0 = math.exp %x : tensor<1xbf16>
  %1 = arith.subf %0, %one : tensor<1xbf16>
  return %1 : tensor<1xbf16>
}

func.func @main() {
  %b1 = arith.constant dense<1.0> : tensor<1xbf16>
  %b2 = arith.constant dense<0.00390625> : tensor<1xbf16>
  %b3 = arith.constant dense<0.001953125> : tensor<1xbf16>
  %h1 = arith.constant dense<1.0> : tensor<1xf16>
  %h2 = arith.constant dense<0.00048828125> : tensor<1xf16>
  // CHECK: 3f80
  %0 = call @bf16(%b1, %b2) : (tensor<1xbf16>, tensor<1xbf16>) -> tensor<1xbf16>
  %c0 = tensor.cast %0 : tensor<1xbf16> to tensor<*xbf16>
  call @rngPrintBitsBF16(%c0) : (tensor<*xbf16>) -> ()
  // CHECK-NEXT: 3c00
  %1 = call @f16(%h1, %h2) : (tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>
  %c1 = tensor.cast %1 : tensor<1xf16> to tensor<*xf16>
  call @rngPrintBitsF16(%c1) : (tensor<*xf16>) -> ()
  // CHECK-NEXT: 0000
  %2 = call @exp(%b3, %b1) : (tensor<1xbf16>, tensor<1xbf16>) -> tensor<1xbf16>
  %c2 = tensor.cast %2 : tensor<1xbf16> to tensor<*xbf16>
  call @rngPrintBitsBF16(%c2) : (tensor<*xbf16>) -> ()
  return
}
