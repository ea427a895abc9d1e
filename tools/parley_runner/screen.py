# SPDX-License-Identifier: MIT
"""What the user sees while machines run: the console, and a progress line when there is a terminal to draw it
on."""

import os
import sys

from . import frames
from .watch import Seen

BOLD, RED, GREEN, PLAIN = "\033[1m", "\033[31m", "\033[32m", "\033[0m"
CLEAR_LINE = "\r\033[K"


class Screen:
    def __init__(self, out=None, errors=None):
        self.out, self.errors = out or sys.stdout, errors or sys.stderr
        self.progress_on = self.errors.isatty() and os.environ.get("TERM") != "dumb"
        self.drawn = ""
        self.at_line_start = True

    def coloured(self, text: str, colour: str, stream) -> str:
        return f"{colour}{text}{PLAIN}" if stream.isatty() and not os.environ.get("NO_COLOR") else text

    def progress(self, what: str, seen: Seen) -> None:
        if not self.progress_on or not self.at_line_start:
            return
        rows = sum(frame.kind == frames.ROW for frame in seen.frames)
        text = f"{what}: {seen.seconds:.0f} s, {rows} measurements"
        if text != self.drawn:
            self.errors.write(CLEAR_LINE + text)
            self.errors.flush()
            self.drawn = text

    def clear(self) -> None:
        if self.drawn:
            self.errors.write(CLEAR_LINE)
            self.errors.flush()
            self.drawn = ""

    def console(self, data: bytes) -> None:
        self.clear()
        self.out.flush()
        self.out.buffer.write(data)
        self.out.flush()
        self.at_line_start = data.endswith(b"\n")

    def say(self, text: str) -> None:
        self.clear()
        self.fresh_line()
        self.out.write(text + "\n")
        self.out.flush()

    def heading(self, text: str) -> None:
        self.say(self.coloured(text, BOLD, self.out))

    def complain(self, text: str) -> None:
        self.clear()
        self.fresh_line()
        self.errors.write(self.coloured(text, RED, self.errors) + "\n")
        self.errors.flush()

    def fresh_line(self) -> None:
        if not self.at_line_start:
            self.out.write("\n")
            self.out.flush()
            self.at_line_start = True
