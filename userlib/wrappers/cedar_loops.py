# SPDX-License-Identifier: MIT
"""Cedar Fortran's loops as gfortran takes them. A loop

      SDOALL I = FIRST, LAST, STEP    (CDOALL, XDOALL; CDOACROSS, DOACROSS and the like)
      declarations of what each thread that takes part has to itself
      preamble, once for each thread
      LOOP
      body
      ENDLOOP
      postamble, once for each thread
      END SDOALL

becomes a parallel region whose number of threads is asked of the loop runtime (userlib/loops/cedar), which so
learns of the loop; in it each thread fetches iterations. LOOP and ENDLOOP may be left out with what they
divide off, and a loop may end at a label, as a DO does."""

import re
from dataclasses import dataclass, field

from fortran_edits import Edits, Unreadable
from fortran_source import Statement, fixed_form, silent

KEYWORD = re.compile(r"[scx]?doacross|[scx]doall")
HEADING = re.compile(r"(?P<label>\d+)?,?(?P<index>[a-z]\w*)=(?P<bounds>.+)$", re.I)
ENDING = re.compile(rf"end({KEYWORD.pattern})$")
# A keyword that stands apart from what follows, so that the statement cannot be meant as an assignment.
APART = re.compile(rf"\s*(?:{KEYWORD.pattern})\s+\w", re.I)
CALL = re.compile(r"(?P<before>if\(.*\))?call(?P<name>await|advance)(?P<arguments>\(.*\))?$", re.I)
DECLARATION = re.compile(
    r"integer|real|logical|complex|character|byte|double(?:precision|complex)|dimension|parameter|external"
    r"|intrinsic|equivalence|common|namelist|save|data|global|cluster|implicit"
)
WITH_VALUE = re.compile(r"save|data|(?!common|namelist|parameter)[^/]*/")
DO = re.compile(r"(?:\w+:)?do(?:(?P<label>\d+),?)?(?:\w+=|while\(|$)")
LEAVING = re.compile(r"(?:if\(.*\))?(exit|return)$")


@dataclass
class Loop:
    head: Statement
    kind: str  # sdoall and the like
    index: str
    bounds: list[str]
    label: str  # of the statement that ends it; none: an END
    loop: Statement | None = None
    endloop: Statement | None = None
    first: Statement | None = None  # behind the declarations
    dos: list[str] = field(default_factory=list)  # the labels of the DOs that are open in it
    points: set[str] = field(default_factory=set)  # what its AWAITs and ADVANCEs are of
    awaiting: Statement | None = None  # the AWAIT whose ADVANCE has not come

    @property
    def name(self) -> str:
        return self.kind.upper()

    @property
    def one(self) -> str:
        return f"{'an' if self.kind[0] in 'sx' else 'a'} {self.name}"

    @property
    def end(self) -> str:
        return f"a statement {self.label}" if self.label else f"an END {self.name}"

    @property
    def call(self) -> str:
        """The runtime's function that prepares it."""
        return f"cedar_{'x' * self.kind.startswith('d')}{self.kind}"


