# SPDX-License-Identifier: MIT
"""Figure 3.5's lengths, constant and drawn ones, of seven processes that spin (C10, C11): their speed-ups,
and how much longer what disturbs makes their stages. At a tenth of the printed mean."""

import math
from dataclasses import dataclass

from cmmp import modelled_roots, theory
from cmmp.modelled_boots import BRIEF, LENGTHS, SEVEN
from cmmp.modelled_roots import Estimate, all_of
from cmmp.modelled_verdict import REQUEST, TOO_LITTLE, Verdict, by_roots, listed


@dataclass
class Drawn:
    """By what the lengths are drawn from."""

    speedups: dict[str, Estimate]
    calm: dict[str, Estimate]  # the same where nothing disturbs
    longer: dict[str, Estimate]  # stages over those of the same lengths where nothing disturbs


def chance_of_ends(record: dict) -> float:
    """A standard error, over the time of the roots: they meet one end of slices more or less, at which all
    processes wait for one after the other. What roots are apart by would be more than chance: such ends come
    every so often."""
    processes = record["nodes"]
    times = theory.stages(processes) * sum(modelled_roots.stages(record))
    return processes * REQUEST / times / modelled_roots.ERRORS


def with_chance(found: Estimate, drawn: float, *records: dict) -> Estimate:
    """`drawn`: a standard error over the mean, of the lengths that were drawn."""
    return Estimate(found.mean, found.mean * math.hypot(drawn, *map(chance_of_ends, records)))


def calm(records: dict[str, dict], lengths: str) -> Estimate:
    one, several = (records[f"brief {lengths} undisturbed {n}"] for n in (1, SEVEN))
    return modelled_roots.speedup(one, several)


def speedup(records: dict[str, dict], lengths: str) -> Estimate:
    """What chance does is told by what roots are apart where no slices end, and by those ends."""
    one, several = (records[f"brief {lengths} {n}"] for n in (1, SEVEN))
    quiet = calm(records, lengths)
    return with_chance(modelled_roots.speedup(one, several), quiet.error / quiet.mean, one, several)


def longer(records: dict[str, dict], lengths: str) -> Estimate:
    several = records[f"brief {lengths} {SEVEN}"]
    quiet = records[f"brief {lengths} undisturbed {SEVEN}"]
    return with_chance(modelled_roots.over(several, quiet), 0.0, several)


def of(records: dict[str, dict]) -> Drawn:
    return Drawn(
        *({lengths: read(records, lengths) for lengths in LENGTHS} for read in (speedup, calm, longer))
    )


def judge(found: Drawn) -> list[Verdict]:
    speedups = [found.speedups[lengths] for lengths in theory.KINDS]
    extra = [found.longer[lengths] for lengths in theory.KINDS]
    return [
        by_roots(
            "C10: speed-ups of constant lengths are above those of normal ones, and these above those of"
            " exponential ones",
            all_of((more - less).is_above(0) for more, less in zip(speedups, speedups[1:])),
            f"seven processes, lengths of {BRIEF:g} ms: {listed(found.speedups, '{:.2f}')}; where nothing"
            f" disturbs {listed(found.calm, '{:.2f}')}",
            f"brief * 1, brief * {SEVEN}, brief * undisturbed *",
        ),
        by_roots(
            f"C10: speed-ups of exponential lengths are below {TOO_LITTLE}",
            found.speedups["exponential"].is_within(0, TOO_LITTLE),
            f"seven processes, lengths of {BRIEF:g} ms: {found.speedups['exponential']:.2f}",
            "brief exponential *",
        ),
        by_roots(
            "C11: what disturbs processes makes stages longer, of constant lengths by most and of"
            " exponential ones by least",
            all_of(
                [
                    *((more - less).is_above(0) for more, less in zip(extra, extra[1:])),
                    extra[-1].is_above(1),
                ]
            ),
            f"seven processes' stages over the same undisturbed: {listed(found.longer, '{:.2f}')}",
            f"brief * {SEVEN}, brief * undisturbed {SEVEN}",
        ),
    ]
