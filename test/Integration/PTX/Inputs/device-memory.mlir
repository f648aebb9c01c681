// Where the tests' drivers keep tensors: memory of the device.
// The drivers are the same for both; `to_T` copies a host buffer there, `from_T`
// copies it back, `free_T` frees it.

func.func private @to_f16(%from: memref<?xf16>) -> memref<?xf16> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xf16>
  %to = gpu.alloc (%n) : memref<?xf16>
  gpu.memcpy %to, %from : memref<?xf16>, memref<?xf16>
  return %to : memref<?xf16>
}
func.func private @from_f16(%from: memref<?xf16>, %to: memref<?xf16>) {
  gpu.memcpy %to, %from : memref<?xf16>, memref<?xf16>
  return
}
func.func private @free_f16(%buffer: memref<?xf16>) {
  gpu.dealloc %buffer : memref<?xf16>
  return
}
func.func private @to_bf16(%from: memref<?xbf16>) -> memref<?xbf16> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xbf16>
  %to = gpu.alloc (%n) : memref<?xbf16>
  gpu.memcpy %to, %from : memref<?xbf16>, memref<?xbf16>
  return %to : memref<?xbf16>
}
func.func private @from_bf16(%from: memref<?xbf16>, %to: memref<?xbf16>) {
  gpu.memcpy %to, %from : memref<?xbf16>, memref<?xbf16>
  return
}
func.func private @free_bf16(%buffer: memref<?xbf16>) {
  gpu.dealloc %buffer : memref<?xbf16>
  return
}
func.func private @to_f32(%from: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xf32>
  %to = gpu.alloc (%n) : memref<?xf32>
  gpu.memcpy %to, %from : memref<?xf32>, memref<?xf32>
  return %to : memref<?xf32>
}
func.func private @from_f32(%from: memref<?xf32>, %to: memref<?xf32>) {
  gpu.memcpy %to, %from : memref<?xf32>, memref<?xf32>
  return
}
func.func private @free_f32(%buffer: memref<?xf32>) {
  gpu.dealloc %buffer : memref<?xf32>
  return
}
func.func private @to_f64(%from: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xf64>
  %to = gpu.alloc (%n) : memref<?xf64>
  gpu.memcpy %to, %from : memref<?xf64>, memref<?xf64>
  return %to : memref<?xf64>
}
func.func private @from_f64(%from: memref<?xf64>, %to: memref<?xf64>) {
  gpu.memcpy %to, %from : memref<?xf64>, memref<?xf64>
  return
}
func.func private @free_f64(%buffer: memref<?xf64>) {
  gpu.dealloc %buffer : memref<?xf64>
  return
}
func.func private @to_i1(%from: memref<?xi1>) -> memref<?xi1> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xi1>
  %to = gpu.alloc (%n) : memref<?xi1>
  gpu.memcpy %to, %from : memref<?xi1>, memref<?xi1>
  return %to : memref<?xi1>
}
func.func private @from_i1(%from: memref<?xi1>, %to: memref<?xi1>) {
  gpu.memcpy %to, %from : memref<?xi1>, memref<?xi1>
  return
}
func.func private @free_i1(%buffer: memref<?xi1>) {
  gpu.dealloc %buffer : memref<?xi1>
  return
}
func.func private @to_i32(%from: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xi32>
  %to = gpu.alloc (%n) : memref<?xi32>
  gpu.memcpy %to, %from : memref<?xi32>, memref<?xi32>
  return %to : memref<?xi32>
}
func.func private @from_i32(%from: memref<?xi32>, %to: memref<?xi32>) {
  gpu.memcpy %to, %from : memref<?xi32>, memref<?xi32>
  return
}
func.func private @free_i32(%buffer: memref<?xi32>) {
  gpu.dealloc %buffer : memref<?xi32>
  return
}
func.func private @to_i64(%from: memref<?xi64>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %from, %c0 : memref<?xi64>
  %to = gpu.alloc (%n) : memref<?xi64>
  gpu.memcpy %to, %from : memref<?xi64>, memref<?xi64>
  return %to : memref<?xi64>
}
func.func private @from_i64(%from: memref<?xi64>, %to: memref<?xi64>) {
  gpu.memcpy %to, %from : memref<?xi64>, memref<?xi64>
  return
}
func.func private @free_i64(%buffer: memref<?xi64>) {
  gpu.dealloc %buffer : memref<?xi64>
  return
}
func.func private @free_host_f16(%buffer: memref<?xf16>) {
  memref.dealloc %buffer : memref<?xf16>
  return
}
func.func private @free_host_bf16(%buffer: memref<?xbf16>) {
  memref.dealloc %buffer : memref<?xbf16>
  return
}
func.func private @free_host_f32(%buffer: memref<?xf32>) {
  memref.dealloc %buffer : memref<?xf32>
  return
}
func.func private @free_host_f64(%buffer: memref<?xf64>) {
  memref.dealloc %buffer : memref<?xf64>
  return
}
func.func private @free_host_i1(%buffer: memref<?xi1>) {
  memref.dealloc %buffer : memref<?xi1>
  return
}
func.func private @free_host_i32(%buffer: memref<?xi32>) {
  memref.dealloc %buffer : memref<?xi32>
  return
}
func.func private @free_host_i64(%buffer: memref<?xi64>) {
  memref.dealloc %buffer : memref<?xi64>
  return
}

// A copy at an address that is a multiple of 4 only, and the memory it is in.
func.func private @to_unaligned_f32(%from: memref<?xf32>)
    -> (memref<?xf32>, memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %from, %c0 : memref<?xf32>
  %data = arith.muli %n, %c4 : index
  %size = arith.addi %data, %c4 : index
  %bytes = gpu.alloc (%size) : memref<?xi8>
  %to = memref.view %bytes[%c4][%n] : memref<?xi8> to memref<?xf32>
  gpu.memcpy %to, %from : memref<?xf32>, memref<?xf32>
  return %to, %bytes : memref<?xf32>, memref<?xi8>
}
func.func private @free_bytes(%buffer: memref<?xi8>) {
  gpu.dealloc %buffer : memref<?xi8>
  return
}
