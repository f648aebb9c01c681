# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ladders.py KIND STEPS: a program in which each of STEPS steps uses what the
one before made twice, so that 2^STEPS ways lead from the last one to the first.
Whoever follows them all never ends."""
import sys

TENSOR = "tensor<64xf32>"

# Two uses of %{0}, of type {1}, that nothing simplifies.
FLOATS = [
    "%{2} = arith.mulf %{0}, %{0} : {1}",
    "%{2}c = arith.cmpf olt, %{0}, %{0}b : {3}\n"
    "    %{2} = arith.select %{2}c, %{0}, %{0}b : {4}",
    "%{2} = arith.maximumf %{0}, %{0}b : {1}",
    "%{2}m = math.absf %{0} : {1}\n    %{2} = arith.addf %{2}m, %{0} : {1}",
    "%{2} = arith.minimumf %{0}, %{0}b : {1}",
    "%{2} = math.fma %{0}, %{0}b, %{0} : {1}",
]


def floats(first, kind, steps):
    """A ladder of values of type `kind` from %{first}; the last one's name."""
    mask = kind.replace("f32", "i1")
    select = kind if kind == "f32" else mask + ", " + kind
    lines, last = ["%%%sb = arith.negf %%%s : %s" % (first, first, kind)], first
    for step in range(steps):
        name = "v%d" % step
        lines.append(FLOATS[step % len(FLOATS)].format(last, kind, name, kind,
                                                       select))
        lines.append("%%%sb = arith.subf %%%s, %%%sb : %s"
                     % (name, name, last, kind))
        last = name
    return lines, last


def splats(steps):
    """What all elements of a draw share."""
    lines, last = floats("s", TENSOR, steps)
    return (["%s = tensor.splat %x : " + TENSOR] + lines +
            ["%%r = arith.addf %%%s, %%u : %s" % (last, TENSOR)])


def draws(steps):
    """What each element of a draw becomes."""
    lines, last = floats("u", TENSOR, steps)
    return lines + ["%%r = arith.negf %%%s : %s" % (last, TENSOR)]


def bounds(steps):
    """The bounds of a draw."""
    lines, last = floats("x", "f32", steps)
    return lines + ["%%r = rng.stateless_uniform %%key, %%offset "
                    "range(%%%s, %%%sb) : %s" % (last, last, TENSOR)]


def states(steps):
    """The offset of a draw, and a generator that is set to it."""
    lines, last = [], "offset"
    for step in range(steps):
        lines.append("%%o%d = arith.%s %%%s, %%%s : i64"
                     % (step, ["muli", "addi"][step % 2], last, last))
        last = "o%d" % step
    return lines + ["rng.set_state %%key, %%%s : i64, i64" % last,
                    "%w = rng.uniform : " + TENSOR,
                    "%%a = rng.advance %%%s by uniform %s" % (last, TENSOR),
                    "%%v = rng.stateless_uniform %%seed, %%a : %s" % TENSOR,
                    "%%r = arith.addf %%v, %%w : %s" % TENSOR]


def sizes(steps):
    """The size of a draw, and how often a loop draws."""
    lines, last = [], "n"
    for step in range(steps):
        lines.append("%%n%d = arith.%s %%%s, %%%s : index"
                     % (step, ["addi", "muli"][step % 2], last, last))
        last = "n%d" % step
    return lines + [
        "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
        "%%r = scf.for %%i = %%c0 to %%%s step %%c1 iter_args(%%a = %%u) "
        "-> (%s) {" % (last, TENSOR),
        "  %%w = rng.uniform sizes(%%%s) : tensor<?xf32>" % last,
        "  %e = tensor.extract %w[%c0] : tensor<?xf32>",
        "  %t = tensor.splat %e : " + TENSOR,
        "  %b = arith.addf %a, %t : " + TENSOR,
        "  scf.yield %b : " + TENSOR, "}"]


