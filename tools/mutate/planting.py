# SPDX-License-Identifier: MIT
"""Writes mutants into a copy of the sources: all of them as choices that are made when a program runs, or
one of them by itself."""

import os
import subprocess

from .rules import Edit, Mutant

HEADER = '#include "tools/mutate/planted.hpp"'


def rewritten(text: str, edits: list[Edit]) -> str:
    """The text with all edits. Of two that overlap, one is inside the other."""

    def between(start: int, end: int, inner: list[Edit]) -> str:
        parts, at = [], start
        while inner:
            first = min(inner, key=lambda one: (one.start, -one.end))
            same = [one for one in inner if (one.start, one.end) == (first.start, first.end)]
            inside = [
                one
                for one in inner
                if first.start <= one.start and one.end <= first.end and one not in same
            ]
            parts.append(text[at : first.start])
            piece = between(first.start, first.end, inside)
            for one in sorted(same, key=lambda one: one.rank):
                piece = one.make(piece)
            parts.append(piece)
            at = first.end
            inner = [one for one in inner if one not in same and one not in inside]
            lost = [one for one in inner if one.start < at]
            if lost:
                raise ValueError(f"edits overlap at {lost[0].start}")
        parts.append(text[at:end])
        return "".join(parts)

    return between(0, len(text), edits)


def with_choices(text: str, mutants: list[tuple[int, Mutant]]) -> str:
    """No line comes or goes, so that a compiler's message names the line of the source."""
    edits = [edit for number, one in mutants for edit in one.choosing(number)]
    first, rest = rewritten(text, edits).split("\n", 1)
    if not first.startswith("// SPDX"):
        raise ValueError("the first line is not the licence's")
    return f"{HEADER}\n{rest}"


def alone(text: str, mutant: Mutant) -> str:
    first, rest = rewritten(text, mutant.direct).split("\n", 1)
    return f"{HEADER}\n{rest}"


def write_if_new(path: str, text: str) -> bool:
    """So that make builds what has changed, and no more."""
    data = text.encode("latin-1")
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return False
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    return True


def tracked(root: str) -> list[str]:
    """The files of the tree, those that are new included."""
    line = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=True)
    return [file for file in done.stdout.splitlines() if os.path.isfile(os.path.join(root, file))]


def called(root: str, name: str) -> list[str]:
    """The files of that name, wherever in the tree, as full paths."""
    return [os.path.join(root, file) for file in tracked(root) if os.path.basename(file) == name]
