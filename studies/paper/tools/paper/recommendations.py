# SPDX-License-Identifier: MIT
"""The recommendations of the paper's conclusion, examined on a modelled machine: which of them its numbers
bear out. They are told, with their evidence, and fail nothing. A time is a median of samples, whose quartiles
say how far it may be chance: of two that are less apart than that neither is the shorter one."""

import math
import re
from dataclasses import dataclass

from paper import batch
from paper.modelled_boots import BROADCAST, BURST, CONTENDERS, SENDERS, UNALIGNED, USER
from paper.orderings import FAR_ABOVE
from parley_report.verdicts import QUARTILES

VIRTUAL = 1.06  # the paper: being virtual costs under 6 %
POINT = 16
DIGITS = 5  # of a time that are told at most
ERRORS = 2.0  # standard ones, within which a difference may be chance
# Of the page's table: a recommendation's number, and what is said of it on each machine.
ROW = re.compile(r"^\| (\d\w?(?:, \d)*)\. [^|]*\|(.*)\|$", re.M)


@dataclass(frozen=True)
class Time:
    us: float
    error: float = 0.0  # a standard one

    def __format__(self, form: str) -> str:
        """Down to the second digit of its error; `form` is for a time without one."""
        chance = ERRORS * self.error
        if not chance:
            return f"{self.us:{form}}"
        places = min(
            1 - math.floor(math.log10(chance)), DIGITS - 1 - math.floor(math.log10(max(self.us, chance)))
        )
        time, error = (f"{round(one, places):.{max(places, 0)}f}" for one in (self.us, chance))
        return f"{time} ± {error}" if float(error) else time


@dataclass(frozen=True)
class Examined:
    number: str  # in the conclusion
    advice: str
    holds: bool | None  # None: no number can tell
    evidence: str

    @property
    def word(self) -> str:
        return {True: "holds", False: "does not hold", None: "no number tells"}[self.holds]


def is_less(one: Time, other: Time) -> bool | None:
    """None: chance may have brought their difference."""
    apart, chance = other.us - one.us, ERRORS * math.hypot(one.error, other.error)
    return None if abs(apart) < chance else apart > 0


def ratio(one: Time, other: Time) -> Time:
    found = one.us / other.us
    return Time(found, found * math.hypot(one.error / one.us, other.error / other.us))


def both(*told: bool | None) -> bool | None:
    return False if False in told else None if None in told else True


def otherwise(page: str, advice: dict[str, list[Examined]]) -> list[str]:
    """Where a page's text has another word than was found, a line for each; its columns are the machines."""
    told = {
        number: [cell.partition(":")[0].strip() for cell in cells.split("|")]
        for number, cells in ROW.findall(page)
    }
    made = []
    for column, (machine, found) in enumerate(advice.items()):
        for one in found:
            word = dict(enumerate(told.get(one.number, ()))).get(column, "nothing")
            if word != one.word:
                made.append(f"{one.number} on {machine}: there {word}, in this run {one.word}")
    return made


