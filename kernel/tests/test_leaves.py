# SPDX-License-Identifier: MIT
"""Every class of every factor keeps the behaviours in the booted kernel. The classes are found, so a new
one joins in by itself."""

import os
import subprocess
import sys
import unittest

from boot_case import BUILD, ROOT, BootCase, for_each_job, named, rows

sys.path.insert(0, os.path.join(ROOT, "tools"))
import list_leaves  # noqa: E402

NODES, PROCESSORS = 3, 4  # one more, for a transport that has a process of its own
# One joins machines, and a booted one is alone: native/tests/test_machines.py tries it, and the kinds of
# polling, which it has a use for. One keeps no order, and NX/2 is refused over it.
LEFT_OUT = {("transport", "network"), ("port", "lock-free")}
LEAVES = [leaf for leaf in list_leaves.all_leaves() if leaf not in LEFT_OUT and leaf[0] != "polling"]


def design_with(factor: str, leaf: str) -> str:
    """The first row that takes the leaf."""
    refusals = []
    for row in ("exp6", *sorted(rows())):
        design = f"{row},{factor}={leaf}"
        line = [f"{BUILD}/designs", "resolve", design, "--nodes", str(NODES), "--processors", str(PROCESSORS)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return design
        refusals.append(done.stderr)
    raise AssertionError(f"no row takes {factor}={leaf}: {refusals[0]}")


@for_each_job(
    LEAVES,
    "the_behaviours_hold_under",
    lambda case, leaf: {"design": design_with(*leaf), "app": "behaviours", "nodes": NODES},
    words=(f"PROCESSORS={PROCESSORS}",),
)
class Leaves(BootCase):
    def the_behaviours_hold_under(self, leaf, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")


for factor_and_name in LEAVES:
    getattr(Leaves, named("the_behaviours_hold_under", factor_and_name)).designs = [factor_and_name[1]]


if __name__ == "__main__":
    unittest.main()
