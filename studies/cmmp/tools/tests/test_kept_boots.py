# SPDX-License-Identifier: MIT
"""Boots whose records are kept: what was measured is not measured again, unless the build or the words are
others; what fails or is interrupted loses nothing."""

import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

from parley_runner import places  # isort: skip
from cmmp import kept_boots
from cmmp.kept_boots import Boot, Booter, Failed
from parley_study import kept_runs

TOOLS = os.path.join(places.ROOT, "studies", "cmmp", "tools")
# In place of tools/parley: notes that it ran, and does what ARGS says.
RUNNER = """#!/usr/bin/python3
import json, os, signal, sys, time
words = dict(word.split("=", 1) for word in sys.argv[2:])
with open(os.path.join({folder!r}, "ran"), "a") as file:
    file.write(words["ARGS"] + chr(10))
if words["ARGS"] == "fails":
    sys.exit("a sentence")
if words["ARGS"] == "waits":
    # Blocked: a signal that comes before it is waited for is not lost.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    open(os.path.join({folder!r}, "waiting"), "w").close()
    signal.sigwait([signal.SIGTERM])
    sys.exit(130)
if "TRACE" in words:
    with open(words["TRACE"], "wb") as file:
        file.write(b"its trace")
with open(words["RECORD"], "w") as file:
    json.dump({{"rows": [words["ARGS"], open(words["MACHINE"]).read()]}}, file)
"""
# A study of two boots, one of which waits.
STUDY = """
import sys
sys.path[:0] = [{tools!r}, {root!r} + "/tools"]
from cmmp import kept_boots
import modelled
from parley_study import closing
kept_boots.RUNNER, kept_boots.key = {runner!r}, lambda boot: boot.words[0]
boots = {{word: kept_boots.Boot("rootfinder", ("ARGS=" + word,), "") for word in ("a", "waits")}}
modelled.measure = lambda form, booter: booter.run(boots, list(boots))
sys.argv = ["modelled.py", "--records", {folder!r}, "--at-once", "1"]
sys.exit(closing.of(modelled.main))
"""


class Kept(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(subprocess.run, ["rm", "-r", self.folder], check=True)
        self.runner = os.path.join(self.folder, "parley")
        with open(self.runner, "w", encoding="utf-8") as file:
            file.write(RUNNER.format(folder=self.folder))
        os.chmod(self.runner, 0o755)
        self.build = "one"
        for name, value in (
            ("RUNNER", self.runner),
            ("key", lambda boot: self.build + "".join(boot.words) + boot.machine),
        ):
            patch = mock.patch.object(kept_boots, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.lines = []
        self.booter = Booter(os.path.join(self.folder, "records"), 2, self.lines.append)

    def ran(self) -> list[str]:
        try:
            with open(os.path.join(self.folder, "ran"), encoding="utf-8") as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def run_all(self, *words: str, machine: str = "text") -> dict:
        boots = {f"the {word}": Boot("rootfinder", (f"ARGS={word}",), machine) for word in words}
        return self.booter.run(boots, list(boots))

    def test_a_record_is_kept_and_read_again_as_long_as_words_machine_and_build_are_the_same(self):
        self.assertEqual(self.run_all("a", "b")["the b"], {"rows": ["b", "text"]})
        self.assertEqual(len([line for line in self.lines if line.startswith("boot ")]), 2)
        self.assertEqual(self.run_all("a", "b", "c")["the a"], {"rows": ["a", "text"]})
        self.assertEqual(sorted(self.ran()), ["a", "b", "c"])
        self.run_all("a", machine="another")
        self.build = "two"
        self.run_all("a", machine="another")
        self.assertEqual(sorted(self.ran()), ["a", "a", "a", "b", "c"])

    def test_the_trace_of_a_boot_is_kept_in_its_record_where_it_is_wanted(self):
        words = ("ARGS=a",)
        boots = {"plain": Boot("rootfinder", words, ""), "traced": Boot("rootfinder", words, "", traced=True)}
        for _ in range(2):
            found = self.booter.run(boots, list(boots))
            self.assertNotIn("trace", found["plain"])
            self.assertEqual(base64.b64decode(found["traced"]["trace"]), b"its trace")
        self.assertEqual(self.ran(), ["a", "a"])

    def test_a_traced_boot_is_of_the_kernel_that_writes_down_what_it_sees(self):
        mock.patch.stopall()
        with (
            mock.patch.object(kept_boots.executable, "find", lambda *_: "program"),
            mock.patch.object(os.path, "exists", lambda _: True),
            mock.patch.object(kept_boots.kept_runs, "digest", lambda files, *_: files),
        ):
            plain, traced = (kept_boots.key(Boot("rootfinder", (), "", traced)) for traced in (False, True))
        self.assertEqual([path for path in plain if "traced" in path], [])
        self.assertEqual(len([path for path in traced if "/traced/" in path]), 2)

    def test_a_damaged_record_is_measured_again(self):
        self.run_all("a")
        path = kept_runs.KeptRuns(os.path.join(self.folder, "records")).path("the a")
        for text in ("", "{", "[]", json.dumps({"key": self.build + "ARGS=atext"})):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assertEqual(self.run_all("a")["the a"]["rows"], ["a", "text"])
        self.assertEqual(len(self.ran()), 5)

    def test_where_one_fails_the_others_are_made_and_kept_and_it_is_told_what_it_said(self):
        with self.assertRaises(Failed) as caught:
            self.run_all("fails", "a", "b")
        self.assertIn("a sentence", str(caught.exception))
        self.assertIn("1 of 3", str(caught.exception))
        self.assertEqual(sorted(self.ran()), ["a", "b", "fails"])
        with self.assertRaises(Failed):
            self.run_all("fails", "a", "b")
        self.assertEqual(self.ran().count("a"), 1)

    def test_an_interrupted_study_ends_its_boots_says_so_and_goes_on_with_the_others(self):
        records = os.path.join(self.folder, "of a study")
        text = STUDY.format(tools=TOOLS, root=places.ROOT, runner=self.runner, folder=records)
        for number in (signal.SIGINT, signal.SIGTERM):
            waiting = os.path.join(self.folder, "waiting")
            os.mkfifo(waiting)
            study = subprocess.Popen(
                [sys.executable, "-B", "-c", textwrap.dedent(text)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                # What runs in a script's background ignores this signal, and so would the study.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
            with open(waiting, "rb"):  # until the second boot runs
                study.send_signal(number)
                said, complained = study.communicate(timeout=60)
            os.unlink(waiting)
            self.assertEqual(study.returncode, 130, complained)
            self.assertNotIn("Traceback", said + complained)
            self.assertIn("the same command goes on", complained)
        self.assertEqual(self.ran(), ["a", "waits", "waits"])


if __name__ == "__main__":
    unittest.main()
