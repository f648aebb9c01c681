// Where the tests' drivers keep tensors: memory of the host.
// The drivers are the same for both; `to_T` copies a host buffer there, `from_T`
// copies it back, `free_T` frees it (here that is left to the pipeline, which
// frees all that functions allocate).

func.func private @to_f16(%from: memref<?xf16>) -> memref<?xf16> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xf16>
  %to = memref.alloc(%n) : memref<?xf16>
  memref.copy %from, %to : memref<?xf16> to memref<?xf16>
  return %to : memref<?xf16>
}
func.func private @from_f16(%from: memref<?xf16>, %to: memref<?xf16>) {
  memref.copy %from, %to : memref<?xf16> to memref<?xf16>
  return
}
func.func private @free_f16(%buffer: memref<?xf16>) {
  return
}
func.func private @to_bf16(%from: memref<?xbf16>) -> memref<?xbf16> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xbf16>
  %to = memref.alloc(%n) : memref<?xbf16>
  memref.copy %from, %to : memref<?xbf16> to memref<?xbf16>
  return %to : memref<?xbf16>
}
func.func private @from_bf16(%from: memref<?xbf16>, %to: memref<?xbf16>) {
  memref.copy %from, %to : memref<?xbf16> to memref<?xbf16>
  return
}
func.func private @free_bf16(%buffer: memref<?xbf16>) {
  return
}
func.func private @to_f32(%from: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xf32>
  %to = memref.alloc(%n) : memref<?xf32>
  memref.copy %from, %to : memref<?xf32> to memref<?xf32>
  return %to : memref<?xf32>
}
func.func private @from_f32(%from: memref<?xf32>, %to: memref<?xf32>) {
  memref.copy %from, %to : memref<?xf32> to memref<?xf32>
  return
}
func.func private @free_f32(%buffer: memref<?xf32>) {
  return
}
func.func private @to_f64(%from: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xf64>
  %to = memref.alloc(%n) : memref<?xf64>
  memref.copy %from, %to : memref<?xf64> to memref<?xf64>
  return %to : memref<?xf64>
}
func.func private @from_f64(%from: memref<?xf64>, %to: memref<?xf64>) {
  memref.copy %from, %to : memref<?xf64> to memref<?xf64>
  return
}
func.func private @free_f64(%buffer: memref<?xf64>) {
  return
}
func.func private @to_i1(%from: memref<?xi1>) -> memref<?xi1> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xi1>
  %to = memref.alloc(%n) : memref<?xi1>
  memref.copy %from, %to : memref<?xi1> to memref<?xi1>
  return %to : memref<?xi1>
}
func.func private @from_i1(%from: memref<?xi1>, %to: memref<?xi1>) {
  memref.copy %from, %to : memref<?xi1> to memref<?xi1>
  return
}
func.func private @free_i1(%buffer: memref<?xi1>) {
  return
}
func.func private @to_i32(%from: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xi32>
  %to = memref.alloc(%n) : memref<?xi32>
  memref.copy %from, %to : memref<?xi32> to memref<?xi32>
  return %to : memref<?xi32>
}
func.func private @from_i32(%from: memref<?xi32>, %to: memref<?xi32>) {
  memref.copy %from, %to : memref<?xi32> to memref<?xi32>
  return
}
func.func private @free_i32(%buffer: memref<?xi32>) {
  return
}
func.func private @to_i64(%from: memref<?xi64>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xi64>
  %to = memref.alloc(%n) : memref<?xi64>
  memref.copy %from, %to : memref<?xi64> to memref<?xi64>
  return %to : memref<?xi64>
}
func.func private @from_i64(%from: memref<?xi64>, %to: memref<?xi64>) {
  memref.copy %from, %to : memref<?xi64> to memref<?xi64>
  return
}
func.func private @free_i64(%buffer: memref<?xi64>) {
  return
}
func.func private @free_host_f16(%buffer: memref<?xf16>) {
  return
}
func.func private @free_host_bf16(%buffer: memref<?xbf16>) {
  return
}
func.func private @free_host_f32(%buffer: memref<?xf32>) {
  return
}
func.func private @free_host_f64(%buffer: memref<?xf64>) {
  return
}
func.func private @free_host_i1(%buffer: memref<?xi1>) {
  return
}
func.func private @free_host_i32(%buffer: memref<?xi32>) {
  return
}
func.func private @free_host_i64(%buffer: memref<?xi64>) {
  return
}

// On the device, a copy at an odd address and the memory that it is in.
func.func private @to_unaligned_f32(%from: memref<?xf32>)
    -> (memref<?xf32>, memref<?xi8>) {
  %c1 = arith.constant 1 : index
  %to = call @to_f32(%from) : (memref<?xf32>) -> memref<?xf32>
  %bytes = memref.alloc(%c1) : memref<?xi8>
  return %to, %bytes : memref<?xf32>, memref<?xi8>
}
func.func private @free_bytes(%buffer: memref<?xi8>) {
  return
}
