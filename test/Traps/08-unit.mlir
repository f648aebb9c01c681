// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
//
// Trap 8: the unit of the offset is off by four between two components. Here
// draws, reservations and the runtime count blocks; only PyTorch's functions
// count words.

func.func private @rngGetTorchState(!llvm.ptr, !llvm.ptr)
    attributes {rng.draws = [unit]}

func.func @main() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %five = arith.constant 5 : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %buffer = llvm.alloca %two x i64 : (i32) -> !llvm.ptr
  %s0, %o0 = rng.reserve %five : i64, i64
  %a = rng.bits : vector<4xi32>
  %s1, %o1 = rng.get_state : i64, i64
  call @rngGetTorchState(%null, %buffer) : (!llvm.ptr, !llvm.ptr) -> ()
  %place = llvm.getelementptr %buffer[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %words = llvm.load %place : !llvm.ptr -> i64
  // CHECK: ( 0, 6, 24 )
  %offsets = vector.from_elements %o0, %o1, %words : vector<3xi64>
  vector.print %offsets : vector<3xi64>
  // The draw after five blocks is the one at block 5.
  %b = rng.stateless_bits %s0, %five : vector<4xi32>
  %eq = arith.cmpi eq, %a, %b : vector<4xi32>
  // CHECK-NEXT: ( 1, 1, 1, 1 )
  vector.print %eq : vector<4xi1>
  return
}
