// Kernels in which a thread does several elements: draws of one and of two words
// in one region, operands of all points, of a column and of a row, a mask among
// the results, buffers at addresses that are no multiple of 16, for which each
// thread does one element.
//
// RUN: sed '1,/^.. TEMPLATE/d; /^.. END/,$d' %s > %t.template
// RUN: (for type in f16 bf16 f32 f64; do \
// RUN:   upper=$(echo $type | tr a-z A-Z); \
// RUN:   sed "s/TYPE/$type/g; s/UPPER/$upper/g" %t.template; \
// RUN: done; sed '1,/^.. END/d' %s) > %t.mlir
// RUN: cat %t.mlir %S/Inputs/host-memory.mlir | %rng_opt --rng-to-cpu \
// RUN:   | %run_cpu > %t.cpu
// RUN: cat %t.mlir %S/Inputs/device-memory.mlir \
// RUN:   | %rng_opt --rng-to-nvptx="dump-dir=%t" | %run_ptx > %t.gpu
// RUN: diff %t.cpu %t.gpu
// RUN: FileCheck %s < %t.gpu
// RUN: cat %t/layer_f32_kernel.ptx | FileCheck %s --check-prefix=PTX

// The first kernel loads x, the bias and the row's factor.
// PTX: ld.global.nc.v4.b32
// PTX: ld.global.nc.v4.b32
// PTX: st.global.v4.b32

// TEMPLATE
func.func private @rngFillUPPER(memref<*xTYPE>, i64)
    attributes {llvm.emit_c_interface}
func.func private @rngPrintUPPER(memref<*xTYPE>)
    attributes {llvm.emit_c_interface}

func.func @layer_TYPE(%x: tensor<?x24xTYPE>, %bias: tensor<24xTYPE>,
                      %rows: tensor<?xTYPE>, %seed: i64, %offset: i64)
    -> (tensor<?x24xTYPE>, tensor<?x24xi1>, tensor<?x24xTYPE>) {
  %c0 = arith.constant 0 : index
  %c24 = arith.constant 24 : index
  %one = arith.constant 1 : i64
  %p = arith.constant 0.3 : f32
  %zero = arith.constant 0.0 : TYPE
  %m = tensor.dim %x, %c0 : tensor<?x24xTYPE>
  %next = arith.addi %offset, %one : i64
  %y0 = tensor.empty(%m) : tensor<?x24xTYPE>
  %keep0 = tensor.empty(%m) : tensor<?x24xi1>
  %y, %keep, %z = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias, %rows
          : tensor<?x24xTYPE>, tensor<24xTYPE>, tensor<?xTYPE>)
      outs(%y0, %keep0, %y0
          : tensor<?x24xTYPE>, tensor<?x24xi1>, tensor<?x24xTYPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %row: TYPE, %o0: TYPE, %o1: i1, %o2: TYPE):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%i, %j] of [%m, %c24] : i1
    %u = rng.stateless_uniform %seed, %next
        slice [%i, %j] of [%m, %c24] : TYPE
    %sum = arith.addf %a, %b : TYPE
    %scaled = arith.mulf %sum, %row : TYPE
    %kept = arith.select %k, %scaled, %zero : TYPE
    %noisy = arith.addf %kept, %u : TYPE
    %column = arith.index_cast %j : index to i32
    %float = arith.sitofp %column : i32 to TYPE
    %last = arith.addf %noisy, %float : TYPE
    linalg.yield %kept, %k, %last : TYPE, i1, TYPE
  } -> (tensor<?x24xTYPE>, tensor<?x24xi1>, tensor<?x24xTYPE>)
  return %y, %keep, %z
      : tensor<?x24xTYPE>, tensor<?x24xi1>, tensor<?x24xTYPE>
}
func.func @sum_TYPE(%y: tensor<?x24xTYPE>, %keep: tensor<?x24xi1>,
                    %z: tensor<?x24xTYPE>) -> tensor<?xTYPE> {
  %k = arith.uitofp %keep : tensor<?x24xi1> to tensor<?x24xTYPE>
  %s = arith.addf %y, %k : tensor<?x24xTYPE>
  %t = arith.mulf %s, %z : tensor<?x24xTYPE>
  %flat = tensor.collapse_shape %t [[0, 1]]
      : tensor<?x24xTYPE> into tensor<?xTYPE>
  return %flat : tensor<?xTYPE>
}
func.func @layer_sum_TYPE(%x: tensor<?xTYPE>, %bias: tensor<?xTYPE>,
                          %m: index, %seed: i64, %offset: i64)
    -> tensor<?xTYPE> {
  %wide = tensor.expand_shape %x [[0, 1]] output_shape [%m, 24]
      : tensor<?xTYPE> into tensor<?x24xTYPE>
  %b = tensor.extract_slice %bias[0] [24] [1]
      : tensor<?xTYPE> to tensor<24xTYPE>
  %rows = tensor.extract_slice %x[0] [%m] [1]
      : tensor<?xTYPE> to tensor<?xTYPE>
  %y, %keep, %z = call @layer_TYPE(%wide, %b, %rows, %seed, %offset)
      : (tensor<?x24xTYPE>, tensor<24xTYPE>, tensor<?xTYPE>, i64, i64)
      -> (tensor<?x24xTYPE>, tensor<?x24xi1>, tensor<?x24xTYPE>)
  %sum = call @sum_TYPE(%y, %keep, %z)
      : (tensor<?x24xTYPE>, tensor<?x24xi1>, tensor<?x24xTYPE>)
      -> tensor<?xTYPE>
  return %sum : tensor<?xTYPE>
}
func.func private @run_TYPE(%m: index, %seed: i64, %offset: i64) {
  %c24 = arith.constant 24 : index
  %n = arith.muli %m, %c24 : index
  %host = memref.alloc(%n) : memref<?xTYPE>
  %any = memref.cast %host : memref<?xTYPE> to memref<*xTYPE>
  call @rngFillUPPER(%any, %seed) : (memref<*xTYPE>, i64) -> ()
  %x = call @to_TYPE(%host) : (memref<?xTYPE>) -> memref<?xTYPE>
  %xt = bufferization.to_tensor %x restrict : memref<?xTYPE> to tensor<?xTYPE>
  %yt = call @layer_sum_TYPE(%xt, %xt, %m, %seed, %offset)
      : (tensor<?xTYPE>, tensor<?xTYPE>, index, i64, i64) -> tensor<?xTYPE>
  %y = bufferization.to_buffer %yt : tensor<?xTYPE> to memref<?xTYPE>
  call @from_TYPE(%y, %host) : (memref<?xTYPE>, memref<?xTYPE>) -> ()
  call @rngPrintUPPER(%any) : (memref<*xTYPE>) -> ()
  call @free_TYPE(%x) : (memref<?xTYPE>) -> ()
  call @free_TYPE(%y) : (memref<?xTYPE>) -> ()
  call @free_host_TYPE(%host) : (memref<?xTYPE>) -> ()
  return
}
// END

