// RUN: %rng_opt %s --rng-convert-kernel-math | FileCheck %s
// RUN: %rng_opt %s --rng-convert-kernel-math=math=libm | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @intrinsics(
  // CHECK-SAME: %[[X:.+]]: f32, %[[Y:.+]]: bf16, %[[N:.+]]: i32
  gpu.func @intrinsics(%x: f32, %y: bf16, %n: i32) -> (f32, bf16, i32, i32) {
    // CHECK: %[[S:.+]] = llvm.call_intrinsic "llvm.sqrt.f32"(%[[X]])
    %s = math.sqrt %x : f32
    // CHECK: %[[A:.+]] = llvm.call_intrinsic "llvm.fabs.bf16"(%[[Y]])
    %a = math.absf %y : bf16
    // CHECK: %[[FALSE:.+]] = llvm.mlir.constant(false) : i1
    // CHECK: %[[Z:.+]] = llvm.call_intrinsic "llvm.ctlz.i32"(%[[N]], %[[FALSE]])
    %z = math.ctlz %n : i32
    // CHECK: %[[P:.+]] = llvm.call_intrinsic "llvm.ctpop.i32"(%[[N]])
    %p = math.ctpop %n : i32
    // CHECK: gpu.return %[[S]], %[[A]], %[[Z]], %[[P]]
    gpu.return %s, %a, %z, %p : f32, bf16, i32, i32
  }

  // The backend takes true for 1 where the result is bf16.
  // CHECK-LABEL: gpu.func @sign(
  // CHECK-SAME: %[[X:.+]]: i1
  gpu.func @sign(%x: i1) -> bf16 {
    // CHECK: %[[R:.+]] = arith.select %[[X]], %{{.+}}, %{{.+}} : bf16
    %r = arith.sitofp %x : i1 to bf16
    // CHECK: gpu.return %[[R]]
    gpu.return %r : bf16
  }

  // CHECK-LABEL: gpu.func @classes(
  // CHECK-SAME: %[[X:.+]]: f32
  gpu.func @classes(%x: f32) -> (i1, i1) {
    // CHECK: %[[NAN:.+]] = arith.cmpf uno, %[[X]], %[[X]]
    %nan = math.isnan %x : f32
    // CHECK: %[[A:.+]] = llvm.call_intrinsic "llvm.fabs.f32"(%[[X]])
    // CHECK: %[[FINITE:.+]] = arith.cmpf olt, %[[A]]
    %finite = math.isfinite %x : f32
    // CHECK: gpu.return %[[NAN]], %[[FINITE]]
    gpu.return %nan, %finite : i1, i1
  }

  // Vectors: an op for each element, of any rank.
  // CHECK-LABEL: gpu.func @vectors(
  // CHECK-SAME: %[[X:.+]]: vector<1x2xf32>, %[[Y:.+]]: vector<2xf64>
  gpu.func @vectors(%x: vector<1x2xf32>, %y: vector<2xf64>)
      -> (vector<1x2xf32>, vector<2xi1>) {
    // CHECK: %[[X0:.+]] = vector.extract %[[X]][0, 0]
    // CHECK: %[[S0:.+]] = llvm.call_intrinsic "llvm.sqrt.f32"(%[[X0]])
    // CHECK: %[[R0:.+]] = vector.insert %[[S0]], %{{.+}} [0, 0]
    // CHECK: %[[X1:.+]] = vector.extract %[[X]][0, 1]
    // CHECK: %[[S1:.+]] = llvm.call_intrinsic "llvm.sqrt.f32"(%[[X1]])
    // CHECK: %[[R1:.+]] = vector.insert %[[S1]], %[[R0]] [0, 1]
    %r = math.sqrt %x : vector<1x2xf32>
    // CHECK: %[[Y0:.+]] = vector.extract %[[Y]][0]
    // CHECK: %[[N0:.+]] = arith.cmpf uno, %[[Y0]], %[[Y0]] : f64
    // CHECK: vector.insert %[[N0]]
    // CHECK: %[[N1:.+]] = arith.cmpf uno,
    // CHECK: %[[N:.+]] = vector.insert %[[N1]]
    %n = math.isnan %y : vector<2xf64>
    // CHECK: gpu.return %[[R1]], %[[N]]
    gpu.return %r, %n : vector<1x2xf32>, vector<2xi1>
  }

  // The rounding between two narrow functions stays.
  // CHECK-LABEL: gpu.func @rounds(
  gpu.func @rounds(%x: f32) -> f32 {
    // CHECK: arith.truncf %{{.+}} : f32 to bf16
    %h = arith.truncf %x fastmath<contract> : f32 to bf16
    // CHECK: arith.extf %{{.+}} : bf16 to f32
    %y = arith.extf %h fastmath<contract> : bf16 to f32
    gpu.return %y : f32
  }
}
