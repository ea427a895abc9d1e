# SPDX-License-Identifier: MIT
"""Programs are ended by their own job in the middle of their messages, again and again: whoever lives goes
on, whatever the dead were about to do, and nothing is used up. As boots/test_kills.py for the kernel."""

import os
import signal
import unittest

from declarations import seldom
from native_case import ROOT, WAIT_FOR_SLEEP, NativeCase, for_each

SAMPLE = ("exp6",)
# What differs in how a place is left.
OTHERS = ("exp5", "exp6,synchronization=mcs", "exp6,transfer=adaptive")
SEED, ROUNDS = 11, 120
# Node 0 answers what the others send, so each of them takes and leaves the same locks all the time.
ANVIL = """
#include <nx.h>
#include <stdlib.h>
enum { begun = 1, ping = 3, pong = 4, blow = 10, answer = 11 };
static void strike(void)
{
    static const long sizes[] = {0, 100, 3000, 1000};
    static char bytes[3000];
    void *nothing = 0;
    for (long i = 0;; i++) {
        if (i > 2)
            crecvp(answer, &nothing, 0);
        csend(blow, bytes, sizes[i % 4], 0, 0);
    }
}
int main(void)
{
    static char bytes[3000];
    void *nothing = 0;
    csend(begun, 0, 0, myhost(), 0);
    if (mynode() != 0)
        strike();
    for (;;) {
        if (_crecv(blow, bytes, sizeof bytes) != -1)
            _csend(answer, 0, 0, infonode(), 0);
        else if (errno != EQNOPROC) /* half sent by one that has been ended */
            exit(3);
        if (iprobe(ping)) {
            crecvp(ping, &nothing, 0);
            csend(pong, 0, 0, myhost(), 0);
        }
    }
}
"""
HAMMER = """
#include <nx.h>
enum { begun = 1, ping = 3, pong = 4, rounds = 300 };
static void node_0_goes_on(void)
{
    csend(ping, 0, 0, 0, 0);
    crecv(pong, 0, 0);
}
int main(void)
{
    load("anvil", -1, 0);
    for (long i = 0; i < numnodes(); i++)
        crecv(begun, 0, 0);
    for (long round = 0; round < rounds; round++) {
        const long node = 1 + round % (numnodes() - 1);
        for (long i = round * 7 % 13; i >= 0; i--)
            node_0_goes_on();
        (round % 2 ? killcube : killproc)(node, 0);
        node_0_goes_on();
        load("anvil", node, 0);
        crecv(begun, 0, 0);
    }
    killcube(-1, -1);
    return 0;
}
"""
# A program that is ended in one of these ways; node 1 begins, and sees to it that the host knows.
VICTIM = """
#include <nx.h>
#include <signal.h>
#include <unistd.h>
int main(void)
{
    long process = getpid();
    sigset_t all;
    sigfillset(&all);
    if (%(holds_back)d)
        sigprocmask(SIG_BLOCK, &all, 0);
    csend(1, &process, sizeof process, myhost(), 0);
    %(waits)s
}
"""
HOST = """
#include <nx.h>
#include <stdio.h>
int main(void)
{
    long process;
    load("victim", -1, 0);
    for (long i = 0; i < numnodes(); i++)
        crecv(1, &process, sizeof process);
    killcube(-1, 0);
    printf("all is well\\n");
    return 0;
}
"""
WAYS = {
    "computes": "for (;;);",
    "waits_for_a_message": "crecv(2, 0, 0);",
    "waits_for_others": "waitall(-1, -1);",
    "calls_linux": "for (;;) { FILE *file = fopen(\"/dev/null\", \"w\"); fputs(\"x\", file); fclose(file); }",
}


def storm(case: NativeCase, design: str) -> None:
    folder = os.path.join(ROOT, "tools", "soak")
    for name in ("storm_host", "storm_node"):
        case.built(os.path.join(folder, f"{name}.c"), name, f"-I{folder}")
    words = ("--budget", str(16 << 20), "-n", "3", "-d", design, case.path("storm_host"))
    ran, record = case.record(*words, str(SEED), str(ROUNDS))
    case.assertEqual(ran.status, 0, ran.text)
    told = {row["name"]: row["median"] for row in record["rows"]}
    case.assertGreaterEqual(told["kills"], ROUNDS)
    case.assertGreater(told["messages"], 2000)


