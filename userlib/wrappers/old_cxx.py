# SPDX-License-Identifier: MIT
"""Old C++, as g++ takes it: a variable that a for statement declares lives on in the block around it. Where a
block goes on to use one, it is declared at the block's start instead. Lines keep their numbers."""

import re

SILENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
LOOP = re.compile(
    r"\bfor\s*\(\s*((?:unsigned\s+|register\s+)*(?:int|long|short|char|double|float))\s+(\w+)\s*="
)

# The word before a name: its type, where the name is declared.
TYPED = re.compile(r"\b([A-Za-z_]\w*)[\s*&]+$")


def blanked(text: str) -> str:
    """The text with nothing in its comments and literals, at the same places."""
    return SILENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def blocks(bare: str) -> list[tuple[int, int]]:
    """Where braces open and close."""
    found, opened = [], []
    for at, letter in enumerate(bare):
        if letter == "{":
            opened.append(at)
        elif letter == "}" and opened:
            found.append((opened.pop(), at))
    return found


def end_of_statement(bare: str, at: int) -> int:
    """Behind the for statement whose parenthesis opens at or after `at`."""
    depth = 0
    for place in range(bare.index("(", at), len(bare)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(bare[place], 0)
        if depth == 0 and bare[place] in ";}":
            return place + 1
    return len(bare)


def edits(bare: str) -> list[tuple[int, int, str]]:
    """What to put where: start, end, text."""
    found, spans, declared = [], blocks(bare), set()
    for loop in LOOP.finditer(bare):
        around = [span for span in spans if span[0] < loop.start() < span[1]]
        if not around:
            continue
        start, end = max(around)
        kind, name = loop.groups()
        rest = bare[end_of_statement(bare, loop.start()) : end]
        use = re.search(rf"\b{name}\b", rest)
        before = TYPED.search(rest[: use.start()]) if use else None
        own = before and before.group(1) not in ("return", "else", "case", "delete", "throw", "do")
        if (start, name) not in declared and use and not own:
            declared.add((start, name))
            found.append((start + 1, start + 1, f" {kind} {name};"))
        if (start, name) in declared:
            found.append((loop.start(1), loop.start(2), ""))
    return sorted(found, reverse=True)


def translate(path: str, _headers: list[str]) -> str | None:
    with open(path, encoding="latin-1", newline="") as file:
        text = file.read()
    changes = edits(blanked(text))
    for start, end, new in changes:
        text = text[:start] + new + text[end:]
    return f'# 1 "{path}"\n{text}' if changes else None
