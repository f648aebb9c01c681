// RUN: %rng_opt %s -rng-thread-state=report=%t.txt -o %t.mlir
// RUN: FileCheck %s < %t.txt
// RUN: %rng_opt %s -rng-thread-state=report=- -o %t.mlir | diff %t.txt -
//
// A file that cannot be written is an error, and nothing has changed.
// RUN: not %rng_opt %s -rng-thread-state=report=%t.txt/no/file \
// RUN:   -mlir-print-ir-after-failure 2>&1 \
// RUN: | FileCheck %s --check-prefix=FAIL
// FAIL:     error: cannot write the report:
// FAIL-NOT: rng.stateless
// FAIL:     rng.uniform @g
// FAIL-NOT: rng.stateless

// CHECK:      {{^}}function  location                        generator  distribution  type           base                                                      delta{{$}}
// CHECK-NEXT: {{^}}@callee   thread-state-report.mlir:[[#]]:8   default    bits          i32            argument                                                  +0{{$}}
// CHECK-NEXT: {{^}}@table    thread-state-report.mlir:[[#]]:8   @g         uniform       tensor<4xf32>  entry                                                     +0{{$}}
// CHECK-NEXT: {{^}}@table    thread-state-report.mlir:[[#]]:8   default    bernoulli     i1             entry                                                     +0{{$}}
// CHECK-NEXT: {{^}}@table    thread-state-report.mlir:[[#]]:10  @g         normal        f32            iteration of scf.for at thread-state-report.mlir:[[#]]:3     +0{{$}}
// CHECK-NEXT: {{^}}@table    thread-state-report.mlir:[[#]]:10  @g         normal        vector<2xf64>  iteration of scf.for at thread-state-report.mlir:[[#]]:3     +1{{$}}
// CHECK-NEXT: {{^}}@table    thread-state-report.mlir:[[#]]:10  default    bits          i64            iteration of scf.forall at thread-state-report.mlir:[[#]]:3  +0{{$}}
// CHECK-NEXT: {{^}}@table    thread-state-report.mlir:[[#]]:8   @g         bits          i64            result of scf.for at thread-state-report.mlir:[[#]]:3        +0{{$}}
// CHECK-NOT:  {{.}}
rng.generator @g
func.func private @callee() {
  %0 = rng.bits : i32
  return
}
func.func @table(%p: f32, %n: index, %c1: index) {
  %0 = rng.uniform @g : tensor<4xf32>
  %1 = rng.bernoulli prob(%p) : i1
  call @callee() : () -> ()
  scf.for %i = %c1 to %n step %c1 {
    %2 = rng.normal @g : f32
    %3 = rng.normal @g : vector<2xf64>
  }
  scf.forall (%i) in (%n) {
    %4 = rng.bits : i64
  }
  %5 = rng.bits @g : i64
  return
}
