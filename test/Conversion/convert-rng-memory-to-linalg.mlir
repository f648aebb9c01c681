// RUN: %rng_opt %s -convert-rng-memory-to-linalg -split-input-file \
// RUN:   -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @reserve
// CHECK-SAME:    (%[[MEMORY:.+]]: memref<2xi64>, %[[BLOCKS:.+]]: i64)
// CHECK:         %[[SNAPSHOT:.+]] = memref.alloc() : memref<2xi64>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel"]
// CHECK-SAME:      outs(%[[MEMORY]], %[[SNAPSHOT]] : memref<2xi64>, memref<2xi64>)
// CHECK-NEXT:    ^bb0(%[[WORD:.+]]: i64, %{{.+}}: i64):
// CHECK-NEXT:      %[[ONE:.+]] = arith.constant 1 : index
// CHECK-NEXT:      %[[I:.+]] = linalg.index 0
// CHECK-NEXT:      %[[IS_OFFSET:.+]] = arith.cmpi eq, %[[I]], %[[ONE]]
// CHECK-NEXT:      %[[SUM:.+]] = arith.addi %[[WORD]], %[[BLOCKS]] : i64
// CHECK-NEXT:      %[[NEXT:.+]] = arith.select %[[IS_OFFSET]], %[[SUM]], %[[WORD]]
// CHECK-NEXT:      linalg.yield %[[NEXT]], %[[WORD]]
// CHECK:         %[[S:.+]] = bufferization.to_tensor %[[SNAPSHOT]] restrict : memref<2xi64> to tensor<2xi64>
// CHECK-NEXT:    return %[[S]]
func.func @reserve(%memory: memref<2xi64>, %blocks: i64) -> tensor<2xi64> {
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  return %s : tensor<2xi64>
}

// Nobody wants the snapshot.
// CHECK-LABEL: func.func @advance
// CHECK-SAME:    (%[[MEMORY:.+]]: memref<2xi64>, %[[BLOCKS:.+]]: i64)
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%[[MEMORY]] : memref<2xi64>)
// CHECK:         linalg.yield %{{[^,]+}} : i64
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @advance(%memory: memref<2xi64>, %blocks: i64) {
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  return
}

// In host control flow, on memory with a layout and in another space.
// CHECK-LABEL: func.func @places
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             linalg.generic
// CHECK-SAME:          outs(%{{.+}}, %{{.+}} : memref<2xi64, strided<[?], offset: ?>>, memref<2xi64>)
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.+}} : memref<2xi64, 1>)
func.func @places(%strided: memref<2xi64, strided<[?], offset: ?>>,
    %one: memref<2xi64, 1>, %n: index, %condition: i1, %blocks: i64, %init: tensor<2xi64>)
    -> tensor<2xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %init) -> tensor<2xi64> {
    %t = scf.if %condition -> tensor<2xi64> {
      %u = rng.reserve_memory %strided, %blocks
          : memref<2xi64, strided<[?], offset: ?>> -> tensor<2xi64>
      scf.yield %u : tensor<2xi64>
    } else {
      scf.yield %s : tensor<2xi64>
    }
    scf.yield %t : tensor<2xi64>
  }
  %s1 = rng.reserve_memory %one, %blocks : memref<2xi64, 1> -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

func.func @launch(%memory: memref<2xi64>, %n: index, %blocks: i64) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error @+1 {{'rng.reserve_memory' op is in device code, each thread of which would advance the state: move it to the host, in front of the launch}}
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
    gpu.terminator
  }
  return
}

// -----

gpu.module @kernels {
  gpu.func @kernel(%memory: memref<2xi64>, %blocks: i64) kernel {
    // expected-error @+1 {{'rng.reserve_memory' op is in device code}}
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
    gpu.return
  }
}

// -----

// What a launch calls, also through others, its threads run.

func.func @advance(%memory: memref<2xi64>, %blocks: i64) {
  // expected-error @+1 {{'rng.reserve_memory' op is in a function that device code calls, each thread of which would advance the state: move it to the host, in front of the launch}}
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  return
}
func.func @between(%memory: memref<2xi64>, %blocks: i64) {
  // expected-note @+1 {{threads come here by this call}}
  func.call @advance(%memory, %blocks) : (memref<2xi64>, i64) -> ()
  return
}
func.func @launch_calls(%memory: memref<2xi64>, %n: index, %blocks: i64) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    func.call @between(%memory, %blocks) : (memref<2xi64>, i64) -> ()
    gpu.terminator
  }
  return
}

