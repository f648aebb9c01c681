# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's interface: PTX text in, `Module` and `Kernel` to launch out."""

import struct

import numpy as np

from . import parser as P
from .codegen import KernelCode
from .errors import LaunchError, PtxError, PtxParseError, UnknownInstruction
from .lower import Lowering, build_cfg
from .machine import Machine
from .memory import Buffer, FUNC_BASE, ID_ARG0, ID_GLOBAL0, ID_PARAM, Ptr, Region, Window
from .softfp import u1
from .stats import Stats, StatsHook, block_size
from .syntax import TYPE_SIZE

SHARED_GAP = 64          # unmapped bytes between shared variables
LOCAL_GAP = 32
MAX_STATIC_SHARED = 48 * 1024
MAX_SHARED = {"sm_70": 96, "sm_72": 96, "sm_75": 64, "sm_80": 163, "sm_86": 99, "sm_87": 163,
              "sm_89": 99, "sm_90": 227, "sm_100": 227, "sm_103": 227, "sm_120": 99}

NP_OF = {"u8": np.uint8, "s8": np.int8, "b8": np.uint8, "u16": np.uint16, "s16": np.int16,
         "b16": np.uint16, "u32": np.uint32, "s32": np.int32, "b32": np.uint32,
         "u64": np.uint64, "s64": np.int64, "b64": np.uint64, "f16": np.float16,
         "bf16": np.uint16, "f32": np.float32, "f64": np.float64}


def align_up(x, a):
    return (x + a - 1) // a * a


class Param:
    """A kernel parameter: name, PTX type, size and alignment in bytes, offset in
    the parameter block, and the `.ptr` attributes if given."""

    def __init__(self, v, offset):
        self.name, self.type, self.size, self.align = v.name, v.type, v.size, v.align
        self.offset = offset
        self.is_array = v.array
        self.is_ptr, self.ptr_space, self.ptr_align = v.ptr, v.ptr_space, v.ptr_align

    def __repr__(self):
        return "Param(%s: .%s%s, offset %d, align %d%s)" % (
            self.name, self.type, "[%d]" % self.size if self.is_array else "", self.offset,
            self.align, ", .ptr" if self.is_ptr else "")


