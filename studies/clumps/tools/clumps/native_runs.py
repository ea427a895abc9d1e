# SPDX-License-Identifier: MIT
"""The study's programs on this host under nxrun: one job, or several that begin together."""

import contextlib
import json
import math
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parley_study.kept_runs import RunFailed

PATIENCE = 10  # seconds beyond a job's limit, for nxrun to end it
AT_LIMIT = 6  # nxrun's status
FOREVER = 3_600_000  # milliseconds: a sequential process is ended when the jobs beside it are over


@dataclass(frozen=True)
class Job:
    program: str
    claim: str
    nodes: int
    words: str
    pinned: bool = True  # one process to a processor, as long as these suffice
    together: bool = False  # with others: it waits until all are ready
    endless: bool = False  # it is there beside others alone
    sleeping: bool = False  # who waits looks as long as a sleep takes, and then sleeps; else it looks on
    limit: int = 20  # seconds, what it does before it is timed included

    @property
    def design(self) -> str:
        return f"native,port={self.claim}" + ",synchronization=two-phase" * self.sleeping

    def line(self, nxrun: str, program: str, record: str) -> list[str]:
        return [
            *(nxrun, "-n", str(self.nodes), "-d", self.design),
            *([] if self.pinned else ["--no-pin"]),
            *("--limit", str(self.limit), "--record", record),
            *(program, *self.words.split(), *(["--together", "1"] if self.together else [])),
        ]

    @property
    def command(self) -> str:
        """As a user would give it."""
        short = [word for word in self.line("nxrun", self.program, "") if word]
        short.remove("--record")
        return " ".join(short)


Rows = dict[str, float]  # medians, by what they are of


class Started:
    """A job under way, until end(). Its output is read when it says that it is ready, and at its end."""

    def __init__(self, job: Job, native: str, record: str):
        self.job, self.record = job, record
        program = os.path.join(native, "apps", job.program, job.program)
        # What a job complains of is no more than a pipe holds, or it would wait for its reader.
        self.process = subprocess.Popen(
            job.line(os.path.join(native, "bin", "nxrun"), program, record),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        self.said = ""

    def wait_until_ready(self) -> bool:
        """False: it has ended before."""
        for line in self.process.stdout:
            self.said += line
            if line == f"{self.job.program}: ready\n":
                return True
        return False

    def begin(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write("\n")
            self.process.stdin.flush()

    def rows(self) -> Rows | None:
        """When it has ended; None: it took too long. Raises RunFailed where it was not right."""
        try:
            rest, _ = self.process.communicate(timeout=self.job.limit + PATIENCE)
        except subprocess.TimeoutExpired:
            raise RunFailed(f"{self.job.command}: nxrun did not end it at its limit.") from None
        self.said += rest
        if self.process.returncode == AT_LIMIT:
            return None
        if self.process.returncode != 0 or "all messages right" not in self.said:
            raise RunFailed(f"{self.job.command}: the run failed:\n{self.said[-2000:]}")
        with open(self.record, encoding="utf-8") as file:
            return {row["name"]: row["median"] for row in json.load(file)["rows"]}

    def end(self) -> None:
        """Nxrun ends its processes when it is asked to end, and Linux does where it is killed."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


@contextlib.contextmanager
def started(jobs: Sequence[Job], native: str) -> Iterator[list[Started]]:
    """However this is left, none of them goes on."""
    under_way: list[Started] = []
    with tempfile.TemporaryDirectory(prefix="parley-clumps-") as folder:
        try:
            for number, job in enumerate(jobs):
                under_way.append(Started(job, native, os.path.join(folder, f"{number}.json")))
            yield under_way
        finally:
            for one in under_way:
                one.end()


def told(jobs: Sequence[Started]) -> list[Rows] | None:
    """Those that are to begin together begin, and all go on to their end but those that are endless. What
    each of the others tells; None: one took too long."""
    waiting = [one for one in jobs if one.job.together]
    for one in waiting:
        if not one.wait_until_ready():
            if one.rows() is None:
                return None
            raise RunFailed(f"{one.job.command}: it ended before it was ready:\n{one.said[-2000:]}")
    for one in waiting:
        one.begin()
    found = [one.rows() for one in jobs if not one.job.endless]
    return None if None in found else [rows for rows in found if rows is not None]


def run(jobs: Sequence[Job], native: str) -> list[Rows] | None:
    """The same, from their start on; all have ended then."""
    with started(jobs, native) as under_way:
        return told(under_way)


def seconds(found: list[Rows] | None, name: str) -> float:
    """The mean of a time in us that each job tells, in s."""
    return math.inf if found is None else sum(rows[name] for rows in found) / len(found) / 1e6
