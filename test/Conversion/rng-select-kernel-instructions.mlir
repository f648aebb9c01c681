// RUN: %rng_opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(gpu.module(rng-select-kernel-instructions))' \
// RUN:   | FileCheck %s

// Where NaN stays NaN.
// CHECK-LABEL: gpu.func @clamp(
// CHECK-SAME: %[[X:.+]]: f32
// CHECK: %[[MIN:.+]] = arith.minimumf %[[X]], %{{.+}} : f32
// CHECK: %[[MAX:.+]] = arith.maximumf %[[MIN]], %{{.+}} : f32
// CHECK: memref.store %[[MAX]]
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @clamp(%x: f32, %y: memref<f32>) kernel {
    %high = arith.constant 8.0 : f32
    %low = arith.constant -8.0 : f32
    %is_below = arith.cmpf ult, %x, %high : f32
    %a = arith.select %is_below, %x, %high : f32
    %is_above = arith.cmpf uge, %a, %low : f32
    %b = arith.select %is_above, %a, %low : f32
    memref.store %b, %y[] : memref<f32>
    gpu.return
  }

  // Not where NaN becomes the bound, nor next to zero.
  // CHECK-LABEL: gpu.func @others(
  // CHECK-NOT: arith.minimumf
  // CHECK-NOT: arith.maximumf
  // CHECK: gpu.return
  gpu.func @others(%x: f32, %y: memref<2xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %high = arith.constant 8.0 : f32
    %zero = arith.constant 0.0 : f32
    %is_below = arith.cmpf olt, %x, %high : f32
    %a = arith.select %is_below, %x, %high : f32
    memref.store %a, %y[%c0] : memref<2xf32>
    %is_above = arith.cmpf ugt, %x, %zero : f32
    %b = arith.select %is_above, %x, %zero : f32
    memref.store %b, %y[%c1] : memref<2xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @extend(
  // CHECK-SAME: %[[X:.+]]: memref<8xbf16>
  // CHECK: %[[V:.+]] = vector.load %[[X]]
  // CHECK: %[[P:.+]] = vector.bitcast %[[V]] : vector<8xbf16> to vector<4xi32>
  // CHECK: %[[W:.+]] = vector.extract %[[P]][1]
  // CHECK: %[[LOW:.+]] = arith.shli %[[W]], %c16_i32
  // CHECK: arith.bitcast %[[LOW]] : i32 to f32
  // CHECK: %[[HIGH:.+]] = arith.andi %{{.+}}, %c-65536_i32
  // CHECK: arith.bitcast %[[HIGH]] : i32 to f32
  gpu.func @extend(%x: memref<8xbf16>, %y: memref<f32>) kernel {
    %c0 = arith.constant 0 : index
    %v = vector.load %x[%c0] : memref<8xbf16>, vector<8xbf16>
    %a = vector.extract %v[2] : bf16 from vector<8xbf16>
    %b = vector.extract %v[3] : bf16 from vector<8xbf16>
    %c = arith.extf %a : bf16 to f32
    %d = arith.extf %b : bf16 to f32
    %e = arith.addf %c, %d : f32
    memref.store %e, %y[] : memref<f32>
    gpu.return
  }
}

// -----

// sm_75 has no such minimum.
// CHECK-LABEL: gpu.func @old(
// CHECK: arith.select
gpu.module @kernels [#nvvm.target<chip = "sm_75">] {
  gpu.func @old(%x: f32, %y: memref<f32>) kernel {
    %high = arith.constant 8.0 : f32
    %is_below = arith.cmpf ult, %x, %high : f32
    %a = arith.select %is_below, %x, %high : f32
    memref.store %a, %y[] : memref<f32>
    gpu.return
  }
}
