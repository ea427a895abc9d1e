# SPDX-License-Identifier: MIT
"""nxrun --trace and --profile: what the ranks wrote down is whole however the job ends, and is drawn."""

import os
import signal
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from native_case import NATIVE, NXRUN, ROOT, NativeCase, for_each

sys.path.insert(0, os.path.join(ROOT, "tools"))
from parley_runner import trace_command  # noqa: E402
from parley_trace import cost, reading, times  # noqa: E402
from parley_trace.naming import Names  # noqa: E402

# Each node sends its right neighbour twenty messages, whose types and lengths say which they are.
RING = """
#include <nx.h>
int main(void)
{
    long node = mynode(), nodes = numnodes(), left = (node + nodes - 1) % nodes;
    static char bytes[2000], taken[2000];
    for (int i = 0; i < 20; i++) {
        nx_event(372, -i);
        if (node != 0)
            crecv(100 + left, taken, sizeof taken);
        csend(100 + node, bytes, 100 * i, (node + 1) % nodes, mypid());
        if (node == 0)
            crecv(100 + left, taken, sizeof taken);
    }
    return 0;
}
"""
# The same, and then they all wait: for ever, for node 1, which ends by a signal, or for the limit.
STUCK = RING.replace("return 0;", "WAIT; crecv(7, taken, sizeof taken); return 0;")
SEMAPHORES = """
#include <nx.h>
#include <nx_semaphores.h>
int main(void)
{
    long semaphore = nx_semaphore(3, 1);
    for (int i = 0; i < 5; i++) {
        P(semaphore);
        V(semaphore);
    }
    return 0;
}
"""
HOST = """
#include <nx.h>
int main(void)
{
    load("ring", -1, 0);
    load("ring", -1, 5);
    waitall(-1, 0);
    waitall(-1, 5);
    return 0;
}
"""
ASKS = """
#include "apps/support/am_job.h"
static int answers;
static void ask(void *token, int word) { am_must(AM_Reply1(token, 2, word)); }
static void answer(void *token, int word) { (void)token, (void)word, answers++; }
int main(void)
{
    am_job_begin();
    AM_SetHandler(am_job.endpoint, 1, ask);
    AM_SetHandler(am_job.endpoint, 2, answer);
    am_job_meet();
    nx_event(1, 0);
    for (int i = 0; i < 10 && mynode() == 0; i++) {
        am_must(AM_Request1(am_job.endpoint, 1, 1, i));
        AM_JOB_UNTIL(answers > i);
    }
    nx_event(2, 0);
    am_job_meet();
    return 0;
}
"""
TALKS = """
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words)
{
    long word = 0;
    for (int i = 0; i < atoi(words[1]); i++)
        csend(1, &word, sizeof word, mynode(), 0);
    for (int i = 0; i < atoi(words[1]); i++)
        crecv(1, &word, sizeof word);
    return count - 2;
}
"""


