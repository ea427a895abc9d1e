# SPDX-License-Identifier: MIT
"""What the rootfinder's modelled boots found, taken out of their records: nanoseconds of simulated time."""

import math
import statistics
from dataclasses import dataclass

from cmmp import documents, modelled_drawn, modelled_memory, modelled_ninth, modelled_reasons
from cmmp import modelled_roots, modelled_stages, theory, traced_costs
from cmmp.curves import Curve, crossing
from cmmp.modelled_boots import (
    AUTHENTIC_KINDS,
    BASE,
    FAST,
    FAR,
    FIVE,
    MOST,
    SEVEN,
    SHARED_BEST,
    TRACED,
    WRITING,
    Form,
    Length,
    first_steps,
)
from cmmp.modelled_roots import Bounds, Estimate
from cmmp.modelled_rows import (
    STAGE,
    counts,
    longest,
    middle,
    roots,
    rows,
    speedup,
    undisturbed_name,
    value,
)
from cmmp.modelled_verdict import FAR_KINDS
from cmmp.traced_costs import POLICY, SWITCH

OTHERS = FIVE - 1


def length_of(short: dict, long: dict, steps: int) -> Length:
    """From the evaluations of one process: of BASE steps, and of so many."""
    base, further = value(short, "evaluation"), value(long, "evaluation")
    return Length(base, (further - base) / (steps - BASE))


@dataclass(frozen=True)
class Costs:
    """Of P and V of five processes whose evaluations are about as long as the threshold."""

    v: float  # one of those that wake; under spin one that wakes nobody, without the reading of the clock
    wake: float  # from the end of V until its process's P returns: the mean of the processes' medians
    find: float


@dataclass(frozen=True)
class Traced:
    """Of five processes whose evaluations are as long as the printed threshold: medians."""

    switch: float  # from P until its processor is another's
    policy: float  # that policy processes are busy in a stage, for each process that is woken


@dataclass
class Results:
    length: Length
    shares: dict[str, Curve]  # kind -> length -> the part of five processes' time that is not overhead
    computing: dict[str, Curve]  # the same, of which evaluations are, however long they were made
    threshold_roots: dict[str, list[Bounds]]  # kind -> each root's own threshold, or what was found of it
    costs: dict[str, Costs]
    calm: dict[str, dict[str, Costs]]  # the same at the printed length: left-out part -> kind -> costs
    traced: dict[str, dict[str, Traced]]  # what is left out -> kind
    counts: dict[str, dict[str, float]]  # kind -> what semaphores counted at the shortest of these lengths;
    # no waits where they spin
    speedups: dict[str, dict[int, Estimate]]  # kind -> processes -> authentic speed-up, all losses together
    order: list[Estimate]  # at eight processes: kernel's stages over spin's, policy-1's over kernel's
    ninth: modelled_ninth.Ninth
    interrupted: Estimate  # of one process's time what interrupts have, beyond what they have of eight's
    interrupted_eight: Estimate  # eight's stages with them over those without
    undisturbed: dict[str, float]  # kind -> the same where nothing disturbs, at the printed peak's processes
    policy_0: Estimate  # the same of five processes under policy-0
    private: Estimate  # authentic speed-up of nine fast processors, pages in banks of their own
    shared: dict[int, float]  # processes -> authentic speed-up, all pages in one bank, on one process there
    slowed: Estimate  # the same of all fast processors, on the printed best number of them
    constant: dict[str, Estimate]  # kind -> speed-up of seven processes on spin's one, of 375 ms
    at_nine: dict[str, Estimate]  # kind -> the same of nine, of which two have slow processors
    gaps: dict[str, Estimate]  # lengths of 375 ms -> policy-0's stages with seven processes over spin's
    drawn: modelled_drawn.Drawn
    far: dict[str, float]  # kind -> mean stage of long evaluations
    stages: dict[str, float]  # cell -> mean stage
    evaluations: dict[str, float]  # cell -> an evaluation
    varied: float  # the longest of one undisturbed process's evaluations over the shortest
    longest: dict[str, float]  # cell -> longest evaluation
    elapsed: dict[str, float]  # cell -> all of the run
    requests: dict[str, int]  # cell -> of processes whose slices had ended
    right: dict[str, bool]  # cell -> whether the stages were as many as must be
    repeats: bool  # a boot was equal to another in every time
    memory: modelled_memory.Memory
    single: modelled_stages.Stages  # of traced boots
    beside: modelled_reasons.Beside  # of boots that no verdict is read from


def looks(records: dict[str, dict], kind: str) -> dict[int, dict]:
    """The records of boots around a threshold, by steps of an evaluation."""
    start = f"threshold {kind} "
    found = {int(name[len(start) :]): one for name, one in records.items() if name.startswith(start)}
    return dict(sorted(found.items()))


def shares(records: dict[str, dict], length: Length, kind: str) -> Curve:
    return {
        length.of(steps): length.of(steps) / value(record, STAGE)
        for steps, record in looks(records, kind).items()
    }


def threshold_roots(records: dict[str, dict], length: Length, kind: str) -> list[Bounds]:
    by_length = {length.of(steps): modelled_roots.stages(one) for steps, one in looks(records, kind).items()}
    return [
        bounds({one: one / stages[root] for one, stages in by_length.items()})
        for root in range(min(map(len, by_length.values())))
    ]


def bounds(curve: Curve) -> Bounds:
    """Of the threshold of such a curve."""
    found = threshold(curve)
    if found is not None:
        return Bounds(found, found)
    shortest, longest = min(curve), max(curve)
    is_below, is_above = curve[longest] < 0.5, curve[shortest] >= 0.5
    if is_below == is_above:  # what was lost by chance at the longest says nothing of the shorter ones
        return Bounds(0.0, math.inf)
    return Bounds(longest, math.inf) if is_below else Bounds(0.0, shortest)


