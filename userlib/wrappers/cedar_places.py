# SPDX-License-Identifier: MIT
"""Where Cedar Fortran places data: GLOBAL and PROCESS COMMON in the memory for all, once for the program;
CLUSTER in the memory of the cluster that runs the procedure, once for each call of it. For gfortran the first
are static and the others on the stack, which lies in a cluster's memory where there is one."""

import re

from cedar_loops import DECLARATION, is_assignment, split_at_commas
from fortran_edits import Edits, Unreadable
from fortran_source import Statement, fixed_form

PLACING = re.compile(r"(global|cluster)(.+)$", re.I)
COMMON = re.compile(r"(process|global|cluster)common(.*)$", re.I)
NAME = re.compile(r"([a-z]\w*)(\(.*\))?$", re.I)
PROCEDURE = re.compile(r"[\w*()]*?(?:subroutine|function)[a-z]\w*\((.*?)\)|entry\w+\((.*)\)$")
NOT_MAIN = re.compile(r"(?!program)[\w*()]*?(?:subroutine|function|blockdata|module)")


def arguments(unit: list[Statement]) -> set[str]:
    found = [PROCEDURE.match(statement.packed) for statement in unit]
    return {name for one in found if one for name in (one.group(1) or one.group(2) or "").split(",")}


def in_common(unit: list[Statement]) -> set[str]:
    found: set[str] = set()
    for statement in unit:
        common = re.match(r"(?:process|global|cluster)?common(.*)$", statement.packed)
        if common and not is_assignment(statement):
            lists = re.sub(r"/\w*/", ",", re.sub(r"\([^)]*\)", "", common.group(1)))
            found.update(lists.split(","))
    return found


def kept(unit: list[Statement]) -> set[str]:
    """What a SAVE statement names; "" stands for everything."""
    return {
        name
        for statement in unit
        if statement.packed.startswith("save") and not is_assignment(statement)
        for name in statement.packed[len("save") :].split(",")
    }


def is_main(unit: list[Statement]) -> bool:
    return not NOT_MAIN.match(unit[0].packed)


class Places:
    """The declarations of a program unit."""

    def __init__(self, edits: Edits, unit: list[Statement]):
        self.edits, self.unit = edits, unit
        self.static = kept(unit)
        self.unsaved = arguments(unit) | in_common(unit)
        self.all_static = "" in self.static or is_main(unit)

    def translate(self):
        for statement in self.unit:
            common, placing = COMMON.match(statement.body), PLACING.match(statement.body)
            if is_assignment(statement):
                continue
            if common:
                self.place_common(statement, common.group(1).lower(), common.group(2))
            elif placing:
                self.place(statement, placing.group(1).lower(), placing.group(2))
        if is_main(self.unit) and "" not in self.static:
            self.keep_all()

    def place_common(self, statement: Statement, where: str, rest: str):
        if where != "cluster":  # cedar_commons.py
            self.edits.instead(statement, fixed_form(statement.label, f"common {rest}"))

    def place(self, statement: Statement, where: str, names: str):
        lines = []
        for text in split_at_commas(names):
            name = NAME.match(text)
            if where == "cluster" and re.match(r"/\w*/$", text):
                sentence = f"CLUSTER COMMON {text.upper()} with its names is wanted for a block"
                raise Unreadable(statement, sentence)
            if not name and not re.match(r"/\w+/$", text):
                raise Unreadable(statement, f"{where.upper()} is followed by names, not by '{text}'")
            if name and name.group(2):
                lines += fixed_form("", f"dimension {text}")
            if name and where == "global" and self.is_to_keep(name.group(1).lower()):
                lines += fixed_form("", f"save {name.group(1)}")
        self.edits.instead(statement, lines)

    def is_to_keep(self, name: str) -> bool:
        return not self.all_static and name not in self.static | self.unsaved

    def keep_all(self):
        """A main program's data are static, as they are where nothing runs in parallel: large ones have no
        room on a stack."""
        header = self.unit[0].packed.startswith("program") and not is_assignment(self.unit[0])
        behind = (one for one in self.unit[header:] if not re.match(r"implicit|use[a-z]", one.packed))
        self.edits.before(next(behind, self.unit[-1]), ["      save\n"])
