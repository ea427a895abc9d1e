# SPDX-License-Identifier: MIT
"""What a translation puts instead of a source's statements, before and behind them, and the text that comes
of it: line markers in it tell the compiler the places in the file that the user wrote."""

import re

from fortran_source import Statement, is_comment

DIRECTIVE = re.compile(r"[!c*]\$omp", re.I)


class Unreadable(Exception):
    """The statement that cannot be translated, and a sentence that says why."""

    def __init__(self, statement: Statement, sentence: str):
        super().__init__(sentence)
        self.statement = statement


def is_continuation(line: str) -> bool:
    return line.startswith(("     &", "!$omp&"))


class Edits:
    def __init__(self, lines: list[str], path: str):
        self.lines = lines
        self.places = self.find_places(path)
        self.instead_of: dict[int, tuple[int, list[str]]] = {}  # first line: last line and its replacement
        self.before_line: dict[int, list[str]] = {}
        self.behind_line: dict[int, list[str]] = {}

    def find_places(self, path: str) -> list[tuple[str, int]]:
        """Of each line, and of the end, the file and the number there, by the markers of an earlier
        translation."""
        found, file, number = [], path, 1
        for line in [*self.lines, ""]:
            found.append((file, number))
            marker = re.match(r'# (\d+) "(.*)"', line)
            file, number = (marker.group(2), int(marker.group(1))) if marker else (file, number + 1)
        return found

    def instead(self, statement: Statement, lines: list[str]):
        self.instead_of[statement.first] = (statement.last, lines)

    def before(self, statement: Statement, lines: list[str]):
        """Also before the directives that stand on it."""
        at = first = statement.first
        while at > 0 and is_comment(self.lines[at - 1]):
            at -= 1
            first = at if DIRECTIVE.match(self.lines[at]) else first
        self.before_line.setdefault(first, []).extend(lines)

    def behind(self, statement: Statement, lines: list[str]):
        self.behind_line.setdefault(statement.last, []).extend(lines)

    def where(self, statement: Statement) -> str:
        file, number = self.places[statement.first]
        return f"{file}:{number}"

    def marked(self, lines: list[str], at: int) -> list[str]:
        """The lines, each told to be the one at this place."""
        file, number = self.places[at]
        marker = f'# {number} "{file}"\n'
        return [text for line in lines for text in ([] if is_continuation(line) else [marker]) + [line]]

    def text(self) -> str:
        out, number = self.marked([""], 0), 0
        while number < len(self.lines):
            last, own = self.instead_of.get(number, (number, []))
            before, behind = self.before_line.get(number, []), self.behind_line.get(last, [])
            out += self.marked(before, number) + self.marked(own, number)
            if number not in self.instead_of:
                out += self.marked([""], number) if before else []
                out.append(self.lines[number])
            out += self.marked(behind, number)
            if behind or number in self.instead_of:
                out += self.marked([""], last + 1)
            number = last + 1
        return "".join(out)

    def __bool__(self) -> bool:
        return bool(self.instead_of or self.before_line or self.behind_line)
