# SPDX-License-Identifier: MIT
"""Processors of one multiprocessor that share its network interfaces: the queueing model of Lumetta's thesis
(1998), chapter 8.

A processor computes, or communicates. The utilization of a processor is the part of its time that it
communicates where it has an interface of its own, as in a network of workstations: in [0, 1]. Times are
exponential. Processors that communicate at once share all interfaces evenly, so one alone has all of them,
and is faster than with one; an efficiency says which part of the interfaces' speed is left when so many
communicate.

A slowdown is a program's time beside that on workstations: below 1 it is faster here. Equations are cited by
their numbers in the thesis.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, prod

Efficiency = Callable[[int], float]
Slowdown = Callable[[float], float]  # of a utilization


def no_loss(communicating: int) -> float:
    return 1.0


@dataclass(frozen=True)
class Machine:
    """One multiprocessor. Raises ValueError, whose text is a sentence, for one without processors or without
    interfaces."""

    processors: int
    interfaces: int

    def __post_init__(self):
        for what, count in (("processors", self.processors), ("interfaces", self.interfaces)):
            if count < 1:
                raise ValueError(f"a multiprocessor has at least one of its {what}, not {count}")

    def communicating(self, utilization: float) -> list[float]:
        """The probability that so many processors communicate at once, from none to all, at random (8.7)."""
        check(utilization)
        if utilization == 1:
            return [0.0] * self.processors + [1.0]
        ratio = utilization / (self.interfaces * (1 - utilization))
        # Each beside the greatest, so that many processors are no larger numbers than few.
        logarithms = [0.0]
        for count in range(self.processors if ratio > 0 else 0):
            logarithms.append(logarithms[-1] + log((self.processors - count) * ratio))
        weights = [exp(logarithm - max(logarithms)) for logarithm in logarithms]
        weights += [0.0] * (self.processors + 1 - len(weights))
        return [weight / sum(weights) for weight in weights]

    def independent(self, utilization: float) -> float:
        """The slowdown when each processor communicates whenever it likes (8.8)."""
        gained = sum(
            probability * (self.interfaces - count)
            for count, probability in enumerate(self.communicating(utilization))
            if count > 0
        )
        return 1 / (1 + gained / self.processors)

    def correlated(self, utilization: float) -> float:
        """The slowdown when all communicate at the same times (8.9)."""
        check(utilization)
        return 1 + (self.processors - self.interfaces) / self.interfaces * utilization

    def scheduled(self, utilization: float) -> float:
        """The slowdown when they take turns: one after the other has all interfaces, as far as these suffice
        (8.10)."""
        check(utilization)
        if utilization <= self.best_scheduled():
            return 1 - (self.interfaces - 1) / self.interfaces * utilization
        return self.processors * utilization / self.interfaces

    def best_scheduled(self) -> float:
        """The utilization at which scheduling gains the most: the interfaces are never idle."""
        return self.interfaces / (self.interfaces + self.processors - 1)

    def divided(self) -> "Machine":
        """What each process is on when an interface serves only processes of its own: a smaller machine with
        one. The processors must be a multiple of the interfaces."""
        if self.processors % self.interfaces != 0:
            raise ValueError(
                f"{self.processors} processors cannot be divided evenly among {self.interfaces} interfaces"
            )
        return Machine(self.processors // self.interfaces, 1)


def check(utilization: float) -> None:
    if not 0 <= utilization <= 1:
        raise ValueError(f"a utilization lies in 0 to 1; {utilization:g} does not")


def speeds(
    utilizations: Sequence[float], interfaces: int, efficiency: Efficiency = no_loss
) -> list[float]:
    """How fast each of these processors gets on, each with a utilization of its own, beside workstations: the
    inverse of its slowdown. By the product form (8.5), over all sets of processors: for at most some 16."""
    for utilization in utilizations:
        check(utilization)
    states = distribution(utilizations, interfaces, efficiency)
    shares = [
        sum(
            probability * (interfaces * efficiency(len(active)) / len(active) if number in active else 1)
            for active, probability in states.items()
        )
        for number in range(len(utilizations))
    ]
    return shares


def distribution(
    utilizations: Sequence[float], interfaces: int, efficiency: Efficiency = no_loss
) -> dict[frozenset[int], float]:
    """The probability that just these processors communicate, for each set that can be (8.5). One that always
    communicates is in all of them."""
    always = [number for number, utilization in enumerate(utilizations) if utilization == 1]
    others = [number for number, utilization in enumerate(utilizations) if 0 < utilization < 1]
    weights = {}
    for chosen in subsets(others):
        active = frozenset((*always, *chosen))
        # Each departure from a set of so many is that much slower than from one of one.
        slowed = prod(count / (interfaces * efficiency(count)) for count in range(1, len(active) + 1))
        weights[active] = slowed * prod(
            utilizations[number] / (1 - utilizations[number]) for number in chosen
        )
    total = sum(weights.values())
    return {active: weight / total for active, weight in weights.items()}


def subsets(numbers: Sequence[int]) -> Iterable[tuple[int, ...]]:
    for bits in range(1 << len(numbers)):
        yield tuple(number for place, number in enumerate(numbers) if bits >> place & 1)


@dataclass(frozen=True)
class Coupling:
    """A tightly coupled program: so much of its communication must cross the network; the rest stays inside,
    and costs so much beside what it would cost over the network. Both lie in [0, 1]."""

    crossing: float
    local_cost: float

    def __post_init__(self):
        parts = (("part that crosses the network", self.crossing), ("local cost", self.local_cost))
        for what, value in parts:
            if not 0 <= value <= 1:
                raise ValueError(f"the {what} lies in 0 to 1; {value:g} does not")

    def shortened(self, utilization: float) -> float:
        """The program's time when what stays inside is cheaper, beside 1 on workstations."""
        check(utilization)
        return 1 - utilization * (1 - self.crossing) * (1 - self.local_cost)

    def adjusted(self, utilization: float) -> float:
        """The utilization of the network in the shortened time (8.11)."""
        shortened = self.shortened(utilization)
        return self.crossing * utilization / shortened if shortened > 0 else 0.0

    def slowdown(self, utilization: float, of: Slowdown) -> float:
        return of(self.adjusted(utilization)) * self.shortened(utilization)


def of_phases(phases: Sequence[tuple[float, float]], of: Slowdown) -> float:
    """The slowdown of a program whose phases have a utilization and a time on workstations each."""
    total = sum(time for _, time in phases)
    if not total > 0:
        raise ValueError("a program's phases take some time together")
    return sum(of(utilization) * time for utilization, time in phases) / total
