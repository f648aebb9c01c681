# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples in the pages of passes.

    pass-pages.py PAGES.md...

A page is what stands under a heading "### `-<pass>`". An example is a block
fenced as ```mlir whose first line is "// rng-opt <options>", a command that is
run on the block. With -verify-diagnostics it has to succeed: the block says
where errors are expected. Otherwise the next block of the page says what
becomes of it. If that is a whole program (```mlir), or a part of one
(```mlir-fragment), each of its lines has to be in the output, in that order; a
line "..." and other lines may be in between, "..." within a line stands for
anything, and "..." in quotes for any string. Names of values are not compared,
but have to stand for one value each in a function.

Fails if a page has no example that runs its pass.
"""

import re
import shlex
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|->|\.\.\.|%[\w$.-]+|[\^#]\d+'
                   r"|[\^@!#]?[A-Za-z_$][\w$.]*"
                   r"|-?\d+\.\d*(?:[eE][-+]?\d+)?|\d+|\S")
MAX_STEPS = 1000000


class Block:

    def __init__(self, line, language):
        self.line, self.language, self.lines = line, language, []

    def command(self):
        first = self.lines[0].strip() if self.lines else ""
        if self.language != "mlir" or not first.startswith("// rng-opt "):
            return None
        return shlex.split(first[len("// "):])

    def text(self):
        return "\n".join(self.lines) + "\n"


def read_pages(path):
    """Yields the pages of a file: the pass and the fenced blocks."""
    name, blocks, block = None, [], None
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        heading = re.match(r"### `-([\w-]+)`", line)
        fence = re.match(r" *```(\S*)", line)
        if block is not None:
            if fence:
                blocks.append(block)
                block = None
            else:
                block.lines.append(line.rstrip("\n"))
        elif fence:
            block = Block(number, fence.group(1))
        elif heading:
            if name:
                yield name, blocks
            name, blocks = heading.group(1), []
    if name:
        yield name, blocks


def rename_dims(match):
    """One affine map, with its dimensions called d0, d1, ..."""
    text = match.group(0)
    names = re.findall(r"\w+", text[text.index("(") + 1:text.index(")")])
    for i, name in enumerate(names):
        text = re.sub(rf"\b{name}\b", f"\0{i}", text)
    return text.replace("\0", "d")


def simplify(text):
    """Without comments and aliases of attributes."""
    text = re.sub(r"^ *//.*$| // .*$", "", text, flags=re.M)
    aliases = dict(re.findall(r"^(#\w+) = (.*)$", text, flags=re.M))
    text = re.sub(r"^#\w+ = .*$", "", text, flags=re.M)
    text = re.sub(r"#\w+\b(?!\.)", lambda m: aliases.get(m.group(0), m.group(0)),
                  text)
    return re.sub(r"affine_map<\([^>]*(?:->[^>]*)>", rename_dims, text)


def tokenize(text):
    tokens = TOKEN.findall(text)
    for i, token in enumerate(tokens):
        if re.fullmatch(r"-?\d+\.\d*(?:[eE][-+]?\d+)?", token):
            tokens[i] = repr(float(token))
    return tokens


def split_segments(text):
    """The token sequences that have to follow each other, with their lines."""
    for line in simplify(text).split("\n"):
        segment = []
        for token in tokenize(line) + ["..."]:
            if token != "...":
                segment.append(token)
            elif segment:
                yield line.strip(), segment
                segment = []


def unify(segment, tokens, start, names):
    """The names with those that the segment adds if it is at `start`."""
    if start + len(segment) > len(tokens):
        return None
    for wanted, found in zip(segment, tokens[start:]):
        if wanted[0] in "%^" and len(wanted) > 1 and found[0] == wanted[0]:
            if names.get(wanted, found) != found:
                return None
            if wanted not in names:
                names = {**names, wanted: found}
        elif wanted == '"..."':
            if found[0] != '"':
                return None
        elif wanted != found:
            return None
    return names


def find_missing(segments, tokens):
    """The first line that is nowhere behind those before it, None if all are
    there. Goes back to other places of these if need be."""
    deepest, steps = 0, 0
    # Of each segment that has been placed: where to look on, and the names
    # before it.
    stack = [(0, {})]
    while len(stack) <= len(segments):
        start, names = stack.pop()
        index = len(stack)
        segment = segments[index][1]
        if segment[0] in ("func.func", "gpu.func", "llvm.func"):
            names = {}
        place = start
        while place < len(tokens):
            bound = unify(segment, tokens, place, names)
            steps += 1
            if bound is not None:
                break
            place += 1
        if place < len(tokens) and steps < MAX_STEPS:
            stack.append((place + 1, names))
            stack.append((place + len(segment), bound))
            deepest = max(deepest, index + 1)
        elif not stack or steps >= MAX_STEPS:
            return segments[deepest][0]
    return None


def run(command, text):
    """Runs rng-opt on `text`; returns whether it succeeds, and its output."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(command, input=text, capture_output=True,
                                cwd=folder, text=True)
    if result.returncode != 0:
        sys.stderr.write(result.stderr)
    return result.returncode == 0, result.stdout


def check_example(command, before, after):
    """Why an example is wrong; None if it is not."""
    succeeds, output = run(command, before.text())
    if not succeeds:
        return "fails"
    if "verify-diagnostics" in " ".join(command):
        return None
    if after is None:
        return "has no block behind it that says what it becomes"
    expected = after.text()
    if after.language == "mlir":
        succeeds, expected = run(["rng-opt"], expected)
        if not succeeds:
            return "becomes what is no program"
    elif after.language != "mlir-fragment":
        return "has no block of mlir behind it that says what it becomes"
    segments = list(split_segments(expected))
    missing = find_missing(segments, tokenize(simplify(output)))
    if missing is None:
        return None
    return f"does not yield, or not there: {missing}\n{output}"


def check_page(path, name, blocks):
    """The number of examples of a page, and what is wrong with it."""
    count, has_own, faults = 0, False, []
    pattern = re.compile(rf"(^-+|[(,]){name}(?![\w-])")
    for block, after in zip(blocks, blocks[1:] + [None]):
        command = block.command()
        if not command:
            continue
        count += 1
        has_own |= any(pattern.search(word) for word in command)
        fault = check_example(command, block, after)
        if fault:
            faults.append(f"{path}:{block.line}: the example of {name} {fault}")
    if not has_own:
        faults.append(f"{path}: the page of {name} has no example that runs it")
    return count, faults


def main():
    num_pages, num_examples, faults = 0, 0, []
    for path in sys.argv[1:]:
        for name, blocks in read_pages(path):
            count, new = check_page(path, name, blocks)
            num_pages += 1
            num_examples += count
            faults += new
    for fault in faults:
        print(fault)
    print(f"{num_pages} pages, {num_examples} examples, {len(faults)} faults")
    sys.exit(1 if faults or not num_pages else 0)


if __name__ == "__main__":
    main()
