# SPDX-License-Identifier: MIT
"""What traced boots say of all their stages: how long the longest evaluation of each is (C04), and how far
apart five processes wake up (figure 3.8, C08). Tracing makes both longer, so ratios are of times of one boot;
figure 3.8's own two times alone stand beside what is printed."""

import bisect
import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from cmmp import modelled_traces, theory, traced_costs
from cmmp.modelled_boots import BLOCKING, FIVE
from cmmp.modelled_roots import Estimate, all_of
from cmmp.modelled_verdict import Verdict, by_roots
from parley_runner.status import BadRequest
from parley_trace.reading import Record, Trace

# Whose evaluations are long enough apart, by the device and ends of slices or by themselves.
BOUNDED = (*(f"traced {kind}" for kind in BLOCKING), modelled_traces.NINE)
# Figure 3.8's, with C08's other kind and what the reasons are asked of.
WAKING = (
    modelled_traces.POLICY,
    *("traced kernel", "traced no perturbation policy-0", "traced no disk policy-0"),
)
FEWEST = 2  # stages, of which medians and errors are


@dataclass(frozen=True)
class WakeUps:
    """From its V until a process has a processor: medians of stages, in each of which another may be the
    first, or the last."""

    first: float
    last: float
    apart: float  # a stage's last over its first


@dataclass
class Stages:
    longest: dict[str, Estimate]  # boot -> the longest evaluation of a stage over the bound for all of them
    wakes: dict[str, WakeUps]  # boot -> of its five processes


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


def evaluations(records: Sequence[Record], nodes: int) -> list[list[float]]:
    """Of each stage that another follows: from when a process that was woken has a processor until it calls
    P. Who has given the Vs computes from the last of them on, and the last to post until its first."""
    processes, groups = Processes(records), traced_costs.wakes(records, nodes)
    found = []
    for group, following in zip(groups, groups[1:]):
        begun = {one.type: one.ns for one in group}
        begun[group[0].process] = group[-1].ns
        stage = []
        for process, at in begun.items():
            end = processes.next("P", process, at)
            if process == following[0].process:
                end = following[0].ns
            got = processes.next("switch", process, at) if process != group[0].process else None
            # It had not slept yet when its V came.
            begin = at if got is None or end is None or got > end else got
            if end is not None and end <= following[-1].ns:
                stage.append(end - begin)
        if len(stage) == nodes:
            found.append(stage)
    return found


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


def wake_ups(trace: Trace, nodes: int) -> WakeUps:
    """Without the first stage, for which pages are written that starting has dirtied."""
    stages = []
    for group in traced_costs.wakes(trace.records, nodes)[1:]:
        after = modelled_traces.woken(trace, group).values()
        if len(after) == len(group):
            stages.append((min(after), max(after)))
    need(len(stages), "in which all are woken")
    return WakeUps(
        *map(statistics.median, zip(*stages)), statistics.median(last / first for first, last in stages)
    )


def longest(trace: Trace, nodes: int) -> Estimate:
    stages = evaluations(trace.records, nodes)
    need(len(stages), "of which each evaluation is known")
    return over_the_bound(stages)


def need(count: int, which: str) -> None:
    if count < FEWEST:
        raise BadRequest(f"A traced boot has {count} stages {which}, and wants {FEWEST}.")


def of(records: dict[str, dict]) -> Stages:
    traces = {name: traced_costs.trace_of(records[name]).trace for name in {*BOUNDED, *WAKING}}
    return Stages(
        {name: longest(traces[name], records[name]["nodes"]) for name in BOUNDED},
        {name: wake_ups(traces[name], FIVE) for name in WAKING},
    )


def judge(found: Stages) -> list[Verdict]:
    return [
        by_roots(
            "C04: the longest evaluations of stages are on average at most as long as the bound (3.3)",
            all_of(one.is_within(0, 1) for one in found.longest.values()),
            ", ".join(f"{name} {one:.2f}" for name, one in found.longest.items()) + " of it",
            ", ".join(BOUNDED),
        )
    ]
