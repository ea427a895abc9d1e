# SPDX-License-Identifier: MIT
"""Active Messages beside NX/2 on Linux: the list of tests that the booted kernel runs, too, and the ring."""

import os
import subprocess
import unittest

from native_case import NATIVE, PROGRAMS, DesignCase, app, for_each
from suites import active_mistakes

# Each way in which packets are carried: copies, loans, blocks, by another process, and awaited.
DESIGNS = ("exp1", "exp2", "exp3", "exp5", "exp6", "native", "exp2,synchronous", "exp6,synchronous")
UNORDERED = ("native,port=lock-free", "exp6,port=lock-free:16:2:0", "exp2,port=lock-free")
NOT_IN_ORDER = "this port may let a sender's message overtake the one before it, and NX/2 promises"
WAITS = """
#include "apps/support/am_job.h"
int main(void)
{
    am_job_begin();
    if (mynode() == 0) {
        am_must(AM_Request1(am_job.endpoint, 1, 9, 5));
        am_must(AM_WaitSema(am_job.bundle));
    } else {
        crecv(3, 0, 0);
    }
    return 0;
}
"""
# The packet says that it has bulk, which comes when a poll has found none.
LATE_BULK = """
#include "apps/support/am_job.h"
#include "userlib/am/packet.h"
#include "userlib/nx/operations.h"
#include <nx.h>
#include <stdio.h>
static int came;
static void take(void *token, void *bytes, size_t count, int word)
{
    (void)token;
    printf("%zu bytes, %s, %d\\n", count, (char *)bytes, word);
    came = 1;
}
int main(void)
{
    const long here = nx_address(0, nx_active);
    am_job_begin();
    AM_SetTag(am_job.endpoint, AM_ALL);
    AM_SetHandler(am_job.endpoint, 9, (am_function)take);
    struct nx_am_packet packet = {.handler = 9, .words = 1, .shape = nx_am_medium, .bytes = 5, .serial = 1};
    packet.word[0] = 42;
    NX_CALL(send_active, NX_CALL(find_active, nx_am_type(0, 0), 0, here),
            nx_am_type(0, 0) | (long)PARLEY_ACTIVE_BYTES << 32, (unsigned long)&packet);
    AM_Poll(am_job.bundle);
    printf("before: %d\\n", came);
    nx_send(1001, "late", 5, 0, here);
    for (int i = 0; i < 20; i++)
        AM_Poll(am_job.bundle);
    return 0;
}
"""

# What comes is put there as a sender would, with no poll of this process between.
OWN_POLLS = """
#include "apps/support/am_job.h"
#include "userlib/am/packet.h"
#include "userlib/nx/operations.h"
#include <nx.h>
#include <stdio.h>
static int first, second;
static void of_first(void *token) { (void)token, first++; }
static void of_second(void *token) { (void)token, second++; }
static void put(int endpoint)
{
    struct nx_am_packet packet = {.handler = 9};
    const long way = NX_CALL(find_active, nx_am_type(endpoint, 0), 0, nx_address(0, nx_active));
    NX_CALL(send_active, way, nx_am_type(endpoint, 0) | nx_am_length(&packet) << 32, (unsigned long)&packet);
}
int main(void)
{
    eb_t bundle;
    ep_t endpoint;
    en_t name;
    am_job_begin();
    am_must(AM_AllocateBundle(AM_SEQ, &bundle));
    am_must(AM_AllocateEndpoint(bundle, &endpoint, &name));
    am_must(AM_SetTag(am_job.endpoint, AM_ALL));
    am_must(AM_SetTag(endpoint, AM_ALL));
    am_must(AM_SetHandler(am_job.endpoint, 9, of_first));
    am_must(AM_SetHandler(endpoint, 9, of_second));
    am_must(AM_Map(endpoint, 0, am_job.name, am_job_tag));
    put(am_job.name.endpoint);
    am_must(AM_Request0(am_job.endpoint, 0, 9));
    printf("%d\\n", first);
    put(am_job.name.endpoint);
    am_must(AM_Request0(am_job.endpoint, 0, 9));
    printf("%d\\n", first);
    while (first < 4)
        am_must(AM_Poll(am_job.bundle));
    put(am_job.name.endpoint);
    put(name.endpoint);
    am_must(AM_Poll(am_job.bundle));
    printf("%d %d\\n", first, second);
    am_must(AM_Request0(endpoint, 0, 9));
    printf("%d %d\\n", first, second);
    return 0;
}
"""


