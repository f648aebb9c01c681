# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the word "block" where nothing says which block is meant.

    words.py ROOT          prints FILE:LINE: and the sentence around each
    words.py --self-test   checks the rules on lines that are right or wrong

Looks at comments of C++ files, at descriptions and comments of TableGen files,
and at the text of Markdown files in include/, lib/ and docs/. Code in backquotes
or fences is not looked at. Words may be on two lines.
"""
import os
import re
import sys

# What the word belongs to: the glossary of docs/code.md, names of other systems
# and of upstream, and ranges such as [offset, offset + blocks).
KNOWN = re.compile(
    r"""\b([Ss]tream|[Tt]hread|[Bb]asic|[Ee]ntry)(\ |-)blocks?\b
      | \bblock(\ |-)(functions?|arguments?|ids?|dims?)\b
      | what\ MLIR\ calls\ a\ block\b
      | \[\w+,\ \w+\ \+\ blocks\) | \+\ blocks\ -\ 1
      | \bblocks?\ \[ | "blocks\b | \*blocks\*
      | \w*Blocks?\w* | \bblock\.h\b""", re.VERBOSE)
LONE = re.compile(r"\bblocks?\b")


def blank(match):
    """As many characters, so that places stay."""
    return re.sub(r"[^\n]", "_", match.group(0))


def read_prose(name, text):
    """The text with all that is no prose left out, lines kept."""
    lines = text.split("\n")
    fenced = described = False
    for i, line in enumerate(lines):
        if name.endswith((".h", ".cpp")):
            start = line.find("//")
            lines[i] = "" if start < 0 else line[start:].lstrip("/ ")
            continue
        if line.lstrip().startswith("```"):
            fenced = not fenced
            lines[i] = ""
        elif fenced:
            lines[i] = ""
        elif name.endswith(".td"):
            if "description = [{" in line or (described and "}]" in line):
                described = "[{" in line and "}]" not in line
                lines[i] = ""
            elif not described:
                start = line.find("//")
                lines[i] = "" if start < 0 else line[start:].lstrip("/ ")
    return "\n".join(line.strip() for line in lines)


def find_lone(name, text):
    """(line number, line) of each lone block."""
    prose = re.sub(r"`[^`\n]*`", blank, read_prose(name, text))
    # A line break is a space, and as long.
    joined = re.sub(r"(?<=\S)\n(?=\S)", " ", prose)
    known = KNOWN.sub(blank, joined)
    for match in LONE.finditer(known):
        number = prose.count("\n", 0, match.start()) + 1
        yield number, text.split("\n")[number - 1].strip()


RIGHT = [
    ("a.h", "// One stream\n// block of the basic-block `block`."),
    ("a.h", "int block; // the thread blocks"),
    ("a.md", "A block function.\n\n```\na block\n```\n"),
    ("a.td", 'let description = [{\n  A thread block.\n}];\nlet block = "";'),
]
WRONG = [
    ("a.h", "// One thread\n// of a block."),
    ("a.md", "- `x` of\n  blocks"),
    ("a.td", 'let description = [{\n  A block.\n}];'),
]


def main():
    if sys.argv[1:] == ["--self-test"]:
        for name, text in RIGHT:
            assert not list(find_lone(name, text)), text
        for name, text in WRONG:
            assert list(find_lone(name, text)), text
        print("right and wrong lines are told apart")
        return 0
    root = sys.argv[1]
    found = 0
    for top in ("docs", "include", "lib"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if not name.endswith((".h", ".cpp", ".td", ".md")):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                for number, line in find_lone(name, text):
                    found += 1
                    print("%s:%d: which block? %s" % (
                        os.path.relpath(path, root), number, line))
    print("%d lone blocks" % found)
    return found != 0


if __name__ == "__main__":
    sys.exit(main())
