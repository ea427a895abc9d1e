# SPDX-License-Identifier: MIT
"""The paper on the modelled Multimax: its classes are calibrated on what is printed as calibrated, what a
table shows beside a printed number is the ratio to it, and each ordering is judged by what was measured."""

import contextlib
import io
import os
import unittest

import modelled
from paper import modelled_boots, modelled_orderings, modelled_results, published, recommendations
from paper.modelled_orderings import Statement
from parley_runner import machine_file, places

SIZES = (128, 1024, 4096)
EXPLAINED = next(iter(modelled_orderings.EXPLAINED))


def curve(at_none: float, a_byte: float) -> dict[int, float]:
    return {size: at_none + a_byte * size for size in SIZES}


def ring() -> dict[str, dict[int, float]]:
    """As the paper has it; copying 4096 bytes takes 2048 us."""
    return {
        "exp1": curve(780, 1), "exp2": curve(770, 0), "exp3": curve(9000, 3), "exp4": curve(8000, 2),
        "exp5": curve(636, 1), "exp6": curve(800, 2),
    }  # fmt: skip


def app_rows(key: tuple, ratios: dict[int, tuple]) -> dict:
    return {
        (nodes, design): {key: 1000 * ratio}
        for nodes, of_node in ratios.items()
        for design, ratio in zip(published.TRANSFERS, of_node)
    }


def gangs() -> dict[tuple[str, int], float]:
    rows = {}
    for members in modelled_boots.MEMBERS:
        rows["create and add", members] = 1e6 + members
        rows["mean collect, flooded", members] = 1e6 * modelled_orderings.collect_ms(members, 16)
    return rows


