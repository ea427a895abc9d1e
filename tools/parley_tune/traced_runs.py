# SPDX-License-Identifier: MIT
"""What designs are predicted to take where processors run side by side: a traced run is replayed with each
design's prices. A program asks its design whether a send gives its block away. Where one does, it takes a
block for a message and gives back what it has received, of which a run without that tells nothing. So there
may be a run of each of the two kinds, and a design is predicted by that of its own."""

from collections.abc import Collection
from dataclasses import dataclass

from parley_trace import reading

from . import replay
from .cost_model import Choice, CostModel, Costs, Prices


@dataclass(frozen=True)
class TracedRun:
    choice: Choice  # its design
    story: replay.Story
    lasted: float  # ns of the whole program in that design while it is watched and not traced
    replayed: float  # ns of that from its first message on, and by which its nodes' beginning takes longer


class TracedRuns:
    def __init__(self, model: CostModel, base_ns: float, records: list[reading.Record], traced: Prices):
        """`traced`: what messages cost in the run that the records are of, as in `add`."""
        self.model = model
        self.base = self.run((), base_ns, records, traced)
        self.other: TracedRun | None = None
        self.unlike: frozenset[tuple[str, str]] = frozenset()

    def add(self, one: tuple[str, str], ns: float, records: list[reading.Record], traced: Prices,
            unlike: Collection[tuple[str, str]]) -> float:  # fmt: skip
        """The run of the base with that class, which takes ns. It stands for all designs with a class of
        `unlike`. Returns what it would be predicted to take by its replay, from what the base takes before
        its first message."""
        self.other, self.unlike = self.run((one,), ns, records, traced), frozenset(unlike)
        return self.base.lasted - self.base.replayed + self.other.replayed

    def run(self, choice: Choice, ns: float, records: list[reading.Record], traced: Prices) -> TracedRun:
        story = replay.story_of(records, Costs(traced, []))
        return TracedRun(choice, story, ns, self.length(story, choice))

    def length(self, story: replay.Story, choice: Choice) -> float:
        return replay.Replay(story, self.model.of_design(choice)).run() + self.model.start(choice)

    @property
    def before(self) -> float:
        """ns that the base takes before its first message, with which a replay begins."""
        return max(self.base.lasted - self.base.replayed, 0.0)

    def predict(self, choice: Choice) -> float:
        """ns of the whole program in that design."""
        run = self.other if self.other and self.unlike & set(choice) else self.base
        return run.lasted + self.length(run.story, choice) - run.replayed
