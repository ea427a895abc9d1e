# SPDX-License-Identifier: MIT
"""What the thesis says of its model in numbers (sections 8.2 to 8.4), each judged by what the model gives.
The thesis's machine has 8 processors and 4 interfaces; the curves are printed as pictures alone."""

from dataclasses import dataclass

from clumps.sharing import Machine, Slowdown

# Utilizations at which curves are looked at, and how exactly a crossing is told.
STEPS = 10_000
ROUNDING = 1e-12


@dataclass(frozen=True)
class Verdict:
    sentence: str
    found: str
    holds: bool


def least(of: Slowdown) -> tuple[float, float]:
    """The least slowdown, and at which utilization."""
    return min((of(step / STEPS), step / STEPS) for step in range(STEPS + 1))


def crossing(of: Slowdown, other: Slowdown) -> float | None:
    """The first utilization above 0 at which the first is no longer below the second; none: it always is."""
    utilizations = (step / STEPS for step in range(1, STEPS + 1))
    return next((at for at in utilizations if of(at) >= other(at)), None)


def as_there(_: float) -> float:
    return 1.0


def statements(machine: Machine, more: Machine, workstation: Machine) -> list[Verdict]:
    """`machine`: the thesis's; `more`: with three interfaces for four processors; `workstation`: one
    processor with two."""
    divided = machine.divided().independent
    verdicts = []

    def judge(sentence: str, found: str, holds: bool) -> None:
        verdicts.append(Verdict(sentence, found, holds))

    turns, at = least(machine.scheduled)
    judge(
        "processors that take turns need at least 73 % of the time on workstations",
        f"{turns:.4f}, at a utilization of {at:.4f}",
        round(turns, 2) == 0.73,
    )
    alone, at = least(machine.independent)
    judge(
        "processors that do not need at least 86 %",
        f"{alone:.4f}, at a utilization of {at:.4f}",
        round(alone, 2) == 0.86,
    )
    level = crossing(machine.independent, as_there)
    judge(
        "they are faster than workstations below a utilization of 0.48",
        "always" if level is None else f"below {level:.4f}",
        level is not None and round(level, 2) == 0.48,
    )
    lost = {
        utilization: (divided(utilization) - machine.independent(utilization))
        / (machine.correlated(utilization) - machine.independent(utilization))
        for utilization in (0.4, 0.5, 0.6)
    }
    judge(
        "an interface for processes of its own gives up about half of what sharing gains (40 to 60 % at 0.5)",
        ", ".join(f"{100 * part:.0f} % at {utilization}" for utilization, part in lost.items()),
        0.4 <= lost[0.5] <= 0.6,
    )
    better = crossing(more.independent, workstation.independent)
    judge(
        "three interfaces for four processors beat workstations with two each below some 0.5",
        "always" if better is None else f"below {better:.4f}",
        better is not None and abs(better - 0.5) <= 0.05,
    )
    steps = [step / STEPS for step in range(STEPS + 1)]
    in_turns, at_random, at_once = machine.scheduled, machine.independent, machine.correlated
    out_of_order = [
        at for at in steps if not in_turns(at) - ROUNDING <= at_random(at) <= at_once(at) + ROUNDING
    ]
    judge(
        "communication all at once is never faster than at random, nor that than in turns",
        f"of {len(steps)} utilizations {len(out_of_order)} are otherwise",
        not out_of_order,
    )
    return verdicts


def of_the_thesis() -> list[Verdict]:
    return statements(Machine(8, 4), Machine(8, 6), Machine(1, 2))
