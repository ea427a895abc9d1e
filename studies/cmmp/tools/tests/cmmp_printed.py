# SPDX-License-Identifier: MIT
"""Results of modelled boots as the documents print them, for the tests of what is judged by them."""

from dataclasses import replace

from cmmp import documents, harpy_documents, modelled_harpy
from cmmp.modelled_boots import KEPT, OWN_BANK, POLLED, POLLED_SELDOM, Length
from cmmp.modelled_drawn import Drawn
from cmmp.modelled_harpy import Search
from cmmp.modelled_memory import Memory
from cmmp.modelled_ninth import Ninth
from cmmp.modelled_reasons import Beside
from cmmp.modelled_results import Costs, Results, Traced
from cmmp.modelled_roots import Bounds, Estimate
from cmmp.modelled_stages import BOUNDED, WAKING, Stages, WakeUps
from cmmp.modelled_traces import POLICY

LENGTH = Length(1e6, 36e3)


def told(mean: float) -> Estimate:
    """Of roots that hardly differ."""
    return Estimate(mean, 1e-6 * abs(mean))


WRITTEN = ("policy-0", "policy-1:0s")


def curve(threshold: float) -> dict[float, float]:
    """With an overhead that is as long as the threshold, in ms."""
    return {part * threshold * 1e6: part / (part + 1) for part in (0.5, 1.0, 2.0)}


def costs(kind: str) -> Costs:
    v, wake, *_ = documents.COSTS[kind]
    return Costs(v * 1e6, wake * 1e6, 0.2e6)


def traced(kind: str) -> Traced:
    *_, switch, policy = documents.COSTS[kind]
    return Traced(switch * 1e6, (policy or 0.0) * 1e6)


