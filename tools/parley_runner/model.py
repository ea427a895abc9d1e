# SPDX-License-Identifier: MIT
"""CLOCK=modelled: what the emulator is told, and what the model has to say after the boot."""

import functools
import os
import re
import subprocess

from parley_trace import memory

from . import back_end, contents, machine_file, places, symbols
from .counted import counted
from .status import BadRequest

PLUGIN = os.path.join(places.BUILD, "machine_model", "plugin.so")
JUDGE = os.path.join(places.BUILD, "machine_model", "judge")
# In a boot's scratch folder.
MACHINE_FILE, REPORT, INTERVALS = "machine", "model-report", "model-intervals"
# Exit statuses of the emulator when the model refuses: a machine that cannot be, an emulator that is no use.
BAD_MACHINE, BAD_EMULATOR = 64, 69
USUAL_INTERVAL, LONGEST_INTERVAL = "10us", 10**12  # the latter in picoseconds
MOST_INTERVALS = 1 << 16  # of a processor: with more a trace's file would have hundreds of megabytes
SAID = "machine model: "
END = "end\n"  # the report's last line
# Nothing that differs between two boots may reach the machine: its calendar, and its random numbers.
REPEATABLE = ["-rtc", "base=2000-01-01,clock=vm", "-seed", "1"]


def wanted(request) -> bool:
    return request.values["clock"] == "modelled"


def machine(request) -> machine_file.Machine:
    return machine_file.read(request.values["machine"])


def lookahead(request) -> int:
    """In picoseconds."""
    asked = request.values["lookahead"]
    return machine(request).lookahead if asked is None else 1000 * asked


def tells_intervals(request) -> bool:
    """Whether misses and waiting are told by intervals of time: for a trace alone."""
    return wanted(request) and bool(request.values["trace"])


def interval(request) -> int:
    """How long they are, in picoseconds."""
    return interval_of(request.values["trace_interval"] or USUAL_INTERVAL)


def interval_of(text: str) -> int:
    """BadRequest: it is no such time."""
    found = re.fullmatch(r"([0-9]{1,10})(ns|us|ms)", text)
    length = int(found[1]) * machine_file.TIME[found[2]] if found else 0
    if not 0 < length <= LONGEST_INTERVAL:
        raise BadRequest(
            f"TRACE_INTERVAL={text}: it is a time in ns, us or ms, from 1ns to 1000ms, as "
            f"{USUAL_INTERVAL}."
        )
    return length


def fastest_instruction(request) -> float:
    """In seconds of the machine's own."""
    return machine(request).parameters["instruction.plain"] / 1e12


def check_words(request) -> None:
    """What can be refused before anything is built."""
    if not wanted(request):
        for key in ("machine", "lookahead", "back_end", "trace_interval"):
            if request.values[key] is not None:
                raise BadRequest(f"{key.upper()} goes with CLOCK=modelled only.")
        return
    if request.values["trace_interval"] is not None:
        if not tells_intervals(request):
            raise BadRequest("TRACE_INTERVAL goes with TRACE=FILE only.")
        interval(request)
    if request.values["machine"] is None:
        names = ", ".join(machine_file.known())
        raise BadRequest(f"CLOCK=modelled needs a MACHINE: {names}, or a file's path.")
    found = machine(request)
    if request.processors > found.processors:
        raise BadRequest(
            f"MACHINE={request.values['machine']} has at most {counted(found.processors, 'processor')}, "
            f"and this run wants {request.processors}: take fewer, or another machine."
        )
    if found.clusters and request.values["multiprocessors"] > 1:
        raise BadRequest(
            f"MACHINE={request.values['machine']} has clusters of its own, which are one multiprocessor: "
            "leave out MULTIPROCESSORS=."
        )
    back_end.check_words(request)


def is_judged() -> bool:
    """Whether the model is there to say which machines can be; else its plugin says it."""
    return os.path.exists(JUDGE)


def check_machine(request) -> None:
    """Whether there can be such a machine: the model's own rules, asked of it before anything is booted."""
    if wanted(request) and is_judged():
        problem = refusal(machine(request).text, request.processors, request.values["multiprocessors"])
        if problem:
            raise BadRequest(f"MACHINE={request.values['machine']}: {problem}")


@functools.cache  # a sweep has many boots of a machine
def refusal(text: str, processors: int, multiprocessors: int) -> str:
    """One sentence; empty where nothing is wrong."""
    words = [JUDGE, str(processors), str(multiprocessors)]
    try:
        done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise BadRequest(f"{JUDGE} cannot be asked ({problem}); `make run' builds it.") from None
    if done.returncode not in (0, BAD_MACHINE):
        raise BadRequest(f"{JUDGE} failed with status {done.returncode}; `make run' builds it.")
    return done.stdout.strip()


def check_loops(request, words: str) -> None:
    """Loops have no more clusters than there are with these processors: the program says so too, later."""
    asked = re.search(r"(?:^|,)clusters=(\d+)(?=,|$)", words)
    if asked is None or not wanted(request) or not machine(request).clusters:
        return
    has = machine(request).clusters_with(request.processors)
    if int(asked.group(1)) > has:
        raise BadRequest(
            f"LOOPS=clusters={asked.group(1)}: MACHINE={request.values['machine']} has "
            f"{counted(has, 'cluster')} with PROCESSORS={request.processors}: say {has} at most, or leave "
            "clusters= out."
        )


