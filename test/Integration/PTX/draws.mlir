// Draws in kernels have the bits of draws on the CPU, for every element type
// and every size: none, one, around the block of a generator, around the block
// of a kernel, many blocks and a rest. Offsets near 2^32 and 2^64 carry.
//
// RUN: cat %s %S/Inputs/host-memory.mlir | %rng_opt --rng-to-cpu | %run_cpu \
// RUN:   > %t.cpu
// RUN: cat %s %S/Inputs/device-memory.mlir | %rng_opt --rng-to-nvptx \
// RUN:   | %run_ptx > %t.gpu
// RUN: diff %t.cpu %t.gpu
// RUN: FileCheck %s < %t.gpu

func.func private @rngFillF16(memref<*xf16>, i64)
    attributes {llvm.emit_c_interface}
func.func private @rngPrintF16(memref<*xf16>)
    attributes {llvm.emit_c_interface}
func.func private @rngFillBF16(memref<*xbf16>, i64)
    attributes {llvm.emit_c_interface}
func.func private @rngPrintBF16(memref<*xbf16>)
    attributes {llvm.emit_c_interface}
func.func private @rngFillF32(memref<*xf32>, i64)
    attributes {llvm.emit_c_interface}
func.func private @rngPrintF32(memref<*xf32>)
    attributes {llvm.emit_c_interface}
func.func private @rngFillF64(memref<*xf64>, i64)
    attributes {llvm.emit_c_interface}
func.func private @rngPrintF64(memref<*xf64>)
    attributes {llvm.emit_c_interface}

func.func @dropout_f16(%x: tensor<?xf16>, %seed: i64, %offset: i64)
    -> tensor<?xf16> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.7 : f32
  %scale = arith.constant 1.4285714 : f16
  %zero = arith.constant 0.0 : f16
  %n = tensor.dim %x, %c0 : tensor<?xf16>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?xf16>
  %zeros = tensor.splat %zero[%n] : tensor<?xf16>
  %scaled = arith.mulf %x, %scales : tensor<?xf16>
  %y = arith.select %keep, %scaled, %zeros : tensor<?xi1>, tensor<?xf16>
  return %y : tensor<?xf16>
}
func.func @noise_f16(%x: tensor<?xf16>, %seed: i64, %offset: i64)
    -> tensor<?xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf16>
  %u = rng.stateless_uniform %seed, %offset sizes(%n) : tensor<?xf16>
  %y = arith.addf %x, %u : tensor<?xf16>
  return %y : tensor<?xf16>
}
func.func private @run_f16(%n: index, %seed: i64, %offset: i64) {
  %host = memref.alloc(%n) : memref<?xf16>
  %any = memref.cast %host : memref<?xf16> to memref<*xf16>
  call @rngFillF16(%any, %seed) : (memref<*xf16>, i64) -> ()
  %x = call @to_f16(%host) : (memref<?xf16>) -> memref<?xf16>
  %xt = bufferization.to_tensor %x restrict : memref<?xf16> to tensor<?xf16>
  %yt = call @dropout_f16(%xt, %seed, %offset)
      : (tensor<?xf16>, i64, i64) -> tensor<?xf16>
  %y = bufferization.to_buffer %yt : tensor<?xf16> to memref<?xf16>
  call @from_f16(%y, %host) : (memref<?xf16>, memref<?xf16>) -> ()
  call @rngPrintF16(%any) : (memref<*xf16>) -> ()
  %zt = call @noise_f16(%xt, %seed, %offset)
      : (tensor<?xf16>, i64, i64) -> tensor<?xf16>
  %z = bufferization.to_buffer %zt : tensor<?xf16> to memref<?xf16>
  call @from_f16(%z, %host) : (memref<?xf16>, memref<?xf16>) -> ()
  call @rngPrintF16(%any) : (memref<*xf16>) -> ()
  call @free_f16(%x) : (memref<?xf16>) -> ()
  call @free_f16(%y) : (memref<?xf16>) -> ()
  call @free_f16(%z) : (memref<?xf16>) -> ()
  call @free_host_f16(%host) : (memref<?xf16>) -> ()
  return
}

