# SPDX-License-Identifier: MIT
"""One result, one table, and what a busy host makes of it."""

import os
import sys
import time
import unittest

from runner_case import TOOLS, RunnerCase, elf

sys.path.insert(0, TOOLS)
from parley_runner import console, guest, request, steadiness, table  # noqa: E402

# A boot whose bare ping-pong takes what the first line of this file says; each boot takes one line.
YARDSTICKS = """
with open('yardsticks') as file: first, *rest = file.read().split()
with open('yardsticks', 'w') as file: file.write(' '.join(rest))
machine.plan(); machine.job(); machine.row(0, float(first), 'bare ping-pong'); machine.row(median=1500.0)
machine.job_end(); machine.end(rows=2); machine.exit(33)"""
TALKS = """
machine.say('Parley\\n  boot 0 us  machine: ACPI tables\\n  boot 12 us  processors: the others\\n')
machine.say('job ring: bin/ring on 2 nodes, kernel,heavy\\n  unprotected inside the job: beware\\n')
machine.say('Parley is what I say\\njob ring: bin/ring on 2 nodes, kernel,heavy\\nprompt> ')
machine.good(); machine.exit(33)"""


class Yardsticks(RunnerCase):
    def boots(self, yardsticks: str, *words: str):
        self.write("yardsticks", yardsticks)
        words = ("PROCESSORS=1", "THREADS=multi", "RECORD=record.json", *words)
        done = self.run_fake(YARDSTICKS, *words)
        with open(self.path("yardsticks"), encoding="ascii") as file:
            self.assertEqual(file.read(), "", "boots that did not happen")
        return done

    def test_a_boot_that_a_busy_host_spoiled_is_measured_again(self):
        done = self.boots("9000000 300")
        self.assert_status(done, 0, "so it is measured again.")
        self.assertIn("x5.00", done.stdout)
        self.assertNotIn("unsteady", done.stdout)
        self.assertEqual([row["unsteady"] for row in self.record()["rows"]], [False, False])
        self.assertEqual(self.record()["host"]["boots"], 2)

    def test_a_repetition_writes_its_files_in_place_of_the_first_ones(self):
        writes = "machine.plan(); machine.file(b'stick', first.encode());"
        self.write("yardsticks", "9000000 300")
        words = ("PROCESSORS=1", "THREADS=multi", "OUT=out")
        done = self.run_fake(YARDSTICKS.replace("machine.plan();", writes), *words)
        self.assert_status(done, 0, "measured again")
        self.assertEqual(os.listdir(self.path("out")), ["stick"])
        with open(self.path("out/stick"), encoding="ascii") as file:
            self.assertEqual(file.read(), "300")

    def test_what_stays_spoiled_is_marked_in_table_and_record(self):
        done = self.boots("9000000 9000000")
        self.assertIn("1.50 (1.40..1.60) ~", done.stdout)
        self.assertIn("~ unsteady: the host was busy", done.stdout)
        self.assertIn("also when they were measured again (2 boots)", done.stdout)
        self.assertIn("even the bare ping-pong took 9000 us", done.stdout)
        self.assertEqual([row["unsteady"] for row in self.record()["rows"]], [True, True])

    def test_nothing_is_repeated_where_the_user_says_so_or_the_clock_counts(self):
        self.assertIn("~ unsteady", self.boots("9000000", "REMEASURE=0").stdout)
        script = YARDSTICKS.replace("machine.plan()", "machine.plan(clock='counted')")
        self.write("yardsticks", "9000000")
        self.assertNotIn("unsteady", self.run_fake(script, "PROCESSORS=1", "THREADS=multi").stdout)

    def test_yardsticks_that_disagree_are_measured_again(self):
        done = self.boots("300 3000 310", "DESIGN=exp1 exp6")
        self.assertIn("exp6: its bare ping-pong took 10.00 times as long as another's", done.stdout)
        self.assertIn("x5.00", done.stdout)
        self.assertIn("x4.84", done.stdout)

    def test_yardsticks_that_disagree_still_leave_the_column_out(self):
        done = self.boots("300 3000 3100", "DESIGN=exp1 exp6")
        self.assertNotIn(" x", done.stdout.split("Clock:")[0])
        self.assertIn("took 0.3 us under one design and 3.10 us under another", done.stdout)


