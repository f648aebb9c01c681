rng.generator @first {seed = 1 : i64}
rng.generator @both {seed = 7 : i64}

func.func @draw_in_first() -> i32 {
  %0 = rng.bits @both : i32
  return %0 : i32
}
