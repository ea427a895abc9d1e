# SPDX-License-Identifier: MIT
"""How native jobs end: by themselves, by a rank that dies, by Ctrl-C, by requests that make no sense. Nothing
is left behind, and one sentence says what happened."""

import os
import random
import signal
import subprocess
import time
import unittest

import killed_jobs
from native_case import NXRUN, NativeCase, app, for_each, lives, ranks_of

# Rank 1 dies while the others wait for it; ring-like traffic before, so that it may hold or wait for locks.
DIES = """
#include <nx.h>
#include <signal.h>
#include <stdlib.h>
int main(int count, char **words)
{
    long left = (mynode() + numnodes() - 1) % numnodes(), right = (mynode() + 1) % numnodes();
    char bytes[300];
    for (int i = 0; i < 1000; i++) {
        csend(1, bytes, i % 300, right, 0);
        crecv(1, bytes, sizeof bytes);
    }
    if (mynode() == 1)
        raise(atoi(words[1]));
    crecv(2, bytes, sizeof bytes);
    (void)left, (void)count;
    return 0;
}
"""
WAITS = """
#include <nx.h>
#include <stdio.h>
int main(void)
{
    gsync(); /* all have begun */
    if (mynode() == 0) {
        printf("here\\n");
        fflush(stdout);
    }
    for (;;)
        flick();
}
"""
REFUSALS = (
    (("-n", "0", "true"), "--nodes takes a number from 1 to 1024, not '0'"),
    (("-n", "-3", "true"), "--nodes takes a number from 1 to 1024, not '-3'"),
    (("-n", "x", "true"), "--nodes takes a number from 1 to 1024, not 'x'"),
    (("--nonsense", "true"), "no such option"),
    ((), "Which program?"),
    (("./not-there",), "There is no program ./not-there"),
    (("/etc/passwd",), "is not a program that may be started"),
    (("-d", "exp66", "/bin/true"), "exp66"),
    (("-d", "exp6,location=kernel", "/bin/true"), "needs the Parley kernel"),
    (("-d", "exp5,light", "/bin/true"), "one address space"),
    (("-d", "nx2", "/bin/true"), "This design cannot run here"),
    (("--record", "/not/there/record.json", "/bin/true"), "The record cannot be written"),
    (("--budget", "99999999999999", "/bin/true"), "--budget takes a number"),
)


def signals_named(*names):
    return tuple(int(getattr(signal, name)) for name in names)


