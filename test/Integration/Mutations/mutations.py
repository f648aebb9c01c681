#===- mutations.py - Small changes of modules ------------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Mutations of the text of a module. Each takes the text, a random generator
and the corpus, and returns the new text, or None where it does not apply.
Those of tokens test the parser and the verifiers; those that change all
occurrences of a type, or add whole statements, keep a module valid more often
and so reach the passes.
"""
import re

from corpus import depth, statements

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[%@^#!][\w.$-]+(?::\d+|#\d+)?|'
                   r'0x[0-9A-Fa-f]+|\d+\.\d*(?:[eE][+-]?\d+)?|\d+|'
                   r'[A-Za-z_][\w.$]*|->|::|\s+|.', re.S)
NUMBER = re.compile(r'(?<![\w.#%@$^])-?\d+(?![\w.])|(?<=[<x])\d+(?=x)')
VALUE = re.compile(r'%[\w.$-]+(?:#\d+)?')
DEFINITION = re.compile(r'^\s*((?:%[\w.$-]+(?::\d+)?)(?:,\s*%[\w.$-]+(?::\d+)?)*)'
                        r'\s*=')
SHAPED = re.compile(r'\b(tensor|vector|memref)<((?:\[?(?:\d+|\?|\*)\]?x)*)'
                    r'([a-z]\w*(?:<[^<>]*>)?)((?:, [^<>]*(?:<[^<>]*>)?)?)>')
SCALAR = re.compile(r'(?<![\w.%@!#$^"])(?:[iu]\d+|si\d+|ui\d+|bf16|f16|f32|f64|'
                    r'index)(?![\w.])|(?<=x)(?:i\d+|bf16|f16|f32|f64|index)'
                    r'(?![\w.])')
FUNCTION = re.compile(r'func\.func\s+(?:public\s+|private\s+)?@([\w.$-]+)\(')

NUMBERS = ["0", "-1", "1", "2", "3", "4", "7", "64", "65536", "2147483647",
           "2147483648", "4294967295", "4294967296", "9223372036854775807",
           "-9223372036854775808", "18446744073709551615",
           "18446744073709551616"]
SIZES = ["0", "1", "2", "3", "5", "?", "?", "?", "65536", "4294967296",
         "9223372036854775807", "4611686018427387904"]
# Most of them likely ones, so that modules stay valid.
SCALARS = ["f32", "f64", "f16", "bf16", "i1", "i8", "i16", "i32", "i64",
           "index"]
ODD_SCALARS = ["i0", "i3", "i7", "i128", "i65536", "ui32", "si8", "f80",
               "f128", "tf32", "f8E4M3FN", "f4E2M1FN", "complex<f32>",
               "complex<i8>", "none", "tuple<>", "vector<4xf32>", "memref<2xi64>",
               "tensor<4xf32>", "!quant.uniform<i8:f32, 1.0>",
               "!llvm.ptr", "!llvm.struct<(f32)>", "() -> ()"]
ENCODINGS = {
    "tensor": [', "encoding"', ", 1 : i64", ", #gpu.address_space<workgroup>",
               ", #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>",
               ", #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, "
               "d1 : compressed)}>", ", #rng.threefry", ", []"],
    "memref": [", 1", ", 3 : i32", ', "space"',
               ", #gpu.address_space<workgroup>", ", strided<[1]>",
               ", strided<[?], offset: ?>", ", strided<[?, ?], offset: ?>",
               ", strided<[2, 1]>", ", affine_map<(d0) -> (d0 * 2)>",
               ", affine_map<(d0, d1) -> (d1, d0)>", ", strided<[-1], offset: 3>",
               ", strided<[0], offset: 0>"],
    "vector": [", 1"],
}
MARKS = ["rng.cotangent", "rng.gradient", "rng.persistent", "rng.save",
         "rng.recompute", "rng.draws", "rng.backward", "rng.saved",
         "rng.forward", "bufferization.writable", "llvm.emit_c_interface"]
VALUES = ["unit", "true", "1 : i64", '"text"', "@nowhere", "[]", "[@nowhere]",
          "{}", "dense<1> : tensor<2xi32>", "#rng.saved<new 1>",
          "[#rng.saved<argument 7>]", "#rng.threefry", "f32", "[unit, 3]"]
WRAPPERS = [
    ("scf.if %{c} {", "}"),
    ("scf.if %{c} {\n} else {", "}"),
    ("scf.for %{i} = %{z} to %{n} step %{o} {", "}"),
    ("scf.for %{i} = %{n} to %{z} step %{o} {", "}"),
    ("scf.while : () -> () {\nscf.condition(%{c})\n} do {", "scf.yield\n}"),
    ("scf.while : () -> () {", "scf.condition(%{c})\n} do {\nscf.yield\n}"),
    ("scf.execute_region {", "scf.yield\n}"),
    ("scf.parallel (%{i}) = (%{z}) to (%{n}) step (%{o}) {", "}"),
    ("scf.forall (%{i}) in (2) {", "}"),
    ("scf.index_switch %{n}\ncase 3 {", "scf.yield\n}\ndefault {\n}"),
    ("affine.for %{i} = 0 to 3 {", "}"),
    ("affine.parallel (%{i}) = (0) to (2) {", "}"),
    ("async.execute {", "async.yield\n}"),
    ("cf.cond_br %{c}, ^{b}, ^{e}\n^{b}:", "cf.br ^{e}\n^{e}:"),
    ("cf.br ^{b}\n^{b}:", "cf.cond_br %{c}, ^{b}, ^{e}\n^{e}:"),
    ("gpu.launch blocks(%{i}, %{i}y, %{i}z) in (%{i}a = %{o}, %{i}b = %{o}, "
     "%{i}c = %{o}) threads(%{i}u, %{i}v, %{i}w) in (%{i}d = %{o}, %{i}e = "
     "%{o}, %{i}f = %{o}) {", "gpu.terminator\n}"),
]
CONSTANTS = """%{c} = arith.constant true
%{z} = arith.constant 0 : index
%{o} = arith.constant 1 : index
%{n} = arith.constant 3 : index"""


def replace_one(text, pattern, random, new, every=False):
    """`text` with one match of `pattern`, or all equal to it, replaced."""
    matches = list(pattern.finditer(text))
    if not matches:
        return None
    match = random.choice(matches)
    value = new(match)
    if value is None:
        return None
    if not every:
        return text[:match.start()] + value + text[match.end():]
    return pattern.sub(
        lambda m: value if m.group() == match.group() else m.group(), text)


# ------------------------------------------------------------------- of tokens


def tokens(text):
    return TOKEN.findall(text)


def words(parts):
    return [i for i, part in enumerate(parts) if not part.isspace()]


def delete_token(text, random, corpus):
    parts = tokens(text)
    parts.pop(random.choice(words(parts)))
    return "".join(parts)


def duplicate_token(text, random, corpus):
    parts = tokens(text)
    i = random.choice(words(parts))
    parts.insert(i, parts[i] + " ")
    return "".join(parts)


def swap_tokens(text, random, corpus):
    parts = tokens(text)
    places = words(parts)
    i = random.randrange(len(places))
    j = min(len(places) - 1, i + random.choice([1, 1, 2, 3, 7]))
    i, j = places[i], places[j]
    parts[i], parts[j] = parts[j], parts[i]
    return "".join(parts)


def copy_token(text, random, corpus):
    """A token of another input in the place of one of the same kind."""
    parts, others = tokens(text), tokens(corpus.pick(random))
    i = random.choice(words(parts))
    kind = parts[i][0]
    same = [t for t in others if t != parts[i] and
            (t[0] == kind or t[0].isalpha() and kind.isalpha())]
    if not same:
        return None
    parts[i] = random.choice(same)
    return "".join(parts)


def change_number(text, random, corpus):
    return replace_one(text, NUMBER, random,
                       lambda m: random.choice(NUMBERS))


def change_numbers(text, random, corpus):
    return replace_one(text, NUMBER, random,
                       lambda m: random.choice(NUMBERS), every=True)


# -------------------------------------------------------------------- of types


def any_scalar(random):
    return random.choice(SCALARS if random.random() < 0.7 else ODD_SCALARS)


def change_scalar(text, random, corpus):
    return replace_one(text, SCALAR, random, lambda m: any_scalar(random))


def change_scalars(text, random, corpus):
    return replace_one(text, SCALAR, random, lambda m: any_scalar(random),
                       every=True)


def shaped(match, random):
    """Another type for a match of SHAPED."""
    kind, sizes, scalar, rest = match.groups()
    sizes = sizes.split("x")[:-1]
    change = random.randrange(6)
    if change == 0 and sizes:
        sizes[random.randrange(len(sizes))] = random.choice(SIZES)
    elif change == 1:
        sizes.insert(random.randrange(len(sizes) + 1), random.choice(SIZES))
    elif change == 2 and sizes:
        sizes.pop(random.randrange(len(sizes)))
    elif change == 3:
        kind = random.choice(["tensor", "vector", "memref"])
    elif change == 4:
        rest = random.choice(ENCODINGS[kind] + [""])
    elif random.random() < 0.3:
        sizes = ["*"]
    else:
        sizes = ["?"] * len(sizes)
    return "%s<%s%s%s>" % (kind, "".join(s + "x" for s in sizes), scalar, rest)


def change_shape(text, random, corpus):
    return replace_one(text, SHAPED, random, lambda m: shaped(m, random))


def change_shapes(text, random, corpus):
    return replace_one(text, SHAPED, random, lambda m: shaped(m, random),
                       every=True)


def add_encoding(text, random, corpus):
    """An encoding, layout or memory space on all equal types."""
    return replace_one(
        text, SHAPED, random,
        lambda m: "%s<%s%s%s>" % (m.group(1), m.group(2), m.group(3),
                                  random.choice(ENCODINGS[m.group(1)])),
        every=True)


# ----------------------------------------------------------------- of operands


def swap_operands(text, random, corpus):
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines)
              if len(VALUE.findall(line)) > 1]
    if not places:
        return None
    i = random.choice(places)
    a, b = sorted(random.sample(list(VALUE.finditer(lines[i])), 2),
                  key=lambda m: m.start())
    lines[i] = (lines[i][:a.start()] + b.group() + lines[i][a.end():b.start()] +
                a.group() + lines[i][b.end():])
    return "\n".join(lines)


def change_operand(text, random, corpus):
    values = VALUE.findall(text)
    return replace_one(text, VALUE, random, lambda m: random.choice(values))


# -------------------------------------------------------------------- of lines


def delete_line(text, random, corpus):
    lines = text.split("\n")
    lines.pop(random.randrange(len(lines)))
    return "\n".join(lines)


def delete_terminator(text, random, corpus):
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines)
              if re.match(r"\s*(func\.)?return\b|.*\byield\b|\s*cf\.|.*\.return\b",
                          line)]
    if not places:
        return None
    lines.pop(random.choice(places))
    return "\n".join(lines)


def move_line(text, random, corpus):
    lines = text.split("\n")
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def splice_lines(text, random, corpus):
    """Some lines of another input."""
    lines, others = text.split("\n"), corpus.pick(random).split("\n")
    start = random.randrange(len(others))
    place = random.randrange(len(lines))
    lines[place:place] = others[start:start + random.choice([1, 1, 2, 5])]
    return "\n".join(lines)


def append_input(text, random, corpus):
    return text + "\n" + corpus.pick(random)


# --------------------------------------------------------------- of statements


def bodies(text):
    """(first line, line after the last) of each function's body."""
    lines, result, start, level = text.split("\n"), [], None, 0
    for i, line in enumerate(lines):
        if start is None and FUNCTION.search(line):
            start, level = i, 0
        if start is None:
            continue
        before = level
        level += depth(line)
        # The last bracket of the signature may be the body's.
        if before <= 0 and i > start and level < 0:
            start = None
        elif level == 0 and i > start:
            inside = [j for j in range(start, i)
                      if lines[j].rstrip().endswith("{")]
            if inside:
                result.append((inside[0] + 1, i))
            start = None
    return result


