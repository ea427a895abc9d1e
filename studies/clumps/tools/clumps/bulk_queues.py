# SPDX-License-Identifier: MIT
"""How many blocks of bulk a queue has (figure 6.11): 3-D FFT, the one program that sends many, as one, two
and three parallel jobs on the modelled machine's 8 processors."""

from clumps.dedicated import BESIDE
from clumps.document import PARALLEL, Printed
from clumps.lengths import ALONE
from clumps.mixes import BLOCKS, SCHEDULED, Found, Mix
from parley_study.statements import Verdict
from parley_study.tables import table

LENGTHS = (2, BLOCKS, 128)  # figure 6.11's shortest, the one that is chosen, and its longest
SAME = 0.10  # printed of one job are 7 % and less


def mix(blocks: int, cell: str) -> Mix:
    return Mix(SCHEDULED, cell, BESIDE, blocks=blocks)


def all_mixes() -> list[Mix]:
    return [mix(blocks, cell) for blocks in LENGTHS for cell in PARALLEL]


def beside(found: Found, blocks: int, cell: str) -> float:
    """By job, how many times as long as one alone with as many blocks as are chosen."""
    return found[mix(blocks, cell)].each / found[mix(BLOCKS, ALONE)].each


def lines(found: Found, printed: Printed) -> list[str]:
    rows = [
        [
            str(blocks),
            f"{found[mix(blocks, ALONE)].each / 1e3:.2f}",
            *(f"{beside(found, blocks, cell):.2f} ({printed.blocks[blocks][cell]:.2f})" for cell in PARALLEL),
        ]
        for blocks in LENGTHS
    ]
    title = (
        f"{SCHEDULED} by the blocks of a queue (printed: figure 6.11), by job beside one job alone with "
        f"{BLOCKS}"
    )
    return table(title, ["blocks", f"{ALONE}, ms", *PARALLEL], rows)


def statements(found: Found) -> list[Verdict]:
    """Of one job: what parallel jobs take differs by more than that with who is out of its turn."""
    return [
        Verdict(
            f"alone {SCHEDULED} takes the same however many blocks a queue has, within {100 * SAME:g} %",
            {
                f"{blocks} blocks": (
                    abs(beside(found, blocks, ALONE) - 1) <= SAME,
                    f"{beside(found, blocks, ALONE):.2f} times as long as with {BLOCKS}",
                )
                for blocks in LENGTHS
                if blocks != BLOCKS
            },
        )
    ]
