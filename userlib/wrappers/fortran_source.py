# SPDX-License-Identifier: MIT
"""A source file of old Fortran, fixed form, as statements and program units."""

import re
from functools import cached_property


# Where characters may begin: a quote, or the count and letter of Hollerith's, 4HNODE.
OPENING = re.compile(r"['\"]|\d[\d ]*h", re.I)
# What no Hollerith count follows: REAL*8 HEIGHT, DO 10 H = 1, 5.
IN_A_NAME = re.compile(r"[\w$*] *$")


def literals(text: str) -> list[tuple[int, int]]:
    """Where characters begin, with their quote or count, and end; the last may be open: it ends behind the
    text."""
    found, at = [], 0
    while match := OPENING.search(text, at):
        at = match.end()
        mark = match.group()
        if mark in "'\"":
            closed = text.find(mark, at)
            at = closed + 1 if closed >= 0 else len(text) + 1
        elif IN_A_NAME.search(text[: match.start()]):
            continue
        else:
            at += int(mark[:-1].replace(" ", ""))
        found.append((match.start(), at))
    return found


class Statement:
    """A statement's lines: where it starts, its label, and its text in `body`, without continuation marks,
    comments and the blanks outside of literals: fixed form has them anywhere, also in operators and names."""

    def __init__(self, first: int):
        self.first, self.last, self.label, self.text = first, first, "", ""

    def add(self, line: str, number: int, continued: bool):
        text = line.rstrip("\n")
        if "\t" in text[:6]:
            label, rest = text.split("\t", 1)
            rest = rest[1:] if continued else rest
        else:
            label, rest = text[:5], text[6:]
        if not continued:
            self.label = label.strip()
        self.text = uncommented(self.text + rest, len(self.text))
        if literals(self.text)[-1:] and literals(self.text)[-1][1] > len(self.text):
            self.text += " " * (66 - len(rest))  # the line's blanks are the literal's
        self.last = number

    @cached_property
    def body(self) -> str:
        out, start = "", 0
        for begin, end in literals(self.text):
            out += self.text[start:begin].replace(" ", "").replace("\t", "") + self.text[begin:end]
            start = end
        return out + "".join(self.text[start:].split())

    @cached_property
    def packed(self) -> str:
        return "".join(self.body.split()).lower()


def uncommented(text: str, start: int) -> str:
    """The text up to a comment's mark at this place or behind it."""
    bare = silent(text)
    at = bare.find("!", start)
    return text if at < 0 else text[:at]


def silent(text: str) -> str:
    """The text with nothing in its literals, at the same places."""
    for start, end in literals(text):
        inner = min(end, len(text)) - start - 1
        if text[start] in "'\"":
            closed = end <= len(text)
            text = text[:start] + "'" + "_" * (inner - closed) + "'" * closed + text[end:]
        else:
            text = text[:start] + "_" * (inner + 1) + text[end:]
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
    return any(start < at < end for start, end in literals(text)) or text[at - 1 : at + 1] in ("''", '""')


def fixed_form(label: str, text: str) -> list[str]:
    """The statement's lines. None ends inside a literal, which would get blanks up to the line's length."""
    pieces, rest = [], text
    while len(rest) > 66:
        at = next((at for at in range(66, 6, -1) if not is_inside(rest, at)), 66)
        pieces, rest = [*pieces, rest[:at]], rest[at:]
    pieces.append(rest)
    return [f"{label:5} {pieces[0]}\n"] + [f"     &{piece}\n" for piece in pieces[1:]]


def lines_of(path: str, width: int) -> list[str]:
    """The lines, without what stands behind the last column: cards were numbered there."""
    with open(path, encoding="latin-1", newline="") as file:
        text = file.read().replace("\r\n", "\n").replace("\x1a", "")
    return [
        line if "\t" in line or line[:1] == "#" or len(line) <= width else line[:width] + "\n"
        for line in text.splitlines(keepends=True)
    ]
