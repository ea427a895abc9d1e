# SPDX-License-Identifier: MIT
"""How long a process waits before it gives way (section 6.1), as one, two and three parallel jobs on the
modelled machine's 8 processors. The thesis's yields its processor. Here a sender that finds a short queue
full pauses, and then makes room by itself, as SAMPLE's do (CON's make room before they find a packet
taken, and pause in no boot of one or two jobs); and who waits for a message sleeps, at once or after some
looks, or never."""

from collections.abc import Mapping
from dataclasses import replace

from clumps import lengths
from clumps.dedicated import BESIDE
from clumps.document import PARALLEL, Printed
from clumps.lengths import ALONE, SHORTEST
from clumps.mixes import HOT_SPOT, SORT, Found, Mix
from parley_study.statements import Verdict
from parley_study.tables import table

HURT = 2.0  # times as long as parallel jobs take at least that sleep at once; printed are 4.6 and 4.8

STANDARD = 255  # pauses, as the port has by itself
MOST = 8191  # that a port takes
# With the thesis's times in us: its shortest, the one that it chose, and its longest.
PAUSES = {0: 7, STANDARD: 255, MOST: 2047}
AT_ONCE, SOON, NEVER = "semaphore", "two-phase", "spinlock"
SLEEPS = {AT_ONCE: 7, SOON: 255}  # likewise


def pausing(pauses: int, cell: str) -> Mix:
    named = None if pauses == STANDARD else pauses
    return replace(lengths.mix(SORT, SHORTEST, cell), pauses=named)


def waiting(how: str, cell: str) -> Mix:
    return Mix(HOT_SPOT, cell, BESIDE, waiting=how)


def waits() -> list[Mix]:
    """A job that never sleeps takes the emulator minutes beside others."""
    return [*(waiting(how, cell) for how in SLEEPS for cell in PARALLEL), waiting(NEVER, ALONE)]


def all_mixes() -> list[Mix]:
    return [*(pausing(pauses, cell) for pauses in PAUSES for cell in PARALLEL), *waits()]


def lines(found: Found, printed: Printed) -> list[str]:
    never = found[waiting(NEVER, ALONE)].each

    def row(program: str, at: int, mixes: Mapping[str, Mix], alone: float) -> list[str]:
        return [
            f"{found[mix].each / alone:.2f} ({printed.yields[program][at][cell]:.2f})"
            for cell, mix in mixes.items()
        ]

    alone = found[lengths.mix(SORT, lengths.LONGEST, ALONE)].each
    paused = [
        [str(pauses), str(at), *row(SORT, at, {cell: pausing(pauses, cell) for cell in PARALLEL}, alone)]
        for pauses, at in PAUSES.items()
    ]
    slept = [
        [how, str(at), *row(HOT_SPOT, at, {cell: waiting(how, cell) for cell in PARALLEL}, never)]
        for how, at in SLEEPS.items()
    ]
    return [
        *table(
            f"{SORT} by the pauses of a sender that finds a queue of {SHORTEST} full, by job beside one "
            f"alone with {lengths.LONGEST} (printed: figure 6.1, by us before who waits yields, beside who "
            "never does)",
            ["pauses", "us", *PARALLEL],
            paused,
        ),
        *table(
            f"{HOT_SPOT} by when who waits sleeps, by job beside {never / 1e3:.2f} ms of one whose processes "
            "never do (printed: figure 6.3, likewise)",
            ["", "us", *PARALLEL],
            slept,
        ),
    ]


def in_order(names: list[str], values: list[float]) -> dict[str, tuple[bool, str]]:
    """Whether each takes longer than the next."""
    return {
        f"{name} before {after}": (longer > shorter, f"{longer / 1e3:.2f} and {shorter / 1e3:.2f} ms")
        for name, after, longer, shorter in zip(names, names[1:], values, values[1:], strict=False)
    }


def statements(found: Found) -> list[Verdict]:
    pauses = [found[pausing(pauses, ALONE)].each for pauses in PAUSES]
    sleeping = [found[waiting(how, ALONE)].each for how in (AT_ONCE, SOON, NEVER)]
    return [
        Verdict(
            f"alone {SORT} takes less the longer its senders pause that find short queues full",
            in_order([str(count) for count in PAUSES], pauses),
        ),
        Verdict(
            f"alone {HOT_SPOT} takes longest where who waits sleeps at once, and least where nobody sleeps",
            in_order([AT_ONCE, SOON, NEVER], sleeping),
        ),
        Verdict(
            f"parallel jobs of {HOT_SPOT} take {HURT:g} times as long and longer where who waits sleeps at "
            "once than where it looks first",
            {
                cell: (
                    found[waiting(AT_ONCE, cell)].each >= HURT * found[waiting(SOON, cell)].each,
                    f"{found[waiting(AT_ONCE, cell)].each / 1e3:.2f} and "
                    f"{found[waiting(SOON, cell)].each / 1e3:.2f} ms",
                )
                for cell in PARALLEL
                if cell != ALONE
            },
        ),
    ]
