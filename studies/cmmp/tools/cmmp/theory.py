# SPDX-License-Identifier: MIT
"""What the rootfinder would take without any overhead: equations 3.1 to 3.6 of Oleinick and Fuller.

A stage lasts as long as its longest evaluation, so its mean is that of the largest of n random lengths; a
root takes R(n) stages, whatever the lengths. As printed, (3.5) adds up to n; it must add up to R(n)."""

import functools
import math
import statistics

MOST_PROCESSES = 12
RANGE = 10**16  # of the interval, over epsilon
KINDS = ("constant", "normal", "exponential")
NORMAL = statistics.NormalDist()


def stages(processes: int) -> int:
    """R(n): the smallest number of divisions into n + 1 parts that comes down to epsilon; exact."""
    count, parts = 0, 1
    while parts < RANGE:
        parts *= processes + 1
        count += 1
    return count


@functools.cache
def largest_normal(processes: int) -> float:
    """Mean of the largest of n standard normal variables, (3.2), by Simpson's rule to about nine digits."""
    low, steps = -9.0, 3600
    width = -2 * low / steps
    total = 0.0
    for step in range(steps + 1):
        x = low + step * width
        weight = 1 if step in (0, steps) else 4 if step % 2 else 2
        total += weight * x * processes * NORMAL.cdf(x) ** (processes - 1) * NORMAL.pdf(x)
    return total * width / 3


def largest(kind: str, processes: int, deviation: float = 0.25) -> float:
    """Mean of the largest of n lengths of mean 1; `deviation`: of normal ones."""
    if kind == "constant":
        return 1.0
    if kind == "exponential":  # (3.4), of which this is the sum
        return math.fsum(1 / k for k in range(1, processes + 1))
    return 1 + deviation * largest_normal(processes)


def largest_at_most(processes: int, deviation: float) -> float:
    """The bound (3.3) for lengths of any distribution."""
    return 1 + deviation * (processes - 1) / math.sqrt(2 * processes - 1)


def runtime(kind: str, processes: int, deviation: float = 0.25) -> float:
    """Of one root, in mean lengths: (3.5)."""
    return stages(processes) * largest(kind, processes, deviation)


def speedup(kind: str, processes: int, deviation: float = 0.25) -> float:
    """(3.6)"""
    return runtime(kind, 1, deviation) / runtime(kind, processes, deviation)


def table(deviation: float) -> str:
    lines = [
        f"Speed-up without overhead (3.6); normal lengths have a deviation of {deviation:g} of their mean.",
        f"{'n':>3} {'R(n)':>5} {'constant':>9} {'normal':>9} {'exponent.':>9} {'worst':>9} {'E normal':>9}"
        f" {'E expon.':>9}",
    ]
    for n in range(1, MOST_PROCESSES + 1):
        worst = stages(1) / (stages(n) * largest_at_most(n, deviation))
        values = [speedup(kind, n, deviation) for kind in KINDS]
        values += [worst, largest("normal", n, deviation), largest("exponential", n)]
        lines.append(f"{n:3} {stages(n):5} " + " ".join(f"{value:9.3f}" for value in values))
    lines.append("worst: by the bound (3.3), for any distribution. E: a stage, in mean lengths.")
    return "\n".join(lines)
