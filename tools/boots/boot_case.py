# SPDX-License-Identifier: MIT
"""A test case that boots the real kernel through the runner and reads the record."""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.path.join(ROOT, "build")
RUNNER = os.path.join(ROOT, "tools", "parley")
SIX = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6")
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
        command = [RUNNER, "run", f"RECORD={path}", f"LIMIT={limit or ''}", *words]
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

    def boot_well(self, *words: str, limit: int = 60) -> Boot:
        boot = self.boot(*words, limit=limit)
        self.assertEqual(boot.status, 0, f"{' '.join(words)}\n{boot.text[-6000:]}")
        return boot

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


def for_each(values, name: str):
    """Makes one test for each value from a method that takes it, so that each is counted and named."""

    def decorate(case: type) -> type:
        method = getattr(case, name)
        delattr(case, name)
        for value in values:
            test = lambda self, value=value: method(self, value)  # noqa: E731
            words = value if isinstance(value, (tuple, list)) else (value,)
            test.__name__ = f"test_{name}_" + "_".join(str(word) for word in words)
            setattr(case, test.__name__, test)
        return case

    return decorate