func.func @noise(%x: tensor<?xf32>, %seed: i64, %offset: i64)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %u = rng.stateless_uniform %seed, %offset sizes(%n) : tensor<?xf32>
  %y = arith.addf %x, %u : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func private @run_unaligned(%n: index, %seed: i64, %offset: i64) {
  %host = memref.alloc(%n) : memref<?xf32>
  %any = memref.cast %host : memref<?xf32> to memref<*xf32>
  call @rngFillF32(%any, %seed) : (memref<*xf32>, i64) -> ()
  %x, %bytes = call @to_unaligned_f32(%host)
      : (memref<?xf32>) -> (memref<?xf32>, memref<?xi8>)
  %xt = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %yt = call @noise(%xt, %seed, %offset)
      : (tensor<?xf32>, i64, i64) -> tensor<?xf32>
  %y = bufferization.to_buffer %yt : tensor<?xf32> to memref<?xf32>
  call @from_f32(%y, %host) : (memref<?xf32>, memref<?xf32>) -> ()
  call @rngPrintF32(%any) : (memref<*xf32>) -> ()
  call @free_bytes(%bytes) : (memref<?xi8>) -> ()
  call @free_f32(%y) : (memref<?xf32>) -> ()
  call @free_host_f32(%host) : (memref<?xf32>) -> ()
  return
}

func.func @main() {
  %seed = arith.constant 0x123456789abcdef0 : i64
  %offset = arith.constant 0xffffffff : i64
  %m1 = arith.constant 1 : index
  // CHECK: 24xf16
  call @run_f16(%m1, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 24xbf16
  call @run_bf16(%m1, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 24xf32
  call @run_f32(%m1, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 24xf64
  call @run_f64(%m1, %seed, %offset) : (index, i64, i64) -> ()
  %m3 = arith.constant 3 : index
  // CHECK: 72xf16
  call @run_f16(%m3, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 72xbf16
  call @run_bf16(%m3, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 72xf32
  call @run_f32(%m3, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 72xf64
  call @run_f64(%m3, %seed, %offset) : (index, i64, i64) -> ()
  %m43 = arith.constant 43 : index
  // CHECK: 1032xf16
  call @run_f16(%m43, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 1032xbf16
  call @run_bf16(%m43, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 1032xf32
  call @run_f32(%m43, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 1032xf64
  call @run_f64(%m43, %seed, %offset) : (index, i64, i64) -> ()
  %m1025 = arith.constant 1025 : index
  // CHECK: 24600xf16
  call @run_f16(%m1025, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 24600xbf16
  call @run_bf16(%m1025, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 24600xf32
  call @run_f32(%m1025, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 24600xf64
  call @run_f64(%m1025, %seed, %offset) : (index, i64, i64) -> ()
  %m5 = arith.constant 5 : index
  // CHECK: 5xf32
  call @run_unaligned(%m5, %seed, %offset) : (index, i64, i64) -> ()
  // CHECK: 1025xf32
  call @run_unaligned(%m1025, %seed, %offset) : (index, i64, i64) -> ()
  return
}
