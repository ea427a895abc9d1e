# SPDX-License-Identifier: MIT
"""INTEGER and LOGICAL in each other's place, as the compilers of the time let them pass: LOGICALs compared by
.EQ. and .NE., and conditions that are INTEGERs, of which odd ones are true."""

import re

from fortran_source import silent
from fortran_types import Types

RELATION = re.compile(r"\.(eq|ne)\.", re.I)
CONDITION = re.compile(r"\s*(?:else\s*)?if\s*(?=\()|\s*do\s*while\s*(?=\()", re.I)
JOINING = re.compile(r"\.(?:and|or|eqv|neqv|xor)\.", re.I)
COMPARING = re.compile(r"\.(?:eq|ne|lt|le|gt|ge)\.", re.I)
LITERAL = re.compile(r"\.(?:true|false)\.", re.I)
NUMBER = re.compile(r"\d+(?![\w.])")


def closing(text: str, at: int) -> int:
    """Behind the parenthesis that closes the one at this place; -1: none does."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return -1


def operand_before(text: str, end: int) -> int:
    """Where the operand begins that ends here: a name, with arguments or without, a literal, parentheses."""
    end = len(text[:end].rstrip())
    literal = re.search(r"\.(?:true|false)\.$", text[:end], re.I)
    if literal:
        return literal.start()
    if text[:end].endswith(")"):
        depth = 0
        for end in range(end - 1, -1, -1):
            depth += {")": 1, "(": -1}.get(text[end], 0)
            if depth == 0:
                break
    return re.search(r"[a-z]?\w*\s*$", text[:end], re.I).start()


def operand_after(text: str, at: int) -> int:
    """Where the operand ends that begins here or behind blanks."""
    at += len(text[at:]) - len(text[at:].lstrip())
    literal = LITERAL.match(text, at)
    if literal:
        return literal.end()
    at = re.compile(r"\w*").match(text, at).end()
    opened = re.compile(r"\s*\(").match(text, at)
    return closing(text, opened.end() - 1) if opened else at


def kind_of(text: str, types: Types) -> str:
    """logical, integer, or anything else."""
    text = text.strip()
    if LITERAL.fullmatch(text) or COMPARING.search(text) or re.match(r"\.not\.", text, re.I):
        return "logical"
    if text.startswith("(") and closing(text, 0) == len(text):
        return kind_of(text[1:-1], types)
    name = re.match(r"[a-z]\w*", text, re.I)
    if name:
        return types.of(name.group().lower())
    return "integer" if NUMBER.match(text) else "other"


def compared(text: str, types: Types) -> str:
    """LOGICALs are equivalent, not equal."""
    at = 0
    while match := RELATION.search(silent(text), at):
        at, bare = match.end(), silent(text)
        start, end = operand_before(bare, match.start()), operand_after(bare, match.end())
        if end < 0 or start == match.start():
            continue
        sides = text[start : match.start()], text[match.end() : end]
        if [kind_of(side, types) for side in sides] == ["logical", "logical"]:
            word = ".EQV." if match.group(1).lower() == "eq" else ".NEQV."
            text = f"{text[:start]}({sides[0]}{word}{sides[1]}){text[end:]}"
            at += 2
    return text


def term(text: str, types: Types) -> str:
    """One of the terms that a condition joins."""
    negated = re.match(r"\s*\.not\.", text, re.I)
    if negated:
        return negated.group() + term(text[negated.end() :], types)
    inner = text.strip()
    if inner.startswith("(") and closing(silent(inner), 0) == len(inner):
        return text.replace(inner, f"({condition(inner[1:-1], types)})")
    if inner and not COMPARING.search(silent(inner)) and kind_of(inner, types) == "integer":
        return text.replace(inner, f"(IAND({inner},1).NE.0)")
    return text


def condition(text: str, types: Types) -> str:
    """The whole condition, its INTEGER terms made LOGICAL."""
    bare, out, start, depth, at = silent(text), "", 0, 0, 0
    while at < len(bare):
        depth += {"(": 1, ")": -1}.get(bare[at], 0)
        joined = JOINING.match(bare, at) if depth == 0 else None
        if joined:
            out += term(text[start:at], types) + joined.group()
            at = start = joined.end()
        else:
            at += 1
    return out + term(text[start:], types)


def translate(body: str, types: Types) -> str:
    """A statement's body; the same where nothing is to be done."""
    if not types.complete:
        return body
    body = compared(body, types) if RELATION.search(body) else body
    found = CONDITION.match(body)
    end = closing(silent(body), found.end()) if found else -1
    if end < 0 or re.match(r"\s*(?:\d+\s*,|=)", body[end:]):
        return body  # no condition, an arithmetic IF, or an array of this name
    return f"{body[:found.end()]}({condition(body[found.end() + 1 : end - 1], types)}){body[end:]}"
