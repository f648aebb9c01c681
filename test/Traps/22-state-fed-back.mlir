// Trap 22. A state that is returned and fed back continues the stream, without
// swapped words: where a stream continues, drawing n and then m numbers is
// drawing n + m. The first draw ends with a block; under #rng.torch_eager, with
// one of each thread. Offsets wrap on the way, but not under #rng.xla: XLA
// carries into the upper half of its counter while it draws, and drops the carry
// from the new state.
//
// RUN: sed 's/ALGORITHM/#rng.philox<convention = torch>/; s/OFFSET/-3/' %s | %rng_opt - --rng-thread-state --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox<convention = xla>/; s/OFFSET/1000/' %s | %rng_opt - --rng-thread-state --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox<convention = triton>/; s/OFFSET/-3/' %s | %rng_opt - --rng-thread-state --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.threefry/; s/OFFSET/-3/' %s | %rng_opt - --rng-thread-state --rng-to-cpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.philox<convention = #rng.torch_eager<threads = 256>>/; s/OFFSET/-3/' %s | %rng_opt - --rng-thread-state --rng-to-cpu | %run_cpu | FileCheck %s
// The state after both is that after one, too, and is fed back at run time; so
// it is through kernels.
// RUN: sed 's/ALGORITHM/#rng.philox<convention = torch>/; s/OFFSET/-3/' %s | %rng_opt - --rng-reserve-draws --rng-to-emulated-gpu | %run_cpu | FileCheck %s
// RUN: sed 's/ALGORITHM/#rng.threefry/; s/OFFSET/-3/' %s | %rng_opt - --rng-reserve-draws --rng-to-emulated-gpu | %run_cpu | FileCheck %s

module attributes {rng.default_algorithm = ALGORITHM} {
  func.func private @rngCountDifferentF32(memref<*xf32>, memref<*xf32>) -> i64
      attributes {llvm.emit_c_interface}

  func.func private @two(%n: index, %m: index)
      -> (tensor<?xf32>, tensor<?xf32>) {
    %a = rng.uniform sizes(%n) : tensor<?xf32>
    %b = rng.uniform sizes(%m) : tensor<?xf32>
    return %a, %b : tensor<?xf32>, tensor<?xf32>
  }

  func.func private @one(%n: index) -> tensor<?xf32> {
    %a = rng.uniform sizes(%n) : tensor<?xf32>
    return %a : tensor<?xf32>
  }

  func.func @main() {
    %seed = arith.constant 42 : i64
    %offset = arith.constant OFFSET : i64
    %n = arith.constant 1024 : index
    %m = arith.constant 3072 : index
    %sum = arith.addi %n, %m : index

    rng.set_state %seed, %offset : i64, i64
    %a, %b = call @two(%n, %m) : (index, index)
        -> (tensor<?xf32>, tensor<?xf32>)
    %seed2, %offset2 = rng.get_state : i64, i64
    rng.set_state %seed, %offset : i64, i64
    %c = call @one(%sum) : (index) -> tensor<?xf32>
    %seed1, %offset1 = rng.get_state : i64, i64

    %ab = tensor.concat dim(0) %a, %b
        : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %x = bufferization.to_buffer %ab : tensor<?xf32> to memref<?xf32>
    %y = bufferization.to_buffer %c : tensor<?xf32> to memref<?xf32>
    %x_any = memref.cast %x : memref<?xf32> to memref<*xf32>
    %y_any = memref.cast %y : memref<?xf32> to memref<*xf32>
    %d = call @rngCountDifferentF32(%x_any, %y_any)
        : (memref<*xf32>, memref<*xf32>) -> i64
    // CHECK: {{^}}0{{$}}
    vector.print %d : i64
    // CHECK-NEXT: {{^}}0{{$}}
    %e = arith.subi %offset2, %offset1 : i64
    vector.print %e : i64
    // Something was drawn.
    %moved = arith.cmpi ne, %offset1, %offset : i64
    // CHECK-NEXT: {{^}}1{{$}}
    vector.print %moved : i1
    return
  }
}