def pick_statements(text, random):
    """(lines of the module, where, statements) of the body of a function: its
    straight ops with their regions."""
    places = bodies(text)
    if not places:
        return None
    first, last = random.choice(places)
    lines = text.split("\n")
    found, at = [], first
    for part in statements("\n".join(lines[first:last])):
        found.append((at, at + len(part)))
        at += len(part)
    # Not the terminator.
    found = [f for f in found[:-1] if not lines[f[0]].lstrip().startswith("^")]
    return (lines, found) if found else None


def fresh(lines, random):
    """The lines with the values that they define renamed."""
    suffix = "_m%d" % random.randrange(10000)
    text = "\n".join(lines)
    names = set()
    for line in lines:
        match = DEFINITION.match(line)
        if match:
            names |= {n.split(":")[0] for n in
                      re.split(r",\s*", match.group(1))}
    return VALUE.sub(
        lambda m: m.group().replace(m.group().split("#")[0],
                                    m.group().split("#")[0] + suffix)
        if m.group().split("#")[0] in names else m.group(), text).split("\n")


def edit_statement(text, random, edit):
    """The text after edit(lines, first, last) of one of its statements."""
    picked = pick_statements(text, random)
    if not picked:
        return None
    lines, found = picked
    edit(lines, *random.choice(found))
    return "\n".join(lines)


