// Positions have 64 bits where a shape may have more than 2^32 elements, and 32
// where it is known to have fewer.
//
// RUN: rm -rf %t
// RUN: %rng_opt %s --rng-to-nvptx="chip=sm_80 dump-dir=%t" -o /dev/null
// RUN: FileCheck %s --check-prefix=HUGE < %t/huge_kernel.ptx
// RUN: FileCheck %s --check-prefix=DYNAMIC < %t/dynamic_kernel.ptx
// RUN: FileCheck %s --check-prefix=SMALL < %t/small_kernel.ptx

// The high half of the number of a block is that of a 64-bit position.
// HUGE: mov.u32 %[[BLOCK:r[0-9]+]], %ctaid.x;
// HUGE: mul.wide.u32 %[[TILE:rd[0-9]+]], %[[BLOCK]], 256;
// HUGE: or.b64 %{{rd[0-9]+}}, %[[TILE]], %
// HUGE: shr.u32 %{{r[0-9]+}}, %[[BLOCK]], 22;
// HUGE: st.global.v4
func.func @huge(%x: tensor<131072x65536xi8>, %seed: i64, %offset: i64)
    -> tensor<131072x65536xi8> {
  %bits = rng.stateless_bits %seed, %offset : tensor<131072x65536xi8>
  %y = arith.xori %x, %bits : tensor<131072x65536xi8>
  return %y : tensor<131072x65536xi8>
}

// DYNAMIC: mov.u32 %[[BLOCK:r[0-9]+]], %ctaid.x;
// DYNAMIC: shl.b64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, 12;
// DYNAMIC: or.b64
// DYNAMIC: shr.u32 %{{r[0-9]+}}, %{{r[0-9]+}}, 22;
// DYNAMIC: st.global.v4
func.func @dynamic(%x: tensor<?xi32>, %seed: i64, %offset: i64)
    -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %bits = rng.stateless_bits %seed, %offset sizes(%n) : tensor<?xi32>
  %y = arith.xori %x, %bits : tensor<?xi32>
  return %y : tensor<?xi32>
}

// SMALL: mov.u32 %{{r[0-9]+}}, %ctaid.x;
// SMALL-NOT: {{[^x]}}or.b64
// SMALL-NOT: shl.b64
// SMALL: ld.global.nc.v4
// SMALL-NOT: {{[^x]}}or.b64
// SMALL: st.global.v4
func.func @small(%x: tensor<4096x4096xi32>, %seed: i64, %offset: i64)
    -> tensor<4096x4096xi32> {
  %bits = rng.stateless_bits %seed, %offset : tensor<4096x4096xi32>
  %y = arith.xori %x, %bits : tensor<4096x4096xi32>
  return %y : tensor<4096x4096xi32>
}
