# SPDX-License-Identifier: MIT
"""Programs are ended in the middle of their messages, again and again: whoever lives goes on, whatever the
dead were about to do, and nothing is used up."""

import os
import unittest

from boot_case import ROOT, BootCase, for_each_job, seldom

IN_USER = (
    *("exp5", "exp6,location=user", "exp6,location=user,transfer=adaptive"),
    *("nx2,location=user,context-switch=light", "exp6,location=user,synchronization=mcs"),
    "exp6,location=user,synchronization=ticket",
    *("exp6,location=user,synchronization=policy-0", "exp6,synchronization=policy-1:0s:1"),
)
# `make test-all` tries those that are not in SAMPLE, `make soak ONLY=kills` more.
OTHERS = ("exp6,location=user,synchronization=semaphore", "exp6", "exp6,transfer=adaptive", "nx2")
SAMPLE = ("exp6,location=user,transfer=adaptive", "exp6,location=user,synchronization=mcs")
SEED, ROUNDS = 11, 40
# A csend of exp5 waits for its crecv, whose process may not have a processor just then.
FEWER_ROUNDS = {"exp5": 5}


def rounds_of(design: str) -> int:
    return FEWER_ROUNDS.get(design, ROUNDS)


def storm(case: BootCase, design: str) -> dict:
    """A job whose host program loads the others, which lie beside it. They share processors, so that many are
    ended while others have theirs."""
    folder = os.path.join(ROOT, "tools", "soak")
    for name in ("storm_host", "storm_node"):
        if not os.path.exists(os.path.join(case.folder, name)):
            with open(os.path.join(folder, f"{name}.c"), encoding="utf-8") as file:
                case.compile("nxcc", f"{name}.c", file.read(), f"-I{folder}")
    app, words = os.path.join(case.folder, "storm_host"), f"{SEED} {rounds_of(design)}"
    shared = {"nodes": 6, "schedule": "timeshared", "budget": 4 << 20}
    return {"design": design, "app": app, "args": words, **shared}


@for_each_job((*IN_USER, *OTHERS), "a_storm_of_kills_under", storm, ("PROCESSORS=4",), sample=SAMPLE)
class Storms(BootCase):
    @seldom
    def a_storm_of_kills_under(self, design, job):
        self.well(job)
        told = {row["name"]: row["median"] for row in job.of_kind("rows")}
        self.assertGreaterEqual(told["kills"], rounds_of(design))
        self.assertGreater(told["messages"], 50 * rounds_of(design))
        self.assertEqual((job.entry["frames_leaked"], job.entry["objects_leaked"]), (0, 0))


if __name__ == "__main__":
    unittest.main()
