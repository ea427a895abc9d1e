# SPDX-License-Identifier: MIT
"""HARPY's forward step and pruning by a model, with a clock for each processor.

Every unit of work of real searches is done again in the order that the clocks make, at the cost that its kind
has; who waits and for how long comes out. A pop takes the stack's lock, which is one at a time. Not in the
model: what states' locks cost, memory, interrupts, the operating system."""

import heapq
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from cmmp.harpy_work import Segment

VERSIONS = ("V1", "V2", "V3", "V4", "V5")


@dataclass(frozen=True)
class Costs:
    """In one unit of time."""

    next: float  # CHECKNEXT, for each pair
    update: float  # CHECKSTATE that finds a better father
    none: float  # CHECKSTATE that does not
    save: float  # SAVESTATES, for each state that was reached
    pop: float  # from a stack that is shared, while it is locked
    store: float  # a pair, by who makes it
    retrieve: float  # a pair, by who checks it
    v: float  # one wake-up, by who wakes
    wake: float  # from the end of V until the process runs


@dataclass(frozen=True)
class Lock:
    """Yielded by a process: it takes the lock of that stack for a pop."""

    stack: int


CANDIDATES = Lock(-1)
WAIT = "wait"  # yielded: until it is woken


class Machine:
    """Processors, one for each process, from the end of a barrier to the next."""

    def __init__(self, costs: Costs, begin: list[float]):
        self.costs, self.now = costs, 0.0
        self.clocks = list(begin)
        self.busy = [0.0] * len(begin)
        self.waiting: list[int] = []
        self.free: dict[Lock, float] = {}  # when each lock is
        self.order: list[tuple[float, int]] = []

    def run(self, processes: list[Generator]) -> None:
        """Each yields what it spends, a Lock, or WAIT; clocks say when they end."""
        self.order = [(clock, number) for number, clock in enumerate(self.clocks)]
        heapq.heapify(self.order)
        while self.order:
            self.now, number = heapq.heappop(self.order)
            self.clocks[number] = self.now
            step = next(processes[number], None)
            if step == WAIT:
                self.waiting.append(number)
            elif step is not None:
                until = self.until(step)
                self.busy[number] += until - self.now
                heapq.heappush(self.order, (until, number))

    def until(self, step: float | Lock) -> float:
        if not isinstance(step, Lock):
            return self.now + step
        self.free[step] = max(self.now, self.free.get(step, 0.0)) + self.costs.pop
        return self.free[step]

    def wake(self, count: int) -> int:
        """So many of those that wait, at most, one V after the other; how many."""
        woken = self.waiting[:count]
        del self.waiting[:count]
        for place, number in enumerate(woken, start=1):
            heapq.heappush(self.order, (self.now + place * self.costs.v + self.costs.wake, number))
        return len(woken)

    def meet(self) -> float:
        """A barrier: the last to arrive wakes the others one by one, and goes on. When it arrived."""
        last = max(range(len(self.clocks)), key=lambda number: self.clocks[number])
        arrived = self.clocks[last]
        for place, number in enumerate((n for n in range(len(self.clocks)) if n != last), start=1):
            self.clocks[number] = arrived + place * self.costs.v + self.costs.wake
        self.clocks[last] = arrived + (len(self.clocks) - 1) * self.costs.v
        return arrived


