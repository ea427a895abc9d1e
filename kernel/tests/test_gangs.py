# SPDX-License-Identifier: MIT
"""Gangs in the booted kernel: what the record says of who had a processor, and for how long."""

import os
import sys
import unittest

from boot_case import BUILD, ROOT, SHORT_RING, BootCase, for_each

sys.path.insert(0, os.path.join(ROOT, "tools"))
from parley_runner.executable import GANGS_MARK  # noqa: E402

TOGETHER = """
processors = 4
jobs = "together"
[[job]]
app = "ring"
design = "exp6"
nodes = 2
args = "--sizes 0,1024 --trips 5 --samples 3"
[[job]]
app = "ring"
design = "exp4"
nodes = 3
args = "--sizes 0,1024 --trips 5 --samples 3"
[[job]]
app = "hello_c"
nodes = 6
schedule = "timeshared"
"""
# Nobody else waits for a processor, so those that give way at the same time take each other's process.
GIVING_WAY = """#include <nx.h>
int main(void)
{
    gsync(); /* a flick before the others are there gives way to nobody */
    for (int i = 0; i < 20000; i++)
        flick();
    return 0;
}
"""
# Nobody waits in the system: every message is looked for until it is there.
POLLING = """#include <nx.h>
#include <stdio.h>
int main(void)
{
    const long right = (mynode() + 1) % numnodes();
    long *got = nx_alloc(sizeof *got), *value = nx_alloc(sizeof *value);
    for (*value = 0; *value < 3; ++*value) {
        *got = -1;
        const long id = irecv(*value, got, sizeof *got);
        csend(*value, value, sizeof *value, right, 0);
        while (!msgdone(id))
            ;
        if (*got != *value)
            return 1;
        if (mynode() == 0)
            csend(100 + *value, value, sizeof *value, right, 0);
        while (!iprobe(100 + *value))
            ;
        crecv(100 + *value, got, sizeof *got);
        if (mynode() != 0)
            csend(100 + *value, got, sizeof *got, right, 0);
    }
    if (mynode() == 0)
        printf("polled\\n");
    return 0;
}
"""


@for_each(("shared", "private"), "members_keep_their_processors")
class Gangs(BootCase):
    def members_keep_their_processors(self, policy):
        boot = self.boot_well(
            "DESIGN=exp6", "NODES=3", f"GANG={policy}", "SCHEDULE=gang", f"ARGS={SHORT_RING}"
        )
        self.assertEqual(boot.record["jobs"][0]["schedule"], f"gang,{policy}")
        for process in boot.record["processes"]:
            self.assertEqual(int(process["switches"]), 1, "a member was given a processor more than once")
            self.assertEqual(int(process["ticks"]), 0, "a tick landed on a member")

    def test_a_timeshared_job_is_interrupted_and_finishes(self):
        boot = self.boot_well(
            "DESIGN=exp6", "NODES=4", "PROCESSORS=2", "ARGS=--sizes 0 --trips 2 --samples 2", limit=120
        )
        self.assertEqual(boot.record["jobs"][0]["schedule"], "timeshared")
        self.assertTrue(any(int(process["ticks"]) > 0 for process in boot.record["processes"]))

    def test_processes_that_give_way_at_the_same_time_do_not_wait_for_each_other(self):
        program = self.compile("nxcc", "flicks.c", GIVING_WAY)
        words = ("NODES=3", "SCHEDULE=timeshared", "THREADS=multi")
        for _ in range(3):
            self.boot_well(f"APP={program}", *words, limit=20)

    def test_flick_gives_way_to_whoever_waits(self):
        program = self.compile("nxcc", "flicks.c", GIVING_WAY)
        boot = self.boot_well(f"APP={program}", "NODES=2", "PROCESSORS=1", "SCHEDULE=timeshared")
        switches = [int(process["switches"]) for process in boot.record["processes"]]
        self.assertGreater(min(switches), 10000, "a time slice after the other, and no processor given away")

    def test_programs_that_poll_finish_under_every_design_on_one_processor(self):
        program = self.compile("nxcc", "polling.c", POLLING)
        for design in ("exp1", "exp3", "exp4", "exp5", "exp6", "exp6,location=user", "exp4,location=user"):
            with self.subTest(design=design):
                boot = self.boot_well(f"APP={program}", f"DESIGN={design}", "NODES=3", "PROCESSORS=1")
                self.assertIn("polled", boot.text)

    def test_a_gang_with_private_queues_is_never_smaller_than_its_members(self):
        for words in (("DESIGN=exp3",), ("DESIGN=exp4", "NODES=4", "PROCESSORS=2")):
            with self.subTest(words=words):
                ring = "ARGS=--sizes 0 --trips 2 --samples 2"
                boot = self.boot_well(*words, "GANG=private", ring)
                self.assertEqual(boot.record["jobs"][0]["schedule"], "timeshared")

    def test_gangs_and_a_timeshared_job_run_together(self):
        for policy in ("design", "slots"):
            with self.subTest(policy=policy):
                path = self.write("together.toml", TOGETHER)
                boot = self.boot_well(f"CONFIG={path}", f"GANG={policy}", limit=120)
                self.assertEqual([job["status"] for job in boot.record["jobs"]], ["ok"] * 3)

    def test_only_a_measuring_kernel_measures_gangs(self):
        """The runner takes one by the program's mark; without the mark it finds the nucleus alone."""
        with open(os.path.join(BUILD, "apps", "gang", "gang"), "rb") as file:
            marked = file.read()
        self.assertIn(GANGS_MARK, marked)
        unmarked = os.path.join(self.folder, "unmarked")
        with open(unmarked, "wb") as file:
            file.write(marked.replace(GANGS_MARK, bytes(len(GANGS_MARK))))
        os.chmod(unmarked, 0o755)
        boot = self.boot(f"APP={unmarked}", "NODES=1", "PROCESSORS=1", "SCHEDULE=timeshared")
        self.assertEqual(boot.status, 1)
        self.assertIn("gang: this kernel measures no gangs", boot.text)

    def test_a_gang_larger_than_the_machine_is_refused(self):
        boot = self.boot("DESIGN=exp6", "NODES=4", "PROCESSORS=2", "SCHEDULE=gang")
        self.assertEqual(boot.status, 1)
        self.assertIn("a gang of 4 is larger than the machine", boot.text)


if __name__ == "__main__":
    unittest.main()
