# SPDX-License-Identifier: MIT
"""The paper on the modelled Multimax: its classes are calibrated on what is printed as calibrated, and what a
table shows beside a printed number is the ratio to it."""

import contextlib
import io
import unittest

import modelled
from paper import published
from parley_runner import machine_file, places


class ModelledPaper(unittest.TestCase):
    def test_a_row_has_both_numbers_and_their_ratio(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            modelled.compared("Costs", [("copy", 1800.0, 1200)])
        self.assertEqual(out.getvalue().split()[-4:], ["copy", "1800", "1200", "1.50"])

    def test_an_ordering_that_does_not_hold_says_why_and_fails(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(modelled.verdicts([("a is below b", ""), ("b is flat", "it is 2 times")]), 1)
            self.assertEqual(modelled.verdicts([("a is below b", "")]), 0)
        self.assertIn("b is flat: does not hold: it is 2 times", out.getvalue())

    def test_touching_messages_has_to_take_time(self):
        times = {"exp2": {128: 800.0, 4096: 810.0}, "exp6": {4096: 7000.0}}
        ours = {"exp2, read access, 4096 bytes": 2800.0, "exp6, write access, 4096 bytes": 7000.0}
        wrong = [said for said, why_not in modelled.touched(times, ours) if why_not]
        self.assertEqual(wrong, ["exp6 takes longer when 4096 bytes are written"])
        ours["exp2, read access, 4096 bytes"] = 900.0
        wrong = [said for said, why_not in modelled.touched(times, ours) if why_not]
        self.assertIn("exp2 is no longer flat when its messages are read", wrong)

    def test_the_machines_file_names_each_input_of_its_calibration(self):
        text = places.read_bounded(machine_file.find("multimax"), "multimax", 1 << 20).decode()
        for name in modelled.CALIBRATED_ON:
            self.assertRegex(text, rf"calibrated on.*\b{published.BASE_US[name]} us")
        for name in published.BASE_US.keys() - set(modelled.CALIBRATED_ON):
            self.assertNotIn(str(published.BASE_US[name]), text)


if __name__ == "__main__":
    unittest.main()
