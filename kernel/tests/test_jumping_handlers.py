# SPDX-License-Identifier: MIT
"""A message handler returns; one that jumps out ends its job with a sentence at the next message call."""

import os
import unittest

import jumping_handlers
from boot_case import ROOT, BootCase, for_each_job

PROGRAM = os.path.join(ROOT, "kernel", "tests", "programs", "jumping.c")


def of_each_location(ways) -> list[str]:
    return [f"{how} {design}" for how in ways for design in ("exp6", "exp6,location=user")]


def jumping(case: BootCase, value: str) -> dict:
    how, design = value.split()
    with open(PROGRAM, encoding="utf-8") as file:
        return {"app": case.compiled(file.read()), "design": design, "nodes": 2, "args": how, "limit": 30}


@for_each_job(of_each_location(jumping_handlers.REFUSED), "who_jumps_ends_the_job", jumping)
@for_each_job(of_each_location(jumping_handlers.HARMLESS), "who_does_no_harm_goes_on", jumping)
class JumpingHandlers(BootCase):
    def who_jumps_ends_the_job(self, _, job):
        self.assertEqual(job.status, "failed", job.text)
        self.assertIn(jumping_handlers.SENTENCE, job.text)
        self.assertNotIn(jumping_handlers.WENT_ON, job.text)

    def who_does_no_harm_goes_on(self, _, job):
        self.assertIn(jumping_handlers.WENT_ON, self.well(job).text)


if __name__ == "__main__":
    unittest.main()
