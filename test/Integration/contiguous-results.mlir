// Functions return contiguous buffers and are given such, of which views with
// gaps are made copies, also where sizes are dynamic: C code that takes memory
// for what its type says sees the elements.
//
// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

func.func private @rngPrintF32(tensor<*xf32> {bufferization.access = "read"})
    attributes {llvm.emit_c_interface}

func.func private @slice(%t: tensor<?x?xf32>, %m: index, %n: index)
    -> tensor<?x?xf32> {
  %twice = arith.addf %t, %t : tensor<?x?xf32>
  %s = tensor.extract_slice %twice[0, 1] [%m, %n] [1, 1]
      : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// The first sizes are known: no stride tells of the gaps.
func.func private @slices(%t: tensor<2x?x?xf32>, %m: index, %n: index)
    -> tensor<2x?x?xf32> {
  %twice = arith.addf %t, %t : tensor<2x?x?xf32>
  %s = tensor.extract_slice %twice[0, 0, 0] [2, %m, %n] [1, 1, 1]
      : tensor<2x?x?xf32> to tensor<2x?x?xf32>
  return %s : tensor<2x?x?xf32>
}

func.func private @pad(%t: tensor<?x?xf32>, %m: index, %n: index)
    -> tensor<?x?xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %t low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %s = tensor.extract_slice %p[0, 0] [%m, %n] [1, 1]
      : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

func.func private @double(%t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = arith.addf %t, %t : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A view with gaps is an argument of a call.
func.func private @calls(%t: tensor<?x?xf32>, %m: index, %n: index)
    -> tensor<?x?xf32> {
  %s = tensor.extract_slice %t[0, 0] [%m, %n] [1, 1]
      : tensor<?x?xf32> to tensor<?x?xf32>
  %r = call @double(%s) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @main() {
  %m = arith.constant 2 : index
  %n = arith.constant 2 : index
  %c = arith.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]>
      : tensor<2x3xf32>
  %t = tensor.cast %c : tensor<2x3xf32> to tensor<?x?xf32>
  %0 = call @slice(%t, %m, %n)
      : (tensor<?x?xf32>, index, index) -> tensor<?x?xf32>
  %p0 = tensor.cast %0 : tensor<?x?xf32> to tensor<*xf32>
  // CHECK: {{\[}}2, 4, 8, 10]
  call @rngPrintF32(%p0) : (tensor<*xf32>) -> ()

  %d = arith.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]],
                             [[6.0, 7.0, 8.0], [9.0, 0.5, 1.5]]]>
      : tensor<2x2x3xf32>
  %u = tensor.cast %d : tensor<2x2x3xf32> to tensor<2x?x?xf32>
  %1 = call @slices(%u, %m, %n)
      : (tensor<2x?x?xf32>, index, index) -> tensor<2x?x?xf32>
  %p1 = tensor.cast %1 : tensor<2x?x?xf32> to tensor<*xf32>
  // CHECK: {{\[}}0, 2, 6, 8, 12, 14, 18, 1]
  call @rngPrintF32(%p1) : (tensor<*xf32>) -> ()

  %2 = call @pad(%t, %m, %n)
      : (tensor<?x?xf32>, index, index) -> tensor<?x?xf32>
  %p2 = tensor.cast %2 : tensor<?x?xf32> to tensor<*xf32>
  // CHECK: {{\[}}1, 0, 1, 3]
  call @rngPrintF32(%p2) : (tensor<*xf32>) -> ()

  %3 = call @calls(%t, %m, %n)
      : (tensor<?x?xf32>, index, index) -> tensor<?x?xf32>
  %p3 = tensor.cast %3 : tensor<?x?xf32> to tensor<*xf32>
  // CHECK: {{\[}}0, 2, 6, 8]
  call @rngPrintF32(%p3) : (tensor<*xf32>) -> ()
  return
}
