// RUN: %rng_opt %s --rng-generate-driver -split-input-file -verify-diagnostics

// expected-error@+1 {{no function has 'rng.backward': run 'rng-partition' first}}
module {
  func.func @f() {
    return
  }
}

// -----

// expected-error@+1 {{the driver is to be '@main': rename this symbol}}
func.func @main() {
  return
}

// -----

// expected-error@+1 {{expected 'rng.backward' to name a function but got @none}}
func.func @f_forward() attributes {rng.backward = @none, rng.saved = []} {
  return
}

// -----

// expected-error@+1 {{expected 'rng.saved' beside 'rng.backward'}}
func.func @f_forward() attributes {rng.backward = @g} {
  return
}
func.func @g() {
  return
}

// -----

// expected-error@+1 {{expected '@f_forward' to have a body of one block}}
func.func private @f_forward() attributes {rng.backward = @g, rng.saved = []}
func.func @g() {
  return
}

// -----

// expected-error@+1 {{cannot make or print argument 0 of '@f_forward' of type 'memref<3xi64>'; supported are index, f16, bf16, f32, f64, i1, i8, i16, i32, i64, ranked tensors of them, and memref<2xi64> as the argument of a forward, or of a backward that 'rng.state' marks}}
func.func @f_forward(%m: memref<3xi64>)
    attributes {rng.backward = @g, rng.saved = []} {
  return
}
func.func @g() {
  return
}

// -----

// The forward alone has the memory.
func.func @f_forward(%m: memref<2xi64>)
    attributes {rng.backward = @g, rng.saved = [#rng.saved<argument 0>]} {
  return
}
// expected-error@+1 {{cannot make or print argument 0 of '@g' of type 'memref<2xi64>'}}
func.func @g(%m: memref<2xi64>) {
  return
}

// -----

func.func @f_forward(%a: f32)
    attributes {rng.backward = @g, rng.saved = [#rng.saved<argument 0>]} {
  return
}
// expected-error@+1 {{expected at least 1 argument, one for each saved value, but got 0}}
func.func @g() {
  return
}

// -----

// expected-error@+1 {{saved value 0 has type 'f32' but '@g' expects 'f64'}}
func.func @f_forward(%a: f32)
    attributes {rng.backward = @g, rng.saved = [#rng.saved<argument 0>]} {
  return
}
func.func @g(%a: f64) {
  return
}

// -----

// expected-error@+1 {{the driver declares '@rngPrintF32' itself: remove or rename this symbol}}
func.func private @rngPrintF32(memref<*xf32>)

// -----

// expected-error@below {{expected '@f_forward' to have a body of one block that returns, as 'rng-partition' makes it}}
func.func @f_forward(%a: f32)
    attributes {rng.backward = @f_backward, rng.saved = []} {
  llvm.unreachable
}
func.func @f_backward() {
  return
}
