# SPDX-License-Identifier: MIT
"""The machine's console by lines: those that the kernel writes before a program does can be left out, and
those that it writes about a process can be explained. What cannot be such a line goes on at once, also
without its end."""

import re
import threading
from typing import Callable

STEP = re.compile(rb"(?:Parley|  boot \d+ us  .*)\r?\n")
STEP_BEGINS = (b"Parley", b"  boot ")
CAUTION = b"  unprotected inside the job"


class Lines:
    """Lines that `may_be_kernels` are held until they are whole, and `taken` says what becomes of them."""

    def __init__(self, may_be_kernels: Callable[[bytes], bool], taken: Callable[[bytes], bytes]):
        self.may_be_kernels, self.taken = may_be_kernels, taken
        self.pending = b""
        self.inside = False  # the line that comes has begun, and is the program's

    def feed(self, data: bytes) -> bytes:
        self.pending += data
        result = b""
        while self.pending:
            line, end, rest = self.pending.partition(b"\n")
            if self.inside or not self.may_be_kernels(line + end):
                result += line + end
                self.inside, self.pending = not end, rest
            elif not end:
                break
            else:
                result += self.taken(line + end)
                self.pending = rest
        return result

    def finish(self) -> bytes:
        rest, self.pending = self.pending, b""
        return rest


class Together:
    """Several machines' consoles as one, by `write`. What the first one has begun goes on at once, so others'
    lines, which come whole and by other threads, wait for the end of its line."""

    def __init__(self, write: Callable[[bytes], None]):
        self.write, self.lock = write, threading.Lock()
        self.within, self.waiting = False, b""

    def first(self, data: bytes) -> None:
        if not data:
            return
        with self.lock:
            whole, end, rest = data.rpartition(b"\n")
            if end:
                whole, self.waiting = whole + end + self.waiting, b""
            self.write(whole + rest)
            self.within = bool(rest)

    def other(self, lines: bytes) -> None:
        with self.lock:
            if self.within:
                self.waiting += lines
            else:
                self.write(lines)

    def finish(self) -> None:
        with self.lock:
            if self.waiting:
                self.write(b"\n" + self.waiting)


def may_be(begin: bytes, line: bytes) -> bool:
    return begin.startswith(line) or line.startswith(begin)


class Explained:
    """The console with the kernel's lines about a job's processes as `explain` tells them; it is asked with
    the line and the position of the job among `jobs`, which are their names."""

    def __init__(self, jobs: list[str], explain: Callable[[str, int], str]):
        self.begins = [f"parley: job {name}, ".encode("utf-8", "surrogateescape") for name in jobs]
        self.explain = explain
        self.lines = Lines(lambda line: any(may_be(begin, line) for begin in self.begins), self.taken)

    def feed(self, data: bytes) -> bytes:
        return self.lines.feed(data)

    def finish(self) -> bytes:
        return self.lines.finish()

    def taken(self, line: bytes) -> bytes:
        # Of names of which one begins with another it is the longest.
        fitting = [i for i, begin in enumerate(self.begins) if line.startswith(begin)]
        position = max(fitting, key=lambda i: len(self.begins[i]))
        text = line.decode("utf-8", "surrogateescape")
        return self.explain(text, position).encode("utf-8", "surrogateescape")


class Programs:
    """The console without the lines that the kernel writes before a program does: its own name, a line a step
    of the boot, and the announcements of jobs. A line is taken for one of these only where one is due.
    `jobs`: the names of those not announced yet, if their announcements are left out too."""

    def __init__(self, jobs: list[str]):
        self.jobs = [name.encode("utf-8", "surrogateescape") for name in jobs]
        self.booting = True
        self.cautious = False  # an announcement may go on with a line about protection
        self.lines = Lines(self.may_be_kernels, lambda line: b"" if self.is_kernels(line) else line)

    def feed(self, data: bytes) -> bytes:
        return self.lines.feed(data)

    def finish(self) -> bytes:
        return self.lines.finish()

    def due(self) -> list[bytes]:
        """How a line of the kernel's would begin here."""
        steps = list(STEP_BEGINS) if self.booting else []
        return steps + [b"job " + name + b": " for name in self.jobs] + [CAUTION] * self.cautious

    def may_be_kernels(self, line: bytes) -> bool:
        return any(may_be(begin, line) for begin in self.due())

    def is_kernels(self, line: bytes) -> bool:
        if self.booting and STEP.fullmatch(line):
            return True
        self.booting = False
        cautious, self.cautious = self.cautious, False
        if cautious and line.startswith(CAUTION):
            return True
        for name in self.jobs:
            if re.match(rb"job " + re.escape(name) + rb": bin/\S+ on \d+ nodes?, ", line):
                self.jobs.remove(name)
                self.cautious = True
                return True
        return False
