# SPDX-License-Identifier: MIT
"""Fixed-head disks, DISK=fixed-head:16670us:4, to which policy processes write the pages of who waits: a page
is read in a revolution, and written and checked in two; a request waits for those before it."""

from dataclasses import dataclass

from cmmp import durations
from parley_runner.status import BadRequest

NAME, NONE = "fixed-head", "none"
ROTATION, DISKS = "16670us", 4  # C.mmp's
MOST_ROTATION, MOST_DISKS = 1_000_000_000, 64


@dataclass(frozen=True)
class Disks:
    rotation: int  # nanoseconds
    number: int


def parse(text: str) -> Disks | None:
    """None: pages take no time; or a BadRequest that says what is wrong."""
    if text == NONE:
        return None
    name, *arguments = text.split(":")
    if name != NAME or len(arguments) > 2:
        raise BadRequest(f"there is no disk '{text}'; say DISK={NONE} or DISK={NAME}:{ROTATION}:{DISKS}.")
    rotation, disks = (*arguments, *("",) * 2)[:2]
    span = durations.parse(f"the rotation of DISK={NAME}", rotation or ROTATION, MOST_ROTATION)
    if span % durations.UNITS["us"] != 0:
        raise BadRequest(
            f"the rotation of DISK={NAME} is a whole number of microseconds, which {rotation} is not."
        )
    if disks and not (disks.isascii() and disks.isdigit() and 1 <= int(disks) <= MOST_DISKS):
        raise BadRequest(f"DISK={NAME} has 1 to {MOST_DISKS} disks, not '{disks}'.")
    return Disks(span, int(disks or DISKS))


def words(values: dict) -> list[str]:
    """For the kernel (measuring/losses.hpp); nothing where pages take no time."""
    found = None if values["disk"] is None else parse(values["disk"])
    if found is None:
        return []
    return [f"disks={found.number}", f"rotation={found.rotation // durations.UNITS['us']}"]
