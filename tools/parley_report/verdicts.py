# SPDX-License-Identifier: MIT
"""Whether one measurement is above another beyond the noise, and how sure that is.

CLOCK=counted repeats to the last digit, so there any difference of the medians is one; where only other
samples differ, nothing is faster or slower, and a note says so. Under the free clock:

* With four boots and more on both sides the logarithms of the boots' medians are compared by Welch's test,
  and the ranks must say so too (Mann and Whitney), so that no single boot decides. The ratio is the estimate
  of Hodges and Lehmann with its interval of 95 %.
* With fewer, a median's error follows from the quartiles and the number of samples, as for the notches of a
  box plot (McGill, Tukey and Larsen 1978), and how far boots of the same thing lie apart is added: as the
  records themselves show it, or BOOT_SPREAD where they repeat nothing.

Times of a boot are divided by its bare ping-pong where both sides have one, for only ratios within a boot
mean something; but not those of more than two parties, which a ping-pong of two is no unit of. Many
measurements are judged at once, so Benjamini and Hochberg's procedure decides which count: of those called
different one in twenty may be wrong.
"""

import math
import statistics
from dataclasses import dataclass

from parley_runner import table

from .measurements import Column, Row

WRONG = 0.05  # part of the differences found that may be none
NORMAL = 1.96  # how many standard errors to a side hold 95 %
BOOTS = 4  # the fewest on a side from which ranks can tell: of 4 and 4, 2 orders in 70 are extreme
# Standard deviation of the logarithm of ratios between boots of the same thing: fifteen boots of a null
# message (`tools/bench.py null`) ranged over 0.29 to 0.38, and 15 normal values do over 3.47 deviations.
BOOT_SPREAD = 0.10
LEAST_FREEDOM = 6  # from that many degrees of freedom on the records' own repetitions say it better
QUARTILES = 0.929  # a median's standard error is this many distances of the quartiles, over the root of n

OTHER_SAMPLES = "exact: the medians are equal, the other samples are not"
BUSY = "the host was too busy to measure this"
UNIT = f"the {table.YARDSTICK} is the unit of the others and depends on where the host runs the processors"

SAME, LOWER, HIGHER, UNTOLD = "same", "lower", "higher", "untold"


@dataclass
class Verdict:
    """Of B beside A."""

    kind: str
    ratio: float | None = None  # B's over A's, with its interval of 95 %
    low: float | None = None
    high: float | None = None
    p: float | None = None
    why: str = ""  # of what cannot be told, and how it was judged otherwise
    figures: tuple[float, float] = (0.0, 0.0)  # A's and B's, as they were compared
    divided: bool = False  # these are multiples of the boots' own ping-pongs
    by_rank: bool = True  # the ranks of the boots tell the two apart; true where there are none

    @property
    def differs(self) -> bool:
        return self.kind in (LOWER, HIGHER)


Found = list[tuple[Column, Row]]


def judge(pairs: list[tuple[Found, Found]], spread: float | None = None) -> list[Verdict]:
    """A verdict for each pair (A, B) of the same measurement's rows."""
    spread = boot_spread([side for pair in pairs for side in pair]) if spread is None else spread
    verdicts = [compare(a, b, spread) for a, b in pairs]
    tested = sorted((v for v in verdicts if v.p is not None), key=lambda v: v.p)
    last = 0
    for rank, verdict in enumerate(tested, start=1):
        if verdict.p <= WRONG * rank / len(tested):
            last = rank
    for rank, verdict in enumerate(tested, start=1):
        told = rank <= last and verdict.by_rank
        verdict.kind = SAME if not told else HIGHER if verdict.ratio > 1 else LOWER
    return verdicts


