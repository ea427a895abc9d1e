# SPDX-License-Identifier: MIT
"""The formulas of the study of Cedar with numbers that are known, bounds of printed numbers, and that each
statement about the document can fail."""

import dataclasses
import os
import subprocess
import sys
import unittest
from fractions import Fraction

import overheads
from cedar import document
from cedar.intervals import Interval, interval, printed
from cedar.statements import Cell, Statement, statements
from parley_trace import loop_formulas as formulas

TOOL = os.path.join(os.path.dirname(__file__), "..", "overheads.py")


def run(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-B", TOOL, *words], capture_output=True, text=True, check=False)


class Formulas(unittest.TestCase):
    def test_half_of_the_time_on_seven_processors_are_four_on_average(self):
        self.assertEqual(formulas.loop_concurrency(Fraction(4), 100, 50), 7)
        self.assertEqual(formulas.loop_share(Fraction(4), Fraction(7)), Fraction(1, 2))

    def test_loops_of_the_main_cluster_are_divided_among_its_processors_alone(self):
        self.assertEqual(formulas.ideal_time(Fraction(80), Fraction(240), [8, 8, 4, 4]), 20)
        self.assertEqual(formulas.ideal_time(Fraction(0), Fraction(240), [Fraction(8)]), 30)

    def test_contention_is_what_exceeds_the_ideal_in_percent_of_all(self):
        self.assertEqual(formulas.contention(Fraction(37), 22, 60), 25)


class Intervals(unittest.TestCase):
    def test_digits_say_how_far_a_number_was_rounded(self):
        self.assertEqual(printed("3.50"), Interval(Fraction(3495, 1000), Fraction(3505, 1000)))
        self.assertEqual(printed("73"), Interval(Fraction(145, 2), Fraction(147, 2)))

    def test_a_result_holds_what_operands_can_give(self):
        two_to_three = Interval(Fraction(2), Fraction(3))
        self.assertEqual(two_to_three - two_to_three, Interval(Fraction(-1), Fraction(1)))
        across_zero = Interval(Fraction(-1), Fraction(4))
        self.assertEqual(two_to_three * across_zero, Interval(Fraction(-3), Fraction(12)))
        self.assertEqual(two_to_three / 2, Interval(Fraction(1), Fraction(3, 2)))

    def test_nothing_is_divided_by_what_may_be_zero(self):
        with self.assertRaises(ZeroDivisionError):
            interval(1) / Interval(Fraction(-1), Fraction(1))


def changed(found: document.Document, program: str, processors: int, **columns) -> document.Document:
    table = dict(found.programs[program])
    table[processors] = dataclasses.replace(table[processors], **columns)
    return dataclasses.replace(found, programs={**found.programs, program: table})


def changed_system(found: document.Document, place: int, **columns) -> document.Document:
    activities = list(found.system["FLO52"])
    activities[place] = dataclasses.replace(activities[place], **columns)
    return dataclasses.replace(found, system={**found.system, "FLO52": activities})


class Statements(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = document.read()

    def test_each_holds_or_is_known_not_to(self):
        for statement in statements(self.document):
            with self.subTest(statement.sentence):
                self.assertTrue(statement.as_known, [cell.name for cell in statement.disagreeing])

    def assert_breaks(self, found: document.Document, cell: str, *sentences: str):
        """These statements, and no other, now say of the cell what they did not say before."""
        broken = [statement for statement in statements(found) if not statement.as_known]
        self.assertEqual([statement.sentence for statement in broken], list(sentences))
        for statement in broken:
            self.assertIn(cell, [each.name for each in statement.disagreeing])

    def test_a_wrong_speedup_is_found(self):
        wrong = changed(self.document, "ADM", 8, speedup=printed("5.94"))
        self.assert_breaks(wrong, "ADM on 8", "speed-ups follow from completion times")

    def test_a_speedup_above_the_concurrency_is_found(self):
        wrong = changed(self.document, "ADM", 32, concurrency=printed("8.84"))
        sentences = [statement.sentence for statement in statements(wrong) if not statement.as_known]
        self.assertIn("every speed-up is below the average concurrency", sentences)

    def test_wrong_concurrency_in_loops_is_found(self):
        wrong = changed(self.document, "FLO52", 4, concurrency=printed("3.40"))
        self.assert_breaks(
            wrong,
            "FLO52 on 4",
            "concurrency in loops follows from that in the whole program, on one cluster",
        )

    def test_helpers_that_run_more_loops_than_there_are_are_found(self):
        wrong = changed(self.document, "FLO52", 16, concurrency=printed("11.66"))
        self.assert_breaks(
            wrong, "FLO52 on 16", "helpers spend no larger part of their time in loops than the main task"
        )

    def test_a_wrong_ideal_time_is_found_with_what_is_made_of_it(self):
        wrong = changed(self.document, "MDG", 8, ideal=printed("606"))
        self.assert_breaks(
            wrong,
            "MDG on 8",
            "ideal times follow from the time on one processor, on one cluster",
            "contention follows from actual and ideal times",
        )

    def test_ideal_times_that_no_division_explains_are_found(self):
        row = self.document.programs["MDG"][16]
        wrong = changed(self.document, "MDG", 16, ideal=row.ideal + 20, loops=row.loops + 20)
        sentences = [statement.sentence for statement in statements(wrong) if not statement.as_known]
        self.assertEqual(len(sentences), 2, sentences)
        (division,) = (each for each in statements(wrong) if each.sentence.startswith("one division"))
        self.assertIn("MDG", [cell.name for cell in division.disagreeing])

    def test_contention_that_shrinks_or_leaves_its_bounds_is_found(self):
        row = self.document.programs["ADM"][32]
        less = printed("5.0")
        loops = row.ideal + row.completion * less / 100
        wrong = changed(self.document, "ADM", 32, contention=less, loops=loops)
        sentences = [statement.sentence for statement in statements(wrong) if not statement.as_known]
        for sentence in (
            "but for FLO52, contention grows with the processors",
            "on 32 processors contention takes 8 to 21 % of the time",
            "and 10 % or more of each program",
        ):
            self.assertIn(sentence, sentences)

    def test_what_is_listed_as_wrong_and_is_right_is_found(self):
        right = changed(self.document, "OCEAN", 32, contention=printed("10.5"))
        sentences = [statement.sentence for statement in statements(right) if not statement.as_known]
        self.assertIn("but for FLO52, contention grows with the processors", sentences)

    def test_a_wrong_percent_of_the_operating_system_is_found(self):
        wrong = changed_system(self.document, 1, percent=printed("2.40"))
        self.assert_breaks(
            wrong,
            "FLO52, context switches",
            "percents of the operating system's time follow from its seconds",
        )

    def test_an_operating_system_that_takes_too_much_is_found(self):
        wrong = changed_system(self.document, 1, percent=printed("12.30"), seconds=printed("8.98"))
        self.assert_breaks(
            wrong, "FLO52", "the operating system takes 5 to 21 % of the time on 32 processors"
        )

    def test_other_activities_that_take_a_tenth_are_found(self):
        wrong = changed_system(self.document, 8, percent=printed("1.40"), seconds=printed("1.02"))
        self.assert_breaks(
            wrong,
            "FLO52",
            "interrupts, context switches, page faults and cluster critical sections are over 90 % of it",
        )

    def test_cheap_concurrent_page_faults_are_found(self):
        wrong = changed_system(self.document, 2, percent=printed("2.05"), seconds=printed("1.50"))
        self.assert_breaks(wrong, "FLO52", "concurrent page faults take more time than sequential ones")


class Tool(unittest.TestCase):
    def test_the_document_is_judged_with_status_0(self):
        done = run("printed")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("holds: contention follows from actual and ideal times (20 of 20;", done.stdout)
        self.assertIn("OCEAN: 7.35 to 7.45; known: 7.4 % are printed", done.stdout)

    def test_a_verdict_tells_what_is_new(self):
        cells = [Cell("A", False, "1"), Cell("B", True, "2")]
        wrong = Statement("it is so", "table 1", cells, {"B": "a slip"})
        self.assertEqual(
            overheads.lines(wrong),
            [
                "DOES NOT HOLD: it is so (1 of 2; from table 1)",
                "    A: 1; not known before",
                "    B: holds, though it is listed as wrong",
            ],
        )

    def test_a_statement_about_nothing_does_not_hold(self):
        self.assertFalse(Statement("it is so", "table 1", []).as_known)
        self.assertIn("DOES NOT HOLD", overheads.lines(Statement("it is so", "table 1", []))[0])

    def test_without_a_command_it_says_which_there_are(self):
        done = run()
        self.assertEqual(done.returncode, 2)
        self.assertIn("printed", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
