# SPDX-License-Identifier: MIT
"""The study ends with status 1 when a claim that was judged does not hold."""

import contextlib
import io
import sys
import unittest
import unittest.mock

import rootfinder
from cmmp import claims


class Claims(unittest.TestCase):
    def test_a_claim_of_the_semaphores_that_does_not_hold(self):
        nothing = unittest.mock.MagicMock(return_value=[])
        tables = dict.fromkeys(("costs", "crossings", "servers", "authentic", "synthetic", "ranges"), nothing)
        for holds, status in ((True, 0), (None, 0), (False, 1)):
            made = [claims.Claim("C01", "one", True, ""), claims.Claim("C09", "nine", holds, "evidence")]
            with (
                unittest.mock.patch.object(rootfinder, "simulation"),
                unittest.mock.patch.object(rootfinder, "study"),
                unittest.mock.patch.object(rootfinder, "machine_study"),
                unittest.mock.patch.object(rootfinder.machine_tables, "whole", nothing),
                unittest.mock.patch.object(rootfinder.machine_claims, "judge", nothing),
                unittest.mock.patch.object(claims, "judge", lambda machine, whole, made=made: made),
                unittest.mock.patch.multiple(rootfinder.tables, **tables),
                unittest.mock.patch.object(sys, "argv", ["rootfinder.py", "study"]),
            ):
                said = io.StringIO()
                with contextlib.redirect_stdout(said):
                    found = rootfinder.main()
            self.assertEqual(found, status, said.getvalue())
            self.assertEqual("Do not hold: C09" in said.getvalue(), holds is False)


if __name__ == "__main__":
    unittest.main()
