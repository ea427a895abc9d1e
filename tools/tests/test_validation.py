# SPDX-License-Identifier: MIT
"""make validate-machine: what its table says of a modelled machine beside this host follows from what was
measured, and what it is asked wrongly is refused in a sentence."""

import contextlib
import io
import os
import re
import sys
import unittest
from unittest import mock

TOOLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
sys.path.insert(0, TOOLS)
import validate_machine  # noqa: E402
from parley_runner import machine_file, places  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from parley_runner.table import YARDSTICK  # noqa: E402
from validate_machine import Round, Row, near, rows_of, summary, told  # noqa: E402

KNOWN = ["carrying", "circular", "lanes"]


class Native(unittest.TestCase):
    def test_the_native_ring_copies_as_the_booted_one_does(self):
        record = {"rows": [{"name": name, "bytes": 0, "median": 50.0} for name in (YARDSTICK, "round trip")]}
        with mock.patch.object(validate_machine, "record_of", return_value=record) as run:
            validate_machine.native("build", "carrying", "folder")
        line = run.call_args.args[0]
        with open(os.path.join(places.ROOT, "native", "booted", "copy.cpp"), encoding="utf-8") as file:
            booted = re.search(r"widest_move = (\d+);", file.read())[1]
        self.assertEqual(line[line.index("--widest-move") + 1], booted)


class Arithmetic(unittest.TestCase):
    def test_a_row_has_the_median_of_the_rounds_the_error_and_what_lines_take(self):
        rounds = [{0: 100.0, 64: 200.0}, {0: 140.0, 64: 260.0}, {0: 80.0, 64: 220.0}]
        first, second = rows_of({64: 264.0, 0: 90.0}, {0: 20.0, 64: 30.0}, rounds)
        self.assertEqual((first.size, first.native, first.least, first.most), (0, 100.0, 80.0, 140.0))
        self.assertAlmostEqual(first.error, -0.10)
        self.assertAlmostEqual(second.error, 0.20)
        self.assertEqual((first.lines, second.lines), (70.0, 234.0))

    def test_overlap_decides_where_the_lines_alone_take_longer_than_the_host(self):
        self.assertFalse(Row(64, 300.0, 234.0, 0, 0, 234.0).overlaps)
        self.assertTrue(Row(64, 300.0, 233.0, 0, 0, 234.0).overlaps)

    def test_rounds_of_processors_that_lie_far_apart_are_left_out(self):
        rounds = [Round("circular", bare, {}) for bare in (60.0, 90.0, 91.0, 250.0)]
        self.assertEqual([one.bare for one in near(rounds)], [60.0, 90.0])
        self.assertEqual(near([]), [])

    def test_a_sentence_says_how_many_sizes_up_to_the_aim_are_within_it_and_where_overlap_decides(self):
        rows = [
            Row(0, 120.0, 100.0, 0, 0, 50.0),  # just within
            Row(64, 79.0, 100.0, 0, 0, 50.0),
            Row(4096, 300.0, 100.0, 0, 0, 250.0),
            Row(8192, 900.0, 100.0, 0, 0, 850.0),  # beyond what the aim is of
        ]
        text = "\n".join(summary({"lanes": rows}))
        self.assertIn("lanes: 1 of 3 sizes up to 4096 bytes within 20%", text)
        self.assertIn("the largest error is +200%, at 4096 bytes", text)
        self.assertIn("Overlap decides at 4096, 8192 bytes", text)
        self.assertIn("at no size", "\n".join(summary({"lanes": rows[:1]})))
        (line,) = (line for line in told("lanes", rows, 3) if line.split()[0] == "64")
        self.assertIn("-21%", line)
        self.assertNotIn("overlap", line)

    def test_a_report_tells_what_was_left_out_and_names_a_port_without_rounds(self):
        found = {
            "modelled": {"lanes": {0: 120.0}, "reuse": {0: 130.0}},
            "free": {"lanes": {0: 20.0}, "reuse": {0: 20.0}},
            "bare": 66.0,
            "rounds": [Round("lanes", 60.0, {0: 110.0}), Round("reuse", 300.0, {0: 500.0})],
        }
        with contextlib.redirect_stdout(io.StringIO()) as out:
            rows = validate_machine.report(found, machine_file.read("modern"))
        text = out.getvalue()
        self.assertEqual(list(rows), ["lanes"])
        self.assertIn("modelled 66.0 ns, here 60.0 ns (+10%)", text)
        self.assertIn("Left out: 1 of 2 runs", text)
        self.assertIn("port=reuse: its processors lay far apart in every round", text)