def duplicate_statement(text, random, corpus):
    def duplicate(lines, first, last):
        lines[last:last] = fresh(lines[first:last], random)
    return edit_statement(text, random, duplicate)


def delete_statement(text, random, corpus):
    def delete(lines, first, last):
        del lines[first:last]
    return edit_statement(text, random, delete)


def wrap_statements(text, random, corpus):
    """A copy of some statements inside a region or between basic blocks."""
    picked = pick_statements(text, random)
    if not picked:
        return None
    lines, found = picked
    i = random.randrange(len(found))
    j = min(len(found), i + random.choice([1, 1, 2, 4]))
    first, last = found[i][0], found[j - 1][1]
    body = fresh(lines[first:last], random)
    number = random.randrange(10000)
    names = {k: "%s_w%d" % (k, number) for k in "cznoi"}
    names.update({"b": "bb_b%d" % number, "e": "bb_e%d" % number})

    def fill(template):
        return re.sub(r"\{([cznoibe])\}", lambda m: names[m.group(1)], template)
    before, after = random.choice(WRAPPERS)
    lines[last:last] = (fill(CONSTANTS).split("\n") +
                        fill(before).split("\n") + body +
                        fill(after).split("\n"))
    return "\n".join(lines)


def move_wrapped(text, random, corpus):
    """As `wrap_statements`, of the statements themselves: nothing after may
    use what they define."""
    copy = wrap_statements(text, random, corpus)
    return delete_statement(copy, random, corpus) if copy else None


