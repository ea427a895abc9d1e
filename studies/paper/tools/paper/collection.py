# SPDX-License-Identifier: MIT
"""How long a gang collects its processors from others that compute for times at random, beside the paper's
Collect(TS,N,p): what is booted, and what is judged of it."""

import math
from dataclasses import dataclass

from paper.modelled_boots import PROCESSORS, Boot

SLICE_MS = 10.0
WITHIN = 0.10  # of Collect(TS,N,p)
CLOSE, ABOVE = (2, 4, 6, 8), (12, 16)  # members for which it is to be so close, and at least so long
# For each number of members so many that two errors of their mean are below a tenth of it: the fewer are
# collected, the more one collection differs from another. Of 4 and 8, whose means are near a limit, more.
SAMPLES = {2: 1000, 4: 1500, 6: 300, 8: 2000, 12: 100, 16: 100}
ERRORS = 2.0
HOLDS, OPEN, FAILS = "holds", "open", "DOES NOT HOLD"


def collect_ms(members: int, processors: int) -> float:
    """Collect(TS,N,p) of the paper."""
    return SLICE_MS * (members - 1) / (2 * (processors - 1))


@dataclass(frozen=True)
class Collected:
    """So many members; milliseconds."""

    members: int
    mean: float
    error: float  # a standard one

    @property
    def expected(self) -> float:
        return collect_ms(self.members, PROCESSORS)

    @property
    def ratio(self) -> float:
        return self.mean / self.expected

    @property
    def apart(self) -> float:
        """By how much the ratio may be another."""
        return ERRORS * self.error / self.expected


def boots() -> dict[str, Boot]:
    return {
        f"collection {members}": Boot(
            [{"name": "gang", "args": f"--only {members} --samples {samples} --load random"}],
            {"app": "gang", "nodes": 1, "schedule": "timeshared", "processors": PROCESSORS, "gang": "shared"},
        )
        for members, samples in SAMPLES.items()
    }


def of(records: dict[str, dict]) -> list[Collected]:
    def row(members: int, name: str) -> float:
        (one,) = (row for row in records[f"collection {members}"]["rows"] if row["name"] == name)
        return one["median"] / 1e6

    return [
        Collected(members, row(members, "mean collect, flooded"), row(members, "error of that mean"))
        for members in SAMPLES
    ]


def of_rows(rows: dict[tuple[str, int], float]) -> list[Collected]:
    """Of one boot of all numbers of members: name and members -> nanoseconds."""
    return [
        Collected(members, mean / 1e6, rows["error of that mean", members] / 1e6)
        for (name, members), mean in sorted(rows.items())
        if name == "mean collect, flooded"
    ]


def expected_ms(members: int) -> float:
    """Of uniform times, exactly, from the first processor that gives way to the last that is wanted, each at
    any place of its time before. With u uniform one gives way after 1 - sqrt(u) of a slice, so roots of the
    largest of so many u are wanted, which are of beta distributions. Collect(TS,N,p) has all others give way
    at one rate until the last is collected."""

    def left(collected: int) -> float:
        """Of a slice, the mean when so many have given way."""
        a = PROCESSORS - collected + 1
        gammas = math.lgamma(a + 0.5) - math.lgamma(a)
        return math.exp(gammas + math.lgamma(PROCESSORS + 1) - math.lgamma(PROCESSORS + 1.5))

    return SLICE_MS * (left(1) - left(members))


def told(one: Collected, least: float, most: float) -> str:
    """Of all that the samples leave possible it holds, of some of it it is open, of none it does not hold."""
    low, high = one.ratio - one.apart, one.ratio + one.apart
    if least <= low and high <= most:
        return HOLDS
    return OPEN if low <= most and high >= least else FAILS


def verdicts(found: list[Collected]) -> list[tuple[str, str]]:
    """Each sentence with what was found, and what is told of it."""
    return [
        (f"{said}: {one.ratio:.2f} ± {one.apart:.2f} times", word) for one, said, word in statements(found)
    ]


def statements(found: list[Collected]) -> list[tuple[Collected, str, str]]:
    """What is said of each, and what is told of that."""
    made = []
    for one in found:
        if one.members in CLOSE:
            said = f"{one.members} members collect within {100 * WITHIN:.0f} % of Collect(TS,N,p)"
            word = told(one, 1 - WITHIN, 1 + WITHIN)
        else:
            said = f"{one.members} members collect for Collect(TS,N,p) or longer"
            word = told(one, 1, math.inf)
        made.append((one, said, word))
    return made
