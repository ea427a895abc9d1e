# SPDX-License-Identifier: MIT
"""The command `loops`: a run with a trace, and then where the time of its parallel loops went. JSON=1 tells
it as JSON; ALONE=file, with that of the same program on one processor, adds speed-up and contention."""

import os
import tempfile

from parley_trace import loops
from parley_trace.naming import Names

from . import request, run, trace_command
from .status import BadRequest

OWN = ("JSON", "ALONE")


def own_words(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """The words of the run, and this command's own."""
    own = {}
    others = []
    for word in words:
        name, _, value = word.partition("=")
        if name.upper() in OWN:
            own[name.upper()] = value
        else:
            others.append(word)
    if own.get("JSON", "0") not in ("0", "1"):
        raise BadRequest(f"JSON is 0 or 1, not '{own['JSON']}'.")
    return others, own


def alone(own: dict[str, str]) -> dict | None:
    if "ALONE" not in own:
        return None
    try:
        with open(own["ALONE"], encoding="utf-8") as file:
            return loops.alone_of(file.read())
    except OSError as error:
        raise BadRequest(f"ALONE={own['ALONE']}: {error.strerror}.") from error
    except ValueError as error:
        raise BadRequest(
            f"ALONE={own['ALONE']}: {error}; `make loops ... PROCESSORS=1 JSON=1 > file' makes one."
        ) from error


def refuse(words: list[str]) -> None:
    request.parse_words(words)
    names = [word.partition("=")[0].lower() for word in words]
    for name in ("trace", "window", "profile"):
        if name in names:
            raise BadRequest(f"`loops' keeps a trace of its own: leave {name.upper()} out.")
    if "app" not in names and "config" not in names:
        raise BadRequest("`loops' runs a program: say which, APP=./program.")


def words_of_run(words: list[str], trace: str) -> list[str]:
    words, _ = own_words(words)
    refuse(words)
    return [*words, f"TRACE={trace}"]


def command(words: list[str]) -> int:
    _, own = own_words(words)
    one_processor = alone(own)
    with tempfile.TemporaryDirectory(prefix="parley-loops-") as folder:
        path = os.path.join(folder, "run.trace")
        status = run.run(words_of_run(words, path))
        for name in sorted(os.listdir(folder)):
            kept = trace_command.load(os.path.join(folder, name))
            names = Names(kept.jobs)
            if own.get("JSON") == "1":
                print(loops.as_json(kept.trace, names, one_processor))
            else:
                print("", *loops.told(kept.trace, names, alone=one_processor), sep="\n")
    return status