def check(request) -> None:
    """What only the emulator and the build can tell."""
    if not wanted(request):
        return
    check_machine(request)
    if not os.path.exists(PLUGIN):
        raise BadRequest(f"{PLUGIN} is not built yet; `make run' builds it.")
    try:
        done = subprocess.run(
            [places.EMULATOR, "-help"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return  # the boot says what is wrong with it
    if "-plugin" not in done.stdout:
        raise BadRequest(
            f"{places.EMULATOR} was built without plugins, which CLOCK=modelled needs: take the "
            "distribution's, or CLOCK=counted."
        )


def options(request, scratch: str, systems: list[str]) -> list[str]:
    """Of the emulator's command line; what they name is written to `scratch`. `systems`: the kernel, and the
    library that may be in programs' places; how long processors copy in them is counted."""
    if not wanted(request):
        return []
    path = os.path.join(scratch, MACHINE_FILE)
    with open(path, "w", encoding="ascii") as file:
        file.write(machine(request).text)
    arguments = (
        f"file={escaped(PLUGIN)},machine={escaped(path)},processors={request.processors}"
        f",multiprocessors={request.values['multiprocessors']}"
        f",lookahead={lookahead(request)},back_end={back_end.of(request)}"
    )
    if tells_intervals(request):
        most = min(request.values["trace_records"], MOST_INTERVALS)
        arguments += f",interval={interval(request)},most_intervals={most}"
        arguments += f",intervals={escaped(os.path.join(scratch, INTERVALS))}"
    arguments += f",report={escaped(os.path.join(scratch, REPORT))}"
    places_of = [found for path in systems if (found := symbols.find(path, *symbols.COPIES))]
    if places_of:
        arguments += ",copies=" + ":".join(f"{first:x}-{last:x}" for first, last in places_of)
    return [*REPEATABLE, *back_end.memory_options(request), "-plugin", arguments]


def escaped(path: str) -> str:
    """As the emulator's options have it."""
    return path.replace(",", ",,")


class CutOff(Exception):
    """The model's report is missing or has no end; the message is a sentence."""


def told(scratch: str, name: str = REPORT) -> dict:
    """The model's report. CutOff where it is not whole."""
    path = os.path.join(scratch, name)
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            *texts, end = file.read().splitlines(keepends=True) or [""]
    except OSError as problem:
        raise CutOff(
            f"The machine model's report, {path}, cannot be read: {problem.strerror}. Make room there, "
            "or name another folder by TMPDIR."
        ) from problem
    try:
        lines = [dict(word.split("=", 1) for word in text.split()) for text in texts]
    except ValueError:
        end = ""
    if end != END:
        raise CutOff(
            f"The machine model's report, {path}, is cut off: is the disk full? Make room there, or name "
            "another folder by TMPDIR."
        )
    whole = {"processors": []}
    for fields in lines:
        values = {name: int(value) if value.isdigit() else value for name, value in fields.items()}
        if "processor" in values:
            whole["processors"].append(values)
        else:
            whole.update(values)
    return whole


def told_intervals(request, scratch: str) -> memory.Memory | None:
    """What a trace has beside its records. CutOff where it is not whole."""
    if not tells_intervals(request):
        return None
    path = os.path.join(scratch, INTERVALS)
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return memory.read(file.read())
    except OSError as problem:
        why = f"cannot be read: {problem.strerror}."
    except ValueError:
        why = "is cut off: is the disk full?"
    raise CutOff(
        f"The trace is without cache misses and waiting for the bus: what the model wrote of them, {path}, "
        f"{why} Make room there, or name another folder by TMPDIR."
    )


def of_record(request, report: dict) -> dict | None:
    """What a record says of the model: None under another clock."""
    if not wanted(request):
        return None
    found = machine(request)
    return {
        "machine": found.name,
        "title": found.title,
        "parameters": found.parameters,
        **made(request),
        **report,
    }


def made(request) -> dict:
    """What the modelled machine is made of. Empty under another clock."""
    if not wanted(request):
        return {}
    return {
        "machine_digest": machine(request).digest,
        "plugin": digest_of(PLUGIN),
        "lookahead_ps": lookahead(request),
    }


def digest_of(path: str) -> str:
    try:
        return contents.digest_once(path).hex()[:12]
    except OSError:
        return "unknown"


def note(record: dict) -> str:
    """The line under a table."""
    model = record.get("model") or {}
    lookahead_ns = model.get("lookahead_ps", 0) / 1000
    by = "" if model.get("back_end") in (None, back_end.FAST) else f", {model['back_end']} back end"
    return (
        f"Clock: modelled: {model.get('machine')} ({model.get('title')}), {record['processors']} processors, "
        f"lookahead {lookahead_ns:g} ns{by}. Simulated time, the same on every run; it says what the "
        "machine's file says (docs/machine-model.md)."
    )
