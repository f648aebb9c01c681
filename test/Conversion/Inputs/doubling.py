# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a function on buffers with an op that draws at an offset which its body
doubles COUNT times: as many uses of values as a number with COUNT binary digits
has ways to be read off.

    doubling.py COUNT [rows]

With "rows" the op is in a loop over rows, as rng-fuse-rows leaves them.
"""

import sys


def main():
    count = int(sys.argv[1])
    rows = "rows" in sys.argv[2:]
    shape = "1x1024" if rows else "1024"
    loops = '"parallel", "parallel"' if rows else '"parallel"'
    domain = "(i, j)" if rows else "(i)"
    maps = f"affine_map<{domain} -> (0)>, affine_map<{domain} -> {domain}>"
    print("func.func @f(%seed: i64, %from: memref<1xi64>, "
          "%y: memref<8x1024xf32>, %z: memref<1024xf32>)")
    print("    attributes {rng.device} {")
    target = "%z : memref<1024xf32>"
    if rows:
        print("  scf.forall (%r) in (8) {")
        layout = "memref<1x1024xf32, strided<[1024, 1], offset: ?>>"
        print("  %row = memref.subview %y[%r, 0] [1, 1024] [1, 1]")
        print(f"      : memref<8x1024xf32> to {layout}")
        target = f"%row : {layout}"
    print(f"  linalg.generic {{indexing_maps = [{maps}],")
    print(f"                  iterator_types = [{loops}]}}")
    print(f"      ins(%from : memref<1xi64>) outs({target}) {{")
    print("  ^bb0(%v0: i64, %out: f32):")
    for i in range(count):
        print(f"    %v{i + 1} = arith.addi %v{i}, %v{i} : i64")
    index = "%i"
    extent = "1024"
    if rows:
        index = "%r, %i"
        extent = "8, 1024"
        print("    %i = linalg.index 1 : index")
    else:
        print("    %i = linalg.index 0 : index")
    print(f"    %u = rng.stateless_uniform %seed, %v{count} slice [{index}] "
          f"of [{extent}] : f32")
    print("    linalg.yield %u : f32")
    print("  }")
    if rows:
        print("  }")
    print("  return")
    print("}")


if __name__ == "__main__":
    main()
