// RUN: %rng_opt %s --rng-partition=keep-joint | FileCheck %s --check-prefix=KEEP
// RUN: %rng_opt %s --rng-partition="keep-joint argument-cost=1" \
// RUN:   | FileCheck %s --check-prefix=DEAR
// RUN: %rng_opt %s --rng-partition="keep-joint recompute-weight=2000" \
// RUN:   | FileCheck %s --check-prefix=WORK
// RUN: %rng_opt %s --rng-partition="keep-joint dynamic-size=1000" \
// RUN:   | FileCheck %s --check-prefix=DYNAMIC
// RUN: %rng_opt %s --rng-partition="keep-joint allow-far-recompute" \
// RUN:   | FileCheck %s --check-prefix=FAR
// RUN: %rng_opt %s --rng-partition="keep-joint report=%t.txt" -o %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.txt
// RUN: not %rng_opt %s --rng-partition="keep-joint report=%t.none/report.txt" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOFILE
// RUN: %rng_opt %s --rng-partition=keep-joint --remarks-filter=rng-partition \
// RUN:   --remark-format=emitRemark -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// The joint function stays where it was, and may be called.

// KEEP-LABEL: func.func @cast(
// KEEP-SAME:    rng.cotangent
// KEEP-LABEL: func.func @cast_forward(
// KEEP-SAME:    rng.saved = [#rng.saved<argument 0>]
// KEEP-LABEL: func.func @cast_backward(
// KEEP-LABEL: func.func @caller(

// With the argument at its full price the narrow copy is saved.

// DEAR-LABEL: func.func @cast_forward(
// DEAR-SAME:    -> (tensor<64xbf16>, tensor<64xbf16>)
// DEAR-SAME:    rng.saved = [#rng.saved<new 1>]

// So it is where work is dear.

// WORK-LABEL: func.func @cast_forward(
// WORK-SAME:    rng.saved = [#rng.saved<new 1>]

// REPORT:      @cast_forward saves for @cast_backward:
// REPORT-NEXT:   value       type         bytes  from
// REPORT-NEXT:   argument 0  tensor<64xf32>    256  at partition-options.mlir:[[#]]:[[#]]
// REPORT-NEXT:   saved                           256 bytes
// REPORT-NEXT:   if all that is used were saved  128 bytes
// REPORT-NEXT:     of it masks                     0 bytes
// REPORT-NEXT:   peak of the backward            512 bytes
// REPORT-NEXT:   if all that is used were saved  384 bytes
// REPORT-NEXT:   ops recomputed                    1
// REPORT-NEXT:   cost of recomputing              64 units
func.func @cast(%a: tensor<64xf32>, %d: tensor<64xbf16> {rng.cotangent})
    -> (tensor<64xbf16>, tensor<64xbf16> {rng.gradient}) {
  %a16 = arith.truncf %a : tensor<64xf32> to tensor<64xbf16>
  %y = math.exp %a16 : tensor<64xbf16>
  %da = arith.mulf %d, %a16 : tensor<64xbf16>
  return %y, %da : tensor<64xbf16>, tensor<64xbf16>
}
func.func @caller(%a: tensor<64xf32>, %d: tensor<64xbf16>)
    -> (tensor<64xbf16>, tensor<64xbf16>) {
  %0:2 = call @cast(%a, %d)
      : (tensor<64xf32>, tensor<64xbf16>) -> (tensor<64xbf16>, tensor<64xbf16>)
  return %0#0, %0#1 : tensor<64xbf16>, tensor<64xbf16>
}

// Trap 38: dynamic dimensions without a hint.
// A dynamic dimension counts 128, so the source is saved; at 1000 its slice is.

// KEEP-LABEL: func.func @dynamic_forward(
// KEEP-SAME:    -> (tensor<256xf32>, tensor<?xf32>)
// DYNAMIC-LABEL: func.func @dynamic_forward(
// DYNAMIC-SAME:    -> (tensor<256xf32>, tensor<256xf32>)
func.func private @produce() -> tensor<?xf32>
func.func @dynamic(%d: tensor<256xf32> {rng.cotangent})
    -> (tensor<256xf32>, tensor<256xf32> {rng.gradient}) {
  %x = func.call @produce() : () -> tensor<?xf32>
  %slice = tensor.extract_slice %x[0] [256] [1] : tensor<?xf32> to tensor<256xf32>
  %y = math.exp %slice : tensor<256xf32>
  %da = arith.mulf %d, %slice : tensor<256xf32>
  return %y, %da : tensor<256xf32>, tensor<256xf32>
}

// A residual addition, from a wide value that is at hand and a narrow product.

// Half the bytes, but without the option the peak is minded: see
// partition-far-joins.test.

// FAR-LABEL: func.func @residual_forward(
// FAR-SAME:    -> (tensor<64x64xf32>, tensor<64x64xbf16>)
// FAR-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>]

// REMARK: remark: [Passed] {{.*}}Partitioned
func.func @residual(%a: tensor<64x64xf32>, %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %c0 = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<64x64xbf16>
  %init = linalg.fill ins(%c0 : bf16) outs(%empty : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %a16 = arith.truncf %a : tensor<64x64xf32> to tensor<64x64xbf16>
  %p = linalg.matmul ins(%a16, %a16 : tensor<64x64xbf16>, tensor<64x64xbf16>)
      outs(%init : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %p32 = arith.extf %p : tensor<64x64xbf16> to tensor<64x64xf32>
  %sum = arith.addf %a, %p32 : tensor<64x64xf32>
  %y = math.exp %sum : tensor<64x64xf32>
  %da = arith.mulf %d, %sum : tensor<64x64xf32>
  return %y, %da : tensor<64x64xf32>, tensor<64x64xf32>
}

// NOFILE: error: cannot write the report: cannot open output file
