# SPDX-License-Identifier: MIT
"""What studies' tools share: records are kept for what they come from alone, statements are judged by the
runs and the page, and tables line up."""

import contextlib
import io
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

TOOLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
sys.path.append(TOOLS)

from parley_runner.status import BadRequest  # noqa: E402
from parley_study import kept_runs, statements, tables  # noqa: E402
from parley_study.statements import Verdict  # noqa: E402


def as_from_a_terminal() -> None:
    """What was started in the background, or under nohup, ignores some."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Kept(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.runs = kept_runs.KeptRuns(os.path.join(self.folder, "records"))
        self.made = 0

    def one(self, name: str, key: str) -> dict:
        def make() -> dict:
            self.made += 1
            return {"number": self.made}

        return self.runs.made(name, key, make)

    def test_a_record_is_made_once_for_a_name_and_a_key(self):
        self.assertEqual(self.one("a b", "key"), {"number": 1})
        self.assertEqual(self.one("a b", "key"), {"number": 1})
        self.assertEqual(self.one("a b", "another"), {"number": 2})
        self.assertEqual(self.one("a c", "another"), {"number": 3})

    def test_a_damaged_record_is_made_again(self):
        for text in ("", "{", "[]", '{"key": "key"}'):
            self.one("a", "key")
            with open(self.runs.path("a"), "w", encoding="utf-8") as file:
                file.write(text)
            before = self.made
            self.assertEqual(self.one("a", "key"), {"number": before + 1})

    def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(self):
        in_the_way = os.path.join(self.folder, "records")
        with open(in_the_way, "w", encoding="utf-8"):
            pass
        with self.assertRaises(BadRequest) as caught:
            self.one("a", "key")
        self.assertEqual(str(caught.exception), f"Cannot make the folder {in_the_way}: File exists.")

    def test_a_command_that_does_not_look_ends_in_a_sentence_too(self):
        for raised, status, said in (
            ('BadRequest("Cannot write it.")', 2, "study.py: Cannot write it.\n"),
            ("KeyboardInterrupt()", 130, "study.py: interrupted.\n"),
        ):
            text = f"""
import sys
sys.argv = ["/tmp/study.py"]
from parley_runner.status import BadRequest
from parley_study import closing
def main():
    raise {raised}
sys.exit(closing.of(main))
"""
            done = subprocess.run(
                [sys.executable, "-B", "-c", text], capture_output=True, text=True, check=False, cwd=TOOLS
            )
            self.assertEqual((done.returncode, done.stdout, done.stderr), (status, "", said))

    def test_a_study_that_is_asked_to_end_more_than_once_ends_its_runs_and_says_so_once(self):
        """As make hands on what a terminal has sent to all: the later ones come while runs end."""
        text = f"""
import subprocess, sys
sys.argv = ["/tmp/study.py"]
from parley_study import closing, kept_runs
SLOW = "trap 'echo; sleep 0.2; exit 130' TERM; echo; for i in $(seq 200); do sleep 0.02; done"
def one(run):
    subprocess.run(["sh", "-c", SLOW], check=False)
def main():
    kept_runs.side_by_side([0], str, one)
