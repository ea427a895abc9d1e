# SPDX-License-Identifier: MIT
"""A source file of old Fortran, fixed form, as statements and program units."""

import re


class Statement:
    """A statement's lines: where it starts, and its text without label, continuation marks and blanks."""

    def __init__(self, first: int):
        self.first, self.last, self.label, self.body = first, first, "", ""

    def add(self, line: str, number: int, continued: bool):
        text = line.rstrip("\n")
        if "\t" in text[:6]:
            label, rest = text.split("\t", 1)
            rest = rest[1:] if continued else rest
        else:
            label, rest = text[:5], text[6:72] if len(text) < 73 else text[6:]
        if not continued:
            self.label = label.strip()
        self.body += uncommented(rest)
        self.last = number

    @property
    def packed(self) -> str:
        return "".join(self.body.split()).lower()


def uncommented(text: str) -> str:
    quote = ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "!":
            return text[:at]
    return text


def is_comment(line: str) -> bool:
    return not line.strip() or line[0] in "cC*!dD#" or line.lstrip().startswith("!")


def is_continued(line: str) -> bool:
    if "\t" in line[:6]:
        return bool(re.match(r"[1-9]", line.split("\t", 1)[1]))
    return len(line) > 5 and not line[:5].strip() and line[5] not in " 0\n"


def statements(lines: list[str]) -> list[Statement]:
    found: list[Statement] = []
    for number, line in enumerate(lines):
        if is_comment(line):
            continue
        continued = is_continued(line) and bool(found)
        if not continued:
            found.append(Statement(number))
        found[-1].add(line, number, continued)
    return found


def units(all_statements: list[Statement]) -> list[list[Statement]]:
    found, current = [], []
    for statement in all_statements:
        current.append(statement)
        if statement.packed == "end" or re.match(
            r"end(program|subroutine|function|blockdata)", statement.packed
        ):
            found.append(current)
            current = []
    return found + ([current] if current else [])


def is_inside(text: str, at: int) -> bool:
    """Whether the place is in a literal, or between two quotes that stand for one."""
    return text[:at].count("'") % 2 == 1 or text[at - 1 : at + 1] == "''"


def fixed_form(label: str, text: str) -> list[str]:
    """The statement's lines. None ends inside a literal, which would get blanks up to the line's length."""
    pieces, rest = [], text
    while len(rest) > 66:
        at = next((at for at in range(66, 6, -1) if not is_inside(rest, at)), 66)
        pieces, rest = [*pieces, rest[:at]], rest[at:]
    pieces.append(rest)
    return [f"{label:5} {pieces[0]}\n"] + [f"     &{piece}\n" for piece in pieces[1:]]


def lines_of(path: str) -> list[str]:
    with open(path, encoding="latin-1", newline="") as file:
        return file.read().replace("\r\n", "\n").replace("\x1a", "").splitlines(keepends=True)
