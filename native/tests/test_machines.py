# SPDX-License-Identifier: MIT
"""Jobs on several machines, which are several nxruns on this one: each has an arena of its own, and MPI joins
them. The same programs give the same results; a rank, a machine or a request that fails ends all in one
sentence."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from declarations import extra, seldom
from native_case import LONGEST, NATIVE, NXRUN, ROOT, NativeCase, Ran, app, for_each, lives
from test_traces import RING

sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "kernel", "tests")]
import left_unreceived  # noqa: E402
import near_and_far  # noqa: E402
from parley_runner import trace_command  # noqa: E402
from parley_trace import reading  # noqa: E402

MPIS = ("mpich", "openmpi")
TWO, FOUR = "localhost,localhost", ",".join(["localhost"] * 4)

# Every rank says who it and its nxrun are; then rank 3, on the last machine, hears of rank 0 and ends as it
# is told.
ENDS = """
#include <nx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words)
{
    printf("%ld %d %d\\n", mynode(), getpid(), getppid());
    fflush(stdout);
    gsync();
    if (mynode() == 0)
        csend(8, 0, 0, 3, 0);
    if (mynode() == 3)
        crecv(8, 0, 0);
    if (mynode() == 3 && count > 1)
        raise(atoi(words[1]));
    crecv(7, 0, 0);
    return 0;
}
"""
# More than either side's memory for messages goes to a node that receives last what was sent first, and
# another's small message must pass.
FLOOD = """
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { long_bytes = 300000, count = 100 };
int main(void)
{
    char *bytes = malloc(long_bytes);
    gsync();
    if (mynode() == 0)
        for (int i = 0; i < count; i++) {
            memset(bytes, i, long_bytes);
            csend(10 + i, bytes, i % 2 ? long_bytes : i, numnodes() - 1, 0);
        }
    if (mynode() == 1)
        csend(1, bytes, 0, numnodes() - 1, 0);
    if (mynode() == numnodes() - 1) {
        crecv(1, bytes, 0);
        for (int i = 0; i < count; i++) {
            crecv(10 + i, bytes, long_bytes);
            long wanted = i % 2 ? long_bytes : i;
            if (infocount() != wanted || infonode() != 0)
                return printf("message %d has %ld bytes\\n", i, infocount()), 1;
            if (wanted && (bytes[0] != i || bytes[wanted - 1] != i))
                return printf("message %d is wrong\\n", i), 1;
        }
    }
    gsync();
    return 0;
}
"""
STUCK = """
#include <nx.h>
int main(void)
{
    long word = 0;
    if (mynode() == 0)
        csend(3, &word, sizeof word, 3, 0);
    crecv(mynode() == 3 ? 5 : 9, &word, sizeof word);
    return 0;
}
"""
EVENTS = """
#include <nx.h>
int main(void)
{
    for (long i = 0; i < 10000; i++)
        nx_event(1, i);
    return 0;
}
"""
SEMAPHORE = "#include <nx_semaphores.h>\nint main(void) { return nx_semaphore(0, 1) < 0; }\n"
COMPUTES = "int main(void) { for (;;) ; return 0; }\n"
STORM = """
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words)
{
    const long me = mynode(), n = numnodes(), rounds = count > 1 ? atol(words[1]) : 1;
    for (long i = 0; i < rounds; i++) {
        long sum = me + i, least = me + i, work, told = me == i % n ? 77 + i : 0;
        gisum(&sum, 1, &work);
        gilow(&least, 1, &work);
        gsync();
        if (me == i % n)
            csend(5, &told, sizeof told, -1, 0);
        else
            crecv(5, &told, sizeof told);
        if (sum != n * (n - 1) / 2 + n * i || least != i || told != 77 + i) {
            printf("node %ld: sum %ld, least %ld, told %ld in round %ld\\n", me, sum, least, told, i);
            return 1;
        }
    }
    gsync();
    if (me == 0)
        printf("%ld nodes agree\\n", n);
    return 0;
}
"""
# Global operations of few bytes and of many, whose results must be the same everywhere to the last bit.
COMBINES = """
#include <nx.h>
#include <stdio.h>
#include <string.h>
static long join_digits(char *x, char *other)
{
    *(double *)x = *(double *)x * 10 + *(double *)other;
    return 0;
}
int main(void)
{
    double x[200], work[200], sum = 0, digits = mynode() + 1;
    char part[300], whole[3000];
    long come = 0, lengths[64], few[2] = {mynode(), 1}, more[2];
    for (int length = 1; length <= 200; length = length * 3 + 1) {
        for (int i = 0; i < length; i++)
            x[i] = 1.0 / (7 * mynode() + i + 1);
        gdsum(x, length, work);
        for (int i = 0; i < length; i++)
            sum = sum / 3 + x[i];
    }
    gopf((char *)&digits, sizeof digits, (char *)work, join_digits);
    gisum(few, 2, more);
    printf("%a %.0f %ld %ld", sum, digits, few[0], few[1]);
    memset(part, 'a' + (int)mynode(), sizeof part);
    for (int longest = 3; longest <= 300; longest *= 10) {
        for (int node = 0; node < numnodes(); node++)
            lengths[node] = longest / (node + 1);
        gcol(part, lengths[mynode()], whole, sizeof whole, &come);
        printf(" %ld %c%c", come, whole[0], whole[come - 1]);
        gcolx(part, lengths, whole);
        printf(" %c%c", whole[0], whole[come - 1]);
        gsync();
    }
    printf("\\n");
    return 0;
}
"""
# Node 3, on the last machine, does not come where all others wait for it.
LACKS_ONE = """
#include <nx.h>
#include <signal.h>
#include <string.h>
int main(int count, char **words)
{
    long word = 1, work;
    gsync();
    if (mynode() != 3) {
        if (mynode() == 0 && strcmp(words[1], "is killed") == 0)
            killproc(3, 0);
        gsync();
        return 0;
    }
    if (strcmp(words[1], "dies") == 0)
        raise(SIGKILL);
    if (strcmp(words[1], "fails") == 0)
        return 5;
    if (strcmp(words[1], "differs") == 0)
        gisum(&word, 1, &work);
    crecv(7, 0, 0);
    return 0;
}
"""
# Two machines send more to the third than its budget has room for, and nobody receives before all have met.
TOO_MUCH = """
#include <nx.h>
int main(void)
{
    static char bytes[4000];
    for (int i = 0; mynode() != 2 && i < 200; i++)
        csend(5, bytes, sizeof bytes, 2, 0);
    gsync();
    for (int i = 0; mynode() == 2 && i < 400; i++)
        crecv(5, bytes, sizeof bytes);
    return 0;
}
"""
# What a wait for Active Messages has found is there for the next poll; what a wait never finds ends the job.
AM_WAITS = """
#include "apps/support/am_job.h"
enum { rounds = 30, ask = 1, answer = 2 };
static int asked, answered, early;
static void take_question(void *token, int word)
{
    asked++;
    am_must(AM_Reply1(token, answer, word + 1));
}
static void take_answer(void *token, int word)
{
    (void)token;
    answered += word;
}
static void until(int *count, int wanted)
{
    while (*count < wanted) {
        const int before = *count;
        am_must(AM_WaitSema(am_job.bundle));
        am_must(AM_Poll(am_job.bundle));
        early += *count == before;
    }
}
int main(int count, char **words)
{
    (void)words;
    am_job_begin();
    AM_SetHandler(am_job.endpoint, ask, take_question);
    AM_SetHandler(am_job.endpoint, answer, take_answer);
    gsync();
    for (int i = 0; i < rounds; i++) {
        if (mynode() == 0)
            am_must(AM_Request1(am_job.endpoint, 1, ask, 0));
        mynode() == 0 ? until(&answered, i + 1) : until(&asked, i + 1);
    }
    printf("node %ld: %d waits ended early\\n", mynode(), early);
    fflush(stdout);
    if (count > 1)
        am_must(AM_WaitSema(am_job.bundle));
    return 0;
}
"""
# Node 0 waits for the end of each of the others, wherever they run.
WAITS_FOR_ENDS = """
#include <nx.h>
#include <stdio.h>
int main(void)
{
    if (mynode() != 0)
        return 40 + (int)mynode();
    for (long left = numnodes() - 1; left > 0; left--) {
        long node, pid, status;
        if (_waitone(-1, -1, &node, &pid, &status) < 0)
            return 1;
        printf("node %ld, pid %ld, status %ld\\n", node, pid, status);
    }
    return 0;
}
"""
REFUSALS = (
    (("--hosts", "localhost", "true"), "--hosts takes two machines or more"),
    (("--hosts", "localhost,,x", "true"), "--hosts takes names of machines with commas between"),
    (("--hosts", "localhost,-oX=y", "true"), "--hosts takes names of machines with commas between"),
    (("--hosts", TWO, "--gang", "true"), "--gang takes turns on one machine's processors"),
    (("--hosts", TWO, "--trace", "a.txt", "true"), "--trace a.txt must end in one of .json, .svg, .trace."),
    (("--hosts", TWO, "--trace", "/not/there/a.svg", "true"), "The trace cannot be written to /not/there"),
    (("--mpi", "another", "true"), "--mpi takes mpich or openmpi, not 'another'"),
    (("-d", "exp6,transport=network", "/bin/true"), "joins several machines"),
    (("-d", "exp6,polling=adaptive", "/bin/true"), "this transport has no network: leave the word out"),
    (("--hosts", TWO, "-d", "exp6,polling=adaptive:0", "/bin/true"), "polling=adaptive is 1 to 4096"),
    (("--hosts", TWO, "-d", "exp6,polling=often", "/bin/true"), "there is no polling 'often'"),
)


def mpirun(mpi: str, *words: str) -> list[str]:
    as_root = ["--allow-run-as-root"] if mpi == "openmpi" and os.geteuid() == 0 else []
    many = ["--oversubscribe", "--bind-to", "none", "--quiet"] if mpi == "openmpi" else []
    return [f"mpirun.{mpi}", *as_root, *many, *words]


class MachinesCase(NativeCase):
    def need(self, mpi: str) -> None:
        adapter = os.path.join(NATIVE, "lib", "parley", f"network-{mpi}.so")
        if not os.path.exists(adapter) or not shutil.which(f"mpirun.{mpi}"):
            self.skipTest(f"{mpi} is not installed, or was not when nxrun was built")

    def run_words(self, words: list[str], **more) -> Ran:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=2 * LONGEST, check=False, **more
        )
        return Ran(done)

    def on(self, mpi: str, hosts: str, *words: str) -> Ran:
        self.need(mpi)
        return self.run_words([NXRUN, "--mpi", mpi, "--hosts", hosts, *words])

    def well_on(self, mpi: str, hosts: str, *words: str) -> Ran:
        ran = self.on(mpi, hosts, *words)
        self.assertEqual(ran.status, 0, f"{mpi} {hosts} {' '.join(words)}\n{ran.text[-4000:]}")
        return ran

    def ours(self, ran: Ran) -> list[str]:
        """What nxrun has said: mpirun may have words of its own."""
        return [line for line in ran.errors.splitlines() if line.startswith("nxrun: ")]

    def begun(self, mpi: str, *words: str) -> tuple[subprocess.Popen, dict[int, tuple[int, int]]]:
        """ENDS on two machines, when all four ranks have said who they and their nxruns are."""
        self.need(mpi)
        process = subprocess.Popen(
            [NXRUN, "--mpi", mpi, "--hosts", TWO, "-n", "4", self.compiled(ENDS), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        lines = [process.stdout.readline().split() for _ in range(4)]
        return process, {int(node): (int(rank), int(nxrun)) for node, rank, nxrun in lines}

    def gone(self, who: dict[int, tuple[int, int]]) -> None:
        processes, end = {one for pair in who.values() for one in pair}, time.monotonic() + 20
        while any(map(lives, processes)) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual([one for one in processes if lives(one)], [])


@for_each(("adaptive", "fractional:64"), "active_messages_pass_under_polling")
@for_each(MPIS, "the_selftest_passes_by")
@for_each(MPIS, "what_ranks_have_left_is_told_by")
@for_each(MPIS, "global_operations_have_the_results_of_one_machine_by")
@for_each(MPIS, "who_waits_for_all_ends_where_one_cannot_come_by")
@for_each(MPIS, "a_rank_that_dies_ends_all_by")
@for_each(MPIS, "a_machine_that_dies_ends_the_others_by")
@for_each(MPIS, "a_machine_that_is_not_there_is_one_sentence_by")
class Machines(MachinesCase):
    def the_selftest_passes_by(self, mpi):
        ran = self.well_on(mpi, TWO, "-n", "4", app("selftest"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def active_messages_pass_under_polling(self, polling):
        words = ("-n", "4", "-d", f"native,polling={polling}", app("am_selftest"))
        ran = self.well_on(MPIS[0] if shutil.which("mpirun.mpich") else MPIS[1], TWO, *words)
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def test_active_messages_of_the_own_machine_hold_up_none_from_another(self):
        mpi = MPIS[0] if shutil.which("mpirun.mpich") else MPIS[1]
        program = self.compiled(near_and_far.PROGRAM)
        for design in ("native", "exp6"):
            ran = self.well_on(mpi, TWO, "-n", "4", "-d", design, program)
            self.assertLessEqual(near_and_far.near_ones_before_the_far_one(ran.out), 4, design)

    def test_a_wait_for_active_messages_ends_with_one_from_another_machine(self):
        mpi, program = MPIS[0] if shutil.which("mpirun.mpich") else MPIS[1], self.compiled(AM_WAITS)
        for design in ("native", "exp6,synchronization=semaphore"):
            ran = self.well_on(mpi, TWO, "-n", "2", "-d", design, program)
            lines = [f"node {node}: 0 waits ended early" for node in (0, 1)]
            self.assertEqual(sorted(ran.out.splitlines()), lines, design)
        ran = self.on(mpi, TWO, "-n", "2", program, "for ever")
        self.assertEqual(ran.status, 1, ran.text)
        for node in (0, 1):
            self.assertIn(f"node {node}: AM_WaitSema, or a request that may not go", ran.errors)

    def test_each_end_on_another_machine_is_answered_to_one_waitone(self):
        mpi = MPIS[0] if shutil.which("mpirun.mpich") else MPIS[1]
        ran = self.on(mpi, TWO, "-n", "4", self.compiled(WAITS_FOR_ENDS))
        ends = [f"node {node}, pid 0, status {40 + node}" for node in (1, 2, 3)]
        self.assertEqual(sorted(ran.out.splitlines()), ends, ran.text)

    def global_operations_have_the_results_of_one_machine_by(self, mpi):
        program = self.compiled(COMBINES)
        alone = self.well("-n", "6", program).out.splitlines()
        self.assertEqual(len(alone), 6)
        self.assertEqual(len(set(alone)), 1)
        for hosts in (TWO, FOUR):
            self.assertEqual(self.well_on(mpi, hosts, "-n", "6", program).out.splitlines(), alone, hosts)

    def who_waits_for_all_ends_where_one_cannot_come_by(self, mpi):
        program, stuck = self.compiled(LACKS_ONE), "nxrun: The job deadlocked: every rank waits"
        for how, said in (
            ("receives", stuck),
            ("differs", stuck),
            ("is killed", stuck),
            ("dies", "nxrun: The job failed: node 3 was ended by signal 9 (Killed)."),
            ("fails", "nxrun: The job failed: node 3 "),
        ):
            ran = self.on(mpi, TWO, "-n", "4", program, how)
            self.assertEqual(ran.status, 1, ran.text)
            self.assertTrue(self.ours(ran)[0].startswith(said), f"{how}: {ran.text}")

    def what_ranks_have_left_is_told_by(self, mpi):
        ran = self.well_on(mpi, TWO, "-n", "2", "--unreceived", self.program("unreceived"))
        self.assertEqual(left_unreceived.said(ran.errors), left_unreceived.LINES, ran.text)

    def a_rank_that_dies_ends_all_by(self, mpi):
        process, who = self.begun(mpi, str(int(signal.SIGSEGV)))
        _, errors = process.communicate(timeout=LONGEST)
        self.assertEqual(process.returncode, 1, errors)
        ours = [line for line in errors.splitlines() if line.startswith("nxrun: ")]
        self.assertEqual(
            ours, ["nxrun: The job failed: node 3 was ended by signal 11 (Segmentation fault)."], errors
        )
        self.gone(who)

    def a_machine_that_dies_ends_the_others_by(self, mpi):
        process, who = self.begun(mpi)
        self.assertNotEqual(who[0][1], who[3][1])
        os.kill(who[3][1], signal.SIGKILL)
        _, errors = process.communicate(timeout=LONGEST)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("nxrun: The job failed: one of its machines was lost (mpirun.", errors)
        self.gone(who)

    def a_machine_that_is_not_there_is_one_sentence_by(self, mpi):
        self.need(mpi)
        words = ("--mpi", mpi, "--hosts", "localhost,not-there.invalid", "true")
        self.refuses([(words, "The machine not-there.invalid cannot be reached")])

    def test_requests_that_make_no_sense_are_one_sentence(self):
        self.refuses(REFUSALS)


class MpirunsAnswers(MachinesCase):
    """How nxrun ends by what an mpirun does, which is a script here."""

    LOST = "nxrun: The job failed: one of its machines was lost (mpirun.mpich ended with status %d).\n"

    def under(self, script: str, interpreter: str = "/bin/sh", **more) -> Ran:
        self.need("mpich")
        path = self.path("fake/mpirun.mpich")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(f"#!{interpreter}\n{script}\n")
        os.chmod(path, 0o755)
        found = {**os.environ, "PATH": os.path.dirname(path)}
        return self.run_words([NXRUN, "--mpi", "mpich", "--hosts", TWO, "true"], env=found, **more)

    def test_a_machine_was_lost_where_an_nxrun_was_killed_and_no_other_status_says_so(self):
        for status in (9, 11, 15, 137):
            ran = self.under(f"exit {status}")
            self.assertEqual((ran.status, ran.errors), (1, self.LOST % status))
        for status in (0, 1, 2, 6, 126, 127, 130, 139, 143, 255):
            ran = self.under(f"exit {status}")
            self.assertEqual((ran.status, ran.errors), (status, ""))

    def test_what_nxrun_ignores_it_goes_on_ignoring_and_still_learns_how_mpirun_ended(self):
        def ignore(number: int):
            return lambda: signal.signal(number, signal.SIG_IGN)

        ran = self.under("exit 2", preexec_fn=ignore(signal.SIGCHLD))
        self.assertEqual(ran.status, 2, ran.errors)
        hang_up = "trap '' HUP; kill -HUP $PPID; exit 9"
        ran = self.under(hang_up, preexec_fn=ignore(signal.SIGHUP))
        self.assertEqual((ran.status, ran.errors), (1, self.LOST % 9))
        ran = self.under(hang_up)  # nxrun was told to end, so that is no machine lost
        self.assertEqual((ran.status, ran.errors), (9, ""))

    def test_an_mpirun_that_cannot_be_started_is_one_sentence(self):
        ran = self.under("", "/not/there")
        said = "nxrun: mpirun.mpich cannot be started: No such file or directory.\n"
        self.assertEqual((ran.status, ran.errors), (2, said))


@for_each(MPIS, "one_trace_and_one_profile_of_all_machines_by")
class MachineTraces(MachinesCase):
    def traced(self, mpi: str, *words: str, status: int = 0) -> tuple[Ran, trace_command.Kept]:
        path = self.path("run.trace")
        ran = self.on(mpi, TWO, "-n", "4", "--trace", path, *words)
        self.assertEqual(ran.status, status, ran.text)
        said = r"nxrun: the trace is in .*\. The clocks of its machines are known to [0-9.]+ us\.\n"
        self.assertRegex(ran.errors, said)
        return ran, trace_command.load(path)

    def one_trace_and_one_profile_of_all_machines_by(self, mpi):
        record = self.path("record.json")
        ran, kept = self.traced(mpi, "--profile", "--record", record, self.compiled(RING))
        whole = set()
        for message in kept.trace.messages().values():
            self.assertTrue(message.send and message.match and message.receive, message)
            send, receive = message.send, message.receive
            self.assertEqual((send.process, send.peer), (receive.peer, receive.process))
            self.assertEqual(send.length, receive.length)
            self.assertLessEqual(message.send.ns, message.receive.ns + kept.trace.doubt_ns)
            whole.add((message.send.process, message.send.length))
        self.assertEqual(whole, {(node, 100 * i) for node in range(4) for i in range(20)})
        self.assertEqual(len(kept.trace.messages()), 80)
        self.assertEqual(reading.longest_chain(list(kept.trace.messages().values())), 80)
        self.assertEqual((kept.trace.machines, kept.trace.early(), kept.trace.missing), (2, 0, ""))
        # Half a second would be no clock at all: what a program does here lasts some milliseconds.
        self.assertTrue(0 < kept.trace.doubt_ns < 500_000_000, kept.trace.doubt_ns)
        processors = [{r.processor for r in kept.trace.records if r.process in half} - {None}
                      for half in ((0, 1), (2, 3))]  # fmt: skip
        self.assertTrue(processors[0].isdisjoint(processors[1]), processors)
        with open(record, encoding="utf-8") as file:
            times = json.load(file)["times"]
        self.assertEqual([(entry["endpoint"], entry["calls"]) for entry in times],
                         [(node, 40) for node in range(4)])  # fmt: skip
        self.assertEqual(re.findall(r"^node (\d)  .* 40$", ran.out, re.MULTILINE), list("0123"))
        drawn = [os.path.join(NATIVE, "bin", "nxtrace"), "-o", self.path("run.svg"), self.path("run.trace")]
        said = self.run_words(drawn)
        self.assertIn("80 messages from send to receive, longest chain 80; the clocks of its 2 machines are "
                      "known to", said.errors)  # fmt: skip
        with open(self.path("run.svg"), encoding="utf-8") as file:
            self.assertIn("; the clocks of its 2 machines are known to", file.read())

    def test_the_trace_of_a_rank_that_dies_is_whole_on_all_machines(self):
        _, kept = self.traced("mpich", self.compiled(ENDS), str(int(signal.SIGSEGV)), status=1)
        ended = sorted(record.process for record in kept.trace.records if record.event == "ended")
        self.assertEqual(ended, [0, 1, 2, 3])
        pairs = {(m.send.process, m.receive.process) for m in kept.trace.messages().values()
                 if m.send and m.receive}  # fmt: skip
        self.assertTrue(any((one < 2) != (other < 2) for one, other in pairs), pairs)

    def test_a_long_trace_crosses_in_pieces(self):
        # Some 20,000 records of 32 bytes from the second machine, ten packets.
        _, kept = self.traced("mpich", self.compiled(EVENTS))
        for node in range(4):
            found = [r.length for r in kept.trace.records if r.process == node and r.event == "event"]
            self.assertEqual(found, list(range(10000)), node)


PRESETS = ("exp1", "exp2", "exp3", "exp4", "exp6", "exp2-user")
LEAVES = (
    *("exp6,transfer=adaptive", "exp6,port=carrying", "exp4,broadcast-copy"),
    *("exp6,interaction=synchronous", "exp4,interaction=synchronous", "exp6,synchronization=two-phase"),
    "native,polling=fractional:64",
)


class UnderDesigns(MachinesCase):
    def selftest_under(self, design):
        mpi = MPIS[0] if shutil.which("mpirun.mpich") else MPIS[1]
        ran = self.well_on(mpi, TWO, "-n", "4", "-d", design, app("selftest"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def behaviours_under(self, design):
        mpi = MPIS[1] if shutil.which("mpirun.openmpi") else MPIS[0]
        ran = self.well_on(mpi, TWO, "-n", "4", "-d", design, app("behaviours"))
        self.assertRegex(ran.out, r"[1-9]\d* passed, 0 failed")


@seldom
@for_each(LEAVES, "selftest_under")
@for_each(PRESETS, "behaviours_under")
class EveryProgramOnMachines(UnderDesigns):
    """Each design runs one of the two programs in MoreMachines."""


@seldom
class ManyRanks(MachinesCase):
    """More ranks than anybody looks at one by one: 64 on each of 16 machines, which share one host."""

    def on_sixteen(self, *words: str) -> Ran:
        return self.well_on("mpich", ",".join(["localhost"] * 16), "-n", "1024", *words)

    def test_a_ring_of_1024_nodes_turns(self):
        ran = self.on_sixteen(app("ring"), "--sizes", "0,4096", "--samples", "3")
        self.assertRegex(ran.out, r"\nround trip +4096 +none ")

    def test_the_fft_of_1024_nodes_has_its_spectrum(self):
        ran = self.on_sixteen(app("fft"), "--points", "4096", "--samples", "3")
        self.assertRegex(ran.out, r"\nspectrum ")

    def test_a_storm_of_global_operations_passes(self):
        self.assertEqual(self.on_sixteen(self.compiled(STORM), "5").out, "1024 nodes agree\n")


@extra
@for_each(MPIS, "four_machines_of_two_by")
@for_each(MPIS, "what_floods_waits_and_passes_by")
@for_each(MPIS, "a_deadlock_is_found_by")
@for_each(MPIS, "different_requests_are_refused_by")
@for_each(PRESETS, "selftest_under")
@for_each(LEAVES, "behaviours_under")
@for_each(("exp4", "exp6"), "places_are_used_again_under")
class MoreMachines(UnderDesigns):
    def four_machines_of_two_by(self, mpi):
        ran = self.well_on(mpi, FOUR, "-n", "8", app("selftest"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def what_floods_waits_and_passes_by(self, mpi):
        flood = self.compiled(FLOOD)
        for design in ("exp6", "exp6,transfer=adaptive"):
            self.well_on(mpi, TWO, "-n", "4", "--budget", "4194304", "-d", design, flood)

    def test_a_ring_has_one_node_a_machine(self):
        ran = self.well_on("mpich", TWO, "-n", "2", app("ring"), "--sizes", "0", "--samples", "3")
        self.assertRegex(ran.out, r"\nround trip +0 +none ")

    def a_deadlock_is_found_by(self, mpi):
        ran = self.on(mpi, TWO, "-n", "4", self.compiled(STUCK))
        self.assertEqual(ran.status, 1, ran.errors)
        for line in (
            "nxrun: The job deadlocked: every rank waits, so none can ever go on.\n",
            "  node 0: crecv(selector 9, from any node) waits for a message\n",
            "  node 3: crecv(selector 5, from any node) waits for a message\n",
            "    unmatched: type 3, 8 bytes, from node 0: another type is asked for\n",
        ):
            self.assertIn(line, ran.errors)

    def test_messages_that_find_no_memory_before_a_meeting_are_named(self):
        too_much = self.compiled(TOO_MUCH)
        self.well_on("mpich", f"{TWO},localhost", "-n", "3", too_much)
        ran = self.on("mpich", f"{TWO},localhost", "-n", "3", "--budget", "1048576", too_much)
        self.assertEqual(ran.status, 1, ran.errors)
        for line in (
            "  node 0: gsync waits for other nodes\n",
            "  the delivery process: waits for room in the job's message budget, for what has come\n",
            "  the message budget is used up: give the job more (--budget), or receive in another order\n",
        ):
            self.assertIn(line, ran.errors)

    def test_an_interrupt_ends_all_by_openmpi(self):
        self.an_interrupt_ends_all_by("openmpi")

    def test_an_interrupt_ends_all_by_mpich(self):
        self.an_interrupt_ends_all_by("mpich")

    def an_interrupt_ends_all_by(self, mpi):
        process, who = self.begun(mpi)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=LONGEST)[1]
        # An mpirun that is interrupted passes on: MPICH's what was said, not always the status; Open MPI's
        # the status alone.
        if mpi == "mpich":
            self.assertIn("nxrun: Interrupted; all ranks have been ended.\n", errors)
        else:
            self.assertNotEqual(process.returncode, 0)
        self.gone(who)

    def different_requests_are_refused_by(self, mpi):
        self.need(mpi)
        both = mpirun(mpi, "-n", "1", NXRUN, "-n", "4", "true", ":", "-n", "1", NXRUN)
        for more, sentence in (
            (("-n", "6", "true"), "different numbers of nodes"),
            (("-n", "4", "-d", "exp4", "true"), "different jobs"),
        ):
            ran = self.run_words([*both, *more])
            self.assertEqual(len(self.ours(ran)), 1, ran.errors)
            self.assertIn(sentence, self.ours(ran)[0])
            self.assertNotEqual(ran.status, 0)

    def places_are_used_again_under(self, design):
        self.program("pids_node")
        ran = self.well_on("mpich", TWO, "-n", "2", "--pids", "2", "-d", design, self.program("pids_host"))
        self.assertIn("host: all is well", ran.out)

    def test_fortran_keeps_its_promises(self):
        ran = self.well_on("mpich", TWO, "-n", "3", self.program("promises"))
        self.assertRegex(ran.out, r"PROMISES:\s+0 BROKEN")

    def test_handlers_keep_their_promises_between_machines(self):
        ran = self.well_on("mpich", ",".join(["localhost"] * 3), "-n", "3", self.program("handlers"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def test_semaphores_stay_within_a_machine(self):
        ran = self.on("mpich", TWO, "-n", "2", self.compiled(SEMAPHORE))
        self.assertEqual(ran.status, 1)
        self.assertIn("semaphores are of one machine, and this job's nodes are on several", ran.errors)

    def test_the_fft_and_simplex_check_their_results(self):
        self.well_on("mpich", TWO, "-n", "4", app("fft"), "--points", "128,1024", "--samples", "2")
        self.well_on("mpich", TWO, "-n", "4", app("simplex"))

    def test_a_limit_ends_all_and_tells_of_every_machine(self):
        ran = self.on("mpich", TWO, "-n", "4", "--limit", "2", self.compiled(COMPUTES))
        self.assertEqual(ran.status, 6, ran.errors)
        self.assertIn("The job has reached its limit of 2 s.", ran.errors)
        for node in range(4):
            self.assertRegex(ran.errors, rf"\n  node {node}: was (computing in main|in the Linux call) ")

    def test_nxrun_under_mpirun_is_one_machine_each(self):
        self.need("mpich")
        record = self.path("record.json")
        ran = self.run_words(
            mpirun("mpich", "-n", "2", NXRUN, "-n", "4", "--record", record, app("ring"), "--sizes", "0,100")
        )
        self.assertEqual(ran.status, 0, ran.text)
        with open(record, encoding="utf-8") as file:
            self.assertIn(",network,", file.read())


if __name__ == "__main__":
    unittest.main()
