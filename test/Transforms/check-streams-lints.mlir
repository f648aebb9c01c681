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

// Of the 2^32 words, 128 count as 0.
func.func @rare(%s1: i64, %s2: i64, %s3: i64, %s4: i64, %s5: i64, %s6: i64, %s7: i64, %s8: i64, %s9: i64,
    %o: i64) {
  %never = arith.constant 1.0e-12 : f32
  %rare = arith.constant 1.0e-6 : f32
  %fine = arith.constant 1.0e-5 : f32
  // The largest f32 below 1.
  %often = arith.constant 0x3F7FFFFF : f32
  // expected-warning @below {{'rng.bernoulli' op has a probability of 1e-12 but is true with probability 2.98023e-08, as f32 uniforms are no finer: compare a uniform draw of f64 instead}}
  %a = rng.bernoulli prob(%never) : i1
  // expected-warning @below {{'rng.stateless_bernoulli' op has a probability of 1e-06 but is true with probability 1.02981e-06}}
  %b = rng.stateless_bernoulli %s1, %o prob(%rare) : tensor<4xi1>
  %c = rng.bernoulli prob(%fine) : i1
  %d = rng.bernoulli prob(%often) : i1
  // expected-warning @below {{true with probability 1.02981e-06}}
  %e = rng.stateless_bernoulli %s2, %o prob(%rare) {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 256>>} : i1
  // expected-warning @below {{true with probability 1.07288e-06}}
  %f = rng.stateless_bernoulli %s3, %o prob(%rare) {algorithm = #rng.threefry} : i1
  // expected-warning @below {{has a probability of 1 - 5.96046e-08 but is true with probability 1,}}
  %g = rng.stateless_bernoulli %s4, %o prob(%often) {algorithm = #rng.philox<convention = xla>} : i1
  // expected-warning @below {{true with probability 1.19209e-07}}
  %h = rng.stateless_bernoulli %s5, %o prob(%never) {algorithm = #rng.philox<convention = tensorflow>} : i1
  // expected-warning @below {{true with probability 5.96046e-08}}
  %i = rng.stateless_bernoulli %s6, %o prob(%never) {algorithm = #rng.philox<convention = torch>} : i1
  %j = rng.stateless_bernoulli %s7, %o prob(%often) {algorithm = #rng.philox<convention = torch>} : i1
  // expected-warning @below {{true with probability 4.65661e-10}}
  %k = rng.stateless_bernoulli %s8, %o prob(%never) {algorithm = #rng.philox<convention = triton>} : i1
  %l = rng.stateless_bernoulli %s9, %o prob(%rare) {algorithm = #rng.philox<convention = triton>} : i1
  return
}

// A generator's algorithm counts for its draws.
rng.generator @jax {algorithm = #rng.threefry}
func.func @rare_of_generator() {
  %p = arith.constant 5.0e-6 : f32
  %often = arith.constant 0x3F7FFFFD : f32
  %a = rng.bernoulli prob(%p) : i1
  %b = rng.bernoulli prob(%often) : i1
  // expected-warning @below {{'rng.bernoulli' op has a probability of 1 - 1.78814e-07 but is true with probability 1 - 1.19209e-07,}}
  %c = rng.bernoulli @jax prob(%often) : i1
  return
}

func.func @wide() {
  %zero = arith.constant 0 : i8
  %max = arith.constant 127 : i8
  %min = arith.constant -128 : i8
  %ones = arith.constant -1 : i8
  // expected-warning @below {{'rng.randint' op has a range of all integers of its type but the largest, as the upper bound is not drawn; if all are meant, draw bits}}
  %a = rng.randint range(%min, %max) : i8
  // expected-warning @below {{has a range of all integers of its type but the largest}}
  %b = rng.randint range(%zero, %ones) : i8
  // expected-warning @below {{has an empty range: every value is the lower bound; if all integers of the type are meant, draw bits}}
  %c = rng.randint range(%min, %min) : i8
  %d = rng.randint range(%zero, %max) : i8
  return
}

// Words cannot be shared evenly by nearly as many integers.
func.func @shares() {
  %zero = arith.constant 0 : i32
  %a0 = arith.constant 2147483647 : i32
  %a1 = arith.constant -1073741824 : i32
  %a2 = arith.constant 268435456 : i32
  %wide0 = arith.constant 0 : i64
  %wide1 = arith.constant 0x6000000000000000 : i64
  // Twice each, and two integers once more.
  %a = rng.randint range(%zero, %a0) : i32
  // expected-warning @below {{'rng.randint' op has a range of 3221225472 integers that 32 bits do not share out evenly: some are drawn 2.00 times as often as others, so draw i64 and truncate it}}
  %b = rng.randint range(%zero, %a1) : tensor<4xi32>
  %c = rng.randint range(%zero, %a2) : i32
  // expected-warning @below {{has a range of 6917529027641081856 integers that 64 bits do not share out evenly: some are drawn 1.50 times as often as others, so draw bits and drop what is out of range}}
  %d = rng.randint range(%wide0, %wide1) : i64
  return
}

// From 2^28 integers on, PyTorch draws 64 bits for a modulus, whatever the type.
func.func @torch(%s1: i64, %s2: i64, %s3: i64, %s4: i64, %s5: i64, %s6: i64,
    %o: i64) {
  %zero = arith.constant 0 : i32
  %more = arith.constant 268435456 : i32
  %less = arith.constant 268435455 : i32
  %zero64 = arith.constant 0 : i64
  %more64 = arith.constant 268435456 : i64
  %less64 = arith.constant 50257 : i64
  // expected-warning @below {{'rng.stateless_randint' op has a range of 268435456 integers, which PyTorch draws from 64 bits and this draw from 32: for PyTorch's numbers draw i64 and truncate it}}
  %a = rng.stateless_randint %s1, %o range(%zero, %more) {algorithm = #rng.philox<convention = torch>} : tensor<4xi32>
  // expected-warning @below {{has a range of 268435456 integers, which PyTorch draws from 64 bits}}
  %b = rng.stateless_randint %s2, %o range(%zero, %more) {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 256>>} : i32
  %c = rng.stateless_randint %s3, %o range(%zero, %less) {algorithm = #rng.philox<convention = torch>} : i32
  // expected-warning @below {{has a range of 50257 integers, which PyTorch draws from 32 bits and this draw from 64: for PyTorch's numbers draw i32 and extend it}}
  %d = rng.stateless_randint %s4, %o range(%zero64, %less64) {algorithm = #rng.philox<convention = #rng.torch_eager<threads = 256>>} : i64
  %e = rng.stateless_randint %s5, %o range(%zero64, %more64) {algorithm = #rng.philox<convention = torch>} : i64
  %f = rng.stateless_randint %s6, %o range(%zero64, %less64) : i64
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
