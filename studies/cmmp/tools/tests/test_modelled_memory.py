# SPDX-License-Identifier: MIT
"""Memory cycles, polling, and lengths in thresholds, of made-up records."""

import math
import unittest

from cmmp import documents, modelled_memory, modelled_ratios
from cmmp.modelled_boots import OWN_BANK, POLLED, POLLED_SELDOM
from cmmp.modelled_roots import Bounds, Estimate
from cmmp_printed import results, told


def processor(references: int, cycle: float) -> dict:
    """`cycle`: ns of each."""
    work = {"fetches": references // 2, "reads": references // 4, "writes": references // 4}
    return {**work, "memory_time": references * cycle * 1e3}


class Cycles(unittest.TestCase):
    def test_they_are_those_of_as_many_processors_as_there_are_processes(self):
        idle, first, second = processor(40, 9000), processor(400, 600), processor(800, 900)
        record = {"nodes": 2, "model": {"processors": [idle, first, second]}}
        self.assertAlmostEqual(modelled_memory.cycle_of(record), 800.0)

    def test_a_mean_is_between_all_cycles_as_short_and_all_as_long_as_their_classes(self):
        for column, least, most in (("private", 0.585, 1.182), ("common", 1.327, 3.343)):
            found = modelled_memory.allowed(column)
            self.assertEqual([round(one, 3) for one in found], [least, most])
        self.assertEqual([sum(one) for one in documents.CYCLES.values()], [100_000, 100_000])


    def test_contention_is_over_the_cycles_of_table_3_5(self):
        memory = results().memory
        memory.cycles = {"nine fast spin": 700.0, "shared 8": 1400.0}
        self.assertEqual(modelled_memory.contention(memory), 2.0)

    def test_pages_that_had_no_room_are_a_part_of_all(self):
        record = {"jobs": [{"pages_placed": 3, "pages_elsewhere": 1}]}
        self.assertEqual(modelled_memory.elsewhere_of(record), 0.25)


class Polling(unittest.TestCase):
    def test_it_is_to_slow_and_the_delay_is_to_remove_most(self):
        for own, polled, seldom, holds in (
            (100, 130, 110, True), (100, 104, 100, False), (100, 130, 116, False), (130, 100, 100, False)
        ):  # fmt: skip
            found = results().memory
            found.polled = {OWN_BANK: own * 1e6, POLLED: polled * 1e6, POLLED_SELDOM: seldom * 1e6}
            self.assertIs(modelled_memory.polling(found).holds, holds, (own, polled, seldom))


class Ratios(unittest.TestCase):
    def test_speed_ups_that_agree_are_within_15_percent_of_what_is_printed_of_the_ratio(self):
        for ratio, least, most in (
            (0.1, 0, 1.15), (0.36, 0, 1.15), (72 / 33, 1.7, 2.3), (4, 2.04, 2.76), (36, 2.38, 3.68),
            (1000, 2.38, 3.68), (12, (2.04 + 2.38) / 2, (2.76 + 3.68) / 2),
        ):  # fmt: skip
            found = modelled_ratios.band(ratio)
            self.assertAlmostEqual(found[0], least, msg=ratio)
            self.assertAlmostEqual(found[1], most, msg=ratio)

    def test_a_threshold_that_is_not_known_well_enough_leaves_it_open(self):
        def so(speedup: Estimate, low: float, high: float):
            return modelled_ratios.is_so(speedup, Bounds(low * 1e6, high * 1e6))

        self.assertIs(so(told(2.4), 17, 19), True)
        self.assertIs(so(told(2.4), 190, 210), False)
        self.assertIsNone(so(told(2.4), 18, 200))
        self.assertIsNone(so(Estimate(2.4, 0.5), 18, 18))
        self.assertIs(so(told(0.9), 200, math.inf), True)
        self.assertIs(so(told(2.8), 0, 2), True)
        # Of a threshold of which nothing is known it may be so.
        self.assertIsNone(so(told(2.0), 0, math.inf))
        self.assertIs(so(told(4.0), 0, math.inf), False)
        # At neither end of what is known is it so, and between them it is.
        self.assertIsNone(so(told(1.6), 30, 200))

    def test_bands_rise_with_the_ratio(self):
        bands = [modelled_ratios.band(2.0**power) for power in range(-6, 12)]
        for ends in zip(*bands):
            self.assertEqual(list(ends), sorted(ends))

    def test_one_kind_of_another_ratio_decides_and_is_told(self):
        found = results()
        found.threshold_roots["kernel"] = [Bounds(150e6, 150e6)] * 4
        (one,) = modelled_ratios.judge(found)
        self.assertEqual((one.holds, one.is_open), (False, False))
        self.assertIn("kernel 0.48 thresholds, 2.40 ± 0.00 of 0.27 to 1.33", one.evidence)


if __name__ == "__main__":
    unittest.main()
