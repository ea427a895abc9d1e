# SPDX-License-Identifier: MIT
"""Programs with all mutants in them, and what their tests say of each: which tests come to its place, and
whether one of them fails when it is planted."""

import hashlib
import os
import pickle
import re
import resource
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .ledger import DIED, EQUIVALENT, NOT_REACHED, SAME_CODE, SURVIVED

# A test that a mutant keeps running has died: by its own processor time, which a busy host does not use up.
TIMES_AS_LONG, SECONDS_MORE = 10, 2
# Or all its threads sleep, and nothing has run for so long.
STILL_SECONDS = 10.0
LOOK_SECONDS = 0.05
# As many tests are tried by themselves, the others together in processes that take about so long.
ALONE = 3
EXPLORER = "explorer"
SHORT_SECONDS = 0.5
# The explorer's tests of at most so long are tried before a proof, which takes about as long as they do
# together; the longer ones when all else is known.
BEFORE_A_PROOF_SECONDS = 2.0
ALL_PLAYS = "and every play that comes there lets it live"


class FailsSound(Exception):
    """A test fails without a mutant; the sentence says which."""


@dataclass
class Test:
    program: str  # its path
    suite: str
    name: str
    seconds: float = 0.0  # of processor time, without a mutant
    reached: bytes = b""
    found: dict[str, int] = field(default_factory=dict)  # mutants of a function that it has found

    @property
    def full_name(self) -> str:
        return f"{self.suite}: {self.name}"


@dataclass
class Run:
    failed: bool
    how: str
    seconds: float
    by: str  # the test


def tests_of(program: str, suite: str) -> list[Test]:
    """As Catch2 lists them, version 2 or 3."""
    done = subprocess.run(
        [program, "--list-test-names-only"], capture_output=True, text=True, errors="replace", check=False
    )
    names = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    if not names:
        raise FailsSound(f"{suite} lists no tests: {' '.join(done.stderr.split())[:160]}")
    return [Test(program, suite, name) for name in names]


def escaped(name: str) -> str:
    return "".join("\\" + letter if letter in '\\,["' else letter for letter in name)


def activity(pid: int) -> tuple[bool, int]:
    """Whether all threads of a process and its children sleep, and how often they have been switched to."""
    asleep, switches = True, 0
    pids = [pid]
    for one in pids:
        try:
            with open(f"/proc/{one}/task/{one}/children", encoding="ascii") as file:
                pids += map(int, file.read().split())
            for thread in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{thread}/status", encoding="ascii", errors="replace") as file:
                    text = file.read()
                asleep = asleep and re.search(r"^State:\s+[SDZ]", text, re.M) is not None
                switches += sum(map(int, re.findall(r"ctxt_switches:\s+(\d+)", text)))
        except (OSError, ValueError):
            asleep = False
    return asleep, switches


