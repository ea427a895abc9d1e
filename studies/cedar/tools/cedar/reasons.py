# SPDX-License-Identifier: MIT
"""Why statements of the document do not hold on the modelled machine, asked of the runs: for each sentence
that docs/cedar.md lists, what its reason comes to. Runs that do not bear it out end the study with status
1."""

from collections.abc import Mapping

from cedar import system_time
from cedar.modelled_runs import CLUSTERS, PROGRAMS
from cedar.modelled_statements import LAST, MUCH, SOME, Sweep, Told, flat_reaches
from parley_study.statements import Verdict

BY_THE_SYSTEM = ("call", "fault", "shared_fault", "exception", "switching")


def of_clock(steps: system_time.Steps) -> Verdict:
    def clock_first(run: system_time.SystemTime) -> tuple[bool, str]:
        clock, rest = run.spent("tick"), run.spent(*BY_THE_SYSTEM)
        return clock > rest, f"{clock:.2f} % beside {rest:.2f}"

    return Verdict(
        "in the time steps the clock takes more than calls, faults and switches together",
        {f"{name} on {n}": clock_first(steps[name][n]) for name in PROGRAMS for n in (8, LAST)},
    )


def of_causes(told: Mapping[str, Mapping[int, Told]]) -> Verdict:
    """Where the document's causes are not most of the main task's overhead."""
    several = [n for n, clusters in CLUSTERS.items() if clusters > 1]
    others = {
        f"{name} on {n}": told[name][n]
        for name in PROGRAMS
        for n in several
        if told[name][n].sdoall() >= told[name][n].xdoall() + told[name][n].barrier()
    }
    return Verdict(
        "what else takes more has no XDOALLs, and its clusters finish together",
        {
            at: (
                run.xdoall() == 0 and run.barrier() < SOME,
                f"{run.xdoall():.2f} % to hand XDOALLs out, {run.barrier():.2f} % at finish barriers",
            )
            for at, run in others.items()
        },
    )


def of_short_loops(sweep: Sweep) -> Verdict:
    reached = flat_reaches(sweep)

    def set_up_first(run: Told) -> tuple[bool, str]:
        set_up, pick_up = run.share("sdoall/set_up"), run.share("sdoall/pick_up")
        return set_up > pick_up, f"{set_up:.2f} % beside {pick_up:.2f}"

    return Verdict(
        "to make an SDOALL known takes longer there than to pick all of its iterations up",
        {
            f"a length of {length} %": set_up_first(sweep[length][0])
            for length in sorted(sweep)
            if reached is not None and length <= reached
        },
    )


def asked(
    told: Mapping[str, Mapping[int, Told]], steps: system_time.Steps, sweep: Sweep
) -> dict[str, Verdict]:
    """By the sentences of the page."""
    return {
        "of that, system time is the largest part, and interrupts are the next": of_clock(steps),
        "handing out XDOALLs and waiting at finish barriers are most of the main task's overhead": of_causes(
            told
        ),
        f"and does where flat comes to {MUCH:g} %": of_short_loops(sweep),
    }
