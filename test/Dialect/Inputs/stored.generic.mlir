// Every op and attribute in the generic form, as the first release wrote it. Of
// programs that users have stored: a release must read both this and
// stored.mlirbc, which is the same in bytecode.
"builtin.module"() ({
  "rng.generator"() <{sym_name = "plain"}> : () -> ()
  "rng.generator"() <{algorithm = #rng.philox, seed = 7 : i64, sym_name = "g"}> : () -> ()
  "rng.generator"() <{algorithm = #rng.philox<rounds = 7>, sym_name = "seven"}> : () -> ()
  "func.func"() <{function_type = (memref<2xi64>, index) -> (), sym_name = "state"}> ({
  ^bb0(%arg20: memref<2xi64>, %arg21: index):
    %27:2 = "rng.get_state"() : () -> (i64, i64)
    %28:2 = "rng.get_state"() <{generator = @g}> : () -> (i64, i64)
    "rng.set_state"(%27#0, %27#1) : (i64, i64) -> ()
    "rng.set_state"(%27#0, %27#1) <{generator = @g}> : (i64, i64) -> ()
    %29:2 = "rng.reserve"(%27#1) : (i64) -> (i64, i64)
    %30:2 = "rng.reserve"(%27#1) <{generator = @g}> : (i64) -> (i64, i64)
    %31 = "rng.reserve_memory"(%arg20, %27#1) : (memref<2xi64>, i64) -> tensor<2xi64>
    %32 = "rng.advance"(%27#1, %arg21) <{distribution = 1 : i32, drawType = tensor<?x8xf32>}> : (i64, index) -> i64
    %33 = "rng.advance"(%27#1) <{algorithm = #rng.philox<rounds = 7>, distribution = 0 : i32, drawType = i64}> : (i64) -> i64
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, f32, i32, index) -> (), sym_name = "stateful"}> ({
  ^bb0(%arg16: f32, %arg17: f32, %arg18: i32, %arg19: index):
    %20 = "rng.uniform"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> f32
    %21 = "rng.uniform"(%arg16, %arg17, %arg19) <{generator = @g, operandSegmentSizes = array<i32: 2, 1>}> : (f32, f32, index) -> tensor<?x8xbf16>
    %22 = "rng.normal"(%arg16, %arg17) <{operandSegmentSizes = array<i32: 2, 0>}> {some.note} : (f32, f32) -> vector<4xf16>
    %23 = "rng.normal"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> tensor<f64>
    %24 = "rng.bernoulli"(%arg16) <{operandSegmentSizes = array<i32: 1, 0>}> : (f32) -> tensor<0x3xi1>
    %25 = "rng.randint"(%arg18, %arg18, %arg19, %arg19) <{generator = @g, operandSegmentSizes = array<i32: 2, 2>}> : (i32, i32, index, index) -> tensor<?x?xi32>
    %26 = "rng.bits"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> vector<2x4xi64>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i64, i64, tensor<2xi64>, f32, index) -> (), sym_name = "stateless"}> ({
  ^bb0(%arg11: i64, %arg12: i64, %arg13: tensor<2xi64>, %arg14: f32, %arg15: index):
    %9 = "rng.stateless_uniform"(%arg11, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (i64, i64) -> f32
    %10 = "rng.stateless_uniform"(%arg11, %arg12, %arg14, %arg14, %arg15, %arg15) <{operandSegmentSizes = array<i32: 1, 1, 2, 0, 1, 1>, staticSliceOffsets = array<i64: -9223372036854775808, 0>, staticSliceSizes = array<i64: -9223372036854775808, 8>}> : (i64, i64, f32, f32, index, index) -> tensor<32x8xf32>
    %11 = "rng.stateless_bernoulli"(%arg13, %arg12, %arg14, %arg15, %arg15, %arg15) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>, staticSliceOffsets = array<i64: 0, 2, -9223372036854775808>, staticSliceSizes = array<i64: 4, 4, -9223372036854775808>}> : (tensor<2xi64>, i64, f32, index, index, index) -> tensor<2x?xi1>
    %12 = "rng.stateless_bits"(%arg11, %arg12, %arg15) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 0>, staticSliceOffsets = array<i64: -9223372036854775808, 3>, staticSliceSizes = array<i64: 8, 8>}> : (i64, i64, index) -> i8
    %13 = "rng.stateless_bits"(%arg11, %arg12) <{algorithm = #rng.philox, aligned, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (i64, i64) -> vector<4xi32>
    %14 = "rng.stateless_normal"(%arg11, %arg12) <{algorithm = #rng.philox<rounds = 7>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (i64, i64) -> tensor<4xf32>
    %15 = "arith.constant"() <{value = 3 : i16}> : () -> i16
    %16 = "rng.stateless_randint"(%arg11, %arg12, %15, %15) <{operandSegmentSizes = array<i32: 1, 1, 2, 0, 0, 0>}> : (i64, i64, i16, i16) -> i16
    %17 = "rng.stateless_truncated_normal"(%arg11, %arg12, %arg14, %arg14) <{algorithm = #rng.threefry, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0, 0>}> : (i64, i64, f32, f32) -> tensor<4xbf16>
    %18 = "rng.stateless_exponential"(%arg11, %arg12, %arg14) <{algorithm = #rng.philox<convention = #rng.torch_eager<threads = 256>>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (i64, i64, f32) -> f16
    %19 = "rng.stateless_exponential"(%arg11, %arg12) <{algorithm = #rng.philox<rounds = 7, convention = #rng.xla>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> : (i64, i64) -> f64
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i64, i64) -> (i64, i64, i64, i64), sym_name = "keys"}> ({
  ^bb0(%arg9: i64, %arg10: i64):
    %7 = "rng.fold_in"(%arg9, %arg10) {some.note} : (i64, i64) -> i64
    %8:3 = "rng.split"(%arg9) : (i64) -> (i64, i64, i64)
    "func.return"(%7, %8#0, %8#1, %8#2) : (i64, i64, i64, i64) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{rng.persistent}, {rng.cotangent}], function_type = (f32, f32) -> (f32, f32), res_attrs = [{rng.gradient}, {}], sym_name = "joint"}> ({
  ^bb0(%arg7: f32, %arg8: f32):
    %6 = "arith.addf"(%arg7, %arg8) <{fastmath = #arith.fastmath<none>}> {rng.save} : (f32, f32) -> f32
    "func.return"(%6, %6) : (f32, f32) -> ()
  }) {rng.backward = @joint, rng.saved = [#rng.saved<argument 0>, #rng.saved<result 0>, #rng.saved<new 1>]} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "external", sym_visibility = "private"}> ({
  }) {rng.draws = [@g]} : () -> ()
  "builtin.module"() ({
  ^bb0:
  }) {rng.default_algorithm = #rng.philox<rounds = 7>} : () -> ()
  "rng.generator"() <{algorithm = #rng.philox<convention = #rng.torch>, sym_name = "torch"}> : () -> ()
  "rng.generator"() <{algorithm = #rng.philox<convention = #rng.triton>, sym_name = "triton"}> : () -> ()
  "rng.generator"() <{algorithm = #rng.philox<convention = #rng.tensorflow>, sym_name = "tensorflow"}> : () -> ()
  "rng.generator"() <{algorithm = #rng.philox<convention = #rng.torch_eager<threads = 270336>>, sym_name = "eager"}> : () -> ()
  "func.func"() <{arg_attrs = [{rng.persistent}, {rng.state = @torch}, {rng.cotangent}], function_type = (tensor<8xf32>, i64, tensor<8xf32>) -> tensor<8xf32>, res_attrs = [{rng.gradient}], sym_name = "marks"}> ({
  ^bb0(%arg4: tensor<8xf32>, %arg5: i64, %arg6: tensor<8xf32>):
    %3 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %4 = "rng.stateless_uniform"(%arg5, %3) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}> {rng.in_backward} : (i64, i64) -> tensor<8xf32>
    %5 = "arith.mulf"(%arg6, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    "func.return"(%5) : (tensor<8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (f32, f32, f64, index) -> (tensor<4xbf16>, tensor<?xf64>, vector<4xf32>), sym_name = "others"}> ({
  ^bb0(%arg0: f32, %arg1: f32, %arg2: f64, %arg3: index):
    %0 = "rng.truncated_normal"(%arg0, %arg1) <{generator = @g, operandSegmentSizes = array<i32: 2, 0>}> : (f32, f32) -> tensor<4xbf16>
    %1 = "rng.exponential"(%arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1>}> : (f64, index) -> tensor<?xf64>
    %2 = "rng.exponential"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> vector<4xf32>
    "func.return"(%0, %1, %2) : (tensor<4xbf16>, tensor<?xf64>, vector<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