@for_each(signals_named("SIGSEGV", "SIGKILL", "SIGABRT", "SIGTERM", "SIGFPE"), "a_rank_ended_by_signal")
class Ends(NativeCase):
    def a_rank_ended_by_signal(self, number):
        program = self.compiled(DIES)
        for nodes in ("2", "4"):
            ran = self.nxrun("-n", nodes, program, str(number))
            self.assertEqual(ran.status, 1, ran.text)
            self.assertRegex(
                ran.errors, rf"^nxrun: The job failed: node 1 was ended by signal {number} \([^)]+\)\.\n$"
            )

    def test_a_rank_may_be_killed_at_any_moment(self):
        program, seed = self.compiled(killed_jobs.TRAFFIC), random.randrange(1 << 30)
        chance = random.Random(seed)
        for _ in range(30):
            self.assertEqual(killed_jobs.kill_one(program, chance), "", f"seed {seed}")

    def test_a_status_is_told_and_the_others_go_on(self):
        program = self.compiled(
            '#include <nx.h>\n#include <stdio.h>\n'
            'int main(void) { if (mynode() == 1) return 3; puts("well"); return 0; }\n'
        )
        ran = self.nxrun("-n", "3", program)
        self.assertEqual(ran.status, 1)
        self.assertEqual(ran.out, "well\nwell\n")
        self.assertEqual(ran.errors, "nxrun: The job failed: node 1 exited with status 3.\n")

    def test_a_deadlock_is_found_and_explained(self):
        program = self.compiled(
            """
            #include <nx.h>
            int main(void)
            {
                long word = 0;
                if (mynode() == 0) {
                    csend(3, &word, sizeof word, 1, 0);
                    crecv(9, &word, sizeof word);
                } else if (mynode() == 1)
                    crecv(5, &word, sizeof word);
                else
                    gsync();
                return 0;
            }
            """
        )
        for design in ("exp6", "exp4", "exp6,synchronization=two-phase"):
            ran = self.nxrun("-n", "3", "-d", design, program)
            self.assertEqual(ran.status, 1)
            self.assertEqual(
                ran.errors,
                "nxrun: The job deadlocked: every rank waits, so none can ever go on.\n"
                "  node 0: crecv(selector 9, from any node) waits for a message\n"
                "    unmatched: gsync, 0 bytes, from node 2: this node makes no such call\n"
                "  node 1: crecv(selector 5, from any node) waits for a message\n"
                "    unmatched: type 3, 8 bytes, from node 0: another type is asked for\n"
                "  node 2: gsync waits for node 0\n",
            )

    def test_a_host_that_waits_for_a_stuck_node_deadlocks(self):
        self.compiled('#include <nx.h>\nint main(void) { crecv(7, 0, 0); return 0; }\n', "stuck")
        host = self.compiled(
            '#include <nx.h>\nint main(void) { load("stuck", -1, 0); waitall(-1, 0); return 0; }\n', "host"
        )
        ran = self.nxrun("-n", "1", host)
        self.assertEqual(ran.status, 1)
        self.assertIn("  node 0: crecv(selector 7, from any node) waits for a message\n", ran.errors)
        self.assertIn("  the host: waitall waits for programs to end\n", ran.errors)

    def test_a_limit_ends_the_job(self):
        ran = self.nxrun("-n", "2", "--limit", "1", self.compiled(WAITS.replace("gsync();", "")))
        self.assertEqual(ran.status, 6)
        self.assertIn("The job has reached its limit of 1 s.", ran.errors)
        self.assertIn("  node 0: computes\n  node 1: computes\n", ran.errors)

    def begun(self, program: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [NXRUN, "-n", "3", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "here\n")
        return process

    def gone(self, ranks: list[int]) -> None:
        end = time.monotonic() + 20
        while any(map(lives, ranks)) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual([rank for rank in ranks if lives(rank)], [])

    def test_an_interrupt_ends_everything_within_a_second(self):
        process = self.begun(self.compiled(WAITS))
        ranks = ranks_of(process.pid)
        self.assertEqual(len(ranks), 3)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 130)
        self.gone(ranks)
        self.assertLess(time.monotonic() - began, 1 if os.getloadavg()[0] < 4 else 20)

    def test_ranks_end_when_nxrun_is_killed(self):
        process = self.begun(self.compiled(WAITS))
        ranks = ranks_of(process.pid)
        process.kill()
        process.wait(20)
        self.gone(ranks)

    def test_requests_that_make_no_sense_are_one_sentence(self):
        for words, sentence in REFUSALS:
            ran = self.nxrun(*words)
            self.assertEqual((ran.status, ran.out), (2, ""), words)
            self.assertIn(sentence, ran.errors)
            self.assertEqual(len(ran.errors.splitlines()), 1, ran.errors)

    def test_a_program_without_nxrun_says_how_to_start_it(self):
        done = subprocess.run([app("hello_c")], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("start it with `nxrun -n NODES program`", done.stderr)

    def test_a_job_leaves_no_file_and_no_shared_memory(self):
        before = set(os.listdir("/dev/shm")), set(os.listdir("/tmp"))
        folder = os.path.basename(self.folder)
        self.nxrun("-n", "3", self.compiled(DIES), str(int(signal.SIGKILL)))
        after = set(os.listdir("/dev/shm"))
        self.assertEqual({name for name in after - before[0] if "parley" in name}, set())
        left = {name for name in set(os.listdir("/tmp")) - before[1] if name.startswith("parley-job")}
        self.assertEqual(left - {folder}, set())


if __name__ == "__main__":
    unittest.main()