sys.exit(closing.of(main))
"""
        for numbers in itertools.permutations((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)):
            with subprocess.Popen(
                [sys.executable, "-B", "-c", text],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=TOOLS,
                preexec_fn=as_from_a_terminal,
            ) as study:
                study.stdout.readline()  # it runs
                study.send_signal(numbers[0])
                study.stdout.readline()  # it ends
                for number in numbers[1:]:
                    study.send_signal(number)
                    time.sleep(0.02)
                _, complained = study.communicate(timeout=30)
            self.assertEqual((study.returncode, complained), (130, "study.py: interrupted.\n"))

    def test_a_digest_is_of_what_files_hold_and_of_words(self):
        path = os.path.join(self.folder, "file")
        found = {kept_runs.digest([path]), kept_runs.digest([path], "word"), kept_runs.digest([])}
        for text in ("one", "two"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            found.add(kept_runs.digest([path]))
        self.assertEqual(len(found), 5)
        self.assertEqual(kept_runs.digest([path]), kept_runs.digest([path]))

    def test_after_a_run_that_fails_no_other_begins(self):
        def one(run: int) -> int:
            if run == 0:
                raise kept_runs.RunFailed("0: the run failed")
            return run

        with contextlib.redirect_stderr(io.StringIO()) as told:
            self.assertEqual(kept_runs.side_by_side([2, 1], str, one), {1: 1, 2: 2})
            with self.assertRaises(kept_runs.RunFailed):
                kept_runs.side_by_side([0, *range(1, 50)], str, one)
        self.assertIn("2 of 2 runs: ", told.getvalue())

    def test_an_interrupt_is_none_of_the_runs_that_it_ends(self):
        """Ctrl-C goes to what runs have started, too."""
        interrupted = threading.Event()
        shutdown = ThreadPoolExecutor.shutdown

        def shut(pool, *words, **more):
            interrupted.set()
            shutdown(pool, *words, **more)

        def one(run: int) -> int:
            interrupted.wait()
            raise kept_runs.RunFailed(f"{run}: the run failed")

        with (
            mock.patch.object(ThreadPoolExecutor, "shutdown", shut),
            mock.patch.object(kept_runs.concurrent.futures, "as_completed", side_effect=KeyboardInterrupt),
            self.assertRaises(KeyboardInterrupt),
        ):
            kept_runs.side_by_side([0, 1], str, one)

    def test_no_run_begins_after_one_that_fails_while_an_earlier_one_goes_on(self):
        begun, others_are_over = [], threading.Event()
        shutdown = ThreadPoolExecutor.shutdown

        def shut(pool, *words, **more):
            others_are_over.set()
            shutdown(pool, *words, **more)

        def one(run: int) -> int:
            begun.append(run)
            if run == 1:
                raise kept_runs.RunFailed("1: the run failed")
            if run == 0:
                others_are_over.wait()
            elif len(begun) == 50:
                others_are_over.set()
            return run

        with (
            mock.patch.object(ThreadPoolExecutor, "shutdown", shut),
            mock.patch.object(os, "sched_getaffinity", lambda _: {0, 1}),
            self.assertRaises(kept_runs.RunFailed),
        ):
            kept_runs.side_by_side(range(50), str, one)
        self.assertEqual(sorted(begun), [0, 1])


class Judged(unittest.TestCase):
    def judge(self, verdict: Verdict, reasons: dict[str, str]) -> tuple[int, str]:
        with contextlib.redirect_stdout(io.StringIO()) as told:
            status = statements.judge([([verdict], "it fell")], reasons)
        return status, told.getvalue()

    def test_only_what_is_listed_with_a_reason_may_fail(self):
        wrong = Verdict("messages come", {"one": (False, "it is lost")})
        right = Verdict("messages come", {"one": (True, "it does")})
        for verdict, reasons, status, word in (
            (right, {}, 0, "holds: messages come (1 of 1)"),
            (wrong, {}, 1, "DOES NOT HOLD: messages come (0 of 1)\n    one: it is lost\n    measured: "),
            (wrong, {"messages come": "why"}, 0, "does not hold: "),
            (right, {"messages come": "why"}, 1, "HOLDS, though it is listed: "),
            (right, {"messages come": "At times: why"}, 0, "holds: messages come (1 of 1)"),
            (wrong, {"messages come": "At times: why"}, 0, "does not hold: "),
            (right, {"messages go": "why"}, 1, "listed, though nothing is asked so: messages go"),
        ):
            found, text = self.judge(verdict, reasons)
            self.assertEqual(found, status, text)
            self.assertIn(word, text)

    def test_a_reason_that_is_asked_of_the_runs_has_to_be_borne_out(self):
        wrong = Verdict("messages come", {"one": (False, "it is lost")})
        reasons = {"messages come": "the line is slow"}
        for borne, status, word in (
            ({"messages come": Verdict("it is", {"the line": (True, "5 s")})}, 0, "borne out: it is (1 of"),
            ({"messages come": Verdict("it is", {"the line": (False, "1 s")})}, 1, "the line: 1 s"),
            ({"messages come": Verdict("it is", {})}, 1, "NOT BORNE OUT: it is (0 of 0)"),
            ({}, 1, "NOT BORNE OUT: nothing is asked of the runs for it"),
            ({"messages go": Verdict("it is", {"the line": (True, "5 s")})}, 1, "NOT BORNE OUT: nothing"),
        ):
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                found = statements.judge([([wrong], "")], reasons, borne)
            self.assertEqual(found, status, told.getvalue())
            self.assertIn(word, told.getvalue())

    def test_a_statement_that_nothing_was_asked_of_does_not_hold(self):
        self.assertFalse(Verdict("messages come", {}).holds)

    def test_the_page_lists_what_does_not_hold_in_one_section(self):
        with tempfile.NamedTemporaryFile("w", suffix=".md") as file:
            file.write("# x\n\n## What does not hold on the modelled machine\n\nOf all:\n\n")
            file.write("* **messages\n  come**: because\n  so.\n* **and go**:\n  too.\n\nMore.\n\n")
            file.write("## Other\n\n* **no**: no\n")
            file.flush()
            found = statements.listed(file.name)
            self.assertEqual(found, {"messages come": "because so.", "and go": "too."})
            self.assertEqual(statements.listed(file.name, "Other"), {"no": "no"})


class Tables(unittest.TestCase):
    def test_columns_are_as_wide_as_their_widest_cell(self):
        lines = tables.table("Title", ["a", "long"], [["wider", 1], ["x", 22]])
        self.assertEqual(lines, ["", "Title", "      a  long", "  wider     1", "      x    22"])
        told = tables.Table("Title", ["a", "long"], [["wider", "1"], ["x", "22"]], ["a note"])
        self.assertEqual(told.lines(), [*lines, "  a note"])


if __name__ == "__main__":
    unittest.main()