class Steady(unittest.TestCase):
    def test_what_a_thread_waits_for_a_core_is_its_unsteadiness(self):
        steady = steadiness.Steadiness(os.getpid())
        looks = iter([{"1": 0, "2": 0}, {"1": 50_000_000, "2": 150_000_000}])
        self.addCleanup(setattr, steadiness, "delays", steadiness.delays)
        steadiness.delays = lambda pid: next(looks, {})
        steady.begin()
        steady.at = time.monotonic() - 0.3
        self.assertAlmostEqual(steady.kept_from_running(), 0.5, 1)
        self.assertAlmostEqual(steady.kept_from_running(), 0.5, 1)  # what comes at once shares it

    def test_this_host_tells_of_this_process(self):
        self.assertTrue(steadiness.delays(os.getpid()), "no schedstat in /proc")

    def test_rows_are_marked_where_the_machine_stood_still_and_never_where_the_clock_counts(self):
        row = {"name": "x", "median": 1.0}
        for clock, kept, marked in (("free", 0.3, True), ("free", 0.1, False), ("counted", 0.9, False)):
            rows = [dict(row)]
            steadiness.mark(rows, [kept], clock, "multi")
            self.assertEqual(rows[0]["unsteady"], marked, (clock, kept))


class OneTable(RunnerCase):
    def test_a_terminal_shows_rows_while_they_come_and_the_table_takes_their_place(self):
        script = """
            machine.plan(); machine.job(); machine.row(64); time.sleep(0.5); machine.row(128); time.sleep(0.5)
            machine.job_end(); machine.end(rows=2); machine.exit(33)"""
        text = self.terminal(script).decode()
        self.assertIn("  round trip, 64 bytes: 1.50 (1.40..1.60) us\r\nexp6:", text)
        screen = drawn(text)
        self.assertNotIn("round trip, 64 bytes", screen)
        self.assertEqual(screen.count("1.50 (1.40..1.60)"), 2)

    def test_quiet_prints_what_programs_print_and_nothing_else(self):
        done = self.run_fake(TALKS, "QUIET=1")
        self.assertEqual(
            (done.stdout, done.stderr),
            ("Parley is what I say\njob ring: bin/ring on 2 nodes, kernel,heavy\nprompt> ", ""),
        )

    def test_quiet_says_what_goes_wrong(self):
        done = self.run_fake("machine.plan(); machine.frame(8, b'oh dear'); machine.exit(37)", "QUIET=1")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("oh dear", done.stderr)

    def test_several_designs_show_each_ones_output(self):
        done = self.run_fake(TALKS, "DESIGN=exp1 exp6")
        self.assertEqual(done.stdout.count("Parley is what I say\n"), 2)
        self.assertNotIn("boot 12 us", done.stdout)
        self.assertEqual(done.stdout.count("unprotected inside the job"), 2)

    def test_programs_are_told_whether_a_table_follows(self):
        script = """
            archive = machine.arguments[machine.arguments.index('-initrd') + 1]
            machine.say(str(b'table 1' in open(archive, 'rb').read())); machine.good(); machine.exit(33)"""
        self.assertIn("True", self.run_fake(script).stdout)
        self.assertEqual(self.run_fake(script, "QUIET=1").stdout, "False")


    def test_where_no_table_follows_as_on_a_pc_programs_print_their_own(self):
        program, path = self.write("program", elf()), self.path("archive")
        for table_follows in (False, True):
            guest.make_archive(request.make([f"APP={program}"]), path, table=table_follows)
            with open(path, "rb") as file:
                self.assertEqual(b"\ntable 1\n" in file.read(), table_follows)


class Ended(RunnerCase):
    """What has ended is told, however the boots behind it fare."""

    def setUp(self):
        super().setUp()
        self.write("files/one", "1")

    def test_a_boot_that_cannot_begin_leaves_those_before_it_in_the_record(self):
        script = "import shutil; shutil.rmtree('files'); machine.good(); machine.exit(33)"
        done = self.run_fake(script, "DESIGN=exp1 exp6", "FILES=files", "RECORD=record.json")
        self.assert_status(done, 2, "Cannot read the folder files")
        self.assertEqual(self.record()["asked"]["jobs"][0]["design"], "exp1")

    def test_one_that_cannot_be_measured_again_is_told_as_it_was(self):
        self.write("yardsticks", "9000000")
        goes = "import shutil; shutil.rmtree('files'); machine.plan();"
        script = YARDSTICKS.replace("machine.plan();", goes)
        words = ("PROCESSORS=1", "THREADS=multi", "FILES=files", "RECORD=record.json")
        done = self.run_fake(script, *words)
        self.assert_status(done, 0, "~ unsteady")
        self.assertIn("it could not be measured again: Cannot read the folder files", done.stderr)
        self.assertEqual(self.record()["host"]["boots"], 1)


