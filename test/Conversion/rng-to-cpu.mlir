// RUN: %rng_opt %s --rng-to-cpu | FileCheck %s
// RUN: %rng_opt %s --pass-pipeline="builtin.module(rng-to-cpu{prefix=my})" \
// RUN:   | FileCheck %s --check-prefix=PREFIX
// RUN: %rng_opt %s --rng-to-cpu="math=libm" \
// RUN:   | FileCheck %s --check-prefix=LIBM
// RUN: %rng_opt %s --rng-to-cpu --mlir-print-ir-after=convert-linalg-to-loops \
// RUN:   2>&1 >/dev/null | FileCheck %s --check-prefix=LOOPS

// CHECK-NOT: rng.
// CHECK-DAG: llvm.func @rngReserve
// PREFIX-DAG: llvm.func @myReserve
// CHECK-LABEL: llvm.func @forward

// One buffer: the mask is never stored, and the argument is neither copied nor
// written. Loops over vectors, single blocks and elements.
// LOOPS: func.func @forward(%[[X:.+]]: memref<?x8xf32>,
// LOOPS-NOT: memref.copy
// LOOPS: %[[Y:.+]] = memref.alloc
// LOOPS-NOT: memref.alloc
// LOOPS: %[[FLAT:.+]] = memref.collapse_shape %[[Y]] {{\[\[}}0, 1]]
// LOOPS: scf.for
// LOOPS: vector.store %{{.+}}, %[[FLAT]][
// LOOPS: scf.for
// LOOPS: vector.store %{{.+}}, %[[FLAT]][
// LOOPS: scf.for
// LOOPS: vector.store %{{.+}}, %[[FLAT]][
// LOOPS: scf.for
// LOOPS: memref.store %{{.+}}, %[[FLAT]][
// LOOPS-NOT: memref.{{store|copy|dealloc}}
// LOOPS: return %[[Y]]
// LIBM: tanh
func.func @forward(%x: tensor<?x8xf32> {rng.persistent}, %p: f32)
    -> tensor<?x8xf32> attributes {rng.backward = @backward} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %seed, %offset = rng.reserve %one : i64, i64
  %d = tensor.dim %x, %c0 : tensor<?x8xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%d)
      : tensor<?x8xi1>
  %empty = tensor.empty(%d) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8xf32>)
      -> tensor<?x8xf32>
  %t = math.tanh %x : tensor<?x8xf32>
  %y = arith.select %keep, %t, %zeros : tensor<?x8xi1>, tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func private @backward()
