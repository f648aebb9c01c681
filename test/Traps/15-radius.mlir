// Trap 15. Normal numbers are infinite or NaN because the radius saw u = 0. Here
// the words of the radius are 0, where the inverse of the bijection finds them:
// the radius is sqrt(-2 log(2^-33)) = 6.7637 in f32 and sqrt(-2 log(2^-54)) =
// 8.6522 in f64. The other end: all bits of a word are set, and an exponential
// number is 0, whose logarithm, Gumbel noise, is infinite. It is -log(1 - 2^-33)
// (f64: 2^-54), and the least number of f16, which would round that to 0.

// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

func.func private @rngPrintF64(memref<*xf64>) attributes {llvm.emit_c_interface}

// The length of a pair of normal numbers, the logarithm of an exponential one.
func.func private @draw64(%s: i64, %o: i64, %i: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = rng.stateless_normal %s, %o
      slice [%i] of [0x7fffffffffffffff] : tensor<2xf64>
  %e = rng.stateless_exponential %s, %o
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf64>
  call @show(%z, %e) : (tensor<2xf64>, tensor<1xf64>) -> ()
  return
}

func.func private @draw32(%s: i64, %o: i64, %i: index) {
  %z = rng.stateless_normal %s, %o
      slice [%i] of [0x7fffffffffffffff] : tensor<2xf32>
  %e = rng.stateless_exponential %s, %o
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf32>
  %zw = arith.extf %z : tensor<2xf32> to tensor<2xf64>
  %ew = arith.extf %e : tensor<1xf32> to tensor<1xf64>
  call @show(%zw, %ew) : (tensor<2xf64>, tensor<1xf64>) -> ()
  return
}

func.func private @ones64(%s: i64, %o: i64, %i: index) {
  %e = rng.stateless_exponential %s, %o
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf64>
  call @print(%e) : (tensor<1xf64>) -> ()
  return
}

func.func private @ones32(%s: i64, %o: i64, %i: index) {
  %e = rng.stateless_exponential %s, %o
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf32>
  %w = arith.extf %e : tensor<1xf32> to tensor<1xf64>
  call @print(%w) : (tensor<1xf64>) -> ()
  return
}

func.func private @ones16(%s: i64, %o: i64, %i: index) {
  %e = rng.stateless_exponential %s, %o
      slice [%i] of [0x7fffffffffffffff] : tensor<1xf16>
  %w = arith.extf %e : tensor<1xf16> to tensor<1xf64>
  call @print(%w) : (tensor<1xf64>) -> ()
  return
}

func.func private @onesb16(%s: i64, %o: i64, %i: index) {
  %e = rng.stateless_exponential %s, %o
      slice [%i] of [0x7fffffffffffffff] : tensor<1xbf16>
  %w = arith.extf %e : tensor<1xbf16> to tensor<1xf64>
  call @print(%w) : (tensor<1xf64>) -> ()
  return
}

// Times 2^54.
func.func private @print(%e: tensor<1xf64>) {
  %scale = arith.constant dense<0x4350000000000000> : tensor<1xf64>
  %x = arith.mulf %e, %scale : tensor<1xf64>
  %buffer = bufferization.to_buffer %x : tensor<1xf64> to memref<1xf64>
  %any = memref.cast %buffer : memref<1xf64> to memref<*xf64>
  call @rngPrintF64(%any) : (memref<*xf64>) -> ()
  return
}

func.func private @show(%z: tensor<2xf64>, %e: tensor<1xf64>) {
  %squares = arith.mulf %z, %z : tensor<2xf64>
  %a = tensor.extract_slice %squares[0] [1] [1] : tensor<2xf64> to tensor<1xf64>
  %b = tensor.extract_slice %squares[1] [1] [1] : tensor<2xf64> to tensor<1xf64>
  %sum = arith.addf %a, %b : tensor<1xf64>
  %radius = math.sqrt %sum : tensor<1xf64>
  %both = tensor.concat dim(0) %radius, %e
      : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
  %buffer = bufferization.to_buffer %both : tensor<2xf64> to memref<2xf64>
  %any = memref.cast %buffer : memref<2xf64> to memref<*xf64>
  call @rngPrintF64(%any) : (memref<*xf64>) -> ()
  return
}

func.func @main() {
  %s0 = arith.constant -4786867117536387929 : i64
  %o0 = arith.constant 4399727140204576379 : i64
  %i0 = arith.constant 3116224687723640352 : index
  // CHECK: 2xf64 [6.7637{{[0-9]*}}, 22.8738{{[0-9]*}}]
  call @draw32(%s0, %o0, %i0) : (i64, i64, index) -> ()
  %s1 = arith.constant -8878818519885120113 : i64
  %o1 = arith.constant -8747418952246248419 : i64
  %i1 = arith.constant 628530031854937340 : index
  // CHECK-NEXT: 2xf64 [8.6521{{[0-9]*}}, 37.4299{{[0-9]*}}]
  call @draw64(%s1, %o1, %i1) : (i64, i64, index) -> ()
  %s2 = arith.constant -1967953301940877400 : i64
  %o2 = arith.constant -2618276005944805127 : i64
  %i2 = arith.constant 146809548672991272 : index
  // 2^-33, 2^-24, 2^-33 times 2^54
  // CHECK-NEXT: 1xf64 [2097152]
  call @ones32(%s2, %o2, %i2) : (i64, i64, index) -> ()
  // CHECK-NEXT: 1xf64 [1073741824]
  call @ones16(%s2, %o2, %i2) : (i64, i64, index) -> ()
  // CHECK-NEXT: 1xf64 [2097152]
  call @onesb16(%s2, %o2, %i2) : (i64, i64, index) -> ()
  %s3 = arith.constant -6837232130752803449 : i64
  %o3 = arith.constant -2665517979032552706 : i64
  %i3 = arith.constant 78644561753924696 : index
  // CHECK-NEXT: 1xf64 [1]
  call @ones64(%s3, %o3, %i3) : (i64, i64, index) -> ()
  return
}