def examine(records: dict[str, dict]) -> list[Examined]:
    ring, read = trips(records["ring"]), trips(records["ring only-read"])
    static = trips(records["static"])["exp6"]
    fft = times(records, ("fft 8", "unaligned"), ("fft time", 1024 * POINT))
    simplex = times(records, ("simplex 4", "simplex others"), ("simplex time", 0))
    waits = times(records, ("contend",), (f"to one, {SENDERS}", 0))
    locked, circular, lanes = (waits[name] for name in CONTENDERS)
    kernel, user = ring["exp1"][128], ring["exp5"][128]
    virtual = ratio(ring["exp6"][128], static[128])
    best = {
        "a message of 4096 bytes": best_of({d: ring[d][4096] for d in ring}),
        "the FFT on 8 nodes": best_of({d: fft[d] for d in ("exp1", "exp2", "exp6")}),
        "Simplex on 4 nodes": best_of({d: simplex[d] for d in ("exp1", "exp2", "exp6")}),
    }
    blocking = ratio(ring["exp4"][128], ring["exp6"][128])
    return [
        Examined(
            "1",
            "Customise: no message system is best for every application",
            are_apart(list(best.values())),
            "; ".join(f"{what}: {' or '.join(designs)}" for what, designs in best.items()),
        ),
        Examined(
            "2, 3",
            "Avoid context switches, and primitives that block",
            is_less(Time(FAR_ABOVE), blocking),
            f"blocking is {blocking:.2f} times spinning at 128 bytes",
        ),
        Examined(
            "4",
            "Organise queues so that senders do not contend for a lock",
            is_less(circular, locked),
            f"{SENDERS} senders of {BURST} messages to one, us a message of each: one lock {locked:.4g},"
            f" entries claimed in turn {circular:.4g}, a ring for each sender {lanes:.4g}",
        ),
        Examined(
            "5a",
            "Do not copy what is not accessed",
            is_less(ring["exp2"][4096], ring["exp1"][4096]),
            f"4096 bytes: pointer {ring['exp2'][4096]:.5g} us, single copy {ring['exp1'][4096]:.5g}; read by"
            f" their receivers {read['exp2'][4096]:.5g} and {read['exp1'][4096]:.5g}",
        ),
        Examined(
            "5b",
            "Copy where symmetric programs contend for memory",
            is_less(fft["exp1"], fft["exp2"]),
            f"the FFT on 8 nodes: pointer {fft['exp2']:.5g} us, single copy {fft['exp1']:.5g}",
        ),
        Examined(
            "5c",
            "Choose addresses that do not meet in the cache",
            is_less(fft[UNALIGNED], fft["exp2"]),
            f"the FFT on 8 nodes, pointer: buffers at multiples of 64 KiB {fft['exp2']:.5g} us, at any place"
            f" {fft[UNALIGNED]:.5g}",
        ),
        Examined(
            "5d",
            "Broadcast from one copy in the cache",
            is_less(simplex[BROADCAST], simplex["exp6"]),
            f"Simplex on 4 nodes: a copy for each {simplex['exp6']:.5g} us, one for all"
            f" {simplex[BROADCAST]:.5g}",
        ),
        Examined(
            "6",
            "Take a system in the kernel to ease porting and debugging",
            None,
            f"its price is {kernel.us - user.us:.5g} us, {100 * (kernel.us / user.us - 1):.0f} % at 128 bytes"
            f" and {100 * (ring['exp1'][4096].us / ring['exp5'][4096].us - 1):.0f} % at 4096",
        ),
        Examined(
            "7",
            "Take a system in user space for many small messages",
            both(is_less(user, kernel), is_less(simplex[USER], simplex["exp6"])),
            f"128 bytes: kernel {kernel:.5g} us, user {user:.5g}; Simplex on 4 nodes: kernel"
            f" {simplex['exp6']:.5g}, user {simplex[USER]:.5g}",
        ),
        Examined(
            "8",
            "Customise by objects: virtual calls cost little",
            is_less(virtual, Time(VIRTUAL)),
            f"{100 * (virtual.us - 1):.1f} % of a message of 128 bytes; the paper: under 6 %",
        ),
    ]


def median(row: dict) -> Time:
    distance = row["upper_quartile"] - row["lower_quartile"]
    return Time(row["median"] / 1000, QUARTILES * distance / 1000 / math.sqrt(row["samples"]))


def trips(record: dict) -> dict[str, dict[int, Time]]:
    """design -> bytes -> a round trip"""
    return {
        name.split()[0]: {size: one for (row, size), one in rows.items() if row == "round trip"}
        for name, rows in batch.by_job(record, median).items()
    }


def times(records: dict[str, dict], boots: tuple[str, ...], key: tuple) -> dict[str, Time]:
    """Of each job of these boots."""
    return {
        name: rows[key] for boot in boots for name, rows in batch.by_job(records[boot], median).items()
    }


def best_of(times: dict[str, Time]) -> list[str]:
    """Those of which none is told to be longer than the shortest; that one first."""
    order = sorted(times, key=lambda name: times[name].us)
    return [name for name in order if not is_less(times[order[0]], times[name])]


def are_apart(best: list[list[str]]) -> bool | None:
    """Whether none may be the best everywhere."""
    if not set.intersection(*map(set, best)):
        return True
    return False if all(len(designs) == 1 for designs in best) else None
