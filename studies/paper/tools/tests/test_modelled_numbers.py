# SPDX-License-Identifier: MIT
"""What the paper prints in numbers, judged on made measurements: all are met by the paper's own, each is
missed once, and what explains those that the documentation lists is asked of the same measurements."""

import contextlib
import io
import tempfile
import unittest
from unittest import mock

import modelled
import modelled_inputs
from modelled_inputs import curve
from paper import collection, modelled_boots, modelled_numbers, modelled_orderings, published
from paper.modelled_orderings import Statement
from paper.modelled_results import Accesses, Results

POINTS = 1024 * modelled_orderings.POINT


def set_time(rows: dict, nodes: int, design: str, key: tuple, ratio: float) -> None:
    rows[nodes, design][key] = ratio * rows[nodes, "exp2"][key]


def fft(nodes: int, design: str, ratio: float):
    return lambda r: set_time(r.fft, nodes, design, ("fft time", POINTS), ratio)


def simplex(nodes: int, design: str, ratio: float):
    return lambda r: set_time(r.simplex, nodes, design, ("simplex time", 0), ratio)


def collected(members: int, ratio: float):
    mean = 1e6 * ratio * collection.collect_ms(members, modelled_boots.PROCESSORS)
    return lambda r: r.gangs.update({("mean collect, flooded", members): mean})


def of_ring(access: str, **curves):
    return lambda r: r.ring[access].update(curves)


# The beginning of what is said -> what makes that false, and nothing else.
BREAKS = {
    "the round trip of exp2, of": of_ring("none", exp2={**curve(770, 0), 1024: 500}),
    "a null message's": lambda r: r.null.update({"the rest": 800}),
    "the round trip of exp6 with 4096 bytes is": of_ring("none", exp6={**curve(800, 2.7), 4096: 15500}),
    "exp6 minus exp1": of_ring("none", exp6={**curve(800, 2.7), 2048: 5500}),
    "the round trip of exp2 with 4096": of_ring("read", exp2=curve(800, 0.2)),
    "the round trip of exp6 with 4096 bytes that": of_ring("write", exp6=curve(800, 6)),
    "exp1 minus exp5": of_ring("none", exp5=curve(570, 1.4)),
    "exp2 in user": lambda r: setattr(r, "user", 200.0),
    "exp4 over exp6": of_ring("none", exp4=curve(4000, 3)),
    "copying 4096": lambda r: r.base.update(copy=1300),
    "figure 18, 2": fft(2, "exp1", 1.19),
    "figure 18, 4": fft(4, "exp6", 0.85),
    "figure 18, 8": fft(8, "exp1", 0.76),
    "figure 21, 2": simplex(2, "exp6", 1.09),
    "figure 21, 4": simplex(4, "exp1", 1.14),
    "figure 21, 8": simplex(8, "exp6", 0.84),
    "2 members": collected(2, 1.11),
    "4 members": collected(4, 0.89),
    "6 members": collected(6, 1.11),
    "8 members": collected(8, 1.11),
    "12 members": collected(12, 0.99),
    "16 members": collected(16, 0.99),
}


def missed(results: Results) -> list[str]:
    return [one.said for one in modelled_numbers.judge(results) if one.why_not]


def one_of(results: Results, beginning: str) -> Statement:
    (found,) = (one for one in modelled_numbers.judge(results) if one.said.startswith(beginning))
    return found


