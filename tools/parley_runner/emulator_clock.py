# SPDX-License-Identifier: MIT
"""The emulator's own time: what it has computed, and what it has slept through though nothing held it up.

Time in which its threads wait for a host core, are stopped, or wait for a disk is not the machine's fault
and is not counted: so a busy host, a suspended one, and one that gives the emulator a tenth of a core look
like an idle one.
"""

import os
import time
from dataclasses import dataclass

# Seconds that one look may add: in a longer gap the runner itself did not run.
LARGEST_STEP = 1.0
# The part of a step up to which an emulator that sleeps at its end has slept.
IDLE = 0.05
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass
class Threads:
    """Those of one process, at one moment."""

    computed: dict[str, float]  # thread -> seconds of processor time
    asleep: bool  # all of them, of their own accord


def look(pid: int) -> Threads | None:
    """None where the host does not tell."""
    computed, asleep = {}, True
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            computed[task] = (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND
            asleep = asleep and fields[0] == "S"
    except (OSError, IndexError, ValueError):
        return None
    return Threads(computed, asleep)


def busiest(before: Threads, now: Threads) -> float:
    """Seconds that the thread that computed most has computed between two looks."""
    return max(
        (seconds - before.computed.get(task, 0.0) for task, seconds in now.computed.items()), default=0.0
    )


class EmulatorClock:
    def __init__(self, pid: int):
        self.pid = pid
        self.seconds = 0.0
        self.at, self.threads = time.monotonic(), look(pid)

    def tick(self) -> float:
        """Looks again; the seconds until now."""
        at, threads = time.monotonic(), look(self.pid)
        step = min(at - self.at, LARGEST_STEP)
        if self.threads is None or threads is None:
            self.seconds += step
        else:
            computed = min(busiest(self.threads, threads), LARGEST_STEP)
            slept = threads.asleep and computed <= IDLE * step
            self.seconds += step if slept else computed
        self.at, self.threads = at, threads
        return self.seconds
