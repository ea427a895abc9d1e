# SPDX-License-Identifier: MIT
"""A program that has damaged its job's shared region, where the message system lies in user location, ends
its job and nothing else: the kernel looks at what is left there, also one that looks at what must hold."""

import os
import unittest

from boot_case import ROOT, BootCase, extra, for_each_job, needs

SOURCE = os.path.join(ROOT, "kernel", "tests", "programs", "damaging.c")
# What each word is then, and whether those of the records are, too.
DAMAGES = [(how, what) for how in ("ones", "unlinked", "circle", "beyond") for what in ("lists", "all")]
DESIGN = "exp6,location=user"


def damaging(case: BootCase, damage: tuple[str, str]) -> dict:
    program = os.path.join(case.folder, "damaging")
    if not os.path.exists(program):
        with open(SOURCE, encoding="utf-8") as file:
            case.compile("nxcc", "damaging.c", file.read(), f"-I{ROOT}")
    return {"design": DESIGN, "app": program, "args": " ".join(damage), "nodes": 1}


class DamagedRegion(BootCase):
    def ends_alone(self, damage, job):
        self.assertEqual(job.boot.status, 1, job.boot.text[-3000:])
        self.assertEqual(job.entry["frames_leaked"], 0)
        self.assertEqual(job.status, "deadlock", job.text[-3000:])
        # Where the records are as they were, the report says who waits, and follows the lists.
        if damage[1] == "lists":
            self.assertIn("node 0: P waits for a V of semaphore 7", job.text)


@for_each_job(DAMAGES, "a_plain_kernel_with", damaging)
class Plain(DamagedRegion):
    def a_plain_kernel_with(self, damage, job):
        self.ends_alone(damage, job)


@for_each_job(DAMAGES, "a_checked_kernel_with", damaging, ("CHECKED=1",))
class Checked(DamagedRegion):
    @extra
    @needs("checked")
    def a_checked_kernel_with(self, damage, job):
        self.ends_alone(damage, job)


if __name__ == "__main__":
    unittest.main()
