# SPDX-License-Identifier: MIT
"""What boots on the modelled C.mmp say of its memory: how long its cycles are (tables 3.5, 3.6 and 3.8), and
what polling does to a process that works in the bank of the word (C22). Times are nanoseconds."""

from dataclasses import dataclass

from cmmp import documents
from cmmp.modelled_boots import BRIEF, FAST, MOST, OWN_BANK, POLLED, POLLED_SELDOM
from cmmp.modelled_rows import STAGE, longest_of, value
from cmmp.modelled_verdict import SAME, Verdict

# Columns of tables 3.5 and 3.6 -> boots whose cycles are like theirs; but half of the second's pages do not
# lie in the one bank, which has no room for them.
LIKE = {"private": "nine fast spin", "common": f"shared {FAST}"}
CONTENTION = ", ".join(reversed(LIKE.values()))
MOST_OF_IT = 0.5  # more than this part
SAID = "C22: polling slows who works in the word's bank, and a delay between looks removes most of that"


@dataclass
class Memory:
    cycles: dict[str, float]  # boot -> the mean memory cycle of the processors that its processes are on
    elsewhere: float  # of the pages that are to lie in one bank, the part that does not
    polled: dict[str, float]  # boot -> the first process's longest evaluation, while others wait
    looks: float  # of the references of who waits for a polled word, the part that looks at it, at most


def working(record: dict) -> list[dict]:
    """As many processors as there are processes: those that refer to memory most."""
    every = sorted(record["model"]["processors"], key=references, reverse=True)
    return every[: record["nodes"]]


def references(processor: dict) -> int:
    return processor["fetches"] + processor["reads"] + processor["writes"]


def cycle_of(record: dict) -> float:
    """Of a reference, with what it waits for its bank."""
    own = working(record)
    return sum(one["memory_time"] for one in own) / sum(map(references, own)) / 1e3


def elsewhere_of(record: dict) -> float:
    (job,) = record["jobs"]
    return job["pages_elsewhere"] / (job["pages_placed"] + job["pages_elsewhere"])


def looks_of(record: dict) -> float:
    """Each look is a call, and processes wait for what their evaluations leave of a stage. They call while
    they compute, too, so it is less."""
    own = working(record)
    waiting = 1 - BRIEF * 1e6 / value(record, STAGE)
    return sum(one["call"] for one in own) / sum(map(references, own)) / waiting


def of(records: dict[str, dict]) -> Memory:
    return Memory(
        cycles={name: cycle_of(records[name]) for name in LIKE.values()},
        elsewhere=elsewhere_of(records[LIKE["common"]]),
        polled={
            name: longest_of(records[name], 0, "evaluation") for name in (OWN_BANK, POLLED, POLLED_SELDOM)
        },
        looks=looks_of(records[POLLED]),
    )


def allowed(column: str) -> tuple[float, float]:
    """The least and the most in microseconds that the mean of a column can be: each cycle is as short, or as
    long, as its class has it."""
    uppers, counted = documents.CYCLE_CLASSES, documents.CYCLES[column]
    lowers = (0.0, *uppers[:-1])
    least, most = (
        sum(number * at for number, at in zip(counted, ends)) / sum(counted) for ends in (lowers, uppers)
    )
    return least, most


def contention(memory: Memory) -> float:
    """Table 3.8's: the average cycle length, the largest over the smallest."""
    return memory.cycles[LIKE["common"]] / memory.cycles[LIKE["private"]]


def unjudged() -> dict[str, str]:
    least, most = allowed("common")
    return {
        "T3.6, and T3.8's memory contention": "are of processes in one bank, whose mean cycle is between"
        f" {least:.2f} and {most:.2f} us by the printed classes; the bank here has no room for the pages of"
        f" {FAST}, and C21 says how many of them lie elsewhere"
    }


def judge(memory: Memory) -> list[Verdict]:
    return [private(memory), polling(memory)]


def private(memory: Memory) -> Verdict:
    """No bank here is faster than the least that the classes allow."""
    boot = LIKE["private"]
    found, (least, most) = memory.cycles[boot] / 1e3, allowed("private")
    return Verdict(
        f"T3.5: the mean memory cycle of {MOST} processes in banks of their own is at most what the classes"
        " allow",
        found <= most,
        f"{found:.2f} us, at most {most:.2f}; the {least:.2f} that are the least are what a bank takes alone,"
        " so this bounds it from above only",
        boot,
    )


def slower_by(memory: Memory, boot: str) -> float:
    """A part of what it takes in a bank of its own."""
    return memory.polled[boot] / memory.polled[OWN_BANK] - 1


def polling(memory: Memory) -> Verdict:
    slower, seldom = (slower_by(memory, boot) for boot in (POLLED, POLLED_SELDOM))
    return Verdict(
        SAID,
        slower > SAME and seldom < MOST_OF_IT * slower,
        f"its longest evaluation takes {100 * slower:.1f} % more than in a bank of its own, and with the"
        f" delay {100 * seldom:.1f} %",
        f"{POLLED}, {POLLED_SELDOM}, {OWN_BANK}",
    )
