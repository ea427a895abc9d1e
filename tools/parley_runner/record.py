# SPDX-License-Identifier: MIT
"""The record of a run: what was really in force, as the kernel said, and every measurement. Nothing from what
was asked stands outside `asked`."""

import json
import math
import os

from . import frames, guest, keys, model, places, processor_time, steadiness
from .request import Request
from .status import BadRequest, Status
from .watch import Seen

FORMAT = "parley-record-1"
# Counts what was added: readers of an older one find all that they know. 2: rows say whether they are
# unsteady and may have null for a number; host says kept_from_running and boots.
# 3: unreceived. 4: model. 5: made. 6: host says firmware. 7: made says files.
SCHEMA = 7
LARGEST = 1 << 30  # bytes of a record that is read again
TEXT, WHOLE, REAL = (str, type(None)), (int, type(None)), (int, float, type(None))
# What it takes to print a record again.
RUN_SHAPE = {
    **dict.fromkeys("design clock checks dispatch".split(), TEXT),
    **dict.fromkeys("status sentence".split(), str),
    "processors": WHOLE,
    **dict.fromkeys("jobs rows".split(), list),
    **dict.fromkeys("host asked".split(), dict),
}
JOB_SHAPE = {"name": str, "nodes": int, "job": int}
ROW_SHAPE = {
    **dict.fromkeys("name access unit".split(), str),
    **dict.fromkeys("job node bytes".split(), int),
    **dict.fromkeys(frames.SPREAD, REAL),
}
# Fields that stay text even when they look like a number.
TEXTS = ("name", "app", "design", "row", "version", "reason", "unknown_calls", "sentence")
TEXTS += tuple(text for added in keys.ADDED for text in added.texts)


def typed(fields: dict[str, str]) -> dict:
    return {
        key: int(value) if key not in TEXTS and frames.WHOLE_NUMBER.fullmatch(value) else value
        for key, value in fields.items()
    }


def fields_of(seen: Seen, kind: int) -> list[dict]:
    return [typed(frame.fields()) for frame in seen.frames if frame.kind == kind]


def jobs_of(seen: Seen, values: dict) -> list[dict]:
    ends = {end.get("job"): end for end in fields_of(seen, frames.JOB_END)}
    jobs = []
    for job in fields_of(seen, frames.JOB):
        end = ends.get(job.get("job"), {})
        told = {name: value for added in keys.ADDED for name, value in added.of_job(values, end).items()}
        jobs.append({**job, **end, **told, "status": end.get("status", "unfinished")})
    return jobs


def asked(request: Request) -> dict:
    return {
        **{key: value for key, value in request.values.items() if value is not None},
        "processors": request.processors,
        "jobs": [job.asked for job in request.jobs],
        "order": request.values["jobs"],
    }


def make(
    request: Request,
    seen: Seen,
    status: Status,
    sentence: str,
    emulator: dict[str, str],
    made: dict[str, str],
) -> dict:
    plan = (fields_of(seen, frames.PLAN) or [{}])[0]
    jobs = jobs_of(seen, request.values)
    first = jobs[0] if jobs else {}
    rows = [frame.row() for frame in seen.frames if frame.kind == frames.ROW]
    # The kernel takes a modelled clock for a counted one.
    clock = plan and ("modelled" if model.wanted(request) else plan.get("clock"))
    steadiness.mark(rows, seen.kept, clock or "", guest.threads(request))
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "status": status.word,
        "exit_status": int(status),
        "sentence": sentence,
        "design": first.get("design"),
        "app": first.get("app"),
        "nodes": first.get("nodes"),
        "processors": plan.get("processors"),
        "clock": clock or None,
        "model": model.of_record(request, seen.model),
        "dispatch": plan.get("dispatch"),
        "checks": plan.get("checks"),
        "kernel": plan.get("version"),
        "memory": plan.get("memory"),
        "pause": plan.get("pause"),
        "plan": plan,
        "jobs": jobs,
        "processes": fields_of(seen, frames.PROCESS),
        "rows": rows,
        "times": fields_of(seen, frames.TIME),
        "accounts": [
            processor_time.of_fields(frame.fields()) for frame in seen.frames if frame.kind == frames.ACCOUNT
        ],
        "lock_waits": [
            processor_time.lock_wait_of_fields(frame.fields())
            for frame in seen.frames
            if frame.kind == frames.LOCK_WAIT
        ],
        "unreceived": fields_of(seen, frames.UNRECEIVED),
        "made": made,
        "host": {
            **emulator,
            "threads": guest.threads(request),
            "cores": guest.host_cores(),
            "seconds": round(seen.seconds, 3),
            "guest_seconds": round(seen.guest_ns / 1e9, 3),
            "start_seconds": round(seen.start or 0.0, 3),
            "longest_silence": round(seen.longest_silence, 3),
            "longest_gap": round(seen.longest_gap_ns / 1e9, 6),
            "kept_from_running": round(max(seen.kept, default=0.0), 3),
            "boots": 1,
        },
        "asked": asked(request),
    }


