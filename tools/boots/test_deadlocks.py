# SPDX-License-Identifier: MIT
"""The kernel says when no process can ever go on, who waits for what, and what came near; and it never
says so of a run that is only slow."""

import unittest

from boot_case import BootCase, for_each

STUCK = """#include <nx.h>
int main(void)
{
    char *block = nx_alloc(64);
    if (mynode() == 0) {
        isend(7, block, 16, 1, 0);
        isend(5, nx_alloc(64), 24, 1, 0);
        crecv(9, block, 64);
    } else if (mynode() == 1) {
        crecvx(5, block, 64, 2, 0, msginfo);
    } else {
        msgwait(irecv(11, block, 64));
    }
    return 0;
}
"""
SLOW = """#include <nx.h>
int main(void)
{
    char *block = nx_alloc(64);
    if (mynode() == 0) {
        for (double end = dclock() + 1.5; dclock() < end;)
            ;
        csend(5, block, 16, -1, 0);
    } else {
        crecv(5, block, 64);
    }
    return 0;
}
"""
LEFT_ALONE = """#include <nx.h>
int main(void)
{
    char *block = nx_alloc(64);
    if (mynode() == 0)
        return 3;
    crecv(5, block, 64);
    return 0;
}
"""
DESIGNS = ("exp1", "exp3", "exp4", "exp5", "exp6", "nx2", "exp4,location=user")


@for_each(DESIGNS, "a_deadlock_is_told_with_its_near_misses")
@for_each(DESIGNS, "a_slow_run_is_not_a_deadlock")
@for_each(DESIGNS, "who_waits_for_a_failed_program_is_told")
class Deadlocks(BootCase):
    def a_deadlock_is_told_with_its_near_misses(self, design: str):
        boot = self.boot(f"DESIGN={design}", "NODES=3", f"APP={self.compile('nxcc', 'stuck.c', STUCK)}")
        self.assertEqual((boot.status, boot.record["jobs"][0]["status"]), (1, "deadlock"), boot.text[-3000:])
        for line in (
            "node 0: crecv(selector 9, from any node) waits for a message",
            "node 1: crecv(selector 5, from node 2) waits for a message\n"
            "    near miss: type 7, 16 bytes, from node 0: another type is asked for\n"
            "    near miss: type 5, 24 bytes, from node 0: another node is asked for",
        ):
            self.assertIn(line, boot.text)
        self.assertRegex(boot.text, r"node 2: msgwait\(\d+\) waits")

    def a_slow_run_is_not_a_deadlock(self, design: str):
        self.boot_well(f"DESIGN={design}", "NODES=3", f"APP={self.compile('nxcc', 'slow.c', SLOW)}")

    def who_waits_for_a_failed_program_is_told(self, design: str):
        program = self.compile("nxcc", "alone.c", LEFT_ALONE)
        boot = self.boot(f"DESIGN={design}", f"APP={program}", limit=20)
        self.assertEqual((boot.status, boot.record["jobs"][0]["status"]), (1, "failed"), boot.text[-3000:])
        self.assertIn("node 1: crecv(selector 5, from any node) waits for a message", boot.text)


if __name__ == "__main__":
    unittest.main()
