// The threaded program yields the values and the final states of the program
// that draws one at a time.
//
// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu > %t.stateful
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu > %t.threaded
// RUN: %rng_opt %s -rng-thread-state -canonicalize -cse -inline -rng-to-cpu \
// RUN: | %run_cpu > %t.optimized
// RUN: diff %t.stateful %t.threaded
// RUN: diff %t.stateful %t.optimized
// RUN: FileCheck %s < %t.stateful

rng.generator @g {seed = 7 : i64}
rng.generator @h {algorithm = #rng.philox<rounds = 7>, seed = -1 : i64}

// Functions of the runtime are external functions that use its state.
func.func private @rngGetTorchState(!llvm.ptr, !llvm.ptr)
    attributes {rng.draws = [unit]}
func.func private @rngSeed(!llvm.ptr, i64) attributes {rng.draws = [unit]}

// The state of the process, after everything: what the program leaves behind.
llvm.mlir.global_dtors dtors = [@print_end], priorities = [0 : i32],
    data = [#llvm.zero]
llvm.func @print_end() {
  %s0, %o0 = rng.get_state : i64, i64
  %sg, %og = rng.get_state @g : i64, i64
  %sh, %oh = rng.get_state @h : i64, i64
  vector.print %s0 : i64
  vector.print %o0 : i64
  vector.print %sg : i64
  vector.print %og : i64
  vector.print %sh : i64
  vector.print %oh : i64
  llvm.return
}

// The state in the middle.
func.func private @print_state() {
  %s0, %o0 = rng.get_state : i64, i64
  %sg, %og = rng.get_state @g : i64, i64
  %sh, %oh = rng.get_state @h : i64, i64
  vector.print %s0 : i64
  vector.print %o0 : i64
  vector.print %sg : i64
  vector.print %og : i64
  vector.print %sh : i64
  vector.print %oh : i64
  return
}

// One that does not draw is not threaded, unless called among draws.
func.func private @reseed(%seed: i64) {
  %offset = arith.constant -2 : i64
  rng.set_state @g, %seed, %offset : i64, i64
  return
}

func.func @pair() -> (i64, i32) {
  %0 = rng.bits @g : i64
  %unused = rng.uniform @h : f32
  %1 = rng.bits @g : i32
  return %0, %1 : i64, i32
}

func.func @tensor(%n: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %t = rng.bits @h sizes(%n) : tensor<?xi64>
  %empty = rng.bits @h sizes(%c0) : tensor<?xi64>
  %0 = tensor.extract %t[%c0] : tensor<?xi64>
  %3 = tensor.extract %t[%c3] : tensor<?xi64>
  vector.print %0 : i64
  vector.print %3 : i64
  return
}

func.func private @mixed(%blocks: i64) -> i64 {
  %0 = rng.bits : i64
  %pair:2 = call @pair() : () -> (i64, i32)
  %rs, %ro = rng.reserve %blocks : i64, i64
  %1 = rng.bits : i64
  %2 = rng.bits : vector<3xi32>
  vector.print %pair#0 : i64
  vector.print %pair#1 : i32
  vector.print %ro : i64
  vector.print %1 : i64
  vector.print %2 : vector<3xi32>
  return %0 : i64
}

// The runtime counts four words a block.
func.func private @external(%buffer: !llvm.ptr, %seed: i64) {
  %null = llvm.mlir.zero : !llvm.ptr
  %0 = rng.bits : i64
  call @rngGetTorchState(%null, %buffer) : (!llvm.ptr, !llvm.ptr) -> ()
  %1 = rng.bits : i64
  call @rngSeed(%null, %seed) : (!llvm.ptr, i64) -> ()
  %2 = rng.bits : i64
  vector.print %0 : i64
  vector.print %1 : i64
  vector.print %2 : i64
  %offset = llvm.getelementptr %buffer[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %words = llvm.load %offset : !llvm.ptr -> i64
  vector.print %words : i64
  return
}

func.func @main() {
  %c2 = arith.constant 2 : i32
  %buffer = llvm.alloca %c2 x i64 : (i32) -> !llvm.ptr
  %n = arith.constant 6 : index
  %many = arith.constant 4294967295 : i64
  %seed = arith.constant 0x123456789abcdef0 : i64

  // CHECK: 0{{$}}
  // CHECK-NEXT: 0{{$}}
  // CHECK-NEXT: 7{{$}}
  // CHECK-NEXT: 0{{$}}
  // CHECK-NEXT: -1{{$}}
  // CHECK-NEXT: 0{{$}}
  call @print_state() : () -> ()
  %0 = call @mixed(%many) : (i64) -> i64
  vector.print %0 : i64
  // @mixed draws three times and reserves 2^32 - 1 blocks.
  // CHECK: 0{{$}}
  // CHECK-NEXT: 4294967298{{$}}
  // CHECK-NEXT: 7{{$}}
  // CHECK-NEXT: 2{{$}}
  // CHECK-NEXT: -1{{$}}
  // CHECK-NEXT: 1{{$}}
  call @print_state() : () -> ()
  call @pair() : () -> (i64, i32)
  call @tensor(%n) : (index) -> ()
  // One more draw, in words.
  // CHECK: 17179869196{{$}}
  call @external(%buffer, %seed) : (!llvm.ptr, i64) -> ()
  call @reseed(%seed) : (i64) -> ()
  %1:2 = call @pair() : () -> (i64, i32)
  %2:2 = call @pair() : () -> (i64, i32)
  vector.print %1#0 : i64
  vector.print %2#0 : i64
  %3 = call @mixed(%many) : (i64) -> i64
  vector.print %3 : i64
  return
}

// Default: one draw after the last seed, then @mixed; @g: set to 2^64 - 2, then
// six draws; @h: seven draws, one of them empty.
// CHECK: 1311768467463790320{{$}}
// CHECK-NEXT: 4294967299{{$}}
// CHECK-NEXT: 1311768467463790320{{$}}
// CHECK-NEXT: 4{{$}}
// CHECK-NEXT: -1{{$}}
// CHECK-NEXT: 7{{$}}
// CHECK-NOT: {{.}}
