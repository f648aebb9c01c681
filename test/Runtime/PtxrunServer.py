# ===- PtxrunServer.py - Runs kernels for DoubleDevice.cpp ----------------===//
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===//
"""Executes PTX kernels for the test runtime in the CUDA double (DoubleDevice.cpp).

usage: PtxrunServer.py PTXRUN_FOLDER CHANNEL_FD MEMORY_FD BASE BYTES

Requests are a line of words followed by raw bytes; replies are `OK numbers...`
or `ERR length` followed by a message.

  LOAD module length          + PTX text
  KERNEL module name          -> OK the byte sizes of the parameters
  LAUNCH module name gx gy gz bx by bz shared length buffers
                              + parameter bytes
                              + (address, file offset, bytes) of each buffer
                              -> OK length + what the kernel printed
"""

import bisect
import mmap
import os
import struct
import sys
import time


def flag(name):
    return os.environ.get(name, "") not in ("", "0")


class Server:
    def __init__(self, channel, memory):
        self.channel = channel
        self.memory = memory
        self.modules = {}
        self.racecheck = flag("RNGDIALECT_PTXRUN_RACECHECK")
        self.log = flag("RNGDIALECT_PTXRUN_LOG")

    def read(self, size):
        data = self.channel.read(size)
        if len(data) != size:
            raise EOFError
        return data

    def reply(self, line, data=b""):
        self.channel.write(line.encode() + b"\n" + data)
        self.channel.flush()

    def run(self):
        while True:
            line = self.channel.readline()
            if not line:
                return
            words = line.decode().split()
            payload = [self.read(n) for n in self.payload_sizes(words)]
            try:
                self.reply(*getattr(self, words[0].lower())(*words[1:], *payload))
            except Exception as error:  # Every failure ends the test with a text.
                text = str(error)
                if not isinstance(error, self.expected):
                    text = "%s: %s" % (type(error).__name__, text)
                data = text.encode()
                self.reply("ERR %d" % len(data), data)

    @staticmethod
    def payload_sizes(words):
        if words[0] == "LOAD":
            return [int(words[2])]
        if words[0] == "LAUNCH":
            return [int(words[10]), 24 * int(words[11])]
        return []

    def load(self, module, length, text):
        self.modules[module] = ptxrun.Module.from_text(text.rstrip(b"\0").decode())
        return ("OK",)

    def kernel(self, module, name):
        params = self.modules[module].kernel(name).params
        return ("OK " + " ".join(str(p.size) for p in params),)

    def launch(self, module, name, *rest):
        numbers, raw, table = [int(n) for n in rest[:9]], rest[9], rest[10]
        grid, block, shared = numbers[0:3], numbers[3:6], numbers[6]
        kernel = self.modules[module].kernel(name)
        buffers = sorted(struct.iter_unpack("<QQQ", table))
        starts = [b[0] for b in buffers]
        views = {}

        # LLVM marks pointer parameters; without marks (other compilers) any
        # 64-bit value inside a buffer is taken for a pointer.
        marked = any(p.is_ptr for p in kernel.params)
        args, strays, position = [], [], 0
        for index, p in enumerate(kernel.params):
            data = raw[position:position + p.size]
            position += p.size
            if p.size == 8 and not p.is_array and (p.is_ptr or not marked):
                value = struct.unpack("<Q", data)[0]
                k = bisect.bisect_right(starts, value) - 1
                if k >= 0 and value <= buffers[k][0] + buffers[k][2]:
                    start, offset, size = buffers[k]
                    if k not in views:
                        views[k] = ptxrun.Buffer(
                            self.memory[offset:offset + size],
                            "the buffer of parameter %d" % index)
                    args.append(ptxrun.Ptr(views[k], value - start))
                    continue
                if p.is_ptr:
                    strays.append("%d (0x%x)" % (index, value))
            args.append(data)

        began = time.time()
        try:
            result = kernel.launch(grid=tuple(grid), block=tuple(block), args=args,
                                   shared_bytes=shared, racecheck=self.racecheck)
        except self.expected as error:
            if strays:
                raise self.expected("%s\nnote: these pointer parameters are not in "
                                    "device memory: %s" % (error, ", ".join(strays)))
            raise
        if self.log:
            sys.stderr.write("ptxrun: %s grid %s block %s: %d instructions, %.3f s\n" % (
                name, tuple(grid), tuple(block), result.instructions,
                time.time() - began))
        for warning, count in result.warnings:
            sys.stderr.write("ptxrun: %s: warning: %s (%d times)\n" % (
                name, warning, count))
        if result.races:
            raise self.expected("unordered accesses:\n" + "\n".join(
                str(r) for r in result.races[:10]))
        text = result.printf.encode()
        return ("OK %d" % len(text), text)


def main():
    folder, channel_fd, memory_fd, _base, size = sys.argv[1:]
    channel = os.fdopen(int(channel_fd), "r+b", buffering=0)
    channel = Channel(channel)
    sys.path.insert(0, folder)
    global ptxrun
    try:
        import numpy
        import ptxrun as loaded
        from ptxcore.errors import PtxError
    except ImportError as error:
        text = ("%s; RNGDIALECT_PTXRUN must name the folder of ptxrun.py and "
                "RNGDIALECT_PTXRUN_PYTHON a Python with numpy" % error).encode()
        channel.write(b"ERR %d\n" % len(text) + text)
        return
    ptxrun = loaded
    shared = mmap.mmap(int(memory_fd), int(size))
    server = Server(channel, numpy.frombuffer(shared, numpy.uint8))
    server.expected = PtxError
    server.reply("OK")
    server.run()


class Channel:
    """Buffered reads and whole writes on one socket."""

    def __init__(self, raw):
        self.raw = raw
        self.buffer = b""

    def fill(self):
        data = self.raw.read(1 << 20)
        self.buffer += data or b""
        return bool(data)

    def readline(self):
        while b"\n" not in self.buffer:
            if not self.fill():
                return b""
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def read(self, size):
        while len(self.buffer) < size and self.fill():
            pass
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def write(self, data):
        data = memoryview(data)
        while data:
            data = data[self.raw.write(data):]

    def flush(self):
        pass


main()
