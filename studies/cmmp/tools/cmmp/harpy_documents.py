# SPDX-License-Identifier: MIT
"""What is printed of HARPY in Oleinick, The Implementation and Evaluation of Parallel Algorithms on C.mmp
(CMU-CS-78-151, 1978), chapter 5: fifteen utterances, forward step, one and eight processes. The time of one
process in V2 is not printed, but nearly V1's: it follows from V2's speed-up."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Printed:
    one: float  # seconds
    eight: float
    own: float  # speed-up of eight on the version's own one
    on_v1: float  # on V1's one
    utilization: float  # percent, at eight


FORWARD = {
    "V1": Printed(52.89, 18.148, 2.914, 2.914, 27.46),
    "V2": Printed(52.8, 15.206, 3.471, 3.478, 32.70),
    "V3": Printed(66.69, 14.966, 4.456, 3.535, 52.99),
    "V4": Printed(65.3, 12.339, 5.295, 4.29, 63.69),
}
FOLLOWS = ("V2",)  # versions of which one process's time is not printed
PRUNING = (28.0, 6.0)  # seconds of one process, and at most of eight
# Shares of segments with 1 to 10, 11 to 100, 101 to 1000, and more units of work, in percent.
CANDIDATES = (65.7, 30.3, 4.0, 0.0)
PAIRS = (38.0, 32.0, 28.0, 2.0)
ONE_CANDIDATE = 24.0


def line(version: str) -> str:
    printed = FORWARD.get(version)
    if not printed:
        return ""
    return (
        f"printed: {printed.one:5.2f} s, {printed.eight:6.3f} s at 8; speed-up {printed.own:.3f},"
        f" on V1 {printed.on_v1:.3f}; {printed.utilization:.1f} %"
    )