KILLED = """
#include "apps/support/am_job.h"
#include <nx.h>
#include <stdio.h>
static int status;
static void note(int why, op_t opcode, void *what)
{
    (void)opcode, (void)what;
    status = why;
}
int main(void)
{
    am_job_begin();
    AM_SetHandler(am_job.endpoint, 0, note);
    if (mynode() == 1)
        for (;;)
            AM_Poll(am_job.bundle);
    if (_killproc(1, 0) || _waitall(1, 0))
        return 2;
    AM_Request0(am_job.endpoint, 1, 1);
    printf("comes back: %d\\n", status == EUNREACHABLE);
    return 0;
}
"""

# Node 1 is known by another pid, and then by a third.
RENAMED = """
#include "apps/support/am_job.h"
#include <cube.h>
#include <nx.h>
#include <stdio.h>
static int asked, answered;
static void ask(void *token) { asked++, am_must(AM_Reply0(token, 2)); }
static void answer(void *token) { (void)token, answered++; }
int main(void)
{
    enum { another = 9, third = 10 };
    am_job_begin();
    AM_SetHandler(am_job.endpoint, 1, ask);
    AM_SetHandler(am_job.endpoint, 2, answer);
    if (mynode() == 1) {
        setpid(another);
        csend(1, 0, 0, 0, 0);
        AM_JOB_UNTIL(asked == 3);
        setpid(third);
        csend(1, 0, 0, 0, 0);
        crecv(2, 0, 0);
        return 0;
    }
    int entry;
    crecv(1, 0, 0);
    am_must(AM_MapAny(am_job.endpoint, &entry, (en_t){1, another, 0}, am_job_tag));
    for (int i = 0; i < 3; i++)
        am_must(AM_Request0(am_job.endpoint, entry, 1));
    AM_JOB_UNTIL(answered == 3);
    crecv(1, 0, 0);
    printf("%d\\n", answered);
    fflush(stdout);
    AM_Request0(am_job.endpoint, entry, 1);
    return 0;
}
"""

ENDED = "nxrun: The job failed: node 1 was ended by signal 6 (Aborted).\n"


