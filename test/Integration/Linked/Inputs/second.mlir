rng.generator @second {seed = 2 : i64}
rng.generator @both {seed = 8 : i64}

func.func @draw_in_second() -> i32 {
  %0 = rng.bits @both : i32
  return %0 : i32
}
