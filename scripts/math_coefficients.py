#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the polynomials of lib/Dialect/Streams/StreamMath.cpp (needs mpmath).

    math_coefficients.py                               prints the tables
    math_coefficients.py --check lib/Dialect/Streams/StreamMath.cpp

Each polynomial minimises the largest relative error of the function it stands
in, by Remez' exchange in 60 digits. Coefficients are then rounded to the float
type one by one, the lowest power first, and those left are fitted anew each
time to make good for the rounding. The result depends on nothing but this file
(60 digits leave rounding and platform no say).
"""

import argparse
import re
import sys

import mpmath
from mpmath import matrix, mp, mpf

mp.dps = 60

LOG2 = mp.log(2)
TURN = 2 * mp.pi


def round_to(x, bits):
    """The float with `bits` of significand that is nearest to `x`."""
    if not x:
        return x
    fraction, exponent = mpmath.frexp(x)
    return mpmath.ldexp(
        mpmath.nint(mpmath.ldexp(fraction, bits)), exponent - bits)


def chebyshev(low, high, count):
    """`count` points of [low, high], denser at the ends."""
    low, high = mpf(low), mpf(high)
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(
        mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]


def sign_runs(errors):
    """The index of the largest error of each run of errors of one sign."""
    extrema = []
    for i, error in enumerate(errors):
        if extrema and (errors[extrema[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[extrema[-1]]):
                extrema[-1] = i
        else:
            extrema.append(i)
    return extrema


def exchange(rows, targets, iterations=40):
    """Coefficients c that minimise max |targets[i] - rows[i] . c|, and it.

    The rows have to be a Haar system: powers on an interval, each row times a
    positive weight.
    """
    size, count = len(rows[0]), len(rows)
    index = [int((count - 1) * (k + 0.5) / (size + 1) + 0.5)
             for k in range(size + 1)]
    best = None
    for _ in range(iterations):
        system, right = matrix(size + 1, size + 1), matrix(size + 1, 1)
        for r, i in enumerate(index):
            for j in range(size):
                system[r, j] = rows[i][j]
            system[r, size] = (-1)**r
            right[r] = targets[i]
        solution = mp.lu_solve(system, right)
        coefficients = [solution[j] for j in range(size)]
        errors = [target - mp.fdot(row, coefficients)
                  for row, target in zip(rows, targets)]
        largest = max(abs(error) for error in errors)
        if best is None or largest < best[1]:
            best = coefficients, largest
        if largest <= abs(solution[size]) * mpf('1.001'):
            break
        extrema = sign_runs(errors)
        while len(extrema) > size + 1:
            if len(extrema) == size + 2:
                first, last = abs(errors[extrema[0]]), abs(errors[extrema[-1]])
                extrema.pop(0 if first < last else -1)
                continue
            k = min(range(len(extrema) - 1), key=lambda k: max(
                abs(errors[extrema[k]]), abs(errors[extrema[k + 1]])))
            del extrema[k:k + 2]
        if len(extrema) < size + 1:
            break
        index = extrema
    return best


def fit(points, targets, weights, size, bits):
    """Coefficients of 1, x, ... x^(size - 1), rounded, and the largest error.

    Minimises |weight| * |target - polynomial(x)| over the points.
    """
    targets = [t * abs(w) for t, w in zip(targets, weights)]
    rows = [[x**j * abs(w) for j in range(size)]
            for x, w in zip(points, weights)]
    rounded = []
    for power in range(size):
        # Of the powers from x^power on, x^power changes its sign at 0: the
        # rest is a Haar system, so the signs move to the weight.
        signs = [-1 if x < 0 and power % 2 else 1 for x in points]
        coefficients, _ = exchange(
            [[r * s for r in row] for row, s in zip(rows, signs)],
            [t * s for t, s in zip(targets, signs)])
        rounded.append(round_to(coefficients[0], bits))
        targets = [t - row[0] * rounded[-1] for t, row in zip(targets, rows)]
        rows = [row[1:] for row in rows]
    return rounded, max(abs(t) for t in targets)


def fit_log(size, bits):
    """log(1 + f) = f + f^2 (-1/2 + f P(f)) for |f| <= 1/3.

    The error is relative to the least result: log(1 + f) below 0, and
    log((1 + f) / 2) above, where the exponent is -1 or less.
    """
    points = [f for f in chebyshev(-mpf(1) / 3, mpf(1) / 3, 300) if f]
    targets = [(mp.log1p(f) - f + f * f / 2) / f**3 for f in points]
    weights = [f**3 / (mp.log1p(f) if f < 0 else LOG2 - mp.log1p(f))
               for f in points]
    return fit(points, targets, weights, size, bits)


def fit_sin(size, bits):
    """sin(2 pi r) = r T + r P(r^2) for |r| <= 1/8, T = 2 pi as a float."""
    head = round_to(TURN, bits)
    points = chebyshev(0, mpf(1) / 64, 100)
    sines = [mp.sin(TURN * mp.sqrt(t)) / mp.sqrt(t) for t in points]
    return fit(points, [s - head for s in sines], [1 / s for s in sines], size,
               bits)


def fit_cos(size, bits):
    """cos(2 pi r) = 1 + r^2 P(r^2) for |r| <= 1/8."""
    points = chebyshev(0, mpf(1) / 64, 100)
    cosines = [mp.cos(TURN * mp.sqrt(t)) for t in points]
    return fit(points, [(c - 1) / t for c, t in zip(cosines, points)],
               [t / c for c, t in zip(cosines, points)], size, bits)


def erfinv_ratio(w):
    """erfinv(y) / y where w = -log(1 - y^2) > 0, by Newton's method."""
    y = mp.sqrt(-mp.expm1(-w))
    complement = mp.exp(-w) / (1 + y)
    x = mp.sqrt(w) if w > 1 else y * mp.sqrt(mp.pi) / 2
    for _ in range(100):
        step = (mp.erfc(x) - complement) * mp.exp(x * x) * mp.sqrt(mp.pi) / 2
        x += step
        if abs(step) < mpf(10)**-50 * x:
            break
    return x / y


