# SPDX-License-Identifier: MIT
"""How long a stage's processes wait to begin, from what a primitive's operations cost (a model of our own).

The last to post does one V after the other, and then begins; another process begins its wake-up's latency
after the V for it has ended. Where policy processes are on the way, each wake-up also waits for one of them.
With a constant length c a stage takes c and that overhead, so the threshold, where half of the time is
overhead, is the overhead itself."""

import random
from dataclasses import dataclass
from statistics import NormalDist

from cmmp import theory


@dataclass(frozen=True)
class Costs:
    """In one unit of time."""

    v: float  # the process that does it
    wake: float  # from the end of V until the process runs
    service: float = 0.0  # of a policy process, for each wake-up
    servers: int = 0  # how many policy processes serve; 0: none is on the way


# Tables 4.1 and 4.2 of the documents, in milliseconds. How many policy processes served is not printed.
DOCUMENTS = {
    "spin": (Costs(0.03, 0.03), 2.0),
    "kernel": (Costs(3, 5), 18.0),
    "policy-0": (Costs(6, 55, 62, 2), 200.0),
    "policy-1, epsilon 0": (Costs(5, 50, 20, 2), 80.0),
    "policy-1, epsilon 300 ms": (Costs(5, 13), 33.0),
}


def beginnings(costs: Costs, processes: int) -> list[float]:
    """When each process begins to evaluate, from the last post on; the last to post comes last."""
    free = [0.0] * costs.servers
    begin = []
    for number in range(1, processes):
        asked = number * costs.v
        if not free:
            begin.append(asked + costs.wake)
            continue
        server = min(range(costs.servers), key=lambda one: free[one])
        free[server] = max(free[server], asked) + costs.service
        begin.append(free[server] + costs.wake - costs.service)
    return [*begin, (processes - 1) * costs.v]


def threshold(costs: Costs, processes: int = 5) -> float:
    return max(beginnings(costs, processes))


def length(kind: str, mean: float, deviation: float, source: random.Random) -> float:
    if kind == "exponential":
        return source.expovariate(1 / mean)
    if kind == "normal":
        return max(0.0, NormalDist(mean, deviation * mean).inv_cdf(1 - source.random()))
    return mean


def speedup(costs: Costs, processes: int, kind: str, mean: float, deviation: float = 0.25) -> float:
    """Of 200 roots, against one process, which waits for nobody."""
    source, roots = random.Random(processes), 200
    begin = beginnings(costs, processes)
    spent = sum(
        max(start + length(kind, mean, deviation, source) for start in begin)
        for _ in range(roots * theory.stages(processes))
    )
    alone = sum(length(kind, mean, deviation, source) for _ in range(roots * theory.stages(1)))
    return alone / spent


def documents_table() -> str:
    lines = [
        "Thresholds of five processes, in ms: printed (table 4.2), and by the model from table 4.1's costs.",
        f"{'':26} {'printed':>8} {'model':>8} {'one server':>11}",
    ]
    for name, (costs, printed) in DOCUMENTS.items():
        one = Costs(costs.v, costs.wake, costs.service, 1) if costs.servers else costs
        lines.append(f"{name:26} {printed:8.1f} {threshold(costs):8.2f} {threshold(one):11.2f}")
    lines.append("Policy processes are taken to be two. Spin's 2 ms are its program's, not its P's and V's.")
    return "\n".join(lines)