def split_at_commas(text: str) -> list[str]:
    """What stands between the commas outside of parentheses and literals."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(silent(text)):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def is_assignment(statement: Statement) -> bool:
    """Whether an equals sign stands outside of parentheses, and no comma behind it as in a DO statement."""
    parts = split_at_commas(re.sub(r"\([^()]*\)", "()", statement.packed))
    outside = [re.sub(r"\(.*\)", "", part) for part in parts]
    return "=" in outside[-1]


def begun(statement: Statement) -> Loop | None:
    """The loop that the statement begins, if it begins one."""
    match = KEYWORD.match(statement.packed)
    if not match or (is_assignment(statement) and not APART.match(statement.text)):
        return None
    kind = match.group()
    parts = HEADING.match(statement.body[match.end() :])
    bounds = split_at_commas(parts.group("bounds")) if parts else []
    if parts is None or len(bounds) not in (2, 3) or not all(bounds):
        raise Unreadable(statement, f"this loop cannot be read: {kind.upper()} I = FIRST, LAST is wanted")
    return Loop(statement, kind, parts.group("index"), bounds, parts.group("label") or "")


def labelled(statement: Statement) -> list[str]:
    """A statement that can be gone to in its place."""
    return [f"{statement.label:5} continue\n"] if statement.label else []


def region_of(loop: Loop, commons) -> list[str]:
    """What begins the loop; each thread is then in front of its declarations. `commons` are the unit's blocks
    of which each cluster task has a copy (cedar_commons.py)."""
    bounds = enumerate([*loop.bounds, "1"][:3], 1)
    return [
        *labelled(loop.head),
        "      block\n",
        "      integer(8) cedar_bounds(3)\n",
        f"      integer {loop.call}\n",
        f"      external {loop.call}\n",
        *(line for at, bound in bounds for line in fixed_form("", f"cedar_bounds({at})={bound}")),
        "!$omp parallel default(shared)\n",
        f"!$omp&num_threads({loop.call}(cedar_bounds))\n",
        f"!$omp&private({loop.index})\n",
        *commons.private(),
        *commons.finding(),
        "      block\n",
        "      integer(8) cedar_iteration(4)\n",
        "      logical cedar_next\n",
        "      external cedar_next\n",
    ]


def fetching(loop: Loop) -> list[str]:
    return [
        "      cedar_iteration=0\n",
        "      do while (cedar_next(cedar_iteration))\n",
        f"      {loop.index}=cedar_iteration(1)\n",
    ]


class Loops:
    """The loops of a program unit."""

    def __init__(self, edits: Edits, commons):
        self.edits, self.commons = edits, commons
        self.open: list[Loop] = []

    def translate(self, unit: list[Statement]):
        for statement in unit:
            self.take(statement)
        if self.open:
            loop = self.open[-1]
            raise Unreadable(loop.head, f"this {loop.name} wants {loop.end} and has none")

    def take(self, statement: Statement):
        loop, ending = begun(statement), ENDING.match(statement.packed)
        if loop:
            self.begin(loop)
        elif ending:
            self.end(statement, ending.group(1))
        elif self.open:
            self.take_within(self.open[-1], statement)
        elif statement.packed == "endloop":
            raise Unreadable(statement, "this ENDLOOP is in no loop")
        while self.open and statement.label and self.open[-1].label == statement.label:
            self.edits.behind(statement, self.closing(self.open.pop(), statement))

    def take_within(self, loop: Loop, statement: Statement):
        if statement.packed == "loop":
            self.divide(loop, statement)
        elif statement.packed == "endloop":
            self.end_body(loop, statement)
        elif loop.first is None and DECLARATION.match(statement.packed) and not is_assignment(statement):
            self.declare(loop, statement)
        else:
            loop.first = loop.first or statement
            self.execute(loop, statement)

    def begin(self, loop: Loop):
        if self.open:
            outer = self.open[-1]
            outer.first = outer.first or loop.head
            if outer.awaiting:
                raise Unreadable(loop.head, f"a loop cannot be in the ordered region of {outer.one}")
        if loop.index.lower() in self.commons.names:
            sentence = f"the index {loop.index.upper()} is each thread's own: it cannot lie in CLUSTER COMMON"
            raise Unreadable(loop.head, sentence)
        self.open.append(loop)
        self.edits.instead(loop.head, region_of(loop, self.commons))

    def declare(self, loop: Loop, statement: Statement):
        if statement.packed.startswith("clustercommon"):
            raise Unreadable(
                statement, f"CLUSTER COMMON cannot stand in {loop.one}: declare it before the loop"
            )
        if WITH_VALUE.match(silent(statement.packed)):
            raise Unreadable(
                statement, f"what is declared in {loop.one} has no value to begin with or keep"
            )
        if statement.packed.startswith("global"):
            raise Unreadable(statement, f"GLOBAL cannot stand in {loop.one}: declare it before the loop")

    def divide(self, loop: Loop, statement: Statement):
        if loop.loop:
            raise Unreadable(statement, f"this is the second LOOP of {loop.one}")
        if loop.label:
            raise Unreadable(statement, "LOOP stands in loops that end with END, not at a label")
        loop.loop = loop.first = statement
        self.edits.instead(statement, labelled(statement) + fetching(loop))

    def end_body(self, loop: Loop, statement: Statement):
        if not loop.loop or loop.endloop:
            raise Unreadable(statement, f"this ENDLOOP has no LOOP in its {loop.name}")
        self.check_regions(loop)
        loop.endloop = statement
        self.edits.instead(statement, [*labelled(statement), "      end do\n"])

    def execute(self, loop: Loop, statement: Statement):
        packed = statement.packed
        do, leaving, call = DO.match(packed), LEAVING.match(packed), CALL.match(statement.body)
        if do and not is_assignment(statement):
            loop.dos.append(do.group("label") or "")
        elif packed.startswith("enddo"):
            del loop.dos[-1:]
        if leaving and (leaving.group(1) == "return" or not loop.dos):
            raise Unreadable(statement, f"{leaving.group(1).upper()} cannot leave {loop.one}")
        while statement.label and loop.dos[-1:] == [statement.label]:
            loop.dos.pop()
        if call:
            self.synchronize(loop, statement, call)

    def synchronize(self, loop: Loop, statement: Statement, call: re.Match):
        name = call.group("name").upper()
        if not loop.kind.endswith("across"):
            raise Unreadable(statement, f"{name} is for DOACROSS loops, and this is {loop.one}")
        loop.points.add(split_at_commas((call.group("arguments") or "()")[1:-1].lower())[0])
        if len(loop.points) > 1:
            raise Unreadable(statement, f"{loop.one} has one ordered region, and this is of another")
        if name == "AWAIT" and loop.awaiting:
            raise Unreadable(statement, "this AWAIT follows another, with no ADVANCE between them")
        if name == "ADVANCE" and not loop.awaiting:
            raise Unreadable(statement, "this ADVANCE has no AWAIT before it")
        loop.awaiting = statement if name == "AWAIT" else None
        text = f"{call.group('before') or ''}call cedar_{name.lower()}()"
        self.edits.instead(statement, fixed_form(statement.label, text))

    @staticmethod
    def check_regions(loop: Loop):
        if loop.awaiting:
            raise Unreadable(loop.awaiting, f"this AWAIT has no ADVANCE behind it in its {loop.name}")

    def end(self, statement: Statement, kind: str):
        if not self.open:
            raise Unreadable(statement, f"this END {kind.upper()} is in no loop")
        loop = self.open[-1]
        if loop.kind != kind or loop.label:
            raise Unreadable(statement, f"this stands where the {loop.name} wants {loop.end}")
        self.edits.instead(statement, labelled(statement) + self.closing(self.open.pop(), statement))

    def closing(self, loop: Loop, statement: Statement) -> list[str]:
        """What ends the loop at this statement."""
        self.check_regions(loop)
        if not loop.loop:
            self.edits.before(loop.first or statement, fetching(loop))
        return [
            *([] if loop.endloop else ["      end do\n"]),
            "      end block\n",
            "!$omp end parallel\n",
            "      end block\n",
        ]
