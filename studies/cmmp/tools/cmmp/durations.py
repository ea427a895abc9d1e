# SPDX-License-Identifier: MIT
"""Spans of time as keys take them: digits and a unit, 500ms."""

import re

from parley_runner.status import BadRequest

UNITS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}  # nanoseconds
TICK = 10_000_000  # ns: of the kernel's clock


def parse(name: str, text: str, most: int, least: int = 0) -> int:
    """Nanoseconds between `least` and `most`; or a BadRequest that says what is wrong."""
    match = re.fullmatch(r"\s*([0-9]{1,15})(ns|us|ms|s)\s*", text)
    if match is None:
        raise BadRequest(f"{name} takes a span of time, as 500ms or 20us, not '{text}'.")
    span = int(match[1]) * UNITS[match[2]]
    if not least <= span <= most:
        raise BadRequest(f"{name} lies between {written(least)} and {written(most)}, not at {text}.")
    return span


def written(nanoseconds: int) -> str:
    """In the largest unit that has no remainder."""
    unit = max((unit for unit in UNITS if nanoseconds % UNITS[unit] == 0), key=lambda unit: UNITS[unit])
    return f"{nanoseconds // UNITS[unit]}{unit}" if nanoseconds else "0"
