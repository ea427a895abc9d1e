# SPDX-License-Identifier: MIT
"""How many thresholds long evaluations are, and the speed-up that goes with it (C15). Evaluations of 72 ms
are so many of table 4.2's thresholds long, by kind, and figure 4.2 has a speed-up of each kind. A machine on
which P and V cost something else has other thresholds, and should have the same speed-up at equal ratios."""

import math

from cmmp import documents
from cmmp.modelled_boots import FAST, FIVE
from cmmp.modelled_roots import Bounds, Estimate, all_of, median_of
from cmmp.modelled_verdict import Cause, Verdict, by_roots

SAID = "C15: the speed-up of 72 ms is what figure 4.2 has of evaluations as many thresholds long"
WITHIN = 0.15
BEYOND = 3.2  # spin's at most, the further its threshold lies below the length; this project's own number
MEAN = documents.AUTHENTIC_MEAN
Band = tuple[float, float]


def printed() -> dict[float, Band]:
    """A length in thresholds -> the least and the most of the speed-ups that agree with what is printed of
    it: under policy-0 one process alone is faster."""
    found = {MEAN / documents.THRESHOLDS["policy-0"]: (0.0, 1.0 + WITHIN)}
    for kind, (speedup, _) in documents.AUTHENTIC.items():
        most = BEYOND if kind == "spin" else speedup
        found[MEAN / documents.THRESHOLDS[kind]] = (speedup * (1 - WITHIN), most * (1 + WITHIN))
    return dict(sorted(found.items()))


def band(ratio: float) -> Band:
    """Between two printed ones by the logarithm of the ratio; beyond them that of the nearest."""
    points = printed()
    ratios = list(points)
    if ratio <= ratios[0]:
        return points[ratios[0]]
    for low, high in zip(ratios, ratios[1:]):
        if ratio <= high:
            part = math.log(ratio / low) / math.log(high / low)
            least, most = (a + part * (b - a) for a, b in zip(points[low], points[high]))
            return least, most
    return points[ratios[-1]]


def ratios(threshold: Bounds) -> tuple[float, float]:
    """Of 72 ms to a threshold that lies between such nanoseconds."""
    most = MEAN / (threshold.low / 1e6) if threshold.low else math.inf
    return MEAN / (threshold.high / 1e6), most


def is_so(found: Estimate, threshold: Bounds) -> bool | None:
    """True: by whatever the threshold is of what is known of it; False: by none of that. Both ends of a band
    rise with the ratio, so what the bands of all these ratios have in common, and all that is in one of them,
    follows from the first and the last."""
    (least, most_of_all), (least_of_all, most) = (band(ratio) for ratio in ratios(threshold))
    if found.is_within(least_of_all, most_of_all):
        return True
    return False if found.is_within(least, most) is False else None


def judge(results) -> list[Verdict]:
    """`results`: modelled_results.Results."""
    peaks = {"spin": FAST, "kernel": FAST, "policy-1:300ms": documents.AUTHENTIC["policy-1:300ms"][1]}
    found = {kind: results.speedups[kind][processes] for kind, processes in peaks.items()}
    found["policy-0"] = results.policy_0
    thresholds = {kind: median_of(results.threshold_roots[kind]) for kind in found}
    text = "; ".join(
        f"{kind} {told(ratios(thresholds[kind]))} thresholds, {one:.2f} of {told_bands(thresholds[kind])}"
        for kind, one in found.items()
    )
    told_ones = [is_so(one, thresholds[kind]) for kind, one in found.items()]
    peaks["policy-0"] = FIVE
    boots = ", ".join(("threshold *", *(f"authentic {kind} {n}" for kind, n in peaks.items())))
    boots += ", authentic spin 1"
    return [by_roots(SAID, all_of(told_ones), text, boots)]


def told(ends: Band) -> str:
    least, most = (f"{end:.2g}" for end in ends)
    return least if least == most else f"{least} to {most}"


def told_bands(threshold: Bounds) -> str:
    at_ends = [f"{least:.2f} to {most:.2f}" for least, most in map(band, ratios(threshold))]
    return " and ".join(dict.fromkeys(at_ends))


def cause(results) -> Cause:
    """Which stages an end of slices meets is chance: where nothing disturbs, thresholds and speed-ups go
    with each other."""
    lengths = {}
    for kind in documents.AUTHENTIC:
        overhead = results.stages[f"no perturbation {kind}"] / 1e6 - documents.THRESHOLDS[kind]
        lengths[kind] = MEAN / overhead if overhead > 0 else math.inf
    calm = results.undisturbed
    text = ", ".join(f"{kind} {lengths[kind]:.2g} and {calm[kind]:.2f}" for kind in lengths)
    policy = is_so(results.policy_0, median_of(results.threshold_roots["policy-0"]))
    bands = {kind: band(ratio) for kind, ratio in lengths.items()}
    so = all(least <= calm[kind] <= most for kind, (least, most) in bands.items())
    return Cause(
        f"without device and slices' ends 72 ms in overheads at the printed thresholds and the speed-ups are"
        f" {text} (boots no perturbation *, undisturbed *); under policy-0 it is"
        f" {'so' if policy else 'not so'} with them",
        so and policy is True,
    )