def shapes(steps):
    """Tensors whose sizes are those of two others."""
    lines = ["%c0 = arith.constant 0 : index",
             "%t0 = rng.stateless_uniform %key, %offset sizes(%n, %n) : "
             "tensor<?x?xf32>",
             "%c1 = arith.constant 1 : index"]
    for step in range(steps):
        old, new = "t%d" % step, "t%d" % (step + 1)
        lines += [
            "%%%sd = tensor.dim %%%s, %%c0 : tensor<?x?xf32>" % (new, old),
            "%%%sf = tensor.dim %%%s, %%c1 : tensor<?x?xf32>" % (new, old),
            "%%%se = tensor.empty(%%%sf, %%%sd) : tensor<?x?xf32>"
            % (new, new, new),
            "%%%s = linalg.generic {indexing_maps = [#id, #swap, #id], "
            'iterator_types = ["parallel", "parallel"]} ins(%%%s, %%%s : '
            "tensor<?x?xf32>, tensor<?x?xf32>) outs(%%%se : "
            "tensor<?x?xf32>) {" % (new, old, old, new),
            "^bb0(%a: f32, %b: f32, %c: f32):",
            "  %d = arith.subf %a, %b : f32", "  linalg.yield %d : f32",
            "} -> tensor<?x?xf32>"]
    return lines + [
        "%%e = tensor.extract %%t%d[%%c0, %%c1] : tensor<?x?xf32>" % steps,
        "%t = tensor.splat %e : " + TENSOR,
        "%r = arith.addf %t, %u : " + TENSOR]


def places(steps):
    """Indices of an element by affine maps."""
    lines, last = ["%c3 = arith.constant 3 : index"], "n"
    for step in range(steps):
        lines.append("%%a%d = affine.apply affine_map<(a, b) -> (a * 3 + b)>"
                     "(%%%s, %%%s)" % (step, last, last))
        last = "a%d" % step
    return lines + [
        "%%e = rng.stateless_uniform %%key, %%offset slice [%%%s] of [%%n] "
        ": f32" % last, "%t = tensor.splat %e : " + TENSOR,
        "%r = arith.addf %t, %u : " + TENSOR]


def buffers(steps):
    """Which of two buffers the threads of a kernel use behind a barrier."""
    lines = ["%c1 = arith.constant 1 : index", "%c64 = arith.constant 64 : index",
             "gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, "
             "%gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, "
             "%sz = %c1) {"]
    left, right = "p", "q"
    for step in range(steps):
        lines += ["%%k%d = arith.constant %d : index" % (step, step),
                  "%%d%d = arith.cmpi ult, %%tx, %%k%d : index" % (step, step)]
        for name, first, second in ("l", left, right), ("r", right, left):
            lines.append("%%%s%d = arith.select %%d%d, %%%s, %%%s : "
                         "memref<64xf32>" % (name, step, step, first, second))
        left, right = "l%d" % step, "r%d" % step
    return lines + ["gpu.barrier",
                    "%%e = memref.load %%%s[%%tx] : memref<64xf32>" % left,
                    "memref.store %%e, %%%s[%%tx] : memref<64xf32>" % right,
                    "gpu.terminator", "}"]


KINDS = {kind.__name__: kind for kind in (splats, draws, bounds, states, sizes,
                                          shapes, places, buffers)}
kind, steps = sys.argv[1], int(sys.argv[2])
print("#id = affine_map<(i, j) -> (i, j)>\n#swap = affine_map<(i, j) -> (j, i)>")
if kind == "buffers":
    print("func.func @ladder(%p: memref<64xf32>, %q: memref<64xf32>, "
          "%n: index) {")
    print("\n".join("  " + line for line in buffers(steps)))
    print("  return\n}")
else:
    print("func.func @ladder(%%seed: i64, %%key: i64, %%offset: i64, %%x: f32, "
          "%%n: index) -> %s {" % TENSOR)
    print("  %%u = rng.stateless_normal %%seed, %%offset : %s" % TENSOR)
    print("\n".join("  " + line for line in KINDS[kind](steps)))
    print("  return %%r : %s\n}" % TENSOR)