def write(path: str, records: list[dict]) -> None:
    """One boot is one flat object; several boots are a list under `runs`."""
    whole = (
        records[0]
        if len(records) == 1
        else {
            "format": FORMAT,
            "schema": SCHEMA,
            "status": next((r["status"] for r in records if r["exit_status"]), "success"),
            "exit_status": next((r["exit_status"] for r in records if r["exit_status"]), 0),
            "runs": records,
        }
    )
    places.write_atomically(path, text(whole).encode())


def text(whole: dict) -> str:
    """JSON that every reader takes: no NaN, and no halves of characters."""
    return json.dumps(plain(whole), indent=2, allow_nan=False) + "\n"


def plain(value):
    """Bytes that are no UTF-8 (file names may have such) become \\xff, numbers that are none become null."""
    if isinstance(value, str):
        return os.fsencode(value).decode("utf-8", "backslashreplace")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def read(path: str) -> list[dict]:
    try:
        content = places.read_bounded(path, path, LARGEST)
        whole = json.loads(content, parse_constant=no_number, parse_int=whole_number)
    except (ValueError, RecursionError):
        raise BadRequest(f"{path} is not a record: it is not JSON.") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise BadRequest(f"{path} is not a record of this version ({FORMAT}).")
    runs = whole.get("runs", [whole])
    if not isinstance(runs, list) or not all(is_run(run) for run in runs):
        raise BadRequest(
            f"{path} is not a whole record: parts of a run are missing, or are not what they were."
        )
    # A record of several runs says it in each. One that says none is older than the number.
    newest = max((run["schema"] for run in (whole, *runs) if type(run.get("schema")) is int), default=0)
    if newest > SCHEMA:
        raise BadRequest(
            f"{path} is of a later version, whose records have schema {newest}; this one reads them up to"
            f" schema {SCHEMA}: take that version of Parley."
        )
    return runs


def no_number(word: str):
    raise ValueError(word)


def whole_number(digits: str) -> int:
    """Of as many digits as a measurement can have."""
    if len(digits) > 20:
        raise ValueError(digits)
    return int(digits)


def is_run(run) -> bool:
    """Whether all that is printed of a run is there, and of the kind that it must be."""
    return (
        matches(run, RUN_SHAPE)
        and all(matches(job, JOB_SHAPE) for job in run["jobs"])
        and all(matches(row, ROW_SHAPE) for row in run["rows"])
        and matches(run["asked"], {"jobs": list})
        and all(matches(job, {"design": str}) for job in run["asked"]["jobs"])
    )


def matches(value, shape: dict) -> bool:
    """Whether an object has every key of the shape, with a value of its type."""
    return isinstance(value, dict) and all(
        name in value and isinstance(value[name], kind) for name, kind in shape.items()
    )
