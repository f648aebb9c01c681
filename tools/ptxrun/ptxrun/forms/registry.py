# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which function generates code for which instruction, and how modifiers are read.

A handler h(g, o, mods, ops) gets the generator of the basic block, the
operation, a list of its modifiers to take from, and its operands.  What it does
not take or understand it refuses: nothing is ignored silently.
"""

HANDLERS = {}


def op(*names):
    def deco(f):
        for n in names:
            HANDLERS[n] = f
        return f
    return deco


def flag(mods, name):
    if name in mods:
        mods.remove(name)
        return True
    return False


def pick(mods, names, default=None):
    for m in mods:
        if m in names:
            mods.remove(m)
            return m
    return default


def done(g, mods):
    if mods:
        g.unknown("modifier .%s not implemented" % " .".join(mods))


def nops(g, ops, *counts):
    if len(ops) not in counts:
        g.bad("%d operands, expected %s" % (len(ops), " or ".join(map(str, counts))))


def typed(g, mods, ops, count, types):
    """The type of a form of so many operands, which is the last modifier left
    after the others have been taken; it has to be one of types."""
    ty = mods.pop()
    done(g, mods)
    nops(g, ops, count)
    if ty not in types:
        g.unknown("type .%s" % ty)
    return ty