@for_each(
    ("native", "native,light", "exp3", "exp4", "exp6", "exp6,transport=process,synchronization=semaphore"),
    "every_message_of",
)
class Traces(NativeCase):
    def kept(self, *words: str, status: int = 0) -> trace_command.Kept:
        path = self.path("run.trace")
        ran = self.nxrun("--trace", path, *words)
        self.assertEqual(ran.status, status, ran.text)
        self.assertIn(f"nxrun: the trace is in {path}", ran.errors)
        return trace_command.load(path)

    def test_active_messages_are_traced_from_their_send_to_the_poll_that_takes_them(self):
        kept = self.kept("-n", "2", self.compiled(ASKS))
        begin, end = (
            next(r.ns for r in kept.trace.records if (r.event, r.process, r.type) == ("event", 0, number))
            for number in (1, 2)
        )
        found = {(0, 1): 0, (1, 0): 0}  # requests of 20 bytes, and replies
        for message in kept.trace.messages().values():
            send, taken = message.send, message.receive
            if send and taken and begin <= send.ns <= end and send.length == 20:
                found[send.process, taken.process] += 1
                self.assertEqual(send.type % 2, send.process)
                self.assertLessEqual(send.ns, taken.ns)
        self.assertEqual(found, {(0, 1): 10, (1, 0): 10})

    def check_ring(self, kept: trace_command.Kept, nodes: int) -> None:
        """Each message was sent, matched and received once, in this order."""
        whole = {}
        for message in kept.trace.messages().values():
            self.assertTrue(message.send and message.match and message.receive, message)
            self.assertLess(message.send.ns, message.match.ns)
            self.assertLessEqual(message.match.ns, message.receive.ns)
            self.assertEqual((message.send.process, message.send.peer),
                             (message.receive.peer, message.receive.process))  # fmt: skip
            self.assertEqual((message.send.type, message.send.length),
                             (message.receive.type, message.receive.length))  # fmt: skip
            whole[message.send.process, message.send.peer, message.send.type, message.send.length] = message
        expected = {(node, (node + 1) % nodes, 100 + node, 100 * i) for node in range(nodes)
                    for i in range(20)}  # fmt: skip
        self.assertEqual(set(whole), expected)
        self.assertEqual((len(kept.trace.messages()), kept.trace.lost), (20 * nodes, 0))

    def every_message_of(self, design):
        self.check_ring(self.kept("-n", "3", "-d", design, self.compiled(RING)), 3)

    def test_a_program_s_own_events_are_among_the_others(self):
        kept = self.kept("-n", "2", self.compiled(RING))
        for node in (0, 1):
            own = [record for record in kept.trace.records if record.process == node]
            events = [i for i, record in enumerate(own) if record.event == "event"]
            sends = [i for i, record in enumerate(own) if record.event == "send"]
            self.assertEqual([(own[i].type, reading.signed(own[i].length)) for i in events],
                             [(372, -i) for i in range(20)])  # fmt: skip
            self.assertTrue(all(event < send for event, send in zip(events, sends)))
            self.assertTrue(all(send < event for event, send in zip(events[1:], sends)))

    def test_p_and_v_are_among_them_too(self):
        for kind in ("kernel", "spin"):
            kept = self.kept("-n", "2", "--semaphore", kind, self.compiled(SEMAPHORES))
            found = [(record.event, record.type) for record in kept.trace.records
                     if record.process == 1 and record.event in "PV"]  # fmt: skip
            self.assertEqual(found, [("P", 3), ("V", 3)] * 5)

    def test_both_dispatches_are_traced(self):
        program = self.compiled(RING)
        for dispatch in ("virtual", "static"):
            self.check_ring(self.kept("-n", "2", "-d", "exp6", "--dispatch", dispatch, program), 2)

    def test_ranks_begin_and_end_and_say_on_which_processor_they_were(self):
        kept = self.kept("-n", "2", self.compiled(RING))
        for event in ("switch", "ended"):
            found = sorted(record.process for record in kept.trace.records if record.event == event)
            self.assertEqual(found, [0, 1], event)
        self.assertTrue({record.processor for record in kept.trace.records} - {None}
                        <= os.sched_getaffinity(0))  # fmt: skip
        self.assertTrue(all(r.processor is not None for r in kept.trace.records if r.event == "send"))

    def test_what_watching_costs_is_measured_and_taken_out(self):
        kept = self.kept("-n", "1", self.compiled(TALKS), "100")
        price = cost.price(kept.jobs)
        self.assertGreater(price.record, 0)
        self.assertGreater(price.call, 0)
        without = cost.compensated(kept.trace, price)
        spans = [one.records[-1].ns - one.records[0].ns for one in (kept.trace, without)]
        self.assertLess(spans[1], spans[0])
        self.assertEqual(len(without.records), len(kept.trace.records))

    def test_several_pids_of_a_node_and_a_host_are_named(self):
        self.compiled(RING, "ring")
        kept = self.kept("-n", "1", "--pids", "2", self.compiled(HOST, "host"))
        names = [Names(kept.jobs).process(*who) for who in kept.trace.processes()]
        self.assertEqual(names, ["node 0, pid 0", "node 0, pid 1", "host"])
        self.assertEqual(len(kept.trace.messages()), 40)

    def test_the_trace_of_a_job_that_fails_is_whole(self):
        program = self.compiled(STUCK.replace("WAIT", "if (node == 1) raise(9)").replace(
            "#include <nx.h>", "#include <nx.h>\n#include <signal.h>"))  # fmt: skip
        kept = self.kept("-n", "3", program, status=1)
        ended = {record.process for record in kept.trace.records if record.event == "ended"}
        self.assertEqual(ended, {0, 1, 2})
        sent = {(m.send.process, m.send.length) for m in kept.trace.messages().values() if m.send}
        # All that node 1 did before its end; its neighbours may have been ended on their way.
        self.assertLessEqual({(1, 100 * i) for i in range(20)}, sent)

    def test_the_trace_of_a_deadlock_shows_the_waits(self):
        kept = self.kept("-n", "2", self.compiled(STUCK.replace("WAIT", "")), status=1)
        self.check_ring(kept, 2)
        waiting = {record.process for record in kept.trace.records if record.event == "wait"
                   and record.type == 7}  # fmt: skip
        self.assertEqual(waiting, {0, 1})
        self.assertEqual(kept.jobs[0]["nodes"], 2)

    def test_the_trace_of_an_interrupted_job_is_whole(self):
        computes = 'if (node == 0) { puts("here"); fflush(stdout); for (;;) ; }'
        text = STUCK.replace("WAIT", computes)
        program = self.compiled(text.replace("#include <nx.h>", "#include <nx.h>\n#include <stdio.h>"))
        path = self.path("run.trace")
        with subprocess.Popen([NXRUN, "-n", "2", "--trace", path, program], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:  # fmt: skip
            self.addCleanup(process.kill)
            self.assertEqual(process.stdout.readline(), "here\n")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(30), 130)
        sent = [m for m in trace_command.load(path).trace.messages().values() if m.send]
        self.assertGreaterEqual(sum(m.send.process == 0 for m in sent), 20)

    def test_what_finds_no_room_is_counted_and_said(self):
        path = self.path("run.trace")
        self.well("-n", "1", "--trace", path, "--trace-records", "16", self.compiled(TALKS), "1000")
        trace = trace_command.load(path).trace
        self.assertGreaterEqual(trace.lost + len(trace.records), 3000 + 2)
        self.assertGreaterEqual(len(trace.records), 16 + 2)
        said = self.well("-n", "1", "--trace", self.path("run.svg"), "--trace-records", "16",
                         self.path("program"), "1000").errors  # fmt: skip
        self.assertRegex(said, r"[0-9]+ records were lost for want of room \(--trace-records\)")

    def test_pictures_are_drawn_at_once_or_later(self):
        program = self.compiled(RING)
        ran = self.well("-n", "2", "--trace", self.path("a.svg"), program)
        self.assertRegex(ran.errors, r"^nxrun: Trace: [0-9]+ records, 40 messages from send to receive")
        self.assertEqual(ran.out, "")
        self.well("-n", "2", "--trace", self.path("b.trace"), program)
        nxtrace = os.path.join(NATIVE, "bin", "nxtrace")
        line = [nxtrace, "--output", self.path("b.svg"), self.path("b.trace")]
        subprocess.run(line, check=True, capture_output=True)
        for name in ("a.svg", "b.svg"):
            tree = xml.etree.ElementTree.parse(self.path(name))
            arrows = [path for path in tree.iter("{http://www.w3.org/2000/svg}path")
                      if path.get("class") == "arrow"]  # fmt: skip
            self.assertEqual(len(arrows), 40, name)

    def test_a_full_disk_is_one_sentence(self):
        path = self.path("run.trace")
        os.symlink("/dev/full", path)
        ran = self.nxrun("-n", "2", "--trace", path, self.compiled(RING))
        self.assertEqual(
            ran.errors,
            f"nxrun: the trace cannot be written to {path}: No space left on device; nothing was written.\n",
        )
        self.assertEqual(ran.status, 1)
        self.assertTrue(os.path.islink(path))
        self.assertFalse(os.path.lexists(path + ".new"))

    def test_a_damaged_file_is_one_sentence(self):
        path = self.path("run.trace")
        self.well("-n", "1", "--trace", path, self.compiled(TALKS), "10")
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) - 50)
        nxtrace = os.path.join(NATIVE, "bin", "nxtrace")
        done = subprocess.run([nxtrace, path], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, rf"^nxtrace: {path} is no whole file of a trace: [^\n]+\.\n$")


class Profiles(NativeCase):
    def profile(self, *words: str) -> tuple[str, list[dict]]:
        ran, record = self.record("--profile", *words)
        self.assertEqual("\n".join(times.table(record["times"], Names(record["jobs"]))) + "\n",
                         ran.out[ran.out.index("Where each"):])  # fmt: skip
        return ran.errors, record["times"]

    def test_calls_are_counted(self):
        program = self.compiled(TALKS)
        few, many = (self.profile("-n", "1", program, str(count))[1][0]["calls"] for count in (100, 300))
        self.assertEqual(many - few, 2 * 200)

    def test_a_wait_that_never_ends_is_waiting(self):
        errors, entries = self.profile("-n", "2", "--pids", "1", self.compiled(STUCK.replace("WAIT", "")))
        self.assertIn("The job deadlocked", errors)
        for entry in entries:
            # It waited at two looks for deadlocks, 0.2 s apart.
            self.assertGreater(entry["waiting"], 0.19 * entry["clock_hertz"])
            self.assertLessEqual(entry["waiting"], entry["inside"])
            self.assertLessEqual(entry["inside"], entry["life"])
            self.assertGreater(entry["running"], 0)


if __name__ == "__main__":
    unittest.main()
