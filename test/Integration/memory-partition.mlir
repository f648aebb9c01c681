// RUN: split-file %s %t
// RUN: %rng_opt %t/joint.mlir -rng-partition | grep -v '^}' > %t/program.mlir
// RUN: cat %t/main.mlir >> %t/program.mlir
// RUN: echo '}' >> %t/program.mlir
// RUN: %rng_opt %t/program.mlir -rng-to-cpu | %run_cpu | FileCheck %s
//
// Trap 12: two forwards before one backward. Each has a snapshot of its own,
// and each backward draws the masks of its own forward.

//--- joint.mlir

func.func @f(%x: tensor<64xf32>, %memory: memref<2xi64>,
             %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %p = arith.constant 0.75 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %blocks = arith.constant 2 : i64
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  %d0 = arith.constant 0 : i64
  %d1 = arith.constant 1 : i64
  %k0 = rng.stateless_bernoulli %s[%d0] prob(%p) : tensor<64xi1>
  %h = arith.select %k0, %x, %zero : tensor<64xi1>, tensor<64xf32>
  %k1 = rng.stateless_bernoulli %s[%d1] prob(%p) : tensor<64xi1>
  %y = arith.select %k1, %h, %zero : tensor<64xi1>, tensor<64xf32>
  %dh = arith.select %k1, %dy, %zero : tensor<64xi1>, tensor<64xf32>
  %dx = arith.select %k0, %dh, %zero : tensor<64xi1>, tensor<64xf32>
  return %y, %dx : tensor<64xf32>, tensor<64xf32>
}

//--- main.mlir

func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentF32(memref<*xf32>, memref<*xf32>) -> i64
    attributes {llvm.emit_c_interface}
func.func private @unranked(%x: tensor<64xf32>) -> memref<*xf32> {
  %b = bufferization.to_buffer %x read_only
      : tensor<64xf32> to memref<64xf32>
  %c = memref.cast %b : memref<64xf32> to memref<*xf32>
  return %c : memref<*xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %ones = arith.constant dense<1.0> : tensor<64xf32>
  %memory = memref.alloc() : memref<2xi64>
  memref.store %zero, %memory[%c0] : memref<2xi64>
  memref.store %zero, %memory[%c1] : memref<2xi64>
  %y0, %s0 = call @f_forward(%ones, %memory)
      : (tensor<64xf32>, memref<2xi64>) -> (tensor<64xf32>, tensor<2xi64>)
  %y1, %s1 = call @f_forward(%ones, %memory)
      : (tensor<64xf32>, memref<2xi64>) -> (tensor<64xf32>, tensor<2xi64>)
  // Whatever becomes of the memory.
  memref.store %zero, %memory[%c1] : memref<2xi64>
  %dx0 = call @f_backward(%s0, %ones)
      : (tensor<2xi64>, tensor<64xf32>) -> tensor<64xf32>
  %dx1 = call @f_backward(%s1, %ones)
      : (tensor<2xi64>, tensor<64xf32>) -> tensor<64xf32>

  %uy0 = call @unranked(%y0) : (tensor<64xf32>) -> memref<*xf32>
  %uy1 = call @unranked(%y1) : (tensor<64xf32>) -> memref<*xf32>
  %udx0 = call @unranked(%dx0) : (tensor<64xf32>) -> memref<*xf32>
  %udx1 = call @unranked(%dx1) : (tensor<64xf32>) -> memref<*xf32>
  // CHECK:      64xf32 [0, 0, 1, 1, 0, 0, 1, 1, ...] hash 0x91eb365a0fb38635
  // CHECK-NEXT: 64xf32 [0, 1, 1, 1, 0, 1, 1, 1, ...] hash 0x9de790779cc63ad5
  // CHECK-NEXT: 64xf32 [0, 0, 1, 1, 0, 0, 1, 1, ...] hash 0x91eb365a0fb38635
  // CHECK-NEXT: 64xf32 [0, 1, 1, 1, 0, 1, 1, 1, ...] hash 0x9de790779cc63ad5
  call @rngPrintF32(%uy0) : (memref<*xf32>) -> ()
  call @rngPrintF32(%uy1) : (memref<*xf32>) -> ()
  call @rngPrintF32(%udx0) : (memref<*xf32>) -> ()
  call @rngPrintF32(%udx1) : (memref<*xf32>) -> ()
  %same0 = call @rngCountDifferentF32(%uy0, %udx0)
      : (memref<*xf32>, memref<*xf32>) -> i64
  %same1 = call @rngCountDifferentF32(%uy1, %udx1)
      : (memref<*xf32>, memref<*xf32>) -> i64
  %other = call @rngCountDifferentF32(%uy0, %uy1)
      : (memref<*xf32>, memref<*xf32>) -> i64
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}34{{$}}
  vector.print %same0 : i64
  vector.print %same1 : i64
  vector.print %other : i64
  return
}
