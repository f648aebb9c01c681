// RUN: split-file %s %t
// RUN: %rng_opt %t/program.mlir -rng-thread-state=entry=memory \
// RUN: | grep -v '^}' > %t/all.mlir
// RUN: cat %t/main.mlir >> %t/all.mlir
// RUN: echo '}' >> %t/all.mlir
// RUN: %rng_opt %t/all.mlir -rng-to-cpu | %run_cpu | FileCheck %s
//
// A loop of branches whose draws are counted while it runs, with its state in
// memory: sums of the first four blocks, then of the next four.

//--- program.mlir

func.func @loop(%n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = arith.constant dense<0> : tensor<8xi32>
  cf.br ^head(%c0, %e : index, tensor<8xi32>)
^head(%i: index, %a: tensor<8xi32>):
  %in = arith.cmpi slt, %i, %n : index
  cf.cond_br %in, ^body, ^end
^body:
  %u = rng.bits : tensor<8xi32>
  %b = arith.addi %a, %u : tensor<8xi32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %b : index, tensor<8xi32>)
^end:
  %v = rng.bits : tensor<8xi32>
  %r = arith.addi %a, %v : tensor<8xi32>
  return %r : tensor<8xi32>
}

//--- main.mlir

func.func private @rngPrintI32(tensor<*xi32> {bufferization.access = "read"})
    attributes {llvm.emit_c_interface}
func.func private @runs(%m: memref<2xi64>) -> (tensor<8xi32>, tensor<8xi32>) {
  %n = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  memref.store %zero, %m[%c0] : memref<2xi64>
  memref.store %zero, %m[%c1] : memref<2xi64>
  %x = call @loop(%n, %m) : (index, memref<2xi64>) -> tensor<8xi32>
  %y = call @loop(%n, %m) : (index, memref<2xi64>) -> tensor<8xi32>
  return %x, %y : tensor<8xi32>, tensor<8xi32>
}
// Works with tensors: on a GPU the state is in device memory, too.
func.func private @alloc() -> (tensor<8xi32>, tensor<8xi32>) {
  %m = memref.alloc() : memref<2xi64>
  %x, %y = call @runs(%m)
      : (memref<2xi64>) -> (tensor<8xi32>, tensor<8xi32>)
  return %x, %y : tensor<8xi32>, tensor<8xi32>
}
func.func @main() {
  %x, %y = call @alloc() : () -> (tensor<8xi32>, tensor<8xi32>)
  %xu = tensor.cast %x : tensor<8xi32> to tensor<*xi32>
  %yu = tensor.cast %y : tensor<8xi32> to tensor<*xi32>
  // CHECK:      8xi32 [764954571, -98079308, 752568371, 1465012007, 925142689, 681855973, 333962299, -824712914]
  // CHECK-NEXT: 8xi32 [-1041710984, -1841074106, 696285290, -1032578753, -844141645, 555502111, -2025950184, 1840811933]
  call @rngPrintI32(%xu) : (tensor<*xi32>) -> ()
  call @rngPrintI32(%yu) : (tensor<*xi32>) -> ()
  return
}
