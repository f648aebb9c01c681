// RUN: %rng_opt %s -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -canonicalize -cse -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
//
// State in memory: draws at snapshot + delta yield the words of Random123 at
// these states, and the memory is advanced, whatever is done to it afterwards.

func.func private @rngPrintI32(memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @print(%x: tensor<?xi32>) {
  %b = bufferization.to_buffer %x read_only : tensor<?xi32> to memref<?xi32>
  %c = memref.cast %b : memref<?xi32> to memref<*xi32>
  call @rngPrintI32(%c) : (memref<*xi32>) -> ()
  return
}

func.func private @set(%memory: memref<2xi64>, %seed: i64, %offset: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %seed, %memory[%c0] : memref<2xi64>
  memref.store %offset, %memory[%c1] : memref<2xi64>
  return
}

func.func private @print_state(%memory: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seed = memref.load %memory[%c0] : memref<2xi64>
  %offset = memref.load %memory[%c1] : memref<2xi64>
  vector.print %seed : i64
  vector.print %offset : i64
  return
}

// As rng-thread-state writes it: tensors, static and dynamic, vectors, scalars
// and slices at one snapshot.
func.func @draws(%n: index, %memory: memref<2xi64>)
    -> (tensor<8xi32>, tensor<?xi32>, vector<8xi32>, i32, tensor<4xi32>) {
  %blocks = arith.constant 3 : i64
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  %d0 = arith.constant 0 : i64
  %fixed = rng.stateless_bits %s[%d0] : tensor<8xi32>
  %d1 = arith.constant 1 : i64
  %dynamic = rng.stateless_bits %s[%d1] sizes(%n) : tensor<?xi32>
  %vector = rng.stateless_bits %s[%d1] : vector<8xi32>
  %scalar = rng.stateless_bits %s[%d0] slice [7] of [8] : i32
  %d2 = arith.constant 2 : i64
  %whole = rng.stateless_bits %s[%d2] sizes(%n) : tensor<?xi32>
  %piece = rng.stateless_bits %s[%d0] slice [3] of [8] : tensor<4xi32>
  return %fixed, %dynamic, %vector, %scalar, %piece
      : tensor<8xi32>, tensor<?xi32>, vector<8xi32>, i32, tensor<4xi32>
}

func.func private @run(%memory: memref<2xi64>) {
  %n = arith.constant 8 : index
  %fixed, %dynamic, %vector, %scalar, %piece = call @draws(%n, %memory)
      : (index, memref<2xi64>)
      -> (tensor<8xi32>, tensor<?xi32>, vector<8xi32>, i32, tensor<4xi32>)
  %f = tensor.cast %fixed : tensor<8xi32> to tensor<?xi32>
  call @print(%f) : (tensor<?xi32>) -> ()
  call @print(%dynamic) : (tensor<?xi32>) -> ()
  vector.print %vector : vector<8xi32>
  vector.print %scalar : i32
  %p = tensor.cast %piece : tensor<4xi32> to tensor<?xi32>
  call @print(%p) : (tensor<?xi32>) -> ()
  call @print_state(%memory) : (memref<2xi64>) -> ()
  return
}

// Trap 3: a snapshot is a value. Neither a store nor another reservation
// changes what is drawn at it, and equal reservations are two.
func.func @immutable(%memory: memref<2xi64>) -> (i32, i32, tensor<2xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %garbage = arith.constant 99 : i64
  %s0 = rng.reserve_memory %memory, %one : memref<2xi64> -> tensor<2xi64>
  %s1 = rng.reserve_memory %memory, %one : memref<2xi64> -> tensor<2xi64>
  memref.store %garbage, %memory[%c0] : memref<2xi64>
  %0 = rng.stateless_bits %s0[%zero] : i32
  %1 = rng.stateless_bits %s1[%zero] : i32
  // Nor does writing to a tensor made of it.
  %t = tensor.insert %garbage into %s0[%c0] : tensor<2xi64>
  %2 = tensor.extract %s0[%c0] : tensor<2xi64>
  vector.print %2 : i64
  return %0, %1, %t : i32, i32, tensor<2xi64>
}

// The total is known at the end: a snapshot without advance, advanced later.
func.func @late(%memory: memref<2xi64>, %n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %e = arith.constant dense<0> : tensor<8xi32>
  %s = rng.reserve_memory %memory, %zero : memref<2xi64> -> tensor<2xi64>
  %x, %delta = scf.for %i = %c0 to %n step %c1
      iter_args(%a = %e, %d = %zero) -> (tensor<8xi32>, i64) {
    %r = rng.stateless_bits %s[%d] : tensor<8xi32>
    %next = arith.addi %d, %one : i64
    scf.yield %r, %next : tensor<8xi32>, i64
  }
  %t = rng.reserve_memory %memory, %delta : memref<2xi64> -> tensor<2xi64>
  return %x : tensor<8xi32>
}

// The seed is set on the way, after each draw, and one more block is drawn: a
// new snapshot, written back at the end. A loop carries it.
func.func @seeded(%memory: memref<2xi64>, %seed: i64, %n: index)
    -> tensor<8xi32> {
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
    %u = tensor.from_elements %seed, %zero : tensor<2xi64>
    scf.yield %r, %u, %one : tensor<8xi32>, tensor<2xi64>, i64
  }
  bufferization.materialize_in_destination %snapshot in writable %memory
      : (tensor<2xi64>, memref<2xi64>) -> ()
  %t = rng.reserve_memory %memory, %delta : memref<2xi64> -> tensor<2xi64>
  return %x : tensor<8xi32>
}

