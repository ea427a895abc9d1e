# SPDX-License-Identifier: MIT
"""What make compare says of measurements: here of canned ones, since no test may depend on a quiet
machine."""

import contextlib
import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
import unittest
from unittest import mock

from native_case import BUILD, LONGEST, ROOT, NativeCase
from declarations import needs

sys.path.insert(0, os.path.join(ROOT, "native", "compare"))
import compare  # noqa: E402
import judging  # noqa: E402

DRAWN = all(importlib.util.find_spec(name) for name in ("matplotlib", "scipy", "jinja2"))


def row(metric: str, size: int, time: float, unit: float, settled: int = 61) -> str:
    ratio = time / unit if unit else 0.0
    numbers = (time * 0.9, time, time * 1.1, time * 1.2, time * 3, settled, unit, ratio)
    return ",".join(["ROW", metric, str(size), *(f"{number:.4f}" for number in numbers)])


class Judging(unittest.TestCase):
    def test_an_interval_leaves_out_what_it_may_and_no_more(self):
        self.assertEqual([judging.cut(rounds) for rounds in (1, 4, 5, 7, 8, 11, 20)], [0, 0, 0, 0, 1, 2, 5])
        value = judging.value_of([3.0, 1.0, 2.0, 100.0, 4.0, 5.0, 6.0, 7.0])
        self.assertEqual((value.median, value.low, value.high), (4.5, 2.0, 7.0))

    def test_a_goal_holds_or_is_missed_only_with_its_whole_interval(self):
        for values, said in (
            ([1.0, 1.1, 1.2, 1.2], judging.HOLDS),
            ([1.3, 1.4, 1.3, 1.3], judging.MISSED),
            ([1.0, 1.1, 1.2, 1.3], judging.NOISE),
            ([1.0, 1.0, 1.0], "too few rounds (3)"),
            ([], "not measured"),
        ):
            self.assertEqual(judging.verdict(judging.value_of(values), most=1.25), said, values)

    def test_who_is_near_is_not_ranked(self):
        first, near, far = ([time] * 4 for time in (1.0, 1.05, 2.0))
        first[3] = 1.06
        values = {who: judging.value_of(v) for who, v in (("a", first), ("b", near), ("c", far))}
        self.assertEqual(judging.fastest(values), "a or b")
        del values["b"]
        self.assertEqual(judging.fastest(values), "a")
        self.assertEqual(judging.fastest({"a": values["a"]}), "-")

    def test_a_ratio_is_as_uncertain_as_both_its_sides(self):
        mine, rival = judging.value_of([1.0, 1.1, 1.2, 1.1]), judging.value_of([2.0, 2.2, 2.4, 2.2])
        ratio = judging.times_faster(mine, rival)
        self.assertAlmostEqual(ratio.median, 2.0)
        self.assertAlmostEqual(ratio.low, 2.0 / 1.2)
        self.assertAlmostEqual(ratio.high, 2.4 / 1.0)


@needs("own-ranks")
class OwnRanks(unittest.TestCase):
    """Contestants that start their ranks themselves."""

    def run_one(self, name: str, *words: str) -> subprocess.CompletedProcess:
        line = [os.path.join(BUILD, "compare", f"measure-{name}"), *words]
        return subprocess.run(line, capture_output=True, text=True, timeout=LONGEST, check=False)

    def test_every_way_delivers_what_was_sent(self):
        for way in ("line", "lines", "two-lines", "once", "twice", "shared", "pointer", "ring"):
            with self.subTest(way):
                done = self.run_one("limit", "-n", "2", "--way", way, "check")
                self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_collectives_of_more_ranks_than_processors_have_the_right_values(self):
        for words in (["limit", "-n", "5", "--way", "line"], ["socket", "-n", "5"]):
            with self.subTest(words[0]):
                done = self.run_one(*words, "check")
                self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_a_rank_that_is_ended_ends_the_others(self):
        for words in (["limit", "-n", "2", "--way", "line"], ["socket", "-n", "2"]):
            with self.subTest(words[0]):
                path, *more = os.path.join(BUILD, "compare", f"measure-{words[0]}"), *words[1:]
                # It goes on for minutes, and its first line comes when the other rank works.
                line = [path, *more, *["pingpong"] * 50]
                with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as program:
                    program.stdout.readline()
                    with open(f"/proc/{program.pid}/task/{program.pid}/children", encoding="utf-8") as file:
                        (child,) = map(int, file.read().split())
                    os.kill(child, signal.SIGKILL)
                    program.stdout.read()
                    self.assertEqual(program.wait(LONGEST), 1)

    def test_bad_words_get_a_sentence(self):
        for name, words, sentence in (
            ("limit", [], "--way takes line, lines, two-lines, once, twice, shared, pointer or ring"),
            ("limit", ["--way", "two"], "pointer or ring, not two"),
            ("limit", ["-n", "65", "--way", "line"], "-n takes 1 to 64 ranks"),
            ("socket", ["-n", "0"], "-n takes 1 to 64 ranks"),
        ):
            with self.subTest(words):
                done = self.run_one(name, *words)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
                self.assertIn(sentence, done.stderr)


