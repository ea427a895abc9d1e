# SPDX-License-Identifier: MIT
"""A verdict on what the documents print or claim. A printed number agrees when the one that was found is
within its limit; the limits are this project's own."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    said: str
    holds: bool
    evidence: str
    boots: str  # whose records say so
    cause: str = ""  # what boots found from which a suspected cause was left out, and which


def number(
    said: str, found: float | None, printed: float, within: float, boots: str, unit: str = ""
) -> Verdict:
    """Of a printed one."""
    if found is None:
        return Verdict(said, False, f"no such number was found (printed: {printed:g}{unit})", boots)
    ratio = found / printed
    text = f"{found:.3g}{unit}, printed {printed:.3g}{unit}, ratio {ratio:.2f}, limit {100 * within:.0f} %"
    return Verdict(said, abs(ratio - 1) <= within, text, boots)
