# SPDX-License-Identifier: MIT
"""Memory banks, BANKS=585x16: where a process's pages lie, and a model of what references to them take.

Where pages lie, and how many processors are at a bank at a time, is observed by the kernel. What a
reference takes then is a model: a bank serves one reference after the other, a processor computes for some
time between two, and by mean value analysis of that closed queue so many of the others are at the bank when
one comes. The emulator's memory has no banks, and no reference was timed."""

import re
from math import perm

from cmmp import durations
from parley_runner.status import BadRequest

MOST = 16  # banks: C.mmp's
BETWEEN = "870ns"  # the rest of the time from one reference of a PDP-11/40 to the next
LONG = 5_000  # ns: what the documents call a long cycle
# Upper bounds of table 3.4's classes, ns.
CLASSES = (500, 1_000, 2_000, 5_000, 14_000, 50_000)
NOTE = "a model: mean value analysis of sampled loads; no reference was timed"


def parse_banks(text: str) -> list[int]:
    """The time of a reference to each, in ns: 585x5,671 are five of a kind, and one more."""
    cycles: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,6})(?:x([0-9]{1,3}))?\s*", part)
        if match is None or int(match[1]) == 0:
            raise BadRequest(
                f"banks says how many ns each takes for a reference, as 585x11,671x5; '{part}' does not."
            )
        cycles += [int(match[1])] * int(match[2] or 1)
    if not 1 <= len(cycles) <= MOST:
        raise BadRequest(f"banks={text} are {len(cycles)} banks; a machine has 1 to {MOST}.")
    return cycles


def parse_between(text: str) -> int:
    return durations.parse("between", text, 1_000_000, 1)


def parse_pages(text: str) -> list[int] | None:
    """A bank for each process; None where a word says it for all."""
    if text in ("private", "apart", "shared"):
        return None
    if re.fullmatch(r"[0-9]{1,4}(,[0-9]{1,4})*", text) is None:
        raise BadRequest(
            f"pages is private, apart, shared, or a bank for each process of the job, as 0,0,2; not '{text}'."
        )
    return [int(bank) for bank in text.split(",")]


PARSERS = {"banks": parse_banks, "between": parse_between, "pages": parse_pages}


def check(values: dict, jobs, own: int = 0) -> None:
    """Whether the values of the run and of its jobs go together. `own`: how many banks the machine has."""
    if values["banks"] is None and values["between"] is not None:
        raise BadRequest("between is of a machine with memory banks: say BANKS=585x16 too.")
    for job in jobs:
        pages = job.added["pages"]
        if pages is None:
            continue
        if values["banks"] is None and own == 0:
            raise BadRequest("pages is of a machine with memory banks: say BANKS=585x16 too.")
        banks = own if values["banks"] is None else len(parse_banks(values["banks"]))
        places = parse_pages(pages)
        if places is not None and len(places) != job.processes:
            raise BadRequest(
                f"pages={pages} places {len(places)} processes, and job {job.name} has {job.processes}."
            )
        if places is not None and max(places) >= banks:
            raise BadRequest(
                f"pages={pages} names bank {max(places)}, which the machine has not: its banks are 0 to "
                f"{banks - 1}."
            )


def words(values: dict) -> list[str]:
    """For the kernel (measuring/losses.hpp); nothing where all memory is alike."""
    return [] if values["banks"] is None else [f"banks={len(parse_banks(values['banks']))}"]


def others_there(ratio: float, load: int) -> list[float]:
    """How likely 0, 1, ... of the others are at the bank when one of so many processors comes. `ratio`: of a
    reference's time to that between two."""
    weights = [perm(load - 1, there) * ratio**there for there in range(load)]
    return [weight / sum(weights) for weight in weights]


def read_samples(text: str) -> list[tuple[int, int, int]]:
    """(bank, load, samples), as the kernel writes them."""
    return [tuple(map(int, entry.split(":"))) for entry in text.split()]


def label(upper: int) -> str:
    position = CLASSES.index(upper)
    return f"{CLASSES[position - 1] / 1000 if position else 0:g} to {upper / 1000:g} us"


def model(samples: str, cycles: list[int], between: int) -> dict:
    """What the references of a job's processors take, where there were any samples: mean, those of one
    processor alone, and parts in percent by table 3.4's classes and over 5 us."""
    found = read_samples(samples)
    total = sum(count for _, _, count in found)
    parts = dict.fromkeys(map(label, CLASSES), 0.0)
    parts["over 50 us"] = 0.0
    mean = alone = long = 0.0
    for bank, load, count in found:
        cycle, weight = cycles[bank], count / total
        alone += weight * cycle
        for there, likely in enumerate(others_there(cycle / between, load)):
            takes, part = (there + 1) * cycle, weight * likely
            mean += part * takes
            long += 100 * part * (takes > LONG)
            upper = next((upper for upper in CLASSES if takes <= upper), None)
            parts["over 50 us" if upper is None else label(upper)] += 100 * part
    if not found:
        return {"note": NOTE, "samples": 0}
    return {
        "note": NOTE,
        "samples": total,
        "between_ns": between,
        "reference_ns": round(mean, 1),
        "alone_ns": round(alone, 1),
        "over_5_us_percent": round(long, 3),
        "percent": {name: round(part, 3) for name, part in parts.items()},
    }


def of_job(values: dict, end: dict) -> dict:
    """What a job's entry in the record has beside what the kernel said."""
    if values["banks"] is None or "bank_samples" not in end:
        return {}
    between = parse_between(values["between"] or BETWEEN)
    return {"bank_model": model(str(end["bank_samples"]), parse_banks(values["banks"]), between)}


def notes(records: list[dict]) -> list[str]:
    """A sentence for each job, under a table."""
    said = []
    for record in records:
        for job in record["jobs"]:
            found = job.get("bank_model")
            if found is None:
                continue
            if found["samples"] == 0:
                said.append(f"Banks: job {job['name']} was at none of its instructions when a tick came.")
                continue
            said.append(
                f"Banks ({NOTE}): a reference of job {job['name']} takes {found['reference_ns']:.0f} ns, "
                f"{found['alone_ns']:.0f} of one processor alone; {found['over_5_us_percent']:.3g}% take "
                f"longer than 5 us; {found['samples']} samples."
            )
    return said
