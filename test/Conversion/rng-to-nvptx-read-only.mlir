// Which buffers kernels load as what nothing writes: those that are not what the
// kernel writes, for sure.
//
// RUN: rm -rf %t
// RUN: %rng_opt %s --rng-to-nvptx=dump-dir=%t -o /dev/null
// RUN: FileCheck %s --check-prefix=FRESH < %t/fresh_kernel.ptx
// RUN: FileCheck %s --check-prefix=PLACE < %t/in_place_kernel.ptx
// RUN: FileCheck %s --check-prefix=ARGUMENTS < %t/two_arguments_kernel.ptx
// RUN: FileCheck %s --check-prefix=LOOP < %t/carried_kernel_0.ptx

// The result is fresh memory.
// FRESH: ld.global.nc.v4
// FRESH-NOT: ld.global.v4
func.func @fresh(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = arith.addf %x, %x : tensor<1024xf32>
  return %y : tensor<1024xf32>
}

// PLACE-NOT: ld.global.nc
// PLACE: ld.global.v4
// PLACE-NOT: ld.global.nc
func.func @in_place(%x: memref<1024xf32>, %one: tensor<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} outs(%x : memref<1024xf32>) {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  }
  return
}

// The caller may hand over one buffer twice.
// ARGUMENTS-NOT: ld.global.nc
// ARGUMENTS: ld.global.v4
// ARGUMENTS-NOT: ld.global.nc
func.func @two_arguments(%x: memref<1024xf32>, %y: memref<1024xf32>,
                         %one: tensor<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                   affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<1024xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  }
  return
}

// What a loop carries may be what it allocated the last time.
// LOOP-NOT: ld.global.nc
// LOOP: ld.global.v4
// LOOP-NOT: ld.global.nc
func.func @carried(%x: tensor<1024xf32>, %n: index) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x)
      -> (tensor<1024xf32>) {
    %s = arith.addf %z, %z : tensor<1024xf32>
    scf.yield %s : tensor<1024xf32>
  }
  return %y : tensor<1024xf32>
}
