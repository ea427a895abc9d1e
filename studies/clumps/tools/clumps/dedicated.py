# SPDX-License-Identifier: MIT
"""The programs of table 6.5 beside SAMPLE, on 8 processors of the modelled machine that nothing else uses,
under every claim: the runs, their table, and what is asked of them. Who waits looks about as long as a sleep
takes and then sleeps, as in the thesis's table."""

from collections.abc import Mapping

from clumps.document import Printed
from clumps.modelled_runs import Run, Told
from clumps.modelled_statements import LOCK_FREE, SLEEPING, SPINNING, below, within
from parley_study.statements import Verdict
from parley_study.tables import table

NODES = 8
WAITING = "two-phase"
REST = "--rest 400"  # ms, until all nodes have been made
PROGRAMS = {"CON/comp": "con", "CON/comm": "con", "3-D FFT": "fft_3d", "EM3D": "em3d"}
# So large that the programs are what the thesis has them be: bound by computation, or by messages.
WORDS = {
    "CON/comp": f"--samples 1 --dimensions 2 --edges 40 --side 80 {REST}",
    "CON/comm": f"--samples 1 --dimensions 3 --edges 25 --side 12 {REST}",
    "3-D FFT": f"--samples 1 --side 32 {REST}",
    "EM3D": f"--samples 1 --steps 2 --values 100 --degree 10 --remote 40 {REST}",
}
ALIKE = ("3-D FFT", "CON/comp")  # their messages have a pattern, or are few
SAME = 0.06  # printed are 3 and 6 % between the fastest claim and the slowest
NEAR = 0.15  # of the printed ratio to lock-free
BESIDE = "lock-free"

Found = Mapping[str, Mapping[str, Told]]  # by program and claim


def run(program: str, claim: str) -> Run:
    return Run(PROGRAMS[program], claim, NODES, WORDS[program], synchronization=WAITING)


def runs(claims: list[str]) -> list[Run]:
    return [run(program, claim) for program in PROGRAMS for claim in claims]


def found_in(told: Mapping[Run, Told], claims: list[str]) -> dict[str, dict[str, Told]]:
    return {program: {claim: told[run(program, claim)] for claim in claims} for program in PROGRAMS}


def ratios(found: Found, program: str, printed: Printed) -> dict[str, tuple[float, float]]:
    """By claim: its time beside lock-free's, and the printed one."""
    ours, theirs = found[program], printed.dedicated[program]
    return {
        claim: (ours[claim]["time"] / ours[BESIDE]["time"], theirs[claim] / theirs[BESIDE])
        for claim in printed.claims
    }


def lines(found: Found, printed: Printed) -> list[str]:
    rows = []
    for program in PROGRAMS:
        times = (found[program][claim]["time"] / 1e3 for claim in printed.claims)
        rows.append([program, "ms", *(f"{time:.3f}" for time in times)])
        beside = ratios(found, program, printed).values()
        rows.append(["", f"beside {BESIDE}", *(f"{ours:.2f} ({theirs:.2f})" for ours, theirs in beside)])
    title = f"Table 6.5 (printed): {NODES} processors that nothing else uses; who waits sleeps"
    return table(title, ["", "", *printed.claims], rows)


def explained(found: Found, printed: Printed) -> list[str]:
    """What the model counted of whole boots, of all processors together."""

    def all_of(program: str, claim: str, name: str) -> float:
        return sum(each[name] for each in found[program][claim].processors)

    counts = {
        "from other caches, thousands": ("from_caches", 1e3),
        "all on the bus, thousands": ("bus_transfers", 1e3),
        "waiting for memory, ms": ("memory_time", 1e9),
    }
    rows = [
        [program, what, *(f"{all_of(program, claim, name) / unit:.0f}" for claim in printed.claims)]
        for program in PROGRAMS
        for what, (name, unit) in counts.items()
    ]
    title = "Lines that moved in a boot, making and a first run included"
    return table(title, ["", "", *printed.claims], rows)


def statements(found: Found, printed: Printed) -> list[Verdict]:
    times = {program: {claim: told["time"] for claim, told in by.items()} for program, by in found.items()}
    locks = (*SPINNING, SLEEPING)
    least = {program: min(by.values()) for program, by in times.items()}
    em3d, communicating = times["EM3D"], times["CON/comm"]
    return [
        Verdict(
            "3-D FFT, and CON bound by computation, take the same under every claim, within "
            f"{100 * SAME:g} %",
            {
                f"{program}, {claim}": (
                    within(time, least[program], SAME),
                    f"{time:.0f} us, and the least {least[program]:.0f}",
                )
                for program in ALIKE
                for claim, time in times[program].items()
            },
        ),
        Verdict(
            "EM3D is faster under lock-free claims than under locks",
            {
                f"{claim} before {lock}": below(em3d[claim], em3d[lock])
                for claim in LOCK_FREE
                for lock in locks
            },
        ),
        Verdict(
            "CON bound by communication is slower under anderson and the lock whose waiters sleep than under "
            "any other claim",
            {
                f"{claim} before {slow}": below(communicating[claim], communicating[slow])
                for slow in ("anderson", SLEEPING)
                for claim in printed.claims
                if claim not in ("anderson", SLEEPING)
            },
        ),
        Verdict(
            f"beside lock-free's, each time of table 6.5's programs is as printed, within {100 * NEAR:g} %",
            {
                f"{program}, {claim}": (within(ours, theirs, NEAR), f"{ours:.2f} times, printed {theirs:.2f}")
                for program in PROGRAMS
                for claim, (ours, theirs) in ratios(found, program, printed).items()
                if claim != BESIDE
            },
        ),
    ]
