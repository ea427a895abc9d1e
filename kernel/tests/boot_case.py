# SPDX-License-Identifier: MIT
"""A test case that boots the real kernel through the runner and reads the record."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.append(os.path.join(ROOT, "testing", "suites"))
from declarations import alone, extra, needs, seldom, under  # noqa: E402, F401 (for the tests)

BUILD = os.environ.get("PARLEY_BUILD") or os.path.join(ROOT, "build")
RUNNER = os.path.join(ROOT, "tools", "parley")
SIX = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6")
SEMAPHORES = ("kernel", "spin:0", "policy-0", "policy-1:300ms:2", "queue", "combining")
SHARED_LIMIT, MOST_JOBS = 600, 16  # of a boot
SHORT_RING = "--sizes 0,4,100,1024,65536 --trips 4 --samples 5"


def newest(*sources: str) -> float:
    """When one of these, or what the wrappers make a program with, last changed."""
    tools = ("nx*", "lib/libnx.a", "lib/program.ld", "lib/wrappers/*.py", "include/*.h")
    parts = [path for name in tools for path in glob.glob(os.path.join(BUILD, name))]
    return max(map(os.path.getmtime, (*sources, *parts)))


class Boot:
    def __init__(self, done: subprocess.CompletedProcess, record: dict):
        self.status, self.text, self.record = done.returncode, done.stdout + done.stderr, record

    def rows(self, name: str) -> list[dict]:
        return [row for row in self.record.get("rows", []) if row["name"] == name]


class BootCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-boot-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def write(self, name: str, content: str) -> str:
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def boot(self, *words: str, limit: int | None = 60) -> Boot:
        """`limit`: of every job; None where their own hold."""
        path = os.path.join(self.folder, "record.json")
        if os.path.exists(path):
            os.unlink(path)
        command = [RUNNER, "run", f"RECORD={path}", f"LIMIT={limit or ''}", "REMEASURE=0", *words]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd=self.folder,
            timeout=600,
        )
        record = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
        return Boot(done, record)

    def well(self, job: "Job") -> "Job":
        self.assertEqual(job.status, "ok", f"{job.boot.record['sentence']}\n{job.text[-6000:]}")
        return job

    def boot_well(self, *words: str, limit: int = 60) -> Boot:
        boot = self.boot(*words, limit=limit)
        self.assertEqual(boot.status, 0, f"{' '.join(words)}\n{boot.text[-6000:]}")
        return boot

    def compiled(self, source: str) -> str:
        """A C program, compiled once for a test and all whose boot it shares."""
        name = f"program_{abs(hash(source))}"
        program = os.path.join(self.folder, name)
        return program if os.path.exists(program) else self.compile("nxcc", f"{name}.c", source)

    def compile(self, wrapper: str, name: str, source: str, *flags: str) -> str:
        """A program from outside the tree, as a user would build it."""
        path, program = self.write(name, source), os.path.join(self.folder, name.split(".")[0])
        done = subprocess.run(
            [os.path.join(BUILD, wrapper), *flags, "-o", program, path],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return program


def rows() -> set[str]:
    """The named designs."""
    with open(os.path.join(ROOT, "messaging", "design", "presets.hpp"), encoding="utf-8") as file:
        return set(re.findall(r'^    {"([\w-]+)",\s+{', file.read(), re.M))


def claims() -> list[str]:
    """The ports whose senders claim packets: each has a row of static dispatch beside native."""
    names = []
    for path in sorted(glob.glob(os.path.join(ROOT, "messaging", "port", "*.hpp"))):
        with open(path, encoding="utf-8") as file:
            names += re.findall(r'public PacketPort<.*?name = "([\w-]+)"', file.read(), re.S)
    return names


class Job:
    """One job of a boot: its entries in the record, and what was said from its beginning to the next
    one's."""

    def __init__(self, entry: dict, boot: Boot):
        self.status, self.entry, self.boot = entry["status"], entry, boot
        parts = re.split(r"^job ([^\n]+?): (?=\S+ on \d+ node)", boot.text, flags=re.M)
        # Of several jobs none passes on another's words.
        otherwise = boot.text if len(boot.record["jobs"]) == 1 else ""
        self.text = dict(zip(parts[1::2], parts[2::2])).get(entry["name"], otherwise)

    def of_kind(self, kind: str) -> list[dict]:
        """Its rows, or its processes."""
        return [entry for entry in self.boot.record[kind] if entry["job"] == self.entry["job"]]


