// Constant parameters that have a defined result, but hardly the wanted one:
// warnings, and the pass succeeds.

// RUN: %rng_opt %s --rng-check-streams --verify-diagnostics -o %t.mlir

func.func @uniform(%s: i64, %o: i64, %x: f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %low = arith.constant -3.0e38 : f32
  %high = arith.constant 3.0e38 : f32
  %wide0 = arith.constant -3.0e38 : f64
  %wide1 = arith.constant 3.0e38 : f64
  %a = rng.uniform range(%zero, %one) : f32
  // expected-warning @below {{'rng.uniform' op has a range without a value, its lower bound is not below its upper one: every value is the lower bound}}
  %b = rng.uniform range(%one, %zero) : f32
  // expected-warning @below {{range without a value}}
  %c = rng.uniform range(%one, %one) : f32
  // expected-warning @below {{has a bound that is NaN}}
  %d = rng.uniform range(%zero, %nan) : f32
  // expected-warning @below {{has a bound that is NaN}}
  %e = rng.uniform range(%x, %nan) : f32
  // expected-warning @below {{width is not finite}}
  %f = rng.uniform range(%zero, %inf) : f32
  // expected-warning @below {{'rng.uniform' op has a range whose width is not finite: every value is the lower bound}}
  %g = rng.uniform range(%low, %high) : tensor<4xbf16>
  %h = rng.uniform range(%wide0, %wide1) : f64
  %i = rng.uniform range(%x, %zero) : f32
  return
}

func.func @bernoulli(%s: i64, %o: i64) {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -0.5 : f32
  %two = arith.constant 1.5 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %a = rng.bernoulli prob(%zero) : i1
  %b = rng.bernoulli prob(%one) : i1
  %c = rng.bernoulli prob(%minus_zero) : i1
  // expected-warning @below {{'rng.bernoulli' op has a probability below 0: every value is false}}
  %d = rng.bernoulli prob(%minus) : i1
  // expected-warning @below {{has a probability above 1: every value is true}}
  %e = rng.bernoulli prob(%two) : i1
  // expected-warning @below {{has a probability that is NaN: every value is false}}
  %f = rng.stateless_bernoulli %s, %o prob(%nan) : tensor<4xi1>
  return
}

func.func @randint(%x: i8) {
  %zero = arith.constant 0 : i8
  %five = arith.constant 5 : i8
  %three = arith.constant 3 : i8
  %minus = arith.constant -5 : i8
  %a = rng.randint range(%zero, %five) : i8
  // Signed, and unsigned 0 to 251.
  %b = rng.randint range(%minus, %five) : i8
  %c = rng.randint range(%zero, %minus) : i8
  // expected-warning @below {{'rng.randint' op has an empty range: every value is the lower bound}}
  %d = rng.randint range(%five, %five) : i8
  // expected-warning @below {{has a range whose lower bound is above its upper one: it wraps around all integers}}
  %e = rng.randint range(%five, %three) : i8
  %f = rng.randint range(%x, %three) : i8
  return
}

func.func @normal() {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -1.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %a = rng.normal params(%minus, %zero) : f32
  // expected-warning @below {{'rng.normal' op has a negative deviation}}
  %b = rng.normal params(%zero, %minus) : f32
  // expected-warning @below {{has a mean or deviation that is not finite}}
  %c = rng.normal params(%nan, %zero) : f32
  return
}