def fit_erfinv_centre(size, bits, end):
    """erfinv(y) = y H + y P(l) for l = log(1 - y^2) >= -end.

    H is erfinv(y) / y at 0, sqrt(pi) / 2, as a float.
    """
    head = round_to(mp.sqrt(mp.pi) / 2, bits)
    points = chebyshev(-mpf(end), 0, 120)
    ratios = [erfinv_ratio(-l) for l in points]
    return fit(points, [r - head for r in ratios], [1 / r for r in ratios],
               size, bits)


def fit_erfinv_tail(size, bits, low, high, middle):
    """erfinv(y) = y s + y P(s - middle), s^2 = -log(1 - y^2) in [low, high]."""
    points = chebyshev(mp.sqrt(low) - middle, mp.sqrt(high) - middle, 120)
    ratios = [erfinv_ratio((x + middle)**2) for x in points]
    return fit(points, [r - x - middle for r, x in zip(ratios, points)],
               [1 / r for r in ratios], size, bits)


TABLES = [
    ("kLogF32", lambda: fit_log(7, 24)),
    ("kLogF64", lambda: fit_log(19, 53)),
    ("kSinF32", lambda: fit_sin(4, 24)),
    ("kSinF64", lambda: fit_sin(7, 53)),
    ("kCosF32", lambda: fit_cos(4, 24)),
    ("kCosF64", lambda: fit_cos(7, 53)),
    ("kErfInvCentreF32", lambda: fit_erfinv_centre(10, 24, 5)),
    ("kErfInvCentreF64", lambda: fit_erfinv_centre(21, 53, 5)),
    ("kErfInvTailF32", lambda: fit_erfinv_tail(10, 24, 5, 16, 3)),
    ("kErfInvTailF64", lambda: fit_erfinv_tail(30, 53, 5, mpf('36.1'), 4)),
]



def shorten(text):
    """A hexadecimal literal without zeros at the end of its fraction."""
    return re.sub(r"\.?0*p", "p", text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", metavar="FILE",
                        help="says which tables FILE does not have")
    arguments = parser.parse_args()
    text = open(arguments.check).read() if arguments.check else ""
    missing = 0
    for name, compute in TABLES:
        coefficients, error = compute()
        literals = [shorten(float(c).hex()) for c in coefficients]
        table = "static const double %s[] = {\n    %s};" % (
            name, ",\n    ".join(literals))
        if not arguments.check:
            print("/// 2^%.1f" % mp.log(error, 2))
            print(table, flush=True)
        elif re.sub(r"\s", "", table) not in re.sub(r"\s", "", text):
            print("not in %s: %s" % (arguments.check, name))
            missing += 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
