# SPDX-License-Identifier: MIT
"""The study of C.mmp on the simulated machine: tables 4.1 and 4.2, and the curves of figures 3.5 and 4.2 to
4.5, under one profile of costs. Times are milliseconds of the simulated clock in the profile cmmp-1978, and
microseconds, a thousand counted instructions each, in the profile native."""

import dataclasses
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
SERVING = 2  # policy processes that serve, unless a study says otherwise
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
class OtherThreshold:
    """The same, of what the documents have not: further kinds, one call that wakes all, and messages."""

    costs: model.Costs | model.TogetherCosts | model.MessageCosts
    find: float
    found: float
    sweep: Curve

    @property
    def predicted(self) -> float:
        if isinstance(self.costs, model.MessageCosts):
            return model.message_threshold(self.costs, FIVE) + self.find
        if isinstance(self.costs, model.TogetherCosts):
            return model.together_threshold(self.costs, FIVE) + self.find
        return model.threshold(self.costs, FIVE) + self.find

    @property
    def error(self) -> float:
        return self.predicted / self.found - 1


@dataclass
class Results:
    profile: str
    thresholds: dict[str, Threshold]
    counts: dict[str, dict]  # kind -> answer of five processes whose lengths are long
    length: int  # so long that nothing but the order of wake-ups is to be seen in a stage
    serial: dict[str, dict]  # kind -> answer of nine processes with that, for the order of wake-ups
    unsearched: dict[str, dict]  # the same, where dirty pages are found at once
    measured: dict[str, dict] = field(default_factory=dict)  # kind -> booted counts, if there are any
    further: dict[str, OtherThreshold] = field(default_factory=dict)
    messages: dict[str, OtherThreshold] = field(default_factory=dict)  # by design
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
        return 2  # who hands requests on stops and starts processes, too
    return servers if kind == "policy-1:0s" else 0


def find_cost(machine: Machine, processes: int = FIVE) -> float:
    shared = machine.profile["shared"]
    return shared.get("find", 0) + processes * shared.get("find-each", 0)


def sweep_around(machine: Machine, guess: float, words) -> Curve:
    """`words`: of a run of five processes with evaluations of that length."""
    lengths = [max(1, round(guess * 2 ** (step / 4))) for step in range(-12, 13)]
    answers = machine.ask([words(length) for length in lengths])
    return {length: ideal(length) / answer["elapsed"] for length, answer in zip(lengths, answers)}


def serving(kind: str, servers: int = SERVING) -> dict[str, int]:
    return {"servers": servers} if kind.startswith("policy-1") else {}


def single_wake_ups(machine: Machine, asked: list[tuple[str, int]]) -> list[tuple[float, model.Costs]]:
    """P until it looks at the count, and what the model wants, by kind and number of policy processes."""
    answers = machine.ask([machine.words(kind, gap=GAP, **serving(kind, servers)) for kind, servers in asked])
    return [
        (one["p"], model_costs(machine, kind, servers, one)) for (kind, servers), one in zip(asked, answers)
    ]


def model_costs(machine: Machine, kind: str, servers: int, single: dict) -> model.Costs:
    """A wake-up that is served with its process's stop takes no request of its own."""
    costs, serving = machine.profile["kinds"][kind], servers_of(kind, servers)
    plain = model.Costs(single["v"], single["wake"], single["service"], serving)
    if not serving:
        return plain
    together = single["service"] - costs["scheduling"] - costs.get("communication", 0)
    return dataclasses.replace(plain, stop=single["stop"], together=together, dispatch=costs["wake"])


def thresholds(machine: Machine, asked: list[tuple[str, int]]) -> list[Threshold]:
    """By kind and number of policy processes that serve."""
    find = find_cost(machine)
    made = []
    for (kind, servers), (p, primitive) in zip(asked, single_wake_ups(machine, asked)):
        sweep = sweep_around(
            machine,
            model.threshold(primitive, FIVE) + find,
            lambda length, kind=kind, servers=servers: machine.words(
                kind, processes=FIVE, mean=length, **serving(kind, servers)
            ),
        )
        made.append(Threshold(p, primitive, find, crossing(sweep), sweep))
    return made


FURTHER = {"queue": False, "combining": False, "kernel at once": True, "combining at once": True}


def further_thresholds(machine: Machine) -> dict[str, OtherThreshold]:
    """Of kinds that the documents have not, and of one call that wakes all: where the profile has costs."""
    find, made = find_cost(machine), {}
    for name, together in FURTHER.items():
        kind = name.split()[0]
        costs = machine.profile["kinds"].get(kind, {})
        if "v-each" not in costs:
            continue
        primitive = single_wake_ups(machine, [(kind, SERVING)])[0][1]
        if together:
            primitive = model.TogetherCosts(
                costs["v"], costs["v-each"], costs["wake"], costs.get("wake-each", 0), kind == "combining"
            )
            guess = model.together_threshold(primitive, FIVE)
        else:
            guess = model.threshold(primitive, FIVE)
        sweep = sweep_around(
            machine,
            guess + find,
            lambda length, kind=kind, together=together: machine.words(
                kind, processes=FIVE, mean=length, together=int(together)
            ),
        )
        made[name] = OtherThreshold(primitive, find, crossing(sweep), sweep)
    return made


def message_thresholds(machine: Machine) -> dict[str, OtherThreshold]:
    """Under each design of which the profile has costs: C.mmp's messages are not in the documents."""
    find, made = find_cost(machine), {}
    for design, costs in machine.profile.get("messages", {}).items():
        wake = costs.get("message-turn", costs.get("wake", 0))
        primitive = model.MessageCosts(costs["send"], costs["receive"], wake, bool(costs["synchronous"]))
        sweep = sweep_around(
            machine,
            model.message_threshold(primitive, FIVE) + find,
            lambda length, design=design: machine.message_words(design, processes=FIVE, mean=length),
        )
        made[design] = OtherThreshold(primitive, find, crossing(sweep), sweep)
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
    found = dict(zip(KINDS, thresholds(machine, [(kind, SERVING) for kind in KINDS])))
    long = round(10 * max(one.found for one in found.values()))
    counts = machine.ask([machine.words(kind, processes=FIVE, mean=long) for kind in KINDS])
    serial = machine.ask([machine.words(kind, processes=MOST, mean=long) for kind in KINDS])
    unsearched = machine.ask([machine.words(kind, processes=MOST, mean=long, search=0) for kind in KINDS])
    measured = machine.profile.get("measured", {})
    further, messages = further_thresholds(machine), message_thresholds(machine)
    by_kind = (dict(zip(KINDS, answers)) for answers in (counts, serial, unsearched))
    counted, searched, at_once = by_kind
    return Results(
        name, found, counted, long, searched, at_once, measured, further=further, messages=messages
    )


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
