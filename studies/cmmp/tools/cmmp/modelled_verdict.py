# SPDX-License-Identifier: MIT
"""A verdict on what the documents print or claim. A printed number agrees when the one that was found is
within its limit; the limits are this project's own."""

from collections.abc import Mapping
from dataclasses import dataclass

from cmmp import documents
from cmmp.modelled_roots import Estimate

# Limits of verdicts, which reasons have, too.
THRESHOLD_WITHIN, SPEEDUP_WITHIN = 0.25, 0.10
LATE = 2.0  # times the first: how late the last of five processes wakes up that are served in turn
SAME = 0.05  # of spin's time, within which others are indistinguishable
LITTLE_APART = 1.3  # times, of spin and policy-0 at exponential lengths
TOO_LITTLE = 1.2  # exponential lengths' speed-up of any number of processes is below that
REQUEST = 150e6  # ns that the end of a slice costs (3.4.4)
FAR_KINDS = tuple(kind for kind in documents.KINDS if kind != "policy-0")


@dataclass(frozen=True)
class Cause:
    """What boots found of what is suspected to be why a verdict does not hold. There is none without an
    answer, which can be no."""

    text: str
    is_so: bool  # whether that explains it


@dataclass(frozen=True)
class Verdict:
    said: str
    holds: bool
    evidence: str
    boots: str  # whose records say so
    cause: Cause | None = None  # without one no listed reason excuses it
    is_open: bool = False  # it is not told from what chance does in a run, as by what its roots are apart

    @property
    def borne_out(self) -> bool:
        return self.cause is not None and self.cause.is_so


def listed(values: Mapping[str, float | Estimate | None], form: str = "{:.3g}") -> str:
    return ", ".join(f"{name} {form.format(one)}" for name, one in values.items() if one is not None)


def rising(values: list[float | None]) -> bool:
    return None not in values and all(low < high for low, high in zip(values, values[1:]))


def agrees(found: float, printed: float, within: float) -> bool:
    return abs(found / printed - 1) <= within


def by_roots(said: str, told: bool | None, evidence: str, boots: str) -> Verdict:
    """None: what chance does in a boot is not told apart from it, as by roots that were compared."""
    return Verdict(said, told is True, evidence, boots, is_open=told is None)


def number_by_roots(
    said: str, found: Estimate, printed: float, within: float, boots: str, unit: str = ""
) -> Verdict:
    """Of a printed one: the whole of what the roots leave possible is to agree, or nothing of it does."""
    told = found.is_within(printed * (1 - within), printed * (1 + within))
    text = (
        f"{found:.2f}{unit}, printed {printed:.3g}{unit}, ratio {found.mean / printed:.2f}, limit"
        f" {100 * within:.0f} %"
    )
    return by_roots(said, told, text, boots)


def number(
    said: str, found: float | None, printed: float, within: float, boots: str, unit: str = ""
) -> Verdict:
    """Of a printed one."""
    if found is None:
        return Verdict(said, False, f"no such number was found (printed: {printed:g}{unit})", boots)
    ratio = found / printed
    text = f"{found:.3g}{unit}, printed {printed:.3g}{unit}, ratio {ratio:.2f}, limit {100 * within:.0f} %"
    return Verdict(said, abs(ratio - 1) <= within, text, boots)
