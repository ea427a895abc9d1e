# SPDX-License-Identifier: MIT
"""What rounds of measurements say, and when they say nothing.

A value stands with the interval that covers its median in nine of ten cases (seven of eight with four
rounds), whatever the values' distribution: from one order statistic to the opposite one. A goal holds or is
missed when the whole interval does or misses; one contestant is faster than another when their intervals do
not meet."""

import math
import statistics
from dataclasses import dataclass

ENOUGH = 4  # rounds: with fewer no interval is worth the name
SURE = 0.9
HOLDS, MISSED, NOISE = "holds", "missed", "inside the noise"


@dataclass(frozen=True)
class Value:
    """The median of some rounds, and its interval."""

    median: float
    low: float
    high: float
    rounds: int

    @property
    def is_enough(self) -> bool:
        return self.rounds >= ENOUGH

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f})"

    @property
    def short(self) -> str:
        spread = 100 * (self.high - self.low) / 2 / self.median if self.median else 0
        return f"{self.median:.2f} ±{spread:.0f}%"


def cut(rounds: int) -> int:
    """How many values may be left out at each end."""
    left = 0
    while True:
        outside = 2 * sum(math.comb(rounds, k) for k in range(left + 2)) / 2**rounds
        if outside > 1 - SURE or 2 * (left + 1) >= rounds:
            return left
        left += 1


def value_of(values: list[float]) -> Value | None:
    if not values:
        return None
    ordered = sorted(values)
    left = cut(len(ordered))
    return Value(statistics.median(ordered), ordered[left], ordered[-1 - left], len(ordered))


def times_faster(mine: Value, rival: Value) -> Value:
    """At worst and at best of both intervals."""
    return Value(
        rival.median / mine.median,
        rival.low / mine.high,
        rival.high / mine.low,
        min(mine.rounds, rival.rounds),
    )


def best(rivals: list[Value]) -> Value:
    return min(rivals, key=lambda rival: rival.median)


def verdict(value: Value | None, least: float = -math.inf, most: float = math.inf) -> str:
    if value is None:
        return "not measured"
    if not value.is_enough:
        return f"too few rounds ({value.rounds})"
    if least <= value.low and value.high <= most:
        return HOLDS
    return MISSED if value.high < least or value.low > most else NOISE


def fastest(values: dict[str, Value]) -> str:
    """Who is faster than every other; several where the noise does not tell them apart."""
    known = {who: value for who, value in values.items() if value.is_enough}
    if len(known) < 2:
        return "-"
    first = min(known, key=lambda who: known[who].median)
    near = [who for who in known if who != first and known[who].low <= known[first].high]
    return first if not near else " or ".join([first, *sorted(near, key=lambda who: known[who].median)])
