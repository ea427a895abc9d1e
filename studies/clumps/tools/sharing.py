# SPDX-License-Identifier: MIT
"""What it costs that the processors of a node share network interfaces: a closed queueing model (Lumetta,
Design and Evaluation of Multi-Protocol Communication on a Cluster of SMP's, chapter 8).

P processors of a node share N interfaces. Each of them alternates between computing and communicating, both
for exponential times; the communication of q processors at once is served at the rate N/q each. U, between 0
and 1, is the share of its time that a processor communicates where it has an interface of its own. All
results are run times in relation to that: below 1 is faster.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from math import factorial, prod


def full_efficiency(_: int) -> float:
    """An interface loses nothing when it serves several processors."""
    return 1.0


def check(processors: int, interfaces: float, share: float) -> None:
    if processors < 1:
        raise ValueError("a node has at least 1 processor")
    if interfaces <= 0:
        raise ValueError("a node has more than 0 interfaces")
    if not 0 <= share <= 1:
        raise ValueError("the share of communication lies between 0 and 1")


def crowd(processors: int, interfaces: float, share: float) -> list[float]:
    """The probability that q processors communicate at once, for q from 0 on (equation 8.7)."""
    check(processors, interfaces, share)
    if share == 1:
        return [0.0] * processors + [1.0]
    odds = share / (interfaces * (1 - share))
    weights = [factorial(processors) // factorial(processors - q) * odds**q for q in range(processors + 1)]
    return [weight / sum(weights) for weight in weights]


def independent(processors: int, interfaces: float, share: float) -> float:
    """The run time where processors communicate whenever they come to it (equation 8.8)."""
    chances = crowd(processors, interfaces, share)
    gain = sum(chance * (interfaces - q) / processors for q, chance in enumerate(chances) if q > 0)
    return 1 / (1 + gain)


def correlated(processors: int, interfaces: float, share: float) -> float:
    """The run time where all processors communicate at once (equation 8.9)."""
    check(processors, interfaces, share)
    return 1 + (processors - interfaces) / interfaces * share


def scheduled(processors: int, interfaces: float, share: float) -> float:
    """The run time where they take turns as well as they can (equation 8.10)."""
    check(processors, interfaces, share)
    if share <= interfaces / (interfaces + processors - 1):
        return 1 - (interfaces - 1) / interfaces * share
    return processors * share / interfaces


Slowdown = Callable[[int, float, float], float]


def tightly_coupled(
    model: Slowdown, processors: int, interfaces: float, share: float, crossing: float, price: float
) -> float:
    """The run time where only the part `crossing` of all communication leaves the node, and the rest costs
    `price` times what it would cost on the network (equation 8.11)."""
    for part in (crossing, price):
        if not 0 <= part <= 1:
            raise ValueError("the part that crosses, and the price of what does not, lie between 0 and 1")
    shortened = 1 - share * (1 - crossing) * (1 - price)
    if shortened == 0:
        return 0.0
    return model(processors, interfaces, crossing * share / shortened) * shortened


def in_phases(
    model: Slowdown, processors: int, interfaces: float, phases: Sequence[tuple[float, float]]
) -> float:
    """The run time of a program of several phases, each with its share and its time where interfaces are
    not shared."""
    whole = sum(time for _, time in phases)
    return sum(model(processors, interfaces, share) * time for share, time in phases) / whole


def states(
    interfaces: float, shares: Sequence[float], efficiency: Callable[[int], float] = full_efficiency
) -> dict[frozenset[int], float]:
    """The probability of each set of processors that communicate, each with a share of its own below 1
    (equations 8.4 and 8.5). It has 2^P terms."""
    weights = {}
    for q in range(len(shares) + 1):
        order = factorial(q) / prod(interfaces * efficiency(i) for i in range(1, q + 1))
        for members in combinations(range(len(shares)), q):
            odds = prod(shares[p] / (1 - shares[p]) for p in members)
            weights[frozenset(members)] = order * odds
    whole = sum(weights.values())
    return {members: weight / whole for members, weight in weights.items()}


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description="run times of a node whose processors share network interfaces"
    )
    parser.add_argument("--processors", type=int, default=8)
    parser.add_argument("--interfaces", type=float, default=4)
    chosen = parser.parse_args(words)
    try:
        check(chosen.processors, chosen.interfaces, 0)
    except ValueError as wrong:
        parser.error(str(wrong))
    print(f"{'share':>5} {'independent':>11} {'correlated':>10} {'scheduled':>9}")
    for tenths in range(1, 11):
        times = (model(chosen.processors, chosen.interfaces, tenths / 10) for model in MODELS)
        print("{:5.1f} {:11.4f} {:10.4f} {:9.4f}".format(tenths / 10, *times))
    return 0


MODELS: tuple[Slowdown, ...] = (independent, correlated, scheduled)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
