// RUN: not %rng_opt %s --rng-generate-driver=dynamic-size=-1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIZE
// RUN: not %rng_opt %s --rng-generate-driver=step=0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STEP
// RUN: not %rng_opt %s --rng-generate-driver=gradient-arguments=0,1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNT
// RUN: not %rng_opt %s --rng-generate-driver=gradient-arguments=1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPE
// RUN: %rng_opt %s \
// RUN:   --rng-generate-driver="finite-differences gradient-arguments=2" \
// RUN:   | FileCheck %s --check-prefix=CHOSEN
// RUN: %rng_opt %s --rng-generate-driver=finite-differences \
// RUN:   | FileCheck %s --check-prefix=FIRST

// SIZE: expected 'dynamic-size' not to be negative but got -1
// STEP: expected a positive 'step' and a 'tolerance' that is not negative
// COUNT: expected 1 'gradient-arguments', one for each gradient, but got 2
// TYPE: gradient 0 of type 'f32' cannot be that of argument 1 of '@f_forward'
// CHOSEN: finite differences of gradient 0 (argument 2)
// FIRST: finite differences of gradient 0 (argument 0)

func.func @f_forward(%a: f32, %b: f64, %c: f32) -> f32
    attributes {rng.backward = @f_backward,
                rng.saved = [#rng.saved<argument 0>]} {
  %y = arith.mulf %a, %c : f32
  return %y : f32
}

func.func @f_backward(%a: f32, %dy: f32) -> f32 {
  %dc = arith.mulf %a, %dy : f32
  return %dc : f32
}