class Boots(unittest.TestCase):
    def test_a_record_has_the_sizes_of_all_boots(self):
        def record(line, path, **environment):
            (ring,) = (word for word in line if word.startswith("ARGS="))
            sizes = ring.split()[1].split(",")
            rows = [{"name": "round trip", "bytes": int(size), "median": 1.0} for size in sizes]
            return {"rows": [*rows, {"name": "bare ping-pong", "median": 2.0}]}

        with mock.patch.object(validate_machine, "record_of", record):
            found = validate_machine.boot("build", "carrying", "modern", "folder")
        self.assertEqual(list(validate_machine.times_of(found)), list(validate_machine.SIZES))
        self.assertEqual(sum(row["name"] == "bare ping-pong" for row in found["rows"]), 1)


class Machines(unittest.TestCase):
    def text(self, name: str) -> str:
        return places.read_bounded(machine_file.find(name), name, machine_file.LARGEST).decode()

    def test_lines_that_cross_in_no_time_are_all_that_differs(self):
        own = self.text("modern")
        free = validate_machine.free_lines(own, machine_file.read("modern"))
        changed = [new for old, new in zip(own.splitlines(), free.splitlines()) if old != new]
        self.assertEqual(changed, ['from_cache = "0 ns"', 'upgrade = "0 ns"'])

    def test_a_machine_without_such_caches_is_refused(self):
        with self.assertRaisesRegex(BadRequest, "no caches that are written back"):
            validate_machine.free_lines(self.text("multimax"), machine_file.read("multimax"))


class Words(unittest.TestCase):
    def test_words_are_taken_and_wrong_ones_refused_in_a_sentence(self):
        asked = validate_machine.parse(["ROUNDS=3", "PORTS=lanes,carrying", "MACHINE=own.toml"], KNOWN)
        self.assertEqual((asked.rounds, asked.ports), (3, ("lanes", "carrying")))
        self.assertEqual(asked.machine, "own.toml")
        self.assertEqual(validate_machine.parse([], KNOWN).machine, "modern")
        for word, sentence in (
            ("ROUND=3", "Did you mean rounds"),
            ("ROUNDS=0", "from 1 to 1000, not '0'"),
            ("ROUNDS=many", "not 'many'"),
            ("PORTS=lane", "Did you mean lanes"),
        ):
            with self.subTest(word=word), self.assertRaisesRegex(BadRequest, sentence):
                validate_machine.parse([word], KNOWN)

    def test_words_are_checked_before_anything_is_built_or_measured(self):
        classes = [{"factor": "port", "name": name} for name in KNOWN]
        for words, status, sentence in (
            ([], 0, ""),
            (["MACHINE=moderne"], 2, "Did you mean modern"),
            (["MACHINE=multimax"], 2, "no caches that are written back"),
            (["OUT=/nowhere/file.json"], 2, "there is no folder"),
        ):
            with (
                self.subTest(words=words),
                mock.patch.object(validate_machine.designs, "classes", lambda build: classes),
                mock.patch.object(sys, "argv", ["validate_machine.py", "build", "--check", *words]),
                mock.patch.object(validate_machine, "measure", side_effect=AssertionError),
                contextlib.redirect_stderr(io.StringIO()) as said,
            ):
                self.assertEqual(validate_machine.run(), status, said.getvalue())
                self.assertIn(sentence, said.getvalue())

    def test_a_run_that_fails_is_told_and_fails(self):
        with (
            mock.patch.object(validate_machine, "main", side_effect=validate_machine.Failed("nxrun: no")),
            contextlib.redirect_stderr(io.StringIO()) as said,
        ):
            self.assertEqual(validate_machine.run(), 1)
        self.assertEqual(said.getvalue(), "validate-machine: nxrun: no\n")


if __name__ == "__main__":
    unittest.main()