def roots(*thresholds: float) -> list[Bounds]:
    """Of four roots, in ms."""
    return [Bounds(1e6 * one, 1e6 * one) for one in (4 // len(thresholds)) * thresholds]


def wakes() -> dict[str, WakeUps]:
    """As table 4.1 has them, alike in a stage, with one V after the other; and figure 3.8."""
    found = {}
    for kind, (v, wake, *_) in documents.COSTS.items():
        one = WakeUps(1e6 * wake, 1.1e6 * wake, 1.1, 1e6 * (3 * v + 1.1 * wake), 1.0)
        found |= {boot: one for boot in WAKING if boot.endswith(kind)}
    first, last = (1e6 * one for one in documents.FIRST_AND_LAST)
    return found | {POLICY: WakeUps(first, last, last / first, last, 1.0)}


def change_wakes(found: Results, boot: str, first: float, last: float) -> None:
    found.single.wakes[boot] = replace(
        found.single.wakes[boot], first=first, last=last, apart=last / first
    )


def results() -> Results:
    waits = {"kernel P and V": 10.0, "P that waited": 4.0}
    nothing = {"policy requests": 0.0, "page writes": 0.0}
    stages = {
        **{"undisturbed 1": 70e6, "device 1": 91e6, "undisturbed 8": 100e6, "device 8": 105e6},
        **{f"no perturbation {kind}": 40e6 for kind in documents.KINDS},
        **{f"no disk {kind}": 30e6 for kind in WRITTEN},
        **{"constant spin 1": 462e6, "constant policy-0 7": 660e6},
    }
    evaluations = {"undisturbed 1": 72e6, "slow 1": 115e6, "semiconductor 1": 77e6}
    return Results(
        length=LENGTH,
        shares={kind: curve(printed) for kind, printed in documents.THRESHOLDS.items()},
        computing={kind: curve(printed) for kind, printed in documents.THRESHOLDS.items()},
        threshold_roots={kind: roots(printed) for kind, printed in documents.THRESHOLDS.items()},
        costs={kind: costs(kind) for kind in documents.KINDS},
        calm={
            "no perturbation": {kind: costs(kind) for kind in documents.KINDS},
            "no disk": {kind: costs(kind) for kind in WRITTEN},
        },
        traced={
            "traced": {kind: traced(kind) for kind in documents.KINDS if kind != "spin"},
            "traced no perturbation": {kind: traced(kind) for kind in documents.KINDS if kind != "spin"},
            "traced no disk": {kind: traced(kind) for kind in WRITTEN},
        },
        counts={
            kind: waits | ({"policy requests": 4.0, "page writes": 5.0} if kind in WRITTEN else nothing)
            for kind in documents.KINDS
        }
        | {"spin": {**nothing, "kernel P and V": 0.0}},
        speedups={
            kind: {n: told(most), 8: told(most)} for kind, (most, n) in documents.AUTHENTIC.items()
        },
        order=[told(1.2), told(1.1)],
        ninth=Ninth(
            {"spin": 100e6, "kernel": 100e6, "policy-1:300ms": 110e6, KEPT: 120e6},
            {"spin": 60e6, "kernel": 80e6, "policy-1:300ms": 90e6},
            {"kernel": told(20e6), "policy-1:300ms": told(20e6), KEPT: told(1.0)},
            told(20e6),
        ),
        interrupted=told(0.25),
        interrupted_eight=told(1.05),
        policy_0=told(0.8),
        private=told(2.60),
        shared={1: 1.0, 3: 1.53, 8: 1.1},
        undisturbed={kind: most for kind, (most, _) in documents.AUTHENTIC.items()},
        constant={"spin": told(2.8), "policy-0": told(2.1)},
        at_nine={kind: told(printed) for kind, printed in documents.AT_NINE.items()},
        slowed=told(0.72),
        gaps={"constant": told(1.33), "exponential": told(1.1)},
        drawn=Drawn(
            {"constant": told(2.8), "normal": told(2.1), "exponential": told(1.1)},
            {"constant": told(2.9), "normal": told(2.2), "exponential": told(1.15)},
            {"constant": told(1.2), "normal": told(1.1), "exponential": told(1.05)},
        ),
        far={kind: 400e6 for kind in documents.KINDS if kind != "policy-0"},
        stages=stages,
        evaluations=evaluations,
        varied=3.4,
        longest={"slices 1": 300e6, "undisturbed 1": 130e6},
        elapsed={"slices 1": 8000e6, "undisturbed 1": 7690e6},
        requests={"slices 1": 2},
        right=dict.fromkeys(stages, True),
        repeats=True,
        memory=Memory(
            {"nine fast spin": 0.8e3, "shared 8": 2.3e3},
            0.4,
            {OWN_BANK: 100e6, POLLED: 150e6, POLLED_SELDOM: 110e6},
            0.04,
        ),
        single=Stages({name: told(0.9) for name in BOUNDED}, wakes(), 9 * [1e6 * documents.STARTS]),
        beside=beside(),
    )  # fmt: skip


def beside() -> Beside:
    """Which bears out each reason of results whose verdicts do not hold for it (worse())."""
    return Beside(
        far={"spin": 1.0, "kernel": 1.01, "policy-1:300ms": 1.03, "policy-1:0s": 1.6},
        far_no_disk=1.04,
        at_eight={"kernel": 2.4, "policy-1:300ms": 2.3},
        long={"spin": 2.7, "policy-0": 2.2},
        varied={"ten roots": 2.6, "ten roots unfixed": 9.0},
        fetches=0.66,
        waits={"slow 1": 0.23, "undisturbed 1": 0.01},
        idle=3.2,
        written={kind: 5.0 if kind in WRITTEN else 0.0 for kind in documents.KINDS},
        requests={kind: 4.0 if kind in WRITTEN else 0.0 for kind in documents.KINDS},
    )


def worse() -> Results:
    """Where the verdicts do not hold whose reasons these boots bear out."""
    found = results()
    found.far.update({"policy-1:300ms": 530e6, "policy-1:0s": 560e6})
    found.order[1] = told(0.9)
    found.counts["policy-1:300ms"] |= {"policy requests": 1.0, "page writes": 1.0}
    worse_costs(found)
    worse_wakes(found)
    worse_thresholds(found)
    found.single.wakes["traced kernel"] = replace(found.single.wakes["traced kernel"], all_run=6e6)
    found.speedups["spin"][8], found.speedups["kernel"][8] = told(2.45), told(2.1)
    found.speedups["policy-1:300ms"][6] = told(1.7)
    found.constant.update({"spin": told(2.4), "policy-0": told(1.1)})
    found.gaps["constant"] = told(1.2)
    found.shared[3], found.private, found.varied = 1.33, told(3.09), 2.5
    found.evaluations["slow 1"] = 2.2 * found.evaluations["undisturbed 1"]
    found.memory.polled.update({POLLED: 101e6, POLLED_SELDOM: 100e6})
    found.undisturbed["policy-1:300ms"] = 2.15
    return found


def worse_costs(found: Results) -> None:
    """This kernel's own work takes half of what is printed, and the disks make the rest twice as long."""
    calm, no_disk = found.calm["no perturbation"], found.calm["no disk"]
    traces = list(found.traced.values())
    for kind, (v, wake, switch, policy) in documents.COSTS.items():
        own = replace(found.costs[kind], v=0.5e6 * v, wake=0.5e6 * wake)
        found.costs[kind] = calm[kind] = own
        if kind in WRITTEN:
            no_disk[kind] = own
        for part, one in enumerate(traces):
            if kind in one:
                times = 0.2 if part == 2 else 2.0
                one[kind] = Traced(0.5e6 * switch, times * 1e6 * policy if policy else 0.0)


def worse_wakes(found: Results) -> None:
    """The disks make them as much longer, and the last by most; without any this kernel's own work takes half
    of what is printed."""
    for boot in WAKING:
        part = 0.2 if boot.startswith("traced no disk") else 2.0 if boot.endswith(WRITTEN) else 0.5
        own = found.single.wakes[boot]
        change_wakes(found, boot, part * own.first, part * own.last)
    change_wakes(found, POLICY, 80e6, 270e6)
    for boot in ("traced policy-0", "traced no perturbation policy-0"):
        change_wakes(found, boot, 80e6, 240e6)
    change_wakes(found, "traced no disk policy-0", 7e6, 12e6)


def worse_thresholds(found: Results) -> None:
    thresholds = {"spin": 3.0, "policy-1:300ms": 120.0, "policy-1:0s": 160.0, "policy-0": 400.0}
    calm = {"spin": 2.2, "policy-1:300ms": 17.0, "policy-1:0s": 150.0, "policy-0": 350.0}
    for kind, threshold in thresholds.items():
        printed = documents.THRESHOLDS[kind]
        found.shares[kind] = found.computing[kind] = curve(threshold)
        found.threshold_roots[kind] = roots(threshold)
        found.stages[f"no perturbation {kind}"] = 1e6 * (printed + calm[kind])
        found.stages[f"no disk {kind}"] = 1e6 * (1.2 * printed)
    found.stages["device 8"] = 1.17 * found.stages["undisturbed 8"]


def harpy() -> modelled_harpy.Results:
    searches = {}
    for version, one in harpy_documents.FORWARD.items():
        alone, pruned = one.one * 1e9, [seconds * 1e9 for seconds in harpy_documents.PRUNING]
        searches[version, 1] = Search(alone, pruned[0], 100.0, 0.0, 0.0, 7.0)
        searches[version, 8] = Search(one.eight * 1e9, pruned[1], one.utilization, 1.1e6, 1.0e6, 7.0)
    units = {"CHECKSTATE, none": 0.8e6, "CHECKSTATE, update": 1.2e6, "SAVESTATES, kept": 1.0e6}
    alone = {version: one.on_v1 for version, one in harpy_documents.FORWARD.items()}
    by_beam = {80: {1: 46.0, 8: 10.0}, 120: {1: 53.0, 8: 10.0}, 160: {1: 60.0, 8: 10.0}}
    pairs = {80: 19.0, 120: 35.0, 160: 62.0}
    return modelled_harpy.Results(searches, by_beam, 0.07, pairs, units, 0.2e6, alone, 4.7, 24.0, 66.0)
