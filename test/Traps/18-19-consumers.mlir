// Traps 18, 19. Sharing a block among four lanes repeats one value in groups of
// four where the consumer is transposed or broadcast; a broadcast mask drops
// elements instead of rows. A draw has its own logical index, whoever reads it.

// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s --rng-to-emulated-gpu | %run_cpu | FileCheck %s

func.func private @rngPrintI32(memref<*xi32>) attributes {llvm.emit_c_interface}
func.func private @rngCountDifferentI32(memref<*xi32>, memref<*xi32>) -> i64
    attributes {llvm.emit_c_interface}

// Read transposed and changed, so that it fuses with its consumer.
func.func private @transposed(%seed: i64, %offset: i64, %x: tensor<12x16xi32>)
    -> tensor<12x16xi32> {
  %w = rng.stateless_bits %seed, %offset : tensor<16x12xi32>
  %empty = tensor.empty() : tensor<12x16xi32>
  %t = linalg.transpose ins(%w : tensor<16x12xi32>)
      outs(%empty : tensor<12x16xi32>) permutation = [1, 0]
  %y = arith.addi %t, %x : tensor<12x16xi32>
  return %y : tensor<12x16xi32>
}

// A mask of rows.
func.func private @rows(%seed: i64, %offset: i64, %x: tensor<16x12xi32>)
    -> tensor<16x12xi32> {
  %w = rng.stateless_bits %seed, %offset : tensor<16xi32>
  %empty = tensor.empty() : tensor<16x12xi32>
  %t = linalg.broadcast ins(%w : tensor<16xi32>)
      outs(%empty : tensor<16x12xi32>) dimensions = [1]
  %y = arith.addi %t, %x : tensor<16x12xi32>
  return %y : tensor<16x12xi32>
}

func.func private @words(%seed: i64, %offset: i64) -> tensor<16x12xi32> {
  %w = rng.stateless_bits %seed, %offset : tensor<16x12xi32>
  return %w : tensor<16x12xi32>
}

func.func private @row_words(%seed: i64, %offset: i64) -> tensor<16xi32> {
  %w = rng.stateless_bits %seed, %offset : tensor<16xi32>
  return %w : tensor<16xi32>
}

func.func @main() {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 3 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %zero_t = arith.constant dense<0> : tensor<12x16xi32>
  %zero = arith.constant dense<0> : tensor<16x12xi32>

  %t = call @transposed(%seed, %offset, %zero_t)
      : (i64, i64, tensor<12x16xi32>) -> tensor<12x16xi32>
  %w = call @words(%seed, %offset) : (i64, i64) -> tensor<16x12xi32>
  %r = call @rows(%seed, %offset, %zero)
      : (i64, i64, tensor<16x12xi32>) -> tensor<16x12xi32>
  %v = call @row_words(%seed, %offset) : (i64, i64) -> tensor<16xi32>

  %none = arith.constant 0 : i32
  %wrong = scf.for %i = %c0 to %c16 step %c1 iter_args(%sum = %none) -> i32 {
    %row = tensor.extract %v[%i] : tensor<16xi32>
    %inner = scf.for %j = %c0 to %c12 step %c1 iter_args(%part = %sum) -> i32 {
      %a = tensor.extract %w[%i, %j] : tensor<16x12xi32>
      %b = tensor.extract %t[%j, %i] : tensor<12x16xi32>
      %c = tensor.extract %r[%i, %j] : tensor<16x12xi32>
      %ne0 = arith.cmpi ne, %a, %b : i32
      %ne1 = arith.cmpi ne, %c, %row : i32
      %n0 = arith.extui %ne0 : i1 to i32
      %n1 = arith.extui %ne1 : i1 to i32
      %p0 = arith.addi %part, %n0 : i32
      %p1 = arith.addi %p0, %n1 : i32
      scf.yield %p1 : i32
    }
    scf.yield %inner : i32
  }
  // CHECK: {{^}}0{{$}}
  vector.print %wrong : i32

  // Neighbours differ.
  %alike = scf.for %j = %c1 to %c12 step %c1 iter_args(%sum = %none) -> i32 {
    %before = arith.subi %j, %c1 : index
    %a = tensor.extract %t[%j, %c0] : tensor<12x16xi32>
    %b = tensor.extract %t[%before, %c0] : tensor<12x16xi32>
    %eq = arith.cmpi eq, %a, %b : i32
    %n = arith.extui %eq : i1 to i32
    %next = arith.addi %sum, %n : i32
    scf.yield %next : i32
  }
  // CHECK-NEXT: {{^}}0{{$}}
  vector.print %alike : i32
  return
}
