# SPDX-License-Identifier: MIT
"""Watches one emulator until it ends or has to be ended: reads its channels and judges its heartbeats.

The loop is one thread around a selector. Signals arrive as exceptions; whatever leaves the loop, the emulator
has ended.
"""

import os
import selectors
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Callable

from parley_trace.memory import Memory

from .frames import FILE, HEARTBEAT, JOB, ROW, Decoder, Frame
from .emulator import Emulator
from .emulator_clock import EmulatorClock
from .pulse import Pulse
from .steadiness import Steadiness

# The kernel ends jobs at their limits by itself. What it does before, between and after them may take this
# many times the longest silence each; only then does the runner step in.
OUTSIDE_JOBS = 10
TICK = 0.25
CONSOLE_TAIL = 1 << 16
RECENT = 40  # measurements, more than a screen shows


@dataclass
class Seen:
    """Everything that came out of one boot."""

    frames: list[Frame] = field(default_factory=list)
    damage: str = ""
    # or hang, unending (of a job that was told to end), time-out, interrupt, late (long after the first one)
    ended_by: str = "itself"
    returncode: int | None = None
    console: bytes = b""  # its last part
    errors: bytes = b""
    rows: int = 0  # measurements among the frames
    recent: deque[Frame] = field(default_factory=lambda: deque(maxlen=RECENT))  # the last of them
    kept: list[float] = field(default_factory=list)  # a row: the part of its time without a host core
    guest_ns: int = 0
    machine: str = ""  # as it was asked for
    may_hang_by: str = ""  # a sentence on what hangs such a machine, and no other
    seconds: float = 0.0
    start: float | None = None  # seconds of the emulator's time to the first sign of life
    silence: float = 0.0  # of the same time, since the last one
    longest_silence: float = 0.0  # between two of them
    longest_gap_ns: int = 0  # of guest time, between two heartbeats
    overdue_ns: int = 0  # guest time since a job that still runs was told to end
    model: dict = field(default_factory=dict)  # what the model reported (model.py)
    memory: Memory | None = None  # what it counted by intervals, for a trace
    without_memory: str = ""  # a sentence on why that is lacking


class Watch:
    def __init__(
        self,
        emulator: Emulator,
        limits: list[int],
        turns: float,
        on_frame: Callable,
        on_console: Callable,
        on_tick: Callable,
    ):
        """`limits`: of the jobs, in seconds of guest time. `turns`: as a Pulse has it."""
        self.emulator, self.limits = emulator, limits
        self.on_frame, self.on_console, self.on_tick = on_frame, on_console, on_tick
        self.decoder, self.seen = Decoder(), Seen()
        self.start = time.monotonic()
        self.clock, self.pulse = EmulatorClock(emulator.process.pid), Pulse(turns)
        self.steadiness = Steadiness(emulator.process.pid)
        self.ending_since: float | None = None  # of the emulator's time: a job has been told to end
        self.latest: float | None = None  # of the same: the machine is to have ended

    def run(self) -> Seen:
        selector = selectors.DefaultSelector()
        selector.register(self.emulator.results, selectors.EVENT_READ, self.take_results)
        selector.register(self.emulator.console, selectors.EVENT_READ, self.take_console)
        selector.register(self.emulator.errors, selectors.EVENT_READ, self.take_errors)
        try:
            while selector.get_map() and not self.over():
                for event, _ in selector.select(TICK):
                    data = os.read(event.fd, 1 << 16)
                    if data:
                        event.data(data)
                    else:
                        selector.unregister(event.fd)
                self.seen.seconds = time.monotonic() - self.start
                self.on_tick(self.seen)
        except KeyboardInterrupt:
            self.seen.ended_by = "interrupt"
        except BaseException:  # of the runner's own: nobody would watch the machine any more
            self.emulator.end()
            raise
        finally:
            selector.close()
        self.finish()
        return self.seen

    def end_within(self, seconds: float) -> None:
        """Of the emulator's own time, or the machine is ended: may be called by another thread."""
        self.latest = self.clock.seconds + seconds

    def over(self) -> bool:
        """Whether the machine has to be ended: no sign of life, a job that does not end, or no end at all."""
        now = self.clock.tick()
        if self.pulse.stopped(now):
            self.seen.ended_by = "hang"
        elif self.ending_since is not None and now - self.ending_since > self.pulse.patience:
            self.seen.ended_by = "unending"
        elif self.seen.guest_ns / 1e9 > self.longest_run():
            self.seen.ended_by = "time-out"
        elif self.latest is not None and now > self.latest:
            self.seen.ended_by = "late"
        return self.seen.ended_by != "itself"

    def longest_run(self) -> float:
        """Seconds of guest time. Heartbeats tell it, so a slow host is no reason; the limits add up also for
        jobs that run together, for gangs wait for one another. A job's files have its limit once more."""
        return 2 * sum(self.limits) + OUTSIDE_JOBS * self.pulse.patience * (len(self.limits) + 1)

    def finish(self) -> None:
        if self.seen.ended_by != "itself":
            self.emulator.end()
        self.seen.returncode = self.emulator.process.wait()
        self.seen.damage = self.decoder.finish()
        self.seen.seconds = time.monotonic() - self.start
        self.seen.start = self.pulse.start
        self.seen.silence = self.pulse.silent(self.clock.seconds)
        self.seen.longest_silence = self.pulse.longest

    def take_results(self, data: bytes) -> None:
        for frame in self.decoder.feed(data):
            if self.pulse.start is None:
                self.pulse.beat(self.clock.tick())
            if frame.kind == HEARTBEAT:
                self.take_heartbeat(frame)
            else:
                if frame.kind != FILE:
                    self.seen.frames.append(frame)
                if frame.kind == ROW:
                    self.take_row(frame)
                elif frame.kind == JOB:
                    self.steadiness.begin()
                self.on_frame(frame)

    def take_row(self, frame: Frame) -> None:
        self.seen.rows += 1
        self.seen.recent.append(frame)
        self.seen.kept.append(self.steadiness.kept_from_running())

    def take_heartbeat(self, frame: Frame) -> None:
        now = self.clock.tick()
        self.pulse.beat(now)
        before = self.seen.guest_ns
        self.seen.guest_ns, self.seen.overdue_ns = frame.heartbeat()
        self.seen.longest_gap_ns = max(self.seen.longest_gap_ns, self.seen.guest_ns - before)
        if self.seen.overdue_ns == 0:
            self.ending_since = None
        elif self.ending_since is None:
            self.ending_since = now

    def take_console(self, data: bytes) -> None:
        self.seen.console = (self.seen.console + data)[-CONSOLE_TAIL:]
        self.on_console(data)

    def take_errors(self, data: bytes) -> None:
        self.seen.errors = (self.seen.errors + data)[-CONSOLE_TAIL:]
