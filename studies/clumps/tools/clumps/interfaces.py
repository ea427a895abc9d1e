# SPDX-License-Identifier: MIT
"""Who shares a network interface, and who does not: programs on the modelled machine as one multiprocessor of
8 processors, as two of 4, which have an interface each, or one for each process, and as workstations. What is
printed is of table 6.6, of tables 7.8 and 7.10, which have 32 processors, and of table 7.9, which has 16.
EM3D's runs are those of network.py."""

from collections.abc import Mapping
from dataclasses import replace

from clumps import network
from clumps.dedicated import REST, WAITING
from clumps.document import Printed
from clumps.modelled_runs import Run, Told
from clumps.modelled_statements import below, within
from clumps.network import CLAIM, NODES, divided, shape
from parley_study.statements import Verdict
from parley_study.tables import table

WORDS = {
    "SAMPLE": ("sample_sort", f"--samples 1 --keys 512 {REST}"),
    "CON/comm": ("con", f"--samples 1 --dimensions 3 --edges 25 --side 8 {REST}"),
    "3-D FFT": ("fft_3d", f"--samples 1 --side 16 {REST}"),
}
PROGRAMS = (*WORDS, "EM3D")
ONE, SHARED, WORKSTATIONS = 1, 2, NODES  # into how many the machine is divided
PRIVATE = "private"  # as many as SHARED, where each process has an interface of its own
NEAR = 0.15  # of a printed ratio
LEVEL = 0.05  # printed is at most 2 % more than on workstations

Division = int | str
Found = Mapping[str, Mapping[Division, Told]]  # by program and division


def run(program: str, division: Division) -> Run:
    if division == PRIVATE:
        return replace(run(program, SHARED), interface=f"pools={NODES // SHARED}")
    if division == ONE:  # of table 6.6 those whose waiters sleep; the protocol of several lets none
        return replace(looking_on(program, ONE), synchronization=WAITING)
    return looking_on(program, division)


def looking_on(program: str, multiprocessors: int) -> Run:
    """Where nobody sleeps who waits."""
    if program == "EM3D":
        return network.mesh_run(multiprocessors)
    name, words = WORDS[program]
    return divided(Run(name, CLAIM, NODES, words), multiprocessors)


def divisions(program: str) -> list[Division]:
    """Table 7.9 has no EM3D."""
    return [ONE, SHARED, *([PRIVATE] if program in WORDS else []), WORKSTATIONS]


def runs() -> list[Run]:
    return [run(program, division) for program in PROGRAMS for division in divisions(program)]


def found_in(told: Mapping[Run, Told]) -> dict[str, dict[Division, Told]]:
    return {
        program: {division: told[run(program, division)] for division in divisions(program)}
        for program in PROGRAMS
    }


def beside(found: Found, program: str, division: Division) -> float:
    """Its time beside that on workstations."""
    return found[program][division]["time"] / found[program][WORKSTATIONS]["time"]


def lines(found: Found, printed: Printed) -> list[str]:
    rows = [
        [
            program,
            *(f"{found[program][count]['time'] / 1e3:.2f}" for count in (ONE, SHARED, WORKSTATIONS)),
            f"{beside(found, program, ONE):.2f} ({printed.one_multiprocessor[program]:.2f})",
            f"{beside(found, program, SHARED):.2f} ({printed.shared_interfaces[program]:.2f})",
            f"{100 * found[program][SHARED].remote:.0f} %",
        ]
        for program in PROGRAMS
    ]
    mesh, ratio = found["EM3D"], printed.imbalance
    imbalance = (
        f"EM3D's slowest node communicates {mesh[SHARED].spread:g} times as long as the fastest on "
        f"{shape(SHARED)} (printed {ratio['multiprocessors']:g}), and {mesh[WORKSTATIONS].spread:g} times on "
        f"workstations ({ratio['workstations']:g})"
    )
    private = [
        [
            program,
            f"{found[program][PRIVATE]['time'] / 1e3:.2f}",
            f"{beside(found, program, PRIVATE):.2f} ({printed.private_interfaces[program]:.2f})",
        ]
        for program in WORDS
    ]
    heads = ["", *(f"{shape(count)}, ms" for count in (ONE, SHARED, WORKSTATIONS))]
    beside_them = [f"{shape(count)} beside {shape(WORKSTATIONS)}" for count in (ONE, SHARED)]
    text = table(
        "Tables 6.6 and 7.8 (printed, the latter of 32 processors): multiprocessors of an interface each, "
        "and workstations",
        [*heads, *beside_them, f"to others, {shape(SHARED)}"],
        rows,
    )
    of_their_own = table(
        f"Table 7.9 (printed, of 16 processors): {shape(SHARED)}, an interface for each process",
        ["", "ms", f"beside {shape(WORKSTATIONS)}"],
        private,
    )
    return [*text, "", imbalance, *of_their_own]


def statements(found: Found, printed: Printed) -> list[Verdict]:
    gains = {program: beside(found, program, ONE) for program in PROGRAMS}
    others = [program for program in PROGRAMS if program != "EM3D"]
    return [
        Verdict(
            "programs whose nodes all send to each other are slower on multiprocessors that share an "
            "interface than on workstations",
            {
                program: below(found[program][WORKSTATIONS]["time"], found[program][SHARED]["time"])
                for program in others
            },
        ),
        Verdict(
            "beside workstations one multiprocessor gains most with EM3D, and least with 3-D FFT",
            {
                f"{more} before {less}": (
                    gains[more] < gains[less],
                    f"{100 * gains[more]:.0f} and {100 * gains[less]:.0f} % of the time",
                )
                for one in ("SAMPLE", "CON/comm")
                for more, less in (("EM3D", one), (one, "3-D FFT"))
            },
        ),
        Verdict(
            "EM3D's nodes differ more in how long they communicate on multiprocessors than on workstations",
            {
                shape(SHARED): (
                    found["EM3D"][SHARED].spread > found["EM3D"][WORKSTATIONS].spread,
                    f"{found['EM3D'][SHARED].spread:.2f} and {found['EM3D'][WORKSTATIONS].spread:.2f} times",
                )
            },
        ),
        Verdict(
            f"beside workstations one multiprocessor takes what table 6.6 has, within {100 * NEAR:g} %",
            {
                program: (
                    within(gains[program], printed.one_multiprocessor[program], NEAR),
                    f"{gains[program]:.2f} times, printed {printed.one_multiprocessor[program]:.2f}",
                )
                for program in PROGRAMS
            },
        ),
        Verdict(
            "programs are faster where each process has an interface of its own than where a multiprocessor "
            "shares one",
            {
                program: below(found[program][PRIVATE]["time"], found[program][SHARED]["time"])
                for program in others
            },
        ),
        Verdict(
            "where each process has an interface of its own multiprocessors take no longer than "
            f"workstations, within {100 * LEVEL:g} %",
            {
                program: (
                    beside(found, program, PRIVATE) <= 1 + LEVEL,
                    f"{beside(found, program, PRIVATE):.2f} times, printed "
                    f"{printed.private_interfaces[program]:.2f}",
                )
                for program in others
            },
        ),
    ]
