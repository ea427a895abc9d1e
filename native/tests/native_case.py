# SPDX-License-Identifier: MIT
"""A test case that runs programs under the native nxrun."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.environ.get("PARLEY_BUILD") or os.path.join(ROOT, "build")
NATIVE = os.path.join(BUILD, "native")
NXRUN = os.path.join(NATIVE, "bin", "nxrun")
PROGRAMS = os.path.join(ROOT, "kernel", "tests", "programs")

sys.path.insert(0, os.path.join(ROOT, "testing", "suites"))

# For a program that goes on only when another one waits.
WAIT_FOR_SLEEP = """/* Returns when that process sleeps. */
#include <stdio.h>
#include <string.h>
static void wait_for_sleep(long process)
{
    char name[40], line[200];
    snprintf(name, sizeof name, "/proc/%ld/stat", process);
    do {
        FILE *file = fopen(name, "r");
        if (!file || !fgets(line, sizeof line, file))
            return;
        fclose(file);
    } while (!strstr(line, ") S "));
}
"""
LONGEST = 60  # seconds that a run may take, on any host


def for_each(values, name: str):
    """A class decorator: the method of that name, once for each value, as a test of its own."""

    def decorate(case):
        method = getattr(case, name)
        for value in values:
            setattr(case, f"test_{name}_{value}", lambda self, value=value: method(self, value))
        return case

    return decorate


def app(name: str) -> str:
    return os.path.join(NATIVE, "apps", name, name)


class Ran:
    """What came of a run."""

    def __init__(self, done: subprocess.CompletedProcess):
        self.status = done.returncode
        self.out = done.stdout
        self.errors = done.stderr
        self.text = done.stdout + done.stderr


class NativeCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-native-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def compiled(self, text: str, name: str = "program", end: str = ".c", *words: str) -> str:
        """A program of this text, linked by the wrapper for its language."""
        source = self.path(name + end)
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        return self.built(source, name, *words)

    def built(self, source: str, name: str, *words: str) -> str:
        wrapper = "nxf77" if source.endswith(".f") else "nxcc"
        program = self.path(name)
        subprocess.run(
            [os.path.join(NATIVE, "bin", wrapper), f"-I{ROOT}", "-o", program, source, "-lm", *words],
            check=True,
        )
        return program

    def program(self, name: str) -> str:
        """One of those that the booted kernel's tests run, too."""
        sources = (os.path.join(PROGRAMS, name + end) for end in (".f", ".c"))
        return self.built(next(path for path in sources if os.path.exists(path)), os.path.basename(name))

    def nxrun(self, *words: str, given: str = "", **more) -> Ran:
        """A run that takes too long is ended, with all its ranks, and fails the test."""
        done = subprocess.run(
            [NXRUN, *words],
            capture_output=True,
            text=True,
            errors="replace",
            input=given,
            timeout=LONGEST,
            check=False,
            **more,
        )
        return Ran(done)

    def well(self, *words: str, given: str = "", **more) -> Ran:
        ran = self.nxrun(*words, given=given, **more)
        self.assertEqual(ran.status, 0, f"{' '.join(words)}\n{ran.text[-4000:]}")
        return ran

    def refuses(self, refusals) -> None:
        """Requests, each with what its one sentence says: status 2, and nothing has begun."""
        for words, sentence in refusals:
            ran = self.nxrun(*words)
            self.assertEqual((ran.status, ran.out), (2, ""), words)
            self.assertIn(sentence, ran.errors)
            self.assertEqual(len(ran.errors.splitlines()), 1, ran.errors)

    def record(self, *words: str) -> tuple[Ran, dict]:
        path = self.path("record.json")
        ran = self.nxrun("--record", path, *words)
        with open(path, encoding="utf-8") as file:
            return ran, json.load(file)


class DesignCase(NativeCase):
    """What every design promises; for_each makes tests of it."""

    def selftest_under(self, design):
        ran = self.well("-n", "3", "-d", design, app("selftest"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def behaviours_under(self, design):
        ran = self.well("-n", "3", "-d", design, app("behaviours"))
        self.assertRegex(ran.out, r"[1-9]\d* passed, 0 failed")

    def handlers_keep_their_promises_under(self, design):
        ran = self.well("-n", "3", "--budget", "12582912", "-d", design, self.program("handlers"))
        self.assertRegex(ran.out, r"[1-9]\d* passed, 0 failed")

    def places_are_used_again_under(self, design):
        self.program("pids_node")
        ran = self.well("-n", "2", "--pids", "2", "-d", design, self.program("pids_host"))
        self.assertIn("host: all is well", ran.out)


def ranks_of(process: int) -> list[int]:
    """The processes that nxrun has started and that still are."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []
    return [child for child in children if name_of(child) not in ("", "nxrun-keeper")]


def name_of(process: int) -> str:
    """As Linux knows it; empty: there is none."""
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def lives(process: int) -> bool:
    """Whether it is there and has not ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