func.func @dropout_bf16(%x: tensor<?xbf16>, %seed: i64, %offset: i64)
    -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.7 : f32
  %scale = arith.constant 1.4285714 : bf16
  %zero = arith.constant 0.0 : bf16
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?xbf16>
  %zeros = tensor.splat %zero[%n] : tensor<?xbf16>
  %scaled = arith.mulf %x, %scales : tensor<?xbf16>
  %y = arith.select %keep, %scaled, %zeros : tensor<?xi1>, tensor<?xbf16>
  return %y : tensor<?xbf16>
}
func.func @noise_bf16(%x: tensor<?xbf16>, %seed: i64, %offset: i64)
    -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %u = rng.stateless_uniform %seed, %offset sizes(%n) : tensor<?xbf16>
  %y = arith.addf %x, %u : tensor<?xbf16>
  return %y : tensor<?xbf16>
}
func.func private @run_bf16(%n: index, %seed: i64, %offset: i64) {
  %host = memref.alloc(%n) : memref<?xbf16>
  %any = memref.cast %host : memref<?xbf16> to memref<*xbf16>
  call @rngFillBF16(%any, %seed) : (memref<*xbf16>, i64) -> ()
  %x = call @to_bf16(%host) : (memref<?xbf16>) -> memref<?xbf16>
  %xt = bufferization.to_tensor %x restrict : memref<?xbf16> to tensor<?xbf16>
  %yt = call @dropout_bf16(%xt, %seed, %offset)
      : (tensor<?xbf16>, i64, i64) -> tensor<?xbf16>
  %y = bufferization.to_buffer %yt : tensor<?xbf16> to memref<?xbf16>
  call @from_bf16(%y, %host) : (memref<?xbf16>, memref<?xbf16>) -> ()
  call @rngPrintBF16(%any) : (memref<*xbf16>) -> ()
  %zt = call @noise_bf16(%xt, %seed, %offset)
      : (tensor<?xbf16>, i64, i64) -> tensor<?xbf16>
  %z = bufferization.to_buffer %zt : tensor<?xbf16> to memref<?xbf16>
  call @from_bf16(%z, %host) : (memref<?xbf16>, memref<?xbf16>) -> ()
  call @rngPrintBF16(%any) : (memref<*xbf16>) -> ()
  call @free_bf16(%x) : (memref<?xbf16>) -> ()
  call @free_bf16(%y) : (memref<?xbf16>) -> ()
  call @free_bf16(%z) : (memref<?xbf16>) -> ()
  call @free_host_bf16(%host) : (memref<?xbf16>) -> ()
  return
}

func.func @dropout_f32(%x: tensor<?xf32>, %seed: i64, %offset: i64)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.7 : f32
  %scale = arith.constant 1.4285714 : f32
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?xf32>
  %scaled = arith.mulf %x, %scales : tensor<?xf32>
  %y = arith.select %keep, %scaled, %zeros : tensor<?xi1>, tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @noise_f32(%x: tensor<?xf32>, %seed: i64, %offset: i64)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %u = rng.stateless_uniform %seed, %offset sizes(%n) : tensor<?xf32>
  %y = arith.addf %x, %u : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func private @run_f32(%n: index, %seed: i64, %offset: i64) {
  %host = memref.alloc(%n) : memref<?xf32>
  %any = memref.cast %host : memref<?xf32> to memref<*xf32>
  call @rngFillF32(%any, %seed) : (memref<*xf32>, i64) -> ()
  %x = call @to_f32(%host) : (memref<?xf32>) -> memref<?xf32>
  %xt = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %yt = call @dropout_f32(%xt, %seed, %offset)
      : (tensor<?xf32>, i64, i64) -> tensor<?xf32>
  %y = bufferization.to_buffer %yt : tensor<?xf32> to memref<?xf32>
  call @from_f32(%y, %host) : (memref<?xf32>, memref<?xf32>) -> ()
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  %zt = call @noise_f32(%xt, %seed, %offset)
      : (tensor<?xf32>, i64, i64) -> tensor<?xf32>
  %z = bufferization.to_buffer %zt : tensor<?xf32> to memref<?xf32>
  call @from_f32(%z, %host) : (memref<?xf32>, memref<?xf32>) -> ()
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  call @free_f32(%x) : (memref<?xf32>) -> ()
  call @free_f32(%y) : (memref<?xf32>) -> ()
  call @free_f32(%z) : (memref<?xf32>) -> ()
  call @free_host_f32(%host) : (memref<?xf32>) -> ()
  return
}

