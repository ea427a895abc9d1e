# SPDX-License-Identifier: MIT
"""What memory takes of a program's time, as the machine's model counts it: the document left misses and the
steps that synchronise clusters unmeasured. Of the time steps alone, as system_time.py has the system's part:
what a run of more steps has more than a run of fewer. The model has no TLB."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parley_study.tables import table

# What a record has of each processor, and this keeps.
# Misses are those of the clusters' caches; what all processors have goes past them.
COUNTS = (
    *("reads", "writes", "fetches", "read_misses", "write_misses", "fetch_misses"),
    *("memory_time", "bus_waiting", "atomic"),
)


def kept(model: Mapping) -> list[dict[str, int]]:
    """Of a record's `model`, in the order of its processors."""
    processors = sorted(model["processors"], key=lambda one: one["processor"])
    return [{name: one[name] for name in COUNTS} for one in processors]


@dataclass(frozen=True)
class MemoryTime:
    """Of all processors together, of one run or of what it has more than another."""

    counts: Mapping[str, int]
    processors: int

    def __sub__(self, other: "MemoryTime") -> "MemoryTime":
        return MemoryTime({name: n - other.counts[name] for name, n in self.counts.items()}, self.processors)

    def share(self, what: str, elapsed: float) -> float:
        """Percent of so many ns of all processors that go to `memory_time` or, of that, `bus_waiting`."""
        return self.counts[what] / 1000 / (elapsed * self.processors) * 100

    @property
    def locked(self) -> int:
        return self.counts["atomic"]


def of_processors(told: Sequence[Mapping[str, int]]) -> MemoryTime:
    return MemoryTime({name: sum(one[name] for one in told) for name in COUNTS}, len(told))


Steps = Mapping[str, Mapping[int, MemoryTime]]  # of each program, by processors


def lines(steps: Steps, elapsed: Mapping[str, Mapping[int, float]]) -> list[str]:
    """elapsed: ns of the same time steps."""
    rows = [
        [name if at == 0 else "", str(n), f"{elapsed[name][n] / 1e6:.1f}"]
        + [f"{found.share(what, elapsed[name][n]):.2f}" for what in ("memory_time", "bus_waiting")]
        + [str(found.counts[f"{what}_misses"]) for what in ("read", "write", "fetch")]
        + [str(found.locked)]
        for name, runs in steps.items()
        for at, (n, found) in enumerate(runs.items())
    ]
    head = ["program", "processors", "steps, ms", "memory, %", "of it waits", "reads missed", "writes"]
    title = "Not in the document: what memory takes of all processors' time in the time steps"
    return table(title, [*head, "fetches", "locked steps"], rows)