// A private function takes the snapshot and the delta, and returns the next.
func.func private @callee(%s: tensor<2xi64>, %delta: i64) -> (i32, i64) {
  %one = arith.constant 1 : i64
  %x = rng.stateless_bits %s[%delta] : i32
  %next = arith.addi %delta, %one : i64
  return %x, %next : i32, i64
}
func.func @caller(%memory: memref<2xi64>) -> (i32, i32) {
  %two = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %s = rng.reserve_memory %memory, %two : memref<2xi64> -> tensor<2xi64>
  %0, %d1 = call @callee(%s, %zero) : (tensor<2xi64>, i64) -> (i32, i64)
  %1, %d2 = call @callee(%s, %d1) : (tensor<2xi64>, i64) -> (i32, i64)
  return %0, %1 : i32, i32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %all_ones = arith.constant -1 : i64
  %memory = memref.alloc() : memref<2xi64>

  // Traps 5, 12: two runs draw the blocks 0 to 2 and 3 to 5.
  // CHECK:      8xi32 [1713891541, -513161843, -1135104948, -1694442536, -2075847199, -259166550, 253345875, -2080868880]
  // CHECK-NEXT: 8xi32 [-119223132, 1555169499, -1314556693, 159317863, -897780066, -641237523, 2120669524, 1835372352]
  // CHECK-NEXT: ( -119223132, 1555169499, -1314556693, 159317863, -897780066, -641237523, 2120669524, 1835372352 )
  // CHECK-NEXT: {{^}}-2080868880{{$}}
  // CHECK-NEXT: 4xi32 [-1694442536, -2075847199, -259166550, 253345875]
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}3{{$}}
  // CHECK-NEXT: 8xi32 [-913248471, 1782871206, -1698098353, 1832992260, 577269391, -1610374694, 1358031560, 868445790]
  // CHECK-NEXT: 8xi32 [-281164972, -1315704466, -248551748, -356582054, -769985744, 1030321232, 1467243968, -333097533]
  // CHECK-NEXT: ( -281164972, -1315704466, -248551748, -356582054, -769985744, 1030321232, 1467243968, -333097533 )
  // CHECK-NEXT: {{^}}868445790{{$}}
  // CHECK-NEXT: 4xi32 [1832992260, 577269391, -1610374694, 1358031560]
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}6{{$}}
  call @set(%memory, %zero, %zero) : (memref<2xi64>, i64, i64) -> ()
  call @run(%memory) : (memref<2xi64>) -> ()
  call @run(%memory) : (memref<2xi64>) -> ()

  // Both words whole, the offset wraps.
  // CHECK-NEXT: 8xi32 [1293473746, 1124779610, -1120951766, 184213773, -1949465704, 872883591, 1788546983, -655599170]
  // CHECK-NEXT: 8xi32 [1923381001, 356992825, -1623085025, 578394714, -1488832787, 2122658050, 1278364322, 1108527830]
  // CHECK-NEXT: ( 1923381001, 356992825, -1623085025, 578394714, -1488832787, 2122658050, 1278364322, 1108527830 )
  // CHECK-NEXT: {{^}}-655599170{{$}}
  // CHECK-NEXT: 4xi32 [184213773, -1949465704, 872883591, 1788546983]
  // CHECK-NEXT: {{^}}-1{{$}}
  // CHECK-NEXT: {{^}}2{{$}}
  call @set(%memory, %all_ones, %all_ones) : (memref<2xi64>, i64, i64) -> ()
  call @run(%memory) : (memref<2xi64>) -> ()

  call @set(%memory, %zero, %zero) : (memref<2xi64>, i64, i64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}1713891541{{$}}
  // CHECK-NEXT: {{^}}-119223132{{$}}
  // CHECK-NEXT: {{^}}99{{$}}
  // CHECK-NEXT: {{^}}99{{$}}
  // CHECK-NEXT: {{^}}2{{$}}
  %i0, %i1, %t = call @immutable(%memory)
      : (memref<2xi64>) -> (i32, i32, tensor<2xi64>)
  vector.print %i0 : i32
  vector.print %i1 : i32
  %t0 = tensor.extract %t[%c0] : tensor<2xi64>
  vector.print %t0 : i64
  call @print_state(%memory) : (memref<2xi64>) -> ()

  call @set(%memory, %zero, %zero) : (memref<2xi64>, i64, i64) -> ()
  // CHECK-NEXT: 8xi32 [-119223132, 1555169499, -1314556693, 159317863, -897780066, -641237523, 2120669524, 1835372352]
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}2{{$}}
  %late = call @late(%memory, %c2) : (memref<2xi64>, index) -> tensor<8xi32>
  %late_any = tensor.cast %late : tensor<8xi32> to tensor<?xi32>
  call @print(%late_any) : (tensor<?xi32>) -> ()
  call @print_state(%memory) : (memref<2xi64>) -> ()

  call @set(%memory, %two, %two) : (memref<2xi64>, i64, i64) -> ()
  // CHECK-NEXT: 8xi32 [-119223132, 1555169499, -1314556693, 159317863, -897780066, -641237523, 2120669524, 1835372352]
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}1{{$}}
  %seeded = call @seeded(%memory, %zero, %c2)
      : (memref<2xi64>, i64, index) -> tensor<8xi32>
  %seeded_any = tensor.cast %seeded : tensor<8xi32> to tensor<?xi32>
  call @print(%seeded_any) : (tensor<?xi32>) -> ()
  call @print_state(%memory) : (memref<2xi64>) -> ()

  call @set(%memory, %zero, %zero) : (memref<2xi64>, i64, i64) -> ()
  // CHECK-NEXT: {{^}}1713891541{{$}}
  // CHECK-NEXT: {{^}}-119223132{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}2{{$}}
  %x0, %x1 = call @caller(%memory) : (memref<2xi64>) -> (i32, i32)
  vector.print %x0 : i32
  vector.print %x1 : i32
  call @print_state(%memory) : (memref<2xi64>) -> ()
  return
}