class Module:
    """Parsed PTX with storage for its module-scope variables."""

    def __init__(self, ast):
        self.ast = ast
        if ast.address_size not in (None, 64):
            raise PtxError(".address_size %d is not supported" % ast.address_size)
        self.version, self.target = ast.version, ast.target
        self.line_text = LineText(ast.lines)
        self._func_addr = {n: FUNC_BASE + 16 * i for i, n in enumerate(ast.functions)}
        self.func_taken = set()
        self._find_taken()
        self.storage = {}
        self._allocate()
        self.kernels = {f.name: Kernel(self, f) for f in ast.functions.values()
                        if f.entry and f.body is not None}

    @classmethod
    def from_text(cls, text):
        return cls(P.parse(text))

    @classmethod
    def from_file(cls, path):
        with open(path) as f:
            return cls.from_text(f.read())

    # -- module variables
    def _find_taken(self):
        names = set(self.ast.functions)

        def walk(o):
            if isinstance(o, P.Sym):
                n = self.ast.aliases.get(o.name, o.name)
                if n in names and o.var is None and o.label is None:
                    self.func_taken.add(n)
            elif isinstance(o, (P.Vec, P.Args)):
                for e in o.elems:
                    walk(e)
            elif isinstance(o, P.Addr):
                walk(o.base)
            elif isinstance(o, tuple):
                for e in o:
                    walk(e)
            elif isinstance(o, list):
                for e in o:
                    walk(e)
        for f in self.ast.functions.values():
            for it in f.body or ():
                if isinstance(it, P.Instr):
                    ops = it.ops
                    if it.op == "call" or it.op.startswith("call."):
                        ops = [o for o in ops if isinstance(o, P.Args)]
                    for o in ops:
                        walk(o)
        for v in self._all_vars():
            if v.init is not None:
                walk(v.init)

    def _all_vars(self):
        out = list(self.ast.var_order)
        for f in self.ast.functions.values():
            out += [v for v in f.vars if v.space in ("global", "const")]
        return out

    def has_storage(self, v):
        return v in self.storage

    def _allocate(self):
        vs = [v for v in self._all_vars() if v.space in ("global", "const")]
        for i, v in enumerate(vs):
            if v.extern and v.init is None:
                continue
            data = np.zeros(max(v.size, 1), u1)[:v.size]
            data = np.zeros(v.size, u1)
            self.storage[v] = Region(ID_GLOBAL0 + i, data, "variable %s" % v.name, v.space,
                                     readonly=(v.space == "const"))
        self.reset_globals()

    def reset_globals(self):
        """Give every module variable its initial value (zero if none)."""
        for v, r in self.storage.items():
            r.data[:] = 0
            if v.init is not None:
                raw = self._init_bytes(v)
                r.data[:len(raw)] = np.frombuffer(raw, u1)

    def _init_bytes(self, v):
        if len(v.dims) <= 1 and v.vec == 1 and TYPE_SIZE[v.type] == 1 and \
                all(isinstance(x, P.Imm) for x in v.init):
            if len(v.init) > v.size:
                raise PtxParseError("too many initialisers for %s" % v.name, v.line)
            return bytes(x.value & 255 for x in v.init)
        flat = []
        dims = list(v.dims) + ([v.vec] if v.vec > 1 else [])

        def fill(x, dims):
            """Elements of nested initialisers, padded per dimension."""
            n = 1
            for d in dims:
                n *= d
            if not isinstance(x, list):
                flat.append(x)
                return
            if dims and any(isinstance(e, list) for e in x):
                start = len(flat)
                inner = 1
                for d in dims[1:]:
                    inner *= d
                for e in x:
                    s = len(flat)
                    fill(e, dims[1:])
                    while len(flat) - s < inner:
                        flat.append(P.Imm(0))
                while len(flat) - start < n:
                    flat.append(P.Imm(0))
            else:
                start = len(flat)
                flat.extend(x)
                while len(flat) - start < n:
                    flat.append(P.Imm(0))
        fill(v.init, dims)
        w = TYPE_SIZE[v.type]
        if len(flat) * w > v.size:
            raise PtxParseError("too many initialisers for %s" % v.name, v.line)
        return b"".join(self._init_elem(v, x, w) for x in flat)

    def _init_elem(self, v, x, w):
        if isinstance(x, P.Imm):
            if v.type in ("f32", "f64"):
                return struct.pack("<f" if v.type == "f32" else "<d", float(x.value))
            return (x.value & ((1 << (8 * w)) - 1)).to_bytes(w, "little")
        if isinstance(x, P.FImm):
            if v.type == "f32" or (w == 4 and x.kind == "f32"):
                return struct.pack("<I", x.bits) if x.kind == "f32" else \
                    struct.pack("<f", x.value)
            if v.type == "f64" or w == 8:
                return struct.pack("<d", x.value)
            raise PtxParseError("floating initialiser for .%s %s" % (v.type, v.name), v.line)
        mask = None
        if isinstance(x, tuple) and x[0] == "mask":
            mask, x = x[1], x[2]
        if isinstance(x, P.Sym):
            a = self._sym_address(x, v)
            if mask is not None:
                sh = (mask & -mask).bit_length() - 1
                a = (a & mask) >> sh
            return (a & ((1 << (8 * w)) - 1)).to_bytes(w, "little")
        raise PtxParseError("unsupported initialiser of %s" % v.name, v.line)

    def _sym_address(self, s, v):
        name = self.ast.aliases.get(s.name, s.name)
        var = s.var or self.ast.vars.get(name)
        if var is not None:
            if var in self.storage:
                return self.storage[var].base + s.off
            raise PtxParseError("initialiser of %s refers to %s" % (v.name, s.name), v.line)
        if name in self._func_addr:
            return self._func_addr[name] + s.off
        raise PtxParseError("initialiser of %s refers to undefined %s" % (v.name, s.name),
                            v.line)

    def var_address(self, v):
        return self.storage[v].base

    def func_address(self, name):
        return self._func_addr[name]

    @property
    def globals(self):
        """name -> numpy array (a live view) of each .global/.const variable."""
        out = {}
        for v, r in self.storage.items():
            dt = NP_OF.get(v.type)
            n = r.data.size // TYPE_SIZE[v.type]
            out[v.name] = r.data[:n * TYPE_SIZE[v.type]].view(dt) if dt else r.data
        return out

    def check(self):
        """Compile every kernel; returns {kernel name: None or the PtxError}."""
        out = {}
        for n, k in self.kernels.items():
            try:
                k.code
                out[n] = None
            except PtxError as e:
                out[n] = e
        return out

    def launch(self, kernel, *a, **kw):
        return self.kernel(kernel).launch(*a, **kw)

    def kernel(self, name):
        if isinstance(name, Kernel):
            return name
        k = self.kernels.get(name)
        if k is None:
            near = ", ".join(sorted(self.kernels)) or "none"
            raise LaunchError("no kernel named %r in this module; it has: %s" % (name, near))
        return k


