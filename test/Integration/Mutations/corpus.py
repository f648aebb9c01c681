#===- corpus.py - The modules that are mutated -----------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Reads IR from files and documents, and cuts it into small inputs: one op of
the top level, with the symbols that it uses and the aliases before it. A fault
that a mutation causes then stands nearly alone, and a run sees many inputs.
"""
import bisect
import glob
import hashlib
import os
import re

SPLIT = "// -----"
# Generated or pinned programs of thousands of ops are left out.
MAX_BYTES = 6000

COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*')
SYMBOL = re.compile(r'@([A-Za-z_][\w.$-]*)')
BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def without_comments(text):
    text = COMMENT.sub(lambda match: match.group(1) or "", text)
    return "\n".join(line.rstrip() for line in text.split("\n")
                     if line.strip())


def depth(line):
    """By how many brackets a line opens more than it closes."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
    return sum(BRACKETS.get(c, 0) for c in line)


def statements(text):
    """The ops of a region without nested lines: each a list of lines. A line
    that begins deeper than its neighbours continues the op before it."""
    parts, level = [], 0
    lines = text.split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines
                  if line.strip()), default=0)
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not parts or level <= 0 and indent <= margin and \
                not line.lstrip().startswith(("}", ")", "->", "attributes")):
            parts.append([])
        parts[-1].append(line)
        level += depth(line)
    return parts


def units(text):
    """The ops of the top level of `text`, each with what it refers to."""
    text = without_comments(text)
    if not text:
        return []
    parts = ["\n".join(lines) for lines in statements(text)]
    aliases = [p for p in parts if re.match(r"[#!][\w.$-]+\s*=", p)]
    ops = [p for p in parts if p not in aliases]
    defined = {}
    for op in ops:
        match = SYMBOL.search(op.split("\n")[0])
        if match and not op.startswith("module"):
            defined[match.group(1)] = op
    result = []
    for op in ops:
        wanted, todo = [op], [op]
        while todo:
            for name in SYMBOL.findall(todo.pop()):
                callee = defined.get(name)
                if callee and callee not in wanted:
                    wanted.append(callee)
                    todo.append(callee)
        inside = [p for p in ops if p in wanted]
        if all(re.match(r"\s*(func\.func|rng\.generator)[^{]*$", p)
               for p in inside) and len(ops) > 1:
            continue
        result.append("\n".join(aliases + inside) + "\n")
    return result


def blocks(text):
    """The blocks of a document that are fenced as ```mlir."""
    return re.findall(r"^ *```mlir *\n(.*?)^ *```", text, re.M | re.S)


class Corpus:
    """Inputs, chosen by a hash of their text: one more or less changes few of
    the choices of a seed."""

    def __init__(self, inputs):
        hashed = sorted((hashlib.sha256(text.encode()).digest(), text)
                        for text in inputs)
        self.hashes = [h for h, _ in hashed]
        self.inputs = [text for _, text in hashed]

    def pick(self, random):
        place = bisect.bisect(self.hashes, random.randbytes(32))
        return self.inputs[place % len(self.inputs)]


def read(root):
    """All inputs below the checkout `root`, each once."""
    texts = []
    for folder in ("examples", "test"):
        for path in sorted(glob.glob(os.path.join(root, folder, "**/*.mlir"),
                                     recursive=True)):
            with open(path) as file:
                texts += file.read().split(SPLIT)
    for pattern in ("*.md", "docs/*.md", "include/RngDialect/*/*.td"):
        for path in sorted(glob.glob(os.path.join(root, pattern))):
            with open(path) as file:
                texts += blocks(file.read())
    inputs = set()
    for text in texts:
        for unit in units(text):
            if len(unit) <= MAX_BYTES:
                inputs.add(unit)
    return Corpus(inputs)
