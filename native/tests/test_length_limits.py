# SPDX-License-Identifier: MIT
"""Lengths and counts that no call can have are refused by every call of NX, under nxrun
(kernel/tests/length_calls.py makes the programs from the headers)."""

import os
import sys
import unittest

from native_case import ROOT, NativeCase

sys.path.append(os.path.join(ROOT, "kernel", "tests"))
import length_calls  # noqa: E402


class LengthLimits(NativeCase):
    def test_calls_that_return_refuse_them(self):
        ran = self.nxrun("-n", "1", self.compiled(length_calls.returning_program()))
        self.assertEqual((ran.status, ran.out), (0, f"{len(length_calls.returning())} calls, 0 wrong\n"))

    def test_calls_that_end_the_program_say_why(self):
        program = self.compiled(length_calls.ending_program())
        for number, call in enumerate(length_calls.ending()):
            with self.subTest(call=call.text):
                ran = self.nxrun("-n", "1", program, str(number))
                self.assertEqual((ran.status, ran.out), (1, ""))
                self.assertIn(length_calls.SENTENCE, ran.errors)

    def test_a_host_program_loads_no_such_number(self):
        ran = self.nxrun("-n", "1", self.compiled(length_calls.load_program()))
        self.assertEqual(ran.status, 0, ran.text)


if __name__ == "__main__":
    unittest.main()
