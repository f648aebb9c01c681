//===- DriverEmitter.h - Code of a test driver ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes the pieces that a generated driver is made of: test data, printed
/// lines, comparisons, and the state of all generators. Works on tensors and
/// scalars, before bufferization; the functions of the runner library are
/// declared on `tensor<*xT>`, which bufferization turns into `memref<*xT>`.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVEREMITTER_H
#define RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVEREMITTER_H

#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::rng::driver {

class DriverEmitter {
public:
  /// Appends to the body of `main`, a function of `module` without arguments.
  /// Dynamic dimensions of data get size `dynamicSize`.
  DriverEmitter(ModuleOp module, func::FuncOp main, int64_t dynamicSize);

  /// Whether values of `type` can be made, printed and compared: scalars and
  /// ranked tensors of the element types of the runner library, and index.
  static bool isSupported(Type type);

  /// Whether `type` is memory that holds a state, `memref<2xi64>`.
  static bool isStateMemory(Type type);

  /// Whether the driver may declare a function `name` of the runner library.
  static bool isReserved(StringRef name);

  /// Whether `type` is a float or a tensor of floats.
  static bool isFloat(Type type);

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// The `k`-th piece of data: floats uniform in [-magnitude, magnitude) from a
  /// stateless draw at (0x5EED + k, k), booleans that are true half of the
  /// time, integers in [0, 8). A scalar float is 1/2, a plausible probability
  /// or factor, a scalar integer 3 and an index the dynamic size.
  Value makeData(Type type, unsigned k, double magnitude);

  /// Memory with the state (0x5EED + k, k), in which nothing else draws.
  Value makeStateMemory(Type type, unsigned k);

  Value makeI64(int64_t value);
  Value makeF64(double value);

  /// x + (a * y + b * x) for tensors or scalars of one float type, and f64
  /// factors; in f64 for f64 elements and in f32 for all others, rounded once.
  Value makeStep(Value x, Value a, Value y, Value b);

  /// A tensor or scalar like `value`, all zero.
  Value makeZeroLike(Value value);

  /// Number of elements, i64.
  Value getNumElements(Value value);

  /// Number of elements whose bits differ, i64, -1 for different shapes, and
  /// largest difference, f64.
  Value countDifferent(Value a, Value b);
  Value getMaxAbsDifference(Value a, Value b);

  /// Sum of products, f64.
  Value getDot(Value a, Value b);

  SmallVector<Value> call(func::FuncOp callee, ValueRange args);

  //===--------------------------------------------------------------------===//
  // Arithmetic on i64 (or i1) and, with an F, on f64
  //===--------------------------------------------------------------------===//

  Value makeBool(bool value);
  Value makeAdd(Value x, Value y);
  Value makeSub(Value x, Value y);
  Value makeOr(Value x, Value y);
  Value makeSelect(Value condition, Value x, Value y);
  Value isZero(Value x);
  /// Unsigned, so that -1 is the largest count.
  Value isLess(Value x, Value y);
  Value makeAddF(Value x, Value y);
  Value makeSubF(Value x, Value y);
  Value makeDivF(Value x, Value y);
  Value isEqualF(Value x, Value y);
  Value isLessEqualF(Value x, Value y);

  /// |x - y| over the larger magnitude, 0 if both are 0.
  Value getRelativeError(Value x, Value y);

  //===--------------------------------------------------------------------===//
  // State of the generators
  //===--------------------------------------------------------------------===//

  /// Reads the state of the default generator, of all declared ones and of
  /// `memories`.
  void saveState(ArrayRef<Value> memories);

  /// Seeds and offsets, i64, of all that the last `saveState` read, as they are
  /// now.
  SmallVector<Value> readState();

  /// Sets all of them to what the last `saveState` read.
  void restoreState();

  //===--------------------------------------------------------------------===//
  // Output
  //===--------------------------------------------------------------------===//

  /// No newline follows.
  void print(StringRef text);
  void print(Value i64OrF64);

  /// `yes` if the i1 `condition` is true, else `no`.
  void printEither(Value condition, StringRef yes, StringRef no);

  /// "label: value", one line; tensors as `rngPrint` shows them.
  void printValue(StringRef label, Value value);

  /// Ends a line with PASS or FAILED and counts the failures.
  void finishCheck(Value passed);

  /// The verdict, and the end of the process if a check failed; then the end of
  /// `main`.
  void finish();

private:
  /// Functions of the runner library; the first has the suffix of a type.
  static constexpr llvm::StringLiteral kPrint = "rngPrint";
  static constexpr llvm::StringLiteral kExitIfFailed = "rngExitIfFailed";

  /// The value as `tensor<*xT>`.
  Value getUnranked(Value value);

  /// The value itself, or a tensor without dimensions that holds it.
  Value getTensor(Value value);

  /// Calls the runner's function `name` with the suffix of `elementType`.
  Value callRunner(StringRef name, Type elementType, ValueRange args,
                   TypeRange results);
  Value callExternal(StringRef name, ValueRange args, TypeRange results);

  /// `body` for each element of `inputs`, which have one shape.
  Value
  makeElementwise(ValueRange inputs, Type elementType,
                  function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body);
  SmallVector<Value> getDynamicSizes(Value tensor);
  /// Seed and offset of `memory`, of `generator` if that is null.
  std::pair<Value, Value> loadState(FlatSymbolRefAttr generator, Value memory);
  void storeState(Value memory, Value seed, Value offset);

  struct State {
    FlatSymbolRefAttr generator;
    /// Null for a generator.
    Value memory;
    Value seed, offset;
  };

  ModuleOp module;
  ImplicitLocOpBuilder b;
  int64_t dynamicSize;
  SmallVector<State> state;
  Value failures;
};

} // namespace mlir::rng::driver

#endif // RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVEREMITTER_H
