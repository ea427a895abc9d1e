# SPDX-License-Identifier: MIT
"""What two boots differ in, root by root. It is chance which stages of a root the device and the ends of
slices meet, and roots differ; the same root of both boots has the same evaluations. So a difference is the
mean over the roots, and what its roots are apart says whether it is more than chance. A ratio is of the times
of all roots together, as the documents' times of fifty are: the mean of each root's own ratio would be above
that where some of those below are made much longer."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cmmp import theory
from cmmp.modelled_rows import rows

OF_ROOT = "mean stage of root "
ERRORS = 2.0  # standard ones, within which a mean may be chance


@dataclass(frozen=True)
class Estimate:
    mean: float
    error: float  # a standard one, of the mean

    def is_within(self, least: float, most: float) -> bool | None:
        """None: these roots do not tell."""
        low, high = self.mean - ERRORS * self.error, self.mean + ERRORS * self.error
        if least <= low and high <= most:
            return True
        return None if low <= most and high >= least else False

    def is_above(self, limit: float) -> bool | None:
        """By more than chance: what is equal is not above."""
        if self.mean - ERRORS * self.error > limit:
            return True
        return None if self.mean + ERRORS * self.error > limit else False

    def __sub__(self, other: "Estimate") -> "Estimate":
        """Of others' roots."""
        return Estimate(self.mean - other.mean, math.hypot(self.error, other.error))

    def __format__(self, form: str) -> str:
        if math.isinf(self.error):
            return f"{self.mean:{form}} (its roots do not say how far that is chance)"
        return f"{self.mean:{form}} ± {ERRORS * self.error:{form}}"


# How often the median lies between the values that median_of() takes, at least: about as often as a mean
# within two standard errors of four values (Student).
OFTEN = 0.86


@dataclass(frozen=True)
class Bounds:
    """Between which a value lies: both are it, or one of them is where looking ended."""

    low: float  # 0: nothing is known below
    high: float  # infinite: nothing is known above

    def beyond(self, least: float, most: float) -> "Bounds":
        """Of what was not found: where looking ended, if that is beyond the limit, too: no more is asked."""
        return Bounds(
            self.high if self.low == 0 and self.high < least else self.low,
            self.low if math.isinf(self.high) and self.low > most else self.high,
        )

    def is_within(self, least: float, most: float) -> bool | None:
        """None: it depends on where between them it lies."""
        if least <= self.low and self.high <= most:
            return True
        return None if self.low <= most and self.high >= least else False

    def __mul__(self, times: float) -> "Bounds":
        return Bounds(self.low * times, self.high * times)

    def __format__(self, form: str) -> str:
        if math.isinf(self.high):
            return f"{self.low:{form}} or more" if self.low else "not found"
        return f"{self.low:{form}} to {self.high:{form}}" if self.low else f"{self.high:{form}} or less"


def rank_of(count: int) -> int:
    """How many values from either end lie those between which the median is OFTEN, or are the ends."""
    rank, left_out = 1, 0
    while 2 * rank < count:
        left_out += math.comb(count, rank - 1)
        if 1 - 2 * (left_out + math.comb(count, rank)) / 2**count < OFTEN:
            break
        rank += 1
    return rank


def median_of(values: Sequence[Bounds]) -> Bounds:
    """By their order, whatever they are distributed like."""
    rank = rank_of(len(values))
    return Bounds(
        sorted(one.low for one in values)[rank - 1], sorted(one.high for one in values)[-rank]
    )


def median_is_within(values: Sequence[Bounds], least: float, most: float) -> bool | None:
    """None: so many values do not tell. A value that was not found before looking ended inside of the limits
    can be anything, which no number of values would change: that is no."""
    if not is_told(len(values)):
        return None
    found = median_of([one.beyond(least, most) for one in values])
    if least <= found.low and found.high <= most:
        return True
    if found.low > most or found.high < least or found.low == 0 or math.isinf(found.high):
        return False
    return None


def is_told(count: int) -> bool:
    """Whether the median of so many lies between their ends OFTEN enough."""
    return 1 - 2 / 2**count >= OFTEN


def all_of(told: Iterable[bool | None]) -> bool | None:
    """Whether all are so; None: none is not, and not all are told."""
    answers = list(told)
    if False in answers:
        return False
    return None if None in answers else True


def estimate(values: Sequence[float]) -> Estimate:
    if len(values) < 2:
        return Estimate(values[0], math.inf)
    return Estimate(statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values)))


def stages(record: dict) -> list[float]:
    """The mean stage of each root but the first, in which pages are written that starting has dirtied."""
    names = sorted(
        (int(row["name"][len(OF_ROOT) :]), row["name"])
        for row in record["rows"]
        if row["name"].startswith(OF_ROOT)
    )
    return [rows(record, name)[0]["median"] for _, name in names[1:]]


def ratio(above: Sequence[float], below: Sequence[float]) -> Estimate:
    """The one's sum over the other's; by how much each root is off that says how far it is chance."""
    found = sum(above) / sum(below)
    if len(above) < 2:
        return Estimate(found, math.inf)
    off = sum((a - found * b) ** 2 for a, b in zip(above, below, strict=True))
    return Estimate(found, math.sqrt(off / (len(above) - 1) * len(above)) / sum(below))


def over(one: dict, other: dict) -> Estimate:
    """The one's stages over the other's."""
    return ratio(stages(one), stages(other))


def speedup(one: dict, several: dict) -> Estimate:
    by_stages = theory.stages(one["nodes"]) / theory.stages(several["nodes"])
    found = over(one, several)
    return Estimate(by_stages * found.mean, by_stages * found.error)


def longer(pair: tuple[dict, dict], beside: tuple[dict, dict]) -> Estimate:
    """By how much more the first of a pair's stages are longer than the second's than those beside it are."""
    columns = [stages(record) for record in (*pair, *beside)]
    return estimate([(a - b) - (c - d) for a, b, c, d in zip(*columns, strict=True)])


def more(one: dict, other: dict) -> Estimate:
    """By how much the one's stages are longer."""
    return estimate([a - b for a, b in zip(stages(one), stages(other), strict=True)])


def larger_part(pair: tuple[dict, dict], beside: tuple[dict, dict]) -> Estimate:
    """The same in parts of the second's stages."""
    columns = [stages(record) for record in (*pair, *beside)]
    return estimate([a / b - c / d for a, b, c, d in zip(*columns, strict=True)])
