# SPDX-License-Identifier: MIT
"""What it costs programs on one multiprocessor that their processes look into a network as well, by which
nothing comes, and what it costs that who waits sleeps (table 7.7); and workstations. Runs of these, and
where each sleeps, are other modules', too."""

from collections.abc import Mapping
from dataclasses import replace

from clumps import dedicated, interfaces, network
from clumps.dedicated import WAITING
from clumps.document import COLUMNS, Printed
from clumps.modelled_runs import Run, Told
from clumps.modelled_statements import within
from clumps.network import CLAIM, NODES, POLLING, divided
from parley_study.statements import Verdict
from parley_study.tables import table

COMPUTING = "CON/comp"
PROGRAMS = ("SAMPLE", COMPUTING, "CON/comm", "3-D FFT", "EM3D")
WORDS = dedicated.WORDS[COMPUTING]  # the other programs are as interfaces.py has them
LOOKING_ON, SLEEPING, BOTH, WORKSTATIONS = COLUMNS

MOST = 0.11  # what a network costs a program; printed of SAMPLE
UNTOUCHED = (COMPUTING, "3-D FFT")
SAME = 0.03  # printed are 1 and 1.5 % less
COMPARABLE = 0.02  # what a network costs more than sleeping; printed of SAMPLE are 1.4 %

Found = Mapping[str, Mapping[str, Told]]  # by program and column


def run(program: str, column: str) -> Run:
    multiprocessors = interfaces.WORKSTATIONS if column == WORKSTATIONS else interfaces.ONE
    if program == COMPUTING:
        found = divided(Run("con", CLAIM, NODES, WORDS), multiprocessors)
    else:
        found = interfaces.looking_on(program, multiprocessors)
    if column == SLEEPING:
        return replace(found, synchronization=WAITING)
    return replace(found, polling=POLLING) if column == BOTH else found


def runs() -> list[Run]:
    return [run(program, column) for program in PROGRAMS for column in COLUMNS]


def found_in(told: Mapping[Run, Told]) -> dict[str, dict[str, Told]]:
    return {
        program: {column: told[run(program, column)] for column in COLUMNS} for program in PROGRAMS
    }


def cost(found: Found, program: str, column: str, other: str = LOOKING_ON) -> float:
    """How many times the other column's time."""
    return found[program][column]["time"] / found[program][other]["time"]


def printed_cost(printed: Printed, program: str, column: str) -> float:
    cells = printed.both_protocols[program]
    return cells[column] / cells[LOOKING_ON]


def lines(found: Found, printed: Printed) -> list[str]:
    rows = [
        [
            program,
            f"{found[program][LOOKING_ON]['time'] / 1e3:.3f}",
            *(
                f"{cost(found, program, column):.3f} ({printed_cost(printed, program, column):.3f})"
                for column in COLUMNS[1:]
            ),
        ]
        for program in PROGRAMS
    ]
    title = (
        f"Table 7.7 (printed): one multiprocessor of {NODES} where who waits looks on; and beside that, "
        f"where it sleeps, where a network is polled too, and {network.shape(interfaces.WORKSTATIONS)}"
    )
    return table(title, ["", f"{LOOKING_ON}, ms", *COLUMNS[1:]], rows)


def statements(found: Found, printed: Printed) -> list[Verdict]:
    costs = {program: cost(found, program, BOTH) for program in PROGRAMS}
    most = max(PROGRAMS, key=lambda program: printed_cost(printed, program, BOTH))
    return [
        Verdict(
            f"a network that is polled as well costs programs on one multiprocessor at most {100 * MOST:g} %",
            {
                program: (
                    costs[program] <= 1 + MOST,
                    f"{costs[program]:.2f} times, printed {printed_cost(printed, program, BOTH):.2f}",
                )
                for program in PROGRAMS
            },
        ),
        Verdict(
            f"it costs nothing, within {100 * SAME:g} %, where computation or blocks are most of the time",
            {
                program: (within(costs[program], 1, SAME), f"{costs[program]:.3f} times")
                for program in UNTOUCHED
            },
        ),
        Verdict(
            f"it costs {most} more than any other program",
            {
                f"more than {program}": (
                    costs[program] < costs[most],
                    f"{costs[program]:.3f} and {costs[most]:.3f} times",
                )
                for program in PROGRAMS
                if program != most
            },
        ),
        Verdict(
            "it costs programs no more than where who waits sleeps in place of looking on, within "
            f"{100 * COMPARABLE:g} %",
            {
                program: (
                    cost(found, program, BOTH, SLEEPING) <= 1 + COMPARABLE,
                    f"{cost(found, program, BOTH):.2f} and {cost(found, program, SLEEPING):.2f} times",
                )
                for program in PROGRAMS
            },
        ),
    ]
