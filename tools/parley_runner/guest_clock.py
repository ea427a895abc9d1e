# SPDX-License-Identifier: MIT
"""How long a machine has really had the chance to run.

A busy or suspended host must not look like a hung machine, so time that the emulator's threads spent waiting
for a host core is not counted, nor is a gap in which the runner itself did not run.
"""

import os
import time

LARGEST_STEP = 1.0


def longest_wait(pid: int) -> float:
    """Seconds that the emulator's most delayed thread has waited for a core; 0 where the host does not
    tell."""
    longest = 0
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                longest = max(longest, int(file.read().split()[1]))
    except (OSError, IndexError, ValueError):
        pass
    return longest / 1e9


class GuestClock:
    def __init__(self, pid: int):
        self.pid = pid
        self.seconds = 0.0
        self.last, self.waited = time.monotonic(), longest_wait(pid)

    def tick(self) -> float:
        now, waited = time.monotonic(), longest_wait(self.pid)
        step = min(now - self.last, LARGEST_STEP) - max(0.0, waited - self.waited)
        self.seconds += max(0.0, step)
        self.last, self.waited = now, waited
        return self.seconds
