# SPDX-License-Identifier: MIT
"""How native jobs end: by themselves, by a rank that dies, by Ctrl-C, by requests that make no sense. Nothing
is left behind, and one sentence says what happened."""

import itertools
import os
import random
import re
import resource
import signal
import subprocess
import time
import unittest

import killed_jobs
from native_case import NXRUN, WAIT_FOR_SLEEP, NativeCase, app, for_each, lives, ranks_of

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
# The node that is named brings three numbers, the others one.
UNEQUAL = """
#include <nx.h>
#include <stdlib.h>
int main(int count, char **words)
{
    double x[3] = {1, 2, 3}, work[3];
    gdsum(x, mynode() == atoi(words[count - 1]) ? 3 : 1, work);
    return 0;
}
"""
# Node 1 is killed in the n-th call by which libnx makes it a rank, where it maps what all ranks share and
# joins; 0: before the first. Where there are fewer calls, all is well.
KILLED_WHILE_IT_JOINS = """
#define _GNU_SOURCE
#include <nx.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static int is_node_1, calls, fatal;
static void may_die(void)
{
    if (is_node_1 && calls++ == fatal)
        raise(SIGKILL);
}
static void before_libraries(int count, char **words, char **variables)
{
    (void)count;
    while (strncmp(*variables, "PARLEY_JOB=", 11) != 0)
        variables++;
    is_node_1 = atoi(strrchr(*variables, ':') + 1) == 1;
    fatal = atoi(words[1]);
    may_die();
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) =
    before_libraries;
void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    may_die();
    return (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}
int close(int file)
{
    may_die();
    return (int)syscall(SYS_close, file);
}
int fcntl(int file, int command, ...)
{
    __builtin_va_list rest;
    __builtin_va_start(rest, command);
    const long argument = __builtin_va_arg(rest, long);
    __builtin_va_end(rest);
    may_die();
    return (int)syscall(SYS_fcntl, file, command, argument);
}
int main(void)
{
    is_node_1 = 0;
    gsync();
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
# Receives that nobody waits for, up to what a process may have under way; node 1 is another job's worth.
NEVER_WAITS = """
#include <nx.h>
int main(void)
{
    static char bytes[8];
    for (;;)
        irecv(1, bytes, sizeof bytes);
}
"""
# Node 0 leaves with a receive begun and messages not received; its partner sends it more afterwards.
LEAVES_EARLY = """
#include <nx.h>
#include <stdio.h>
int main(void)
{
    static char bytes[100000];
    if (mynode() == 0) {
        irecv(1, bytes, sizeof bytes);
        csend(2, 0, 0, 1, 0);
        return 0;
    }
    crecv(2, 0, 0);
    for (int i = 0; i < 100; i++)
        csend(3, bytes, sizeof bytes, 0, 0);
    puts("sent");
    return 0;
}
"""
LENGTHS = """
#include <nx.h>
#include <stdlib.h>
int main(int count, char **words)
{
    static char bytes[8];
    (void)count;
    csend(1, bytes, atol(words[1]), mynode(), 0);
    return 0;
}
"""
REFUSALS = (
    (("-n", "0", "true"), "--nodes takes a number from 1 to 1024, not '0'"),
    (("-n", "-3", "true"), "--nodes takes a number from 1 to 1024, not '-3'"),
    (("-n", "x", "true"), "--nodes takes a number from 1 to 1024, not 'x'"),
    (("--nonsense", "true"), "no such option: --nonsense; nxrun --help lists them."),
    (("--desgin", "exp6", "true"), "no such option: --desgin; did you mean --design?"),
    (("-n",), "value is missing behind -n"),
    ((), "Which program?"),
    (("./not-there",), "There is no program ./not-there"),
    (("/etc/passwd",), "is not a program that may be started"),
    (("-d", "exp66", "/bin/true"), "exp66"),
    (("-d", "exp6,location=kernel", "/bin/true"), "needs the Parley kernel"),
    (
        ("-d", "exp4,synchronization=policy-1:20ms", "/bin/true"),
        "synchronization=policy-1 waits by semaphores of the Parley kernel (make run)",
    ),
    (
        ("--semaphore", "bogus", "/bin/true"),
        "there are no semaphores 'bogus'; there are combining, kernel, policy-0, policy-1, queue, spin; did",
    ),
    (
        ("--semaphore", "policy-1:-1ms", "/bin/true"),
        "the epsilon of semaphore=policy-1 is 0s to 3600s, in whole numbers, not '-1ms'",
    ),
    (("-d", "nx2", "/bin/true"), "This design cannot run here"),
    (("--record", "/not/there/record.json", "/bin/true"), "The record cannot be written"),
    (("--dispatch", "both", "/bin/true"), "--dispatch takes virtual or static, not 'both'"),
    (("--dispatch", "static", "-d", "exp6,mcs", "/bin/true"), "knows the named designs"),
    (("--widest-move", "24", "/bin/true"), "--widest-move takes 16, 32 or 64, not '24'."),
    (("--budget", "99999999999999", "/bin/true"), "--budget takes a number"),
    (("--trace", "a.txt", "/bin/true"), "--trace a.txt must end in one of .json, .svg, .trace."),
    (("--trace", "/not/there/a.svg", "/bin/true"), "The trace cannot be written to /not/there/a.svg"),
    (("--trace", "a.svg", "--window", "7", "/bin/true"), "--window 7 is not of the form FROM..TO"),
    (("--window", "1..2", "/bin/true"), "say --trace FILE.svg, too"),
    (("--trace-records", "3", "/bin/true"), "--trace-records takes a number from 16"),
    (("--trace", "-n", "2", "/bin/true"), "name of a file is missing behind --trace: -n is an option"),
    (("-r", "--tag", "/bin/true"), "name of a file is missing behind --record: --tag is an option"),
    (("--design", "-n", "2", "/bin/true"), "value is missing behind --design: -n is an option"),
    (("-np",), "value is missing behind -np"),
    (("-np", "x", "/bin/true"), "--nodes takes a number from 1 to 1024, not 'x'"),
    (("-n", "2", "-np", "3", "/bin/true"), "--nodes is given twice"),
    (("-t", "--tag", "/bin/true"), "--tag is given twice"),
    (("--host", "--no-host", "/bin/true"), "--host and --no-host exclude each other"),
    (("--slice", "50", "/bin/true"), "--slice says how long a turn of --gang lasts: say --gang, too."),
    (("--trace-records", "99", "/bin/true"), "say --trace FILE, too"),
    (("--mpi", "mpich", "/bin/true"), "say --hosts, too"),
    (("--trace", "a.trace", "--window", "1..2", "/bin/true"), "give the window to nxtrace"),
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

    def test_a_rank_may_be_killed_while_it_maps_what_all_share(self):
        program, before, call = self.compiled(KILLED_WHILE_IT_JOINS), set(os.listdir("/dev/shm")), 0
        while (ran := self.nxrun("-n", "3", program, str(call))).status != 0:
            self.assertEqual(
                (ran.status, ran.text),
                (1, "nxrun: The job failed: node 1 was ended by signal 9 (Killed).\n"),
                call,
            )
            call += 1
        self.assertEqual(ran.text, "")
        self.assertGreater(call, 6)  # two mappings, the library's, three files that are closed
        self.assertEqual({name for name in set(os.listdir("/dev/shm")) - before if "parley" in name}, set())

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
                long word = 0, work;
                if (mynode() == 0) {
                    csend(3, &word, sizeof word, 1, 0);
                    crecv(9, &word, sizeof word);
                } else if (mynode() == 1)
                    crecv(5, &word, sizeof word);
                else
                    gisum(&word, 1, &work);
                return 0;
            }
            """
        )
        meet = len(os.sched_getaffinity(0)) < 3  # where they have fewer processors, and no message goes
        unmatched = "    unmatched: gisum, 8 bytes, from node 2: this node makes no such call\n"
        unmatched = "" if meet else unmatched
        for design in ("exp6", "exp4", "exp6,synchronization=two-phase"):
            ran = self.nxrun("-n", "3", "-d", design, program)
            self.assertEqual(ran.status, 1)
            self.assertEqual(
                ran.errors,
                "nxrun: The job deadlocked: every rank waits, so none can ever go on.\n"
                "  node 0: crecv(selector 9, from any node) waits for a message\n" + unmatched +
                "  node 1: crecv(selector 5, from any node) waits for a message\n"
                "    unmatched: type 3, 8 bytes, from node 0: another type is asked for\n"
                "  node 2: gisum waits for node 0\n",
            )

    def test_a_handler_cannot_meet_others_while_its_program_does(self):
        if len(os.sched_getaffinity(0)) > 2:
            self.skipTest("three nodes have a processor each here, so they do not meet")
        program = self.compiled(
            WAIT_FOR_SLEEP
            + """
            #include <nx.h>
            #include <unistd.h>
            static void adds(long type, long count, long node, long pid)
            {
                long word = 0, work;
                gisum(&word, 1, &work);
            }
            int main(void)
            {
                long process = getpid();
                if (mynode() == 0) {
                    hrecv(7, 0, 0, adds);
                    csend(1, &process, sizeof process, 1, 0);
                    gsync();
                } else if (mynode() == 1) {
                    crecv(1, &process, sizeof process);
                    wait_for_sleep(process); /* it does so nowhere but in its gsync */
                    csend(7, 0, 0, 0, 0);
                }
                crecv(9, 0, 0);
                return 0;
            }
            """
        )
        for design in ("exp4", "exp6,synchronization=two-phase"):
            with self.subTest(design=design):
                ran = self.nxrun("-n", "3", "-d", design, "--limit", "60", program)
                self.assertEqual(ran.status, 1, ran.text)
                self.assertIn(
                    "parley: node 0, pid 0: gisum(during gsync): a handler cannot make this call while the "
                    "program waits in another one for all nodes: let it set a variable and return\n",
                    ran.errors,
                )

    def test_nodes_that_bring_different_lengths_to_a_call_are_told_so(self):
        program = self.compiled(UNEQUAL)
        few, many = ("brings 24 bytes", "another node brings more"), ("brings 8 bytes", "brings fewer bytes")
        for nodes, other in itertools.product(("2", "4"), (0, 1)):
            ran = self.nxrun("-n", nodes, program, str(other))
            self.assertEqual((ran.status, ran.out), (1, ""), ran.errors)
            self.assertIn(", and all must bring as many\n", ran.errors)
            for line in re.findall(r"gdsum\(.*", ran.errors):
                bytes_here = re.match(r"gdsum\((24|8) bytes\): ", line)[1]
                told = many if bytes_here == "24" else few
                self.assertTrue(any(words in line for words in told), (nodes, other, line))

    def test_nodes_that_name_different_lengths_to_gcolx_are_told_so(self):
        program = self.compiled(
            """
            #include <nx.h>
            #include <stdlib.h>
            int main(int count, char **words)
            {
                static char x[200000], y[400000];
                const long most = atol(words[count - 1]);
                long here[2][2] = {{most, most}, {most + 4, most - 4}};
                gcolx(x, here[mynode()], y);
                return 0;
            }
            """
        )
        for most in ("8", "100000"):
            ran = self.nxrun("-n", "2", program, most)
            self.assertEqual(ran.status, 1, ran.text)
            sentence = f"gcolx({2 * int(most)} bytes in all): the nodes bring other lengths than these\n"
            self.assertIn(sentence, ran.errors)

    def test_delivery_processes_end_with_programs_that_know_no_messages(self):
        source, program = self.path("plain.c"), self.path("plain")
        with open(source, "w", encoding="utf-8") as file:
            file.write('#include <stdio.h>\nint main(void) { return puts("plain") == EOF; }\n')
        subprocess.run(["gcc", "-fpie", "-pie", "-o", program, source], check=True)
        for design in ("exp3", "exp3,context-switch=light"):
            with self.subTest(design=design):
                ran = self.well("-n", "3", "-d", design, "--limit", "60", program)
                self.assertEqual((ran.out, ran.errors), ("plain\n" * 3, ""))

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
        does = r"was (in the Linux call sched_yield|computing in .*)"
        self.assertRegex(ran.errors, rf"\n  node 0: {does}\n  node 1: {does}\n$")

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
        self.refuses(REFUSALS)

    def test_nodes_are_counted_by_the_words_of_mpi(self):
        program = self.compiled("#include <nx.h>\nint main(void) { return numnodes() != 3; }\n")
        for words in (("-np", "3"), ("-n", "3"), ("-n3",), ("--nodes=3",)):
            self.well(*words, program)

    def limited(self, which: int, value: int, *words: str):
        """A run whose nxrun has less than it needs: one sentence, and nothing has begun."""
        ran = self.nxrun(*words, preexec_fn=lambda: resource.setrlimit(which, (value, value)))
        self.assertEqual((ran.status, ran.out), (2, ""), ran.text)
        self.assertEqual(len(ran.errors.splitlines()), 1, ran.errors)
        return ran.errors

    def test_too_little_memory_is_one_sentence(self):
        for which in (resource.RLIMIT_FSIZE, resource.RLIMIT_AS):
            errors = self.limited(which, 64 << 20, "-n", "2", "--budget", str(1 << 30), app("hello_c"))
            self.assertRegex(errors, "^nxrun: Linux gives no [0-9]+ MiB of shared memory for the ")
            self.assertIn("take a smaller --budget or fewer nodes", errors)

    def test_too_few_descriptors_end_the_job_in_one_sentence(self):
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
        ran = self.nxrun("-n", "64", app("hello_c"), preexec_fn=few)
        self.assertEqual(ran.status, 1, ran.text)
        self.assertIn("There are not enough descriptors for so many ranks", ran.errors)
        self.assertEqual(len(ran.errors.splitlines()), 1, ran.errors)

    def test_too_few_processes_end_the_job_in_one_sentence(self):
        nobody = 65534
        if os.geteuid() != 0:
            self.skipTest("the limit of processes is tried as a user without any, which only root becomes")

        def few():
            resource.setrlimit(resource.RLIMIT_NPROC, (3, 3))
            os.setgroups([])
            os.setgid(nobody)
            os.setuid(nobody)

        try:
            ran = self.nxrun("-n", "8", app("hello_c"), preexec_fn=few)
        except PermissionError:
            self.skipTest("the tree cannot be read by a user without rights")
        self.assertEqual(ran.status, 1, ran.text)
        self.assertIn("Linux starts no more processes", ran.errors)
        self.assertEqual(len(ran.errors.splitlines()), 1, ran.errors)

    def test_two_versions_in_one_job_are_one_sentence(self):
        program = self.compiled("#include <nx.h>\nint main(void) { return (int)mynode(); }\n")
        ran = self.nxrun("-n", "1", "/bin/sh", "-c", f'PARLEY_JOB="1:${{PARLEY_JOB#*:}}" exec {program}')
        self.assertEqual(ran.status, 1)
        self.assertEqual(
            ran.errors,
            "parley: this program's libnx and nxrun are of different versions: build both again\n"
            "nxrun: The job failed: node 0 exited with status 1.\n",
        )

    def test_receives_that_nobody_waits_for_are_bounded(self):
        ran = self.nxrun("-n", "1", self.compiled(NEVER_WAITS))
        self.assertEqual(ran.status, 1)
        self.assertRegex(ran.errors, "irecv.*too many messages are under way; wait for some with msgwait")

    def test_a_rank_may_leave_without_its_messages(self):
        for design in ("native", "exp6", "exp4"):
            ran = self.well("-n", "2", "-d", design, self.compiled(LEAVES_EARLY))
            self.assertEqual((ran.out, ran.errors), ("sent\n", ""))

    def test_a_length_beyond_32_bits_is_one_sentence(self):
        program = self.compiled(LENGTHS)
        for length in (-1, 1 << 31, (1 << 32) - 1):
            ran = self.nxrun("-n", "1", program, str(length))
            self.assertEqual(ran.status, 1, length)
            self.assertIn("the length is negative or too large", ran.errors)

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