def compare(a: Found, b: Found, spread: float) -> Verdict:
    """Of a pair that is tested the kind is left to judge."""
    if all(column.is_counted for column, _ in a + b) or a[0][1].is_exact:
        return with_figures(exactly(a, b), [[row.median for _, row in side] for side in (a, b)])
    steady_a, steady_b = steady(a), steady(b)
    one_boot = {column.boot for column, _ in steady_a} == {column.boot for column, _ in steady_b}
    by_yardstick = not one_boot and all(
        column.yardstick > 0 and can_divide(row) for column, row in steady_a + steady_b
    )
    sides = (steady_a, steady_b) if steady_a and steady_b else (a, b)
    values = [[value(column, row, by_yardstick) for column, row in side] for side in sides]
    if not steady_a or not steady_b:
        return with_figures(Verdict(UNTOLD, why=BUSY), values)
    if a[0][1].name == table.YARDSTICK and not one_boot:
        return with_figures(Verdict(UNTOLD, why=UNIT), values)
    if min(map(min, values)) <= 0:
        return with_figures(of_differences(*values, *sides, by_yardstick), values, by_yardstick)
    logs = [[math.log(number) for number in side] for side in values]
    if min(len(side) for side in logs) >= BOOTS:
        found = by_boots(*logs)
    else:
        found = by_quartiles(logs, sides, by_yardstick, 0.0 if one_boot else spread)
    return with_figures(found, values, by_yardstick)


def with_figures(verdict: Verdict, values: list[list[float]], divided: bool = False) -> Verdict:
    verdict.figures = tuple(map(statistics.median, values))
    verdict.divided = divided
    return verdict


def steady(side: Found) -> Found:
    return [
        (column, row) for column, row in side if not row.unsteady and not (row.is_time and column.is_busy)
    ]


def can_divide(row: Row) -> bool:
    return row.is_time and row.name != table.YARDSTICK and not row.is_of_crowd


def value(column: Column, row: Row, by_yardstick: bool) -> float:
    return row.median / column.yardstick if by_yardstick else row.median


def figures(row: Row) -> tuple:
    return (row.median, row.lower, row.upper, row.least, row.most)


def exactly(a: Found, b: Found) -> Verdict:
    """Every boot of a counted system finds the same. Times are judged by their medians; what a program
    counts, by all that it says."""
    before, after = (statistics.median(row.median for _, row in side) for side in (a, b))
    said = [sorted(figures(row) for _, row in side) for side in (a, b)]
    alike = said[0] == said[1] if len(a) == len(b) else set(said[0]) == set(said[1])
    ratio = after / before if before > 0 and after >= 0 else None
    kind = SAME if alike else LOWER if after < before else HIGHER
    why = "exact"
    if not alike and after == before:
        why = OTHER_SAMPLES
        if a[0][1].is_time:
            kind = SAME
        else:
            kind = HIGHER if spread_sum(b) > spread_sum(a) else LOWER
    return Verdict(kind, ratio, ratio, ratio, why=why)


def spread_sum(side: Found) -> float:
    return statistics.fmean(sum(figures(row)) for _, row in side)


def by_boots(a: list[float], b: list[float]) -> Verdict:
    from scipy import stats

    ranked = float(stats.mannwhitneyu(b, a, alternative="two-sided").pvalue) <= WRONG
    if max(a) == min(a) and max(b) == min(b):
        p = 1.0 if a[0] == b[0] else 0.0
    else:
        p = float(stats.ttest_ind(b, a, equal_var=False).pvalue)
    apart = sorted(second - first for first in a for second in b)
    m, n = len(a), len(b)
    edge = max(math.floor(m * n / 2 - NORMAL * math.sqrt(m * n * (m + n + 1) / 12)), 1)
    ratio, low, high = (math.exp(x) for x in (statistics.median(apart), apart[edge - 1], apart[-edge]))
    return Verdict(SAME, ratio, low, high, p, f"{m} and {n} boots", ranked)


