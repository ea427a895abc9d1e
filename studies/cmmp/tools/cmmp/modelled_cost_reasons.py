# SPDX-License-Identifier: MIT
"""Why what P and V take, and thresholds, are not as printed (tables 4.1 and 4.2, figure 3.8): what is said of
it, asked of boots at the printed thresholds' lengths without device and slices' ends, and of those without
the disks either."""

import math
from collections.abc import Callable

from cmmp import documents, modelled_traces
from cmmp.modelled_boots import FAST, TRACED, WRITING
from cmmp.modelled_results import threshold
from cmmp.modelled_roots import Bounds, median_of
from cmmp.modelled_rows import each_wait
from cmmp.modelled_verdict import THRESHOLD_WITHIN, Cause, agrees, rising

ALIKE = THRESHOLD_WITHIN  # as near is what is found with all losses to be to what is without some
CALM, NO_DISK = "no perturbation", "no disk"


def causes(results) -> dict[str, Cause]:
    """verdict -> what explains it, if anything of it is so. `results`: those that are judged."""
    found: dict[str, Cause] = {}
    for kind, (v, wake, switch, policy) in documents.COSTS.items():
        found[f"T4.1: a V under {kind}"] = of_costs(results, kind, "v", v, is_by_disks=False)
        said = f"T4.1: from V until the process wakes under {kind}"
        if f"traced {kind}" in results.single.wakes:
            found[said] = of_wakes(results, kind, wake, is_by_disks=kind in WRITING)
        else:
            found[said] = of_costs(results, kind, "wake", wake, is_by_disks=False)
        if switch is not None:
            said = f"T4.1: from P until the switch under {kind}"
            found[said] = of_traces(results, kind, "switch", switch, is_by_disks=False)
        if policy is not None:
            said = f"T4.1: in policy processes for each that is woken under {kind}"
            found[said] = of_traces(results, kind, "policy", policy, is_by_disks=kind in WRITING)
    for which, printed in zip(("first", "last"), documents.FIRST_AND_LAST):
        said = f"F3.8: from V until the {which} of five processes wakes under policy-0"
        took = {boot: getattr(one, which) for boot, one in results.single.wakes.items()}
        parts = {part: took[f"{part} policy-0"] for part in (f"traced {CALM}", f"traced {NO_DISK}")}
        found[said] = of_cost("policy-0", took[modelled_traces.POLICY], parts, printed, is_by_disks=True)
    for by in ("by figure 4.5", "by the abstract"):
        for kind, of_kind in THRESHOLDS.items():
            found[f"T4.2: the threshold of {kind}, {by}"] = of_kind(results, kind)
    said = "C13: thresholds rise from spin over kernel and policy-1 to policy-0"
    found[said] = of_one_that_is_higher(results, "policy-1:0s")
    return found


def of_costs(results, kind: str, name: str, printed: float, is_by_disks: bool) -> Cause:
    parts = {part: getattr(own[kind], name) for part, own in results.calm.items() if kind in own}
    return of_cost(kind, getattr(results.costs[kind], name), parts, printed, is_by_disks)


def of_wakes(results, kind: str, printed: float, is_by_disks: bool) -> Cause:
    boots = {part: f"{part} {kind}" for part in TRACED}
    took = results.single.wakes
    parts = {part: took[boot].first for part, boot in boots.items() if boot in took}
    return of_cost(kind, parts.pop("traced"), parts, printed, is_by_disks)


def of_traces(results, kind: str, name: str, printed: float, is_by_disks: bool) -> Cause:
    parts = {part: getattr(own[kind], name) for part, own in results.traced.items() if kind in own}
    return of_cost(kind, parts.pop("traced"), parts, printed, is_by_disks)


def of_cost(
    kind: str, found: float, parts: dict[str, float], printed: float, is_by_disks: bool
) -> Cause:
    """Less work here: it is less than printed where nothing disturbs, too, by more than agrees. Or the disks
    are what makes it more than printed: as much as at the printed length at most, for of longer evaluations
    some pages are written before a V comes."""
    named = {part.removeprefix("traced "): (part, took / 1e6) for part, took in parts.items()}
    (calm_boot, calm), (no_disk_boot, no_disk) = named[CALM], named.get(NO_DISK, ("", 0.0))
    if not is_by_disks:
        text = f"without device and slices' ends {calm:.3g} ms (boot {calm_boot} {kind}), printed {printed:g}"
        return Cause(text, 0 < calm < (1 - THRESHOLD_WITHIN) * printed and found / 1e6 < printed)
    text = (
        f"without device and slices' ends {calm:.3g} ms, without the disks either {no_disk:.3g} (boots"
        f" {calm_boot} {kind}, {no_disk_boot} {kind}), printed {printed:g}"
    )
    return Cause(text, no_disk <= printed < calm and printed < found / 1e6 <= (1 + ALIKE) * calm)


