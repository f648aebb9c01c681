// Trap 24. 32-bit arithmetic on indices overflows and heads share their masks.
// Here the masks of an attention of 64 heads and 65536 x 16384 keys, of which each
// head has 2^30: heads 0, 4, 8, ... would begin at the same 32-bit index.

// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

// The first keys of a row of a head, static and dynamic sizes.
func.func private @static(%seed: i64, %offset: i64, %head: index, %row: index)
    -> tensor<16xi32> {
  %w = rng.stateless_bits %seed, %offset
      slice [%head, %row, 0] of [64, 65536, 16384] : tensor<16xi32>
  return %w : tensor<16xi32>
}
func.func private @dynamic(%seed: i64, %offset: i64, %head: index, %row: index,
    %n: index) -> tensor<?xi32> {
  %heads = arith.constant 64 : index
  %rows = arith.constant 65536 : index
  %keys = arith.constant 16384 : index
  %w = rng.stateless_bits %seed, %offset sizes(%n)
      slice [%head, %row, 0] of [%heads, %rows, %keys] : tensor<?xi32>
  return %w : tensor<?xi32>
}

func.func @main() {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 3 : i64
  %none = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %row = arith.constant 65535 : index
  %first = call @static(%seed, %offset, %c0, %row)
      : (i64, i64, index, index) -> tensor<16xi32>
  // Elements that two heads share, and those in which the sizes make a difference.
  %wrong = scf.for %head = %c4 to %c64 step %c4 iter_args(%sum = %none) -> i32 {
    %a = func.call @static(%seed, %offset, %head, %row)
        : (i64, i64, index, index) -> tensor<16xi32>
    %b = func.call @dynamic(%seed, %offset, %head, %row, %c16)
        : (i64, i64, index, index, index) -> tensor<?xi32>
    %inner = scf.for %i = %c0 to %c16 step %c1 iter_args(%part = %sum) -> i32 {
      %p = tensor.extract %first[%i] : tensor<16xi32>
      %q = tensor.extract %a[%i] : tensor<16xi32>
      %r = tensor.extract %b[%i] : tensor<?xi32>
      %shared = arith.cmpi eq, %p, %q : i32
      %other = arith.cmpi ne, %q, %r : i32
      %o = arith.ori %shared, %other : i1
      %wide = arith.extui %o : i1 to i32
      %next = arith.addi %part, %wide : i32
      scf.yield %next : i32
    }
    scf.yield %inner : i32
  }
  // CHECK: {{^}}0{{$}}
  vector.print %wrong : i32
  return
}