class LineText:
    """The text of a line of PTX, for messages."""

    def __init__(self, lines):
        self.lines = lines

    def get(self, ln, default=""):
        if ln and 0 < ln <= len(self.lines):
            return self.lines[ln - 1].strip()[:200]
        return default


class Kernel:
    """One entry function: its parameters, its code once compiled, launches."""

    def __init__(self, module, fn):
        self.module, self.fn, self.name = module, fn, fn.name
        self.params = []
        off = 0
        for v in fn.params:
            off = align_up(off, v.align)
            self.params.append(Param(v, off))
            off += v.size
        self.param_bytes = off
        self._code = None

    def __repr__(self):
        return "Kernel(%s, %r)" % (self.name, self.params)

    @property
    def directives(self):
        return self.fn.directives

    @property
    def code(self):
        if self._code is None:
            n = 1
            for x in self.fn.directives.get(".reqnctapercluster", []):
                n *= x
            if n > 1 or ".blocksareclusters" in self.fn.directives:
                raise UnknownInstruction("kernel %s asks for thread block clusters, which are "
                                         "not supported" % self.name, self.fn.line)
            self.low = Lowering(self.module, self.name)
            self.blocks, dead = build_cfg(self.low)
            self.layout = self._layout()
            self._code = KernelCode(self.low, self.blocks, self.layout, self.module, dead)
        return self._code

    def _layout(self):
        low = self.low
        sw, lw = Window(), Window()
        off = 0
        shared, real = {}, 0
        order = [v for v in self.module.ast.var_order if v in low.shared]
        order += [v for v in low.shared if v not in order]
        for v in order:
            off = align_up(off, max(v.align, 1))
            shared[v] = off
            sw.add(off, off + v.size, "shared variable %s" % v.name)
            off += v.size + SHARED_GAP
            real = align_up(real, max(v.align, 1)) + v.size
        sw.size = max(off - SHARED_GAP, 0) if order else 0
        dyn_align = 16
        for v in list(self.module.ast.var_order) + list(self.fn.vars):
            if v.space == "shared" and (v.unsized or v.extern):
                dyn_align = max(dyn_align, v.align)
        local = {}
        loff = 64
        for lv in low.locals:
            loff = align_up(loff, max(lv.align, 8))
            local[lv] = loff
            lv.off = loff
            lw.add(loff, loff + lv.size, "local variable %s" % lv.name)
            loff += lv.size + LOCAL_GAP
        lw.size = loff if low.locals else 0
        return {
            "shared": shared, "shared_win": sw, "static_bytes": real,
            "dshared": align_up(off, max(dyn_align, 128)) if order else 0,
            "local": local, "local_win": lw, "local_bytes": sum(v.size for v in low.locals),
            "kparam": {p.name: p.offset for p in self.params},
        }

    def entry_regs(self):
        """Registers read before they are written on some path: they start as poison."""
        b0 = self.code.blocks[0]
        out = []
        for r in sorted(b0.live_in):
            ty = self.low.regs[r]
            out.append((r, "p" if ty == "pred" else TYPE_SIZE[ty]))
        return out

    def maybe_undefined(self):
        """Names of registers that some path reads before writing."""
        return [self.low.reg_names[r] for r, _ in self.entry_regs()]

    # -- arguments
    def bind(self, args):
        """-> (parameter bytes, [Region], [(user array, working copy)])"""
        if len(args) != len(self.params):
            raise LaunchError("kernel %s takes %d arguments, %d were given" % (
                self.name, len(self.params), len(args)))
        raw = bytearray(self.param_bytes)
        binder = Binder()
        for i, (p, a) in enumerate(zip(self.params, args)):
            try:
                b = binder.convert(p, a, i)
            except LaunchError as e:
                raise LaunchError("argument %d (%s, .%s): %s" % (i, p.name, p.type, e)) from None
            raw[p.offset:p.offset + p.size] = b
        regions = binder.finish()
        for p, i, buf, off, pos in binder.fixups:
            addr = binder.address(buf) + off
            struct.pack_into("<Q", raw, p.offset + pos, addr)
            need = p.ptr_align
            if need and addr % need:
                raise LaunchError("argument %d (%s): pointer is not aligned to %d as the kernel "
                                  "declares" % (i, p.name, need))
        return bytes(raw), regions, binder

    def launch(self, grid=1, block=1, args=(), shared_bytes=0, **opts):
        """Run the kernel.  Returns a Result.

        Options: stats (bool), allow_uninit (set of 'global','shared','local'),
        timeout_s, batch_threads, approx_ulp, racecheck (bool), echo_printf,
        check_limits (default True).
        """
        grid, block = dim3(grid, "grid"), dim3(block, "block")
        known = {"stats", "allow_uninit", "timeout_s", "batch_threads", "approx_ulp",
                 "racecheck", "echo_printf", "check_limits"}
        bad = set(opts) - known
        if bad:
            raise LaunchError("unknown option %s" % ", ".join(sorted(bad)))
        self.code  # Unknown instructions are reported before wrong arguments.
        if opts.get("check_limits", True):
            self.check_limits(grid, block, shared_bytes)
        raw, regions, binder = self.bind(args)
        m = Machine(self, grid, block, raw, int(shared_bytes), opts)
        for r in regions:
            m.regions[r.id] = r
        for r in self.module.storage.values():
            m.regions[r.id] = r
        if raw:
            pr = Region(ID_PARAM, np.frombuffer(raw, u1), "kernel parameters", "param",
                        readonly=True)
            m.regions[ID_PARAM] = pr
        hooks = []
        if opts.get("stats"):
            hooks.append(StatsHook())
        if opts.get("racecheck"):
            from .race import RaceHook
            hooks.append(RaceHook())
        if hooks:
            m.hooks = hooks[0] if len(hooks) == 1 else HookList(hooks)
            for h in hooks:
                h.machine = m
        try:
            m.run()
        finally:
            binder.copy_back()
        return Result(self, m, hooks)

    def check_limits(self, grid, block, shared_bytes):
        d = self.fn.directives
        T = block[0] * block[1] * block[2]
        if T > 1024 or block[0] > 1024 or block[1] > 1024 or block[2] > 64:
            raise LaunchError("block %s is over the limit (1024 threads, 1024 x 1024 x 64)"
                              % (block,))
        if grid[0] > 2 ** 31 - 1 or grid[1] > 65535 or grid[2] > 65535:
            raise LaunchError("grid %s is over the limit" % (grid,))
        mx = d.get(".maxntid")
        if mx:
            n = 1
            for x in mx:
                n *= x
            if T > n:
                raise LaunchError("block of %d threads, the kernel is declared .maxntid %s" % (
                    T, ", ".join(map(str, mx))))
        rq = d.get(".reqntid")
        if rq:
            want = tuple(list(rq) + [1] * (3 - len(rq)))
            if want != block:
                raise LaunchError("block %s, the kernel is declared .reqntid %s" % (
                    block, ", ".join(map(str, rq))))
        st = self.layout["static_bytes"]
        if st > MAX_STATIC_SHARED:
            raise LaunchError("%d bytes of static shared memory, the limit is %d" % (
                st, MAX_STATIC_SHARED))
        t = (self.module.target or "").split(",")[0].rstrip("af")
        lim = MAX_SHARED.get(t, 227) * 1024
        if st + shared_bytes > lim:
            raise LaunchError("%d bytes of shared memory, the limit of %s is %d" % (
                st + shared_bytes, t, lim))


