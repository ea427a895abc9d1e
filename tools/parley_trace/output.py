# SPDX-License-Identifier: MIT
"""TRACE=file: .json for Perfetto's viewer, .svg for people, .trace for nxtrace."""

import os

from parley_runner.counted import counted

from . import perfetto, reading
from .naming import Names
from .picture import Picture

PICTURES = (".json", ".svg")
KEPT = ".trace"  # the records as they came
ENDINGS = (*PICTURES, KEPT)


def window_of(text: str) -> tuple[float, float]:
    """FROM..TO in microseconds; ValueError when it is not."""
    first, dots, last = text.partition("..")
    start, end = float(first or 0), float(last)
    if not dots or not 0 <= start < end:
        raise ValueError
    return start, end


def file_name(path: str, label: str, several: bool) -> str:
    """Several designs: a file for each."""
    stem, ending = os.path.splitext(path)
    return f"{stem}-{label.replace('/', '_').replace(' ', '_')}{ending}" if several else path


def title_of(trace: reading.Trace, jobs: list[dict]) -> str:
    all_jobs = "; ".join(f"{job.get('name')} on {job.get('nodes')} nodes, {short(job)}" for job in jobs)
    return f"{all_jobs}; {trace.clocks()}" if trace.machines > 1 else all_jobs


def content(
    path: str, trace: reading.Trace, jobs: list[dict], window: tuple[float, float] | None
) -> tuple[str, str]:
    """The file's text, and what is to be said of it: of a picture, which part of the run it shows."""
    names = Names(jobs)
    if path.endswith(".json"):
        return perfetto.text(trace, names), ""
    title = title_of(trace, jobs)
    picture = Picture(trace, names, title, window)
    told = f"The picture {'' if picture.is_part else 'shows '}{'; '.join(picture.notes())}."
    return picture.text(), told if picture.is_part or picture.gaps.spans else ""


def short(job: dict) -> str:
    return job.get("row") or job.get("design") or "no design"


def summary(path: str, trace: reading.Trace) -> str:
    messages = list(trace.messages().values())
    pairs = sum(bool(message.send and message.receive) for message in messages)
    lost = f"; {trace.lost_records()}" if trace.lost else ""
    return (
        f"Trace: {counted(len(trace.records), 'record')}, {counted(pairs, 'message')} from send to receive, "
        f"longest chain "
        f"{reading.longest_chain(messages)}{lost}{about_machines(trace)}: {path}"
    )


def about_machines(trace: reading.Trace) -> str:
    if trace.machines == 1:
        return ""
    early = trace.early()
    hasty = counted(early, "message was", "messages were")
    wrong = f"; {hasty} received before being sent, by more than that" if early else ""
    gone = f"; {trace.missing.rstrip('.')}" if trace.missing else ""
    return f"; {trace.clocks()}{wrong}{gone}"
