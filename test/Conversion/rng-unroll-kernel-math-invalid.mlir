// Each element of a vector becomes code of its own: too many are refused, before
// anything is written out.
//
// RUN: %rng_opt %s --rng-unroll-kernel-math -verify-diagnostics \
// RUN:   -split-input-file

gpu.module @kernels {
  gpu.func @log(%x: vector<1048576x1048576xf32>) -> vector<1048576x1048576xf32> {
    // expected-error@+1 {{'math.log' op cannot be lowered with a value of type 'vector<1048576x1048576xf32>': use a tensor, or vectors of at most 4096 elements}}
    %a = math.log %x : vector<1048576x1048576xf32>
    gpu.return %a : vector<1048576x1048576xf32>
  }
}

// -----

gpu.module @kernels {
  gpu.func @sqrt(%x: vector<64x64xf32>) -> vector<64x64xf32> {
    %a = math.sqrt %x : vector<64x64xf32>
    gpu.return %a : vector<64x64xf32>
  }
}