class HookList:
    """Calls several observers of a launch as one."""

    def __init__(self, hooks):
        self.h = hooks

    def __getattr__(self, name):
        fns = [getattr(h, name) for h in self.h]

        def call(*a):
            for f in fns:
                f(*a)
        return call


def dim3(x, what):
    if isinstance(x, (int, np.integer)):
        x = (x,)
    x = tuple(int(v) for v in x)
    if not 1 <= len(x) <= 3 or any(v < 1 for v in x):
        raise LaunchError("bad %s %r" % (what, x))
    return x + (1,) * (3 - len(x))


class Binder:
    """Turns launch arguments into parameter bytes and memory regions."""

    def __init__(self):
        self.bufs = {}          # (address, nbytes) interval -> entry
        self.entries = []
        self.fixups = []

    def add_array(self, a, name, readonly=False, uninit=False):
        if not isinstance(a, np.ndarray):
            raise LaunchError("not an array")
        if not a.flags.c_contiguous:
            raise LaunchError("the array is not C-contiguous")
        if a.dtype.hasobject:
            raise LaunchError("the array holds Python objects")
        key = a.__array_interface__["data"][0]
        e = dict(ptr=key, size=a.nbytes, arr=a, name=name, uninit=uninit,
                 ro=readonly or not a.flags.writeable, owner=None)
        self.entries.append(e)
        return e

    def convert(self, p, a, i):
        off = 0
        buf = None
        if isinstance(a, Ptr):
            off, a = a.offset, a.buf
        if isinstance(a, Buffer):
            buf = self.add_array(a.array, a.name or "argument %d (%s)" % (i, p.name), a.readonly,
                                 a.uninit)
            buf["buffer"] = a
        elif isinstance(a, np.ndarray) and a.ndim > 0 or \
                (isinstance(a, np.ndarray) and a.ndim == 0 and p.size == 8
                 and a.dtype.itemsize != 8):
            if p.is_array and a.nbytes == p.size and p.type in ("b8", "u8", "s8"):
                return a.tobytes()          # struct passed by value
            buf = self.add_array(a, "argument %d (%s)" % (i, p.name))
        if buf is not None:
            if p.size != 8 or p.is_array or p.type in ("f64", "f32"):
                raise LaunchError("an array was given for a parameter that is not a 64-bit "
                                  "pointer")
            self.fixups.append((p, i, buf, off, 0))
            return b"\0" * 8
        if a is None:
            if p.size != 8:
                raise LaunchError("None (null) was given for a parameter that is not a 64-bit "
                                  "pointer")
            return b"\0" * 8
        if isinstance(a, Struct):
            out = bytearray(p.size)
            for pos, item in a.items:
                if isinstance(item, (np.ndarray, Buffer, Ptr)) and \
                        not (isinstance(item, np.ndarray) and item.ndim == 0):
                    o2, b2 = 0, item
                    if isinstance(b2, Ptr):
                        o2, b2 = b2.offset, b2.buf
                    if isinstance(b2, Buffer):
                        e = self.add_array(b2.array, b2.name or "argument %d" % i, b2.readonly,
                                           b2.uninit)
                        e["buffer"] = b2
                    else:
                        e = self.add_array(b2, "argument %d (%s)+%d" % (i, p.name, pos))
                    self.fixups.append((p, i, e, o2, pos))
                    raw = b"\0" * 8
                else:
                    raw = np.asarray(item).tobytes()
                if pos + len(raw) > p.size:
                    raise LaunchError("structure member at %d does not fit in %d bytes" % (
                        pos, p.size))
                out[pos:pos + len(raw)] = raw
            return bytes(out)
        if isinstance(a, (bytes, bytearray)):
            if len(a) != p.size:
                raise LaunchError("%d bytes given, the parameter has %d" % (len(a), p.size))
            return bytes(a)
        if p.is_array and isinstance(a, np.generic) and a.nbytes == p.size:
            return a.tobytes()              # e.g. a __half passed as two bytes
        if p.is_array:
            raise LaunchError("a %d-byte structure is expected (bytes or Struct)" % p.size)
        return scalar_bytes(p, a)

    def finish(self):
        """Merge overlapping intervals; -> [Region]."""
        es = sorted(self.entries, key=lambda e: (e["ptr"], -e["size"]))
        groups = []
        for e in es:
            if groups and e["size"] and e["ptr"] < groups[-1]["end"]:
                g = groups[-1]
                g["end"] = max(g["end"], e["ptr"] + e["size"])
                g["members"].append(e)
            elif groups and not e["size"] and e["ptr"] == groups[-1]["ptr"]:
                groups[-1]["members"].append(e)
            else:
                groups.append(dict(ptr=e["ptr"], end=e["ptr"] + e["size"], members=[e]))
        groups.sort(key=lambda g: min(self.entries.index(m) for m in g["members"]))
        self.copies = []
        regions = []
        for k, g in enumerate(groups):
            size = g["end"] - g["ptr"]
            first = min(g["members"], key=self.entries.index)
            if size:
                big = max(g["members"], key=lambda e: e["size"])
                if big["ptr"] == g["ptr"] and big["size"] == size:
                    data = big["arr"].reshape(-1).view(u1)
                else:
                    import ctypes
                    data = np.frombuffer((ctypes.c_uint8 * size).from_address(g["ptr"]), u1)
                    g["keep"] = [m["arr"] for m in g["members"]]
            else:
                data = np.zeros(0, u1)
            if g["ptr"] % 32 and size:
                work = aligned_copy(data)
                self.copies.append((data, work, g))
                data = work
            ro = all(m["ro"] for m in g["members"])
            shadow = None
            unin = [m for m in g["members"] if m["uninit"]]
            if unin:
                shadow = np.ones(align_up(max(size, 1), 32), u1)[:size]
                for m in unin:
                    o = m["ptr"] - g["ptr"]
                    shadow[o:o + m["size"]] = 0
                for m in unin:
                    if "buffer" in m:
                        o = m["ptr"] - g["ptr"]
                        m["buffer"]._shadow = shadow[o:o + m["size"]]
            r = Region(ID_ARG0 + k, data, first["name"], "global", ro, shadow)
            if ID_ARG0 + k >= ID_GLOBAL0:
                raise LaunchError("too many buffers")
            for m in g["members"]:
                m["addr"] = r.base + (m["ptr"] - g["ptr"])
            regions.append(r)
        return regions

    def address(self, e):
        return e["addr"]

    def copy_back(self):
        for data, work, g in self.copies:
            if data.flags.writeable:
                data[:] = work


