// RUN: %rng_opt %s --rng-partition="report=%t.txt dot=%t.dot" -o %t.mlir
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.txt
// RUN: FileCheck %s --check-prefix=DOT --input-file=%t.dot
// RUN: %rng_opt %s --rng-partition="report=%t.json dot=-" -o %t.mlir \
// RUN:   | diff %t.dot -
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: %python %S/Inputs/check-report.py %t.json \
// RUN:   | FileCheck %s --check-prefix=SUMS
// RUN: not %rng_opt %s --rng-partition="dot=%t.none/cut.dot" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOFILE

// NOFILE: error: cannot write the drawing: cannot open output file

// 4096 bytes each: a, d, and in the backward t, e and da. At the product t, a, d
// and t are live; then d is dead, and at the exponential a, t and e are; then da
// takes the place of e. With e saved instead it is e, d and t: t cannot take the
// place of d, which is the caller's. The view, the constant and w, which is
// persistent, take nothing.

// TEXT:      @peak_forward saves for @peak_backward:
// TEXT-NEXT:   value       type              bytes           from
// TEXT-NEXT:   argument 0  tensor<1024xf32>   4096  4.0 KiB  at partition-report.mlir:[[#]]:[[#]]
// TEXT-NEXT:   argument 1  tensor<1024xf32>   4096  4.0 KiB  at partition-report.mlir:[[#]]:[[#]] (persistent: free)
// TEXT-NEXT:   saved                            4096 bytes (4.0 KiB, 100.0 % of all that is used)
// TEXT-NEXT:   if all that is used were saved   4096 bytes
// TEXT-NEXT:     of it masks                       0 bytes
// TEXT-NEXT:   persistent, not counted          4096 bytes
// TEXT-NEXT:   peak of the backward            12288 bytes
// TEXT-NEXT:   if all that is used were saved  12288 bytes
// TEXT-NEXT:   ops recomputed                      1
// TEXT-NEXT:   cost of recomputing              8192 units
// TEXT-NEXT:   cost of the cut                532480 units
// TEXT-NEXT: @peak_backward recomputes:
// TEXT-NEXT:   op        cost  from
// TEXT-NEXT:   math.exp  8192  at partition-report.mlir:[[#]]:[[#]]
// TEXT-NEXT: @quo"ted&lt;\_forward saves

// JSON:      "functions": [
// JSON:        "forward": "peak_forward",
// JSON-NEXT:   "backward": "peak_backward",
// JSON-NEXT:   "saved": [
// JSON-NEXT:     {
// JSON-NEXT:       "kind": "argument",
// JSON-NEXT:       "index": 0,
// JSON-NEXT:       "type": "tensor<1024xf32>",
// JSON-NEXT:       "bytes": 4096,
// JSON-NEXT:       "persistent": false,
// JSON-NEXT:       "mask": false,
// JSON-NEXT:       "op": "",
// JSON-NEXT:       "location": "partition-report.mlir:[[#]]:[[#]]"
// JSON-NEXT:     },
// JSON:            "persistent": true,
// JSON:        "recomputed": [
// JSON-NEXT:     {
// JSON-NEXT:       "op": "math.exp",
// JSON-NEXT:       "location": "partition-report.mlir:[[#]]:[[#]]",
// JSON-NEXT:       "cost": 8192,
// JSON-NEXT:       "within": ""
// JSON-NEXT:     }
// JSON-NEXT:   ],
// JSON-NEXT:   "savedBytes": 4096,
// JSON-NEXT:   "persistentBytes": 4096,
// JSON-NEXT:   "everythingBytes": 4096,
// JSON-NEXT:   "everythingMaskBytes": 0,
// JSON-NEXT:   "peakBytes": 12288,
// JSON-NEXT:   "everythingPeakBytes": 12288,
// JSON-NEXT:   "recomputeCost": 8192,
// JSON-NEXT:   "everythingRecomputeCost": 0,
// JSON-NEXT:   "objective": 532480
// SUMS: peak_forward: peak 12288 of 12288: fine

// The constant is not drawn. What crosses is drawn once and says its bytes.

