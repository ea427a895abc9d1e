# SPDX-License-Identifier: MIT
"""What people see while tests run: on a terminal one live line under the suites that are done; in a pipe a
line for each suite, and one of progress now and then."""

import shutil
import sys
import time

PIPE_SECONDS = 30
TERMINAL_SECONDS = 0.2


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(max(seconds, 0)), 60)
    return f"{minutes}:{rest:02d}"


def about(seconds: float) -> str:
    return f"about {round(seconds / 60)} min" if seconds >= 90 else f"about {round(max(seconds, 0))} s"


class Progress:
    def __init__(self, out=sys.stdout):
        self.out, self.live = out, out.isatty()
        self.every = TERMINAL_SECONDS if self.live else PIPE_SECONDS
        self.next = time.monotonic() + self.every

    def say(self, text: str) -> None:
        self.clear()
        print(text, file=self.out, flush=True)

    def clear(self) -> None:
        if self.live:
            self.out.write("\r\033[K")

    def show(self, text: str) -> None:
        """The state of things, if it is time for it."""
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + self.every
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            self.out.write("\r\033[K" + text[:width])
            self.out.flush()
        else:
            print(text, file=self.out, flush=True)
