# SPDX-License-Identifier: MIT
"""The study of C.mmp on the simulated machine: tables 4.1 and 4.2, and the curves of figures 3.5 and 4.2 to
4.5, under one profile of costs. Times are milliseconds of the simulated clock in the profile cmmp-1978, and
microseconds, a thousand counted instructions each, in the profile native."""

import math
import statistics
from dataclasses import dataclass, field

from cmmp import documents, model, theory
from cmmp.simulation import Machine

KINDS = tuple(documents.KINDS)
MOST = 9  # processes of the documents' figures
FIVE = 5
ROOTS = 50
SEEDS = range(1, 11)
GAP = 100_000_000  # ns between P and V, where one wake-up is measured: pages have long been written
SERVERS = (1, 2, 3, 4, 6, 8)
Curve = dict[float, float]


@dataclass
class Threshold:
    """Of five processes; in nanoseconds."""

    p: float  # until it looks at the count
    costs: model.Costs
    find: float
    found: float
    sweep: Curve  # length -> share of the time that is not overhead

    @property
    def predicted(self) -> float:
        return model.threshold(self.costs, FIVE) + self.find

    @property
    def error(self) -> float:
        return self.predicted / self.found - 1


@dataclass
class Results:
    profile: str
    thresholds: dict[str, Threshold]
    counts: dict[str, dict]  # kind -> answer of five processes whose lengths are long
    serial: dict[str, dict]  # kind -> answer of nine processes, for the order of wake-ups
    measured: dict[str, dict] = field(default_factory=dict)  # kind -> booted counts, if there are any
    servers: dict[int, Threshold] = field(default_factory=dict)
    authentic: dict[str, dict[int, dict]] = field(default_factory=dict)
    speedups: dict[tuple[str, str], dict[int, list[float]]] = field(default_factory=dict)
    elapsed: dict[tuple[str, str], dict[int, list[float]]] = field(default_factory=dict)
    ranges: dict[str, Curve] = field(default_factory=dict)  # figure 4.5
    largest: dict[str, dict[int, float]] = field(default_factory=dict)  # kind of lengths -> n -> E(T)


def ideal(length: float, processes: int = FIVE) -> float:
    return ROOTS * theory.stages(processes) * length


def crossing(sweep: Curve) -> float:
    """Where half of the time is overhead: between two lengths, on a logarithmic scale."""
    before = None
    for length, share in sorted(sweep.items()):
        if before and before[1] < 0.5 <= share:
            part = (0.5 - before[1]) / (share - before[1])
            return before[0] * (length / before[0]) ** part
        before = (length, share)
    raise ValueError("no length has half of its time as overhead")


def servers_of(kind: str, servers: int) -> int:
    if kind == "policy-0":
        return 1  # one hands requests on, one carries them out
    return servers if kind == "policy-1:0s" else 0


def thresholds(machine: Machine, asked: list[tuple[str, int]]) -> list[Threshold]:
    """By kind and number of policy processes that serve."""
    words = [(kind, {"servers": servers} if kind.startswith("policy-1") else {}) for kind, servers in asked]
    single = machine.ask([machine.words(kind, gap=GAP, **more) for kind, more in words])
    shared = machine.profile["shared"]
    find = shared.get("find", 0) + FIVE * shared.get("find-each", 0)
    made = []
    for (kind, servers), (_, more), costs in zip(asked, words, single):
        primitive = model.Costs(costs["v"], costs["wake"], costs["service"], servers_of(kind, servers))
        guess = model.threshold(primitive, FIVE) + find
        lengths = [max(1, round(guess * 2 ** (step / 4))) for step in range(-12, 13)]
        answers = machine.ask(
            [machine.words(kind, processes=FIVE, mean=length, **more) for length in lengths]
        )
        sweep = {length: ideal(length) / answer["elapsed"] for length, answer in zip(lengths, answers)}
        made.append(Threshold(costs["p"], primitive, find, crossing(sweep), sweep))
    return made


