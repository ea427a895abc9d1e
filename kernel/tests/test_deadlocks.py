# SPDX-License-Identifier: MIT
"""The kernel says when no process can ever go on, who waits for what, and what came near; and it never
says so of a run that is only slow."""

import unittest

from boot_case import BootCase, for_each_job

STUCK = """#include <nx.h>
int main(void)
{
    char *block = nx_alloc(64);
    if (mynode() == 0) {
        isend(7, block, 16, 1, 0);
        isend(5, nx_alloc(64), 24, 1, 0);
        isend(12, nx_alloc(64), 8, 2, 0);
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
HOLDING = """#include <nx.h>
void answer(type, count, node, pid) long type, count, node, pid;
{
    csend(6, 0, 0, mynode(), 0);
}
int main(void)
{
    if (mynode() == 0) {
        hrecv(5, 0, 0, answer);
        masktrap(1);
        csend(5, 0, 0, 0, 0);
    }
    crecv(6, 0, 0);
    return 0;
}
"""
LEFT_OF_CSEND = """#include <nx.h>
static long heard;
void hear() { heard++; }
int main(void)
{
    char *block = nx_alloc(16);
    if (mynode() == 0) {
        hrecv(4, 0, 0, hear);
        csend(3, 0, 0, 1, 0);
        csend(5, block, 16, 1, 0);
    } else {
        crecv(3, 0, 0);
        csend(4, 0, 0, 0, 0);
        crecv(6, 0, 0);
    }
    return 0;
}
"""
OTHER_CALL = """#include <nx.h>
int main(void)
{
    double x = 1, work;
    if (mynode() == 2)
        gdsum(&x, 1, &work);
    else
        gsync();
    return 0;
}
"""
MISSING = """#include <nx.h>
int main(void)
{
    if (mynode() != 2)
        gsync();
    return 0;
}
"""
DESIGNS = ("exp1", "exp3", "exp4", "exp5", "exp6", "nx2", "exp4,location=user")
FOUR = ("PROCESSORS=4",)


def three_nodes(source: str):
    return lambda case, design: {"design": design, "app": case.compiled(source), "nodes": 3}


@for_each_job(
    DESIGNS,
    "a_deadlock_is_told_with_its_near_misses",
    three_nodes(STUCK),
    FOUR,
    sample=("exp1", "exp3", "exp5", "nx2"),
)
@for_each_job(DESIGNS, "a_slow_run_is_not_a_deadlock", three_nodes(SLOW), FOUR, sample=("exp1", "exp4"))
@for_each_job(
    DESIGNS,
    "who_waits_for_a_failed_program_is_told",
    three_nodes(LEFT_ALONE),
    FOUR,
    sample=("exp4", "exp5", "exp6"),
)
@for_each_job(
    ("exp1", "exp5"),
    "what_is_left_of_an_interrupted_csend_is_named",
    lambda case, design: {"design": design, "app": case.compiled(LEFT_OF_CSEND), "nodes": 2},
    FOUR,
)
@for_each_job(
    ("exp6", "exp5", "exp4,location=user"),
    "a_handler_that_masktrap_holds_is_told",
    three_nodes(HOLDING),
    FOUR,
)
@for_each_job(
    (*DESIGNS, "exp2", "exp6,transfer=single-copy"),
    "different_collective_calls_are_named",
    three_nodes(OTHER_CALL),
    FOUR,
    sample=("exp5", "exp6", "exp6,transfer=single-copy"),
)
@for_each_job(
    ("exp4", "exp5"), "a_node_that_is_missing_in_a_collective_call_is_named", three_nodes(MISSING), FOUR
)
class Deadlocks(BootCase):
    def different_collective_calls_are_named(self, design, job):
        self.assertEqual(job.status, "deadlock", job.text[-3000:])
        self.assertIn("node 0: gsync waits for node 2\n", job.text)
        self.assertIn("node 1: gsync waits for node 0\n", job.text)
        lends = design in ("exp1", "exp5", "exp6,transfer=single-copy")
        what = "its bytes to be taken" if lends else "node 0"
        self.assertIn(f"node 2: gdsum waits for {what}\n", job.text)
        self.assertIn("unmatched: gdsum, 8 bytes, from node 2: this node makes another call\n", job.text)

    def a_node_that_is_missing_in_a_collective_call_is_named(self, _, job):
        self.assertEqual(job.status, "deadlock", job.text[-3000:])
        for line in (
            "node 0: gsync waits for node 2",
            "node 1: gsync waits for node 0",
            "node 2 left before, with status 0",
        ):
            self.assertIn(f"  {line}\n", job.text)

    def what_is_left_of_an_interrupted_csend_is_named(self, _, job):
        self.assertEqual(job.status, "deadlock", job.text[-3000:])
        self.assertIn("node 0: csend(type 5, 16 bytes, to node 1) waits for the copy to be made\n", job.text)

    def a_handler_that_masktrap_holds_is_told(self, _, job):
        self.assertEqual(job.status, "deadlock", job.text[-3000:])
        waits = "crecv(selector 6, from any node) waits for a message"
        held = "; a message handler is due, but the program holds it back with masktrap"
        self.assertIn(f"node 0: {waits}{held}\n", job.text)
        self.assertIn(f"node 1: {waits}\n", job.text)

    def a_deadlock_is_told_with_its_near_misses(self, _, job):
        self.assertEqual(job.status, "deadlock", job.text[-3000:])
        self.assertEqual(job.boot.status, 1)
        for line in (
            "node 0: crecv(selector 9, from any node) waits for a message",
            "node 1: crecv(selector 5, from node 2) waits for a message\n"
            "    unmatched: type 7, 16 bytes, from node 0: another type is asked for\n"
            "    unmatched: type 5, 24 bytes, from node 0: another node is asked for",
        ):
            self.assertIn(line, job.text)
        self.assertRegex(
            job.text,
            r"node 2: msgwait\(\d+\) waits for a message for its irecv\(selector 11, from any node\)\n"
            r"    unmatched: type 12, 8 bytes, from node 0: another type is asked for\n",
        )

    def a_slow_run_is_not_a_deadlock(self, _, job):
        self.well(job)

    def who_waits_for_a_failed_program_is_told(self, _, job):
        self.assertEqual((job.boot.status, job.status), (1, "failed"), job.text[-3000:])
        self.assertIn("node 1: crecv(selector 5, from any node) waits for a message", job.text)
        self.assertIn("  node 0 left before, with status 3\n", job.text)

    def test_an_isend_that_nobody_takes_is_told_as_one(self):
        source = "#include <nx.h>\nint main(void)\n{\n    char *block = nx_alloc(64);\n"
        source += "    if (mynode() == 0)\n        msgwait(isend(4, block, 64, 1, 0));\n"
        source += "    else\n        crecv(5, block, 64);\n    return 0;\n}\n"
        boot = self.boot(f"APP={self.compiled(source)}", "DESIGN=exp5")
        told = r"node 0: msgwait\(\d+\) waits for the copy to be made of its isend\(type 4, to node 1\)\n"
        self.assertRegex(boot.text, told)

    def test_nodes_that_left_with_one_status_are_told_together(self):
        source = "#include <nx.h>\nint main(void)\n{\n"
        source += "    if (mynode() == 2)\n        crecv(1, 0, 0);\n    return mynode() == 5;\n}\n"
        boot = self.boot(f"APP={self.compiled(source)}", "NODES=6", "PROCESSORS=2", "DESIGN=exp4")
        self.assertEqual(boot.status, 1, boot.text[-3000:])
        told = "  nodes 0 to 1 left before, with status 0\n  nodes 3 to 4 left before, with status 0\n"
        self.assertIn(f"{told}  node 5 left before, with status 1\n", boot.text)


if __name__ == "__main__":
    unittest.main()