def aligned_copy(data):
    raw = np.empty(data.size + 64, u1)
    o = -raw.__array_interface__["data"][0] % 64
    w = raw[o:o + data.size]
    w[:] = data
    return w


class Struct:
    """A by-value structure argument: items = [(byte offset, value)], a value being
    a numpy scalar/array (copied by value only if 0-d), or a buffer (its address)."""

    def __init__(self, items):
        self.items = list(items)


def scalar_bytes(p, a):
    ty, w = p.type, p.size
    if isinstance(a, np.generic) or (isinstance(a, np.ndarray) and a.ndim == 0):
        a0 = np.asarray(a)
        kind = a0.dtype.kind
        if kind in "iub":
            a = int(a0)
        elif kind == "f":
            if a0.dtype.itemsize == w and ty in ("f16", "f32", "f64") or \
                    (a0.dtype.itemsize == w and ty[0] == "b"):
                return a0.tobytes()
            a = float(a0)
        else:
            raise LaunchError("cannot pass a %s scalar" % a0.dtype)
    if isinstance(a, (bool, np.bool_)):
        a = int(a)
    if isinstance(a, int):
        if ty == "f32":
            return struct.pack("<f", float(a))
        if ty == "f64":
            return struct.pack("<d", float(a))
        if ty == "f16":
            return struct.pack("<e", float(a))
        if not -(1 << (8 * w - 1)) <= a < 1 << (8 * w):
            raise LaunchError("value %d does not fit in %d bits" % (a, 8 * w))
        return (a & ((1 << (8 * w)) - 1)).to_bytes(w, "little")
    if isinstance(a, float):
        if ty == "f32" or (ty == "b32"):
            with np.errstate(all="ignore"):
                return np.float32(a).tobytes()
        if ty == "f64" or ty == "b64":
            return struct.pack("<d", a)
        if ty == "f16":
            return np.float16(a).tobytes()
        raise LaunchError("a Python float was given for an integer parameter; pass a numpy "
                          "scalar of the right size or an int")
    raise LaunchError("cannot pass a %s" % type(a).__name__)


