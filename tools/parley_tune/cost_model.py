# SPDX-License-Identifier: MIT
"""What a message costs in a design: in the base what its null pair takes by length, and for each class that
another design has instead of the base's what that class alone changes (counted or modelled null pairs, a boot
for each class); and what nodes' beginning and end take more with it. Costs of classes are added; that they
influence each other is the model's error."""

import bisect
from dataclasses import dataclass, field

Curve = list[tuple[int, float]]  # length in bytes, ns of a message; by length
Choice = tuple[tuple[str, str], ...]  # (factor, class) of what is not as in the base


def at(curve: Curve, length: int) -> float:
    """In between by a straight line, and beyond the ends as the last two points go on."""
    if len(curve) == 1:
        return curve[0][1]
    place = min(max(bisect.bisect_left(curve, (length, float("-inf"))), 1), len(curve) - 1)
    (left, low), (right, high) = curve[place - 1], curve[place]
    if length <= left:
        return low
    return low + (high - low) * (length - left) / (right - left)


@dataclass
class CostModel:
    base: Curve
    base_start: float = 0.0  # ns
    changed: dict[tuple[str, str], Curve] = field(default_factory=dict)  # with that class instead
    starts: dict[tuple[str, str], float] = field(default_factory=dict)

    def change(self, choice: Choice, length: int) -> float:
        """ns by which a message of that length takes longer than in the base."""
        return sum(at(self.changed[one], length) - at(self.base, length) for one in choice)

    def predicted(self, base_ns: float, weights: dict[int, float], choice: Choice) -> float:
        """ns of a program that takes base_ns in the base."""
        start = sum(self.starts.get(one, self.base_start) - self.base_start for one in choice)
        return base_ns + start + sum(count * self.change(choice, length) for length, count in weights.items())
