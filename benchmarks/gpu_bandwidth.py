#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures kernels on a GPU against the bandwidth of its memory.

    benchmarks/gpu_bandwidth.py [--output FILE]

Builds the project if need be (or takes --build), then prints a table in
Markdown: dropout, its backward, dropout + bias + residual + GELU and its
backward, in f32 and bf16, on 2^26 to 2^28 elements. For each: the time of

  ours     the kernel that rng-to-nvptx makes of benchmarks/kernels,
  by hand  the one in benchmarks/cuda, if there is an nvcc,
  PyTorch  the same by torch.nn.functional, if there is a PyTorch,

and the bandwidth of the bytes that must move (each input read and the output
written once) as a fraction of that of a copy in device memory.

A time is that of one launch: the median of 5 runs of --launches launches
between two events, after 3 launches to warm up. So it is without allocation,
and the same for all columns. Kernels are machine code where there is a ptxas,
else PTX that the driver compiles.
"""

import argparse
import ctypes
import datetime
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BYTES = {"f32": 4, "bf16": 2}
# One, in each type of element, as a word (two of bf16).
ONES = {"f32": 0x3F800000, "bf16": 0x3F803F80}
KEEP = 0.9
COLUMNS = 1024


class Kernel:
    """What is measured: `inputs` buffers are read and one is written."""

    def __init__(self, name, program, source, inputs, bias, hand_block):
        self.name = name
        # In benchmarks/kernels, {} is the type of element.
        self.program = program
        # In benchmarks/cuda.
        self.source = source
        self.inputs = inputs
        self.bias = bias
        # Elements that a block of 256 threads does, by hand.
        self.hand_block = hand_block

    def bytes(self, kind, count):
        return (self.inputs + 1) * count * BYTES[kind]


KERNELS = [
    Kernel("dropout_forward", "dropout.mlir", "dropout.cu", 1, False,
           {"f32": 4096, "bf16": 4096}),
    Kernel("dropout_backward", "dropout.mlir", "dropout.cu", 1, False,
           {"f32": 4096, "bf16": 4096}),
    Kernel("bias_gelu_dropout_forward", "bias_gelu_dropout_{}.mlir",
           "bias_gelu_dropout.cu", 2, True, {"f32": 2048, "bf16": 4096}),
    Kernel("bias_gelu_dropout_backward", "bias_gelu_dropout_{}.mlir",
           "bias_gelu_dropout.cu", 2, True, {"f32": 2048, "bf16": 4096}),
]


def fail(message):
    sys.exit("error: " + message)


# ===----------------------------------------------------------------------===//
# The CUDA driver
# ===----------------------------------------------------------------------===//


class Cuda:
    """The functions of the driver that this script calls, on device 0."""

    def __init__(self):
        names = [os.environ.get("RNG_CUDA_DRIVER")] if os.environ.get(
            "RNG_CUDA_DRIVER") else ["libcuda.so.1", "libcuda.so"]
        for name in names:
            try:
                self.library = ctypes.CDLL(name)
                break
            except OSError as error:
                reason = error
        else:
            fail("no CUDA driver: %s; a GPU is needed" % reason)
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, device)
        self.name = name.value.decode()
        self.chip = "sm_%d%d" % tuple(
            self.number("cuDeviceGetAttribute", ctypes.c_int, attribute, device)
            for attribute in (75, 76))
        version = self.number("cuDriverGetVersion", ctypes.c_int)
        self.version = "%d.%d" % (version // 1000, version % 1000 // 10)
        self.memory = self.number("cuDeviceTotalMem_v2", ctypes.c_size_t, device)
        context = ctypes.c_void_p()
        self.device = device
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxPushCurrent_v2", context)
        self.events = [self.number("cuEventCreate", ctypes.c_void_p, 0)
                       for _ in range(2)]

    def close(self):
        for event in self.events:
            self.call("cuEventDestroy_v2", ctypes.c_void_p(event))
        self.call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
        self.call("cuDevicePrimaryCtxRelease_v2", self.device)

    def call(self, name, *arguments):
        result = getattr(self.library, name)(*arguments)
        if result == 0:
            return
        text = []
        for function in ("cuGetErrorName", "cuGetErrorString"):
            value = ctypes.c_char_p()
            getattr(self.library, function)(result, ctypes.byref(value))
            text.append((value.value or b"?").decode())
        fail("%s failed: %s: %s" % (name, *text))

    def number(self, name, kind, *arguments):
        value = kind()
        self.call(name, ctypes.byref(value), *arguments)
        return value.value

    def allocate(self, size):
        return ctypes.c_uint64(self.number("cuMemAlloc_v2", ctypes.c_uint64,
                                           ctypes.c_size_t(size)))

    def free(self, pointer):
        self.call("cuMemFree_v2", pointer)

    def fill(self, pointer, word, size):
        self.call("cuMemsetD32Async", pointer, ctypes.c_uint(word),
                  ctypes.c_size_t(size // 4), None)

    def copy(self, to, source, size):
        self.call("cuMemcpyAsync", to, source, ctypes.c_size_t(size), None)

    def read(self, pointer, size):
        data = ctypes.create_string_buffer(size)
        self.copy(ctypes.c_uint64(ctypes.addressof(data)), pointer, size)
        self.call("cuStreamSynchronize", None)
        return data.raw

    def time(self, launch, launches):
        """The time of one `launch` in ms."""
        start, end = map(ctypes.c_void_p, self.events)
        for _ in range(3):
            launch()
        times = []
        for _ in range(5):
            self.call("cuEventRecord", start, None)
            for _ in range(launches):
                launch()
            self.call("cuEventRecord", end, None)
            self.call("cuEventSynchronize", end)
            times.append(self.number("cuEventElapsedTime", ctypes.c_float,
                                     start, end) / launches)
        return sorted(times)[2]


def measure_copy(cuda, size, launches):
    source, target = cuda.allocate(size), cuda.allocate(size)
    cuda.fill(source, ONES["f32"], size)
    time = cuda.time(lambda: cuda.copy(target, source, size), launches)
    cuda.free(source)
    cuda.free(target)
    return time


# ===----------------------------------------------------------------------===//
# Ours
# ===----------------------------------------------------------------------===//


def make_program(kernel, kind, count):
    """The program of benchmarks/kernels with a main that calls `kernel`."""
    file = ROOT / "benchmarks" / "kernels" / kernel.program.format(kind)
    text = re.sub(r"^!element = \w+", "!element = " + kind, file.read_text(),
                  flags=re.M)
    match = re.search(r"func\.func @%s\((.*?)\)\s*->\s*(.*?)\s*\{" % kernel.name,
                      text, flags=re.S)
    arguments = re.findall(r"(%\w+)\s*:\s*([^,]+?)\s*(?:,|$)", match[1])
    rows = count if not kernel.bias else count // COLUMNS
    body = ["%%rows = arith.constant %d : index" % rows,
            "%lo = arith.constant -1.0 : f32",
            "%hi = arith.constant 1.0 : f32",
            "%key = arith.constant 7 : i64"]
    for i, (name, kind_of_argument) in enumerate(arguments):
        if kind_of_argument.startswith("tensor"):
            sizes = " sizes(%rows)" if "?" in kind_of_argument else ""
            body.append("%%at%d = arith.constant %d : i64" % (i, i))
            body.append("%%a%d = rng.stateless_uniform %%key, %%at%d "
                        "range(%%lo, %%hi)%s : %s" % (i, i, sizes,
                                                      kind_of_argument))
        else:
            value = {"%seed": "1234", "%offset": "5", "%p": KEEP,
                     "%scale": 1 / KEEP}[name]
            body.append("%%a%d = arith.constant %s : %s" % (
                i, value, kind_of_argument))
    body.append("%%r = call @%s(%s) : (%s) -> %s" % (
        kernel.name, ", ".join("%%a%d" % i for i in range(len(arguments))),
        ", ".join(kind for _, kind in arguments), match[2]))
    return text + "\nfunc.func @main() {\n  %s\n  return\n}\n" % (
        "\n  ".join(body))


def measure_ours(args, cuda, kernel, kind, count, folder):
    # Code for an earlier chip runs too, where LLVM does not know this one.
    options = "chip=%s format=%s" % (args.chip, args.format)
    lowered = folder / "lowered.mlir"
    result = subprocess.run(
        [args.build / "bin" / "rng-opt", "-", "--rng-to-nvptx=" + options, "-o",
         lowered], input=make_program(kernel, kind, count), text=True,
        stderr=subprocess.PIPE)
    if result.returncode:
        fail("rng-opt cannot lower %s:\n%s" % (kernel.name, result.stderr))
    libraries = [args.build / "lib" / ("librng_%s.so" % name)
                 for name in ("cuda_runtime", "runtime")]
    # The host rounds to bf16 by a function where it has no instruction for it.
    libraries.append(args.llvm / "lib" / "libmlir_float16_utils.so")
    libraries = ",".join(map(str, libraries))
    result = subprocess.run(
        [args.llvm / "bin" / "mlir-runner", "-O2", "-e", "main",
         "--entry-point-result=void", "--shared-libs=" + libraries, lowered],
        env=dict(os.environ, RNG_CUDA_TIME_KERNELS=str(args.launches)),
        text=True, stderr=subprocess.PIPE)
    times = re.findall(r"time: %s_kernel\w* ([0-9.]+) ms" % kernel.name,
                       result.stderr)
    if result.returncode or not times:
        fail("the run of %s failed:\n%s" % (kernel.name, result.stderr))
    return sum(map(float, times))


# ===----------------------------------------------------------------------===//
# By hand
# ===----------------------------------------------------------------------===//


def get_threshold(p):
    """As benchmarks/cuda/threshold.h: the words whose f32 uniform is below p."""
    def f32(x):
        return struct.unpack("<f", struct.pack("<f", x))[0]

    p = f32(p)
    low, high = 0, 0xFFFFFFFF - 127
    while low < high:
        middle = (low + high) // 2
        # A word rounded, times a power of two, plus another: exact in f64.
        if f32(f32(middle) * 2.0 ** -32 + 2.0 ** -33) < p:
            low = middle + 1
        else:
            high = middle
    return low + 128


def compile_by_hand(args, cuda, folder):
    """{source: module}, or None without an nvcc."""
    nvcc = shutil.which("nvcc")
    if not nvcc or not (ROOT / "benchmarks" / "cuda").is_dir():
        return None
    modules = {}
    for source in sorted({kernel.source for kernel in KERNELS}):
        output = folder / (source + ".out")
        subprocess.run([nvcc, "-cubin" if args.format == "bin" else "-ptx",
                        "-arch=" + args.chip, "-O3", "-o", output,
                        ROOT / "benchmarks" / "cuda" / source], check=True)
        modules[source] = cuda.number(
            "cuModuleLoadDataEx", ctypes.c_void_p, output.read_bytes() + b"\0",
            0, None, None)
    return modules


def measure_by_hand(args, cuda, kernel, kind, count, modules):
    function = ctypes.c_void_p(cuda.number(
        "cuModuleGetFunction", ctypes.c_void_p,
        ctypes.c_void_p(modules[kernel.source]),
        ("%s_%s" % (kernel.name, kind)).encode()))
    size = count * BYTES[kind]
    inputs = [cuda.allocate(size) for _ in range(kernel.inputs)]
    output = cuda.allocate(size)
    bias = [cuda.allocate(COLUMNS * BYTES[kind])] if kernel.bias else []
    for pointer in inputs:
        cuda.fill(pointer, ONES[kind], size)
    for pointer in bias:
        cuda.fill(pointer, ONES[kind], COLUMNS * BYTES[kind])
    # A NaN in both types.
    cuda.fill(output, 0xFFFFFFFF, size)
    scale = struct.pack("<f", 1 / KEEP)
    scale = ctypes.create_string_buffer(
        scale if kind == "f32" or kernel.bias else scale[2:], 4)
    # x, (bias, other,) out, n, seed, offset, threshold, factor, scale.
    values = [inputs[0], *bias, *inputs[1:], output, ctypes.c_uint64(count),
              ctypes.c_uint64(1234), ctypes.c_uint64(5),
              ctypes.c_uint32(get_threshold(KEEP)), ctypes.c_uint32(1), scale]
    parameters = (ctypes.c_void_p * len(values))(
        *[ctypes.addressof(value) for value in values])
    blocks = -(-count // kernel.hand_block[kind])

    def launch():
        cuda.call("cuLaunchKernel", function, blocks, 1, 1, 256, 1, 1, 0, None,
                  parameters, None)

    time = cuda.time(launch, args.launches)
    check_output(args, cuda, kernel, kind, output, min(count, 1 << 16))
    for pointer in inputs + bias + [output]:
        cuda.free(pointer)
    return time


def check_output(args, cuda, kernel, kind, output, count):
    """Fails if the kernel has not done its work, so its time means nothing."""
    if args.is_double and os.environ.get("RNG_CUDA_DOUBLE_RECORD"):
        return
    form = "<%d%s" % (count, "I" if kind == "f32" else "H")
    words = struct.unpack(form, cuda.read(output, count * BYTES[kind]))
    if 2 ** (8 * BYTES[kind]) - 1 in words:
        fail("%s by hand leaves elements unwritten" % kernel.name)
    zeros = words.count(0) / count
    if not kernel.bias and abs(zeros - (1 - KEEP)) > 0.02:
        fail("%s by hand drops %.3f of the elements" % (kernel.name, zeros))


# ===----------------------------------------------------------------------===//
# PyTorch
# ===----------------------------------------------------------------------===//


class Torch:
    """The same computations by PyTorch's own functions."""

    def __init__(self):
        import torch
        if not torch.cuda.is_available():
            raise ImportError
        self.torch = torch
        self.version = torch.__version__

    def time(self, launch, launches):
        torch = self.torch
        for _ in range(3):
            launch()
        times = []
        for _ in range(5):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            for _ in range(launches):
                launch()
            end.record()
            end.synchronize()
            times.append(start.elapsed_time(end) / launches)
        return sorted(times)[2]

    def measure(self, kernel, kind, count, launches):
        """The time of a forward, or of a forward and its backward together."""
        torch = self.torch
        functional = torch.nn.functional
        dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[kind]
        shape = (count // COLUMNS, COLUMNS)

        def make(shape, gradient=False):
            return torch.rand(shape, dtype=dtype, device="cuda",
                              requires_grad=gradient)

        backward = kernel.name.endswith("backward")
        x, dy = make(shape, backward), make(shape)
        bias, residual = make(COLUMNS), make(shape) if kernel.bias else None

        def forward():
            if kernel.bias:
                return residual + functional.dropout(
                    functional.gelu(x + bias, approximate="tanh"), 1 - KEEP)
            return functional.dropout(x, 1 - KEEP)

        def launch():
            if backward:
                x.grad = None
                forward().backward(dy)
            else:
                with torch.no_grad():
                    forward()

        time = self.time(launch, launches)
        del x, dy, residual
        torch.cuda.empty_cache()
        return time


# ===----------------------------------------------------------------------===//
# The table
# ===----------------------------------------------------------------------===//


def prepare(args, cuda):
    """Sets the folders and how kernels are compiled."""
    args.llvm = pathlib.Path(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"))
    if not args.build:
        subprocess.run(["bash", "-c", 'source "$0" && rng_setup',
                        ROOT / "scripts" / "setup.sh"], check=True)
        args.build = ROOT / "build"
    args.is_double = "double" in cuda.name
    args.chip = args.chip or cuda.chip
    args.format = "bin" if shutil.which("ptxas") and not args.ptx else "isa"


def measure(args, cuda, folder):
    """Yields (kernel, kind, count, time of a copy of as many bytes, times)."""
    modules = compile_by_hand(args, cuda, folder)
    try:
        torch = None if args.no_torch else Torch()
    except ImportError:
        torch = None
    args.columns = ["ours"] + ["by hand"] * bool(modules) + (
        ["PyTorch " + torch.version] if torch else [])
    for exponent in args.sizes:
        count = 1 << exponent
        for kind in args.types:
            size = count * BYTES[kind]
            if 5 * size > cuda.memory:
                print("2^%d elements of %s do not fit" % (exponent, kind),
                      file=sys.stderr)
                continue
            copy = measure_copy(cuda, size, args.launches)
            for kernel in KERNELS:
                times = [measure_ours(args, cuda, kernel, kind, count, folder)]
                if modules:
                    times.append(measure_by_hand(args, cuda, kernel, kind, count,
                                                 modules))
                if torch:
                    times.append(torch.measure(kernel, kind, count,
                                               args.launches))
                yield kernel, kind, exponent, copy, times
    for module in (modules or {}).values():
        cuda.call("cuModuleUnload", ctypes.c_void_p(module))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path,
                        help="a finished build (default: build/, made first)")
    parser.add_argument("--chip", help="compile for this one (default: the GPU's)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[26, 27, 28],
                        help="powers of two of elements")
    parser.add_argument("--types", nargs="+", choices=sorted(BYTES),
                        default=["f32", "bf16"])
    parser.add_argument("--launches", type=int, default=20)
    parser.add_argument("--ptx", action="store_true",
                        help="PTX even where there is a ptxas")
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--output", type=pathlib.Path,
                        help="write the table there too")
    args = parser.parse_args()
    if min(args.sizes) < 12:
        fail("expected sizes of 12 or more")

    cuda = Cuda()
    prepare(args, cuda)
    lines = []

    def say(line=""):
        lines.append(line)
        print(line, flush=True)

    lowest, slower = {}, 0
    pending = {}
    with tempfile.TemporaryDirectory() as folder:
        for i, (kernel, kind, exponent, copy, times) in enumerate(
                measure(args, cuda, pathlib.Path(folder))):
            if i == 0:
                say("%s (%s), driver for CUDA %s, kernels as %s, %s" % (
                    cuda.name, cuda.chip, cuda.version,
                    {"bin": "machine code", "isa": "PTX"}[args.format],
                    datetime.date.today().isoformat()))
                say()
                say("| kernel | type | elements | copy | %s |" % " | ".join(
                    args.columns))
                say("|---|---|---|---|%s" % ("---|" * len(args.columns)))
            size = BYTES[kind] << exponent
            # A copy reads and writes.
            bandwidth = 2 * size / copy
            cells = ["%.0f GB/s" % (bandwidth / 1e6)]
            for column, time in zip(args.columns, times):
                moved = kernel.bytes(kind, 1 << exponent)
                if column.startswith("PyTorch") and kernel.name.endswith(
                        "backward"):
                    # Its forward and backward cannot be told apart.
                    moved *= 2
                    name = kernel.name.replace("backward", "forward")
                    slower += pending[name] + times[0] >= time
                    cells.append("%.0f us, %.2f (with forward)" % (
                        1e3 * time, moved / time / bandwidth))
                    continue
                fraction = moved / time / bandwidth
                lowest[column] = min(lowest.get(column, fraction), fraction)
                cells.append("%.0f us, %.2f" % (1e3 * time, fraction))
            pending[kernel.name] = times[0]
            if args.is_double:
                cells = ["not a GPU"] * len(cells)
            say("| %s | %s | 2^%d | %s |" % (kernel.name, kind, exponent,
                                             " | ".join(cells)))
    cuda.close()
    if not lowest:
        fail("nothing fits on this GPU")
    say()
    if args.is_double:
        say("The driver is the double of the tests: there is nothing to measure.")
    else:
        say("Lowest fraction of the copy: " + ", ".join(
            "%s %.2f" % entry for entry in lowest.items()) + ".")
        if args.columns[-1].startswith("PyTorch"):
            say("Forward and backward of PyTorch are %s." % (
                "slower in every row" if not slower
                else "as fast or faster in %d rows" % slower))
    if args.output:
        args.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
