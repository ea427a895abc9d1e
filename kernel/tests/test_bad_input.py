# SPDX-License-Identifier: MIT
"""Bad input ends in one sentence that says what is wrong, and what goes wrong in one job harms no other."""

import os
import unittest
from unittest import mock

from boot_case import BootCase, for_each, for_each_job

BAD_MPS = "NAME X\nROWS\n N COST\n L R1\nCOLUMNS\n X1 COST 1 R2 3\nENDATA\n"
SENTENCES = {
    "nodes_not_a_power_of_two": ("fft: 3 nodes: their number must be a power of two", "APP=fft", "NODES=3"),
    "too_few_points": ("fft: --points 64: powers of two from 128 to", "APP=fft", "ARGS=--points 64"),
    "malformed_mps": ("bad.mps:6: there is no row of this name: 'R2'", "APP=simplex", "ARGS=bad.mps"),
    "missing_file": ("none.mps: No such file or directory", "APP=simplex", "ARGS=none.mps"),
    "gangs_of_a_gang": ("run it with SCHEDULE=timeshared", "APP=gang", "SCHEDULE=gang"),
}
DIES_HALFWAY = """#include <nx.h>
int main(void)
{
    char *block = nx_alloc(64);
    gsync();
    if (mynode() == 1)
        *(volatile char *)16 = 1;
    if (mynode() == 2)
        for (;;) /* ends with its gang alone: it neither waits nor calls */
            ;
    crecv(5, block, 64);
    return 0;
}
"""
NEXT_JOB = """
nodes = 3
processors = 3
schedule = "gang"
[[job]]
name = "dying"
app = "{dying}"
[[job]]
name = "next"
app = "ring"
args = "--sizes 0 --trips 2 --samples 2"
"""
# More than the budget holds, to a receiver that is busy at first.
FLOOD = """#include <nx.h>
#include <string.h>
enum { messages = 400, bytes = 10000 };
int main(void)
{
    char *block = nx_alloc(bytes);
    if (mynode() != 0) {
        for (int i = 0; i < messages; i++) {
            memset(block, i, bytes);
            csend(i, block, bytes, 0, 0);
        }
        return 0;
    }
    for (double end = dclock() + 0.3; dclock() < end;)
        ;
    int next[8] = {0};
    for (int i = 0; i < messages * (numnodes() - 1); i++) {
        crecv(-1, block, bytes);
        int number = next[infonode()]++;
        if (infotype() != number || infocount() != bytes || block[bytes - 1] != (char)number)
            return 1;
    }
    return 0;
}
"""

# The kernel has no more right to a program's pages than the program.
WITHDRAWN = """#include <errno.h>
#include <nx.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char copy[8] = "none";
    sprintf(page, "secret");
    mprotect(page, 4096, PROT_NONE);
    if (write(1, page, 6) != -1 || errno != EFAULT)
        return 1;
    if (_csend(1, page, 6, mynode(), mypid()) != -1)
        return 2;
    mprotect(page, 4096, PROT_READ);
    csend(1, page, 7, mynode(), mypid());
    crecv(1, copy, 8);
    return puts(copy) < 0;
}
"""
# The runner's words for the emulator, without those that have it count instructions.
DOES_NOT_COUNT = """#!/usr/bin/python3
import os, sys
words = sys.argv[1:]
if "-icount" in words:
    at = words.index("-icount")
    del words[at : at + 2]
os.execvp("qemu-system-x86_64", ["qemu-system-x86_64", *words])
"""


@for_each(sorted(SENTENCES), "one_sentence_for")
@for_each_job(
    ("exp4", "exp6", "nx2"),
    "withdrawn_pages_are_not_read_under",
    lambda case, design: {"design": design, "app": case.compiled(WITHDRAWN), "nodes": 1},
    sample=("exp6",),
)
@for_each_job(
    ("exp1", "exp3", "exp4", "exp5", "exp6", "nx2", "exp6,location=user"),
    "a_flood_loses_nothing_under",
    lambda case, design: {"design": design, "app": case.compiled(FLOOD), "nodes": 3, "budget": 1000000},
    words=("PROCESSORS=4",),
    sample=("exp1", "exp4", "nx2", "exp6,location=user"),
)
@for_each(("shared", "private", "slots"), "the_next_job_runs_after_a_fault_with_gangs")
class BadInput(BootCase):
    def withdrawn_pages_are_not_read_under(self, _, job):
        self.assertIn("secret", self.well(job).text)
        self.assertEqual(job.text.count("secret"), 1)

    def one_sentence_for(self, name: str):
        sentence, *words = SENTENCES[name]
        path = self.write("files/bad.mps", BAD_MPS)
        boot = self.boot(*words, f"FILES={os.path.dirname(path)}")
        self.assertEqual((boot.status, boot.record["status"]), (1, "failed"), boot.text[-2000:])
        self.assertEqual(boot.text.count(sentence), 1, boot.text[-2000:])

    def a_flood_loses_nothing_under(self, _, job):
        self.well(job)

    def test_a_request_that_is_wrong_of_the_time_stamp_counter_stops_the_boot(self):
        emulator = self.write("emulator", DOES_NOT_COUNT)
        os.chmod(emulator, 0o755)
        with mock.patch.dict(os.environ, PARLEY_EMULATOR=emulator):
            boot = self.boot("CLOCK=counted", "NODES=1")
        self.assertEqual(boot.record["status"], "no-result", boot.text[-2000:])
        said = r"the counter counts nanoseconds, but it counts \d+ times a second; boot with clock=free"
        self.assertRegex(boot.text, said)

    def the_next_job_runs_after_a_fault_with_gangs(self, policy: str):
        dying = self.compile("nxcc", "dying.c", DIES_HALFWAY)
        boot = self.boot(
            f"CONFIG={self.write('two.toml', NEXT_JOB.format(dying=dying))}", f"GANG={policy}", limit=20
        )
        self.assertEqual([job["status"] for job in boot.record["jobs"]], ["failed", "ok"], boot.text[-2000:])
        self.assertEqual(boot.text.count("its job ends"), 1)
        self.assertNotIn("has reached its limit", boot.text)
        self.assertIn("job dying, node 1: the program", boot.text)


if __name__ == "__main__":
    unittest.main()