class Forward:
    """The forward step of one segment."""

    def __init__(self, costs: Costs, segment: Segment, processes: int):
        self.costs, self.processes = costs, processes
        self.candidates = segment.candidates
        self.left = list(reversed(segment.candidates))
        self.stacks: list[list] = [[] for _ in range(processes)]
        self.best: dict[int, int] = {}
        self.active = 0

    def check(self, pair: tuple[int, int]) -> float:
        state, score = pair
        updates = state not in self.best or score > self.best[state]
        if updates:
            self.best[state] = score
        return self.costs.update if updates else self.costs.none

    def fused(self, candidate: Iterable) -> Generator:
        for pair in candidate:
            yield self.costs.next
            yield self.check(pair)

    def static(self, _: Machine, number: int) -> Generator:
        count = len(self.candidates)
        for at in range(count * number // self.processes, count * (number + 1) // self.processes):
            yield from self.fused(self.candidates[at])

    def dynamic(self, _: Machine, _number: int) -> Generator:
        while True:
            yield CANDIDATES
            if not self.left:
                return
            yield from self.fused(self.left.pop())

    def expand(self, candidate: list, stack: list) -> Generator:
        for pair in candidate:
            yield self.costs.next + self.costs.store
            stack.append(pair)

    def split_next(self, _: Machine, _number: int) -> Generator:
        while True:
            yield CANDIDATES
            if not self.left:
                return
            yield from self.expand(self.left.pop(), self.stacks[0])

    def split_check(self, _: Machine, _number: int) -> Generator:
        while True:
            yield Lock(0)
            if not self.stacks[0]:
                return
            pair = self.stacks[0].pop()
            yield self.costs.retrieve
            yield self.check(pair)

    def asynchronous(self, machine: Machine, number: int, own: int = 0) -> Generator:
        stacks = self.stacks[own:] + self.stacks[:own]
        while True:
            if self.left:
                yield CANDIDATES
                if self.left:
                    self.active += 1
                    candidate = self.left.pop()
                    yield from self.expand(candidate, stacks[0])
                    self.active -= 1
                    over = not self.left and not self.active
                    yield machine.wake(self.processes if over else len(candidate) - 1) * self.costs.v
                continue
            at = next((at for at, stack in enumerate(stacks) if stack), None)
            if at is not None:
                yield Lock((own + at) % self.processes)
                if stacks[at]:
                    pair = stacks[at].pop()
                    yield self.costs.retrieve
                    yield self.check(pair)
            elif self.active:
                yield WAIT
            else:
                return

    def stealing(self, machine: Machine, number: int) -> Generator:
        yield from self.asynchronous(machine, number, number)


@dataclass
class Outcome:
    forward: float = 0.0
    busy: float = 0.0
    pruning: float = 0.0
    pruning_busy: float = 0.0
    processes: int = 1
    forward_spread: float = 0.0  # the longest from the first to arrive at a barrier to the last
    pruning_spread: float = 0.0

    @property
    def utilization(self) -> float:
        return self.busy / (self.processes * self.forward)


def parts_of(version: str, forward: Forward) -> list[Callable]:
    return {
        "V1": [forward.static],
        "V2": [forward.dynamic],
        "V3": [forward.split_next, forward.split_check],
        "V4": [forward.asynchronous],
        "V5": [forward.stealing],
    }[version]


def prune(machine: Machine, left: int) -> float:
    """All states that were reached, by whoever is free; the spread of the ends."""
    states = [None] * left

    def process() -> Generator:
        while True:
            yield CANDIDATES
            if not states:
                return
            states.pop()
            yield machine.costs.save

    machine.free.clear()
    machine.run([process() for _ in machine.clocks])
    return max(machine.clocks) - min(machine.clocks)


def simulate(costs: Costs, segments: list[Segment], version: str, processes: int) -> Outcome:
    outcome = Outcome(processes=processes)
    clocks = [0.0] * processes
    began = 0.0
    for segment in segments:
        machine = Machine(costs, clocks)
        forward = Forward(costs, segment, processes)
        for part in parts_of(version, forward):
            machine.run([part(machine, number) for number in range(processes)])
            spread = max(machine.clocks) - min(machine.clocks)
            arrived = machine.meet()
        outcome.forward_spread = max(outcome.forward_spread, spread)
        outcome.forward += arrived - began
        outcome.busy += sum(machine.busy)
        machine.busy, began = [0.0] * processes, arrived
        outcome.pruning_spread = max(outcome.pruning_spread, prune(machine, segment.reached))
        arrived = machine.meet()
        outcome.pruning += arrived - began
        outcome.pruning_busy += sum(machine.busy)
        clocks, began = machine.clocks, arrived
    return outcome


def documents_costs(segments: list[Segment]) -> Costs:
    """In milliseconds, from what the documents print: CHECKSTATE 0.8 or 1.2 ms, a pop below 0.03, P and V by
    spinning 0.03. CHECKNEXT, SAVESTATES and what a pair costs that is stored and retrieved are derived: by
    the shares of time (21.5, 46.0 and 28.5 %), and from one process's 52.89 s of V1 and 66.69 s of V3."""
    check = pairs = states = 0
    for segment in segments:
        forward = Forward(Costs(0, 1.2, 0.8, 0, 0, 0, 0, 0, 0), segment, 1)
        check += sum(forward.check(pair) for candidate in segment.candidates for pair in candidate)
        pairs += segment.pairs
        states += segment.reached
    after = check * 21.5 / 46.0 / pairs
    one = (66.69 / 52.89 - 1) * (check / pairs + after) - 0.03
    return Costs(after, 1.2, 0.8, check * 28.5 / 46.0 / states, 0.03, one / 2, one / 2, 0.03, 0.03)
