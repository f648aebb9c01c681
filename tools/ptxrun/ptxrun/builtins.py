# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that PTX calls in the CUDA runtime: vprintf and __assertfail."""

import struct

import numpy as np

from .errors import ExecutionError, PtxError, Trap
from .memory import IDS, ID_LOCAL, ID_SHARED
from .softfp import u4


class Builtins:
    """Part of a Machine."""

    def peek(self, C, i, addr, size):
        """Bytes at a generic address as thread i of the group sees them."""
        k = addr >> IDS
        if k == ID_LOCAL:
            off = addr & ((1 << IDS) - 1)
            lane = int(C.lane[i])
            out = bytearray()
            for b in range(off, off + size):
                out.append(int(self.local_data[((b >> 3) * self.local_n + lane) * 8 + (b & 7)]))
            return bytes(out)
        if k == ID_SHARED:
            off = (addr & ((1 << IDS) - 1)) + int(np.broadcast_to(C.ctabase, (C.n,))[i])
            return self.shared_data[off:off + size].tobytes()
        r = self.regions.get(k)
        if r is None or addr < r.base or addr + size > r.end:
            raise ExecutionError("bad pointer 0x%x passed to a built-in function" % addr)
        return r.data[addr - r.base:addr - r.base + size].tobytes()

    def cstring(self, C, i, addr):
        out = bytearray()
        while len(out) < 65536:
            b = self.peek(C, i, addr, 1)
            if b == b"\0":
                break
            out += b
            addr += 1
        return out.decode("latin-1")

    def vprintf(self, C, fmt, args, ln):
        fmt = np.broadcast_to(fmt, (C.n,))
        args = np.broadcast_to(args, (C.n,))
        cache = {}
        res = np.zeros(C.n, u4)
        for i in range(C.n):
            fa = int(fmt[i])
            if fa not in cache:
                cache[fa] = self.cstring(C, i, fa)
            s = self.format(C, i, cache[fa], int(args[i]))
            res[i] = len(cache[fa])
            if len(self.printf) < 100000:
                self.printf.append(s)
            if self.echo:
                print(s, end="")
        return res

    def format(self, C, i, fmt, ap):
        out, pos, n = [], 0, len(fmt)
        off = 0

        def arg(size):
            nonlocal off
            off = (off + size - 1) // size * size
            b = self.peek(C, i, ap + off, size)
            off += size
            return b
        while pos < n:
            ch = fmt[pos]
            if ch != "%":
                out.append(ch)
                pos += 1
                continue
            j = pos + 1
            while j < n and fmt[j] in "-+ #0123456789.":
                j += 1
            flags = fmt[pos + 1:j]
            lng = 0
            while j < n and fmt[j] in "lhzjt":
                lng += fmt[j] in "lzjt"
                j += 1
            c = fmt[j] if j < n else "%"
            pos = j + 1
            if c == "%":
                out.append("%")
            elif c in "di":
                v = struct.unpack("<q" if lng else "<i", arg(8 if lng else 4))[0]
                out.append(("%" + flags + "d") % v)
            elif c in "uxXo":
                v = struct.unpack("<Q" if lng else "<I", arg(8 if lng else 4))[0]
                out.append(("%" + flags + ("d" if c == "u" else c)) % v)
            elif c == "c":
                out.append(chr(struct.unpack("<i", arg(4))[0] & 255))
            elif c in "feEgGaF":
                v = struct.unpack("<d", arg(8))[0]
                out.append(v.hex() if c == "a" else ("%" + flags + c) % v)
            elif c == "p":
                out.append("0x%x" % struct.unpack("<Q", arg(8))[0])
            elif c == "s":
                out.append(("%" + flags + "s") % self.cstring(
                    C, i, struct.unpack("<Q", arg(8))[0]))
            else:
                out.append("%" + flags + c)
        return "".join(out)

    def assertfail(self, C, args, ln):
        vals = [int(np.broadcast_to(a, (C.n,))[0]) for a in args]
        th, bl = C.where(0)
        txt = []
        for v in (vals[0], vals[1], vals[3] if len(vals) > 3 else 0):
            try:
                txt.append(self.cstring(C, 0, v))
            except PtxError:
                txt.append("?")
        raise Trap("assertion `%s` failed at %s:%d in %s (thread %s of block %s)" % (
            txt[0], txt[1], vals[2], txt[2], th, bl), ln, self.text(ln))
