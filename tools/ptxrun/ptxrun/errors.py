# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions raised by ptxrun.  Every one derives from PtxError."""


class PtxError(Exception):
    """Base class.  `line` is the 1-based line of the PTX text, if known."""

    def __init__(self, message, line=None, text=None):
        self.line = line
        self.text = text
        self.message = message
        where = ""
        if line is not None:
            where = "PTX line %d" % line
            if text:
                where += ": `%s`" % text.strip()
            where += ": "
        super().__init__(where + message)


class PtxParseError(PtxError):
    """The text is not PTX that this parser understands."""


class UnknownInstruction(PtxError):
    """An opcode, or a modifier or operand form of it, that is not implemented."""


class LaunchError(PtxError):
    """A wrong kernel name, argument list, grid or block."""


class MemoryFault(PtxError):
    """Base of the access errors.  Carries space, address, size, thread, block."""

    def __init__(self, message, line=None, text=None, space=None, address=None,
                 size=None, thread=None, block=None):
        self.space = space
        self.address = address
        self.size = size
        self.thread = thread
        self.block = block
        super().__init__(message, line, text)


class OutOfBounds(MemoryFault):
    """An address in no buffer, or an access past the end of one."""


class Misaligned(MemoryFault):
    """An address that is no multiple of the size of the access."""


class UninitialisedRead(MemoryFault):
    """A read of bytes that nobody has written."""


class ReadOnlyWrite(MemoryFault):
    """A write to constants, parameters or a read-only array."""


class RaceError(MemoryFault):
    """Two threads touched the same bytes with no ordering between them."""


class ExecutionError(PtxError):
    """Traps, failed asserts, bad indirect branches and the like."""


class Trap(ExecutionError):
    """`trap` was executed, or an assertion failed."""


class Deadlock(ExecutionError):
    """Threads wait for each other at barriers or warp-synchronous operations."""


class Divergence(ExecutionError):
    """A warp-synchronous or aligned operation executed by a diverged warp."""


class Timeout(ExecutionError):
    """The launch took longer than `timeout_s`."""