def run(tests: list[Test], root: str, mutant: int, reached: str = "", limit: float = 0) -> Run:
    """Tests of one program with one mutant, or with none (0), in a process of their own, until one fails."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLEY_")}
    environment |= {"PARLEY_MUTANT": str(mutant), "PARLEY_SAMPLE": "47"}
    if reached:
        environment["PARLEY_REACHED"] = reached
    seconds = int(limit) + 1 if limit else resource.RLIM_INFINITY
    with (
        tempfile.TemporaryFile("w+", errors="replace") as said,
        tempfile.NamedTemporaryFile("w", encoding="utf-8") as listing,
    ):
        listing.writelines(f'"{escaped(test.name)}"\n' for test in tests)
        listing.flush()
        process = subprocess.Popen(
            [tests[0].program, "--abort", "--use-colour", "no", "--input-file", listing.name],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=root,
            env=environment,
            process_group=0,
        )
        try:
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
            still = await_end(process)
        finally:
            if process.returncode is None:
                os.killpg(process.pid, 9)
                process.wait()
        said.seek(0)
        words = said.read()
    if process.returncode == 0 and not still:
        return Run(False, "", process.seconds, "")
    how = "nothing moved any more" if still else what_failed(words, process.returncode)
    by = tests[0].full_name if len(tests) == 1 else who_failed(words, tests)
    return Run(True, how, process.seconds, by)


def await_end(process: subprocess.Popen) -> bool:
    """True: it is still there, and none of it moves."""
    looked = time.monotonic()
    last, moved = (False, -1), looked
    pause = 0.002
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            process.seconds = used.ru_utime + used.ru_stime
            return False
        time.sleep(pause)
        pause = min(pause * 1.5, LOOK_SECONDS)
        now = time.monotonic()
        if now - looked > 1:
            looked = now
            seen = activity(process.pid)
            if not seen[0] or seen != last:
                last, moved = seen, now
            if now - moved > STILL_SECONDS:
                process.seconds = now - moved
                return True


def what_failed(words: str, status: int) -> str:
    """What Catch2 said of the first check that failed, in a line."""
    expansion = re.search(r"with expansion:\n(.*?)\n\n", words, re.S)
    if expansion:
        return " ".join(expansion[1].split())[:160]
    raised = re.search(r"due to (?:a fatal error condition|unexpected exception.*?):\n(.*?)\n", words, re.S)
    if raised:
        return " ".join(raised[1].split())[:160]
    return f"ended with status {status}"


def who_failed(words: str, tests: list[Test]) -> str:
    """The test whose name stands between two rules of dashes; one that was ended before it could say so is
    one of them all."""
    lines = words.splitlines()
    lined = [at for at, line in enumerate(lines) if len(line) > 10 and set(line) == {"-"}]
    for first, last in zip(lined[::2], lined[1::2]):
        name = " ".join(line.strip() for line in lines[first + 1 : last])
        for test in tests:
            if name.startswith(test.name):
                return test.full_name
    return f"{tests[0].suite}: one of {len(tests)} tests"


class Measured:
    """What tests of programs that are as they were have taken, and the places that they came to: a run that
    goes on need not find that out again."""

    def __init__(self, path: str):
        self.path = path
        self.programs: dict[str, str] = {}
        self.known: dict[tuple[str, str], tuple[float, bytes]] = {}
        self.lock = threading.Lock()
        if os.path.exists(path) and not self.read():
            self.rewrite()

    def read(self) -> bool:
        """Whether all of it is whole: a run that was ended may have left half a measurement at the end."""
        whole = 0
        with open(self.path, "rb") as file:
            try:
                while True:
                    key, value = pickle.load(file)
                    self.known[key] = value
                    whole = file.tell()
            except Exception:  # a spoilt file ends in any
                return whole == os.path.getsize(self.path)

    def key(self, test: Test) -> tuple[str, str]:
        if test.program not in self.programs:
            with open(test.program, "rb") as file:
                self.programs[test.program] = hashlib.file_digest(file, "sha256").hexdigest()
        return self.programs[test.program], test.name

    def recall(self, test: Test) -> bool:
        with self.lock:
            found = self.known.get(self.key(test))
        if found is None:
            return False
        test.seconds, test.reached = found
        return True

    def keep(self, test: Test) -> None:
        """Written at once, so that a run that is ended loses nothing."""
        with self.lock, open(self.path, "ab") as file:
            key = self.key(test)
            self.known[key] = test.seconds, test.reached
            pickle.dump((key, self.known[key]), file)

    def forget(self) -> None:
        """What is not of the programs that there are now."""
        now = set(self.programs.values())
        self.known = {key: value for key, value in self.known.items() if key[0] in now}
        self.rewrite()

    def rewrite(self) -> None:
        with open(f"{self.path}.new", "wb") as file:
            for item in self.known.items():
                pickle.dump(item, file)
        os.replace(f"{self.path}.new", self.path)


class Trials:
    def __init__(self, root: str, suites: list[tuple[str, str]], count: int, scratch: str):
        """`suites`: name and program; `count`: the greatest number of a mutant."""
        self.root, self.count, self.scratch = root, count, scratch
        self.tests = [test for name, program in suites for test in tests_of(program, name)]
        self.measured = Measured(f"{root}.measured")

    def measure(self, test: Test, longest: float = 0) -> str:
        """What it takes, and which places it comes to. Answers why it fails without a mutant, or nothing. One
        that takes longer than that comes to none."""
        if self.measured.recall(test):
            if longest and test.seconds > longest:
                test.reached = b""
            return ""
        with tempfile.NamedTemporaryFile(dir=self.scratch) as marks:
            marks.truncate(self.count + 1)
            done = run([test], self.root, 0, marks.name, limit=longest)
            test.seconds = done.seconds
            if longest and done.seconds > longest:
                return ""
            test.reached = marks.read()
        if not done.failed:
            self.measured.keep(test)
        return done.how if done.failed else ""

    def candidates(self, number: int, function: str, hint: str) -> list[Test]:
        """The tests that come to its place: what has found it, or others of its function, and short ones
        first."""
        some = [test for test in self.tests if test.reached and test.reached[number]]
        return sorted(
            some,
            key=lambda test: (test.full_name != hint, test.seconds / (1 + 3 * test.found.get(function, 0))),
        )

    def attempt(
        self, number: int, function: str, hint: str, proof: Callable[[], bool] | None = None
    ) -> tuple[str, str, str, float]:
        """The verdict, the test that found it, what it said, and the processor's seconds. With a proof, which
        is that no thread of the host can find it, the explorer's shorter tests are tried before it, and what
        has found it before; others after it."""
        tests = self.candidates(number, function, hint)
        early = [test for test in tests if proof and self.is_early(test, hint)]
        found, seconds = self.first_that_fails(early, number, function, hint)
        if not found and proof and proof():
            plays = sum(test.suite == EXPLORER for test in tests)
            return EQUIVALENT, SAME_CODE, ALL_PLAYS if len(early) == plays else "", seconds
        if not found:
            others = [test for test in tests if test not in early]
            found, more = self.first_that_fails(others, number, function, hint)
            seconds += more
        if found:
            return DIED, found.by, found.how, seconds
        return (SURVIVED if tests else NOT_REACHED), "", "", seconds

    def attempt_longer(self, number: int, function: str) -> tuple[str, str, str, float]:
        """The same of one whose code is the same: under those of the explorer's tests that attempt() leaves
        out, since the explorer's threads see orders that no thread of the host does."""
        plays = [
            test
            for test in self.candidates(number, function, "")
            if test.suite == EXPLORER and not self.is_early(test)
        ]
        found, seconds = self.first_that_fails(plays, number, function, "")
        if found:
            return DIED, found.by, found.how, seconds
        return EQUIVALENT, SAME_CODE, ALL_PLAYS, seconds

    @staticmethod
    def is_early(test: Test, hint: str = "") -> bool:
        is_short = test.seconds <= BEFORE_A_PROOF_SECONDS
        return test.suite == EXPLORER and (is_short or test.full_name == hint)

    def first_that_fails(
        self, tests: list[Test], number: int, function: str, hint: str
    ) -> tuple[Run | None, float]:
        """And the processor's seconds that all together took."""
        seconds = 0.0
        for some in self.together(tests, function, hint):
            limit = TIMES_AS_LONG * sum(test.seconds for test in some) + SECONDS_MORE
            done = run(some, self.root, number, limit=limit)
            seconds += done.seconds
            if done.failed:
                done.by = self.who_finds(some, number, done.by)
                for test in some:
                    if test.full_name == done.by:
                        test.found[function] = test.found.get(function, 0) + 1
                return done, seconds
        return None, seconds

    def who_finds(self, tests: list[Test], number: int, told: str) -> str:
        """Of tests that have failed together: one that was ended before it could say so is found alone."""
        if any(test.full_name == told for test in tests):
            return told
        limits = ((test, TIMES_AS_LONG * test.seconds + SECONDS_MORE) for test in tests)
        alone = (test for test, limit in limits if run([test], self.root, number, limit=limit).failed)
        return next((test.full_name for test in alone), told)

    @staticmethod
    def together(tests: list[Test], function: str, hint: str) -> list[list[Test]]:
        """Those that are likely to find it by themselves; then short ones of a program in one process, which
        takes less than a process for each."""
        alone = [test for test in tests[:ALONE] if test.found.get(function) or test.full_name == hint]
        parts: list[list[Test]] = [[test] for test in alone]
        open_parts: dict[str, list[Test]] = {}
        for test in tests:
            if test in alone:
                continue
            part = open_parts.get(test.program)
            if part is None or sum(one.seconds for one in part) > SHORT_SECONDS:
                part = open_parts[test.program] = []
                parts.append(part)
            part.append(test)
        return parts
