# SPDX-License-Identifier: MIT
"""What traced boots say of all their stages: how long the longest evaluation of each is (C04), how soon and
how far apart five processes wake up (table 4.1, figure 3.8, C08, C14), and how far apart seven start (4.3.3).
Which process is the first or the last of a stage differs from stage to stage. Tracing makes times longer, by
0.044 ms for each record: of a wake-up it makes a few."""

import bisect
import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from cmmp import documents, modelled_traces, theory, traced_costs
from cmmp.modelled_boots import BLOCKING, STARTING, TRACED
from cmmp.modelled_roots import Bounds, Estimate, all_of, median_is_within, median_of
from cmmp.modelled_verdict import THRESHOLD_WITHIN, Verdict, by_roots
from parley_runner.status import BadRequest
from parley_trace.reading import Record

# Whose evaluations are long enough apart, by the device and ends of slices or by themselves.
BOUNDED = (*(f"traced {kind}" for kind in BLOCKING), modelled_traces.NINE)
# Figure 3.8's, and table 4.1's with what the reasons are asked of.
WAKING = (modelled_traces.POLICY, *(f"{part} {kind}" for part, kinds in TRACED.items() for kind in kinds))
PREDICTED = ("kernel", "policy-1:300ms")  # kinds whose thresholds follow from their wake-ups (C14)
STARTS_SAID = "4.3.3: by how much later each of seven processes starts than the one before under policy-0"
FEWEST = 2  # stages, of which medians and errors are


@dataclass(frozen=True)
class WakeUps:
    """From its V until a process has a processor: medians of stages, in each of which another may be the
    first, or the last."""

    first: float
    last: float
    apart: float  # a stage's last over its first
    all_run: float  # from the stage's first V until the last of its processes has a processor
    explained: float  # all_run and the longest evaluation, over the stage


@dataclass
class Stages:
    longest: dict[str, Estimate]  # boot -> the longest evaluation of a stage over the bound for all of them
    wakes: dict[str, WakeUps]  # boot -> of its five processes
    later: list[float]  # of each stage: ns by which each of STARTING's processes starts after the one before


class Processes:
    """When each process has got a processor, and when it called P."""

    def __init__(self, records: Sequence[Record]):
        self.times: dict[tuple[str, int], list[float]] = defaultdict(list)
        for record in records:
            if record.job == traced_costs.JOB and record.event in ("switch", "P"):
                self.times[record.event, record.process].append(record.ns)

    def next(self, event: str, process: int, after: float) -> float | None:
        own = self.times[event, process]
        place = bisect.bisect_right(own, after)
        return own[place] if place < len(own) else None


@dataclass
class StageTimes:
    """From its first V to the first one of the next stage; in nanoseconds."""

    took: float
    woken: list[float] = field(default_factory=list)  # of each that had slept: from its V to a processor
    starts: list[float] = field(default_factory=list)  # since the first V, of each process
    evaluations: list[float] = field(default_factory=list)  # of those of which it is known

    def whole(self, nodes: int) -> bool:
        return len(self.evaluations) == nodes


def stages(records: Sequence[Record], nodes: int) -> list[StageTimes]:
    """Each that another follows."""
    processes, groups = Processes(records), traced_costs.wakes(records, nodes)
    return [stage(processes, group, following) for group, following in pairwise(groups)]


def stage(processes: Processes, group: Sequence[Record], following: Sequence[Record]) -> StageTimes:
    """An evaluation lasts from when a process that was woken has a processor until it calls P. Who has given
    the Vs computes from the last of them on, and the last to post until its first."""
    begin, waker = group[0].ns, group[0].process
    made = StageTimes(following[0].ns - begin)
    for process, at in ({one.type: one.ns for one in group} | {waker: group[-1].ns}).items():
        end = processes.next("P", process, at)
        if process == following[0].process:
            end = following[0].ns
        start, got = at, processes.next("switch", process, at) if process != waker else None
        # Otherwise it had not slept yet when its V came.
        if got is not None and end is not None and got <= end:
            made.woken.append(got - at)
            start = got
        made.starts.append(start - begin)
        if end is not None and end <= following[-1].ns:
            made.evaluations.append(end - start)
    return made


