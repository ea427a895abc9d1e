# SPDX-License-Identifier: MIT
"""How long a process waits before it gives way (section 6.1), as one, two and three parallel jobs on the
modelled machine's 8 processors. The thesis's yields its processor. Here a sender that finds a short queue
full pauses, and then makes room by itself; and who waits for a message sleeps, at once or after some looks,
or never."""

from collections.abc import Mapping
from dataclasses import replace

from clumps import lengths
from clumps.dedicated import BESIDE
from clumps.document import PARALLEL, Printed
from clumps.lengths import ALONE, PROGRAMS, SHORTEST
from clumps.mixes import HOT_SPOT, Found, Mix
from parley_study.statements import Verdict
from parley_study.tables import table

HURT = 0.10  # what pausing too short and too long costs parallel jobs at least; printed are 27 % and more

STANDARD = 255  # pauses, as the port has by itself
MOST = 8191  # that a port takes
# With the thesis's times in us: its shortest, the one that it chose, and its longest.
PAUSES = {0: 7, STANDARD: 255, MOST: 2047}
AT_ONCE, SOON, NEVER = "semaphore", "two-phase", "spinlock"
SLEEPS = {AT_ONCE: 7, SOON: 255}  # likewise


def pausing(program: str, pauses: int, cell: str) -> Mix:
    named = None if pauses == STANDARD else pauses
    return replace(lengths.mix(program, SHORTEST, cell), pauses=named)


def waiting(how: str, cell: str) -> Mix:
    return Mix(HOT_SPOT, cell, BESIDE, waiting=how)


def waits() -> list[Mix]:
    """Beside other jobs who never sleeps takes the emulator minutes."""
    return [*(waiting(how, cell) for how in SLEEPS for cell in PARALLEL), waiting(NEVER, ALONE)]


def all_mixes() -> list[Mix]:
    return [
        *(pausing(program, pauses, cell) for program in PROGRAMS for pauses in PAUSES for cell in PARALLEL),
        *waits(),
    ]


def times(found: Found, program: str, cell: str) -> dict[int, float]:
    """By job in us, by pauses."""
    return {pauses: found[pausing(program, pauses, cell)].each for pauses in PAUSES}


def lines(found: Found, printed: Printed) -> list[str]:
    never = found[waiting(NEVER, ALONE)].each

    def row(program: str, at: int, mixes: Mapping[str, Mix], alone: float) -> list[str]:
        return [
            f"{found[mix].each / alone:.2f} ({printed.yields[program][at][cell]:.2f})"
            for cell, mix in mixes.items()
        ]

    paused = []
    for program in PROGRAMS:
        alone = found[lengths.mix(program, lengths.LONGEST, ALONE)].each
        for pauses, at in PAUSES.items():
            mixes = {cell: pausing(program, pauses, cell) for cell in PARALLEL}
            paused.append([program, str(pauses), str(at), *row(program, at, mixes, alone)])
    slept = [
        [how, str(at), *row(HOT_SPOT, at, {cell: waiting(how, cell) for cell in PARALLEL}, never)]
        for how, at in SLEEPS.items()
    ]
    return [
        *table(
            f"By the pauses of a sender that finds a queue of {SHORTEST} full, by job beside one alone with "
            f"{lengths.LONGEST} (printed: figures 6.1 and 6.3, by us before who waits yields, beside who "
            "never does)",
            ["", "pauses", "us", *PARALLEL],
            paused,
        ),
        *table(
            f"{HOT_SPOT} by when who waits sleeps, by job beside {never / 1e3:.2f} ms of one whose processes "
            "never do (printed: likewise)",
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
    crowded = {cell: times(found, HOT_SPOT, cell) for cell in PARALLEL if cell != ALONE}
    alone = {program: times(found, program, ALONE) for program in PROGRAMS}
    sleeping = [found[waiting(how, ALONE)].each for how in (AT_ONCE, SOON, NEVER)]
    return [
        Verdict(
            f"parallel jobs of {HOT_SPOT} whose senders find short queues full take {100 * HURT:g} % and "
            "more longer where they pause not at all, and where they pause the longest",
            {
                f"{cell}, {pauses} pauses": (
                    by[pauses] >= (1 + HURT) * by[STANDARD],
                    f"{by[pauses] / 1e3:.2f} ms, and {by[STANDARD] / 1e3:.2f} with {STANDARD}",
                )
                for cell, by in crowded.items()
                for pauses in (0, MOST)
            },
        ),
        Verdict(
            "alone programs whose senders find short queues full take less the longer they pause",
            {
                f"{program}, {name}": so
                for program, by in alone.items()
                for name, so in in_order([str(pauses) for pauses in by], list(by.values())).items()
            },
        ),
        Verdict(
            f"alone {HOT_SPOT} takes longest where who waits sleeps at once, and least where nobody sleeps",
            in_order([AT_ONCE, SOON, NEVER], sleeping),
        ),
        Verdict(
            f"parallel jobs of {HOT_SPOT} take longer where who waits sleeps at once than where it looks "
            "first",
            {
                cell: (
                    found[waiting(AT_ONCE, cell)].each > found[waiting(SOON, cell)].each,
                    f"{found[waiting(AT_ONCE, cell)].each / 1e3:.2f} and "
                    f"{found[waiting(SOON, cell)].each / 1e3:.2f} ms",
                )
                for cell in PARALLEL
                if cell != ALONE
            },
        ),
    ]
