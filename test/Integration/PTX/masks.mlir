// Masks that lie in memory, beside elements of each width: a thread takes as many
// as one access of 16 bytes holds, so of booleans 2, 4, 8 or 16. Two are no whole
// word, which once ended in an error of the verifier. The hash is of all values.
//
// RUN: %rng_opt %s --rng-to-cpu | %run_cpu > %t.cpu
// RUN: %rng_opt %s --rng-to-nvptx | %run_ptx > %t.gpu
// RUN: diff %t.cpu %t.gpu
// RUN: FileCheck %s < %t.gpu

func.func private @rngPrintF64(memref<*xf64>) attributes {llvm.emit_c_interface}
func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @rngPrintF16(memref<*xf16>) attributes {llvm.emit_c_interface}
func.func private @rngPrintI64(memref<*xi64>) attributes {llvm.emit_c_interface}

func.func private @keep_f64(%m: tensor<19xi1>, %x: tensor<19xf64>)
    -> tensor<19xf64> {
  %zero = arith.constant dense<0.0> : tensor<19xf64>
  %y = arith.select %m, %x, %zero : tensor<19xi1>, tensor<19xf64>
  return %y : tensor<19xf64>
}
func.func private @keep_i64(%m: tensor<19xi1>, %x: tensor<19xi64>)
    -> tensor<19xi64> {
  %zero = arith.constant dense<0> : tensor<19xi64>
  %y = arith.select %m, %x, %zero : tensor<19xi1>, tensor<19xi64>
  return %y : tensor<19xi64>
}
func.func private @keep_f32(%m: tensor<19xi1>, %x: tensor<19xf64>)
    -> tensor<19xf32> {
  %zero = arith.constant dense<0.0> : tensor<19xf32>
  %f = arith.truncf %x : tensor<19xf64> to tensor<19xf32>
  %y = arith.select %m, %f, %zero : tensor<19xi1>, tensor<19xf32>
  return %y : tensor<19xf32>
}
func.func private @keep_f16(%m: tensor<19xi1>, %x: tensor<19xf16>)
    -> tensor<19xf16> {
  %zero = arith.constant dense<0.0> : tensor<19xf16>
  %y = arith.select %m, %x, %zero : tensor<19xi1>, tensor<19xf16>
  return %y : tensor<19xf16>
}

// CHECK:      19xf64 [0, 2, 3, 0, 0, 6, 7, 8, ...] hash 0xbbf0d313d3fb6f70
// CHECK-NEXT: 19xi64 [0, 2, 3, 0, 0, 6, 7, 8, ...] hash 0x39d5d5a3cff0b187
// CHECK-NEXT: 19xf32 [0, 2, 3, 0, 0, 6, 7, 8, ...] hash 0xe5749ff0e507157d
// CHECK-NEXT: 19xf16 [0, 2, 3, 0, 0, 6, 7, 8, ...] hash 0x14cd86234a55c734
func.func @main() {
  %m = arith.constant dense<[0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0,
                             0, 1]> : tensor<19xi1>
  %i = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                             16, 17, 18, 19]> : tensor<19xi64>
  %d = arith.sitofp %i : tensor<19xi64> to tensor<19xf64>
  %h = arith.sitofp %i : tensor<19xi64> to tensor<19xf16>
  %0 = call @keep_f64(%m, %d) : (tensor<19xi1>, tensor<19xf64>) -> tensor<19xf64>
  %1 = call @keep_i64(%m, %i) : (tensor<19xi1>, tensor<19xi64>) -> tensor<19xi64>
  %2 = call @keep_f32(%m, %d) : (tensor<19xi1>, tensor<19xf64>) -> tensor<19xf32>
  %3 = call @keep_f16(%m, %h) : (tensor<19xi1>, tensor<19xf16>) -> tensor<19xf16>
  %b0 = bufferization.to_buffer %0 read_only : tensor<19xf64> to memref<19xf64>
  %b1 = bufferization.to_buffer %1 read_only : tensor<19xi64> to memref<19xi64>
  %b2 = bufferization.to_buffer %2 read_only : tensor<19xf32> to memref<19xf32>
  %b3 = bufferization.to_buffer %3 read_only : tensor<19xf16> to memref<19xf16>
  %c0 = memref.cast %b0 : memref<19xf64> to memref<*xf64>
  %c1 = memref.cast %b1 : memref<19xi64> to memref<*xi64>
  %c2 = memref.cast %b2 : memref<19xf32> to memref<*xf32>
  %c3 = memref.cast %b3 : memref<19xf16> to memref<*xf16>
  call @rngPrintF64(%c0) : (memref<*xf64>) -> ()
  call @rngPrintI64(%c1) : (memref<*xi64>) -> ()
  call @rngPrintF32(%c2) : (memref<*xf32>) -> ()
  call @rngPrintF16(%c3) : (memref<*xf16>) -> ()
  return
}
