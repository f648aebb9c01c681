#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the golden cases of a convention and prints how many pass.

    golden.py CONVENTION [--ptx LIBRARY]

Reads the vectors beside this file, builds one program that draws every case in
every way (as a tensor, scalars, vectors at any start, vectors at starts of
blocks, tiles of a tensor), runs it on the CPU, and the tensors also through the
kernels of the GPU on the host, and compares bits. `rng-opt` and `mlir-runner`
are found on PATH, the libraries of the latter in the environment variable
RNG_RUNNER_LIBRARIES. Prints a table, a line for each type: passed/present for
each lowering; exits with 1 and the first differences if any fails. With --ptx,
the tensors are drawn by kernels in PTX instead, which LIBRARY interprets.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
from collections import defaultdict

HERE = pathlib.Path(__file__).parent
HUGE = 0x7FFFFFFFFFFFFFFF
# Element type -> suffix of the printing function, digits of an element.
PRINTERS = {"f16": ("F16", 4), "bf16": ("BF16", 4), "f32": ("F32", 8),
            "f64": ("F64", 16), "i8": ("I8", 2), "i16": ("I16", 4),
            "i32": ("I32", 8), "i64": ("I64", 16)}
WAYS = ["tensor", "scalar", "vector", "aligned", "tiled"]
LOWERINGS = WAYS + ["emulated"]
PTX = sys.argv[3] if sys.argv[2:3] == ["--ptx"] else None


class Case:
    """Elements `indices` of one draw and their bits, as hexadecimal numbers."""

    def __init__(self, algorithm, distribution, dtype, seed, offset, indices,
                 bits, lo=None, hi=None):
        self.algorithm = algorithm
        self.distribution = distribution
        self.dtype = dtype
        self.seed, self.offset = signed(seed), signed(offset)
        self.indices = indices
        self.bits = bits
        self.lo, self.hi = lo, hi

    def runs(self):
        """Stretches of neighbours: (first, count)."""
        result = []
        for i in self.indices:
            if result and result[-1][0] + result[-1][1] == i:
                result[-1][1] += 1
            else:
                result.append([i, 1])
        return result

    def key(self):
        return (self.algorithm, self.distribution, self.dtype,
                self.lo is not None)


class Advance:
    """The state after a draw of `count` elements, and what it should be."""

    def __init__(self, algorithm, distribution, dtype, count_, offset, after):
        self.algorithm = algorithm
        self.distribution = distribution
        self.dtype = dtype
        self.count = count_
        self.offset, self.after = signed(offset), signed(after)


advances = []


def signed(value):
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def number(text):
    return int(text, 16)


def count(shape):
    result = 1
    for size in shape:
        result *= size
    return result


def indices_of(case):
    return case.get("indices") or list(range(count(case["shape"])))


def range_of(case):
    """No range where it is the unit one."""
    lo, hi = case.get("lo", 0), case.get("hi", 1)
    return (None, None) if (lo, hi) == (0, 1) else (lo, hi)


def load(name):
    return json.loads((HERE / (name + ".json")).read_text())["cases"]


left_out = defaultdict(int)


def leave_out(why):
    """Counts a case that is none of the convention's."""
    left_out[why] += 1


def uniform_and_words(cases, algorithm, case, seed, offset, words=True):
    """The values of a uniform case, and its words where they are draws too."""
    indices = indices_of(case)
    lo, hi = range_of(case)
    dtype = case["dtype"]
    cases.append(Case(algorithm, "uniform", dtype, seed, offset, indices,
                      case["expected"]["bits"], lo, hi))
    if words and dtype == "f32":
        cases.append(Case(algorithm, "bits", "i32", seed, offset, indices,
                          case["expected"]["words"]))


def load_linear(name, algorithm):
    cases = []
    for case in load(name):
        if "dtype" in case:
            uniform_and_words(cases, algorithm, case, case["seed"],
                              case["offset"])
        else:
            leave_out("not a draw: " + case["op"])
    return cases


