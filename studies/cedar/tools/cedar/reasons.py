# SPDX-License-Identifier: MIT
"""Why statements of the document do not hold on the modelled machine, asked of the runs: for each sentence
that docs/cedar.md lists, what its reason comes to. Runs that do not bear it out end the study with status
1."""

from collections.abc import Mapping
from itertools import pairwise

from cedar import system_time
from cedar.modelled_runs import CLUSTERS, PROGRAMS
from cedar.modelled_statements import (
    EXCEPTED,
    LAST,
    MUCH,
    SOME,
    Sweep,
    Told,
    flat_reaches,
    grows,
)
from parley_study.statements import Verdict

BY_THE_SYSTEM = ("call", "fault", "shared_fault", "exception", "switching")
LITTLE = 0.1  # percent of the time, by which a share may fall without a reason
MORE = 0.25  # percent of the time that a cause which the document does not name takes more, at most
MOST = 0.75  # of a whole, which is then nearly all of it


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

    def explained(run: Told) -> tuple[bool, str]:
        named = run.xdoall() + run.barrier()
        told = f"{run.xdoall():.2f} % to hand XDOALLs out, {run.barrier():.2f} % at finish barriers"
        return (
            (run.xdoall() == 0 and run.barrier() < SOME) or run.sdoall() - named < MORE,
            f"{told}, {run.sdoall():.2f} % to hand SDOALLs out",
        )

    return Verdict(
        "what else takes more has no XDOALLs, and its clusters finish together, or it takes at most"
        f" {MORE:g} % of the time more",
        {at: explained(run) for at, run in others.items()},
    )


def of_growth(told: Mapping[str, Mapping[int, Told]]) -> Verdict:
    """Of the programs whose main task's overhead does not grow with each step."""
    several = [8, *(n for n, clusters in CLUSTERS.items() if clusters > 1)]
    found = {name: [told[name][n].overhead() for n in several] for name in PROGRAMS}

    def fewer_waits(name: str, values: list[float]) -> tuple[bool, str]:
        waits = [told[name][n].barrier() for n in several]
        back = [before - after for before, after in pairwise(values)]
        of_waits = [before - after for before, after in pairwise(waits)]
        falls = [(all_of_it, of_it) for all_of_it, of_it in zip(back, of_waits, strict=True) if all_of_it > 0]
        steps = ", ".join(f"back by {all_of_it:.2f}, waits by {of_it:.2f}" for all_of_it, of_it in falls)
        return (
            values[-1] > values[0] and all(all_of_it < max(of_it, 0) + LITTLE for all_of_it, of_it in falls),
            f"{values[0]:.2f} % to {values[-1]:.2f}; {steps}",
        )

    return Verdict(
        "it grows from one cluster to four, and where it falls between, waits at finish barriers do, or it is"
        f" by less than {LITTLE:g} % of the time",
        {name: fewer_waits(name, values) for name, values in found.items() if not grows(values)[0]},
    )


def of_contention(told: Mapping[str, Mapping[int, Told]], steps: system_time.Steps) -> Verdict:
    """Of the programs whose contention does not grow with each step."""
    several = [8, *(n for n, clusters in CLUSTERS.items() if clusters > 1)]
    found = {
        name: {n: told[name][n].contention(told[name][1]) for n in several}
        for name in PROGRAMS
        if name != EXCEPTED
    }

    def is_the_system(name: str, n: int) -> tuple[bool, str]:
        system, contention = steps[name][n].overhead, found[name][n]
        return system > MOST * contention, f"{system:.2f} of {contention:.2f} %"

    return Verdict(
        f"over {100 * MOST:g} % of what is told as contention is what the operating system takes there",
        {
            f"{name} on {n}": is_the_system(name, n)
            for name, values in found.items()
            if not grows(list(values.values()))[0]
            for n in (8, LAST)
        },
    )


def of_system(steps: system_time.Steps) -> Verdict:
    """Of the programs of which the operating system takes no larger part with each step."""

    def is_the_clock(run: system_time.SystemTime) -> tuple[bool, str]:
        return run.spent("tick") > MOST * run.overhead, f"{run.spent('tick'):.2f} of {run.overhead:.2f} %"

    return Verdict(
        f"over {100 * MOST:g} % of it is the clock, which ticks on each processor alike",
        {
            f"{name} on {n}": is_the_clock(steps[name][n])
            for name in PROGRAMS
            if not grows([steps[name][n].overhead for n in system_time.PROCESSORS])[0]
            for n in (8, LAST)
        },
    )


def of_short_loops(sweep: Sweep) -> Verdict:
    reached = flat_reaches(sweep)

    def set_up_alone(run: Told) -> tuple[bool, str]:
        set_up = run.share("sdoall/set_up")
        return set_up > SOME, f"{set_up:.2f} %"

    return Verdict(
        f"to make SDOALLs known alone takes over {SOME:g} % of the time there",
        {
            f"a length of {length} %": set_up_alone(sweep[length][0])
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
        "the main task's parallelization overhead grows with the clusters": of_growth(told),
        f"but for {EXCEPTED}, contention grows with the clusters": of_contention(told, steps),
        "the operating system takes a larger part of the time steps, the more processors there are": (
            of_system(steps)
        ),
    }
