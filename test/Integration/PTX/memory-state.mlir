// State in device memory, which the host never reads: kernels take a snapshot
// and advance the state, kernels load seed and offset from the snapshot. Same
// bits as on the CPU; each run with one memory draws the next numbers.
//
// RUN: cat %s %S/Inputs/host-memory.mlir | %rng_opt --rng-to-cpu | %run_cpu \
// RUN:   > %t.cpu
// RUN: cat %s %S/Inputs/device-memory.mlir | %rng_opt --rng-to-nvptx \
// RUN:   | %run_ptx > %t.gpu
// RUN: diff %t.cpu %t.gpu
// RUN: FileCheck %s < %t.gpu

func.func private @rngPrintI32(memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @rngPrintF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @rngPrintI64(memref<*xi64>) attributes {llvm.emit_c_interface}

func.func private @print_i32(%device: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %device, %c0 : memref<?xi32>
  %host = memref.alloc(%n) : memref<?xi32>
  call @from_i32(%device, %host) : (memref<?xi32>, memref<?xi32>) -> ()
  %any = memref.cast %host : memref<?xi32> to memref<*xi32>
  call @rngPrintI32(%any) : (memref<*xi32>) -> ()
  call @free_i32(%device) : (memref<?xi32>) -> ()
  call @free_host_i32(%host) : (memref<?xi32>) -> ()
  return
}
func.func private @print_f32(%device: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %device, %c0 : memref<?xf32>
  %host = memref.alloc(%n) : memref<?xf32>
  call @from_f32(%device, %host) : (memref<?xf32>, memref<?xf32>) -> ()
  %any = memref.cast %host : memref<?xf32> to memref<*xf32>
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  call @free_f32(%device) : (memref<?xf32>) -> ()
  call @free_host_f32(%host) : (memref<?xf32>) -> ()
  return
}
func.func private @print_state(%memory: memref<2xi64>) {
  %c2 = arith.constant 2 : index
  %device = memref.cast %memory : memref<2xi64> to memref<?xi64>
  %host = memref.alloc(%c2) : memref<?xi64>
  call @from_i64(%device, %host) : (memref<?xi64>, memref<?xi64>) -> ()
  %any = memref.cast %host : memref<?xi64> to memref<*xi64>
  call @rngPrintI64(%any) : (memref<*xi64>) -> ()
  call @free_host_i64(%host) : (memref<?xi64>) -> ()
  return
}
func.func private @new_state(%seed: i64, %offset: i64) -> memref<2xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %host = memref.alloc(%c2) : memref<?xi64>
  memref.store %seed, %host[%c0] : memref<?xi64>
  memref.store %offset, %host[%c1] : memref<?xi64>
  %device = call @to_i64(%host) : (memref<?xi64>) -> memref<?xi64>
  call @free_host_i64(%host) : (memref<?xi64>) -> ()
  %memory = memref.cast %device : memref<?xi64> to memref<2xi64>
  return %memory : memref<2xi64>
}
func.func private @free_state(%memory: memref<2xi64>) {
  %device = memref.cast %memory : memref<2xi64> to memref<?xi64>
  call @free_i64(%device) : (memref<?xi64>) -> ()
  return
}

// What rng-thread-state makes of two draws and elementwise work.
func.func @program(%x: tensor<?xf32>, %memory: memref<2xi64>)
    -> (tensor<?xf32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %p = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %blocks = arith.constant 2 : i64
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  %d0 = arith.constant 0 : i64
  %keep = rng.stateless_bernoulli %s[%d0] prob(%p) sizes(%n) : tensor<?xi1>
  %d1 = arith.constant 1 : i64
  %bits = rng.stateless_bits %s[%d1] sizes(%n) : tensor<?xi32>
  %zeros = tensor.splat %zero[%n] : tensor<?xf32>
  %y = arith.select %keep, %x, %zeros : tensor<?xi1>, tensor<?xf32>
  return %y, %bits : tensor<?xf32>, tensor<?xi32>
}

