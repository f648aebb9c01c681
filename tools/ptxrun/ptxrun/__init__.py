# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An interpreter of PTX on numpy arrays: `Module.from_text(ptx).launch(...)`."""

from .errors import (Deadlock, Divergence, ExecutionError, LaunchError, MemoryFault,  # noqa: F401
                     Misaligned, OutOfBounds, PtxError, PtxParseError, RaceError,
                     ReadOnlyWrite, Timeout, Trap, UninitialisedRead, UnknownInstruction)
from .memory import Buffer, Ptr, uninit  # noqa: F401
from .module import Kernel, Module, Result, Struct, launch, memref  # noqa: F401
