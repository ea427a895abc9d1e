# SPDX-License-Identifier: MIT
"""Runs the chosen tests of suites, several suites side by side where that is safe, each in a process of its
own.

A suite's process tells which test begins and how it ended. If it dies, the test that was running has
failed, and the tests that have not begun get a new process; no test ever runs twice. A suite has a time
limit; what was running when it came is named.
"""

import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field

from .catalogue import CHILD, ROOT, Suite, Test
from .progress import Progress, clock
from .timings import Timings

TICK = 0.2
SHORTEST_LIMIT = 180.0
PATIENCE = 12  # a suite may take so many times what is expected of it, and more when the host is busy
MOST_SHOWN = 6000  # characters of a failed test's own output; the log has all


@dataclass
class Outcome:
    test: str
    outcome: str  # passed, failed or skipped
    message: str = ""


@dataclass
class Part:
    """Tests of one suite that run in one process after the other; `alone` while nothing else does."""

    suite: Suite
    tests: list[Test]
    alone: bool
    expected: float
    environment: dict[str, str]
    outcomes: list[Outcome] = field(default_factory=list)
    started: float = 0.0
    current: str = ""
    at: str = ""  # where in the current test
    test_started: float = 0.0
    process: subprocess.Popen | None = None
    events: int = -1
    buffer: bytes = b""
    log: str = ""
    log_from: int = 0
    processes: int = 0

    def left(self) -> list[Test]:
        done = {outcome.test for outcome in self.outcomes}
        return [test for test in self.tests if test.name not in done]


def crowding() -> float:
    """How many times longer things take because others use the processors too."""
    return max(1.0, os.getloadavg()[0] / len(os.sched_getaffinity(0)))


def how_it_ended(status: int) -> str:
    if status >= 0:
        return f"its process ended with status {status}"
    try:
        return f"its process was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"its process was ended by signal {-status}"


