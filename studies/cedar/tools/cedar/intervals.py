# SPDX-License-Identifier: MIT
"""Numbers that are known within bounds, as a printed one is by its digits. A result holds every value that
operands within their bounds can give."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

Number = "Interval | Fraction | int"


@dataclass(frozen=True)
class Interval:
    low: Fraction
    high: Fraction

    def holds(self, other: "Interval") -> bool:
        """Whether one value can be both."""
        return self.low <= other.high and other.low <= self.high

    def __add__(self, other: Number) -> "Interval":
        return combined(self, other, lambda one, two: one + two)

    def __sub__(self, other: Number) -> "Interval":
        return combined(self, other, lambda one, two: one - two)

    def __mul__(self, other: Number) -> "Interval":
        return combined(self, other, lambda one, two: one * two)

    def __truediv__(self, other: Number) -> "Interval":
        """Raises ZeroDivisionError where the other's bounds have 0 between them."""
        by = interval(other)
        if by.low <= 0 <= by.high:
            raise ZeroDivisionError(f"0 is between {float(by.low):g} and {float(by.high):g}")
        return combined(self, by, lambda one, two: one / two)

    def __str__(self) -> str:
        return f"{float(self.low):.4g} to {float(self.high):.4g}"


def interval(number: Number) -> Interval:
    return number if isinstance(number, Interval) else Interval(Fraction(number), Fraction(number))


def combined(one: Interval, other: Number, operation: Callable[[Fraction, Fraction], Fraction]) -> Interval:
    two = interval(other)
    ends = [operation(a, b) for a in (one.low, one.high) for b in (two.low, two.high)]
    return Interval(min(ends), max(ends))


def printed(digits: str) -> Interval:
    """What a number may have been that was rounded to these digits."""
    half = Fraction(1, 2 * 10 ** len(digits.partition(".")[2]))
    return Interval(Fraction(digits) - half, Fraction(digits) + half)
