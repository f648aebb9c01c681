// RUN: %rng_opt %s -split-input-file -rng-partition | FileCheck %s
//
// What ops of several dialects cost: control flow, calls, TOSA.

// A loop over cheap work on one element is done again; the argument is alive
// anyway.

// CHECK-LABEL: func.func @loop_forward(
// CHECK-SAME:      rng.saved = [#rng.saved<argument 0>]
// CHECK-LABEL: func.func @loop_backward(
// CHECK:         scf.for
func.func @loop(%a: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<64xf32> {
    %y = arith.mulf %x, %a : tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  }
  %y = math.sin %m : tensor<64xf32>
  %da = arith.mulf %d, %m : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}

// A loop with a contraction in it is not, nor one of unknown length.

// CHECK-LABEL: func.func @contraction_forward(
// CHECK-SAME:      rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]
// CHECK-LABEL: func.func @contraction_backward(
// CHECK-NOT:     scf.
// CHECK:         return
func.func @contraction(%a: tensor<8x8xf32>, %n: i32,
                       %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %m = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> tensor<8x8xf32> {
    %y = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>)
        outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %y : tensor<8x8xf32>
  }
  %one = arith.constant 1 : i32
  %w:2 = scf.while (%x = %a, %i = %n) : (tensor<8x8xf32>, i32)
      -> (tensor<8x8xf32>, i32) {
    %c = arith.cmpi sgt, %i, %one : i32
    scf.condition(%c) %x, %i : tensor<8x8xf32>, i32
  } do {
  ^bb0(%x: tensor<8x8xf32>, %i: i32):
    %z = arith.addf %x, %x : tensor<8x8xf32>
    %j = arith.subi %i, %one : i32
    scf.yield %z, %j : tensor<8x8xf32>, i32
  }
  %p = arith.mulf %m, %w#0 : tensor<8x8xf32>
  %y = math.sin %p : tensor<8x8xf32>
  %e = arith.mulf %d, %m : tensor<8x8xf32>
  %da = arith.mulf %e, %w#0 : tensor<8x8xf32>
  return %y, %da : tensor<8x8xf32>, tensor<8x8xf32>
}

// A branch, and a tensor built element by element.

// CHECK-LABEL: func.func @branch_forward(
// CHECK-SAME:      rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>]
// CHECK-LABEL: func.func @branch_backward(
// CHECK:         scf.if
// CHECK:         tensor.generate
func.func @branch(%a: tensor<64xf32>, %c: i1,
                  %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %m = scf.if %c -> tensor<64xf32> {
    %x = arith.mulf %a, %a : tensor<64xf32>
    scf.yield %x : tensor<64xf32>
  } else {
    %x = arith.addf %a, %a : tensor<64xf32>
    scf.yield %x : tensor<64xf32>
  }
  %g = tensor.generate {
  ^bb0(%i: index):
    %x = tensor.extract %m[%i] : tensor<64xf32>
    %y = arith.negf %x : f32
    tensor.yield %y : f32
  } : tensor<64xf32>
  %y = math.sin %g : tensor<64xf32>
  %da = arith.mulf %d, %g : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}

// -----

// Calls: of a function without side effects at the cost of its body, through
// another function, too.