func.func @dropout_f64(%x: tensor<?xf64>, %seed: i64, %offset: i64)
    -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.7 : f32
  %scale = arith.constant 1.4285714 : f64
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?xf64>
  %zeros = tensor.splat %zero[%n] : tensor<?xf64>
  %scaled = arith.mulf %x, %scales : tensor<?xf64>
  %y = arith.select %keep, %scaled, %zeros : tensor<?xi1>, tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @noise_f64(%x: tensor<?xf64>, %seed: i64, %offset: i64)
    -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %u = rng.stateless_uniform %seed, %offset sizes(%n) : tensor<?xf64>
  %y = arith.addf %x, %u : tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func private @run_f64(%n: index, %seed: i64, %offset: i64) {
  %host = memref.alloc(%n) : memref<?xf64>
  %any = memref.cast %host : memref<?xf64> to memref<*xf64>
  call @rngFillF64(%any, %seed) : (memref<*xf64>, i64) -> ()
  %x = call @to_f64(%host) : (memref<?xf64>) -> memref<?xf64>
  %xt = bufferization.to_tensor %x restrict : memref<?xf64> to tensor<?xf64>
  %yt = call @dropout_f64(%xt, %seed, %offset)
      : (tensor<?xf64>, i64, i64) -> tensor<?xf64>
  %y = bufferization.to_buffer %yt : tensor<?xf64> to memref<?xf64>
  call @from_f64(%y, %host) : (memref<?xf64>, memref<?xf64>) -> ()
  call @rngPrintF64(%any) : (memref<*xf64>) -> ()
  %zt = call @noise_f64(%xt, %seed, %offset)
      : (tensor<?xf64>, i64, i64) -> tensor<?xf64>
  %z = bufferization.to_buffer %zt : tensor<?xf64> to memref<?xf64>
  call @from_f64(%z, %host) : (memref<?xf64>, memref<?xf64>) -> ()
  call @rngPrintF64(%any) : (memref<*xf64>) -> ()
  call @free_f64(%x) : (memref<?xf64>) -> ()
  call @free_f64(%y) : (memref<?xf64>) -> ()
  call @free_f64(%z) : (memref<?xf64>) -> ()
  call @free_host_f64(%host) : (memref<?xf64>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c18 = arith.constant 18 : index
  %seed = arith.constant 0x123456789abcdef0 : i64
  %small = arith.constant 5 : i64
  // CHECK: 0xf16
  // CHECK: 17xf16
  scf.for %n = %c0 to %c18 step %c1 {
    func.call @run_f16(%n, %seed, %small) : (index, i64, i64) -> ()
  }
  scf.for %n = %c0 to %c18 step %c1 {
    func.call @run_bf16(%n, %seed, %small) : (index, i64, i64) -> ()
  }
  scf.for %n = %c0 to %c18 step %c1 {
    func.call @run_f32(%n, %seed, %small) : (index, i64, i64) -> ()
  }
  scf.for %n = %c0 to %c18 step %c1 {
    func.call @run_f64(%n, %seed, %small) : (index, i64, i64) -> ()
  }
  // The low and the high half of the counter are full.
  %carry = arith.constant 0xffffffff : i64
  %wrap = arith.constant -1 : i64
  %n1023 = arith.constant 1023 : index
  // CHECK: 1023xf32
  // CHECK: 1023xf16
  // CHECK: 1023xbf16
  // CHECK: 1023xf64
  call @run_f32(%n1023, %seed, %wrap) : (index, i64, i64) -> ()
  call @run_f16(%n1023, %seed, %wrap) : (index, i64, i64) -> ()
  call @run_bf16(%n1023, %seed, %wrap) : (index, i64, i64) -> ()
  call @run_f64(%n1023, %seed, %wrap) : (index, i64, i64) -> ()
  %n1024 = arith.constant 1024 : index
  // CHECK: 1024xf32
  // CHECK: 1024xf16
  // CHECK: 1024xbf16
  // CHECK: 1024xf64
  call @run_f32(%n1024, %seed, %carry) : (index, i64, i64) -> ()
  call @run_f16(%n1024, %seed, %carry) : (index, i64, i64) -> ()
  call @run_bf16(%n1024, %seed, %carry) : (index, i64, i64) -> ()
  call @run_f64(%n1024, %seed, %carry) : (index, i64, i64) -> ()
  %n1025 = arith.constant 1025 : index
  // CHECK: 1025xf32
  // CHECK: 1025xf16
  // CHECK: 1025xbf16
  // CHECK: 1025xf64
  call @run_f32(%n1025, %seed, %wrap) : (index, i64, i64) -> ()
  call @run_f16(%n1025, %seed, %wrap) : (index, i64, i64) -> ()
  call @run_bf16(%n1025, %seed, %wrap) : (index, i64, i64) -> ()
  call @run_f64(%n1025, %seed, %wrap) : (index, i64, i64) -> ()
  %n262147 = arith.constant 262147 : index
  // CHECK: 262147xf32
  // CHECK: 262147xf16
  // CHECK: 262147xbf16
  // CHECK: 262147xf64
  call @run_f32(%n262147, %seed, %carry) : (index, i64, i64) -> ()
  call @run_f16(%n262147, %seed, %carry) : (index, i64, i64) -> ()
  call @run_bf16(%n262147, %seed, %carry) : (index, i64, i64) -> ()
  call @run_f64(%n262147, %seed, %carry) : (index, i64, i64) -> ()
  return
}