class Compare(NativeCase):
    def canned(self, **rows: list[str]) -> dict[str, list[str]]:
        """Contestants that print these, whatever is asked of them; none: it fails."""
        found = {}
        for who, lines in rows.items():
            path = self.path(f"{who}.sh")
            with open(path, "w", encoding="utf-8") as file:
                said = "\n".join(f"echo {line}" for line in lines)
                file.write(said or "echo no memory >&2; exit 3")
            found[who.replace("_", "-")] = ["sh", path]
        return found

    def run_with(self, found: dict, *words: str) -> tuple[int, str]:
        os.makedirs(self.path("compare"), exist_ok=True)
        said = io.StringIO()
        with (
            mock.patch.object(compare, "contestants", lambda build: found),
            mock.patch.object(sys, "argv", ["compare.py", self.folder, *words]),
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
        ):
            try:
                status = compare.main()
            except SystemExit as end:
                status = end.code
        return status, said.getvalue()

    def usual(self) -> dict:
        ours = [row("pingpong", 0, 70, 60), row("pingpong", 512, 120, 60), row("lines", 0, 63, 60)]
        ours += [row("barrier-2", 0, 72, 60)]
        crowd = [row("barrier-4", 0, 2000, 0)]
        return self.canned(
            parley=[*ours, *crowd],
            parley_waiting=[row("pingpong", 0, 90, 60)],
            limit_line=[row("pingpong", 0, 60, 60)],
            limit_once=[row("pingpong", 512, 100, 50)],
            limit_twice=[row("pingpong", 512, 80, 60)],
            openmpi=[row("pingpong", 0, 110, 60), row("barrier-4", 0, 4000, 0)],
            openmpi_tuned=[row("pingpong", 0, 100, 60), row("pingpong", 512, 190, 60)],
        )

    def test_it_says_of_every_goal_what_came_of_it(self):
        status, text = self.run_with(self.usual(), "--rounds", "4")
        self.assertEqual(status, 0, text)
        for what in (
            r"parley: pingpong 0 +at most 1.35 times limit-line +1.17 .* holds",
            r"parley: pingpong 512 +at most 1.15 times a copy by hand +1.50 .* missed",
            r"parley: pingpong 0 +1.3 times faster than every MPI +1.43 .* holds",
            r"parley: barrier-2 0 +at most 1.35 x +1.20 .* holds",
            r"parley: barrier-4 0 +1.5 times faster than openmpi at its quietest +2.00 .* holds",
            r"parley-waiting: pingpong 0 +at most 1.1 times parley +1.29 .* missed",
            r"parley: pingpong 8 +at most 1.35 times limit-line +- +not measured",
            r"parley: broadcast-4 8 +1.0 times faster than every MPI +- +not measured",
            r"x: .*: 60.00 \(60.00 to 60.00\) ns",
            r"as a row of its own, in 61 batches: 1.05",
            r"pingpong 0 .* parley\n",
        ):
            self.assertRegex(text, what)

    def test_whole_starts_are_timed_and_one_that_fails_is_named(self):
        status, text = self.run_with(self.usual(), "--rounds", "4")
        self.assertRegex(text, r"parley: start-64 0 +2.0 times faster than every MPI +[0-9.]+ \(")
        self.assertRegex(text, r"\nstart-64 0 ")
        found = self.usual()
        with open(self.path("openmpi.sh"), "a", encoding="utf-8") as file:
            file.write("\n[ $# -ne 0 ] || { echo no ranks >&2; exit 3; }\n")
        status, text = self.run_with(found, "--rounds", "1")
        self.assertEqual(status, 1)
        self.assertIn("no ranks", text)

    def test_what_is_written_by_hand_is_ranked_with_no_message_system(self):
        status, text = self.run_with(self.usual(), "--rounds", "4")
        self.assertEqual(status, 0, text)
        by_hand = text[text.index("by hand, in x") :]
        self.assertRegex(by_hand, r"pingpong 0 +1.00 ±0%")
        self.assertEqual(re.findall(r"pingpong 0 .* (\S+)\n", text)[0], "parley")

    def test_rows_while_the_processors_moved_are_dropped(self):
        found = self.canned(parley=[row("pingpong", 0, 70, 60, settled=19)])
        status, text = self.run_with(found, "--rounds", "4")
        self.assertRegex(text, r"parley: pingpong 0 +at most 1.35 times limit-line +- +not measured")

    def test_a_contestant_that_fails_is_named_and_the_others_stand(self):
        status, text = self.run_with({**self.usual(), **self.canned(socket=[])}, "--rounds", "1")
        self.assertEqual(status, 1)
        self.assertIn("no memory", text)
        self.assertRegex(text, r"parley: pingpong 0 .* too few rounds \(1\)")

    def test_bad_requests_end_in_one_sentence(self):
        self.assertEqual(
            self.run_with(self.usual(), "--rounds", "0"),
            (2, "ROUNDS takes a number of rounds from 1 on, not 0.\n"),
        )
        status, text = self.run_with(self.usual(), "--only", "parley,mpi")
        self.assertEqual((status, text.count("\n")), (2, 1))
        self.assertIn("There is no contestant mpi; there are parley,", text)

    @unittest.skipUnless(DRAWN, "what draws is missing (Debian: python3-matplotlib, -scipy and -jinja2)")
    def test_the_report_draws_the_record(self):
        self.run_with(self.usual(), "--rounds", "2")
        path = self.path(os.path.join("compare", "record.json"))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["runs"]), 14)
        report = [sys.executable, "-B", os.path.join(ROOT, "tools", "parley"), "report", path]
        done = subprocess.run(
            [*report, f"OUT={self.path('report')}"], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        curves = [name for name in os.listdir(self.path("report")) if "pingpong" in name]
        self.assertTrue(curves and all(name.endswith(".svg") for name in curves), curves)
        with open(self.path("report/report.html"), encoding="utf-8") as file:
            self.assertTrue("parley-waiting" in file.read())


if __name__ == "__main__":
    unittest.main()
