# SPDX-License-Identifier: MIT
"""What is the same in every run on every machine: the instructions of csend and crecv of a message that has
arrived, and that ranks which spin ask nothing of Linux."""

import glob
import os
import re
import shutil
import unittest

from native_case import ROOT, NativeCase

COUNTED = """
#include <nx.h>
#include <stdlib.h>
static char buffer[4096];
__attribute__((noinline)) void counted(int count, long bytes)
{
    for (int i = 0; i < count; i++) {
        csend(1, buffer, bytes, 0, 0);
        crecv(1, buffer, bytes);
    }
}
int main(int count, char **words)
{
    for (int i = 2; i < count; i++)
        counted(atoi(words[i]), atol(words[1]));
    return 0;
}
"""
HANDED_OVER = """
#include <nx.h>
#include <stdlib.h>
static void *block;
__attribute__((noinline)) void counted(int count, long bytes)
{
    for (int i = 0; i < count; i++) {
        csend(1, block, bytes, 0, 0);
        crecvp(1, &block, bytes);
    }
}
int main(int count, char **words)
{
    block = nx_alloc(atol(words[1]));
    for (int i = 2; i < count; i++)
        counted(atoi(words[i]), atol(words[1]));
    return 0;
}
"""
# Some at a time, so that the receiver's port never fills.
# Who receives does not wait, so that no csend has to wake it.
BROADCAST = """
#include <nx.h>
#include <stdlib.h>
static char buffer[4096];
__attribute__((noinline)) void counted(int count, long bytes, long node)
{
    for (int i = 0; i < count; i++)
        csend(1, buffer, bytes, node, 0);
}
int main(int count, char **words)
{
    const int batch = 20;
    for (int left = atoi(words[1]); left > 0; left -= batch) {
        if (mynode() == 0) {
            counted(batch, atol(words[2]), atol(words[3]));
            crecv(2, buffer, 0);
        } else {
            for (int i = 0; i < batch; i++) {
                while (!iprobe(1)) { }
                crecv(1, buffer, sizeof buffer);
            }
            csend(2, buffer, 0, 0, 0);
        }
    }
    return 0;
}
"""
# A rank is its own destination, so each poll looks in both of its queues.
ACTIVE = """
#include "apps/support/am_job.h"
#include <string.h>
static int answers;
static void ask(void *token, int word) { am_must(AM_Reply1(token, 2, word + 1)); }
static void answer(void *token, int word) { (void)token, (void)word, answers++; }
__attribute__((noinline)) void asked(int count)
{
    for (int i = 0; i < count; i++) {
        AM_Request1(am_job.endpoint, 0, 1, i);
        while (answers <= i)
            AM_Poll(am_job.bundle);
    }
}
int main(int count, char **words)
{
    am_job_begin();
    AM_SetHandler(am_job.endpoint, 1, ask);
    AM_SetHandler(am_job.endpoint, 2, answer);
    asked(2);
    answers = 0;
    const int times = atoi(words[2]);
    if (strcmp(words[1], "poll"))
        asked(times);
    else
        for (int i = 0; i < times; i++)
            AM_Poll(am_job.bundle);
    return count != 3;
}
"""
# Node 0 between two calls of Linux that are known again; the others wait.
BUSY = """
#include "apps/support/am_job.h"
#include <unistd.h>
static int answers;
static void ask(void *token, int word) { am_must(AM_Reply1(token, 2, word + 1)); }
static void answer(void *token, int word) { (void)token, (void)word, answers++; }
int main(void)
{
    am_job_begin();
    AM_SetHandler(am_job.endpoint, 1, ask);
    AM_SetHandler(am_job.endpoint, 2, answer);
    if (mynode() == 0) {
        for (int i = 0; i < 100; i++) {
            if (i == 10)
                getppid();
            am_must(AM_Request1(am_job.endpoint, 0, 1, i));
        }
        getppid();
        AM_JOB_UNTIL(answers == 100);
        csend(3, 0, 0, -1, 0);
    } else {
        crecv(3, 0, 0);
    }
    return 0;
}
"""
# Between two calls of Linux that are known again.
EXCHANGE = """
#include <nx.h>
#include <unistd.h>
int main(void)
{
    char bytes[100];
    for (int i = 0; i < 3000; i++) {
        if (mynode() == 0)
            csend(1, bytes, i % 100, 1, 0);
        crecv(1, bytes, sizeof bytes);
        if (mynode() == 1)
            csend(1, bytes, i % 100, 0, 0);
        if (i == 0)
            getppid();
    }
    getppid();
    return 0;
}
"""
# Instructions of a pair, the loop around it included. What is reached is the gate; an aim is not.
# Named designs have static dispatch, unless they are asked for otherwise.
VIRTUAL = ("--dispatch", "virtual")
GATES = (
    (VIRTUAL, "exp6", 0, 210),
    ((), "exp6", 0, 175),
    (VIRTUAL, "exp6", 48, 405),
    ((), "exp6", 48, 320),
    (VIRTUAL, "native", 0, 213),
    ((), "native", 0, 150),
    (VIRTUAL, "native", 48, 363),
    ((), "native", 8, 245),
    ((), "native", 48, 245),
    ((), "native", 100, 267),
    ((), "native", 128, 267),
    ((), "native", 200, 335),
)
# Of a block that is handed over, whatever its length.
HANDED_OVER_GATES = (
    (VIRTUAL, "native-pointer", 64, 430),
    ((), "native-pointer", 64, 320),
    ((), "native-pointer", 65536, 320),
)
# Of a csend of 8 bytes to the only other node, and to all.
BROADCAST_GATES = {"1": 127, "-1": 181}
# Of a request and its reply, of a request whose poll finds nothing, without its reply (the aim is 60), and of
# a poll that finds nothing.
ACTIVE_GATES = {"asked": 730, "AM_Request1": 98, "AM_Poll": 14}
BROADCAST_MORE = 55  # than to the only other node


