// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

// A range whose width overflows when it is rounded to the type, though hi - lo
// does not, yields lo under the conventions that round it: infinity times a unit
// of 0 would be NaN, and infinity plus lo is in no range. The default one scales
// before it rounds.

func.func private @rngPrintBitsF16(tensor<*xf16> {bufferization.access = "read"})
    attributes {llvm.emit_c_interface}
func.func private @rngPrintBitsBF16(tensor<*xbf16> {bufferization.access = "read"})
    attributes {llvm.emit_c_interface}

func.func private @nvfuser_f16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox} : tensor<4xf16>
  %any = tensor.cast %x : tensor<4xf16> to tensor<*xf16>
  call @rngPrintBitsF16(%any) : (tensor<*xf16>) -> ()
  return
}

func.func private @torch_f16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox<convention = torch>} : tensor<4xf16>
  %any = tensor.cast %x : tensor<4xf16> to tensor<*xf16>
  call @rngPrintBitsF16(%any) : (tensor<*xf16>) -> ()
  return
}

func.func private @torch_bf16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox<convention = torch>} : tensor<4xbf16>
  %any = tensor.cast %x : tensor<4xbf16> to tensor<*xbf16>
  call @rngPrintBitsBF16(%any) : (tensor<*xbf16>) -> ()
  return
}

func.func private @torch_eager_f16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 256>>} : tensor<4xf16>
  %any = tensor.cast %x : tensor<4xf16> to tensor<*xf16>
  call @rngPrintBitsF16(%any) : (tensor<*xf16>) -> ()
  return
}

func.func private @torch_eager_bf16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 256>>} : tensor<4xbf16>
  %any = tensor.cast %x : tensor<4xbf16> to tensor<*xbf16>
  call @rngPrintBitsBF16(%any) : (tensor<*xbf16>) -> ()
  return
}

func.func private @tensorflow_f16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox<convention = tensorflow>} : tensor<4xf16>
  %any = tensor.cast %x : tensor<4xf16> to tensor<*xf16>
  call @rngPrintBitsF16(%any) : (tensor<*xf16>) -> ()
  return
}

func.func private @tensorflow_bf16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox<convention = tensorflow>} : tensor<4xbf16>
  %any = tensor.cast %x : tensor<4xbf16> to tensor<*xbf16>
  call @rngPrintBitsBF16(%any) : (tensor<*xbf16>) -> ()
  return
}

func.func private @xla_f16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox<convention = xla>} : tensor<4xf16>
  %any = tensor.cast %x : tensor<4xf16> to tensor<*xf16>
  call @rngPrintBitsF16(%any) : (tensor<*xf16>) -> ()
  return
}

func.func private @xla_bf16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.philox<convention = xla>} : tensor<4xbf16>
  %any = tensor.cast %x : tensor<4xbf16> to tensor<*xbf16>
  call @rngPrintBitsBF16(%any) : (tensor<*xbf16>) -> ()
  return
}

func.func private @threefry_f16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.threefry} : tensor<4xf16>
  %any = tensor.cast %x : tensor<4xf16> to tensor<*xf16>
  call @rngPrintBitsF16(%any) : (tensor<*xf16>) -> ()
  return
}

func.func private @threefry_bf16(%lo: f32, %hi: f32) {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 7 : i64
  %x = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      {algorithm = #rng.threefry} : tensor<4xbf16>
  %any = tensor.cast %x : tensor<4xbf16> to tensor<*xbf16>
  call @rngPrintBitsBF16(%any) : (tensor<*xbf16>) -> ()
  return
}

func.func @main() {
  // Of f16, the bounds and their distance are 65504 at most.
  %low = arith.constant -6.0e+4 : f32
  %high = arith.constant 6.0e+4 : f32
  %thousand = arith.constant 1.0e+3 : f32
  %beyond = arith.constant 7.0e+4 : f32
  // Of bf16, 3.3895e38 at most; f32 has 3.4028e38.
  %zero = arith.constant 0.0 : f32
  %top = arith.constant 3.4e+38 : f32
  // CHECK: f426 f163 fa00 f8ab
  call @nvfuser_f16(%low, %high) : (f32, f32) -> ()
  // CHECK-NEXT: fb53 fb53 fb53 fb53
  call @torch_f16(%low, %high) : (f32, f32) -> ()
  // CHECK-NEXT: 63d0 63d0 63d0 63d0
  call @torch_f16(%thousand, %beyond) : (f32, f32) -> ()
  // CHECK-NEXT: 0000 0000 0000 0000
  call @torch_bf16(%zero, %top) : (f32, f32) -> ()
  // CHECK-NEXT: fb53 fb53 fb53 fb53
  call @torch_eager_f16(%low, %high) : (f32, f32) -> ()
  // CHECK-NEXT: 63d0 63d0 63d0 63d0
  call @torch_eager_f16(%thousand, %beyond) : (f32, f32) -> ()
  // CHECK-NEXT: 0000 0000 0000 0000
  call @torch_eager_bf16(%zero, %top) : (f32, f32) -> ()
  // CHECK-NEXT: fb53 fb53 fb53 fb53
  call @tensorflow_f16(%low, %high) : (f32, f32) -> ()
  // CHECK-NEXT: 63d0 63d0 63d0 63d0
  call @tensorflow_f16(%thousand, %beyond) : (f32, f32) -> ()
  // CHECK-NEXT: 0000 0000 0000 0000
  call @tensorflow_bf16(%zero, %top) : (f32, f32) -> ()
  // CHECK-NEXT: fb53 fb53 fb53 fb53
  call @xla_f16(%low, %high) : (f32, f32) -> ()
  // CHECK-NEXT: 63d0 63d0 63d0 63d0
  call @xla_f16(%thousand, %beyond) : (f32, f32) -> ()
  // CHECK-NEXT: 0000 0000 0000 0000
  call @xla_bf16(%zero, %top) : (f32, f32) -> ()
  // CHECK-NEXT: fb53 fb53 fb53 fb53
  call @threefry_f16(%low, %high) : (f32, f32) -> ()
  // CHECK-NEXT: 63d0 63d0 63d0 63d0
  call @threefry_f16(%thousand, %beyond) : (f32, f32) -> ()
  // CHECK-NEXT: 0000 0000 0000 0000
  call @threefry_bf16(%zero, %top) : (f32, f32) -> ()
  return
}