def computing(records: dict[str, dict], length: Length, kind: str) -> Curve:
    return {
        length.of(steps): middle(record, "evaluation") / value(record, STAGE)
        for steps, record in looks(records, kind).items()
    }


def nearest(records: dict[str, dict], length: Length, kind: str) -> dict:
    """The record of the boot whose overhead is nearest to half of its time."""
    found = looks(records, kind)
    return found[min(found, key=lambda steps: abs(length.of(steps) / value(found[steps], STAGE) - 0.5))]


def costs_of(record: dict, kind: str) -> Costs:
    alone = value(record, "V alone") - value(record, "clock alone")
    v = alone if kind == "spin" else value(record, "V of all others") / OTHERS
    return Costs(v, middle(record, "wake-up"), value(record, "FIND"))


def traced(record: dict) -> Traced:
    found = traced_costs.of(record)
    return Traced(*(statistics.median(found[name]) for name in (SWITCH, POLICY)))


def over(records: dict[str, dict], one: str, other: str) -> float:
    """The one's stages over the other's."""
    return value(records[one], STAGE) / value(records[other], STAGE)


def equal(one: dict, other: dict) -> bool:
    return one["rows"] == other["rows"] and one["model"] == other["model"]


def of(every: dict[str, dict], length: Length, form: Form, traces: dict[str, dict]) -> Results:
    records = {name: one for name, one in every.items() if rows(one, STAGE)}
    alone = "authentic spin 1"
    undisturbed = rows(records["undisturbed 1"], "evaluation")[0]
    eight = {kind: records[f"authentic {kind} {FAST}"] for kind in AUTHENTIC_KINDS}
    device = {n: (records[f"device {n}"], records[f"undisturbed {n}"]) for n in (1, FAST)}
    return Results(
        length=length,
        shares={kind: shares(records, length, kind) for kind in documents.KINDS},
        computing={kind: computing(records, length, kind) for kind in documents.KINDS},
        threshold_roots={kind: threshold_roots(records, length, kind) for kind in documents.KINDS},
        costs={kind: costs_of(nearest(records, length, kind), kind) for kind in documents.KINDS},
        calm={
            part: {kind: costs_of(records[f"{part} {kind}"], kind) for kind in kinds}
            for part, kinds in (("no perturbation", documents.KINDS), ("no disk", WRITING))
        },
        traced={
            part: {kind: traced(records[f"{part} {kind}"]) for kind in kinds}
            for part, kinds in TRACED.items()
        },
        counts={kind: counts(next(iter(looks(records, kind).values()))) for kind in documents.KINDS},
        speedups={
            kind: {
                n: modelled_roots.speedup(records[alone], records[f"authentic {kind} {n}"])
                for n in form.processes[kind]
            }
            for kind in AUTHENTIC_KINDS
        },
        order=[
            modelled_roots.over(eight[slower], eight[faster])
            for faster, slower in zip(AUTHENTIC_KINDS, AUTHENTIC_KINDS[1:])
        ],
        ninth=modelled_ninth.of(records),
        interrupted=modelled_roots.larger_part(device[1], device[FAST]),
        interrupted_eight=modelled_roots.over(*device[FAST]),
        undisturbed={
            kind: speedup(records, "undisturbed 1", undisturbed_name(kind, n))
            for kind, (_, n) in documents.AUTHENTIC.items()
        },
        policy_0=modelled_roots.speedup(records[alone], records[f"authentic policy-0 {FIVE}"]),
        private=modelled_roots.speedup(records[alone], records["nine fast spin"]),
        shared={
            one["nodes"]: speedup(records, "shared 1", name)
            for name, one in records.items()
            if name.startswith("shared ")
        },
        constant={
            kind: modelled_roots.speedup(records["constant spin 1"], records[f"constant {kind} {SEVEN}"])
            for kind in ("spin", "policy-0")
        },
        at_nine={
            kind: modelled_roots.speedup(records["constant spin 1"], records[f"constant {kind} {MOST}"])
            for kind in documents.AT_NINE
        },
        slowed=modelled_roots.speedup(records[f"shared {SHARED_BEST}"], records[f"shared {FAST}"]),
        gaps={
            lengths: modelled_roots.over(
                records[f"{lengths} policy-0 {SEVEN}"], records[f"{lengths} spin {SEVEN}"]
            )
            for lengths in ("constant", "exponential")
        },
        drawn=modelled_drawn.of(records),
        far={kind: value(records[f"far {kind}"], STAGE) for kind in FAR_KINDS},
        stages={name: value(record, STAGE) for name, record in records.items()},
        evaluations={name: middle(record, "evaluation") for name, record in records.items()},
        varied=undisturbed["maximum"] / undisturbed["minimum"],
        longest={name: longest(record, "evaluation") for name, record in records.items()},
        elapsed={name: value(record, "elapsed") for name, record in records.items()},
        requests={name: record["jobs"][0].get("slice_requests", 0) for name, record in records.items()},
        right={
            name: value(record, "stages") == theory.stages(record["nodes"]) * roots(record)
            for name, record in records.items()
        },
        repeats=equal(records[f"threshold kernel {first_steps('kernel', length)}"], records["again"]),
        memory=modelled_memory.of(records),
        single=modelled_stages.of(every | traces),
        beside=modelled_reasons.of(records),
    )


def far_loss(results: Results, kind: str) -> float:
    """Of evaluations of 400 ms."""
    return results.far[kind] / (FAR * 1e6) - 1


def threshold(curve: Curve) -> float | None:
    """None: half of the time is overhead at none of these lengths, or at no length between them."""
    try:
        return crossing(curve)
    except ValueError:
        return None
