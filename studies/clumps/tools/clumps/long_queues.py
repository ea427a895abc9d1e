# SPDX-License-Identifier: MIT
"""Queues as long as the thesis's and longer, of which a cache has no room for all packets: SAMPLE alone on
the modelled machine's 8 processors. Each node is sent as many messages first as a queue has packets, so that
each packet lies where messages leave it. The caches are of the thesis's size, so its lengths are these
(figure 6.6)."""

from collections.abc import Mapping

from clumps.dedicated import BESIDE, NODES, WAITING
from clumps.document import Printed
from clumps.lengths import ALONE, MORE
from clumps.mixes import SORT, WORDS
from clumps.modelled_runs import Run, Told
from clumps.modelled_statements import below
from parley_study.statements import Verdict
from parley_study.tables import table

CHOSEN = 4096  # by the thesis
SHORT, LONG = 1024, 16384
LENGTHS = (SHORT, CHOSEN, LONG)
SLOW = 0.05  # what the longest cost at least; printed are 11 %

Found = Mapping[int, Told]  # by packets of a queue


def run(packets: int) -> Run:
    words = f"{WORDS[SORT]} {MORE[SORT]} --warm {max(packets, CHOSEN)}"
    return Run("sample_sort", f"{BESIDE}:{packets}", NODES, words, synchronization=WAITING)


def runs() -> list[Run]:
    return [run(packets) for packets in LENGTHS]


def found_in(told: Mapping[Run, Told]) -> dict[int, Told]:
    return {packets: told[run(packets)] for packets in LENGTHS}


def beside(found: Found, packets: int) -> float:
    """How many times as long as with the shortest."""
    return found[packets]["time"] / found[SHORT]["time"]


def lines(found: Found, printed: Printed) -> list[str]:
    of_figure = {packets: printed.lengths[SORT][packets][ALONE] for packets in LENGTHS}

    def counted(packets: int, name: str, unit: float) -> str:
        return f"{sum(each[name] for each in found[packets].processors) / unit:.0f}"

    rows = [
        [
            str(packets),
            f"{found[packets]['time'] / 1e3:.2f}",
            f"{beside(found, packets):.2f} ({of_figure[packets] / of_figure[SHORT]:.2f})",
            counted(packets, "bus_transfers", 1e3),
            counted(packets, "memory_time", 1e9),
        ]
        for packets in LENGTHS
    ]
    title = (
        f"{SORT} alone by the packets of a queue, each of which has been used (printed: figure 6.6); and of "
        "whole boots, warming included"
    )
    heads = ["packets", "ms", f"beside {SHORT}", "on the bus, thousands", "waiting for memory, ms"]
    return table(title, heads, rows)


def statements(found: Found) -> list[Verdict]:
    return [
        Verdict(
            f"alone {SORT} takes {100 * SLOW:g} % and more longer with the longest queues",
            {
                f"{LONG} packets": (
                    beside(found, LONG) >= 1 + SLOW,
                    f"{beside(found, LONG):.2f} times as long as with {SHORT}",
                ),
                f"{CHOSEN} before {LONG}": below(found[CHOSEN]["time"], found[LONG]["time"]),
            },
        )
    ]