class ModelledPaper(unittest.TestCase):
    def broken(self, statements: list[Statement]) -> list[str]:
        return [one.said for one in statements if one.why_not]

    def said(self, statements: list[Statement]) -> tuple[int, str]:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = modelled.verdicts(statements)
        return status, out.getvalue()

    def test_a_row_has_both_numbers_and_their_ratio(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            modelled.compared("Costs", [("copy", 1800.0, 1200)])
        self.assertEqual(out.getvalue().split()[-4:], ["copy", "1800", "1200", "1.50"])

    def test_an_ordering_that_does_not_hold_says_why_and_fails(self):
        status, text = self.said([Statement("a < b", "", "1 < 2"), Statement("b is flat", "2 times", "2 to 4")])
        self.assertEqual(status, 1)
        self.assertIn("holds: a < b: 1 < 2", text)
        self.assertIn("does not hold: b is flat: 2 times: 2 to 4", text)
        self.assertIn("1 of 2 orderings hold", text)
        self.assertEqual(self.said([Statement("a < b", "", "1 < 2")])[0], 0)

    def test_one_whose_reason_is_known_fails_nothing_unless_it_holds(self):
        status, text = self.said([Statement(EXPLAINED, "not so", "1, 2")])
        self.assertEqual(status, 0, text)
        self.assertIn(modelled_orderings.EXPLAINED[EXPLAINED], text)
        self.assertEqual(self.said([Statement(EXPLAINED, "", "1, 2")])[0], 1)

    def test_the_documentation_has_each_reason(self):
        path = os.path.join(places.ROOT, "docs", "machine-model.md")
        text = " ".join(places.read_bounded(path, path, 1 << 20).decode().split())
        for said, reason in modelled_orderings.EXPLAINED.items():
            self.assertIn(f"**{said}**", text)
            self.assertTrue(reason)

    def test_the_rings_orderings(self):
        self.assertEqual(self.broken(modelled_orderings.ring(ring(), 2048)), [])
        for said, wrong in (
            ("no access: exp2 < exp1 < exp6", {"exp1": curve(790, 2)}),
            ("exp2 is flat in the message's size", {"exp2": curve(770, 0.1), "exp1": curve(780, 1)}),
            ("exp4 is far above exp6", {"exp4": curve(1000, 2)}),
            ("exp3 is above exp4, and the difference grows with size", {"exp3": curve(9000, 2)}),
            ("exp1 minus exp5 is constant", {"exp5": curve(300, 0.5)}),
        ):
            with self.subTest(said=said):
                self.assertIn(said, self.broken(modelled_orderings.ring({**ring(), **wrong}, 2048)))
        self.assertEqual(
            self.broken(modelled_orderings.ring(ring(), 4096)),
            ["exp6 minus exp1 grows as the time to copy the message twice more"],
        )

    def test_touching_messages_has_to_take_time(self):
        def access(read: float, write: float) -> dict:
            designs = ("exp1", "exp2", "exp6")
            return {
                "none": {d: ring()[d] for d in designs},
                "read": {d: curve(800, 2 + read) for d in designs},
                "write": {d: curve(800, 2 + write) for d in designs},
            }

        self.assertEqual(self.broken(modelled_orderings.access(access(1, 2))), [])
        self.assertEqual(len(self.broken(modelled_orderings.access(access(2, 1)))), 3)
        flat = access(1, 2)
        flat["read"]["exp2"] = curve(800, 0)
        self.assertIn(
            "exp2 is not flat when its messages are read", self.broken(modelled_orderings.access(flat))
        )

    def test_the_applications_orderings(self):
        key, printed = ("fft time", 1024 * 16), published.FFT_RELATIVE
        self.assertEqual(self.broken(modelled_orderings.fft(app_rows(key, printed), 40000)), [])
        flat = {nodes: (1, 1.1, 1.2) for nodes in printed}
        found = modelled_orderings.fft(app_rows(key, flat), 4000)
        self.assertEqual(len(self.broken(found)), 1)
        self.assertIn("1280 us of the 12579", found[1].evidence)
        key, printed = ("simplex time", 0), published.SIMPLEX_RELATIVE
        self.assertEqual(self.broken(modelled_orderings.simplex(app_rows(key, printed))), [])
        upside_down = {nodes: (1.3, 1, 1.1) for nodes in printed}
        self.assertEqual(len(self.broken(modelled_orderings.simplex(app_rows(key, upside_down)))), 3)

    def test_the_gangs_orderings(self):
        self.assertEqual(self.broken(modelled_orderings.gangs(gangs(), 16, 100)), [])
        rows = {**gangs(), ("create and add", 8): 2e6}
        self.assertEqual(len(self.broken(modelled_orderings.gangs(rows, 16, 100))), 1)
        rows = {**gangs(), ("mean collect, flooded", 8): 1e6}
        self.assertEqual(len(self.broken(modelled_orderings.gangs(rows, 16, 100))), 2)
        rows = {**gangs(), ("mean collect, flooded", 16): 9e6}  # at or above it is right from 12 on
        self.assertEqual(self.broken(modelled_orderings.gangs(rows, 16, 100)), [])

    def test_operations_are_what_more_trips_add(self):
        def record(trips: int) -> dict:
            words = trips * modelled_boots.WORDS_SIZE // 4
            each = {"reads": 1000 + words, "read_misses": 10 + words // 2, "writes": 7 + 2 * words}
            return {"model": {"processors": [each, each]}}

        found = modelled_results.operations(record(5), record(25))
        self.assertEqual(found, {"cache reads": 2, "memory reads": 2, "writes": 4})

    def test_a_recommendation_is_told_by_the_machines_numbers(self):
        def record(*jobs: tuple[str, dict]) -> dict:
            rows = [
                {"job": place, "name": name, "bytes": size, "median": value}
                for place, (_, values) in enumerate(jobs)
                for (name, size), value in values.items()
            ]
            return {"jobs": [{"job": place, "name": name} for place, (name, _) in enumerate(jobs)], "rows": rows}

        def trips(design: str, small: float, large: float) -> tuple[str, dict]:
            return f"{design} none", {("round trip", 128): small, ("round trip", 4096): large}

        def one(name: str, key: tuple, value: float) -> tuple[str, dict]:
            return name, {key: value}

        fft, simplex, waits = ("fft time", 16384), ("simplex time", 0), ("to one, 8", 0)
        names = [*modelled_boots.TRANSFERS, modelled_boots.USER, modelled_boots.BROADCAST]
        records = {
            "ring": record(*(trips(f"exp{n}", 100.0 * (n + 3), 1000.0 * n) for n in range(1, 7))),
            "ring only-read": record(*(trips(d, 1.0, 2.0) for d in modelled_boots.TRANSFERS)),
            "static": record(trips("exp6", 890.0, 5900.0)),
            "contend": record(*(one(d, waits, w) for d, w in zip(modelled_boots.CONTENDERS, (9.0, 8.0, 7.0)))),
            "fft": record(*(one(d, fft, 9.0) for d in modelled_boots.TRANSFERS),
                          one(modelled_boots.UNALIGNED, fft, 8.0)),
            "simplex": record(*(one(name, simplex, 9.0 - place) for place, name in enumerate(names))),
        }  # fmt: skip
        found = {one.number: one.holds for one in recommendations.examine(records)}
        self.assertEqual(
            found,
            {
                "1": True, "2, 3": False, "4": True, "5a": False, "5b": False, "5c": True, "5d": True,
                "6": None, "7": False, "8": True,
            },
        )  # fmt: skip

    def test_the_machines_file_names_each_input_of_its_calibration(self):
        text = places.read_bounded(machine_file.find("multimax"), "multimax", 1 << 20).decode()
        for name in modelled.CALIBRATED_ON:
            self.assertRegex(text, rf"calibrated on.*\b{published.BASE_US[name]} us")
        for name in published.BASE_US.keys() - set(modelled.CALIBRATED_ON):
            self.assertNotIn(str(published.BASE_US[name]), text)


if __name__ == "__main__":
    unittest.main()