class Lines(unittest.TestCase):
    def test_the_console_may_come_in_pieces_of_any_size(self):
        text = b"Parley\n  boot 0 us  clock\njob a: bin/a on 1 node, d\n  unprotected inside the job\n"
        text += b"  boot: me\n"
        for size in range(1, len(text)):
            programs, out = console.Programs(["a"]), b""
            for start in range(0, len(text), size):
                out += programs.feed(text[start : start + size])
            self.assertEqual(out + programs.finish(), b"  boot: me\n", size)

    def test_a_prompt_without_an_end_goes_on_at_once(self):
        programs = console.Programs(["a"])
        self.assertEqual(programs.feed(b"Parley\nname? "), b"name? ")
        self.assertEqual(programs.feed(b"Parley\n"), b"Parley\n")


class Wide(unittest.TestCase):
    def record(self, design: str, *rows: dict, jobs=1) -> dict:
        return {
            "rows": list(rows),
            "jobs": [{"job": n, "name": f"ring-{n}", "nodes": 2} for n in range(jobs)],
            "clock": "free",
            "host": {"threads": "multi"},
            "asked": {"jobs": [{"design": design}] * jobs},
            "processors": 2,
            "checks": "full",
            "dispatch": "virtual",
        }

    def row(self, median: float, name="round trip", unit="ns", size=64, job=0) -> dict:
        spread = dict.fromkeys(("median", "lower_quartile", "upper_quartile"), median)
        return {"job": job, "node": 0, "name": name, "unit": unit, "access": "", "bytes": size, **spread}

    def test_a_table_of_all_designs_fits_the_terminal(self):
        records = [
            self.record(f"design-{n}", self.row(300.0, table.YARDSTICK, size=0), self.row(15000.0 + n))
            for n in range(9)
        ]
        text = table.render(records, 80).split("\n\nClock:")[0]
        self.assertLessEqual(max(map(len, text.splitlines()[2:])), 80, text)
        for n in range(9):
            self.assertEqual(text.count(f"design-{n}"), 2)
        self.assertEqual(text.count("\n   64"), 2)
        self.assertGreater(max(map(len, table.render(records).splitlines())), 110)

    def test_jobs_of_one_file_are_told_apart(self):
        record = self.record("exp6", self.row(1000.0), self.row(2000.0, job=1), jobs=2)
        self.assertRegex(table.render([record]), r"bytes +ring-0 +ring-1\n")
        record["asked"]["jobs"] = [{"design": "exp1"}, {"design": "exp6"}]
        self.assertRegex(table.render([record]), r"bytes +ring-0 exp1 +ring-1 exp6\n")

    def test_a_digest_is_one_word_that_tells_results_apart(self):
        first, second = 123456789012345.0, 123456789012346.0
        rows = [self.row(first, "spectrum", "digest", 16), self.row(second, "spectrum", "digest", 32)]
        text = table.render([self.record("a", *rows), self.record("b", *rows), self.record("c", rows[0])])
        words = text.split("spectrum, digest")[1].split("\n")[0].split()
        self.assertEqual((words[0], len(set(words))), (words[1], 2))
        self.assertNotIn("1234", text)


def drawn(text: str) -> str:
    """What a terminal shows in the end, of lines that are written and taken away again."""
    import re

    lines, row = [""], 0
    for piece in re.split(r"(\x1b\[\d*[A-Za-z]|\r\n|\r)", text):
        if piece == "\r\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif piece == "\r":
            lines[row] = lines[row] if row + 1 < len(lines) else lines[row]
        elif up := re.fullmatch(r"\x1b\[(\d+)A", piece):
            row -= int(up[1])
        elif piece in ("\x1b[J", "\x1b[K"):
            del lines[row + (piece == "\x1b[K") :]
            lines[row:] = [""] if piece == "\x1b[J" else lines[row:]
            lines[row:] = lines[row:] or [""]
            lines[row] = ""
        else:
            lines[row] += piece
    return "\n".join(lines)


class Consoles(unittest.TestCase):
    def test_lines_of_other_machines_come_between_whole_ones_of_the_firsts(self):
        written: list[bytes] = []
        together = console.Together(written.append)
        for take, data in (
            (together.first, b"one\ntw"),
            (together.other, b"their first\n"),
            (together.first, b"o"),
            (together.other, b"their second\n"),
            (together.first, b"\nthree: "),
            (together.other, b"their third\n"),
        ):
            take(data)
        together.finish()
        text = b"one\ntwo\ntheir first\ntheir second\nthree: \ntheir third\n"
        self.assertEqual(b"".join(written), text)
        self.assertEqual(written[:2], [b"one\ntw", b"o"])  # nothing of the first's waits


if __name__ == "__main__":
    unittest.main()