def overhead(results, boot: str, kind: str) -> float:
    """Of a stage at the printed threshold's length, ms."""
    return results.stages[f"{boot} {kind}"] / 1e6 - documents.THRESHOLDS[kind]


def is_near(wanted: float, found: Bounds) -> bool:
    """ms, and nanoseconds."""
    return found.low * (1 - ALIKE) <= 1e6 * wanted <= found.high * (1 + ALIKE)


def of_spin(results, kind: str) -> Cause:
    """More work here: it is more than printed where nothing disturbs, too. The device makes stages longer,
    by a part of their time, so that they have half of it as overhead with longer evaluations. By both it
    would be what is found, of all roots and of the median one."""
    calm, printed = overhead(results, CALM, kind), documents.THRESHOLDS[kind]
    device, undisturbed = f"device {FAST}", f"undisturbed {FAST}"
    longer = results.stages[device] / results.stages[undisturbed]
    risen = calm * longer / (2 - longer) if longer < 2 else math.inf
    return Cause(
        f"a stage of {printed:g} ms has {calm:.3g} ms more without device and slices' ends (boot {CALM}"
        f" {kind}); the device makes stages {longer:.2f} times as long (boots {device}, {undisturbed}), by"
        f" which the threshold would be {risen:.3g}",
        printed < calm < risen
        and agrees(1e6 * risen, threshold(results.shares[kind]), ALIKE)
        and is_near(risen, median_of(results.threshold_roots[kind])),
    )


def of_ends(results, kind: str) -> Cause:
    """An end of slices makes waits longer than epsilon, so that pages are written."""
    calm, printed = overhead(results, CALM, kind), documents.THRESHOLDS[kind]
    quiet, found = results.beside.written[kind], each_wait(results.counts[kind], "page writes")
    above = median_of(results.threshold_roots[kind]).low / 1e6
    return Cause(
        f"without device and slices' ends a stage of {printed:g} ms has {calm:.3g} ms more and {quiet:.2f}"
        f" pages are written for a wait, with them {found:.2f} (boot {CALM} {kind})",
        calm < printed < above and quiet == 0 < found,
    )


def of_disks(results, kind: str) -> Cause:
    calm, no_disk = overhead(results, CALM, kind), overhead(results, NO_DISK, kind)
    printed = documents.THRESHOLDS[kind]
    return Cause(
        f"a stage of {printed:g} ms has {calm:.4g} ms more without device and slices' ends, and {no_disk:.3g}"
        f" without the disks either (boots {CALM} {kind}, {NO_DISK} {kind})",
        no_disk <= printed < calm and is_near(calm, median_of(results.threshold_roots[kind])),
    )


def of_one_that_is_higher(results, kind: str) -> Cause:
    """The disks are why this one is as high, and it alone is out of order."""
    disks = of_disks(results, kind)
    others = [threshold(curve) for other, curve in results.shares.items() if other != kind]
    return Cause(
        f"{disks.text}; the other thresholds {'rise' if rising(others) else 'do not rise either'}",
        disks.is_so and rising(others),
    )


def of_own_work(results, kind: str) -> Cause:
    """As that of C14: what P, V and FIND take where nothing disturbs, and the longest evaluation."""
    calm, printed = overhead(results, CALM, kind), documents.THRESHOLDS[kind]
    return Cause(
        f"a stage of {printed:g} ms has {calm:.3g} ms more without device and slices' ends (boot {CALM}"
        f" {kind})",
        calm < printed and is_near(calm, median_of(results.threshold_roots[kind])),
    )


def of_own_work_or_ends(results, kind: str) -> Cause:
    """Of one that is below what is printed the former."""
    is_below = median_of(results.threshold_roots[kind]).high < 1e6 * documents.THRESHOLDS[kind]
    return (of_own_work if is_below else of_ends)(results, kind)


THRESHOLDS: dict[str, Callable[..., Cause]] = {
    "spin": of_spin,
    "kernel": of_own_work,
    "policy-1:300ms": of_own_work_or_ends,
    "policy-1:0s": of_disks,
    "policy-0": of_disks,
}