# ---------------------------------------------------------------- of functions


def signature(text, match):
    """(types of the arguments, results) of the function that `match` starts."""
    level, end = 1, match.end()
    while end < len(text) and level:
        level += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    arguments = text[match.end():end - 1]
    types = []
    for part in re.split(r",\s*(?=%)", arguments):
        part = re.sub(r"\{.*\}", "", part, flags=re.S).strip()
        if part:
            types.append(part.split(":", 1)[-1].strip())
    rest = text[end:].lstrip()
    if not rest.startswith("->"):
        return types, []
    rest = rest[2:].lstrip()
    if not rest.startswith("("):
        return types, [re.split(r"\s+(?:\{|attributes)", rest)[0].strip()]
    results = re.split(r"\)\s*(?:\{|attributes)", rest[1:])[0]
    results = re.sub(r"\{[^{}]*\}", "", results)
    level, part, parts = 0, "", []
    for c in results:
        level += {"<": 1, "(": 1, ">": -1, ")": -1}.get(c, 0)
        if c == "," and level == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return types, [p.strip() for p in parts + [part] if p.strip()]


def add_call(text, random, corpus):
    """A call of one function in another or itself, of arguments by name where
    their types agree, before the terminator, perhaps in a region."""
    matches = list(FUNCTION.finditer(text))
    places = bodies(text)
    if not matches or not places:
        return None
    callee = random.choice(matches)
    types, results = signature(text, callee)
    first, last = random.choice(places)
    lines = text.split("\n")
    around = "\n".join(lines[:last])
    arguments = []
    for kind in types:
        found = re.findall(r"(%%[\w.$-]+)\s*:\s*%s(?=\s*[,){])" %
                           re.escape(kind), around)
        if not found:
            return None
        arguments.append(random.choice(found))
    number = random.randrange(10000)
    call = "func.call @%s(%s) : (%s) -> (%s)" % (
        callee.group(1), ", ".join(arguments), ", ".join(types),
        ", ".join(results))
    if results:
        call = "%%call%d:%d = %s" % (number, len(results), call)
    if random.random() < 0.5:
        names = {k: "%s_w%d" % (k, number) for k in "cznoi"}
        names.update({"b": "bb_b%d" % number, "e": "bb_e%d" % number})
        before, after = random.choice(WRAPPERS)
        call = "\n".join([CONSTANTS, before, call, after])
        call = re.sub(r"\{([cznoibe])\}", lambda m: names[m.group(1)], call)
    lines.insert(first, call)
    return "\n".join(lines)


