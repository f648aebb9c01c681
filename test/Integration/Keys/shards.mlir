// A tensor spread over ranks: each rank draws its slice of the whole, and together
// they hold what one alone would draw, under every algorithm; so no keys are
// needed. With a key of its own, a rank draws something else.
//
// RUN: sed 's/ALGORITHM/#rng.philox/' %s | %rng_opt - --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox/' %s | %rng_opt - --rng-to-emulated-gpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox<convention = torch>/' %s | %rng_opt - --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox<convention = #rng.torch_eager<threads = 256>>/' %s | %rng_opt - --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox<convention = triton>/' %s | %rng_opt - --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox<convention = xla>/' %s | %rng_opt - --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox<convention = tensorflow>/' %s | %rng_opt - --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.threefry/' %s | %rng_opt - --rng-to-cpu | %run_cpu | FileCheck %s

func.func private @whole(%seed: i64, %offset: i64) -> tensor<30x22xf32> {
  %z = rng.stateless_normal %seed, %offset {algorithm = ALGORITHM}
      : tensor<30x22xf32>
  return %z : tensor<30x22xf32>
}

// Ranks stand in a grid of 3 x 2 and hold 10 x 11 elements each.
func.func private @shard(%seed: i64, %offset: i64, %row: index, %column: index)
    -> tensor<10x11xf32> {
  %z = rng.stateless_normal %seed, %offset slice [%row, %column] of [30, 22]
      {algorithm = ALGORITHM} : tensor<10x11xf32>
  return %z : tensor<10x11xf32>
}

func.func @main() {
  %seed = arith.constant 42 : i64
  %offset = arith.constant 3 : i64
  %none = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %c22 = arith.constant 22 : index
  %c30 = arith.constant 30 : index
  %whole = call @whole(%seed, %offset) : (i64, i64) -> tensor<30x22xf32>
  %wrong = scf.for %row = %c0 to %c30 step %c10 iter_args(%s0 = %none) -> i32 {
    %r = scf.for %column = %c0 to %c22 step %c11 iter_args(%s1 = %s0) -> i32 {
      %shard = func.call @shard(%seed, %offset, %row, %column)
          : (i64, i64, index, index) -> tensor<10x11xf32>
      %rank = arith.index_cast %row : index to i64
      %own = rng.fold_in %seed, %rank
      %other = func.call @shard(%own, %offset, %row, %column)
          : (i64, i64, index, index) -> tensor<10x11xf32>
      %q = scf.for %i = %c0 to %c10 step %c1 iter_args(%s2 = %s1) -> i32 {
        %p = scf.for %j = %c0 to %c11 step %c1 iter_args(%s3 = %s2) -> i32 {
          %y = arith.addi %row, %i : index
          %x = arith.addi %column, %j : index
          %a = tensor.extract %whole[%y, %x] : tensor<30x22xf32>
          %b = tensor.extract %shard[%i, %j] : tensor<10x11xf32>
          %c = tensor.extract %other[%i, %j] : tensor<10x11xf32>
          %ne = arith.cmpf une, %a, %b : f32
          %eq = arith.cmpf oeq, %b, %c : f32
          %bad = arith.ori %ne, %eq : i1
          %n = arith.extui %bad : i1 to i32
          %next = arith.addi %s3, %n : i32
          scf.yield %next : i32
        }
        scf.yield %p : i32
      }
      scf.yield %q : i32
    }
    scf.yield %r : i32
  }
  // CHECK: {{^}}0{{$}}
  vector.print %wrong : i32
  return
}
