# SPDX-License-Identifier: MIT
"""Watches one emulator until it ends or has to be ended: reads its channels, its heartbeat and its limits.

The loop is one thread around a selector; signals arrive as exceptions and always leave the emulator ended.
"""

import os
import selectors
import time
from dataclasses import dataclass, field
from typing import Callable

from .frames import FILE, HEARTBEAT, Decoder, Frame
from .emulator import Emulator
from .guest_clock import GuestClock
from .status import Interrupted

SILENCE = float(os.environ.get("PARLEY_HANG_SECONDS") or 10)
GRACE = 5.0  # the kernel ends jobs at their limit by itself; the runner steps in later
TICK = 0.25
CONSOLE_TAIL = 1 << 16


@dataclass
class Seen:
    """Everything that came out of one boot."""

    frames: list[Frame] = field(default_factory=list)
    damage: str = ""
    ended_by: str = "itself"  # or hang, time-out, interrupt
    returncode: int | None = None
    console: bytes = b""  # its last part
    errors: bytes = b""
    guest_ns: int = 0
    seconds: float = 0.0


class Watch:
    def __init__(
        self, emulator: Emulator, limit: float, on_frame: Callable, on_console: Callable, on_tick: Callable
    ):
        self.emulator, self.limit = emulator, limit
        self.on_frame, self.on_console, self.on_tick = on_frame, on_console, on_tick
        self.decoder, self.seen = Decoder(), Seen()
        self.start = time.monotonic()
        self.clock = GuestClock(emulator.process.pid)
        self.last_beat = 0.0

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
        except (KeyboardInterrupt, Interrupted):
            self.seen.ended_by = "interrupt"
        finally:
            selector.close()
            self.finish()
        return self.seen

    def over(self) -> bool:
        """True when the machine has to be ended: it hangs, or its time is up."""
        if self.clock.tick() - self.last_beat > SILENCE:
            self.seen.ended_by = "hang"
        elif time.monotonic() - self.start > self.limit + GRACE:
            self.seen.ended_by = "time-out"
        return self.seen.ended_by != "itself"

    def finish(self) -> None:
        if self.seen.ended_by != "itself":
            self.emulator.end()
        self.seen.returncode = self.emulator.process.wait()
        self.seen.damage = self.decoder.finish()
        self.seen.seconds = time.monotonic() - self.start

    def take_results(self, data: bytes) -> None:
        for frame in self.decoder.feed(data):
            if frame.kind == HEARTBEAT:
                self.seen.guest_ns = frame.heartbeat()
                self.last_beat = self.clock.seconds
            else:
                if frame.kind != FILE:
                    self.seen.frames.append(frame)
                self.on_frame(frame)

    def take_console(self, data: bytes) -> None:
        self.seen.console = (self.seen.console + data)[-CONSOLE_TAIL:]
        self.on_console(data)

    def take_errors(self, data: bytes) -> None:
        self.seen.errors = (self.seen.errors + data)[-CONSOLE_TAIL:]