def change_visibility(text, random, corpus):
    pattern = re.compile(r"func\.func\s+(?:public\s+|private\s+)?@")
    return replace_one(text, pattern, random, lambda m: random.choice(
        ["func.func @", "func.func private @", "func.func nested @"]))


def make_declaration(text, random, corpus):
    places = bodies(text)
    if not places:
        return None
    lines = text.split("\n")
    first, last = random.choice(places)
    lines[first - 1] = re.sub(r"\{\s*$", "", lines[first - 1])
    del lines[first:last + 1]
    text = "\n".join(lines)
    return text.replace("func.func @", "func.func private @")


def change_symbol(text, random, corpus):
    names = re.findall(r"@[\w.$-]+", text)
    pattern = re.compile(r"@[\w.$-]+")
    return replace_one(text, pattern, random, lambda m: random.choice(names),
                       every=random.random() < 0.3)


def nest(text, random, corpus):
    """The module, or one op of its top level, in another."""
    head = random.choice(["module {", "module @inner {", "gpu.module @kernels {",
                          "builtin.module attributes {rng.draws = unit} {"])
    parts = ["\n".join(part) for part in statements(text)]
    i = random.randrange(len(parts))
    if random.random() < 0.5:
        inside = [p for p in parts if p[:1] not in "#!"]
        return "\n".join([p for p in parts if p[:1] in "#!"] +
                         [head] + inside + ["}"])
    parts[i] = head + "\n" + parts[i] + "\n}"
    return "\n".join(parts)


# --------------------------------------------------------------- of attributes


def attribute(random, corpus):
    if random.random() < 0.2:
        found = re.findall(r"[{,]\s*(rng\.\w+ = [^,{}]+)[,}]",
                           corpus.pick(random))
        if found:
            return random.choice(found)
    value = "unit" if random.random() < 0.5 else random.choice(VALUES)
    mark = random.choice(MARKS)
    return mark if value == "unit" else "%s = %s" % (mark, value)


