// RUN: %rng_opt %s --pass-pipeline='builtin.module(func.func(rng-hoist-from-launches))' \
// RUN:   | FileCheck %s

// What is computed of a float of the host alone moves, in branches too; what is
// computed of integers, of what the kernel loads or of threads stays.
// CHECK-LABEL: func.func @hoist(
// CHECK-SAME: %[[P:.+]]: f32, %[[SEED:.+]]: i32, %[[X:.+]]: memref<?xf32>
// CHECK: %[[SCALED:.+]] = arith.mulf %[[P]], %{{.+}} : f32
// CHECK: %[[T:.+]] = arith.fptoui %[[SCALED]] : f32 to i32
// CHECK: gpu.launch
// CHECK: %[[KEY:.+]] = arith.addi %[[SEED]]
// CHECK-NOT: arith.fptoui
// CHECK: arith.cmpi ult, %[[KEY]], %[[T]]
// CHECK: scf.if
// CHECK: %[[A:.+]] = memref.load
// CHECK: arith.mulf %[[A]], %[[P]]
// CHECK: gpu.terminator
func.func @hoist(%p: f32, %seed: i32, %x: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %unit = arith.constant 65536.0 : f32
    %one = arith.constant 1 : i32
    %key = arith.addi %seed, %one : i32
    %scaled = arith.mulf %p, %unit : f32
    %threshold = arith.fptoui %scaled : f32 to i32
    %below = arith.cmpi ult, %key, %threshold : i32
    scf.if %below {
      %a = memref.load %x[%tx] : memref<?xf32>
      %b = arith.mulf %a, %p : f32
      memref.store %b, %x[%tx] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
