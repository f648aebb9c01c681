# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the folders of lib/ to their arrows, by the #include lines.

    includes.py ROOT [--dot | --check-svg FILE]

A folder with a CMakeLists.txt that makes a library is one. An include of a
header of another folder is an arrow to it. Fails unless

* a header that another folder includes lies in include/, and one without a path
  beside the file that includes it;
* LINK_LIBS of a folder reaches all that it includes, and names nothing that it
  does not include;
* no arrow of FORBIDDEN is there, and no circle;
* the umbrella headers are included by nobody but the folder that UMBRELLAS
  names;
* each folder with sources makes a library, and the runtime includes nothing of
  LLVM or of the compiler.

With --dot, prints the arrows that LINK_LIBS names for Graphviz instead, but for
those that others imply (test/Structure/draw.sh). With --check-svg FILE, fails
unless FILE has been drawn of them.
"""

import collections
import html
import os
import re
import sys

# Whoever includes what it must not: FROM: (folders, headers of upstream by the
# beginning of their names). Folders are named from lib/ on.
GPU = ("mlir/Dialect/GPU", "mlir/Conversion/GPU", "mlir/Dialect/NVGPU",
       "mlir/Dialect/AMDGPU", "mlir/Dialect/XeGPU", "mlir/Dialect/SPIRV")
LLVM_IR = ("mlir/Dialect/LLVMIR", "mlir/Target")
NVPTX = ("mlir/Dialect/LLVMIR/NVVM", "mlir/Dialect/NVGPU", "mlir/Target",
         "mlir/Conversion/GPUToNVVM")
FORBIDDEN = {
    "Dialect": (["Transforms/.*", "Conversion/.*"], GPU + LLVM_IR),
    "Transforms/CutSolver": ([".*"], ("mlir/", "llvm/")),
    "Transforms/(Threading|Partition|CheckStreams)":
        (["Transforms/(Threading|Partition|CheckStreams|Driver)",
          "Conversion/.*"], GPU + LLVM_IR),
    # The driver prints by functions of the LLVM dialect.
    "Transforms/Driver":
        (["Transforms/(Threading|Partition|CheckStreams)",
          "Conversion/.*"], GPU),
    "Transforms/(Support|GeneratorEffects|JointFunctions)":
        (["Transforms/(Threading|Partition|CheckStreams|Driver)",
          "Conversion/.*"], GPU + LLVM_IR),
    "Conversion/(Structured|LinalgFusion|Bufferization)":
        (["Conversion/(Buffers.*|EmulateGPU|GPUToNVPTX|ToLLVM)"],
         GPU + LLVM_IR),
    "Conversion/BuffersToLoops":
        (["Conversion/(BuffersToGPU|EmulateGPU|GPUToNVPTX)"], GPU + LLVM_IR),
    "Conversion/(BuffersToGPU|EmulateGPU)":
        (["Conversion/(GPUToNVPTX|BuffersToLoops)"], NVPTX),
    "(Dialect|Transforms/.*|Conversion/(?!Pipelines).*)":
        (["Conversion/Pipelines"], ()),
}
UMBRELLAS = {
    "RngDialect/InitAll.h": None,
    "RngDialect/Conversion/Passes.h": "Conversion/Pipelines",
    "RngDialect/Conversion/Passes.td": "Conversion/Pipelines",
    "RngDialect/Transforms/Passes.h": None,
    "RngDialect/Transforms/Passes.td": None,
    "RngDialect/Conversion/NVPTX.h": "Conversion/Pipelines",
    "RngDialect/Conversion/Pipelines.h": "Conversion/Pipelines",
}
# Folders with sources that make no library of their own. The runtime libraries
# of programs know neither LLVM nor the compiler.
PARTS = ["Dialect/IR", "Dialect/Streams", "Runtime"]
SOURCES = (".cpp", ".h", ".td")
INCLUDE = re.compile(r'^\s*#?\s*include\s*["<]([^">]+)[">]', re.M)
# Headers that do not lie in a folder named as that of their sources.
OWNERS = [
    ("RngDialect/(IR|Streams)/", "Dialect"),
    ("RngDialect/Runtime/", "Runtime"),
    ("RngDialect/Conversion/Dependencies.h", "Conversion/Dependencies"),
    ("RngDialect/Conversion/(NVPTX|Pipelines).h", "Conversion/Pipelines"),
]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def find_libraries(root):
    """{folder from lib/ on: [libraries of ours that LINK_LIBS names]}, and
    {library: folder}."""
    links, folders = {}, {}
    for at, _, names in os.walk(os.path.join(root, "lib")):
        if "CMakeLists.txt" not in names:
            continue
        text = re.sub(r"#.*", "", read(os.path.join(at, "CMakeLists.txt")))
        found = re.search(r"add_rng_library\((\w+)([^)]*)\)", text)
        if not found:
            continue
        folder = os.path.relpath(at, os.path.join(root, "lib"))
        folders[found[1]] = folder
        words = found[2].split()
        at_links = words.index("LINK_LIBS") if "LINK_LIBS" in words else None
        links[folder] = words[at_links + 1:] if at_links is not None else []
    return ({folder: [folders[name] for name in names]
             for folder, names in links.items()}, folders)


def find_owner(header):
    """The folder whose public header this is."""
    for pattern, owner in OWNERS:
        if re.match(pattern, header):
            return owner
    return os.path.dirname(header)[len("RngDialect/"):]


def list_files(root, folder):
    """The sources and headers of a folder: (path, its text)."""
    places = [os.path.join(root, "lib", folder)]
    if folder == "Dialect":
        places += [os.path.join(root, "include/RngDialect", name)
                   for name in ("IR", "Streams")]
        places += [os.path.join(root, "lib/Dialect", name)
                   for name in ("IR", "Streams")]
    else:
        places.append(os.path.join(root, "include/RngDialect", folder))
    if folder == "Conversion/Pipelines":
        places.append(os.path.join(root, "include/RngDialect/Conversion"))
    for place in places:
        if os.path.isdir(place):
            for name in sorted(os.listdir(place)):
                if name.endswith(SOURCES):
                    path = os.path.join(place, name)
                    header = os.path.relpath(path,
                                             os.path.join(root, "include"))
                    if (place.startswith(os.path.join(root, "include")) and
                            header in UMBRELLAS and
                            UMBRELLAS[header] is None):
                        continue
                    if (place.startswith(os.path.join(root, "include")) and
                            find_owner(header) != folder and
                            header not in UMBRELLAS):
                        continue
                    yield path, read(path)


def reach(links, folder):
    """All that LINK_LIBS of `folder` reaches, with itself."""
    seen, work = {folder}, [folder]
    while work:
        for other in links[work.pop()]:
            if other not in seen:
                seen.add(other)
                work.append(other)
    return seen


def check_file(folder, path, text, links, complain):
    """Complains of the includes of a file; returns the folders that it
    includes."""
    used = set()
    for header in INCLUDE.findall(text):
        if header.startswith(("mlir/", "llvm/", "llvm-c/", "mlir-c/")):
            for pattern, (_, upstream) in FORBIDDEN.items():
                if re.fullmatch(pattern, folder) and header.startswith(
                        tuple(upstream)):
                    complain(path, f"must not include {header}")
            continue
        if not header.startswith("RngDialect/"):
            if f"<{header}>" in text:
                continue
            if os.path.dirname(header) or not (
                    os.path.exists(os.path.join(os.path.dirname(path),
                                                header)) or
                    folder == "Dialect"):
                complain(path, f"includes {header}, which does not lie beside "
                         "it: a header for other folders lies in include/")
            continue
        if header in UMBRELLAS and folder != UMBRELLAS[header]:
            complain(path, f"includes {header}, which is for tools: include "
                     "the header of one folder")
            continue
        owner = find_owner(re.sub(r"\.inc$", "", header))
        if owner == folder or header in UMBRELLAS:
            continue
        used.add(owner)
        for pattern, (folders, _) in FORBIDDEN.items():
            if re.fullmatch(pattern, folder) and any(
                    re.fullmatch(other, owner) for other in folders):
                complain(path, f"must not include {header}: lib/{folder} does "
                         f"not depend on lib/{owner}")
        if owner not in reach(links, folder):
            complain(path, f"includes {header}, but LINK_LIBS of lib/{folder} "
                     f"does not reach lib/{owner}")
    return used


def check_places(root, links, complain):
    """Complains of folders that no rule looks at, and of the runtime."""
    for top in ("lib", "include/RngDialect"):
        for at, _, names in sorted(os.walk(os.path.join(root, top))):
            folder = os.path.relpath(at, os.path.join(root, top))
            sources = sorted(n for n in names if n.endswith(SOURCES))
            for name in sources:
                path = os.path.join(at, name)
                header = os.path.relpath(path, os.path.join(root, "include"))
                owner = folder if top == "lib" else find_owner(header)
                if (owner not in links and owner not in PARTS and
                        header not in UMBRELLAS):
                    complain(path, "lies in a folder that makes no library")
                if owner != "Runtime":
                    continue
                for included in INCLUDE.findall(read(path)):
                    if re.match("(mlir|llvm|RngDialect/(?!Runtime/))",
                                included):
                        complain(path, f"must not include {included}: the "
                                 "runtime is linked to programs")


def check_circles(links, complain):
    state = {}

    def visit(folder, way):
        if state.get(folder) == "done":
            return
        if folder in way:
            complain("lib/" + folder, "is in a circle: " + " -> ".join(
                way[way.index(folder):] + [folder]))
            return
        for other in links[folder]:
            visit(other, way + [folder])
        state[folder] = "done"

    for folder in sorted(links):
        visit(folder, [])


def list_arrows(links):
    """The arrows that no other one implies, sorted."""
    return [(folder, other) for folder in sorted(links)
            for other in sorted(links[folder])
            if not any(other in reach(links, third) for third in links[folder]
                       if third != other)]


def print_dot(links):
    def quote(folder):
        return '"%s"' % folder

    print("digraph code {")
    print('  rankdir=BT; node [shape=box, fontname="sans-serif", fontsize=11];')
    groups = collections.defaultdict(list)
    for folder in sorted(links):
        groups[folder.split("/")[0]].append(folder)
    for name, folders in sorted(groups.items()):
        print(f"  subgraph cluster_{name} {{ label=\"lib/{name}\"; "
              'fontname="sans-serif"; color=gray;')
        for folder in folders:
            print(f'    {quote(folder)} [label="{os.path.basename(folder)}"];')
        print("  }")
    for folder, other in list_arrows(links):
        print(f"  {quote(folder)} -> {quote(other)};")
    print("}")


def check_svg(links, path):
    titles = {html.unescape(title) for title in
              re.findall(r"<title>([^<]*)</title>", read(path))}
    drawn = {title for title in titles if "->" in title}
    meant = {f"{folder}->{other}" for folder, other in list_arrows(links)}
    for arrow in sorted(drawn - meant):
        print(f"{path}: draws {arrow}, which is no more", file=sys.stderr)
    for arrow in sorted((meant - drawn) | (set(links) - titles)):
        print(f"{path}: lacks {arrow}", file=sys.stderr)
    if drawn != meant or set(links) - titles:
        print("run test/Structure/draw.sh", file=sys.stderr)
        return 1
    return 0


def main():
    root = os.path.abspath(sys.argv[1])
    links, _ = find_libraries(root)
    if "--dot" in sys.argv:
        return print_dot(links)
    if "--check-svg" in sys.argv:
        return check_svg(links, sys.argv[sys.argv.index("--check-svg") + 1])
    count = 0

    def complain(path, what):
        nonlocal count
        count += 1
        print(f"{os.path.relpath(path, root)}: {what}", file=sys.stderr)

    files = 0
    for folder in sorted(links):
        used = set()
        for path, text in list_files(root, folder):
            files += 1
            used |= check_file(folder, path, text, links, complain)
        for other in sorted(set(links[folder]) - used):
            complain(os.path.join(root, "lib", folder, "CMakeLists.txt"),
                     f"links lib/{other}, of which nothing is included")
    check_circles(links, complain)
    check_places(root, links, complain)
    print(f"{len(links)} folders, {files} files, {count} wrong arrows")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
