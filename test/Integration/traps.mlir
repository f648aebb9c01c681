// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu > %t.stateful
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu > %t.threaded
// RUN: %rng_opt %s -rng-thread-state -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu > %t.optimized
// RUN: diff %t.stateful %t.threaded
// RUN: diff %t.stateful %t.optimized
// RUN: FileCheck %s < %t.stateful
//
// Faults of other systems, in programs that run. Words are those of Random123.

func.func private @expect(%expected: tensor<?x?xi32>, %got: tensor<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = tensor.dim %got, %c0 : tensor<?x?xi32>
  %m = tensor.dim %got, %c1 : tensor<?x?xi32>
  %different = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %zero) -> i64 {
    %row = scf.for %j = %c0 to %m step %c1 iter_args(%count = %rows) -> i64 {
      %a = tensor.extract %expected[%i, %j] : tensor<?x?xi32>
      %b = tensor.extract %got[%i, %j] : tensor<?x?xi32>
      %ne = arith.cmpi ne, %a, %b : i32
      %add = arith.select %ne, %one, %zero : i64
      %next = arith.addi %count, %add : i64
      scf.yield %next : i64
    }
    scf.yield %row : i64
  }
  vector.print %different : i64
  return
}

func.func @mask() -> i32 {
  %unused = rng.bits : vector<9xi32>
  %0 = rng.bits : i32
  return %0 : i32
}

// Traps 5, 12: state is a run-time value, and each call has its own; seeded
// again, the same again. Trap 1: what is unused counts.
func.func private @calls() {
  %seed = arith.constant 0 : i64
  %zero = arith.constant 0 : i64
  rng.set_state %seed, %zero : i64, i64
  %0 = call @mask() : () -> i32
  %1 = call @mask() : () -> i32
  vector.print %0 : i32
  vector.print %1 : i32
  %s, %o = rng.get_state : i64, i64
  vector.print %o : i64
  rng.set_state %seed, %zero : i64, i64
  %2 = call @mask() : () -> i32
  vector.print %2 : i32
  return
}

// Trap 9: draws of several blocks do not overlap. Trap 8: the state counts the
// same blocks as the draws.
func.func private @consecutive() {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  rng.set_state %zero, %zero : i64, i64
  %0 = rng.bits : vector<8xi32>
  %1 = rng.bits : vector<8xi32>
  %2 = rng.stateless_bits %zero, %zero : vector<8xi32>
  %3 = rng.stateless_bits %zero, %one : vector<8xi32>
  vector.print %0 : vector<8xi32>
  vector.print %1 : vector<8xi32>
  vector.print %2 : vector<8xi32>
  vector.print %3 : vector<8xi32>
  return
}

// Traps 11, 22: a state that is read and set again is the same state, with seed
// and offset unsigned and whole, in their places; the offset wraps.
func.func private @feed_back() {
  %seed = arith.constant -2 : i64
  %offset = arith.constant -1 : i64
  rng.set_state %seed, %offset : i64, i64
  %s0, %o0 = rng.get_state : i64, i64
  %0 = rng.bits : i64
  %s1, %o1 = rng.get_state : i64, i64
  %1 = rng.bits : i64
  rng.set_state %s0, %o0 : i64, i64
  %2 = rng.bits : i64
  rng.set_state %s1, %o1 : i64, i64
  %3 = rng.bits : i64
  %4 = rng.stateless_bits %seed, %offset : i64
  vector.print %s1 : i64
  vector.print %o1 : i64
  %a = arith.cmpi eq, %0, %2 : i64
  %b = arith.cmpi eq, %1, %3 : i64
  %c = arith.cmpi eq, %0, %4 : i64
  %d = arith.cmpi eq, %0, %1 : i64
  vector.print %a : i1
  vector.print %b : i1
  vector.print %c : i1
  vector.print %d : i1
  return
}

