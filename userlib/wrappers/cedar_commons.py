# SPDX-License-Identifier: MIT
"""Cedar Fortran's CLUSTER COMMON: a block of which each cluster task has its own copy, in its cluster's
memory. For gfortran what is in one are pointees of Cray pointers, which are set where a procedure and each
thread of a loop begins, to where the loop runtime (userlib/loops/cedar) has the copy of the thread's task."""

import re
from dataclasses import dataclass

from cedar_loops import DECLARATION, is_assignment, split_at_commas
from fortran_edits import Edits, Unreadable
from fortran_source import Statement, fixed_form, silent
from fortran_types import TYPED

COMMON = re.compile(r"(process|global|cluster|)common(.*)$", re.I)
BLOCK = re.compile(r"/(\w*)/")
ITEM = re.compile(r"([a-z]\w*)(\(.*\))?$", re.I)
HEADER = re.compile(r"program|[\w*()]*?(?:subroutine|function|blockdata)")
OTHER_DECLARATION = re.compile(r"format\(|include|use[a-z]|entry|pointer\(|processcommon")
STATEMENT_FUNCTION = re.compile(r"([a-z]\w*)\([a-z0-9_,]*\)=")
WITH_VALUE = re.compile(r"([a-z]\w*)(?:\([^()]*\))?(?:/|=(?!=))")
ZERO = "which begins as zero: assign to it"
ASSOCIATING = {
    "data": ZERO,
    "equivalence": "of which each task has its own: it cannot be in EQUIVALENCE",
    "global": "of which each task has its own: it cannot be GLOBAL",
}


@dataclass
class Block:
    place: str  # file and line of its first declaration
    names: list[str]

    @staticmethod
    def pointer(name: str) -> str:
        return f"cedar_at_{name}"

    def finding(self, name: str) -> list[str]:
        """What sets the pointers of the calling thread's copy."""
        bytes_of = "+".join(f"sizeof({item})" for item in self.names)
        place = self.place.replace("'", "''")
        before = self.names[0]
        lines = fixed_form("", f"call cedar_common({self.pointer(before)},{bytes_of},'{name}','{place}')")
        for item in self.names[1:]:
            text = f"{self.pointer(item)}={self.pointer(before)}+sizeof({before})"
            lines += fixed_form("", text)
            before = item
        return lines


def declares(statement: Statement) -> bool:
    packed = statement.packed
    found = DECLARATION.match(packed) or OTHER_DECLARATION.match(packed)
    return bool(found) and ("::" in packed or not is_assignment(statement))


def executable(unit: list[Statement]) -> Statement:
    """The first of its statements that does something; statement functions do nothing."""
    arrays = {name for one in unit if declares(one) for name in re.findall(r"([a-z]\w*)\(", one.packed)}
    for at, statement in enumerate(unit):
        is_header = at == 0 and HEADER.match(statement.packed) and not is_assignment(statement)
        function = STATEMENT_FUNCTION.match(statement.packed)
        if not is_header and not declares(statement) and (not function or function.group(1) in arrays):
            return statement
    return unit[-1]


class Commons:
    """The CLUSTER COMMON blocks of a program unit. `kinds` has the blocks of the file's earlier units:
    whether each is CLUSTER COMMON."""

    def __init__(self, edits: Edits, unit: list[Statement], kinds: dict[str, bool]):
        self.edits, self.unit, self.kinds = edits, unit, kinds
        self.blocks: dict[str, Block] = {}

    def translate(self):
        for statement in self.unit:
            common = COMMON.match(statement.body)
            if common and not is_assignment(statement):
                self.take(statement, common.group(1).lower() == "cluster", common.group(2))
        if not self.blocks:
            return
        if self.unit[0].packed.startswith("blockdata"):
            raise Unreadable(self.unit[0], "CLUSTER COMMON begins as zero: it cannot be in BLOCK DATA")
        for statement in self.unit:
            self.check(statement)
        self.edits.before(executable(self.unit), self.finding())
        for statement in self.unit:
            if statement.packed.startswith("entry") and not is_assignment(statement):
                self.edits.behind(statement, self.finding())

    @property
    def names(self) -> set[str]:
        return {name for block in self.blocks.values() for name in block.names}

    def finding(self) -> list[str]:
        """What sets all pointers."""
        return [line for name, block in self.blocks.items() for line in block.finding(name)]

    def private(self) -> list[str]:
        """Of a loop's directive: each thread has the pointers to itself."""
        names = (name for block in self.blocks.values() for name in block.names)
        return [f"!$omp&private({Block.pointer(name)})\n" for name in names]

    def take(self, statement: Statement, is_clusters: bool, rest: str):
        lines: list[str] = []
        for name, items in self.lists(statement, rest):
            if self.kinds.setdefault(name, is_clusters) != is_clusters:
                other = "a COMMON block" if is_clusters else "CLUSTER COMMON"
                raise Unreadable(statement, f"/{name.upper()}/ is {other} elsewhere in this file")
            if not is_clusters:
                continue
            block = self.blocks.setdefault(name, Block(self.edits.where(statement), []))
            for text in items:
                item = ITEM.match(text)
                if not item:
                    raise Unreadable(
                        statement, f"CLUSTER COMMON is followed by /BLOCK/ and names, not by '{text}'"
                    )
                block.names.append(item.group(1).lower())
                pointer = Block.pointer(block.names[-1])
                lines += fixed_form("", f"pointer ({pointer},{text})")
        if is_clusters:
            self.edits.instead(statement, lines)

    @staticmethod
    def lists(statement: Statement, rest: str) -> list[tuple[str, list[str]]]:
        """Each block's name, in small letters, and what is in it; none is named "" like blank COMMON."""
        found, first = [], rest if rest.startswith("/") else "//" + rest
        marks = list(BLOCK.finditer(first))
        for at, mark in enumerate(marks):
            end = marks[at + 1].start() if at + 1 < len(marks) else len(first)
            text = first[mark.end() : end]
            is_last = at + 1 == len(marks)
            items = split_at_commas(text if is_last else text.removesuffix(","))
            found.append((mark.group(1).lower(), items))
        if not marks or marks[0].start() != 0:
            raise Unreadable(statement, "COMMON is followed by /BLOCK/ and names")
        return found

    def check(self, statement: Statement):
        """What cannot be of a variable that each task has a copy of."""
        if is_assignment(statement) and "::" not in statement.packed:
            return
        for word, sentence in ASSOCIATING.items():
            if statement.packed.startswith(word) and not COMMON.match(statement.body):
                for name in sorted(self.names & set(re.findall(r"[a-z]\w*", self.listed(statement, word)))):
                    raise Unreadable(statement, f"{name.upper()} lies in CLUSTER COMMON, {sentence}")
        if typed := TYPED.match(silent(statement.packed)):
            for name in sorted(self.names & set(WITH_VALUE.findall(typed.group(2)))):
                raise Unreadable(statement, f"{name.upper()} lies in CLUSTER COMMON, {ZERO}")
        if statement.packed.startswith("save"):
            self.keep_others(statement)

    @staticmethod
    def listed(statement: Statement, word: str) -> str:
        return re.sub(r"/[^/]*/", ",", silent(statement.packed)[len(word) :])

    def keep_others(self, statement: Statement):
        """A copy is kept as long as its task: SAVE says nothing more of it."""
        ours = self.names | {f"/{name}/" for name in self.blocks}
        given = [text for text in statement.packed[len("save") :].split(",") if text]
        if not ours & set(given):
            return
        others = [text for text in given if text not in ours]
        self.edits.instead(statement, fixed_form("", "save " + ",".join(others)) if others else [])
