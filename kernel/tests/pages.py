# SPDX-License-Identifier: MIT
"""The commands of README and of docs/, and what the pages show of their output.

A command is a line that is indented by four spaces, and those that it is continued on. What it prints stands
either under it, where it begins with `$ ', or in the fenced block behind it and its neighbours: some of its
lines, in their order. There a number agrees with one that is printed when they differ by no more than
TOLERANCE, for the last digits are the compiler's; `n' and `n.nn' stand for a number that is the host's.
"""

import glob
import os
import re
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FIRST_WORDS = r"(?:make|sudo|mkdir|sed|build/\S+|tools/\S+|studies/\S+|PARLEY_LEAF=\S+|PATH=\S+)(?: |$)"
COMMAND = re.compile(rf"^    (?:\$ )?({FIRST_WORDS}.*)$")
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|\bn+(?:\.n+)?\b")
TOLERANCE = 0.05
OTHER_PAGES = ("native.md",)  # native/tests/test_documents.py runs all of it


@dataclass
class Group:
    """Commands that stand together, and what the page shows of what they print."""

    page: str
    line: int
    commands: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)  # of numbers: those of a table under the command
    last: int = 0  # the line behind its last command

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def names() -> list[str]:
    """Those of studies, too."""
    docs = [sorted(glob.glob(os.path.join(ROOT, place, "docs", "*.md"))) for place in ("", "studies/*")]
    return ["README.md", *(os.path.relpath(path, ROOT) for path in sum(docs, []))]


def text_of(page: str) -> str:
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def without_remark(line: str) -> str:
    """A remark stands two blanks or more behind its command, outside quotes."""
    return re.match(r"""(?:"[^"]*"|'[^']*'|(?!  |\s*$).)*""", line)[0].strip()


def groups(page: str) -> list[Group]:
    """In the page's order."""
    if os.path.basename(page) in OTHER_PAGES:
        return []
    found, lines, at = [], text_of(page).split("\n"), 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = lines.index("```", at + 1)
            if found and not "".join(lines[found[-1].last : at]).strip():
                found[-1].shown += lines[at + 1 : end]
            at = end + 1
            continue
        command = COMMAND.match(lines[at])
        if command is None:
            at += 1
            continue
        beside = found and not found[-1].shown and not "".join(lines[found[-1].last : at])
        if not beside:
            found.append(Group(page, at + 1))
        group, text = found[-1], command[1]
        while text.endswith("\\"):
            at += 1
            text = f"{text[:-1].rstrip()} {lines[at].strip()}"
        group.commands.append(without_remark(text))
        is_shown = lines[at].lstrip().startswith("$ ") or lines[group.line - 1].startswith("    $ ")
        at += 1
        group.last = at
        while is_shown and at < len(lines) and (lines[at].startswith("    ") or not lines[at]):
            group.shown += [lines[at][4:]] if lines[at].strip() else []
            at += 1
        while is_shown and not group.shown and at < len(lines) and lines[at].startswith("|"):
            cells = [cell.strip() for cell in lines[at].strip("|").split("|")]
            group.rows += [cells] if all(NUMBER.fullmatch(cell) for cell in cells) else []
            at += 1
    return found


def files_of(page: str) -> dict[str, str]:
    """Those that the page tells its reader to write."""
    blocks = re.findall(r"Write `([^`]+)`:\n\n((?:    .*\n|\n)+)", text_of(page))
    return {name: re.sub(r"^    ", "", text, flags=re.M) for name, text in blocks}


def plain(line: str) -> str:
    return " ".join(line.replace("~", " ").split())


def agrees(shown: str, printed: str) -> bool:
    """Whether a line of the page is that of an output."""
    ours, theirs = plain(shown), plain(printed)
    if ours.endswith("..."):  # the rest of the line may be anything
        words = ours[:-3].split()
        ours, theirs = " ".join(words), " ".join(theirs.split()[: len(words)])
    if NUMBER.sub("0", ours) != NUMBER.sub("0", theirs):
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs))
    return all(number.startswith("n") or is_near(number, other) for number, other in pairs)


def is_near(ours: str, theirs: str) -> bool:
    a, b = (float(text.replace(",", "")) for text in (ours, theirs))
    digits = len(ours.partition(".")[2])
    return abs(a - b) <= max(TOLERANCE * abs(b), 10.0**-digits if digits else 0)


def is_printed(row: list[str], output: str) -> bool:
    """Whether a line begins with a table's first number and has the others in their order."""
    for line in output.split("\n"):
        numbers = NUMBER.findall(line)
        if not numbers or numbers[0] != row[0] or not line.strip().startswith(row[0]):
            continue
        rest = iter(numbers[1:])
        if all(any(is_near(cell, number) for number in rest) for cell in row[1:]):
            return True
    return False


def missing(shown: list[str], output: str) -> list[str]:
    """The lines of the page that the output does not have, in their order; `...' stands for any."""
    lost, rest = [], output.split("\n")
    for line in shown:
        if not line.strip() or line.strip() == "...":
            continue
        place = next((at for at, printed in enumerate(rest) if agrees(line, printed)), None)
        if place is None:
            lost.append(line)
        else:
            rest = rest[place + 1 :]
    return lost
