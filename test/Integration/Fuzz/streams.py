#===- streams.py - The streams of random programs --------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The algorithms that generators of random programs have, from their formulas
(docs/spec.md, sections 1.4 and 3), on exact rationals.

A stream is a pair (convention, rounds of Philox) and answers: its attribute, the
blocks that a draw reserves, the bits of an element.
"""
from fractions import Fraction

M32 = (1 << 32) - 1
M64 = (1 << 64) - 1

# Those that a program may have, the default one more often.
CONVENTIONS = ["nvfuser", "torch", "torch_eager", "triton", "xla", "tensorflow",
               "threefry"]
THREADS = 256
# Elements of a block are neighbours; in the others the block has one element.
LINEAR = ("nvfuser", "torch", "xla", "tensorflow")
# What a draw reserves does not depend on its size.
CONSTANT = ("nvfuser", "tensorflow")
# 64-bit types take the first word as their upper half.
UPPER_FIRST = ("torch", "torch_eager", "threefry")

# ------------------------------------------------------------------- numbers

# Element type -> (bits of the exponent, bits of precision).
FLOATS = {"f16": (5, 11), "bf16": (8, 8), "f32": (8, 24), "f64": (11, 53)}


def encode(elem, q):
    """Bits of the rational `q` rounded to a float type, ties to even. Large
    values, infinities and negative zero do not occur in programs."""
    ebits, precision = FLOATS[elem]
    q = Fraction(q)
    if q == 0:
        return 0
    sign = 1 << (ebits + precision - 1) if q < 0 else 0
    q = abs(q)
    bias = (1 << (ebits - 1)) - 1
    exponent = q.numerator.bit_length() - q.denominator.bit_length()
    if Fraction(2) ** exponent > q:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    ulp = Fraction(2) ** (exponent - precision + 1)
    n = round(q / ulp)  # Python rounds ties to even.
    # Subnormals lack the implicit bit; a carry out of the significand moves
    # the exponent by itself.
    return sign | (((exponent + bias - 1) << (precision - 1)) + n)


def decode(elem, bits):
    """The rational that a float type's `bits` stand for."""
    ebits, precision = FLOATS[elem]
    bias = (1 << (ebits - 1)) - 1
    mantissa = bits & ((1 << (precision - 1)) - 1)
    exponent = (bits >> (precision - 1)) & ((1 << ebits) - 1)
    if exponent:
        mantissa |= 1 << (precision - 1)
    value = mantissa * Fraction(2) ** (max(exponent, 1) - bias - precision + 1)
    return -value if bits >> (ebits + precision - 1) else value


def rounded(elem, q):
    return decode(elem, encode(elem, q))


# -------------------------------------------------------------------- streams


def is_wide(elem):
    return elem in ("i64", "f64")


def is_drawn(stream, elem):
    """Triton has words of 32 bits and f32 alone."""
    return stream[0] != "triton" or elem not in ("i64", "f64", "f16", "bf16")


def is_constant(stream):
    return stream[0] in CONSTANT


def attribute(stream):
    convention, rounds = stream
    if convention == "threefry":
        return "#rng.threefry"
    if convention == "torch_eager":
        convention = "#rng.torch_eager<threads = %d>" % THREADS
    fields = ["rounds = %d" % rounds] if rounds != 10 else []
    if convention != "nvfuser":
        fields.append("convention = " + convention)
    return "#rng.philox" + ("<%s>" % ", ".join(fields) if fields else "")


def advance(stream, elem, count):
    """The blocks that a draw of `count` elements reserves."""
    convention = stream[0]
    if is_constant(stream):
        return 1
    per_block = 1
    if convention not in ("triton", "threefry"):
        per_block = 2 if is_wide(elem) else 4
    if convention == "torch_eager":
        per_block *= THREADS
    return -(-count // per_block)


def philox(counter, key, rounds):
    """The four words of one block of Philox4x32 at a counter of 128 bits."""
    c = [counter >> 32 * i & M32 for i in range(4)]
    k0, k1 = key & M32, key >> 32
    for _ in range(rounds):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(b >> 32) ^ c[1] ^ k0, b & M32, (a >> 32) ^ c[3] ^ k1, a & M32]
        k0, k1 = (k0 + 0x9E3779B9) & M32, (k1 + 0xBB67AE85) & M32
    return c


def threefry(counter, key):
    """The two words of one block of Threefry2x32-20, upper halves first."""
    ks = [key >> 32, key & M32]
    ks.append(ks[0] ^ ks[1] ^ 0x1BD11BDA)
    x = [(counter >> 32) + ks[0] & M32, counter + ks[1] & M32]
    for group in range(5):
        for turn in ((13, 15, 26, 6), (17, 29, 16, 24))[group % 2]:
            x[0] = x[0] + x[1] & M32
            x[1] = (x[1] << turn | x[1] >> 32 - turn) & M32 ^ x[0]
        x[0] = x[0] + ks[(group + 1) % 3] & M32
        x[1] = x[1] + ks[(group + 2) % 3] + group + 1 & M32
    return x