class Result:
    """Outcome of a launch: warnings, printf text, elapsed seconds, statistics."""

    def __init__(self, kernel, m, hooks):
        self.kernel = kernel
        self.grid, self.block = m.geo.grid, m.geo.block
        self.threads = m.geo.T * m.geo.ncta
        self.elapsed = m.elapsed
        self.steps = m.steps
        self.printf = "".join(m.printf)
        self.warnings = [("line %s: %s" % (ln, msg), n) for (ln, msg), n in
                         sorted(m.warnings.items(), key=lambda x: (x[0][0] or 0, x[0][1]))]
        self.instructions = sum(t * len_ops(b) for t, b in zip(m.exec_threads, m.blocks))
        self._m = m
        self.hooks = hooks
        self.stats = None
        if m.opts.get("stats"):
            self.stats = Stats(kernel, m, [h for h in hooks if type(h).__name__ == "StatsHook"][0])

    @property
    def races(self):
        for h in self.hooks:
            if type(h).__name__ == "RaceHook":
                return h.reports
        return []

    def __repr__(self):
        return "Result(%s: %d threads, %d thread-instructions, %.3f s%s)" % (
            self.kernel.name, self.threads, self.instructions, self.elapsed,
            ", %d warnings" % len(self.warnings) if self.warnings else "")


def len_ops(b):
    return block_size(b)


def memref(array, offset=0):
    """Arguments of an MLIR memref descriptor: (allocated, aligned, offset, sizes...,
    strides...) in elements."""
    a = array.array if isinstance(array, Buffer) else array
    strides = []
    s = 1
    for d in reversed(a.shape):
        strides.insert(0, s)
        s *= d
    return [array, array, offset] + [int(d) for d in a.shape] + strides


def launch(kernel, grid=1, block=1, args=(), shared_bytes=0, **opts):
    """launch(kernel, ...) with kernel = module.kernels[name]."""
    if not isinstance(kernel, Kernel):
        raise LaunchError("launch() wants a Kernel: use module.kernels[name]")
    return kernel.launch(grid, block, args, shared_bytes, **opts)
