# SPDX-License-Identifier: MIT
"""The errors that interface/calls.def promises, read from there, and what a program says of them that makes
them happen (kernel/tests/programs/promised_errors.c)."""

import re

from .catalogue import text_of

# Calls are named without their class here, as in the comments and in that program.
ENTRY = re.compile(r"/\*((?:(?!\*/).)*)\*/\s*PARLEY_(?:MESSAGE_CALL|CALL)\((\w+),\s*(?:\2_)?(\w+),", re.S)
ERROR = re.compile(r"\bX\((\w+), (\d+),")
SAID = re.compile(r"^promised (\w+) (\w+): (\d+)$", re.M)


def numbers() -> dict[str, int]:
    """Of all errors."""
    return {name: int(number) for name, number in ERROR.findall(text_of("interface/errors.h"))}


def promised() -> list[tuple[str, str]]:
    """Each call with each of its errors, in their order."""
    known, by_call = numbers(), {}
    for comment, _, call in ENTRY.findall(text_of("interface/calls.def")):
        _, _, text = comment.partition("Errors:")
        errors = [name for other in re.findall(r"\bas (\w+)", text) for name in by_call.get(other, ())]
        errors += [word for word in re.findall(r"\w+", text) if word in known]
        by_call[call] = list(dict.fromkeys(errors))
    return [(call, error) for call, errors in by_call.items() for error in errors]


def said(text: str) -> dict[tuple[str, str], list[int]]:
    """What such a program has got, where it wanted an error: numbers of errors, 0 for none."""
    answers: dict[tuple[str, str], list[int]] = {}
    for call, error, answer in SAID.findall(text):
        answers.setdefault((call, error), []).append(int(answer))
    return answers