@for_each((*DESIGNS, *UNORDERED), "the_list_of_tests_passes_under")
class ActiveMessages(DesignCase):
    def the_list_of_tests_passes_under(self, design):
        ran = self.well("-n", "3", "-d", design, app("am_selftest"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def test_fortran_makes_each_call(self):
        ran = self.well("-n", "3", self.program("active"))
        self.assertIn("ACTIVE FROM FORTRAN", ran.out)

    def test_the_ring_checks_its_messages(self):
        ran, record = self.record("-n", "3", app("am_ring"), "--samples", "3", "--trips", "20")
        self.assertEqual(ran.status, 0, ran.text)
        self.assertIn("all messages right", ran.out)
        names = [row["name"] for row in record["rows"]]
        self.assertEqual(names, ["round the ring", "request and reply", "csend and crecv"])
        ran, record = self.record("-n", "3", "-d", UNORDERED[0], app("am_ring"), "--trips", "20")
        self.assertEqual([row["name"] for row in record["rows"]], names[:2])
        ran = self.nxrun("-n", "2", app("am_ring"), "--trips", "0")
        self.assertEqual(ran.status, 1)
        self.assertIn("am_ring: --samples is 1 to 1000, --trips and --polls are 1 to 1000000\n", ran.errors)

    def test_nx_2_is_refused_over_a_port_that_keeps_no_order(self):
        for code in ("csend(1, 0, 0, 1, 0);", "crecv(1, 0, 0);", "irecv(1, 0, 0);", "cprobe(1);"):
            program = self.compiled(f"#include <nx.h>\nint main(void) {{ gsync(); {code} return 0; }}\n")
            ran = self.nxrun("-n", "2", "-d", UNORDERED[0], program)
            self.assertEqual(ran.status, 1, ran.text)
            self.assertRegex(ran.errors, code.split("(", maxsplit=1)[0] + r"\(.*: " + NOT_IN_ORDER)

    def test_nine_words_do_not_compile(self):
        source = self.path("nine.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(active_mistakes.NINE_WORDS)
        wrapper = os.path.join(NATIVE, "bin", "nxcc")
        built = subprocess.run(
            [wrapper, "-o", self.path("nine"), source], capture_output=True, text=True, check=False
        )
        self.assertNotEqual(built.returncode, 0)
        self.assertIn(active_mistakes.NINE_WORDS_ARE, built.stderr)

    def test_mistakes_are_told_in_a_sentence(self):
        program = self.compiled(active_mistakes.program())
        for mistake in active_mistakes.MISTAKES:
            with self.subTest(mistake=mistake):
                ran = self.nxrun("-n", "1", program, mistake)
                self.assertEqual(ran.status, active_mistakes.status(mistake), ran.text)
                self.assertIn(f"parley: {active_mistakes.told(mistake)}", ran.errors)

    def test_a_request_comes_back_where_its_send_finds_the_process_killed(self):
        """Where the send does not, the request is lost, and its sender goes on."""
        program = self.compiled(KILLED)
        for design, comes_back in (("exp5", 1), ("native", 0)):
            ran = self.nxrun("-n", "2", "-d", design, program)
            self.assertIn(f"comes back: {comes_back}\n", ran.out, ran.text)

    def test_an_entry_does_not_lead_to_a_process_whose_name_it_no_longer_has(self):
        program = self.compiled(RENAMED)
        for design in ("native", "exp6", "exp5"):
            ran = self.nxrun("-n", "2", "-d", design, program)
            self.assertEqual((ran.status, ran.out), (1, "3\n"), ran.text)
            sentence = "AM_Request0(node 1, pid 9): there is no such process on that node"
            self.assertIn(f"parley: node 0, pid 0: {sentence}\n", ran.errors)

    def test_packets_whose_numbers_lie_beyond_them_are_ignored(self):
        program = self.compiled(active_mistakes.DAMAGED)
        for design in ("native", "exp6", "exp5"):
            self.assertEqual(self.well("-n", "2", "-d", design, program).out, "goes on\n")

    def test_a_job_of_the_amx_family_ends_as_one_of_its_nodes_says(self):
        """Where it fails, whatever the others do, and although the program hides the signal."""
        for library in ("ammpi", "amudp"):
            source = os.path.join(PROGRAMS, "family.c")
            headers = (f"-DLIBRARY=<{library}.h>", f"-DJOB=<{library}_spmd.h>")
            program = self.built(source, library, f"-DNAME={library.upper()}", *headers)
            ran = self.well("-n", "2", program, "0")
            self.assertEqual(sorted(ran.out.splitlines()), ["left with 0"] * 2 + ["told of 0"] * 2)
            ran = self.nxrun("-n", "2", program, "3")
            self.assertEqual((ran.status, ran.out), (1, "told of 3\n"), ran.text)
            sentence = "AMX_SPMDExit: the status is not 0, so the job ends"
            self.assertIn(f"parley: node 1, pid 0: {sentence}\n", ran.errors)
            self.assertIn(ENDED, ran.errors)
            ran = self.nxrun("-n", "2", program, "fatal")
            self.assertEqual((ran.status, ran.out), (1, ""), ran.text)
            self.assertIn("parley: node 1, pid 0: AMX_FatalErr: over after 3\n", ran.errors)
            self.assertIn(ENDED, ran.errors)

    def test_a_wait_that_never_ends_is_told(self):
        ran = self.nxrun("-n", "2", self.compiled(WAITS))
        self.assertEqual(ran.status, 1)
        self.assertIn(
            "node 0: AM_WaitSema, or a request that may not go before a reply, waits for an Active Message",
            ran.errors,
        )
        self.assertIn(
            "unmatched: an Active Message, a request of 20 bytes, from node 0: this node does not poll\n",
            ran.errors,
        )

    def test_bulk_that_is_seen_late_is_waited_for(self):
        ran = self.well("-n", "1", self.compiled(LATE_BULK))
        self.assertEqual(ran.out, "before: 0\n5 bytes, late, 42\n")

    def test_a_request_polls_unless_a_poll_of_its_bundle_since_the_last_one_has(self):
        """The poll inside a request is not the next one's, nor is the poll of another bundle."""
        first, second, polled, asked = self.well("-n", "1", self.compiled(OWN_POLLS)).out.splitlines()
        self.assertEqual(first, "1")
        self.assertGreaterEqual(int(second), 2)
        self.assertEqual((polled, asked), ("5 0", "5 1"))

    def test_a_c_plus_plus_program_may_use_them(self):
        text = """
            #include <ammpi_spmd.h>
            #include <nx.h>
            static int came;
            static void take(void *, int word) { came += word; }
            int main()
            {
                eb_t bundle;
                ep_t endpoint;
                en_t name;
                AM_Init();
                AM_AllocateBundle(AM_SEQ, &bundle);
                AM_AllocateEndpoint(bundle, &endpoint, &name);
                AM_SetTag(endpoint, AM_ALL);
                AM_Map(endpoint, 0, name, 7);
                AM_SetHandler(endpoint, 1, take);
                AM_Request1(endpoint, 0, 1, 42);
                while (!came)
                    AM_Poll(bundle);
                return came != 42;
            }
            """
        source, program = self.path("am.cc"), self.path("am")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([os.path.join(NATIVE, "bin", "nxc++"), "-o", program, source], check=True)
        self.well("-n", "1", program)


if __name__ == "__main__":
    unittest.main()