def mark_argument(text, random, corpus):
    pattern = re.compile(r"(%[\w.$-]+\s*:\s*[\w!][^,(){}\s]*)(?=\s*[,)])")
    return replace_one(text, pattern, random, lambda m: "%s {%s}" % (
        m.group(), attribute(random, corpus)))


def mark_result(text, random, corpus):
    pattern = re.compile(r"(?<=-> \()(tensor<[^<>]*>|f32|i64)(?=[,)])|"
                         r"(?<=, )(tensor<[^<>]*>)(?=\)\s*\{)")
    return replace_one(text, pattern, random, lambda m: "%s {%s}" % (
        m.group(), attribute(random, corpus)))


def mark_function(text, random, corpus):
    pattern = re.compile(r"\battributes \{|\) \{$|> \{$", re.M)
    return replace_one(text, pattern, random, lambda m: (
        m.group() + attribute(random, corpus) + ", "
        if m.group().startswith("attr") else
        "%s attributes {%s} {" % (m.group()[:1], attribute(random, corpus))))


def mark_op(text, random, corpus):
    pattern = re.compile(r"(?<=[\w)}]) (?=: [\w(!])")
    return replace_one(text, pattern, random, lambda m: " {%s} " % attribute(
        random, corpus))


def change_algorithm(text, random, corpus):
    """The stream of one draw, or of all, another."""
    pattern = re.compile(r"#rng\.\w+(?:<(?:[^<>]|<[^<>]*>)*>)?")
    found = pattern.findall(corpus.pick(random))
    if not found:
        return None
    if not pattern.search(text):
        draw = re.compile(r"(rng\.(?:stateless_)?(?:uniform|normal|bits|bernoulli|"
                          r"truncated_normal|exponential|randint)\b[^:{}]*)(?=:)")
        return replace_one(text, draw, random, lambda m: (
            m.group() + "{algorithm = %s} " % random.choice(found)))
    return replace_one(text, pattern, random, lambda m: random.choice(found),
                       every=random.random() < 0.5)


def change_op(text, random, corpus):
    """Another op of the same dialect."""
    pattern = re.compile(r"(?<![\w.@%#!$])[a-z]\w*\.[a-z][\w.]*(?=[\s(])")
    other = corpus.pick(random)

    def pick(match):
        dialect = match.group().split(".")[0] + "."
        found = [m for m in pattern.findall(other) if m.startswith(dialect)]
        return random.choice(found) if found else None
    return replace_one(text, pattern, random, pick)


# Name -> (weight, function).
MUTATIONS = {function.__name__: (weight, function) for weight, function in [
    (2, delete_token), (1, duplicate_token), (2, swap_tokens), (3, copy_token),
    (4, change_number), (4, change_numbers), (3, change_scalar),
    (5, change_scalars), (3, change_shape), (6, change_shapes),
    (4, add_encoding), (3, swap_operands), (3, change_operand),
    (1, delete_line), (1, delete_terminator), (1, move_line),
    (1, splice_lines), (2, append_input), (3, duplicate_statement),
    (3, delete_statement), (8, wrap_statements), (3, move_wrapped),
    (6, add_call), (3, change_visibility), (2, make_declaration),
    (2, change_symbol), (2, nest), (3, mark_argument), (3, mark_result),
    (2, mark_function), (2, mark_op), (5, change_algorithm), (3, change_op),
]}


def mutate(text, random, corpus):
    """(text, names of the mutations): one to three of them."""
    names = list(MUTATIONS)
    weights = [MUTATIONS[name][0] for name in names]
    used = []
    for _ in range(random.choice([1, 1, 1, 2, 2, 3])):
        for _ in range(4):
            name = random.choices(names, weights)[0]
            changed = MUTATIONS[name][1](text, random, corpus)
            # `// -----` would be two inputs.
            if changed and changed != text and "// --" not in changed:
                text = changed
                used.append(name)
                break
    return text, used
