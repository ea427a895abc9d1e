# SPDX-License-Identifier: MIT
"""Jobs of more nodes than the machine has processors for, or any byte has values for."""

import unittest

from boot_case import BootCase, extra

SHORT = "ARGS=--sizes 0,1000 --trips 1 --samples 2 --warm-up 1"
MACHINE = ("PROCESSORS=2", "MEMORY=1024")
# Node 0 hands a block to all, and each of them gives it back.
BROADCAST = """#include <nx.h>
#include <stdio.h>
int main(void)
{
    long *block = 0, sum, work;
    if (mynode() == 0) {
        block = nx_alloc(sizeof *block);
        *block = 42;
        csend(1, block, sizeof *block, -1, 0);
        sum = 0;
    } else {
        crecvp(1, (void **)&block, sizeof *block);
        sum = *block == 42 ? mynode() : -1000000;
        nx_free(block);
    }
    gisum(&sum, 1, &work);
    if (mynode() == 0)
        printf("sum %ld\\n", sum);
    return 0;
}
"""


class ManyNodes(BootCase):
    @extra
    def test_a_ring_of_256_nodes_on_two_processors(self):
        for schedule in ("auto", "timeshared"):
            with self.subTest(schedule=schedule):
                words = ("DESIGN=exp4", "NODES=256", f"SCHEDULE={schedule}", SHORT, *MACHINE)
                boot = self.boot_well(*words, limit=300)
                self.assertEqual({row["bytes"] for row in boot.rows("round trip")}, {0, 1000})
                self.assertEqual(len(boot.record["processes"]), 256)

    def test_in_user_location_too(self):
        words = ("DESIGN=exp4,location=user", "NODES=100", "SCHEDULE=timeshared", SHORT, *MACHINE)
        self.assertEqual(len(self.boot_well(*words, limit=300).record["processes"]), 100)

    def test_a_job_that_does_not_fit_is_refused_with_what_would_help(self):
        boot = self.boot("DESIGN=exp4", "NODES=256", SHORT, "PROCESSORS=2", "MEMORY=128", limit=120)
        self.assertEqual(boot.status, 1)
        self.assertRegex(boot.text, r"256 processes need \d+ MiB.*MEMORY=\d+.*fewer nodes \(NODES=\)")
        self.assertEqual(boot.record["jobs"][0]["frames_leaked"], 0)

    @extra
    def test_a_block_that_is_handed_to_all_has_many_readers(self):
        program = self.compile("nxcc", "broadcast.c", BROADCAST)
        for location in ("kernel", "user"):
            with self.subTest(location=location):
                design = f"DESIGN=exp4,transfer=pointer,location={location}"
                boot = self.boot_well(f"APP={program}", design, "NODES=70", *MACHINE, limit=120)
                self.assertIn(f"sum {sum(range(70))}", boot.text)


if __name__ == "__main__":
    unittest.main()
