// RUN: %rng_opt %s --rng-keep-arguments | FileCheck %s

// CHECK: func.func @public(%{{.+}}: tensor<4xf32> {bufferization.writable = false}, %{{.+}}: i64, %{{.+}}: memref<4xf32>)
func.func @public(%a: tensor<4xf32>, %s: i64, %m: memref<4xf32>) {
  return
}

// What the program says holds.
// CHECK: func.func @donated(%{{.+}}: tensor<4xf32> {bufferization.writable = true})
func.func @donated(%a: tensor<4xf32> {bufferization.writable = true}) {
  return
}

// CHECK: func.func private @private(%{{.+}}: tensor<4xf32>)
func.func private @private(%a: tensor<4xf32>) {
  return
}

// CHECK: func.func private @external(tensor<4xf32>)
func.func private @external(tensor<4xf32>)
