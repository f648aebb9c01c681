# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes kernels for a process that owns the device memory.

usage: serve.py CHANNEL_FD MEMORY_FD BYTES

CHANNEL_FD is a socket, MEMORY_FD a file of BYTES bytes that both processes map.
Requests are a line of words followed by raw bytes; replies are `OK numbers...`
or `ERR length` followed by a message.

  LOAD module length          + PTX text
  KERNEL module name          -> OK the byte sizes of the parameters
  LAUNCH module name gx gy gz bx by bz shared length buffers
                              + parameter bytes
                              + (address, file offset, bytes) of each buffer
                              -> OK length + what the kernel printed

The double of the CUDA driver (test/Runtime/DoubleDevice.cpp) is such a process.
In the environment: RNG_CUDA_DOUBLE_RACECHECK=1 makes unordered accesses an
error, RNG_CUDA_DOUBLE_TIMES=1 prints a line a launch to stderr.
"""

import bisect
import mmap
import os
import struct
import sys
import time

missing = None
try:
    import numpy
    import ptxrun
except ImportError as error:  # Told to the other process.
    missing = error


def flag(name):
    return os.environ.get(name, "") not in ("", "0")


class Server:
    """Answers the requests of one channel until it is closed."""

    def __init__(self, channel, memory):
        self.channel = channel
        self.memory = memory
        self.modules = {}
        self.racecheck = flag("RNG_CUDA_DOUBLE_RACECHECK")
        self.times = flag("RNG_CUDA_DOUBLE_TIMES")

    def read(self, size):
        data = self.channel.read(size)
        if len(data) != size:
            raise EOFError
        return data

    def reply(self, line, data=b""):
        self.channel.write(line.encode() + b"\n" + data)

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
                if not isinstance(error, ptxrun.PtxError):
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
        except ptxrun.PtxError as error:
            if strays:
                raise ptxrun.PtxError(
                    "%s\nnote: these pointer parameters are not in device memory: %s"
                    % (error, ", ".join(strays)))
            raise
        if self.times:
            sys.stderr.write("ptxrun: %s grid %s block %s: %d instructions, %.3f s\n" % (
                name, tuple(grid), tuple(block), result.instructions,
                time.time() - began))
        for warning, count in result.warnings:
            sys.stderr.write("ptxrun: %s: warning: %s (%d times)\n" % (
                name, warning, count))
        if result.races:
            raise ptxrun.PtxError("unordered accesses:\n" + "\n".join(
                str(r) for r in result.races[:10]))
        text = result.printf.encode()
        return ("OK %d" % len(text), text)


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


def main():
    channel_fd, memory_fd, size = map(int, sys.argv[1:])
    channel = Channel(os.fdopen(channel_fd, "r+b", buffering=0))
    if missing:
        text = ("%s in '%s'; RNG_PYTHON names a Python that has numpy"
                % (missing, sys.executable)).encode()
        channel.write(b"ERR %d\n" % len(text) + text)
        return
    memory = numpy.frombuffer(mmap.mmap(memory_fd, size), numpy.uint8)
    server = Server(channel, memory)
    server.reply("OK")
    server.run()


if __name__ == "__main__":
    main()
