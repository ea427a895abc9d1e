# SPDX-License-Identifier: MIT
"""The machine's console without the lines that the kernel writes before a program does.

The kernel begins with its own name and a line a step of the boot, and announces each job. A line is taken for
one of these only where such a line is due, and what cannot be one goes on at once, also without its end.
"""

import re

STEP = re.compile(rb"(?:Parley|  boot \d+ us  .*)\r?\n")
STEP_BEGINS = (b"Parley", b"  boot ")
CAUTION = b"  unprotected inside the job"


class Programs:
    """`jobs`: the names of those not announced yet, if their announcements are left out too."""

    def __init__(self, jobs: list[str]):
        self.jobs = [name.encode("utf-8", "surrogateescape") for name in jobs]
        self.booting = True
        self.cautious = False  # an announcement may go on with a line about protection
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
                result += b"" if self.is_kernels(line + end) else line + end
                self.pending = rest
        return result

    def finish(self) -> bytes:
        rest, self.pending = self.pending, b""
        return rest

    def due(self) -> list[bytes]:
        """How a line of the kernel's would begin here."""
        steps = list(STEP_BEGINS) if self.booting else []
        return steps + [b"job " + name + b": " for name in self.jobs] + [CAUTION] * self.cautious

    def may_be_kernels(self, line: bytes) -> bool:
        return any(begin.startswith(line) or line.startswith(begin) for begin in self.due())

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
