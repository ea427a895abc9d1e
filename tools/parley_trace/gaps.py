# SPDX-License-Identifier: MIT
"""Long stretches of a run in which nothing happens, as the time before a program's first measurement: a
picture of a whole run leaves them out and says so."""

import bisect
import itertools

PART = 10  # a gap is longer than one in so many of the time that is left ...
USUAL = 20  # ... and than so many times what one event has of it
WIDTH = 50  # drawn, it is one in so many of the time that is left


class Gaps:
    """Time without its gaps. Each gap keeps a little width, in which it is marked."""

    def __init__(self, spans: tuple[tuple[float, float], ...] = (), width: float = 0.0):
        """spans: ns, in order; width: ns that each takes in the picture"""
        self.spans, self.width = spans, width
        self.ends = [end for _, end in spans]
        self.before = list(itertools.accumulate(end - start - width for start, end in spans))  # up to there

    @property
    def ns(self) -> float:
        return sum(end - start for start, end in self.spans)

    def squeezed(self, ns: float) -> float:
        place = bisect.bisect_right(self.ends, ns)
        before = self.before[place - 1] if place else 0.0
        if place < len(self.spans) and ns > self.spans[place][0]:
            start, end = self.spans[place]
            return start - before + (ns - start) / (end - start) * self.width
        return ns - before

    def pieces(self, start: float, end: float) -> list[tuple[float, float]]:
        """What lies between the gaps, from start to end."""
        edges = [start, *(edge for span in self.spans for edge in span), end]
        pairs = zip(edges[::2], edges[1::2])
        return [(max(a, start), min(b, end)) for a, b in pairs if max(a, start) < min(b, end)]


def gaps_between(busy: list[tuple[float, float]]) -> Gaps:
    """The gaps between what happens, from when to when, ordered by its beginning."""
    merged: list[list[float]] = []
    for start, end in busy:
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    between = sorted(((a[1], b[0]) for a, b in zip(merged, merged[1:])), key=lambda gap: gap[0] - gap[1])
    left, found = (merged[-1][1] - merged[0][0] if merged else 0.0), []
    for place, (start, end) in enumerate(between):
        length, others = end - start, 2 * len(busy) - place - 1
        if length <= max(left / PART, USUAL * (left - length) / others):
            break
        found.append((start, end))
        left -= length
    return Gaps(tuple(sorted(found)), left / WIDTH)


NO_GAPS = Gaps()
