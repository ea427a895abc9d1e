# SPDX-License-Identifier: MIT
"""How long a stage's processes wait to begin, from what a primitive's operations cost (a model of our own).

The last to post does one V after the other, and then begins; another process begins its wake-up's latency
after the V for it has ended. Where policy processes are on the way, each wake-up also waits for one of them,
and they stop a process for each that they start: a wake-up that comes before its process has been stopped
waits for that, too, and is served with it. With a constant length c a stage takes c and that overhead, so the
threshold, where half of the time is overhead, is the c that equals its overhead."""

import random
from dataclasses import dataclass
from statistics import NormalDist

from cmmp import theory


SETTLE, TAKEN = 40, 200  # stages until they are alike, and of which the mean is


@dataclass(frozen=True)
class Costs:
    """In one unit of time."""

    v: float  # the process that does it
    wake: float  # from the end of V until the process runs
    service: float = 0.0  # of a policy process, for each wake-up
    servers: int = 0  # how many policy processes serve; 0: none is on the way
    stop: float = 0.0  # service of a process that begins to wait, before
    together: float = 0.0  # service of a wake-up that comes while its process is being stopped, beside `stop`
    dispatch: float = 0.0  # part of `wake`, behind the service


@dataclass(frozen=True)
class TogetherCosts:
    """Of one call that wakes several."""

    v: float  # where it wakes one
    v_each: float  # for each further one
    wake: float
    wake_each: float = 0.0  # a part of v: to wake one, where those who are woken wake others
    tree: bool = False


@dataclass(frozen=True)
class MessageCosts:
    """Of a message that carries a post, or where the others go on; in one unit of time."""

    send: float
    receive: float  # once it is there
    wake: float  # until who waits for it runs
    awaited: bool = False  # who sends waits until it has been received


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


def stage(costs: Costs, posts: list[float], free: list[float]) -> list[float]:
    """When each process begins the next stage, which has posted at that time. `free`: when each policy
    process is; this stage's work is added."""
    last = max(range(len(posts)), key=lambda process: posts[process])
    others = [process for process in range(len(posts)) if process != last]
    given = {process: posts[last] + number * costs.v for number, process in enumerate(others, 1)}
    reach = costs.wake - costs.service - costs.dispatch  # until a request is with who serves it
    requests = [(posts[process] + reach, "stop", process) for process in others]
    requests += [(given[process] + reach, "wake", process) for process in others]
    begin = [posts[last] + len(others) * costs.v] * len(posts)
    joined = set()
    for asked, what, process in sorted(requests):
        if what == "wake" and process in joined:
            continue
        server = min(range(costs.servers), key=lambda one: free[one])
        free[server] = max(free[server], asked) + (costs.stop if what == "stop" else costs.service)
        if what == "stop" and given[process] <= free[server]:
            joined.add(process)
            free[server] += costs.together
        begin[process] = free[server] + costs.dispatch
    return begin


def wake_ups(costs: Costs, processes: int, length: float) -> list[float]:
    """When the first, the second, ... of the others begins, from the last post on: the mean of stages whose
    evaluations all take so long, once they have become alike."""
    if not costs.stop:
        return beginnings(costs, processes)[:-1]
    sums = [0.0] * (processes - 1)
    free, begin = [0.0] * costs.servers, [0.0] * processes
    for number in range(SETTLE + TAKEN):
        posts = [one + length for one in begin]
        last = max(range(processes), key=lambda process: posts[process])
        begin = stage(costs, posts, free)
        if number >= SETTLE:
            woken = sorted(one - posts[last] for process, one in enumerate(begin) if process != last)
            sums = [before + one for before, one in zip(sums, woken)]
    return [one / TAKEN for one in sums]


def overhead(costs: Costs, processes: int, length: float) -> float:
    """Of a stage whose evaluations all take so long, once stages have become alike."""
    if not costs.stop:
        return max(beginnings(costs, processes))
    free, begin, since = [0.0] * costs.servers, [0.0] * processes, 0.0
    for number in range(SETTLE + TAKEN):
        posts = [one + length for one in begin]
        if number == SETTLE:
            since = max(posts)
        begin = stage(costs, posts, free)
    return (max(begin) + length - since) / TAKEN - length


def threshold(costs: Costs, processes: int = 5) -> float:
    """What stops leave for the next stage to wait for is the less the longer evaluations are."""
    if not costs.stop:
        return max(beginnings(costs, processes))
    low, high = 0.0, 2 * (max(beginnings(costs, processes)) + processes * (costs.stop + costs.together))
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        if overhead(costs, processes, middle) > middle:
            low = middle
        else:
            high = middle
    return high


def together_threshold(costs: TogetherCosts, processes: int = 5) -> float:
    """The last to post makes one call, and begins; by a tree the i-th whom it wakes wakes two more first."""
    others = processes - 1
    if not costs.tree:
        return costs.v + (others - 1) * costs.v_each + costs.wake
    claimed = costs.v - costs.wake_each + (others - 1) * costs.v_each
    woken = [claimed + (place + 1) * costs.wake_each for place in range(min(2, others))]
    begin = [claimed + len(woken) * costs.wake_each]
    for place in range(others):
        runs = woken[place] + costs.wake
        follow = range(min(2, max(0, others - 2 * place - 2)))
        woken += [runs + (follower + 1) * costs.wake_each for follower in follow]
        begin.append(runs + len(follow) * costs.wake_each)
    return max(begin)


def message_threshold(costs: MessageCosts, processes: int = 5) -> float:
    """The first process sends to each of the others, and begins; each of them begins when its message has
    come, and posts by a message when it is ready, for which the first waits. Without FIND."""
    reached = costs.wake + costs.receive
    each = costs.send + (reached + costs.wake if costs.awaited else 0)
    ready = (processes - 1) * each
    for number in range(1, processes):
        posted = (number - 1) * each + costs.send + reached + costs.send
        ready = (ready if ready >= posted else posted + costs.wake) + costs.receive
    return ready


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