def words(stream, elem, seed, offset, index):
    """The word of an element, or both of a 64-bit one."""
    convention, rounds = stream
    wide = is_wide(elem)
    if convention == "threefry":
        x = threefry(offset + index & M64, seed)
        return x if wide else [x[0] ^ x[1]]
    if convention == "triton":
        return philox(offset + index & M64, seed, rounds)[:1]
    per_block = 2 if wide else 4
    number = index // THREADS if convention == "torch_eager" else index
    block, slot = divmod(number, per_block)
    if convention == "nvfuser":
        counter, key = block << 64 | offset, seed
    elif convention == "torch":
        counter, key = offset + block & M64, seed
    elif convention == "torch_eager":
        counter, key = (index % THREADS << 64) + offset + block, seed
    elif convention == "xla":
        counter, key = (seed << 64) + offset + block, seed
    else:
        mixed = philox(offset << 64 | seed, 0x02461E293EC8F720, 10)
        counter = block | mixed[2] << 64 | mixed[3] << 96
        key = mixed[0] | mixed[1] << 32
    block_words = philox(counter, key, rounds)
    return block_words[2 * slot:2 * slot + 2] if wide else [block_words[slot]]


def integer(stream, x):
    if len(x) == 1:
        return x[0]
    return x[0] << 32 | x[1] if stream[0] in UPPER_FIRST else x[0] | x[1] << 32


def unit(stream, elem, x):
    """The value without a range, before cuRAND's end rule and last rounding."""
    convention = stream[0]
    ebits, precision = FLOATS[elem]
    if convention in ("nvfuser", "torch_eager"):
        if elem == "f64":
            return rounded("f64", Fraction(2 * (x[0] ^ x[1] << 21) + 1, 1 << 54))
        return rounded("f32",
                       rounded("f32", x[0]) / (1 << 32) + Fraction(1, 1 << 33))
    if convention == "torch":
        return Fraction(integer(stream, x) % (1 << precision), 1 << precision)
    if convention == "triton":
        folded = x[0] ^ (M32 if x[0] >> 31 else 0)
        return rounded("f32", rounded("f32", folded) *
                       (Fraction(1, 1 << 31) - Fraction(1, 1 << 55)))
    count = precision - 1
    if convention == "tensorflow":
        low = x[0] << 32 | x[1] if elem == "f64" else x[0]
        return Fraction(low % (1 << count), 1 << count)
    width = 8 if elem == "bf16" else ebits + precision
    return Fraction(integer(stream, x) % (1 << width) >> width - count,
                    1 << count)


def uniform(stream, elem, x, params):
    """Bits of a uniform element."""
    convention = stream[0]
    lo, hi = (Fraction(y) for y in (params or (0, 1)))
    if lo >= hi:
        return encode(elem, lo)
    u = unit(stream, elem, x)
    compute = "f64" if elem == "f64" else "f32"
    if convention in ("nvfuser", "triton"):
        if compute == elem and u == 1:
            # The end rule comes first; without a range it is the only one.
            u = 0
        value = rounded(compute, rounded(compute, hi - lo) * u + lo)
        if rounded(elem, value) >= rounded(elem, hi):
            value = lo
        return encode(elem, value)
    # The others round bounds and their distance to the type first.
    lo, hi = rounded(elem, lo), rounded(elem, hi)
    width = rounded(elem, hi - lo)
    if convention == "torch_eager":
        value = rounded(elem, rounded(compute, width * u + lo))
        return encode(elem, lo if value == hi else value)
    if convention == "torch":
        return encode(elem, rounded(compute, rounded(compute, width * u) + lo))
    if convention == "tensorflow" or elem != compute:
        value = rounded(elem, rounded(elem, width * u) + lo)
    else:
        value = rounded(elem, width * u + lo)
    return encode(elem, value if convention == "tensorflow" else
                  max(lo, value))


def element(spec, stream, seed, offset, index):
    """Bits of element `index` of a draw."""
    x = words(stream, spec.elem, seed, offset, index)
    if spec.dist == "bits":
        value = integer(stream, x)
        return value >> 31 if spec.elem == "i1" else value % (
            1 << int(spec.elem[1:]))
    if spec.dist == "bernoulli":
        u = unit(stream, "f32", x)
        return int((0 if u == 1 else u) < Fraction(spec.params[0]))
    return uniform(stream, spec.elem, x, spec.params)
