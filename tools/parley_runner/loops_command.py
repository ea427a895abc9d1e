# SPDX-License-Identifier: MIT
"""The command `loops`: a run with a trace, and then where the time of its parallel loops went."""

import os
import tempfile

from parley_trace import loops
from parley_trace.naming import Names

from . import request, run, trace_command
from .status import BadRequest


def without_json(words: list[str]) -> tuple[list[str], bool]:
    """JSON=1 is this command's own word."""
    given = [word.partition("=")[2] for word in words if word.upper().startswith("JSON=")]
    if any(value not in ("0", "1") for value in given):
        raise BadRequest(f"JSON is 0 or 1, not '{given[-1]}'.")
    return [word for word in words if not word.upper().startswith("JSON=")], given[-1:] == ["1"]


def refuse(words: list[str]) -> None:
    request.parse_words(words)
    names = [word.partition("=")[0].lower() for word in words]
    for name in ("trace", "window", "profile"):
        if name in names:
            raise BadRequest(f"`loops' keeps a trace of its own: leave {name.upper()} out.")
    if "app" not in names and "config" not in names:
        raise BadRequest("`loops' runs a program: say which, APP=./program.")


def words_of_run(words: list[str], trace: str) -> list[str]:
    words, _ = without_json(words)
    refuse(words)
    return [*words, f"TRACE={trace}"]


def command(words: list[str]) -> int:
    _, as_json = without_json(words)
    with tempfile.TemporaryDirectory(prefix="parley-loops-") as folder:
        path = os.path.join(folder, "run.trace")
        status = run.run(words_of_run(words, path))
        for name in sorted(os.listdir(folder)):
            kept = trace_command.load(os.path.join(folder, name))
            names = Names(kept.jobs)
            if as_json:
                print(loops.as_json(kept.trace, names))
            else:
                print("", *loops.told(kept.trace, names), sep="\n")
    return status