class Runner:
    def __init__(
        self, progress: Progress, timings: Timings, environment: dict[str, str], logs: str, limit: float
    ):
        self.progress, self.timings, self.environment, self.logs = progress, timings, environment, logs
        self.limit = limit  # seconds a suite may take; 0: what fits what it took before
        self.workers = len(os.sched_getaffinity(0))
        self.selector = selectors.DefaultSelector()
        self.waiting: list[Part] = []
        self.running: list[Part] = []
        self.done: dict[str, list[Part]] = {}
        self.parts_of: dict[str, int] = {}

    # -- the order
    # --------------------------------------------------------------------------------------------

    def add(self, suite: Suite, tests: list[Test], environment: dict[str, str]) -> None:
        for alone in (False, True):
            some = [test for test in tests if test.alone == alone]
            if some:
                expected = sum(self.timings.of(suite.name, test.name) for test in some)
                self.waiting.append(Part(suite, some, alone, expected, environment))
                self.parts_of[suite.name] = self.parts_of.get(suite.name, 0) + 1

    def lose(self, suite: Suite, sentence: str) -> None:
        """A suite that cannot run counts as one failure."""
        part = Part(suite, [], False, 0.0, {}, started=time.monotonic())
        part.outcomes.append(Outcome("(all of it)", "failed", sentence))
        self.parts_of[suite.name] = 1
        self.running.append(part)
        self.finish(part)

    def run(self) -> dict[str, list[Part]]:
        self.waiting.sort(key=lambda part: (part.alone, -part.expected))
        try:
            while self.waiting or self.running:
                self.start_what_may()
                for key, _ in self.selector.select(TICK):
                    self.listen(key.data)
                for part in list(self.running):
                    self.check_time(part)
                self.progress.show(self.state())
        finally:
            for part in self.running:
                self.end(part)
        return self.done

    def start_what_may(self) -> None:
        while self.waiting and len(self.running) < self.workers:
            first = self.waiting[0]
            if self.running and (first.alone or self.running[0].alone):
                return
            self.waiting.pop(0)
            first.started = time.monotonic()
            first.log = os.path.join(
                self.logs, first.suite.name.replace("/", "-") + (".alone" * first.alone) + ".log"
            )
            open(first.log, "wb").close()
            self.running.append(first)
            self.start(first)

    # -- one process
    # ------------------------------------------------------------------------------------------

    def command(self, part: Part) -> list[str]:
        names = [test.name for test in part.left()]
        if part.suite.kind == "python":
            return [sys.executable, "-B", CHILD, "run", part.suite.path, *names]
        listing = part.log + ".tests"
        with open(listing, "w", encoding="utf-8") as file:
            file.writelines(f'"{escaped(name)}"\n' for name in names)
        return [os.path.join(ROOT, part.suite.path), "--use-colour", "no", "--input-file", listing]

    def start(self, part: Part) -> None:
        reading, writing = os.pipe()
        part.current, part.at, part.buffer, part.events = "", "", b"", reading
        part.test_started = time.monotonic()
        part.processes += 1
        environment = {
            **os.environ,
            "TSAN_OPTIONS": "halt_on_error=1 second_deadlock_stack=1",
            **self.environment,
            **part.environment,
            "PARLEY_TEST_EVENTS": str(writing),
        }
        with open(part.log, "ab") as log:
            part.log_from = log.tell()
            part.process = subprocess.Popen(
                self.command(part),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=ROOT,
                pass_fds=(writing,),
                process_group=0,
            )
        os.close(writing)
        self.selector.register(reading, selectors.EVENT_READ, part)

    def listen(self, part: Part) -> None:
        data = os.read(part.events, 1 << 16)
        *lines, part.buffer = (part.buffer + data).split(b"\n")
        for line in lines:
            self.hear(part, json.loads(line.decode(errors="replace")))
        if not data:
            self.ended(part)

    def hear(self, part: Part, event: dict) -> None:
        name, now = event["name"], time.monotonic()
        if event["event"] == "start":
            part.current, part.at, part.test_started = name, "", now
        elif event["event"] == "at":
            part.at = name
        elif event["event"] == "end":
            if event["outcome"] == "passed":
                self.timings.took(part.suite.name, name, now - part.test_started)
            part.outcomes.append(Outcome(name, event["outcome"], event.get("message", "")))
            part.current = ""

    def ended(self, part: Part) -> None:
        """The process has closed its events: it is over, or dying."""
        status = part.process.wait()
        self.forget(part)
        if part.current:
            where = f", at {part.at}" if part.at else ""
            self.fail(part, part.current, f"{how_it_ended(status)}{where}")
        elif part.left() and part.processes == 1 and not part.outcomes:
            self.fail(part, part.left()[0].name, f"before it began, {how_it_ended(status)}")
        elif part.left():
            for test in part.left():
                self.fail(part, test.name, f"it never began, and {how_it_ended(status)}")
        elif status != 0 and not any(outcome.outcome == "failed" for outcome in part.outcomes):
            self.fail(part, "(after its last test)", how_it_ended(status))
        if part.left():
            self.start(part)
        else:
            self.finish(part)

    def forget(self, part: Part) -> None:
        self.selector.unregister(part.events)
        os.close(part.events)
        with open(part.log, "rb") as log:
            log.seek(part.log_from)
            part.buffer = log.read()

    def end(self, part: Part) -> None:
        """With all that it started in its group; programs that make groups of their own end with their
        parent."""
        try:
            os.killpg(part.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        part.process.wait()

    # -- what came of it
    # --------------------------------------------------------------------------------------

    def fail(self, part: Part, test: str, sentence: str) -> None:
        said = part.buffer.decode(errors="replace").strip()[-MOST_SHOWN:]
        part.outcomes.append(Outcome(test, "failed", f"{sentence}\n{said}".strip()))

    def skip(self, part: Part, reason: str) -> None:
        part.outcomes += [Outcome(test.name, "skipped", f"not run: {reason}") for test in part.left()]

    def check_time(self, part: Part) -> None:
        limit = self.limit or max(SHORTEST_LIMIT, PATIENCE * part.expected) * crowding()
        if time.monotonic() - part.started < limit or part.process.poll() is not None:
            return
        self.end(part)
        self.forget(part)
        where = f", at {part.at}" if part.at else ""
        name = part.current or "(between tests)"
        self.fail(part, name, f"it was running when the suite's limit of {limit:.0f} s came{where}")
        self.skip(part, "the suite's time was up")
        self.finish(part)

    def finish(self, part: Part) -> None:
        self.running.remove(part)
        parts = self.done.setdefault(part.suite.name, [])
        parts.append(part)
        for outcome in part.outcomes:
            if outcome.outcome == "failed":
                self.progress.say(f"FAILED {part.suite.name}: {outcome.test}\n{self.told(part, outcome)}")
        if len(parts) == self.parts_of[part.suite.name]:
            self.progress.say(f"{part.suite.name}: {counts(parts)} in {time_of(parts)}")

    def told(self, part: Part, outcome: Outcome) -> str:
        text = outcome.message
        if not text and part.suite.kind == "host":
            text = part.buffer.decode(errors="replace")[-MOST_SHOWN:]
        lines = [f"    {line}" for line in text.strip().splitlines()]
        where = [f"    (all that it said: {os.path.relpath(part.log, ROOT)})"] if part.log else []
        return "\n".join([*lines, *where])

    def state(self) -> str:
        started = sum(self.spent(part) for part in self.running)
        left = sum(part.expected for part in (*self.running, *self.waiting)) - started
        alone = sum(part.expected for part in self.waiting if part.alone)
        time_left = (left - alone) / self.workers + alone
        tests = sum(len(part.tests) for part in (*self.running, *self.waiting))
        over = sum(len(part.outcomes) for parts in self.done.values() for part in parts)
        over_now = sum(len(part.outcomes) for part in self.running)
        now = "; ".join(
            f"{part.suite.name} {len(part.outcomes)}/{len(part.tests)} {part.current}"
            for part in self.running
        )
        return f"{over + over_now} of {over + tests} tests, about {clock(time_left)} left; now {now}"

    def spent(self, part: Part) -> float:
        """Of what was expected of a part, what its tests that are over were expected to take."""
        done = {outcome.test for outcome in part.outcomes}
        return sum(self.timings.of(part.suite.name, test.name) for test in part.tests if test.name in done)


def escaped(name: str) -> str:
    """As Catch2 reads a test's name."""
    return "".join("\\" + letter if letter in '\\,["' else letter for letter in name)


def counts(parts: list[Part]) -> str:
    outcomes = [outcome.outcome for part in parts for outcome in part.outcomes]
    skipped = outcomes.count("skipped")
    text = f"{outcomes.count('passed')} passed, {outcomes.count('failed')} failed"
    return text + (f", {skipped} skipped" if skipped else "")


def time_of(parts: list[Part]) -> str:
    return f"{sum(time.monotonic() - part.started for part in parts):.0f} s"


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