class SharedBoot:
    """A boot whose jobs are one test each. Those that are asked for run one after the other, in one boot;
    if it ends before its time, the jobs that have not begun get a boot of their own when their test
    comes."""

    def __init__(self, names: dict, describe, words: tuple[str, ...]):
        self.names, self.describe, self.words = names, describe, words  # names: a test's by its value
        self.jobs: dict[str, Job] = {}
        self.lost: dict[str, str] = {}  # why a boot of them all had no job

    def of(self, case: "BootCase", value) -> Job:
        name = self.names[value]
        if name not in self.jobs and name not in self.lost:
            self.boot(case, value)
        if name in self.lost:
            case.fail(self.lost[name])
        return self.jobs[name]

    def boot(self, case: "BootCase", first) -> None:
        asked = os.environ.get("PARLEY_TEST_NAMES")
        wanted = {name.split(".")[-1] for name in asked.split("\n")} if asked else set(self.names.values())
        others = [v for v, name in self.names.items() if name in wanted - self.jobs.keys() and v != first]
        values = [first, *others][:MOST_JOBS]
        text = ""
        for value in values:
            text += f'[[job]]\nname = "{self.names[value]}"\n'
            text += "".join(
                f"{key} = {json.dumps(item)}\n" for key, item in self.describe(case, value).items()
            )
        boot = case.boot(f"CONFIG={case.write('shared.toml', text)}", *self.words, limit=SHARED_LIMIT)
        if not boot.record.get("jobs"):
            self.lost |= {self.names[value]: f"no job began:\n{boot.text[-6000:]}" for value in values}
        for entry in boot.record.get("jobs", ()):
            self.jobs[entry["name"]] = Job(entry, boot)


def named(name: str, value) -> str:
    words = value if isinstance(value, (tuple, list)) else (value,)
    return f"test_{name}_" + "_".join(str(word) for word in words)


def one_of_many(method, name: str, value, sample, body):
    """A test for one value: named after it, with what its method declares."""

    def test(self):
        return body(self)

    words = value if isinstance(value, (tuple, list)) else (value,)
    test.__dict__.update(method.__dict__)
    test.__name__ = named(name, value)
    left_out = sample is not None and value not in sample
    test.extra = getattr(method, "extra", False) or left_out
    test.seldom = getattr(method, "seldom", False) and (left_out or sample is None)
    test.designs = [word for word in words if str(word).split(",")[0] in rows()]
    return test


def for_each(values, name: str, sample=None):
    """Makes one test for each value from a method that takes it, so that each is counted and named. Where
    all try the same, `make test` runs those of `sample`, and what @seldom says is of the others alone. Values
    that are designs, or begin with one, are found by their leaves."""

    def decorate(case: type) -> type:
        method = getattr(case, name)
        delattr(case, name)
        for value in values:
            body = lambda self, value=value: method(self, value)  # noqa: E731
            setattr(case, named(name, value), one_of_many(method, name, value, sample, body))
        return case

    return decorate


def for_each_job(values, name: str, describe, words=(), sample=None):
    """As for_each, where each value is a job of one boot: `describe(case, value)` is the job's keys, and
    the method takes the value and the Job."""

    def decorate(case: type) -> type:
        method = getattr(case, name)
        delattr(case, name)
        shared = SharedBoot({value: named(name, value) for value in values}, describe, tuple(words))
        for value in values:
            body = lambda self, value=value: method(self, value, shared.of(self, value))  # noqa: E731
            setattr(case, named(name, value), one_of_many(method, name, value, sample, body))
        return case

    return decorate
