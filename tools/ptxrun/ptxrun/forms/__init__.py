# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The forms of PTX instructions: one operation in, lines of Python out."""

from . import (arithmetic, bits, compare, functions, matrix, memory, move,  # noqa: F401
               warp)
from .registry import HANDLERS  # noqa: F401
from .warp import gen_barrier  # noqa: F401