def evaluations(records: Sequence[Record], nodes: int) -> list[list[float]]:
    return [one.evaluations for one in stages(records, nodes) if one.whole(nodes)]


def mean_over_the_bound(stages: Sequence[Sequence[float]]) -> float:
    """The mean of the longest ones over the bound (3.3), which is of the mean and the deviation of all."""
    every = [one for stage in stages for one in stage]
    mean = statistics.mean(every)
    bound = mean * theory.largest_at_most(len(stages[0]), statistics.pstdev(every) / mean)
    return statistics.mean(map(max, stages)) / bound


def over_the_bound(stages: Sequence[Sequence[float]]) -> Estimate:
    """A long evaluation makes the bound longer, too, so its error is what leaving out each stage does."""
    count = len(stages)
    others = [mean_over_the_bound([*stages[:one], *stages[one + 1 :]]) for one in range(count)]
    error = math.sqrt((count - 1) * statistics.pvariance(others))
    return Estimate(mean_over_the_bound(stages), error)


def wake_ups(records: Sequence[Record], nodes: int) -> WakeUps:
    """Without the first stage, for which pages are written that starting has dirtied."""
    found = [
        one for one in stages(records, nodes)[1:] if len(one.woken) == nodes - 1 and one.whole(nodes)
    ]
    need(len(found), "in which all are woken")

    def median(of: Callable[[StageTimes], float]) -> float:
        return statistics.median(map(of, found))

    return WakeUps(
        first=median(lambda one: min(one.woken)),
        last=median(lambda one: max(one.woken)),
        apart=median(lambda one: max(one.woken) / min(one.woken)),
        all_run=median(lambda one: max(one.starts)),
        explained=median(lambda one: (max(one.starts) + max(one.evaluations)) / one.took),
    )


def later(records: Sequence[Record], nodes: int) -> list[float]:
    """Without the first root, for the same pages."""
    found = [
        (max(one.starts) - min(one.starts)) / (nodes - 1)
        for one in stages(records, nodes)[theory.stages(nodes) :]
    ]
    need(len(found), "of later roots")
    return found


def longest(records: Sequence[Record], nodes: int) -> Estimate:
    found = evaluations(records, nodes)
    need(len(found), "of which each evaluation is known")
    return over_the_bound(found)


def need(count: int, which: str) -> None:
    if count < FEWEST:
        raise BadRequest(f"A traced boot has {count} stages {which}, and wants {FEWEST}.")


def of(records: dict[str, dict]) -> Stages:
    names = {*BOUNDED, *WAKING, STARTING}
    traces = {name: traced_costs.trace_of(records[name]).trace.records for name in names}
    nodes = {name: records[name]["nodes"] for name in names}
    return Stages(
        {name: longest(traces[name], nodes[name]) for name in BOUNDED},
        {name: wake_ups(traces[name], nodes[name]) for name in WAKING},
        later(traces[STARTING], nodes[STARTING]),
    )


def judge(found: Stages) -> list[Verdict]:
    return [
        by_roots(
            "C04: the longest evaluations of stages are on average at most as long as the bound (3.3)",
            all_of(one.is_within(0, 1) for one in found.longest.values()),
            ", ".join(f"{name} {one:.2f}" for name, one in found.longest.items()) + " of it",
            ", ".join(BOUNDED),
        ),
        starts(found.later),
    ]


def starts(apart: Sequence[float]) -> Verdict:
    """By the median stage, told by the order of all."""
    each = [Bounds(one / 1e6, one / 1e6) for one in apart]
    least, most = (documents.STARTS * (1 + sign * THRESHOLD_WITHIN) for sign in (-1, 1))
    return by_roots(
        STARTS_SAID,
        median_is_within(each, least, most),
        f"{median_of(each):.3g} ms by the median of {len(each)} stages, printed {documents.STARTS} ms, limit"
        f" {100 * THRESHOLD_WITHIN:.0f} %",
        STARTING,
    )
