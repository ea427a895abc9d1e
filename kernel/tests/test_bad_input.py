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
# What a program finds in the segment registers, and leaves there.
SEGMENTS = """#include <stdio.h>
int main(void)
{
    unsigned found[4], own = 0x1b;
    __asm__ volatile("mov %%ds, %0; mov %%es, %1; mov %%fs, %2; mov %%gs, %3"
                     : "=r"(found[0]), "=r"(found[1]), "=r"(found[2]), "=r"(found[3]));
    printf("segments %x %x %x %x\\n", found[0], found[1], found[2], found[3]);
    __asm__ volatile("mov %0, %%ds; mov %0, %%es; mov %0, %%gs" : : "r"(own));
    return 0;
}
"""
# What lies in the frame of an interruption where FXSAVE has written nothing.
FRAME = """#include <nx.h>
#include <stdio.h>
#include <string.h>
static volatile int handled;
static char *above;
static void look(long type, long count, long node, long pid)
{
    static const char nothing[512 - 416];
    (void)type, (void)count, (void)node, (void)pid;
    for (char *at = (char *)((unsigned long)__builtin_frame_address(0) & -16ul); at < above; at += 16) {
        unsigned short control;
        unsigned sse;
        memcpy(&control, at, sizeof control);
        memcpy(&sse, at + 24, sizeof sse);
        if (control == 0x37f && sse == 0x1f80)
            puts(memcmp(at + 416, nothing, sizeof nothing) ? "a frame with leavings" : "a clean frame");
    }
    handled = 1;
}
int main(void)
{
    above = __builtin_frame_address(0);
    hrecv(1, 0, 0, look);
    isend(1, 0, 0, (mynode() + 1) % 2, 0);
    while (!handled)
        ;
    gsync();
    return 0;
}
"""
LEAVINGS = {"segments": (SEGMENTS, 1), "segments_again": (SEGMENTS, 1), "frame": (FRAME, 2)}
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
    LEAVINGS,
    "nobody_finds_what_another_has_left_in",
    lambda case, what: {"app": case.compiled(LEAVINGS[what][0]), "nodes": LEAVINGS[what][1]},
    words=("PROCESSORS=1", "DESIGN=exp6"),
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

    def nobody_finds_what_another_has_left_in(self, what, job):
        self.assertIn("a clean frame" if what == "frame" else "segments 0 0 0 0", self.well(job).text)
        self.assertNotIn("leavings", job.text)

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
