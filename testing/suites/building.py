# SPDX-License-Identifier: MIT
"""Builds what the chosen tests need, once, and shows how far it is. What cannot be built is named, and only
the tests that need it fail. Tests may begin while the rest is built."""

import os
import re
import subprocess
import tempfile

from .catalogue import ROOT
from .progress import Progress

OUTPUT = re.compile(r"\s-o (\S+)")
FAILED = re.compile(r"^make(?:\[\d+\])?: Target '([^']+)' not remade because of errors\.\n?", re.M)

ANNOUNCE, READY = "announce/", "ready: "
ALONE, TOGETHER = 3, 6
OPTIONS = ("--keep-going", "--output-sync=target")
# The words before -- are make, its options; behind it each word has the targets of one make.
IN_ORDER = """make="$0"; while [ "$1" != -- ]; do make="$make $1"; shift; done; shift; status=0
for targets; do $make $targets || status=2; done; exit $status"""


def make_line() -> list[str]:
    return [os.environ.get("MAKE", "make"), "--no-print-directory"]


def outputs(targets: list[str]) -> list[str]:
    """The files that make would write; none when everything is there."""
    done = subprocess.run(
        [*make_line(), "--dry-run", *targets], capture_output=True, text=True, check=False, cwd=ROOT
    )
    return [found[1] for line in done.stdout.splitlines() if (found := OUTPUT.search(line))]


def is_done(targets: list[str]) -> bool:
    """Whether make has nothing to do for these: one look, where outputs() and make() are two."""
    # Descriptors stay open, for make's own job server, of which it would else say that it is not there.
    line = [*make_line(), "--question", *targets]
    return subprocess.run(line, check=False, cwd=ROOT, close_fds=False).returncode == 0


def build(targets: list[str], progress: Progress) -> tuple[set[str], str]:
    """The targets that could not be built, and what the compilers said."""
    count = len(outputs(targets))
    if count:
        progress.say(f"Building {count} files.")
    return make(targets, count, progress, ["--keep-going"])


def make(targets: list[str], count: int, progress: Progress, options: list[str]) -> tuple[set[str], str]:
    """Shows how many of `count` files are there."""
    done = 0
    line = [*make_line(), *options, "--output-sync=target", *targets]
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        # Descriptors stay open, for make's own job server.
        with subprocess.Popen(
            line,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            errors="replace",
            cwd=ROOT,
            env={**os.environ, "LC_ALL": "C"},
            close_fds=False,
        ) as process:
            for text in process.stdout:
                output = OUTPUT.search(text)
                if output:
                    done += 1
                    progress.show(f"building {min(done, count)} of {count}: {output[1]}")
        progress.clear()
        said.seek(0)
        words = said.read()
    failed = set(FAILED.findall(words)) & set(targets)
    if process.returncode != 0 and not failed:
        failed = set(targets)
    return failed, FAILED.sub("", words)


class Builder:
    """make at work beside the tests: it announces each target that is there (tools.mk), in the order of
    `targets` where it can."""

    def __init__(self, targets: list[str], progress: Progress):
        self.targets, self.progress = targets, progress
        self.count = len(outputs(targets)) if targets else 0
        self.made, self.newest = 0, ""
        self.ready: set[str] = set()
        self.failed: set[str] = set()
        self.words, self.rests = "", {}
        self.process: subprocess.Popen | None = None

    def start(self) -> list[int]:
        """The descriptors to listen to; none when there is nothing to do."""
        if not self.targets:
            return []
        if self.count:
            self.progress.say(f"Building {self.count} files; tests begin as soon as theirs are there.")
        # Descriptors stay open, for make's own job server.
        self.process = subprocess.Popen(
            ["sh", "-c", IN_ORDER, *make_line(), *OPTIONS, "--", *self.groups()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "LC_ALL": "C"},
            close_fds=False,
        )
        self.rests = {self.process.stdout.fileno(): b"", self.process.stderr.fileno(): b""}
        return list(self.rests)

    def groups(self) -> list[str]:
        """One make links nothing before it has looked at all that it was told to make, so each of the first
        targets has a make of its own, and the others are together."""
        announced = [ANNOUNCE + target for target in self.targets]
        first, rest = announced[:ALONE], announced[ALONE:]
        return first + [" ".join(rest[at : at + TOGETHER]) for at in range(0, len(rest), TOGETHER)]

    def is_over(self) -> bool:
        return not self.rests

    def listen(self, descriptor: int) -> bool:
        """Hears what make says there; false: it says no more."""
        data = os.read(descriptor, 1 << 16)
        *lines, self.rests[descriptor] = (self.rests[descriptor] + data).split(b"\n")
        hear = self.hear_output if descriptor == self.process.stdout.fileno() else self.hear_words
        for line in lines:
            hear(line.decode(errors="replace"))
        if data:
            return True
        hear(self.rests.pop(descriptor).decode(errors="replace"))
        if self.is_over():
            self.end()
        return False

    def hear_output(self, line: str) -> None:
        output = OUTPUT.search(line)
        if output:
            self.made, self.newest = min(self.made + 1, self.count), output[1]
        elif line.startswith(READY):
            self.ready.add(line[len(READY) :])

    def hear_words(self, line: str) -> None:
        """What compilers say is shown at once."""
        self.words += line + "\n"
        if line.strip() and not FAILED.match(line):
            self.progress.say(line)

    def end(self) -> None:
        status = self.process.wait()
        missing = set(self.targets) - self.ready
        failed = {name.removeprefix(ANNOUNCE) for name in FAILED.findall(self.words)} & missing
        self.failed = failed or (missing if status != 0 else set())
        self.ready = set(self.targets) - self.failed

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def state(self) -> str:
        newest = f": {self.newest}" if self.newest else ""
        return f"built {self.made} of {self.count}{newest}; "
