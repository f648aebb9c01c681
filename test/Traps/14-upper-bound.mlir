// Trap 14. u == 1.0, or the upper bound after scaling or after the cast to a
// narrow type, is returned. Here the words are all ones, where the inverse of the
// bijection finds them, in every type; and words that only bf16 or f16 round up.

// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @rngPrintF64(memref<*xf64>) attributes {llvm.emit_c_interface}

func.func private @show(%x: tensor<1xf32>) {
  %b = bufferization.to_buffer %x : tensor<1xf32> to memref<1xf32>
  %any = memref.cast %b : memref<1xf32> to memref<*xf32>
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  return
}

func.func private @draw(%seed: i64, %offset: i64, %i: index) {
  %lo = arith.constant 10.0 : f32
  %hi = arith.constant 11.0 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = rng.stateless_uniform %seed, %offset
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf32>
  %b = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf32>
  %c = rng.stateless_uniform %seed, %offset
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf16>
  %d = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf16>
  %e = rng.stateless_uniform %seed, %offset
      slice [%i] of [0x7fffffffffffffff] : tensor<1xbf16>
  %f = rng.stateless_uniform %seed, %offset range(%lo, %hi)
      slice [%i] of [0x7fffffffffffffff] : tensor<1xbf16>
  %g = rng.stateless_bernoulli %seed, %offset prob(%zero)
      slice [%i] of [0x7fffffffffffffff] : tensor<1xi1>
  %h = rng.stateless_bernoulli %seed, %offset prob(%one)
      slice [%i] of [0x7fffffffffffffff] : tensor<1xi1>
  %cw = arith.extf %c : tensor<1xf16> to tensor<1xf32>
  %dw = arith.extf %d : tensor<1xf16> to tensor<1xf32>
  %ew = arith.extf %e : tensor<1xbf16> to tensor<1xf32>
  %fw = arith.extf %f : tensor<1xbf16> to tensor<1xf32>
  %gw = arith.uitofp %g : tensor<1xi1> to tensor<1xf32>
  %hw = arith.uitofp %h : tensor<1xi1> to tensor<1xf32>
  call @show(%a) : (tensor<1xf32>) -> ()
  call @show(%b) : (tensor<1xf32>) -> ()
  call @show(%cw) : (tensor<1xf32>) -> ()
  call @show(%dw) : (tensor<1xf32>) -> ()
  call @show(%ew) : (tensor<1xf32>) -> ()
  call @show(%fw) : (tensor<1xf32>) -> ()
  call @show(%gw) : (tensor<1xf32>) -> ()
  call @show(%hw) : (tensor<1xf32>) -> ()
  return
}

func.func @main() {
  // The word is 2^32 - 1.
  // CHECK: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [10]
  // CHECK-NEXT: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [10]
  // CHECK-NEXT: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [10]
  // CHECK-NEXT: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [1]
  %s0 = arith.constant -4357589135500689872 : i64
  %o0 = arith.constant 685568969710682153 : i64
  %i0 = arith.constant 2851452568988104460 : index
  call @draw(%s0, %o0, %i0) : (i64, i64, index) -> ()

  // The least word that bf16 rounds to 1.
  // CHECK-NEXT: 1xf32 [0.9980469]
  // CHECK-NEXT: 1xf32 [10.998047]
  // CHECK-NEXT: 1xf32 [0.9980469]
  // CHECK-NEXT: 1xf32 [10]
  // CHECK-NEXT: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [10]
  // CHECK-NEXT: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [1]
  %s1 = arith.constant -4233100813194087859 : i64
  %o1 = arith.constant -4472312430774715754 : i64
  %i1 = arith.constant 4459940628718748732 : index
  call @draw(%s1, %o1, %i1) : (i64, i64, index) -> ()
  // The least word that f16 rounds to 1 is the next one.
  // CHECK-NEXT: 1xf32 [0.99975586]
  // CHECK-NEXT: 1xf32 [10.999756]
  // CHECK-NEXT: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [10]
  // CHECK-NEXT: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [10]
  // CHECK-NEXT: 1xf32 [0]
  // CHECK-NEXT: 1xf32 [1]
  %c1 = arith.constant 1 : index
  %i2 = arith.addi %i1, %c1 : index
  call @draw(%s1, %o1, %i2) : (i64, i64, index) -> ()

  // The words 0x1fffff and 0xffffffff, all ones in the number of an f64.
  %s3 = arith.constant 7023743836218156456 : i64
  %o3 = arith.constant 1963301069219074860 : i64
  %lo = arith.constant 10.0 : f64
  %hi = arith.constant 11.0 : f64
  %u = rng.stateless_uniform %s3, %o3
      slice [4539246817440839668] of [0x7fffffffffffffff] : tensor<1xf64>
  %v = rng.stateless_uniform %s3, %o3 range(%lo, %hi)
      slice [4539246817440839668] of [0x7fffffffffffffff] : tensor<1xf64>
  %ub = bufferization.to_buffer %u : tensor<1xf64> to memref<1xf64>
  %vb = bufferization.to_buffer %v : tensor<1xf64> to memref<1xf64>
  %ua = memref.cast %ub : memref<1xf64> to memref<*xf64>
  %va = memref.cast %vb : memref<1xf64> to memref<*xf64>
  // CHECK-NEXT: 1xf64 [0]
  // CHECK-NEXT: 1xf64 [10]
  call @rngPrintF64(%ua) : (memref<*xf64>) -> ()
  call @rngPrintF64(%va) : (memref<*xf64>) -> ()
  return
}
