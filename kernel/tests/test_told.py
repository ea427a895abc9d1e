# SPDX-License-Identifier: MIT
"""How a booted system tells what went wrong, and which job a line comes from."""

import unittest

from boot_case import BootCase, for_each, for_each_job

EXITS = """#include <nx.h>
int main(void) { return mynode() == 2 ? 3 : 0; }
"""
FAULTS = """#include <nx.h>
__attribute__((noinline)) static void reach(volatile int *where)
{
    *where = 1;
}
int main(void)
{
    if (mynode() == 1)
        reach((int *)16);
    return 0;
}
"""
LOADS = """#include <nx.h>
int main(void)
{
    if (mynode() == myhost())
        for (int pid = 0; pid < 2; pid++)
            load("exits", 0, pid);
    return 0;
}
"""
LENDS = """#include <nx.h>
int main(void)
{
    static int own;
    if (mynode() == 0)
        csend(1, &own, sizeof own, 1, 0);
    return 0;
}
"""
DOES = """#include <nx.h>
#include <unistd.h>
static volatile long turns;
__attribute__((noinline)) static void compute(void)
{
    for (;;)
        turns++; /* line 7 */
}
int main(void)
{
    static long own;
    if (mynode() == 0)
        crecv(5, &own, sizeof own);
    else if (mynode() == 1)
        gsync();
    else if (mynode() == 2)
        compute();
    else if (mynode() == 3)
        sleep(1000);
    else
        msgwait(irecv(7, &own, sizeof own));
    return 0;
}
"""
TOO_LONG = """#include <nx.h>
#include <stdlib.h>
static double large[1 << 17], work[1 << 17];
int main(int count, char **words)
{
    switch (atoi(words[1])) {
    case 0: csend(3, large, sizeof large, 1, 0); break;
    case 1: msgwait(isend(3, large, sizeof large, 1, 0)); break;
    case 2: gdsum(large, 1 << 17, work); break;
    }
    if (mynode() == 1)
        crecv(3, large, sizeof large);
    return count;
}
"""
SPEAKS = """#include <stdio.h>
int main(void) { return puts("a line") < 0; }
"""
JOBS = """
nodes = 4
[[job]]
name = "exits"
app = "{exits}"
[[job]]
name = "faults"
app = "{faults}"
[[job]]
name = "loads"
app = "{loads}"
nodes = 1
[[job]]
name = "lends"
app = "{lends}"
design = "exp2"
"""


def sends_too_much(case, value) -> dict:
    design, call = value
    return {
        "design": design,
        "app": case.compiled(TOO_LONG),
        "nodes": 2,
        "budget": 512 << 10,
        "args": str(call),
    }


@for_each(
    ("exp4", "exp6", "exp5", "exp4,location=user"),
    "a_time_out_says_what_each_node_was_doing",
    sample=("exp4", "exp5"),
)
@for_each_job(
    [(design, call) for design in ("exp3", "exp6", "exp6,location=user") for call in range(3)],
    "what_is_larger_than_the_budget_is_told_with_its_length",
    sends_too_much,
    ("PROCESSORS=2",),
)
class Told(BootCase):
    def a_time_out_says_what_each_node_was_doing(self, design: str):
        program = self.compile("nxcc", "does.c", DOES, "-g", "-O0")
        words = (f"APP={program}", f"DESIGN={design}", "NODES=5", "PROCESSORS=2")
        job = self.boot(*words, "CONSOLE=show", limit=2)
        self.assertEqual(job.status, 6, job.text[-3000:])
        self.assertRegex(job.text, r"has reached its limit of 2 s and ends; its processes were doing:\n")
        for line in (
            r"  node 0: crecv\(selector 5, from any node\) waits for a message, for [12]\.\d s",
            r"  node 1: gsync waits for node 0, for [12]\.\d s",
            r"parley: job \S+, node 2: was computing in compute, does.c:7 \(at 0x\w+\)",
            r"parley: job \S+, node 3: was in the Linux call clock_nanosleep",
            r"  node 4: msgwait\(\d+\) waits for a message for its irecv\(selector 7, from any node\), "
            r"for [12]\.\d s",
        ):
            self.assertRegex(job.text, f"(?m)^{line}$")

    def what_is_larger_than_the_budget_is_told_with_its_length(self, value, job):
        what = ("csend(type 3, 1048576 bytes, to node 1", "isend(type 3, 1048576 bytes, to node 1")
        self.assertIn((*what, "gdsum(1048576 bytes")[value[1]], job.text)
        self.assertIn("all the memory that the job has for messages; give it more with BUDGET=", job.text)

    def test_who_failed_how_and_where(self):
        programs = {
            name: self.compile("nxcc", f"{name}.c", source, "-g")
            for name, source in (("exits", EXITS), ("faults", FAULTS), ("loads", LOADS), ("lends", LENDS))
        }
        boot = self.boot(f"CONFIG={self.write('c.toml', JOBS.format(**programs))}", "CONSOLE=show")
        self.assertEqual(boot.status, 1, boot.text[-3000:])
        self.assertEqual(boot.record["sentence"], "Job exits failed: node 2 exited with status 3.")
        reasons = [process.get("reason", "") for process in boot.record["processes"] if process["job"] == 1]
        self.assertTrue(any("in reach, faults.c:4 (at 0x" in reason for reason in reasons), reasons)
        self.assertRegex(
            boot.text,
            r"parley: job faults, node 1: the program .* in reach, faults\.c:4 \(at 0x\w+\); its job",
        )
        self.assertIn("parley: the host: load(node 0, pid 1): there is no such process", boot.text)
        self.assertIn("PIDS= says how many each node has", boot.text)
        self.assertIn("or take a design that copies (DESIGN=exp6)", boot.text)

    def test_lines_of_jobs_that_run_together_name_their_job(self):
        program = self.compile("nxcc", "speaks.c", SPEAKS)
        job = f'[[job]]\napp = "{program}"\nnodes = 1\n'
        text = f'jobs = "together"\n{job}name = "one"\n{job}name = "two"\ntag = 1\n'
        boot = self.boot_well(f"CONFIG={self.write('c.toml', text)}")
        self.assertIn("[one] a line\n", boot.text)
        self.assertIn("[two 0] a line\n", boot.text)


if __name__ == "__main__":
    unittest.main()