class Exact(NativeCase):
    def require(self, tool: str) -> None:
        if shutil.which(tool) is None:
            self.skipTest(f"{tool} is not installed (Debian: apt-get install {tool})")

    def instructions(self, program: str, options: tuple, design: str, size: int, *pairs: int) -> list[int]:
        """Of each so many pairs, one after the other in one rank."""
        part = self.path("part")
        for old in glob.glob(f"{part}.*"):
            os.remove(old)
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={part}", "--dump-after=counted"]
        words = [*valgrind, "--toggle-collect=counted", program, str(size), *map(str, pairs)]
        self.well(*options, "-n", "1", "-d", design, *words)
        self.assertEqual(len(glob.glob(f"{part}.*")), len(pairs))
        counts = []
        for number in range(len(pairs)):
            with open(f"{part}.{number + 1}", encoding="ascii") as file:
                counts.append(int(re.search(r"^summary: (\d+)$", file.read(), re.M)[1]))
        return counts

    def test_a_pair_takes_no_more_instructions_than_it_should(self):
        self.compare_pairs(COUNTED, GATES)

    def test_a_block_changes_its_owner_in_no_more_instructions_than_it_should(self):
        self.compare_pairs(HANDED_OVER, HANDED_OVER_GATES)

    def compare_pairs(self, source: str, gates: tuple) -> None:
        self.require("valgrind")
        program = self.compiled(source)
        for options, design, size, most in gates:
            # The first call makes what a rank makes once.
            _, few, more = self.instructions(program, options, design, size, 2, 200, 400)
            pair = (more - few) / 200
            kind = "virtual" if options else "static"
            print(f"{kind} {design}, {size} bytes: {pair:.1f} instructions")
            self.assertLessEqual(pair, most, (options, design, size))

    def test_the_page_of_active_messages_tells_what_they_may_take(self):
        with open(f"{ROOT}/docs/active-messages.md", encoding="utf-8") as page:
            told = " ".join(page.read().split())
        limits = (
            "at most {asked} instructions for a request and its reply, {AM_Request1} of them for the "
            "request, of which 60 is the aim, and {AM_Poll} for a poll"
        )
        self.assertIn(limits.format(**ACTIVE_GATES), told)

    def test_active_messages_take_no_more_instructions_than_they_should(self):
        self.require("valgrind")
        program = self.compiled(ACTIVE)
        for function, most in ACTIVE_GATES.items():
            counts = []
            for times in (200, 400):
                valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
                what = "poll" if function == "AM_Poll" else "ask"
                words = [*valgrind, f"--toggle-collect={function}", program, what, str(times)]
                errors = self.well("-n", "1", *words).errors
                counts.append(int(re.search(r"Collected : (\d+)", errors)[1]))
            each = (counts[1] - counts[0]) / 200
            print(f"Active Messages, {function}: {each:.1f} instructions")
            self.assertLessEqual(each, most, function)

    def test_a_broadcast_takes_little_more_than_a_message(self):
        self.require("valgrind")
        program = self.compiled(BROADCAST)

        def instructions(sends: int, node: str) -> int:
            valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            words = [*valgrind, "--toggle-collect=counted", program, str(sends), "8", node]
            counts = re.findall(r"Collected : (\d+)", self.well("-n", "2", *words).errors)
            return max(map(int, counts))

        counts = {}
        for node in ("1", "-1"):
            few, more = (instructions(sends, node) for sends in (200, 400))
            counts[node] = (more - few) / 200
        print(f"csend of 8 bytes: {counts['1']:.1f} instructions to a node, {counts['-1']:.1f} to all of two")
        for node, most in BROADCAST_GATES.items():
            self.assertLessEqual(counts[node], most, node)
        self.assertLessEqual(counts["-1"], counts["1"] + BROADCAST_MORE)

    def test_requests_and_replies_give_no_processor_away(self):
        """Where ranks share processors, a program's own poll that finds nothing lets others run."""
        self.require("strace")
        program = self.compiled(BUSY)
        self.assertEqual(self.between(program, nodes=len(os.sched_getaffinity(0)) + 1, ranks=1), [[]])

    def test_requests_that_are_carried_as_messages_give_no_processor_away(self):
        """They sleep where they may not go before a reply, and wake the delivery process."""
        self.require("strace")
        design = "native,transport=process,synchronization=semaphore"
        calls = self.between(self.compiled(BUSY), 2, 1, "-d", design)[0]
        self.assertEqual([call for call in calls if not call.startswith("futex(")], [])

    def test_ranks_that_spin_ask_nothing_of_linux(self):
        self.require("strace")
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("two ranks spin only on two processors")
        self.assertEqual(self.between(self.compiled(EXCHANGE), nodes=2, ranks=2), [[], []])

    def between(self, program: str, nodes: int, ranks: int, *options: str) -> list[list[str]]:
        """The calls of Linux between two of getppid(), of each of the ranks that make those."""
        trace = self.path("trace")
        self.well(*options, "-n", str(nodes), "sh", "-c", f'exec strace -o {trace}.$$ "$@"', "sh", program)
        traces = [name for name in os.listdir(self.folder) if name.startswith("trace.")]
        self.assertEqual(len(traces), nodes)
        found = []
        for name in traces:
            with open(self.path(name), encoding="utf-8", errors="replace") as file:
                calls = [text for text in file if "(" in text]
            marks = [index for index, text in enumerate(calls) if text.startswith("getppid(")]
            if marks:
                begin, end = marks
                found.append(calls[begin + 1 : end])
        self.assertEqual(len(found), ranks)
        return found


if __name__ == "__main__":
    unittest.main()