// -----

// The host may call what it likes beside a launch.

// CHECK-LABEL: func.func @advance_on_host
// CHECK:         linalg.generic
func.func @advance_on_host(%memory: memref<2xi64>, %blocks: i64) {
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  return
}
func.func @recursive(%n: index) {
  func.call @recursive(%n) : (index) -> ()
  return
}
func.func @beside(%memory: memref<2xi64>, %n: index, %blocks: i64) {
  func.call @advance_on_host(%memory, %blocks) : (memref<2xi64>, i64) -> ()
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    func.call @recursive(%n) : (index) -> ()
    gpu.terminator
  }
  return
}

// -----

// A function beside the kernels runs on the device too.

gpu.module @helpers {
  func.func @helper(%memory: memref<2xi64>, %blocks: i64) {
    // expected-error @+1 {{'rng.reserve_memory' op is in device code}}
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
    return
  }
}

// -----

func.func @structured(%memory: memref<2xi64>, %blocks: i64, %x: tensor<8xi64>)
    -> tensor<8xi64> {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{'linalg.generic' is here}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} outs(%x : tensor<8xi64>) {
  ^bb0(%out: i64):
    // expected-error @+1 {{'rng.reserve_memory' op is within 'linalg.generic', which does not say in what order states are reserved: reserve in front of it, for all of its iterations}}
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
    %e = tensor.extract %s[%c0] : tensor<2xi64>
    linalg.yield %e : i64
  } -> tensor<8xi64>
  return %r : tensor<8xi64>
}

// -----

func.func @generate(%memory: memref<2xi64>, %blocks: i64) -> tensor<8xi64> {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{'tensor.generate' is here}}
  %r = tensor.generate {
  ^bb0(%i: index):
    // expected-error @+1 {{'rng.reserve_memory' op is within 'tensor.generate'}}
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
    %e = tensor.extract %s[%c0] : tensor<2xi64>
    tensor.yield %e : i64
  } : tensor<8xi64>
  return %r : tensor<8xi64>
}

// -----

func.func @parallel(%memory: memref<2xi64>, %blocks: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{'scf.parallel' is here}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @+1 {{'rng.reserve_memory' op is within 'scf.parallel'}}
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  }
  return
}

// -----

func.func @forall(%memory: memref<2xi64>, %blocks: i64, %n: index) {
  // expected-note @+1 {{'scf.forall' is here}}
  scf.forall (%i) in (%n) {
    // expected-error @+1 {{'rng.reserve_memory' op is within 'scf.forall'}}
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  }
  return
}

// -----

func.func @affine(%memory: memref<2xi64>, %blocks: i64) {
  // expected-note @+1 {{'affine.parallel' is here}}
  affine.parallel (%i) = (0) to (8) {
    // expected-error @+1 {{'rng.reserve_memory' op is within 'affine.parallel'}}
    %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  }
  return
}

// -----

func.func @layout(%memory: memref<2xi64, affine_map<(i) -> (i floordiv 2)>>,
                  %blocks: i64) {
  // expected-error @+1 {{'rng.reserve_memory' op cannot be lowered with the layout of 'memref<2xi64, affine_map<(d0) -> (d0 floordiv 2)>>': expected a strided one}}
  %s = rng.reserve_memory %memory, %blocks
      : memref<2xi64, affine_map<(i) -> (i floordiv 2)>> -> tensor<2xi64>
  return
}

// -----

func.func @space(%memory: memref<2xi64, #gpu.address_space<global>>,
                 %blocks: i64) {
  // expected-error @+1 {{'rng.reserve_memory' op cannot be lowered with the memory space of 'memref<2xi64, #gpu.address_space<global>>': cast it to the default one}}
  %s = rng.reserve_memory %memory, %blocks
      : memref<2xi64, #gpu.address_space<global>> -> tensor<2xi64>
  return
}

// -----

%memory = memref.alloc() : memref<2xi64>
%blocks = arith.constant 1 : i64
// expected-error @+1 {{'rng.reserve_memory' op expected to be in a function}}
%s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
