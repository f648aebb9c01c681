// Traps 20, 21. The value depends on the grid, the number of threads or the order
// of kernels; words are cached by subsequence and offset without the seed. Here
// draws of many sizes share a beginning, and draws of two seeds at one offset,
// alternating in one kernel, are those that each yields alone.

// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

func.func private @draw(%seed: i64, %offset: i64, %n: index) -> tensor<?xi32> {
  %w = rng.stateless_bits %seed, %offset sizes(%n) : tensor<?xi32>
  return %w : tensor<?xi32>
}

func.func private @both(%a: i64, %b: i64, %offset: i64, %n: index)
    -> (tensor<?xi32>, tensor<?xi32>) {
  %u = rng.stateless_bits %a, %offset sizes(%n) : tensor<?xi32>
  %v = rng.stateless_bits %b, %offset sizes(%n) : tensor<?xi32>
  %x = arith.xori %u, %v : tensor<?xi32>
  %y = arith.xori %x, %u : tensor<?xi32>
  return %x, %y : tensor<?xi32>, tensor<?xi32>
}

func.func @main() {
  %a = arith.constant 42 : i64
  %b = arith.constant 43 : i64
  %offset = arith.constant 3 : i64
  %none = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c37 = arith.constant 37 : index
  %step = arith.constant 251 : index
  %most = arith.constant 3001 : index
  %last = call @draw(%a, %offset, %most)
      : (i64, i64, index) -> tensor<?xi32>
  %other = call @draw(%b, %offset, %most)
      : (i64, i64, index) -> tensor<?xi32>
  %wrong = scf.for %n = %c37 to %most step %step iter_args(%sum = %none) -> i32 {
    %some = func.call @draw(%a, %offset, %n)
        : (i64, i64, index) -> tensor<?xi32>
    %x, %y = func.call @both(%a, %b, %offset, %n)
        : (i64, i64, i64, index) -> (tensor<?xi32>, tensor<?xi32>)
    %inner = scf.for %i = %c0 to %n step %c1 iter_args(%part = %sum) -> i32 {
      %p = tensor.extract %last[%i] : tensor<?xi32>
      %q = tensor.extract %other[%i] : tensor<?xi32>
      %r = tensor.extract %some[%i] : tensor<?xi32>
      %s = tensor.extract %x[%i] : tensor<?xi32>
      %t = tensor.extract %y[%i] : tensor<?xi32>
      %pq = arith.xori %p, %q : i32
      %ne0 = arith.cmpi ne, %p, %r : i32
      %ne1 = arith.cmpi ne, %pq, %s : i32
      %ne2 = arith.cmpi ne, %q, %t : i32
      %alike = arith.cmpi eq, %p, %q : i32
      %o0 = arith.ori %ne0, %ne1 : i1
      %o1 = arith.ori %o0, %ne2 : i1
      %o2 = arith.ori %o1, %alike : i1
      %wide = arith.extui %o2 : i1 to i32
      %next = arith.addi %part, %wide : i32
      scf.yield %next : i32
    }
    scf.yield %inner : i32
  }
  // CHECK: {{^}}0{{$}}
  vector.print %wrong : i32
  return
}