// A snapshot outlives what becomes of the memory, also as a result.
func.func @snapshot(%memory: memref<2xi64>, %blocks: i64) -> tensor<2xi64> {
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  return %s : tensor<2xi64>
}
func.func @draw_at(%s: tensor<2xi64>, %delta: i64) -> tensor<?xi32> {
  %x = rng.stateless_bits %s[%delta] : tensor<8xi32>
  %y = tensor.cast %x : tensor<8xi32> to tensor<?xi32>
  return %y : tensor<?xi32>
}

// Nothing is drawn: the memory advances all the same.
func.func @skip(%memory: memref<2xi64>, %blocks: i64) {
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  return
}

// Draws in the bodies of structured ops, and of vectors and scalars by host
// code.
func.func @bodies(%memory: memref<2xi64>, %n: index)
    -> (tensor<?xi32>, vector<8xi32>, i32) {
  %blocks = arith.constant 3 : i64
  %d0 = arith.constant 0 : i64
  %d1 = arith.constant 1 : i64
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  %t = tensor.generate %n {
  ^bb0(%i: index):
    %e = rng.stateless_bits %s[%d0] slice [%i] of [%n] : i32
    tensor.yield %e : i32
  } : tensor<?xi32>
  %v = rng.stateless_bits %s[%d1] : vector<8xi32>
  %e = rng.stateless_bits %s[%d1] slice [7] of [8] : i32
  return %t, %v, %e : tensor<?xi32>, vector<8xi32>, i32
}

// The seed is set: snapshots that a loop carries, of host values and back to
// memory.
func.func @seeded(%memory: memref<2xi64>, %seed: i64, %n: index)
    -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = arith.constant dense<0> : tensor<8xi32>
  %s = rng.reserve_memory %memory, %zero : memref<2xi64> -> tensor<2xi64>
  %x, %snapshot, %delta = scf.for %i = %c0 to %n step %c1
      iter_args(%a = %e, %t = %s, %d = %zero)
      -> (tensor<8xi32>, tensor<2xi64>, i64) {
    %r = rng.stateless_bits %t[%d] : tensor<8xi32>
    %sum = arith.addi %a, %r : tensor<8xi32>
    %u = tensor.from_elements %seed, %zero : tensor<2xi64>
    scf.yield %sum, %u, %one : tensor<8xi32>, tensor<2xi64>, i64
  }
  bufferization.materialize_in_destination %snapshot in writable %memory
      : (tensor<2xi64>, memref<2xi64>) -> ()
  %t = rng.reserve_memory %memory, %delta : memref<2xi64> -> tensor<2xi64>
  %any = tensor.cast %x : tensor<8xi32> to tensor<?xi32>
  return %any : tensor<?xi32>
}

func.func private @run(%xb: memref<?xf32>, %memory: memref<2xi64>) {
  %x = bufferization.to_tensor %xb restrict : memref<?xf32> to tensor<?xf32>
  %y, %bits = call @program(%x, %memory)
      : (tensor<?xf32>, memref<2xi64>) -> (tensor<?xf32>, tensor<?xi32>)
  %yb = bufferization.to_buffer %y : tensor<?xf32> to memref<?xf32>
  %bb = bufferization.to_buffer %bits : tensor<?xi32> to memref<?xi32>
  call @print_f32(%yb) : (memref<?xf32>) -> ()
  call @print_i32(%bb) : (memref<?xi32>) -> ()
  call @print_state(%memory) : (memref<2xi64>) -> ()
  return
}

