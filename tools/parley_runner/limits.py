# SPDX-License-Identifier: MIT
"""How large a job and a machine can be, as the kernel's one header of limits says."""

import os
import re

from . import places

HEADER = os.path.join(places.ROOT, "interface", "limits.h")


def read(path: str) -> dict[str, int]:
    """PARLEY_MAX_NODES and the others -> number"""
    with open(path, encoding="utf-8") as file:
        lines = re.findall(r"^#define (PARLEY_MAX_\w+) (\d+)\b", file.read(), re.MULTILINE)
    return {name: int(value) for name, value in lines}


_LIMITS = read(HEADER)
NODES = _LIMITS["PARLEY_MAX_NODES"]
PIDS = _LIMITS["PARLEY_MAX_PIDS"]
PROCESSES = _LIMITS["PARLEY_MAX_PROCESSES"]
JOBS = _LIMITS["PARLEY_MAX_JOBS"]
PROCESSORS = _LIMITS["PARLEY_MAX_PROCESSORS"]
LONGEST_LOOPS = _LIMITS["PARLEY_MAX_LOOPS_TEXT"]
