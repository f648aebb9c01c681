// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
//
// Trap 9: what a draw reserves and what it consumes come from two formulas, and
// consecutive draws overlap. Here draws of more values than a block has share no
// word with the next one: among 48 words of three draws no two are equal.

func.func @main() {
  %a = rng.bits : vector<16xi32>
  %b = rng.bits : vector<16xi32>
  %c = rng.bits : tensor<16xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %words = memref.alloca() : memref<48xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    %x = vector.extract %a[%i] : i32 from vector<16xi32>
    memref.store %x, %words[%i] : memref<48xi32>
    %y = vector.extract %b[%i] : i32 from vector<16xi32>
    %j = arith.addi %i, %c16 : index
    memref.store %y, %words[%j] : memref<48xi32>
    %z = tensor.extract %c[%i] : tensor<16xi32>
    %k = arith.addi %i, %c32 : index
    memref.store %z, %words[%k] : memref<48xi32>
  }
  %equal = scf.for %i = %c0 to %c48 step %c1 iter_args(%n = %c0) -> index {
    %next = arith.addi %i, %c1 : index
    %m = scf.for %j = %next to %c48 step %c1 iter_args(%k = %n) -> index {
      %x = memref.load %words[%i] : memref<48xi32>
      %y = memref.load %words[%j] : memref<48xi32>
      %eq = arith.cmpi eq, %x, %y : i32
      %more = arith.addi %k, %c1 : index
      %r = arith.select %eq, %more, %k : index
      scf.yield %r : index
    }
    scf.yield %m : index
  }
  // CHECK: {{^}}0{{$}}
  vector.print %equal : index
  return
}