def speed_up_curves(machine: Machine, results: Results, kinds, lengths: str, mean: int) -> None:
    """Each seed against one process of the same seed and kind."""
    for kind in kinds:
        questions = [(n, seed) for n in range(1, MOST + 1) for seed in SEEDS]
        if lengths == "constant":
            questions = [(n, 1) for n in range(1, MOST + 1)]
        answers = machine.ask(
            [machine.words(kind, processes=n, seed=seed, lengths=lengths, mean=mean) for n, seed in questions]
        )
        alone = {seed: answer["elapsed"] for (n, seed), answer in zip(questions, answers) if n == 1}
        speedups: dict[int, list[float]] = {}
        elapsed: dict[int, list[float]] = {}
        for (n, seed), answer in zip(questions, answers):
            speedups.setdefault(n, []).append(alone[seed] / answer["elapsed"])
            elapsed.setdefault(n, []).append(answer["elapsed"])
        results.speedups[kind, lengths] = speedups
        results.elapsed[kind, lengths] = elapsed
        if kind == "spin":
            results.largest[lengths] = {
                n: statistics.mean(
                    answer["largest"] for (m, _), answer in zip(questions, answers) if m == n
                )
                / mean
                for n in range(1, MOST + 1)
            }


def find_thresholds(machine: Machine, name: str) -> Results:
    found = dict(zip(KINDS, thresholds(machine, [(kind, 2) for kind in KINDS])))
    long = round(10 * max(one.found for one in found.values()))
    counts = machine.ask([machine.words(kind, processes=FIVE, mean=long) for kind in KINDS])
    serial = machine.ask([machine.words(kind, processes=MOST, mean=long) for kind in KINDS])
    measured = machine.profile.get("measured", {})
    return Results(name, found, dict(zip(KINDS, counts)), dict(zip(KINDS, serial)), measured)


def whole(machine: Machine, name: str) -> Results:
    """Everything; the lengths are the documents'."""
    results = find_thresholds(machine, name)
    asked = [("policy-1:0s", servers) for servers in SERVERS]
    results.servers = dict(zip(SERVERS, thresholds(machine, asked)))
    unit = 1_000_000
    for kind in KINDS:
        numbers = range(1, theory.MOST_PROCESSES + 1)
        answers = machine.ask([authentic(machine, kind, n, documents.AUTHENTIC_MEAN * unit) for n in numbers])
        results.authentic[kind] = dict(zip(numbers, answers))
    for lengths in theory.KINDS:
        kinds = ("spin", "kernel", "policy-0")
        speed_up_curves(machine, results, kinds, lengths, documents.LONG * unit)
    lengths = [2, 3, 5, 8, 12, 18, 26, 33, 50, 80, 120, 200, 290, 375, 800, 1600]
    for kind in KINDS:
        answers = machine.ask(
            [machine.words(kind, processes=FIVE, mean=length * unit) for length in lengths]
        )
        alone = [ideal(length * unit, 1) for length in lengths]
        results.ranges[kind] = {
            length: one / answer["elapsed"] for length, one, answer in zip(lengths, alone, answers)
        }
    return results


def authentic(machine: Machine, kind: str, processes: int, mean: int) -> str:
    deviation = documents.AUTHENTIC_DEVIATION
    return machine.words(kind, processes=processes, lengths="authentic", mean=mean, deviation=deviation)


def authentic_speedups(results: Results, kind: str) -> Curve:
    answers = results.authentic[kind]
    return {n: answers[1]["elapsed"] / answer["elapsed"] for n, answer in answers.items()}


def best_of_authentic(machine: Machine, kind: str, mean: float) -> float:
    """The best speed-up of six to eight processes whose evaluations take so long."""
    answers = machine.ask([authentic(machine, kind, n, round(mean)) for n in (1, 6, 7, 8)])
    return answers[0]["elapsed"] / min(answer["elapsed"] for answer in answers[1:])


def slope(values: list[float]) -> tuple[float, float]:
    """Of a straight line through them, and how much of their variance it explains."""
    xs = range(len(values))
    line = statistics.linear_regression(xs, values)
    if len(set(values)) == 1:
        return 0.0, 1.0
    return line.slope, statistics.correlation(xs, values) ** 2


def standard_error(values: list[float]) -> float:
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