func.func private @draw_and_print(%sb: memref<2xi64>, %delta: i64) {
  %s = bufferization.to_tensor %sb restrict : memref<2xi64> to tensor<2xi64>
  %x = call @draw_at(%s, %delta) : (tensor<2xi64>, i64) -> tensor<?xi32>
  %b = bufferization.to_buffer %x : tensor<?xi32> to memref<?xi32>
  call @print_i32(%b) : (memref<?xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %seed = arith.constant -2 : i64
  %all_ones = arith.constant -1 : i64
  %ten = arith.constant 10.0 : f32

  %host = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %ten, %host[%i] : memref<?xf32>
  }
  %xb = call @to_f32(%host) : (memref<?xf32>) -> memref<?xf32>
  %memory = call @new_state(%zero, %zero) : (i64, i64) -> memref<2xi64>

  // CHECK:      8xf32 [10, 0, 0, 0, 0, 0, 10, 0]
  // CHECK-NEXT: 8xi32 [-119223132, 1555169499, -1314556693, 159317863, -897780066, -641237523, 2120669524, 1835372352]
  // CHECK-NEXT: 2xi64 [0, 2]
  // CHECK-NEXT: 8xf32 [10, 10, 10, 10, 0, 0, 10, 0]
  // CHECK-NEXT: 8xi32 [-913248471, 1782871206, -1698098353, 1832992260, 577269391, -1610374694, 1358031560, 868445790]
  // CHECK-NEXT: 2xi64 [0, 4]
  call @run(%xb, %memory) : (memref<?xf32>, memref<2xi64>) -> ()
  call @run(%xb, %memory) : (memref<?xf32>, memref<2xi64>) -> ()

  // Two snapshots, the second drawn at first; the offset wraps in between.
  // CHECK-NEXT: 8xi32 [1923381001, 356992825, -1623085025, 578394714, -1488832787, 2122658050, 1278364322, 1108527830]
  // CHECK-NEXT: 8xi32 [1293473746, 1124779610, -1120951766, 184213773, -1949465704, 872883591, 1788546983, -655599170]
  // CHECK-NEXT: 8xi32 [1923381001, 356992825, -1623085025, 578394714, -1488832787, 2122658050, 1278364322, 1108527830]
  // CHECK-NEXT: 2xi64 [-1, 0]
  %wrapping = call @new_state(%all_ones, %all_ones)
      : (i64, i64) -> memref<2xi64>
  %s0 = call @snapshot(%wrapping, %one) : (memref<2xi64>, i64) -> tensor<2xi64>
  %s1 = call @snapshot(%wrapping, %one) : (memref<2xi64>, i64) -> tensor<2xi64>
  %b0 = bufferization.to_buffer %s0 : tensor<2xi64> to memref<2xi64>
  %b1 = bufferization.to_buffer %s1 : tensor<2xi64> to memref<2xi64>
  call @skip(%wrapping, %all_ones) : (memref<2xi64>, i64) -> ()
  call @draw_and_print(%b1, %zero) : (memref<2xi64>, i64) -> ()
  call @draw_and_print(%b0, %zero) : (memref<2xi64>, i64) -> ()
  call @draw_and_print(%b0, %one) : (memref<2xi64>, i64) -> ()
  call @print_state(%wrapping) : (memref<2xi64>) -> ()

  // CHECK-NEXT: 8xi32 [-281164972, -1315704466, -248551748, -356582054, -769985744, 1030321232, 1467243968, -333097533]
  // CHECK-NEXT: ( 1934136315, 119182898, -1416146022, 1526716903, -672246589, 1356611508, 678048342, -186754406 )
  // CHECK-NEXT: {{^}}-186754406{{$}}
  // CHECK-NEXT: 2xi64 [0, 7]
  %t, %v, %e = call @bodies(%memory, %n)
      : (memref<2xi64>, index) -> (tensor<?xi32>, vector<8xi32>, i32)
  %tb = bufferization.to_buffer %t : tensor<?xi32> to memref<?xi32>
  call @print_i32(%tb) : (memref<?xi32>) -> ()
  vector.print %v : vector<8xi32>
  vector.print %e : i32
  call @print_state(%memory) : (memref<2xi64>) -> ()

  // CHECK-NEXT: 8xi32 [1345762722, -2002591144, -1421515339, 1318454756, -1337340473, -2144923521, -999162274, 194641830]
  // CHECK-NEXT: 2xi64 [-2, 1]
  %r = call @seeded(%memory, %seed, %c2)
      : (memref<2xi64>, i64, index) -> tensor<?xi32>
  %rb = bufferization.to_buffer %r : tensor<?xi32> to memref<?xi32>
  call @print_i32(%rb) : (memref<?xi32>) -> ()
  call @print_state(%memory) : (memref<2xi64>) -> ()

  call @free_state(%b0) : (memref<2xi64>) -> ()
  call @free_state(%b1) : (memref<2xi64>) -> ()
  call @free_state(%memory) : (memref<2xi64>) -> ()
  call @free_state(%wrapping) : (memref<2xi64>) -> ()
  call @free_f32(%xb) : (memref<?xf32>) -> ()
  call @free_host_f32(%host) : (memref<?xf32>) -> ()
  return
}