func.func private @cheap(%a: tensor<64xf32>) -> tensor<64xf32> {
  %x = arith.mulf %a, %a : tensor<64xf32>
  return %x : tensor<64xf32>
}
func.func private @calls_cheap(%a: tensor<64xf32>) -> tensor<64xf32> {
  %x = call @cheap(%a) : (tensor<64xf32>) -> tensor<64xf32>
  return %x : tensor<64xf32>
}
// CHECK-LABEL: func.func @pure_forward(
// CHECK-SAME:      rng.saved = [#rng.saved<argument 0>]
// CHECK-LABEL: func.func @pure_backward(
// CHECK:         call @calls_cheap(
func.func @pure(%a: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %m = call @calls_cheap(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %y = math.sin %m : tensor<64xf32>
  %da = arith.mulf %d, %m : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}

// One that only the backward needs is not in the forward at all; one that
// nothing needs is nowhere.

// CHECK-LABEL: func.func @only_backward_forward(
// CHECK-NOT:     call
// CHECK-LABEL: func.func @only_backward_backward(
// CHECK:         call @cheap(
// CHECK-NOT:     call
// CHECK:         return
func.func @only_backward(%a: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %m = call @cheap(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %dead = call @calls_cheap(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %y = math.sin %a : tensor<64xf32>
  %da = arith.mulf %d, %m : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}

// -----

// A function that contracts; one with side effects, one that is not known and
// one that may not end are called once, in the forward.

func.func private @contracts(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %y = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func private @prints(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %x = arith.constant 1 : i32
  vector.print %x : i32
  return %a : tensor<8x8xf32>
}
func.func private @unknown(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func private @recursive(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = call @recursive(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// CHECK-LABEL: func.func @once_forward(
// CHECK-SAME:      rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>, #rng.saved<new 3>, #rng.saved<new 4>]
// CHECK:         call @contracts(
// CHECK-NEXT:    call @prints(
// CHECK-NEXT:    call @unknown(
// CHECK-NEXT:    call @recursive(
// CHECK-LABEL: func.func @once_backward(
// CHECK-NOT:     call
// CHECK:         return
func.func @once(%a: tensor<8x8xf32>, %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %0 = call @contracts(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @prints(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = call @unknown(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = call @recursive(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = math.sin %0 : tensor<8x8xf32>
  %e0 = arith.mulf %d, %0 : tensor<8x8xf32>
  %e1 = arith.mulf %e0, %1 : tensor<8x8xf32>
  %e2 = arith.mulf %e1, %2 : tensor<8x8xf32>
  %e3 = arith.mulf %e2, %3 : tensor<8x8xf32>
  return %y, %e3 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// TOSA: elementwise ops are done again, products are saved, reshapes are never
// saved.

// CHECK-LABEL: func.func @tosa_forward(
// CHECK-SAME:      -> (tensor<8x8xf32>, tensor<1x8x8xf32>)
// CHECK-SAME:      rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>]
// CHECK-LABEL: func.func @tosa_backward(
// CHECK-DAG:     tosa.tanh
// CHECK-DAG:     tosa.reshape
// CHECK-NOT:     tosa.matmul
// CHECK:         return
func.func @tosa(%a: tensor<1x8x8xf32>, %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %shape = tosa.const_shape {values = dense<[8, 8]> : tensor<2xindex>}
      : () -> !tosa.shape<2>
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>}
      : () -> tensor<1xf32>
  %t = tosa.tanh %a : (tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %m = tosa.matmul %t, %a, %zp, %zp
      : (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x8x8xf32>
  %r = tosa.reshape %m, %shape
      : (tensor<1x8x8xf32>, !tosa.shape<2>) -> tensor<8x8xf32>
  %s = tosa.reshape %t, %shape
      : (tensor<1x8x8xf32>, !tosa.shape<2>) -> tensor<8x8xf32>
  %y = math.sin %r : tensor<8x8xf32>
  %e = arith.mulf %d, %r : tensor<8x8xf32>
  %da = arith.mulf %e, %s : tensor<8x8xf32>
  return %y, %da : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A call may end a block: that of a function that calls so is no pure one, and
// stays in the forward.

llvm.func @unknown(f32)
llvm.func @personality(...) -> i32
llvm.func @invokes(%x: f32) -> f32 attributes {personality = @personality} {
  llvm.invoke @unknown(%x) to ^normal unwind ^unwind : (f32) -> ()
^normal:
  llvm.return %x : f32
^unwind:
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %x : f32
}
// CHECK-LABEL: func.func @invoked_forward(
// CHECK:         llvm.call @invokes
// CHECK-LABEL: func.func @invoked_backward(
// CHECK-NOT:     llvm.call
// CHECK:         return
func.func @invoked(%a: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %dropped = llvm.call @invokes(%a) : (f32) -> f32
  %y = arith.addf %a, %a : f32
  %g = arith.mulf %d, %a : f32
  return %y, %g : f32, f32
}

// -----

// The smaller of two versions is saved where all after it can be rebuilt from
// it: booleans of a comparison, a narrow cast.

// CHECK-LABEL: func.func @smaller_forward(
// CHECK-SAME:      -> (tensor<8x8xf32>, tensor<8x8xi1>, tensor<8x8xbf16>)
// CHECK-LABEL: func.func @smaller_backward(
// CHECK-DAG:     arith.extf
// CHECK-DAG:     arith.select
func.func @smaller(%a: tensor<8x8xf32> {rng.persistent},
                   %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = linalg.matmul ins(%m, %a : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %positive = arith.cmpf ogt, %m, %zero : tensor<8x8xf32>
  %narrow = arith.truncf %n : tensor<8x8xf32> to tensor<8x8xbf16>
  %wide = arith.extf %narrow : tensor<8x8xbf16> to tensor<8x8xf32>
  %y = math.sin %wide : tensor<8x8xf32>
  %e = arith.mulf %d, %wide : tensor<8x8xf32>
  %da = arith.select %positive, %e, %zero : tensor<8x8xi1>, tensor<8x8xf32>
  return %y, %da : tensor<8x8xf32>, tensor<8x8xf32>
}