def load_torch_eager():
    cases = []
    for case in load("torch_cuda_eager"):
        threads = 256 * case["grid_blocks"]
        if "sm_count" in case:
            threads = case["sm_count"] * (case["max_threads_per_sm"] // 256)
            threads *= 256
        algorithm = ("#rng.philox<convention = #rng.torch_eager<threads = %d>>"
                     % threads)
        if not case["fma"]:
            leave_out("not fused, which CUDA is")
            continue
        # PyTorch's offset counts words.
        if case["offset"] % 4:
            leave_out("offset inside a block, which PyTorch never has")
            continue
        offset = (case["offset"] & (1 << 64) - 1) // 4
        uniform_and_words(cases, algorithm, case, case["seed"], offset)
        if "offset_increment" in case:
            advances.append(Advance(algorithm, "uniform", case["dtype"],
                                    case["numel"], offset,
                                    offset + case["offset_increment"] // 4))
    return cases


def load_triton():
    cases = []
    for case in load("triton"):
        variant = case.get("variant", "")
        if "dtype" not in case:
            continue
        if "4x64" in variant:
            leave_out("Triton before 3.4")
            continue
        if variant.startswith("int32"):
            # The same words as long as the offset does not wrap.
            if case["offset"] + max(indices_of(case)) >= 1 << 32:
                leave_out("offset of 32 bits that wraps")
                continue
        uniform_and_words(cases, "#rng.philox<convention = triton>", case,
                          case["seed"], case["offset"])
    # The first of the four words of randint4x, seven rounds too.
    for case in load("triton"):
        if case.get("op") != "randint4x":
            continue
        if case["offset_bits"] == 32 and case["offset"] >> 32:
            leave_out("offset of 32 bits that wraps")
            continue
        rounds = case["n_rounds"]
        algorithm = ("#rng.philox<convention = triton>" if rounds == 10 else
                     "#rng.philox<rounds = %d, convention = triton>" % rounds)
        expected = case["expected"]
        cases.append(Case(algorithm, "bits", "i32", case["seed"],
                          case["offset"], [0], expected["words"][:1]))
        cases.append(Case(algorithm, "uniform", "f32", case["seed"],
                          case["offset"], [0], expected["bits"][:1]))
    return cases


def load_xla():
    cases = []
    algorithm = "#rng.philox<convention = xla>"
    for case in load("xla_rng_bit_generator"):
        if case["algorithm"] != "PHILOX":
            leave_out("Threefry of XLA")
            continue
        if len(case["state"]) != 2:
            leave_out("three words of state")
            continue
        dtype = {"u8": "i8", "u32": "i32", "u64": "i64"}[case["dtype"]]
        cases.append(Case(algorithm, "bits", dtype, number(case["state"][0]),
                          number(case["state"][1]), indices_of(case),
                          case["expected"]["words"]))
        if "new_state" in case["expected"]:
            advances.append(Advance(algorithm, "bits", dtype,
                                    count(case["shape"]),
                                    number(case["state"][1]),
                                    number(case["expected"]["new_state"][1])))
    for case in load("jax_rbg"):
        uniform_and_words(cases, algorithm, case, number(case["state"][0]),
                          number(case["state"][1]))
    return cases


def load_tensorflow():
    cases = []
    for case in load("tensorflow_stateless"):
        if "seed" in case:
            uniform_and_words(cases, "#rng.philox<convention = tensorflow>",
                              case, *case["seed"])
        else:
            leave_out("key and counter, not seeds")
    return cases


def load_threefry():
    cases = []
    for case in load("jax_threefry2x32"):
        if case["layout"] != "partitionable":
            leave_out("keys that are not partitionable")
            continue
        if "dtype" not in case:
            leave_out("not a draw: " + case["op"])
            continue
        key = number(case["key"][0]) << 32 | number(case["key"][1])
        uniform_and_words(cases, "#rng.threefry", case, key, 0)
        if case["dtype"] == "f64":
            cases.append(Case("#rng.threefry", "bits", "i64", key, 0,
                              indices_of(case), case["expected"]["words"]))
    return cases


def load_reference(name):
    """What the systems' own vectors leave open: all types, ranges, integers. Of
    JAX and TensorFlow, what they yield themselves."""
    threads = "#rng.torch_eager<threads = 1024>"
    algorithm = {"nvfuser": "#rng.philox", "threefry": "#rng.threefry"}.get(
        name, "#rng.philox<convention = %s>"
        % (threads if name == "torch_eager" else name))
    return [Case(algorithm, case["distribution"], case["dtype"], case["seed"],
                 case["offset"], case["indices"], case["bits"],
                 *(range_of(case) if case["distribution"] == "uniform"
                   else (case.get("lo"), case.get("hi"))))
            for source in ("reference", "jax_executed", "tensorflow_executed")
            for case in load(source) if case["convention"] == name]


def load_linear_of_tests():
    """The algorithm in test/lib, which is simple enough to be written here."""
    factor = 0x9E3779B97F4A7C15
    algorithm = "#test_rng.linear<%d>" % factor
    mask = (1 << 64) - 1

    def word(seed, offset, position):
        return ((seed + 8 * offset + position) * factor & mask) >> 32

    cases = []
    for seed, offset, first in ((42, 0, 0), (-7, (1 << 64) - 1, 3),
                                (1 << 63, 5, 17179869181)):
        indices = list(range(first, first + 19))
        words = [word(seed, offset, i) for i in indices]
        wide = [word(seed, offset, 2 * i) | word(seed, offset, 2 * i + 1) << 32
                for i in indices]
        add = lambda distribution, dtype, bits: cases.append(Case(
            algorithm, distribution, dtype, seed, offset, indices, bits))
        add("bits", "i32", ["%08x" % w for w in words])
        add("bits", "i64", ["%016x" % w for w in wide])
        add("uniform", "f32", [struct.pack(">f", (w >> 9) / 2.0 ** 23).hex()
                               for w in words])
        add("uniform", "f64", [struct.pack(">d", (w >> 12) / 2.0 ** 52).hex()
                               for w in wide])
    for count_ in (0, 1, 8, 9, 1000):
        advances.append(Advance(algorithm, "bits", "i32", count_, 7,
                                7 + (count_ + 7) // 8))
        advances.append(Advance(algorithm, "bits", "i64", count_, 7,
                                7 + (count_ + 3) // 4))
    return cases


def load_reversed_of_tests():
    """nvFuser's words with those of each block reversed."""
    cases = []
    for case in load_linear("nvfuser", "#rng.philox"):
        if case.distribution != "bits":
            continue
        # Whole blocks only.
        bits = [case.bits[i:i + 4] for i in range(0, len(case.bits), 4)]
        if case.indices != list(range(len(case.indices))):
            continue
        bits = [word for block in bits if len(block) == 4
                for word in reversed(block)]
        if not bits:
            continue
        cases.append(Case("#rng.philox<convention = #test_rng.reversed>",
                          "bits", "i32", case.seed, case.offset,
                          case.indices[:len(bits)], bits))
    return cases


CONVENTIONS = {
    "test-linear": load_linear_of_tests,
    "test-reversed": load_reversed_of_tests,
    "nvfuser": lambda: load_linear("nvfuser", "#rng.philox"),
    "torch": lambda: load_linear("torch_stateless",
                                 "#rng.philox<convention = torch>"),
    "torch_eager": load_torch_eager,
    "triton": load_triton,
    "xla": load_xla,
    "tensorflow": load_tensorflow,
    "threefry": load_threefry,
}


# --------------------------------------------------------------- the program
def draw(kind, key, where, type_):
    """One stateless draw of a case's kind."""
    algorithm, distribution, _, has_range = key
    bounds = " range(%lo, %hi)" if has_range else ""
    attributes = []
    if algorithm != "#rng.philox":
        attributes.append("algorithm = " + algorithm)
    if kind == "aligned":
        attributes.append("aligned")
    text = " {%s}" % ", ".join(attributes) if attributes else ""
    sizes = " sizes(%s)" % where[1] if kind == "tensor" else ""
    return ("rng.stateless_%s %%seed, %%offset%s%s slice [%s] of [%d]%s : %s"
            % (distribution, bounds, sizes, where[0], HUGE, text, type_))


def bound_type(distribution, dtype):
    if distribution == "randint":
        return dtype
    return "f64" if dtype == "f64" else "f32"


def functions(number, key):
    """A function for each way to draw; each prints a line."""
    dtype = key[2]
    suffix = PRINTERS[dtype][0]
    bound = bound_type(key[1], dtype)
    signature = ("%seed: i64, %offset: i64, %first: index, %n: index"
                 + (", %%lo: %s, %%hi: %s" % (bound, bound) if key[3] else ""))
    show = """
  %any = memref.cast %used : memref<?xT, strided<[1], offset: ?>> to memref<*xT>
  call @rngPrintBitsSUFFIX(%any) : (memref<*xT>) -> ()
  return
}
"""
    head = """
func.func private @NAMEKIND(SIGNATURE) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %phase = arith.remui %first, %c8 : index
  %start = arith.subi %first, %phase : index
  %end = arith.addi %n, %phase : index
  %room = arith.addi %end, %c16 : index
  %buffer = memref.alloc(%room) : memref<?xT>
"""
    whole = """  %used = memref.subview %buffer[%c0] [%n] [1]
      : memref<?xT> to memref<?xT, strided<[1], offset: ?>>"""
    ways = {}
    ways["tensor"] = """
func.func private @NAMEvalues(SIGNATURE) -> tensor<?xT> {
  %x = TENSOR
  return %x : tensor<?xT>
}
func.func private @NAMEtensor(SIGNATURE) {
  %x = call @NAMEvalues(ARGUMENTS) : (TYPES) -> tensor<?xT>
  %used = bufferization.to_buffer %x : tensor<?xT> to memref<?xT>
  %any = memref.cast %used : memref<?xT> to memref<*xT>
  call @rngPrintBitsSUFFIX(%any) : (memref<*xT>) -> ()
  return
}
"""
    ways["scalar"] = head + """
  scf.for %i = %c0 to %n step %c1 {
    %index = arith.addi %first, %i : index
    %x = SCALAR
    memref.store %x, %buffer[%i] : memref<?xT>
  }
""" + whole + show
    ways["vector"] = head + """
  scf.for %i = %c0 to %n step %c8 {
    %index = arith.addi %first, %i : index
    %x = VECTOR
    vector.store %x, %buffer[%i] : memref<?xT>, vector<8xT>
  }
""" + whole + show
    ways["aligned"] = head + """
  scf.for %i = %c0 to %end step %c8 {
    %index = arith.addi %start, %i : index
    %x = ALIGNED
    vector.store %x, %buffer[%i] : memref<?xT>, vector<8xT>
  }
  %used = memref.subview %buffer[%phase] [%n] [1]
      : memref<?xT> to memref<?xT, strided<[1], offset: ?>>""" + show
    ways["tiled"] = head + """
  scf.for %i = %c0 to %n step %c3 {
    %index = arith.addi %first, %i : index
    %rest = arith.subi %n, %i : index
    %extent = arith.minui %rest, %c3 : index
    %x = TILE
    %tile = bufferization.to_buffer %x : tensor<?xT> to memref<?xT>
    %place = memref.subview %buffer[%i] [%extent] [1]
        : memref<?xT> to memref<?xT, strided<[1], offset: ?>>
    memref.copy %tile, %place
        : memref<?xT> to memref<?xT, strided<[1], offset: ?>>
  }
""" + whole + show
    arguments = "%seed, %offset, %first, %n" + (", %lo, %hi" if key[3] else "")
    types = "i64, i64, index, index" + (
        ", %s, %s" % (bound, bound) if key[3] else "")
    texts = []
    for kind, text in ways.items():
        text = text.replace("TENSOR", draw("tensor", key, ("%first", "%n"),
                                           "tensor<?xT>"))
        text = text.replace("SCALAR", draw("scalar", key, ("%index",), "T"))
        text = text.replace("VECTOR", draw("vector", key, ("%index",),
                                           "vector<8xT>"))
        text = text.replace("ALIGNED", draw("aligned", key, ("%index",),
                                            "vector<8xT>"))
        text = text.replace("TILE", draw("tensor", key, ("%index", "%extent"),
                                         "tensor<?xT>"))
        text = text.replace("NAME", "draw%d_" % number).replace("KIND", kind)
        text = text.replace("SIGNATURE", signature)
        text = text.replace("ARGUMENTS", arguments).replace("TYPES", types)
        texts.append(text.replace("xT", "x" + dtype).replace(" : T", " : " +
                                                             dtype)
                     .replace("SUFFIX", suffix))
    return texts


def advance_program():
    """A program that prints each state after a draw of static size, then after
    the same one of dynamic size."""
    module = ["func.func private @rngPrintBitsI64(memref<*xi64>) "
              "attributes {llvm.emit_c_interface}",
              "func.func private @size() -> index"]
    body = ["  %one = memref.alloc() : memref<1xi64>",
            "  %any = memref.cast %one : memref<1xi64> to memref<*xi64>",
            "  %c0 = arith.constant 0 : index"]
    for at, case in enumerate(advances):
        text = "by %s tensor<%sx%s>%s {algorithm = %s}"
        body += ["  %%offset%d = arith.constant %d : i64" % (at, case.offset),
                 "  %%n%d = arith.constant %d : index" % (at, case.count)]
        for way, shape, sizes in (("static", str(case.count), ""),
                                  ("dynamic", "?", "(%%n%d)" % at)):
            body += ["  %%%s%d = rng.advance %%offset%d " % (way, at, at)
                     + text % (case.distribution, shape, case.dtype, sizes,
                               case.algorithm),
                     "  memref.store %%%s%d, %%one[%%c0] : memref<1xi64>"
                     % (way, at),
                     "  call @rngPrintBitsI64(%any) : (memref<*xi64>) -> ()"]
    module[1:] = ["func.func @main() {"] + body + ["  return", "}"]
    return "\n".join(module)


def constant(value, type_):
    if type_.startswith("i"):
        return str(value)
    if type_ == "f64":
        return "0x%016X" % struct.unpack("<Q", struct.pack("<d", value))[0]
    return "0x%08X" % struct.unpack("<I", struct.pack("<f", value))[0]


def program(cases, ways):
    """The module, and (case, way, count) for each line that it prints."""
    kinds = {}
    for case in cases:
        kinds.setdefault(case.key(), len(kinds))
    module, lines = [], []
    for dtype in sorted({case.dtype for case in cases}):
        module.append("func.func private @rngPrintBits%s(memref<*x%s>) "
                      "attributes {llvm.emit_c_interface}"
                      % (PRINTERS[dtype][0], dtype))
    for key, index in kinds.items():
        for way, text in zip(WAYS, functions(index, key)):
            if way in ways:
                module.append(text)
    body = []
    for at, case in enumerate(cases):
        bound = bound_type(case.distribution, case.dtype)
        arguments = ["%%seed%d" % at, "%%offset%d" % at]
        types = ["i64", "i64", "index", "index"]
        body.append("  %%seed%d = arith.constant %d : i64" % (at, case.seed))
        body.append("  %%offset%d = arith.constant %d : i64"
                    % (at, case.offset))
        bounds = []
        if case.lo is not None:
            for name, value in (("lo", case.lo), ("hi", case.hi)):
                body.append("  %%%s%d = arith.constant %s : %s" % (
                    name, at, constant(value, bound), bound))
                bounds.append("%%%s%d" % (name, at))
            types += [bound, bound]
        for run, (first, extent) in enumerate(case.runs()):
            place = []
            for name, value in (("first", first), ("n", extent)):
                place.append("%%%s%d_%d" % (name, at, run))
                body.append("  %s = arith.constant %d : index"
                            % (place[-1], value))
            for way in ways:
                body.append("  call @draw%d_%s(%s) : (%s) -> ()" % (
                    kinds[case.key()], way,
                    ", ".join(arguments + place + bounds), ", ".join(types)))
                lines.append((at, way, extent))
    # Parts, so that no function is too large for the compiler.
    module.append("func.func @main() {")
    module += body
    module.append("  return\n}")
    return "\n".join(module), lines


def run(text, pipeline):
    tool = "rng-test-opt" if "#test_rng." in text else "rng-opt"
    lowered = subprocess.run([tool, "-", "--" + pipeline], input=text,
                             capture_output=True, text=True)
    if lowered.returncode:
        sys.exit(tool + " failed:\n" + lowered.stderr[:4000])
    libraries = os.environ["RNG_RUNNER_LIBRARIES"]
    if PTX:
        libraries += "," + PTX
    output = subprocess.run(
        ["mlir-runner", "-O1", "-e", "main", "--entry-point-result=void",
         "--shared-libs=" + libraries],
        input=lowered.stdout, capture_output=True, text=True)
    if output.returncode:
        sys.exit("mlir-runner failed:\n" + output.stderr[:4000])
    return output.stdout.splitlines()


def bits_of(cases, pipeline, ways):
    """(case, way) -> list of bits."""
    text, lines = program(cases, ways)
    result = defaultdict(list)
    output = run(text, pipeline)
    if len(output) != len(lines):
        sys.exit("expected %d lines but got %d" % (len(lines), len(output)))
    for (case, way, extent), line in zip(lines, output):
        values = line.split()
        if len(values) != extent:
            sys.exit("expected %d elements but got %d" % (extent, len(values)))
        result[case, way] += values
    return result


def main():
    name = sys.argv[1]
    cases = CONVENTIONS[name]() + load_reference(name)
    results = {}
    if PTX:
        lowerings = ["ptx"]
        for (case, _), bits in bits_of(cases, "rng-to-nvptx",
                                       ["tensor"]).items():
            results[case, "ptx"] = bits
    else:
        lowerings = LOWERINGS
        for (case, way), bits in bits_of(cases, "rng-to-cpu", WAYS).items():
            results[case, way] = bits
        for (case, _), bits in bits_of(cases, "rng-to-emulated-gpu",
                                       ["tensor"]).items():
            results[case, "emulated"] = bits

    table = defaultdict(lambda: [0, 0])
    failures = []
    for at, case in enumerate(cases):
        for lowering in lowerings:
            cell = table[case.distribution + " " + case.dtype, lowering]
            cell[1] += 1
            if results[at, lowering] == case.bits:
                cell[0] += 1
            else:
                failures.append((case, lowering, results[at, lowering]))
    wrong_advances = []
    if advances and not PTX:
        states = [number(line) for line in run(advance_program(),
                                               "rng-to-cpu")]
        for at, case in enumerate(advances):
            after = case.after & (1 << 64) - 1
            if states[2 * at:2 * at + 2] != [after, after]:
                wrong_advances.append((case, states[2 * at:2 * at + 2]))
    print("%-12s %-13s" % ("convention", "draw")
          + "".join("%10s" % lowering for lowering in lowerings))
    for row in sorted({row for row, _ in table}):
        print("%-12s %-13s" % (name, row) + "".join(
            "%10s" % ("%d/%d" % tuple(table[row, lowering]))
            for lowering in lowerings))
    if advances and not PTX:
        print("%-12s %-13s%10s" % (name, "advance", "%d/%d" % (
            len(advances) - len(wrong_advances), len(advances))))
    for why, number_of in sorted(left_out.items()):
        print("%-12s left out %d: %s" % (name, number_of, why))
    for case, lowering, bits in failures[:10]:
        print("%s, %s of %s %s, seed %d, offset %d, elements %s..., range %s: "
              "expected %s but got %s"
              % (lowering, case.distribution, case.dtype, case.algorithm,
                 case.seed, case.offset, case.indices[:4], (case.lo, case.hi),
                 case.bits[:8], bits[:8]))
    for case, states in wrong_advances[:10]:
        print("advance by %d of %s %s: expected %#x but got %s" % (
            case.count, case.dtype, case.algorithm,
            case.after & (1 << 64) - 1, list(map(hex, states))))
    if failures or wrong_advances:
        sys.exit(1)


if __name__ == "__main__":
    main()
