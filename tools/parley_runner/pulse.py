# SPDX-License-Identifier: MIT
"""Whether a machine still lives: how long it may be silent follows from how fast this very boot began.

The firmware and the kernel's first step are a known piece of work; what they took of the emulator's own
time tells how fast host, emulator and its options make this machine. A machine hangs when it has given no
sign of life for many times that, and never before a least time, which covers what does not grow with
slowness: heartbeats that come once a second, and turns when one host thread runs all processors.
"""

import os

# Seconds of the emulator's time; PARLEY_HANG_SECONDS sets another least silence.
LEAST_SILENCE = float(os.environ.get("PARLEY_HANG_SECONDS") or 10)
# A machine is silent at most for this many times what it took to its first sign of life.
TIMES_THE_START = 150
# Before that sign nothing is known of this boot but that it is one.
LONGEST_START = 30 * LEAST_SILENCE
# When one host thread runs all processors, each has turns of up to a tenth of a second: ten rounds.
TURNS = 1.0
# On a modelled machine a heartbeat comes in a time of the machine's own, in which a fast one carries out many
# instructions. The model carries out ten million a second and more.
LEAST_INSTRUCTIONS = 2e6  # a second
HEARTBEAT = 0.01  # of the machine's seconds


class Pulse:
    def __init__(self, turns: float):
        """`turns`: seconds that processors may take until all that share one host thread have had theirs."""
        self.turns = turns
        self.last = 0.0
        self.longest = 0.0  # silence that a beat has ended
        self.start: float | None = None  # what it took to the first sign of life

    def beat(self, now: float) -> None:
        if self.start is None:
            self.start = now
        else:
            self.longest = max(self.longest, now - self.last)
        self.last = now

    @property
    def patience(self) -> float:
        """Seconds of the emulator's time that it may be silent."""
        if self.start is None:
            return LONGEST_START
        return max(LEAST_SILENCE, TIMES_THE_START * self.start) + self.turns

    def silent(self, now: float) -> float:
        return now - self.last

    def stopped(self, now: float) -> bool:
        return self.silent(now) > self.patience


def turns(processors: int, instruction: float = 0.0) -> float:
    """What a Pulse is told of so many processors on one host thread. `instruction`: what the fastest takes on
    a modelled machine, in seconds of its own."""
    modelled = HEARTBEAT / instruction / LEAST_INSTRUCTIONS if instruction else 0.0
    return processors * max(TURNS, modelled)
