#===- programs.py - Small programs that draw, as trees ---------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""The trees that generator.py makes, emitter.py writes and interpreter.py runs.

Variables are strings. The first letter is the type: v is an i64, b an i1, n an
index. A variable is assigned once in a function. Whatever has no other type is
an i64: arguments and results of functions, values carried by regions, elements
drawn (their bits, zero extended).
"""
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, List, Optional, Tuple

WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64,
          "f16": 16, "bf16": 16, "f32": 32, "f64": 64}

# Rank of a parallel loop -> extent of each side of the memory for its values.
SIDES = {1: 8, 2: 5, 3: 4}


# Labels of loops that are entered at two blocks start with this.
TWO_WAYS = "either"


def as_index(iv):
    """The index variable beside the i64 variable `iv` of a loop."""
    return "n" + iv[1:]


@dataclass
class Spec:
    """What is drawn: distribution, element type, "scalar", "vector" or
    "tensor", extents (None: dynamic), and probability or bounds."""
    dist: str
    elem: str
    kind: str
    shape: Tuple[Optional[int], ...] = ()
    params: Tuple[float, ...] = ()


@dataclass
class Block:
    """Statements, then what a region yields."""
    stmts: List[Any]
    yields: List[str] = field(default_factory=list)


@dataclass
class Br:
    target: str
    args: List[str]


@dataclass
class CondBr:
    cond: str
    then_target: str
    then_args: List[str]
    else_target: str
    else_args: List[str]


@dataclass
class Switch:
    """On the low three bits of `flag`."""
    flag: str
    default: str
    default_args: List[str]
    cases: List[Tuple[int, str, List[str]]]


@dataclass
class Leave:
    """Returns from the function, or yields from the region."""
    values: List[str]


@dataclass
class Never:
    """Is not reached."""


@dataclass
class CfgBlock:
    label: str
    args: List[str]
    stmts: List[Any]
    term: Any


@dataclass
class Cfg:
    """Blocks and branches; the first one is the entry."""
    blocks: List[CfgBlock]


# ---------------------------------------------------------------- statements


@dataclass
class Const:
    """Of the type of `var`."""
    var: str
    value: int

    def defs(self):
        return [self.var]


@dataclass
class Bin:
    var: str
    op: str
    a: str
    b: str

    def defs(self):
        return [self.var]


@dataclass
class Cmp:
    var: str
    pred: str
    a: str
    b: str

    def defs(self):
        return [self.var]


@dataclass
class And:
    """Of two i1."""
    var: str
    a: str
    b: str

    def defs(self):
        return [self.var]


@dataclass
class ToIndex:
    """(src & mask) + add, as an index."""
    var: str
    src: str
    mask: int
    add: int

    def defs(self):
        return [self.var]


@dataclass
class Print:
    var: str

    def defs(self):
        return []


@dataclass
class Draw:
    """`var` is a polynomial of the elements at `picks`; an i1 if that is its
    type and a scalar i1 is drawn. `show` prints the whole tensor."""
    var: Optional[str]
    gen: Optional[str]
    spec: Spec
    sizes: List[str] = field(default_factory=list)
    picks: List[Tuple[int, ...]] = field(default_factory=list)
    show: bool = False

    def defs(self):
        return [self.var] if self.picks else []


@dataclass
class DrawAt:
    """A stateless draw by the algorithm of `gen`."""
    var: Optional[str]
    gen: Optional[str]
    seed: str
    offset: str
    spec: Spec
    sizes: List[str] = field(default_factory=list)
    picks: List[Tuple[int, ...]] = field(default_factory=list)
    show: bool = False

    def defs(self):
        return [self.var] if self.picks else []


@dataclass
class Advance:
    var: str
    offset: str
    gen: Optional[str]
    spec: Spec
    sizes: List[str]

    def defs(self):
        return [self.var]


@dataclass
class GetState:
    seed: str
    offset: str
    gen: Optional[str]

    def defs(self):
        return [self.seed, self.offset]


@dataclass
class SetState:
    gen: Optional[str]
    seed: str
    offset: str

    def defs(self):
        return []


@dataclass
class Reserve:
    seed: str
    offset: str
    gen: Optional[str]
    blocks: str
    constant: bool

    def defs(self):
        return [self.seed, self.offset]


@dataclass
class ExternSeed:
    """Seeds through the runtime, an external function."""
    gen: Optional[str]
    seed: str

    def defs(self):
        return []


@dataclass
class ExternState:
    """Reads through the runtime, which counts words."""
    seed: str
    offset: str
    gen: Optional[str]

    def defs(self):
        return [self.seed, self.offset]


@dataclass
class Call:
    results: List[str]
    callee: str
    args: List[str]

    def defs(self):
        return self.results


@dataclass
class CallIndirect:
    """Calls callees[cond]."""
    results: List[str]
    cond: str
    callees: List[str]
    args: List[str]

    def defs(self):
        return self.results


@dataclass
class If:
    cond: str
    then: Block
    orelse: Optional[Block]
    results: List[str]
    # In a parallel loop, where both branches draw alike.
    is_even: bool = False

    def defs(self):
        return self.results


@dataclass
class AffineIf:
    """Of index >= least."""
    index: str
    least: int
    then: Block
    orelse: Optional[Block]
    results: List[str]

    def defs(self):
        return self.results


@dataclass
class For:
    """Flavors: scf (of index), i32 and i64 (scf too), affine. Bounds and steps
    are numbers or index variables."""
    flavor: str
    lb: Any
    ub: Any
    step: Any
    iv: str
    iters: List[str]
    inits: List[str]
    body: Block
    results: List[str]

    def defs(self):
        return self.results


@dataclass
class While:
    """before(before_args) yields what after takes, and goes on if `cond`."""
    inits: List[str]
    before_args: List[str]
    before: Block
    cond: str
    after_args: List[str]
    after: Block
    results: List[str]

    def defs(self):
        return self.results


@dataclass
class IndexSwitch:
    selector: str
    cases: List[Tuple[int, Block]]
    default: Block
    results: List[str]

    def defs(self):
        return self.results


@dataclass
class ExecuteRegion:
    body: Any
    results: List[str]

    def defs(self):
        return self.results


@dataclass
class Parallel:
    """scf.parallel, scf.forall or affine.parallel. The body yields one value,
    which is stored at the induction variables in memory that is printed after
    the loop (`memory`), and added up in `reduction` unless that is None."""
    flavor: str
    lbs: List[Any]
    ubs: List[Any]
    steps: List[Any]
    ivs: List[str]
    body: Block
    reduction: Optional[str]
    memory: bool

    def defs(self):
        return [self.reduction] if self.reduction else []


# ------------------------------------------------------------------ programs


@dataclass
class Function:
    name: str
    private: bool
    args: List[str]
    num_results: int
    body: Any
    # "plain", "recursion", "mutual recursion", ...: for the table of hits.
    kind: str = "plain"


@dataclass
class Entry:
    """A call from outside of the module; results are printed."""
    callee: str
    args: List[int]


@dataclass
class Program:
    name: str
    functions: List[Function]
    entries: List[Entry]

    def prefix(self):
        """Of its functions, which share a module with those of others."""
        return self.name + "_" if self.name else ""


@dataclass
class Generator:
    name: Optional[str]
    # See streams.py.
    stream: Tuple[str, int]
    seed: int
    # Whether the algorithm is written, or that of the default one.
    declares_algorithm: bool = True


@dataclass
class Batch:
    """Programs that share a module. The default generator comes first."""
    generators: List[Generator]
    programs: List[Program]


def nodes(tree):
    """All nodes of a tree, parents first."""
    found = []

    def visit(x):
        if is_dataclass(x):
            found.append(x)
            for f in fields(x):
                visit(getattr(x, f.name))
        elif isinstance(x, (list, tuple)):
            for y in x:
                visit(y)

    visit(tree)
    return found


def statement_lists(tree):
    """All lists of statements within `tree`, outer ones first."""
    return [x.stmts for x in nodes(tree) if isinstance(x, (Block, CfgBlock))]


def statements(node):
    """All statements within `node`."""
    return [s for stmts in statement_lists(node) for s in stmts]


def taken(batch):
    """The functions whose address is taken, (program, function) by numbers of
    arguments and results."""
    result = {}
    for q in batch.programs:
        for s in statements(q):
            if isinstance(s, CallIndirect):
                result.setdefault((len(s.args), len(s.results)), set()).update(
                    (q.name, callee) for callee in s.callees)
    return result


def uses(batch, program, name, externs):
    """The generators that a function uses, its callees included: a dictionary
    from name to (may change the seed, may change the offset). `externs` are
    those of external functions. An indirect call may be one of any function of
    its type whose address is taken in the module, and may change all that this
    one uses."""
    functions = {(q.name, f.name): f for q in batch.programs
                 for f in q.functions}
    indirect = taken(batch)
    seen = set()
    result = {}

    def add(generator, changes):
        old = result.get(generator, (False, False))
        result[generator] = tuple(a or b for a, b in zip(old, changes))

    def visit(at, is_indirect):
        if (at, is_indirect) in seen:
            return
        seen.add((at, is_indirect))
        for s in statements(functions[at]):
            if isinstance(s, Call):
                visit((at[0], s.callee), is_indirect)
            elif isinstance(s, CallIndirect):
                for callee in indirect[len(s.args), len(s.results)]:
                    visit(callee, True)
            changes = {"Draw": (False, True), "Reserve": (False, True),
                       "GetState": (False, False), "SetState": (True, True),
                       "ExternSeed": (True, True),
                       "ExternState": (True, True)}.get(type(s).__name__)
            if changes:
                for gen in externs if "Extern" in type(s).__name__ else [s.gen]:
                    add(gen, (True, True) if is_indirect else changes)

    visit((program.name, name), False)
    return result
