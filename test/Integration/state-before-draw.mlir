// An embedder lists the generators of a program that is loaded and saves their
// states before anything is drawn: the program's functions for it are those of
// the runtime's header. Set back, the states give the same numbers again.
//
// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

rng.generator @g {seed = 7 : i64}
rng.generator @never_drawn {seed = 9 : i64}

llvm.func @rngGetState(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @rngSetState(!llvm.ptr, i64, i64)
llvm.func @rngListGenerators(!llvm.ptr, i64) -> i64
llvm.mlir.global private constant @g_text("g\00")
llvm.mlir.global private constant @never_text("never_drawn\00")
llvm.mlir.global private constant @unknown_text("unknown\00")

func.func @draw() {
  %one = arith.constant 1 : i64
  %seed, %offset = rng.reserve @g, %one : i64, i64
  %0 = rng.stateless_bits %seed, %offset : i32
  vector.print %0 : i32
  return
}

// Prints the status, which is 0 for a known generator, the seed and the offset.
func.func @show(%name: !llvm.ptr, %state: !llvm.ptr) {
  %status = llvm.call @rngGetState(%name, %state)
    : (!llvm.ptr, !llvm.ptr) -> i32
  %seed = llvm.load %state : !llvm.ptr -> i64
  %address = llvm.getelementptr %state[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %offset = llvm.load %address : !llvm.ptr -> i64
  vector.print %status : i32
  vector.print %seed : i64
  vector.print %offset : i64
  return
}

func.func @main() {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %state = llvm.alloca %two x i64 : (i64) -> !llvm.ptr
  %other = llvm.alloca %two x i64 : (i64) -> !llvm.ptr
  %g = llvm.mlir.addressof @g_text : !llvm.ptr
  %never = llvm.mlir.addressof @never_text : !llvm.ptr
  %unknown = llvm.mlir.addressof @unknown_text : !llvm.ptr

  // The default generator and two more.
  // CHECK: 3
  %count = llvm.call @rngListGenerators(%null, %zero) : (!llvm.ptr, i64) -> i64
  vector.print %count : i64
  // CHECK-NEXT: 0
  // CHECK-NEXT: 9
  // CHECK-NEXT: 0
  call @show(%never, %other) : (!llvm.ptr, !llvm.ptr) -> ()
  // CHECK-NEXT: 1
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  call @show(%unknown, %other) : (!llvm.ptr, !llvm.ptr) -> ()

  // CHECK-NEXT: 0
  // CHECK-NEXT: 7
  // CHECK-NEXT: 0
  call @show(%g, %state) : (!llvm.ptr, !llvm.ptr) -> ()
  // CHECK-NEXT: [[FIRST:-?[0-9]+]]
  // CHECK-NEXT: [[SECOND:-?[0-9]+]]
  call @draw() : () -> ()
  call @draw() : () -> ()
  // CHECK-NEXT: 0
  // CHECK-NEXT: 7
  // CHECK-NEXT: 2
  call @show(%g, %other) : (!llvm.ptr, !llvm.ptr) -> ()

  %seed = llvm.load %state : !llvm.ptr -> i64
  %address = llvm.getelementptr %state[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %offset = llvm.load %address : !llvm.ptr -> i64
  llvm.call @rngSetState(%g, %seed, %offset) : (!llvm.ptr, i64, i64) -> ()
  // CHECK-NEXT: {{^}}[[FIRST]]{{$}}
  // CHECK-NEXT: {{^}}[[SECOND]]{{$}}
  call @draw() : () -> ()
  call @draw() : () -> ()
  return
}
