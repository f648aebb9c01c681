# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a time grows with a size: what the benchmarks of passes share."""

import math


def fit_exponent(points):
    """The e of time = c * size^e, least squares of the logarithms of `points`,
    pairs (size, seconds); NaN if there is only one size."""
    points = [(math.log(n), math.log(max(t, 1e-4))) for n, t in points]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if not spread:
        return math.nan
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