@for_each(SAMPLE, "a_storm_of_kills_under")
@for_each(("exp6,port=locked", "exp4,port=locked"), "no_lock_is_left_behind_under")
class Storms(NativeCase):
    def no_lock_is_left_behind_under(self, design):
        self.compiled(ANVIL, "anvil")
        ran = self.well("-n", "3", "--limit", "50", "-d", design, self.compiled(HAMMER, "hammer"))
        self.assertEqual(ran.text, "")

    def a_storm_of_kills_under(self, design):
        storm(self, design)


@seldom
@for_each(OTHERS, "a_storm_of_kills_under")
class OtherStorms(NativeCase):
    def a_storm_of_kills_under(self, design):
        storm(self, design)


@for_each(WAYS, "a_rank_is_ended_that")
class Kills(NativeCase):
    def victims(self, waits: str, holds_back: bool) -> None:
        self.compiled("#include <stdio.h>\n" + VICTIM % {"waits": waits, "holds_back": holds_back}, "victim")

    def a_rank_is_ended_that(self, how):
        self.victims(WAYS[how], False)
        for design in ("exp6", "exp4"):
            ran = self.well("-n", "2", "-d", design, self.compiled(HOST, "host"))
            self.assertEqual((ran.out, ran.errors), ("all is well\n", ""))

    def test_one_that_computes_and_holds_signals_back_is_ended_where_it_is(self):
        self.victims("for (;;);", True)
        ran = self.well("-n", "1", self.compiled(HOST, "host"))
        self.assertEqual((ran.out, ran.errors), ("all is well\n", ""))

    def test_one_that_sleeps_in_the_library_and_holds_signals_back_ends_its_job(self):
        self.victims("crecv(2, 0, 0);", True)
        host = WAIT_FOR_SLEEP + HOST.replace("    killcube", "    wait_for_sleep(process);\n    killcube")
        ran = self.nxrun("-n", "1", "-d", "exp4", self.compiled(host, "host"))
        self.assertEqual((ran.status, ran.out), (1, ""))
        self.assertEqual(
            ran.errors,
            "nxrun: The job failed: node 0 was to end and cannot be told so in the message library, for its "
            "program holds signal 63 back, so that others may wait for it for ever.\n",
        )

    def test_one_that_a_signal_ends_on_its_way_out_ends_its_job(self):
        """The program's own fault in the library: the address is none."""
        self.compiled(
            """
            #include <nx.h>
            int main(void)
            {
                csend(1, 0, 0, myhost(), 0);
                for (;;)
                    csend(3, (char *)16, 100000, mynode(), 0);
            }
            """,
            "victim",
        )
        ran = self.nxrun("-n", "1", self.compiled(HOST, "host"))
        self.assertEqual(ran.status, 1)
        # It may find its bad buffer before it hears that it is to end, or afterwards; and what a copy touches
        # first is one of its ends.
        faults = "gave the message system a buffer at 0x(10|186a0): the buffer is not"
        dies = rf"was to end and was ended by signal {int(signal.SIGSEGV)} \("
        self.assertRegex(ran.errors, f"node 0 ({faults}|{dies})")

    def test_a_program_ends_itself_and_is_loaded_anew(self):
        self.compiled(
            """
            #include <nx.h>
            int main(void)
            {
                csend(1, 0, 0, myhost(), 0);
                crecv(4, 0, 0); /* the others of its kind have begun */
                killproc(mynode(), 0);
                csend(2, 0, 0, myhost(), 0); /* never */
                return 0;
            }
            """,
            "victim",
        )
        host = self.compiled(
            """
            #include <nx.h>
            int main(void)
            {
                for (int i = 0; i < 300; i++) {
                    load("victim", -1, 0);
                    for (long node = 0; node < numnodes(); node++)
                        crecv(1, 0, 0);
                    csend(4, 0, 0, -1, 0);
                    waitall(-1, 0);
                    if (iprobe(2))
                        return 3;
                }
                return 0;
            }
            """,
            "host",
        )
        self.assertEqual(self.well("-n", "2", host).text, "")


if __name__ == "__main__":
    unittest.main()