class Numbers(unittest.TestCase):
    def test_all_are_met_by_the_papers_own_and_each_can_be_missed_alone(self):
        self.assertEqual(missed(modelled_inputs.results()), [])
        self.assertEqual(len(modelled_numbers.judge(modelled_inputs.results())), len(BREAKS))
        for beginning, spoil in BREAKS.items():
            with self.subTest(beginning):
                results = modelled_inputs.results()
                spoil(results)
                found = missed(results)
                self.assertEqual([said.startswith(beginning) for said in found], [True], found)

    def test_each_that_is_missed_makes_the_studys_status_1(self):
        for beginning, spoil in BREAKS.items():
            results = modelled_inputs.results()
            spoil(results)
            judged = modelled_numbers.judge(results)
            with self.subTest(beginning), contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(modelled.verdicts("Numbers", judged, {}), 1)

    def test_either_of_two_printed_numbers_may_be_met_and_both_are_told(self):
        for beginning, spoil, numbers in (
            ("a null message's", lambda r: r.null.update({"the rest": 90}), ("640", "800")),
            ("a null message's", lambda r: r.null.update({"the rest": 600}), ("640", "800")),
            ("exp1 minus exp5", of_ring("none", exp5=curve(500, 1.4)), ("144", "288")),
            ("exp4 over exp6", of_ring("none", exp4=curve(2200, 3)), ("10 ", "2.03")),
            ("copying 4096", lambda r: r.base.update(copy=1700), ("1761", "2048")),
            ("copying 4096", lambda r: r.base.update(copy=2400), ("1761", "2048")),
            ("exp2 in user", lambda r: setattr(r, "user", 430.0), ("626", "482")),
        ):
            with self.subTest(beginning):
                results = modelled_inputs.results()
                spoil(results)
                found = one_of(results, beginning)
                self.assertEqual(found.why_not, "")
                for text in numbers:
                    self.assertIn(text, found.evidence)

    def test_the_aim_is_told_apart_from_the_limit(self):
        results = modelled_inputs.results()
        for copy, word in ((1800, "; within the aim of 10 %"), (1450, "; not within the aim of 10 %")):
            results.base.update(copy=copy)
            found = one_of(results, "copying 4096")
            self.assertEqual(found.why_not, "")
            self.assertTrue(found.evidence.endswith(word), found.evidence)

    def test_each_listed_reason_is_borne_out_where_it_is_listed_and_no_other_is_missed(self):
        self.assertEqual(missed(modelled_inputs.on_the_model()), list(modelled_numbers.reasons()))
        for said, reason in modelled_numbers.reasons().items():
            found = one_of(modelled_inputs.on_the_model(), said)
            self.assertTrue(found.because and found.because.is_so, found)
            self.assertRegex(reason, r"^[A-Z].*\.$")

    def test_a_reason_is_not_so_of_other_measurements(self):
        def longer(r: Results) -> None:
            r.layout[8, "exp1"]["fft time", POINTS] *= 1.5

        def faster(r: Results) -> None:
            for design in ("exp2", "exp1"):
                r.layout[4, design]["fft time", POINTS] = {"exp2": 30e6, "exp1": 29e6}[design]

        lost = {nodes: Accesses(reads=1, misses=1000, waiting=1e5) for nodes in (4, 8)}
        for beginning, spoil in (
            ("the round trip of exp6 with 4096 bytes is", of_ring("none", exp6=curve(400, 1))),
            ("exp6 minus exp1", of_ring("none", exp6=curve(400, 1))),
            ("the round trip of exp6 with 4096 bytes that", of_ring("write", exp6=curve(400, 1))),
            ("the round trip of exp2 with 4096", of_ring("read", exp2=curve(400, 0.2))),
            ("exp1 minus exp5", of_ring("none", exp5=curve(100, 0.3))),
            ("exp1 minus exp5", lambda r: r.base.update({"proxy call": 120})),
            ("figure 18, 4", faster),
            ("figure 18, 4", lambda r: r.pointer.update(lost)),
            ("figure 18, 8", lambda r: r.pointer.update(lost)),
            ("figure 18, 8", longer),
            ("figure 21, 2", lambda r: r.base.update(copy=9000)),
            ("figure 21, 8", lambda r: setattr(r, "simplex_waiting", 90.0)),
            ("figure 21, 8", simplex(8, "exp6", 0.5)),
        ):
            with self.subTest(beginning):
                results = modelled_inputs.on_the_model()
                self.assertTrue(one_of(results, beginning).because.is_so)
                spoil(results)
                self.assertFalse(one_of(results, beginning).because.is_so)

    def test_what_the_samples_leave_open_is_told_as_open_and_fails_nothing(self):
        results = modelled_inputs.results()
        expected = 1e6 * collection.collect_ms(8, modelled_boots.PROCESSORS)
        results.gangs["error of that mean", 8] = 0.06 * expected
        found = one_of(results, "8 members")
        self.assertEqual((found.is_open, found.why_not), (True, ""))
        judged = modelled_numbers.judge(results)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(modelled.verdicts("Numbers", judged, {}), 0)
        self.assertIn("  open: 8 members collect within 10 %", said.getvalue())
        self.assertIn(f"{len(BREAKS) - 1} of {len(BREAKS)} hold", said.getvalue())
        self.assertIn("gang-collection", said.getvalue())

    def test_a_number_that_is_missed_fails_the_whole_study(self):
        results = modelled_inputs.on_the_model()
        with (
            mock.patch.object(modelled_numbers, "reasons", dict),
            contextlib.redirect_stdout(io.StringIO()) as said,
            tempfile.TemporaryDirectory() as folder,
        ):
            self.assertEqual(modelled.report(modelled_boots.QUICK, results, {}, folder), 1)
        self.assertIn("does not hold: figure 18, 8 nodes", said.getvalue())

    def test_the_papers_layout_is_booted_with_pages_by_their_addresses(self):
        boots = modelled_boots.of_the_layout(modelled_boots.QUICK)
        wanted = {f"{what} {nodes}" for what in ("layout", "pointer") for nodes in modelled_boots.LATE}
        self.assertEqual({name.rsplit(" ", name.startswith("pointer"))[0] for name in boots}, wanted)
        for boot in boots.values():
            self.assertTrue(all("--layout together" in job["args"] for job in boot.jobs))
            with open(boot.common["machine"], encoding="utf-8") as file:
                text = file.read()
            self.assertIn("colours = 16\n", text)
            self.assertIn("calibrated on figure 9", text)


if __name__ == "__main__":
    unittest.main()
