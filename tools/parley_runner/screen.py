# SPDX-License-Identifier: MIT
"""What the user sees while machines run: the console, and, where there is a terminal to draw on,
the measurements as they come and a line of progress, whose place the table takes. On a terminal the control
bytes of programs are shown, as in \\x1b; a pipe gets every byte as it is."""

import codecs
import os
import shutil
import sys
import unicodedata

from . import frames, table
from .watch import Seen

BOLD, RED, GREEN, PLAIN = "\033[1m", "\033[31m", "\033[32m", "\033[0m"
BEGINNING = 8  # frames, of which one announces the first job
CLEAR_LINE = "\r\033[K"
# Marks that turn the direction of what follows them, by which a text can look like another one.
TURNING = set(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def shown(text: str) -> str:
    """As a terminal may have it: lines and tabs, and everything else that it would obey as an escape."""
    return "".join(map(shown_character, text)) if not text.isprintable() else text


def shown_character(character: str) -> str:
    if character in "\n\t" or character.isprintable():
        return character
    if unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp") and character not in TURNING:
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class Screen:
    def __init__(self, out=None, errors=None, quiet: bool = False):
        self.out, self.errors = out or sys.stdout, errors or sys.stderr
        self.progress_on = self.errors.isatty() and os.environ.get("TERM") != "dumb" and not quiet
        self.drawn = ""
        self.at_line_start = True
        self.decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self.carriage = False  # the console's last character is a carriage return, held back

    def coloured(self, text: str, colour: str, stream) -> str:
        """Of our own or of a program's words."""
        if not stream.isatty():
            return text
        return f"{colour}{shown(text)}{PLAIN}" if colour and not os.environ.get("NO_COLOR") else shown(text)

    def progress(self, what: str, seen: Seen) -> None:
        if not self.progress_on or not self.at_line_start:
            return
        size = shutil.get_terminal_size()
        rows = [table.line(frame.row()) for frame in seen.recent][-max(size.lines - 3, 1) :]
        begun = any(frame.kind == frames.JOB for frame in seen.frames[:BEGINNING])
        rows.append(f"{what}: {seen.seconds:.0f} s, " + (f"{seen.rows} measurements" if begun else "booting"))
        self.draw("\n".join(shown(row)[: size.columns - 1] for row in rows))

    def draw(self, text: str) -> None:
        """Lines that stay until the next words take their place."""
        if text != self.drawn:
            self.errors.write(self.undrawn() + text)
            self.errors.flush()
            self.drawn = text

    def undrawn(self) -> str:
        """What takes the drawn lines away again."""
        lines = self.drawn.count("\n")
        return (f"\r\033[{lines}A" if lines else "\r") + "\033[J" if self.drawn else CLEAR_LINE

    def clear(self) -> None:
        if self.drawn:
            self.errors.write(self.undrawn())
            self.errors.flush()
            self.drawn = ""

    def console(self, data: bytes) -> None:
        if not data:
            return
        self.clear()
        self.out.flush()
        self.out.buffer.write(self.harmless(data) if self.out.isatty() else data)
        self.out.flush()
        self.at_line_start = data.endswith(b"\n")

    def harmless(self, data: bytes) -> bytes:
        """The next piece of the console for a terminal; characters and line ends may come in two pieces."""
        text = "\r" * self.carriage + self.decoder.decode(data)
        self.carriage = text.endswith("\r")
        text = text.removesuffix("\r") if self.carriage else text
        return os.fsencode(shown(text.replace("\r\n", "\n")))

    def say(self, text: str, colour: str = "") -> None:
        self.clear()
        self.fresh_line()
        self.out.write(self.coloured(text, colour, self.out) + "\n")
        self.out.flush()

    @property
    def width(self) -> int:
        """Columns of the terminal; 0: there is none."""
        return shutil.get_terminal_size().columns if self.out.isatty() else 0

    def heading(self, text: str) -> None:
        self.say(text, BOLD)

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