def by_quartiles(
    logs: list[list[float]], sides: tuple[Found, Found], divided: bool, spread: float
) -> Verdict:
    error = 0.0
    for side in sides:
        if min(row.samples for _, row in side) < 3:
            return Verdict(UNTOLD, ratio_of(logs), why="fewer than three samples")
        inside = [relative_error(column, row, divided) for column, row in side]
        error += (statistics.fmean(inside) + spread**2) / len(side)
    ratio = ratio_of(logs)
    width = NORMAL * math.sqrt(error)
    boots = f"{len(sides[0])} and {len(sides[1])} boots" if spread else "one boot"
    low, high = ratio * math.exp(-min(width, 700)), ratio * math.exp(min(width, 700))
    return Verdict(
        SAME, ratio, low, high, two_sided(math.log(ratio), math.sqrt(error)), f"quartiles, {boots}"
    )


def ratio_of(logs: list[list[float]]) -> float:
    return math.exp(statistics.fmean(logs[1]) - statistics.fmean(logs[0]))


def two_sided(distance: float, error: float) -> float:
    if error == 0:
        return 1.0 if distance == 0 else 0.0
    return math.erfc(abs(distance) / error / math.sqrt(2))


def relative_error(column: Column, row: Row, divided: bool) -> float:
    """Squared: of the median, as a part of it; with that of what it was divided by."""
    result = squared_error(row) / row.median**2
    if divided:
        bare = next(other for other in column.rows if other.name == table.YARDSTICK)
        result += squared_error(bare) / bare.median**2
    return result


def squared_error(row: Row) -> float:
    return (QUARTILES * (row.upper - row.lower)) ** 2 / max(row.samples, 1)


def of_differences(
    a: list[float], b: list[float], rows_a: Found, rows_b: Found, by_yardstick: bool
) -> Verdict:
    """Where something is not above zero there is no ratio to test. The errors are in the unit of a and b."""
    if sorted(a) == sorted(b):
        return Verdict(SAME, why="equal")

    def error_of(column: Column, row: Row) -> float:
        return squared_error(row) / (column.yardstick**2 if by_yardstick else 1.0)

    error = sum(
        statistics.fmean(error_of(column, row) for column, row in side) / len(side)
        for side in (rows_a, rows_b)
    )
    apart = statistics.fmean(b) - statistics.fmean(a)
    p = two_sided(apart, math.sqrt(error))
    kind = SAME if p > WRONG else HIGHER if apart > 0 else LOWER
    return Verdict(kind, why="quartiles; no ratio to zero")


def boot_spread(sides: list[Found]) -> float:
    """The standard deviation between boots, pooled over everything that was measured in several."""
    squares, freedom = 0.0, 0
    for side in sides:
        rows = [(column, row) for column, row in steady(side) if row.median > 0 and not row.is_exact]
        if len({column.boot for column, _ in rows}) < 2 or any(column.is_counted for column, _ in rows):
            continue
        divide = all(column.yardstick > 0 and can_divide(row) for column, row in rows)
        logs = [math.log(value(column, row, divide)) for column, row in rows]
        squares += statistics.variance(logs) * (len(logs) - 1)
        freedom += len(logs) - 1
    return math.sqrt(squares / freedom) if freedom >= LEAST_FREEDOM else BOOT_SPREAD


MOST_DIGITS = 12  # what differs in the digits after these is rounding


def digits_apart(first: float, second: float, digits: int) -> int:
    """How many digits show that the two differ: these, or as few more as do; these where none would."""
    return next(
        (more for more in range(digits, MOST_DIGITS + 1) if f"{first:.{more}g}" != f"{second:.{more}g}"),
        digits,
    )


def ratio_words(verdict: Verdict, digits: int) -> str:
    """The ratio in that many digits; one that differs is not shown as 1."""
    if verdict.differs:
        digits = digits_apart(verdict.ratio, 1.0, digits)
    return f"{verdict.ratio:.{digits}g}"


def words(verdict: Verdict, is_time: bool) -> str:
    """`faster`, `slower`, `lower`, `higher`, `same` or `untold`"""
    if is_time and verdict.differs:
        return "faster" if verdict.kind == LOWER else "slower"
    return verdict.kind
