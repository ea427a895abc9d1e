# SPDX-License-Identifier: MIT
"""The record of a run: what was really in force, as the kernel said, and every measurement. Nothing from what
was asked stands outside `asked`."""

import json

from . import frames, guest, places
from .request import Request
from .status import BadRequest, Status
from .watch import Seen

FORMAT = "parley-record-1"
# What it takes to print a record again.
SHOWN = set("status sentence design processors clock checks dispatch jobs rows host asked".split())
# Fields that stay text even when they look like a number.
TEXTS = ("name", "app", "design", "row", "version", "reason", "unknown_calls")


def typed(fields: dict[str, str]) -> dict:
    return {
        key: int(value) if key not in TEXTS and value.lstrip("-").isdecimal() else value
        for key, value in fields.items()
    }


def fields_of(seen: Seen, kind: int) -> list[dict]:
    return [typed(frame.fields()) for frame in seen.frames if frame.kind == kind]


def jobs_of(seen: Seen) -> list[dict]:
    ends = {end.get("job"): end for end in fields_of(seen, frames.JOB_END)}
    jobs = []
    for job in fields_of(seen, frames.JOB):
        end = ends.get(job.get("job"), {})
        jobs.append({**job, **end, "status": end.get("status", "unfinished")})
    return jobs


def asked(request: Request) -> dict:
    return {
        **{key: value for key, value in request.values.items() if value is not None},
        "processors": request.processors,
        "jobs": [job.asked for job in request.jobs],
    }


def make(request: Request, seen: Seen, status: Status, sentence: str, emulator: str) -> dict:
    plan = (fields_of(seen, frames.PLAN) or [{}])[0]
    jobs = jobs_of(seen)
    first = jobs[0] if jobs else {}
    return {
        "format": FORMAT,
        "status": status.word,
        "exit_status": int(status),
        "sentence": sentence,
        "design": first.get("design"),
        "app": first.get("app"),
        "nodes": first.get("nodes"),
        "processors": plan.get("processors"),
        "clock": plan.get("clock"),
        "dispatch": plan.get("dispatch"),
        "checks": plan.get("checks"),
        "kernel": plan.get("version"),
        "memory": plan.get("memory"),
        "pause": plan.get("pause"),
        "plan": plan,
        "jobs": jobs,
        "processes": fields_of(seen, frames.PROCESS),
        "rows": [frame.row() for frame in seen.frames if frame.kind == frames.ROW],
        "times": fields_of(seen, frames.TIME),
        "host": {
            "emulator": emulator,
            "threads": guest.threads(request),
            "cores": guest.host_cores(),
            "seconds": round(seen.seconds, 3),
            "guest_seconds": round(seen.guest_ns / 1e9, 3),
            "start_seconds": round(seen.start or 0.0, 3),
            "longest_silence": round(seen.longest_silence, 3),
            "longest_gap": round(seen.longest_gap_ns / 1e9, 6),
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
            "status": next((r["status"] for r in records if r["exit_status"]), "success"),
            "exit_status": next((r["exit_status"] for r in records if r["exit_status"]), 0),
            "runs": records,
        }
    )
    places.write_atomically(path, (json.dumps(whole, indent=2) + "\n").encode())


def read(path: str) -> list[dict]:
    try:
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
    except OSError as problem:
        raise BadRequest(f"{path}: {problem.strerror}.") from problem
    except ValueError:
        raise BadRequest(f"{path} is not a record: it is not JSON.") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise BadRequest(f"{path} is not a record of this version ({FORMAT}).")
    runs = whole.get("runs", [whole])
    if not isinstance(runs, list) or not all(isinstance(run, dict) and SHOWN <= run.keys() for run in runs):
        raise BadRequest(f"{path} is not a whole record: parts of a run are missing.")
    return runs
