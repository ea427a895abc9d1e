# SPDX-License-Identifier: MIT
"""Which names of a program unit of old Fortran are LOGICAL and which are INTEGER: by their declarations, also
those of included files, else by IMPLICIT statements and the first letter."""

import os
import re

from fortran_headers import find_header
from fortran_source import Statement, lines_of, statements

TYPE = r"(integer|logical|real|doubleprecision|doublecomplex|complex|character|byte)(?:\*\d+|\*\(\*\))?"
TYPED = re.compile(TYPE + r"(?!.*function\w+\()(.*)")
FUNCTION = re.compile(TYPE + r"function(\w+)")
IMPLICIT = re.compile(TYPE + r"\(([^()]*)\)")
INCLUDED = re.compile(r"include['\"<]([^'\">]+)")
# Functions of the language with a LOGICAL value, which their first letter does not tell.
LOGICAL_FUNCTIONS = ("lge", "lgt", "lle", "llt", "btest", "bitest", "bjtest")


def top_level(text: str) -> list[str]:
    """The parts between commas that are in no parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


class Types:
    def __init__(self, unit: list[Statement], folders: list[str], width: int):
        self.names = {name: "logical" for name in LOGICAL_FUNCTIONS}
        self.letters = {letter: "integer" for letter in "ijklmn"}
        self.folders, self.width = folders, width
        self.complete = True  # every included file was found
        self.learn(unit)

    def learn(self, unit: list[Statement]):
        for statement in unit:
            self.learn_one(statement.packed)

    def learn_one(self, text: str):
        function, typed = FUNCTION.match(text), TYPED.match(text)
        if function:
            self.names[function.group(2)] = function.group(1)
        elif typed and "=" not in re.sub(r"/.*", "", text):
            for part in top_level(typed.group(2)):
                name = re.match(r"[a-z]\w*", part)
                if name:
                    self.names[name.group()] = typed.group(1)
        elif text.startswith("implicit"):
            for kind, ranges in IMPLICIT.findall(text):
                for first, last in re.findall(r"([a-z])(?:-([a-z]))?", ranges):
                    for code in range(ord(first), ord(last or first) + 1):
                        self.letters[chr(code)] = kind
        elif INCLUDED.match(text):
            self.include(INCLUDED.match(text).group(1))

    def include(self, name: str):
        found = find_header(name, self.folders[0], self.folders[1:])
        for folder in self.folders:
            path = os.path.join(folder, found)
            if os.path.isfile(path):
                return self.learn(statements(lines_of(path, self.width)))
        self.complete = False
        return None

    def of(self, name: str) -> str:
        return self.names.get(name) or self.letters.get(name[0], "real")
