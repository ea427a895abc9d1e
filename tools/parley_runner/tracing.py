# SPDX-License-Identifier: MIT
"""TRACE=file and PROFILE=1: what a traced kernel sends becomes a file and a table."""

import os

from parley_trace import output, reading, times
from parley_trace.naming import Names

from . import frames, keys, places, trace_command
from .request import Request
from .screen import Screen
from .status import BadRequest, Status
from .watch import Seen


def check(request: Request) -> None:
    """Everything that can be refused before the boot."""
    path = request.values["trace"]
    if path and not path.endswith(output.ENDINGS):
        raise BadRequest(f"TRACE={path} must end in one of {', '.join(output.ENDINGS)}.")
    if path:
        places.check_writable_folder(path, "TRACE")
    record = request.values["record"]
    if path and record and os.path.realpath(path) == os.path.realpath(record) and not places.is_device(path):
        raise BadRequest(f"RECORD and TRACE name one file, {path}: one of them needs another name.")
    if request.values["window"] and not path:
        raise BadRequest("WINDOW goes with TRACE=FILE only.")
    window(request)


def window(request: Request) -> tuple[float, float] | None:
    text = request.values["window"]
    try:
        return output.window_of(text) if text else None
    except ValueError:
        raise BadRequest(f"WINDOW={text} is not of the form FROM..TO, in microseconds.") from None


def room(request: Request, trace: reading.Trace) -> str:
    """How much room there was where records were lost, and how there would be more."""
    told = []
    if trace.lost > trace.lost_by_processes:
        kept = request.values["trace_records"]
        more = min(4 * kept, keys.KEYS["trace_records"].highest)
        told.append(f"{kept} of each processor are kept, and TRACE_RECORDS={more} keeps more")
    if trace.lost_by_processes:
        told.append(
            f"{trace.lost_by_processes} were a process's own, of which the first {reading.KEPT_OF_PROCESS} "
            "are kept: a smaller run has fewer"
        )
    return "; ".join(told)


def finish(request: Request, seen: Seen, record: dict, screen: Screen, label: str) -> str:
    """label: empty when there is only one design. What is to be repeated at the end, or nothing."""
    lost = ""
    if request.values["trace"]:
        payloads = [frame.payload for frame in seen.frames if frame.kind == frames.TRACE]
        try:
            trace = reading.read(payloads)
        except ValueError as problem:
            raise BadRequest(f"There is no trace: {problem}.") from problem
        trace.memory = seen.memory
        path = output.file_name(request.values["trace"], label, bool(label))
        if path.endswith(output.KEPT):
            content, shows = trace_command.kept(seen.frames, seen.memory), ""
        else:
            text, shows = output.content(path, trace, record["jobs"], window(request))
            content = text.encode()
        places.write_atomically(path, content)
        screen.say(output.summary(path, trace))
        if shows:
            screen.say(shows)
        if trace.lost:
            lost = (
                f"{path} lacks {trace.lost} records, which were lost for want of room: "
                f"{room(request, trace)}."
            )
    if request.values["profile"] == "1" and record["times"]:
        screen.say("\n".join(["", *times.table(record["times"], Names(record["jobs"]))]))
    if seen.without_memory and record["exit_status"] == Status.SUCCESS:
        raise BadRequest(" ".join(filter(None, [lost, seen.without_memory])))
    return lost