// DOT:      digraph "peak" {
// DOT:        subgraph cluster_forward {
// DOT-NEXT:     label="forward: @peak_forward";
// DOT-NEXT:     fa0 [label="argument 0\n1024xf32", shape=box, style=filled, fillcolor=lightblue];
// DOT-NEXT:     fa1 [label="argument 1, persistent\n1024xf32", shape=box, style=filled, fillcolor=lightblue];
// DOT-NEXT:     f[[EXP:[0-9]+]] [label="math.exp\n1024xf32", tooltip="partition-report.mlir:[[#]]:[[#]]"];
// DOT-NEXT:     fa0 -> f[[EXP]];
// DOT-NEXT:     f[[VIEW:[0-9]+]] [label="tensor.expand_shape\n4x256xf32"
// DOT-NEXT:     f[[EXP]] -> f[[VIEW]];
// DOT-NEXT:     f[[SUM:[0-9]+]] [label="arith.addf\n4x256xf32"
// DOT-NEXT:     f[[VIEW]] -> f[[SUM]];
// DOT-NEXT:     fr0 [label="result 0\n4x256xf32", shape=box];
// DOT-NEXT:     f[[SUM]] -> fr0;
// DOT-NEXT:   }
// DOT-NEXT:   subgraph cluster_backward {
// DOT-NEXT:     label="backward: @peak_backward";
// DOT-NEXT:     ba0 [label="saved 0\n1024xf32", shape=box, style=filled, fillcolor=lightblue];
// DOT-NEXT:     ba1 [label="saved 1, persistent\n1024xf32", shape=box, style=filled, fillcolor=lightblue];
// DOT-NEXT:     ba2 [label="cotangent 2\n1024xf32", shape=box];
// DOT-NEXT:     b[[T:[0-9]+]] [label="arith.mulf\n1024xf32"
// DOT-NEXT:     ba1 -> b[[T]];
// DOT-NEXT:     ba2 -> b[[T]];
// DOT-NEXT:     b[[EXP]] [label="math.exp\n1024xf32", style=dashed, tooltip=
// DOT-NEXT:     ba0 -> b[[EXP]];
// DOT:          br0 [label="gradient 0\n1024xf32", shape=box];
// DOT:        }
// DOT-NEXT:   fa0 -> ba0 [style=bold, label="4096 bytes"];
// DOT-NEXT:   fa1 -> ba1 [style=bold, label="4096 bytes"];
// DOT-NEXT: }
func.func @peak(%a: tensor<1024xf32>, %w: tensor<1024xf32> {rng.persistent},
                %d: tensor<1024xf32> {rng.cotangent})
    -> (tensor<4x256xf32>, tensor<1024xf32> {rng.gradient}) {
  %one = arith.constant dense<1.0> : tensor<4x256xf32>
  %e = math.exp %a : tensor<1024xf32>
  %view = tensor.expand_shape %e [[0, 1]] output_shape [4, 256]
      : tensor<1024xf32> into tensor<4x256xf32>
  %y = arith.addf %view, %one : tensor<4x256xf32>
  %t = arith.mulf %w, %d : tensor<1024xf32>
  %da = arith.mulf %t, %e : tensor<1024xf32>
  return %y, %da : tensor<4x256xf32>, tensor<1024xf32>
}

// Names are the user's and may hold anything. New results and primal results
// are saved too.

// DOT:      digraph "quo\"ted&amp;lt;\\" {
// DOT:        fr0 [label="result 0\n16xf32", shape=box, style=filled, fillcolor=lightblue];
// DOT:        fr1 [label="new 1\n16xi1", shape=box, style=filled, fillcolor=lightblue];
// DOT-NEXT:   f[[#]] -> fr1;
// DOT:      fr0 -> ba{{[0-9]+}} [style=bold, label="64 bytes"];
// DOT-NEXT: fr1 -> ba{{[0-9]+}} [style=bold, label="16 bytes"];
// JSON:     "forward": "quo\"ted&lt;\\_forward",
// JSON:       "kind": "result",
// JSON:       "kind": "new",
// JSON:       "mask": true,
// JSON:     "recomputed": [],
func.func @"quo\"ted&lt;\\"(%a: tensor<16x16xf32>, %b: tensor<16xf32>,
                            %d: tensor<16xf32> {rng.cotangent})
    -> (tensor<16xf32>, tensor<16xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %z = linalg.matvec ins(%a, %b : tensor<16x16xf32>, tensor<16xf32>)
      outs(%zero : tensor<16xf32>) -> tensor<16xf32>
  %e = math.exp %z : tensor<16xf32>
  %positive = arith.cmpf ogt, %z, %zero : tensor<16xf32>
  %masked = arith.select %positive, %d, %zero
      : tensor<16xi1>, tensor<16xf32>
  %da = arith.mulf %masked, %e : tensor<16xf32>
  return %e, %da : tensor<16xf32>, tensor<16xf32>
}
