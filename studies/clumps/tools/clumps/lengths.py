# SPDX-License-Identifier: MIT
"""How many packets the queues have (section 6.2): a program that sends to all, and one in which all ask a
few, as one, two and three parallel jobs on the modelled machine's 8 processors. Times are by job, beside one
job alone with the longest queues."""

from clumps.dedicated import BESIDE
from clumps.document import PARALLEL, Printed
from clumps.mixes import HOT_SPOT, PACKETS, SORT, Found, Mix
from parley_study.statements import Verdict
from parley_study.tables import table

SAME = 0.06  # what a short queue may cost one job; printed are none: programs take 2 to 11 % less
HURT = 2.0  # times as long as parallel jobs take at least with the shortest; printed are 3.1 and 10.8

# So many requests of a node may be without their replies, as CON has them by itself: else no queue is filled.
MORE = {SORT: "--unanswered 256", HOT_SPOT: ""}
PROGRAMS = tuple(MORE)
# The thesis's slice is some ten thousand times a switch of contexts, which is taken for 160 ms; ours is
# 10 ms. So a queue here stands for one of so many times its packets there.
SCALE = 16
LENGTHS = (16, 128, PACKETS)
SHORTEST, LONGEST = LENGTHS[0], LENGTHS[-1]
ALONE = PARALLEL[0]


def mix(program: str, packets: int, cell: str) -> Mix:
    return Mix(program, cell, BESIDE, packets=packets, more=MORE[program])


def all_mixes() -> list[Mix]:
    return [mix(program, packets, cell) for program in PROGRAMS for packets in LENGTHS for cell in PARALLEL]


def beside(found: Found, program: str, packets: int, cell: str) -> float:
    """How many times as long as one job alone with the longest queues."""
    return found[mix(program, packets, cell)].each / found[mix(program, LONGEST, ALONE)].each


def printed_beside(printed: Printed, program: str, packets: int, cell: str) -> float:
    by_length = printed.lengths[program]
    return by_length[SCALE * packets][cell] / by_length[SCALE * LONGEST][ALONE]


def lines(found: Found, printed: Printed) -> list[str]:
    rows = [
        [
            program,
            f"{packets} ({SCALE * packets})",
            f"{found[mix(program, packets, ALONE)].each / 1e3:.2f}",
            *(
                f"{beside(found, program, packets, cell):.2f} "
                f"({printed_beside(printed, program, packets, cell):.2f})"
                for cell in PARALLEL
            ),
        ]
        for program in PROGRAMS
        for packets in LENGTHS
    ]
    title = (
        f"By the packets of a queue (printed: figures 6.6 and 6.8, of {SCALE} times as many), by job beside "
        f"one job alone with {LONGEST}"
    )
    return table(title, ["", "packets", f"{ALONE}, ms", *PARALLEL], rows)


def cost(found: Found, program: str, packets: int, cell: str, other: int) -> float:
    """How many times as long it takes as with queues of the other length."""
    return found[mix(program, packets, cell)].each / found[mix(program, other, cell)].each


def costs_nothing(found: Found, program: str) -> dict[str, tuple[bool, str]]:
    return {
        f"{program}, {packets} packets": (
            cost(found, program, packets, ALONE, LONGEST) <= 1 + SAME,
            f"{cost(found, program, packets, ALONE, LONGEST):.2f} times as long as with {LONGEST}",
        )
        for packets in LENGTHS[:-1]
    }


def statements(found: Found) -> list[Verdict]:
    short = {cell: cost(found, SORT, SHORTEST, cell, LONGEST) for cell in PARALLEL}
    return [
        Verdict(
            f"parallel jobs of {SORT} take {HURT:g} times as long and longer with the shortest queues, and "
            "three lose more than two",
            {
                f"{SHORTEST} packets, 2P": (short["2P"] >= HURT, f"{short['2P']:.2f} times"),
                f"{SHORTEST} packets, 3P": (
                    short["3P"] > short["2P"] and short["3P"] >= HURT,
                    f"{short['3P']:.2f} times, and two jobs {short['2P']:.2f}",
                ),
            },
        ),
        Verdict(
            f"alone programs take no longer with short queues, within {100 * SAME:g} %",
            {name: so for program in PROGRAMS for name, so in costs_nothing(found, program).items()},
        ),
    ]
