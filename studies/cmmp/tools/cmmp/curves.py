# SPDX-License-Identifier: MIT
"""Curves of a share of the time over lengths of evaluations, and where they cross a half."""

Curve = dict[float, float]


def crossing(sweep: Curve) -> float:
    """Where half of the time is overhead: between two lengths, on a logarithmic scale."""
    before = None
    for length, share in sorted(sweep.items()):
        if before and before[1] < 0.5 <= share:
            part = (0.5 - before[1]) / (share - before[1])
            return before[0] * (length / before[0]) ** part
        before = (length, share)
    raise ValueError("no length has half of its time as overhead")
