# SPDX-License-Identifier: MIT
"""The published orderings as statements: they hold for the published shape and name what breaks them."""

import unittest

from paper import orderings

SIZES = [128 << step for step in range(10)]


def curve(constant: float, slope: float) -> orderings.Curve:
    return {size: constant + slope * size for size in SIZES}


def published() -> dict[str, orderings.Curve]:
    return {
        "exp1": curve(100, 1),
        "exp2": curve(90, 0),
        "exp3": curve(900, 3),
        "exp4": curve(400, 2),
        "exp5": curve(60, 1),
        "exp6": curve(105, 2),
    }


class Orderings(unittest.TestCase):
    def problems(self, **changes) -> dict[str, str]:
        return {name: why for name, why in orderings.statements({**published(), **changes}) if why}

    def test_curves_of_the_published_shape_hold(self):
        self.assertEqual(self.problems(), {})

    def test_only_boots_of_one_state_of_the_host_are_compared(self):
        near, far, odd = (60.0, {128: 600.0}), (250.0, {128: 2500.0}), (90.0, {128: 1.0})
        chosen = orderings.of_one_yardstick({"exp1": [near, far, near], "exp6": [far, near, odd]})
        self.assertEqual(chosen, {"exp1": [{128: 10.0}] * 2, "exp6": [{128: 10.0}]})
        self.assertEqual(orderings.of_one_yardstick({"exp1": [near], "exp6": [far]})["exp6"], [])

    def test_a_rising_pointer_design_is_not_flat(self):
        self.assertIn("exp2 is flat", self.problems(exp2=curve(10, 0.1)))

    def test_a_design_that_is_too_slow_somewhere_names_the_sizes(self):
        slow = {**published()["exp1"], 1024: 9999.0}
        self.assertIn("1024", self.problems(exp1=slow)["exp1 is below exp6"])

    def test_a_difference_that_depends_on_size_is_not_constant(self):
        self.assertIn("exp1 minus exp5 is constant", self.problems(exp5=curve(60, 0.1)))

    def test_constant_and_slope_come_back(self):
        constant, slope = orderings.line(curve(5, 2), SIZES)
        self.assertAlmostEqual(constant, 5)
        self.assertAlmostEqual(slope, 2)


if __name__ == "__main__":
    unittest.main()
