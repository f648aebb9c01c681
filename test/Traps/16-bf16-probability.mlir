// Trap 16. A bf16 uniform compared with the probability to keep gives a biased
// rate: 0.9 becomes 0.9023. In a bf16 program the decision is the f32 one.

// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

func.func private @rngPrintI64(memref<*xi64>) attributes {llvm.emit_c_interface}

func.func private @count(%keep: tensor<1048576xi1>) {
  %zero = arith.constant dense<0> : tensor<1xi64>
  %wide = arith.extui %keep : tensor<1048576xi1> to tensor<1048576xi64>
  %rows = tensor.expand_shape %wide [[0, 1]] output_shape [1, 1048576]
      : tensor<1048576xi64> into tensor<1x1048576xi64>
  %sum = linalg.reduce ins(%rows : tensor<1x1048576xi64>)
      outs(%zero : tensor<1xi64>) dimensions = [1]
      (%a: i64, %b: i64) {
        %c = arith.addi %a, %b : i64
        linalg.yield %c : i64
      }
  %buffer = bufferization.to_buffer %sum : tensor<1xi64> to memref<1xi64>
  %any = memref.cast %buffer : memref<1xi64> to memref<*xi64>
  call @rngPrintI64(%any) : (memref<*xi64>) -> ()
  return
}

func.func @main() {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 0 : i64
  %p = arith.constant 0.9 : f32
  %zero = arith.constant dense<0.0> : tensor<1048576xbf16>
  %one = arith.constant dense<1.0> : tensor<1048576xbf16>

  // The mask of a bf16 dropout: 0.9 * 2^20 = 943718 with a deviation of 307.
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<1048576xi1>
  %dropped = arith.select %keep, %one, %zero
      : tensor<1048576xi1>, tensor<1048576xbf16>
  %kept = arith.cmpf one, %dropped, %zero : tensor<1048576xbf16>
  // CHECK: 1xi64 [943{{[5-9][0-9][0-9]}}]
  call @count(%kept) : (tensor<1048576xi1>) -> ()

  // It is where the f32 uniform is below 0.9.
  %u = rng.stateless_uniform %seed, %offset : tensor<1048576xf32>
  %ps = arith.constant dense<0.9> : tensor<1048576xf32>
  %below = arith.cmpf olt, %u, %ps : tensor<1048576xf32>
  %differ = arith.xori %keep, %below : tensor<1048576xi1>
  // CHECK-NEXT: 1xi64 [0]
  call @count(%differ) : (tensor<1048576xi1>) -> ()

  // What the trap is, for this rounding: 942,2xx, five deviations away. (Of
  // numbers k / 256, as in other systems, 231 of 256 would be kept: 0.9023.)
  %v = rng.stateless_uniform %seed, %offset : tensor<1048576xbf16>
  %qs = arith.constant dense<0.9> : tensor<1048576xbf16>
  %biased = arith.cmpf olt, %v, %qs : tensor<1048576xbf16>
  // CHECK-NEXT: 1xi64 [942{{[0-9][0-9][0-9]}}]
  call @count(%biased) : (tensor<1048576xi1>) -> ()
  return
}
