# SPDX-License-Identifier: MIT
"""What follows from the thesis's equations and programs alone, whatever the machine: in which polls adaptive
polling looks (section 4.2), what its damping weighs (4.3), what the parts of a send come to and what they are
projected to (6.4), and how many messages programs send (tables 5.6 to 5.8)."""

import math
from itertools import accumulate, pairwise

from clumps.document import Printed
from clumps.modelled_runs import Run, Told
from clumps.network import CLAIM, divided
from parley_study.statements import Verdict

PROCESSORS = 8
BETWEEN = 4  # processors of a multiprocessor, where there are two
SIDE = 16  # of 3-D FFT's cube
REST = "--rest 400"  # until all have been made

# By the equations 4.6 to 4.8 with table 4.1's values: in which polls, or how many after the one before.
POLLS = {
    "no message": [1, 5, 9, 13],
    "near messages": [1, 65, 129, 193, 257],
    "far messages": [1, 5, 9, 13],
}
APART = {
    "near, then far messages": [33, 18, 14, 12, 10, 9, 8, 8, 7, 7],
    "as many of both": [4] * 9,
    "ten near messages to a far one": [40] * 9,
}
# By damping: how many polls weigh a tenth of the last one or more; or come to nine tenths of a step.
WEIGHED = {16: 35, 128: 293}
REACHED = {1024: 2357}


def rows_runs() -> tuple[Run, Run]:
    """3-D FFT, whose messages are all alike, on one multiprocessor and on two."""
    one = Run("fft_3d", CLAIM, PROCESSORS, f"--samples 1 --side {SIDE} {REST}")
    return one, divided(one, 2)


def of_looks(told: Told) -> Verdict:
    cells = {}
    for name, wanted in POLLS.items():
        found = told.looks.get(name, [])
        cells[name] = found == wanted, f"{found}"
    for name, wanted in APART.items():
        found = [after - before for before, after in pairwise(told.looks.get(name, []))][: len(wanted)]
        cells[name] = found == wanted, f"{found} apart"
    return Verdict("adaptive polling looks in the polls that equations 4.6 to 4.8 give", cells)


def of_weights() -> Verdict:
    cells = {}
    for damping, polls in WEIGHED.items():
        found = math.floor(math.log(0.1) / math.log(1 - 1 / damping))
        cells[f"damping {damping}"] = found == polls, f"{found} polls, printed {polls}"
    for damping, polls in REACHED.items():
        found = math.ceil(math.log(0.1) / math.log(1 - 1 / damping))
        cells[f"damping {damping}"] = found == polls, f"{found} polls, printed {polls}"
    return Verdict("what a damping weighs is what section 4.3 prints", cells)


def of_parts(printed: Printed) -> list[Verdict]:
    """Of a send, in cycles of the thesis's processor."""
    cycles = {name: part[0] for name, part in printed.send.items()}
    sums = dict(zip(cycles, accumulate(cycles.values()), strict=True))
    parts = Verdict(
        "the parts of a send come to what figure 6.27 prints, step by step",
        {
            name: (sums[name] == total, f"{sums[name]:g} cycles, printed {total:g}")
            for name, (_, total) in printed.send.items()
        },
    )
    coherent = sum(cycles[name] for name in printed.coherent)
    whole = sums["concurrency"]
    cells = {"as measured": rounded(100 * coherent / whole, 34, "% of it is coherence")}
    for machine, found in printed.projected.items():
        cycle = whole + sum(found["added"])
        part = 100 * (coherent + sum(found["added_coherence"])) / cycle
        cells |= {
            machine: rounded(cycle, found["cycles"], "cycles"),
            f"{machine}, time": rounded(10 * cycle / found["clock"], 10 * found["us"], "tenths of a us"),
            f"{machine}, coherence": rounded(part, found["coherence"], "% of it"),
        }
    return [parts, Verdict("a send is projected as section 6.4.2 prints", cells)]


def rounded(found: float, printed: float, unit: str) -> tuple[bool, str]:
    return round(found) == round(printed), f"{found:.1f} {unit}, printed {printed:g}"


def of_counts(alone: Told, two: Told) -> list[Verdict]:
    """Of 3-D FFT, on one multiprocessor and on two."""
    blocks = 2 * (PROCESSORS - 1) * (SIDE // PROCESSORS) ** 2
    leave = (PROCESSORS - BETWEEN) / (PROCESSORS - 1)
    return [
        Verdict(
            "3-D FFT sends the blocks that follow from it",
            {
                name: (told.bulk == blocks, f"{told.bulk} of a node, and {blocks} follow")
                for name, told in (("one multiprocessor", alone), ("two", two))
            },
        ),
        Verdict(
            "where all send to all, the part of messages that leaves a multiprocessor follows from their "
            "number",
            {
                "3-D FFT, 2 of 4": (
                    round(100 * two.remote) == round(100 * leave),
                    f"{100 * two.remote:.0f} %, and {100 * leave:.0f} follow",
                )
            },
        ),
    ]


def statements(polled: Told, rows: tuple[Told, Told], printed: Printed) -> list[Verdict]:
    """rows: 3-D FFT on one multiprocessor and on two."""
    return [of_looks(polled), of_weights(), *of_parts(printed), *of_counts(*rows)]
