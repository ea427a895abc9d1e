# SPDX-License-Identifier: MIT
"""A message handler returns; one that jumps out ends its job with a sentence at the next message call."""

import os
import sys
import unittest

from native_case import ROOT, NativeCase, for_each

sys.path.append(os.path.join(ROOT, "kernel", "tests"))
import jumping_handlers  # noqa: E402

LIMIT = ("-n", "2", "--limit", "30")


@for_each(("native", "exp6", "exp6,light"), "message_handlers_return_under")
class JumpingHandlers(NativeCase):
    def message_handlers_return_under(self, design):
        program = self.program("jumping")
        for how in jumping_handlers.REFUSED:
            with self.subTest(how=how):
                ran = self.nxrun(*LIMIT, "-d", design, program, how)
                self.assertEqual((ran.status, ran.out), (1, ""), ran.text)
                self.assertIn(jumping_handlers.SENTENCE, ran.errors)
        for how in jumping_handlers.HARMLESS:
            with self.subTest(how=how):
                self.assertEqual(
                    self.well(*LIMIT, "-d", design, program, how).out, jumping_handlers.WENT_ON
                )


if __name__ == "__main__":
    unittest.main()
