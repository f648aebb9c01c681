#===- calls.py - Calls of compiled forwards and backwards ------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compiles a module of joint functions with rng-opt, llc and the C compiler, and
calls its functions from here, in any order. Values are i64; a memref<2xi64> or
tensor<2xi64> is a descriptor of five words.
"""
import ctypes
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             os.pardir, "Inputs"))
from fuzzing import Failure, run

M64 = (1 << 64) - 1


class Memory:
    """A memref<2xi64>: two words and their descriptor."""

    def __init__(self, state=(0, 0)):
        self.words = (ctypes.c_uint64 * 2)(*state)
        at = ctypes.addressof(self.words)
        self.descriptor = (ctypes.c_uint64 * 5)(at, at, 0, 2, 1)

    @property
    def state(self):
        return tuple(self.words)


class Parameter:
    """The type of an argument or result and its attributes of the dialect."""

    def __init__(self, text):
        type_, _, attributes = text.partition(" {")
        self.is_memory = type_ != "i64"
        self.is_cotangent = "rng.cotangent" in attributes
        self.is_gradient = "rng.gradient" in attributes
        # The generator whose state it is; None if it is no state.
        state = re.search(r"rng\.state( = @(\w+))?", attributes)
        self.state = (state.group(2) or "") if state else None


def split(text):
    """The parameters of a list, at commas outside of braces."""
    return [Parameter(part.strip()) for part in
            re.findall(r"(?:[^,{]|\{[^}]*\})+", text)]


class Signature:
    """Arguments and results of a function as rng-opt prints it, and what it
    saves."""
    pattern = re.compile(
        r"^  func\.func @(\w+)\((.*?)\) -> \((.*?)\)"
        r"(?: attributes \{(.*)\})? \{$", re.M)

    def __init__(self, match):
        self.name = match.group(1)
        self.arguments = split(re.sub(r"%\w+: ", "", match.group(2)))
        self.results = split(match.group(3))
        self.saved = [(kind, int(index)) for kind, index in re.findall(
            r"#rng\.saved<(\w+) (\d+)>", match.group(4) or "")]


class Library:
    """The compiled functions of a module: `signatures` by name."""

    def __init__(self, options, text, entry, folder):
        opt = options.rng_opt.split() + ["-"]
        partition = "-rng-partition" + \
            ("=keep-joint" if entry == "state" else "")
        split_text = run(opt + ["-rng-thread-state=entry=" + entry, partition],
                         text, options.timeout)
        self.signatures = {s.name: s for s in map(
            Signature, Signature.pattern.finditer(split_text))}
        lowered = run(opt + ["-rng-to-cpu"], split_text, options.timeout)
        llvm = run([options.translate, "-mlir-to-llvmir"], lowered,
                   options.timeout)
        path = os.path.join(folder, entry)
        run([options.llc, "-O0", "-relocation-model=pic", "-filetype=obj", "-o",
             path + ".o", "-"], llvm, options.timeout)
        run([options.cc, "-shared", "-o", path + ".so", path + ".o"], "",
            options.timeout)
        self.library = ctypes.CDLL(path + ".so")

    def call(self, name, arguments):
        """The results, numbers and `Memory`, of a call with such arguments."""
        signature = self.signatures[name]
        sizes = [5 if r.is_memory else 1 for r in signature.results]
        words = (ctypes.c_uint64 * sum(sizes))()
        passed = [ctypes.addressof(words)]
        for argument in arguments:
            passed.append(ctypes.addressof(argument.descriptor)
                          if isinstance(argument, Memory) else argument)
        function = self.library["_mlir_ciface_" + name]
        function.restype = None
        function(*map(ctypes.c_uint64, passed))
        results, at = [], 0
        for size in sizes:
            if size == 1:
                results.append(words[at])
            else:
                data = ctypes.cast(words[at + 1],
                                   ctypes.POINTER(ctypes.c_uint64))
                first = words[at + 2]
                results.append(Memory((data[first], data[first + 1])))
            at += size
        return results


class Runtime:
    """The states of the generators of this process."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)

    def set(self, generator, state):
        self.library.rngSetState(generator.encode() or b"",
                                 *map(ctypes.c_uint64, state))

    def get(self, generator):
        state = (ctypes.c_uint64 * 2)()
        self.library.rngGetState(generator.encode(), state)
        return tuple(state)