// Traps 18, 19: consumers that transpose or broadcast a draw see its elements;
// compared element by element with scalar draws, trap 17.
func.func private @consumers(%s: i64, %o: i64, %n: index, %m: index) {
  %draw = rng.stateless_bits %s, %o sizes(%n, %m) : tensor<?x?xi32>
  %init = tensor.empty(%m, %n) : tensor<?x?xi32>
  %transposed = linalg.transpose ins(%draw : tensor<?x?xi32>)
      outs(%init : tensor<?x?xi32>) permutation = [1, 0]
  %expected = tensor.generate %m, %n {
  ^bb0(%i: index, %j: index):
    %x = rng.stateless_bits %s, %o slice [%j, %i] of [%n, %m] : i32
    tensor.yield %x : i32
  } : tensor<?x?xi32>
  call @expect(%expected, %transposed)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> ()
  // Not what a draw of the transposed shape would be, but for three places.
  %other = rng.stateless_bits %s, %o sizes(%m, %n) : tensor<?x?xi32>
  call @expect(%other, %transposed) : (tensor<?x?xi32>, tensor<?x?xi32>) -> ()

  %rows = rng.stateless_bits %s, %o sizes(%m) : tensor<?xi32>
  %broadcast = linalg.broadcast ins(%rows : tensor<?xi32>)
      outs(%init : tensor<?x?xi32>) dimensions = [1]
  %expected_rows = tensor.generate %m, %n {
  ^bb0(%i: index, %j: index):
    %x = rng.stateless_bits %s, %o slice [%i] of [%m] : i32
    tensor.yield %x : i32
  } : tensor<?x?xi32>
  call @expect(%expected_rows, %broadcast)
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> ()
  return
}

// Trap 23: a tile of a causal mask, clipped at its end, is the same piece of
// the same draw. Trap 24: heads that are 2^32 elements apart differ.
func.func private @tiles(%s: i64, %o: i64, %keys: index, %first: index,
    %clipped: index) {
  %whole = rng.stateless_bits %s, %o sizes(%keys, %keys) : tensor<?x?xi32>
  %c3 = arith.constant 3 : index
  %tile = rng.stateless_bits %s, %o sizes(%c3, %clipped)
      slice [%first, %first] of [%keys, %keys] : tensor<?x?xi32>
  %expected = tensor.extract_slice %whole[%first, %first] [3, %clipped] [1, 1]
      : tensor<?x?xi32> to tensor<3x?xi32>
  %any = tensor.cast %expected : tensor<3x?xi32> to tensor<?x?xi32>
  call @expect(%any, %tile) : (tensor<?x?xi32>, tensor<?x?xi32>) -> ()

  %h0 = rng.stateless_bits %s, %o slice [0, 0, 1] of [2, 65536, 65536] : i32
  %h1 = rng.stateless_bits %s, %o slice [1, 0, 1] of [2, 65536, 65536] : i32
  vector.print %h0 : i32
  vector.print %h1 : i32
  return
}

func.func @main() {
  %s = arith.constant 0 : i64
  %n = arith.constant 5 : index
  %m = arith.constant 7 : index
  %keys = arith.constant 70 : index
  %first = arith.constant 66 : index
  %clipped = arith.constant 4 : index
  // CHECK:      {{^}}-119223132{{$}}
  // CHECK-NEXT: {{^}}-913248471{{$}}
  // CHECK-NEXT: {{^}}4{{$}}
  // CHECK-NEXT: {{^}}-119223132{{$}}
  call @calls() : () -> ()
  // CHECK-NEXT: ( 1713891541, -513161843, -1135104948, -1694442536, -2075847199, -259166550, 253345875, -2080868880 )
  // CHECK-NEXT: ( -119223132, 1555169499, -1314556693, 159317863, -897780066, -641237523, 2120669524, 1835372352 )
  // CHECK-NEXT: ( 1713891541, -513161843, -1135104948, -1694442536, -2075847199, -259166550, 253345875, -2080868880 )
  // CHECK-NEXT: ( -119223132, 1555169499, -1314556693, 159317863, -897780066, -641237523, 2120669524, 1835372352 )
  call @consecutive() : () -> ()
  // CHECK-NEXT: {{^}}-2{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}1{{$}}
  // CHECK-NEXT: {{^}}1{{$}}
  // CHECK-NEXT: {{^}}1{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  call @feed_back() : () -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}32{{$}}
  // CHECK-NEXT: {{^}}0{{$}}
  call @consumers(%s, %s, %n, %m) : (i64, i64, index, index) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}-513161843{{$}}
  // CHECK-NEXT: {{^}}-689911341{{$}}
  call @tiles(%s, %s, %keys, %first, %clipped)
      : (i64, i64, index, index, index) -> ()
  return
}
