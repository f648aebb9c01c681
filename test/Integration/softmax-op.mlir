// linalg.softmax, which stands for several ops.
//
// RUN: %rng_opt %s --rng-to-cpu | %run_cpu > %t.cpu
// RUN: FileCheck %s < %t.cpu
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu > %t.gpu
// RUN: diff %t.cpu %t.gpu

func.func private @rngPrintF32(tensor<*xf32> {bufferization.access = "read"})
    attributes {llvm.emit_c_interface}

func.func private @softmax(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>)
      outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @main() {
  %x = arith.constant dense<[[2.0, 2.0, 2.0, 2.0], [0.0, -100.0, 0.0, -200.0],
                             [-300.0, -300.0, -200.0, -300.0]]>
      : tensor<3x4xf32>
  %t = tensor.cast %x : tensor<3x4xf32> to tensor<?x?xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  %f = tensor.cast %e : tensor<3x4xf32> to tensor<?x?xf32>
  %r = call @softmax(%t, %f)
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = tensor.cast %r : tensor<?x?xf32> to tensor<*xf32>
  // CHECK: [0.25, 0.25, 0.25, 0.25, 0.5, 0, 0.5, 0, ...]
  call @rngPrintF32(%p) : (tensor<*xf32>) -> ()
  return
}
