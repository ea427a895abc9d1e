# SPDX-License-Identifier: MIT
"""The model of what references to a contended memory bank take."""

import unittest

from cmmp import banks


class Model(unittest.TestCase):
    def reference(self, load: int, cycle: int = 585, between: int = 870) -> dict:
        return banks.model(f"0:{load}:10", [cycle], between)

    def test_one_processor_alone_waits_for_nobody(self):
        found = self.reference(1)
        self.assertEqual((found["reference_ns"], found["alone_ns"], found["samples"]), (585, 585, 10))
        self.assertEqual(found["percent"]["0.5 to 1 us"], 100)

    def test_it_is_mean_value_analysis(self):
        """Step by step."""
        for load in (2, 3, 9, 16):
            waiting, response = 0.0, 585.0
            for others in range(load):
                response = 585 * (1 + waiting)
                waiting = (others + 1) * response / (870 + response)
            self.assertAlmostEqual(self.reference(load)["reference_ns"], response, 0)

    def test_a_saturated_bank_serves_one_after_the_other(self):
        self.assertAlmostEqual(self.reference(16, 1000, 10)["reference_ns"] + 10, 16_000, -1)

    def test_all_parts_are_counted_and_samples_weigh(self):
        found = banks.model("0:1:30 1:9:10 ", [585, 671], 870)
        self.assertAlmostEqual(sum(found["percent"].values()), 100, 1)
        alone, loaded = self.reference(1), self.reference(9, 671)
        mean = (30 * alone["reference_ns"] + 10 * loaded["reference_ns"]) / 40
        self.assertAlmostEqual(found["reference_ns"], mean, 0)
        self.assertAlmostEqual(found["over_5_us_percent"], loaded["over_5_us_percent"] / 4, 2)
        self.assertGreater(found["over_5_us_percent"], 0)

    def test_without_samples_nothing_is_said(self):
        self.assertEqual(banks.model("", [585], 870), {"note": banks.NOTE, "samples": 0})


if __name__ == "__main__":
    unittest.main()
