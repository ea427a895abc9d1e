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
import select
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field

from .building import Builder
from .catalogue import CHILD, ROOT, Suite, Test
from .progress import Progress, about
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
    needs: frozenset[str] = frozenset()  # targets that must be there before
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
    seconds: float = 0.0  # that it took, when it is over
    processor_seconds: float = 0.0  # of its processes that are over, and of what they waited for

    def left(self) -> list[Test]:
        done = {outcome.test for outcome in self.outcomes}
        return [test for test in self.tests if test.name not in done]


def crowding() -> float:
    """How many times longer things take because others use the processors too."""
    return max(1.0, os.getloadavg()[0] / len(os.sched_getaffinity(0)))


def is_over(child: int) -> bool:
    """It is still to be waited for."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def end_those_who_hold(pipe: int) -> str:
    """Who could still write into the pipe that is read here."""
    link, ended = f"pipe:[{os.fstat(pipe).st_ino}]", []
    for process in filter(str.isdecimal, os.listdir("/proc")):
        if int(process) == os.getpid():
            continue
        try:
            files = f"/proc/{process}/fd"
            if not any(os.readlink(os.path.join(files, one)) == link for one in os.listdir(files)):
                continue
            with open(f"/proc/{process}/cmdline", encoding="utf-8", errors="replace") as words:
                ended.append(f"{process} ({words.read().split(chr(0))[0]})")
            os.kill(int(process), signal.SIGKILL)
        except OSError:
            pass  # it has ended meanwhile, or is another user's
    return ", ".join(ended)


def how_it_ended(status: int) -> str:
    if status >= 0:
        return f"its process ended with status {status}"
    try:
        return f"its process was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"its process was ended by signal {-status}"


class Runner:
    def __init__(
        self,
        progress: Progress,
        timings: Timings,
        environment: dict[str, str],
        logs: str,
        limit: float,
        tell_each: bool = False,
    ):
        self.progress, self.timings, self.environment, self.logs = progress, timings, environment, logs
        self.tell_each = tell_each  # how each test of a host program ended, as soon as it has
        self.limit = limit  # seconds a suite may take; 0: what fits what it took before
        self.processors = len(os.sched_getaffinity(0))
        self.builder: Builder | None = None
        self.built_at = 0.0
        self.selector = selectors.DefaultSelector()
        self.waiting: list[Part] = []
        self.running: list[Part] = []
        self.done: dict[str, list[Part]] = {}
        self.parts_of: dict[str, int] = {}

    # -- the order
    # --------------------------------------------------------------------------------------------

    def add(self, suite: Suite, tests: list[Test], environment: dict[str, str], targets_of=None) -> None:
        """`targets_of` (suite, tests): what must be built before they can run; nothing, where it is None."""
        for alone in (False, True):
            some = [test for test in tests if test.alone == alone]
            if some:
                expected = sum(self.timings.of(suite.name, test.name) for test in some)
                needs = frozenset(targets_of(suite, some)) if targets_of else frozenset()
                self.waiting.append(Part(suite, some, alone, expected, environment, needs))
                self.parts_of[suite.name] = self.parts_of.get(suite.name, 0) + 1

    def targets(self) -> list[str]:
        """What is to be built, in the order in which tests are to begin."""
        return list(dict.fromkeys(name for part in self.ordered() for name in sorted(part.needs)))

    def ordered(self) -> list[Part]:
        """Those that say soonest what is broken come first, the sanitizers' at the end; the others fill the
        processors best when the longest begin."""
        order = sorted(self.waiting, key=lambda part: -part.expected)
        return sorted(order, key=lambda part: (part.alone, self.tell_each and rank(part.suite)))

    def lose(self, suite: Suite, sentence: str) -> None:
        """A suite that cannot run counts as one failure."""
        part = Part(suite, [], False, 0.0, {}, started=time.monotonic())
        part.outcomes.append(Outcome("(all of it)", "failed", sentence))
        self.parts_of[suite.name] = 1
        self.running.append(part)
        self.finish(part)

    def run(self, builder: Builder | None = None) -> dict[str, list[Part]]:
        """With a builder, each part begins when what it needs is there."""
        self.waiting = self.ordered()
        self.builder = builder
        try:
            for descriptor in builder.start() if builder else ():
                self.selector.register(descriptor, selectors.EVENT_READ, builder)
            while self.waiting or self.running or self.is_building():
                self.start_what_may()
                for key, _ in self.selector.select(TICK):
                    self.hear_from(key.data, key.fd)
                for part in list(self.running):
                    self.check_time(part)
                self.progress.show(self.state())
        finally:
            if builder:
                builder.stop()
            for part in self.running:
                self.end(part)
        return self.done

    def is_building(self) -> bool:
        return self.builder is not None and not self.builder.is_over()

    def workers(self) -> int:
        """How many parts may run: beside make, which uses every processor, half of what else may."""
        return max(1, self.processors // 2) if self.is_building() else self.processors

    def hear_from(self, source, descriptor: int) -> None:
        if isinstance(source, Part):
            self.listen(source)
        elif not source.listen(descriptor):
            self.selector.unregister(descriptor)
            if source.is_over():
                self.built_at = time.monotonic()
                self.lose_what_was_not_built()

    def lose_what_was_not_built(self) -> None:
        for part in list(self.waiting):
            missing = sorted(part.needs & self.builder.failed)
            if missing:
                self.waiting.remove(part)
                self.running.append(part)
                part.started = time.monotonic()
                sentence = f"not built, see above: {', '.join(missing)}"
                part.outcomes.append(Outcome("(all of it)", "failed", sentence))
                self.finish(part)

    def next_part(self) -> Part | None:
        """Those that measure time come last, when nothing else runs, and nothing is built."""
        for part in self.waiting:
            if part.alone:
                return None if self.running or self.is_building() else part
            if self.builder is None or part.needs <= self.builder.ready:
                return part
        return None

    def start_what_may(self) -> None:
        while len(self.running) < self.workers() and not (self.running and self.running[0].alone):
            part = self.next_part()
            if part is None:
                return
            self.waiting.remove(part)
            part.started = time.monotonic()
            part.log = os.path.join(
                self.logs, part.suite.name.replace("/", "-") + (".alone" * part.alone) + ".log"
            )
            open(part.log, "wb").close()
            self.running.append(part)
            self.start(part)

    # -- one process
    # ------------------------------------------------------------------------------------------

    def command(self, part: Part) -> list[str]:
        names = [test.name for test in part.left()]
        if part.suite.kind == "python":
            return [sys.executable, CHILD, "run", part.suite.path, *names]
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
            if self.tell_each and part.suite.kind == "host":
                seconds = f"{now - part.test_started:.1f} s"
                self.progress.say(f"{part.suite.name}: {name}: {event['outcome']}, {seconds}")
            part.outcomes.append(Outcome(name, event["outcome"], event.get("message", "")))
            part.current = ""

    def ended(self, part: Part, left_behind: str = "") -> None:
        """The process has closed its events: it is over, or dying. Or others that it has left behind hold
        them."""
        status = self.wait_for(part)
        self.forget(part)
        if left_behind:
            self.fail(part, "(after its last test)", f"it has left processes behind: {left_behind}")
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
        self.wait_for(part)

    def wait_for(self, part: Part) -> int:
        before = processor_seconds()
        status = part.process.wait()
        part.processor_seconds += processor_seconds() - before
        return status

    # -- what came of it
    # --------------------------------------------------------------------------------------

    def fail(self, part: Part, test: str, sentence: str) -> None:
        said = part.buffer.decode(errors="replace").strip()[-MOST_SHOWN:]
        part.outcomes.append(Outcome(test, "failed", f"{sentence}\n{said}".strip()))

    def skip(self, part: Part, reason: str) -> None:
        part.outcomes += [Outcome(test.name, "skipped", f"not run: {reason}") for test in part.left()]

    def check_time(self, part: Part) -> None:
        limit = self.limit or max(SHORTEST_LIMIT, PATIENCE * part.expected) * crowding()
        if time.monotonic() - part.started < limit:
            return
        if is_over(part.process.pid):
            if not select.select([part.events], [], [], 0)[0]:
                self.ended(part, end_those_who_hold(part.events))
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
        part.seconds = time.monotonic() - part.started
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
        time_left = (left - alone) / self.processors + alone
        tests = sum(len(part.tests) for part in (*self.running, *self.waiting))
        over = sum(len(part.outcomes) for parts in self.done.values() for part in parts)
        over_now = sum(len(part.outcomes) for part in self.running)
        now = "; ".join(
            f"{part.suite.name} {len(part.outcomes)}/{len(part.tests)} {part.current}"
            for part in self.running
        )
        building = self.builder.state() if self.is_building() else ""
        tested = f"{over + over_now} of {over + tests} tests, {about(time_left)} left"
        return f"{building}{tested}; now {now}"

    def spent(self, part: Part) -> float:
        """Of what was expected of a part, what its tests that are over were expected to take."""
        done = {outcome.test for outcome in part.outcomes}
        return sum(self.timings.of(part.suite.name, test.name) for test in part.tests if test.name in done)


def rank(suite: Suite) -> int:
    """How late a suite is to say what is broken."""
    if suite.kind == "host":
        return 3 if "/" in suite.name else int(suite.name != "leaves")
    return 2


def escaped(name: str) -> str:
    """As Catch2 reads a test's name."""
    return "".join("\\" + letter if letter in '\\,["' else letter for letter in name)


def counts(parts: list[Part]) -> str:
    outcomes = [outcome.outcome for part in parts for outcome in part.outcomes]
    skipped = outcomes.count("skipped")
    text = f"{outcomes.count('passed')} passed, {outcomes.count('failed')} failed"
    return text + (f", {skipped} skipped" if skipped else "")


def time_of(parts: list[Part]) -> str:
    took, used = (sum(getattr(part, name) for part in parts) for name in ("seconds", "processor_seconds"))
    return f"{took:.0f} s, {used:.0f} s of processor time"


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
