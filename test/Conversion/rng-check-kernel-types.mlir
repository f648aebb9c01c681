// RUN: %rng_opt %s --rng-check-kernel-types -split-input-file \
// RUN:   -verify-diagnostics

gpu.module @kernels {
  gpu.func @widths(%x: tf32) -> tf32 {
    // expected-error@+1 {{'arith.addf' op on 'tf32' has no code on NVIDIA GPUs; compute in f16, bf16, f32 or f64, or in integers of one bit or more}}
    %y = arith.addf %x, %x : tf32
    gpu.return %y : tf32
  }
}

// -----

// In a vector, too, and as the result alone.
gpu.module @kernels {
  gpu.func @vectors(%x: vector<2xf32>) {
    // expected-error@+1 {{'arith.extf' op on 'vector<2xf80>' has no code}}
    %y = arith.extf %x : vector<2xf32> to vector<2xf80>
    gpu.return
  }
}

// -----

// Bytes that nobody computes with can be copied and selected.
gpu.module @kernels {
  gpu.func @bytes(%m: memref<2xf8E5M2>, %c: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.load %m[%c0] : memref<2xf8E5M2>
    %b = memref.load %m[%c1] : memref<2xf8E5M2>
    %s = arith.select %c, %a, %b : f8E5M2
    memref.store %s, %m[%c0] : memref<2xf8E5M2>
    gpu.return
  }
}
