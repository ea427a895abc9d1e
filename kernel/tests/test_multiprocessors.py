# SPDX-License-Identifier: MIT
"""MULTIPROCESSORS: one booted machine, divided into several that simulated network interfaces join."""

import os
import re
import subprocess
import sys
import unittest

import near_and_far
from boot_case import BUILD, ROOT, BootCase, extra, needs, seldom

sys.path.append(os.path.join(ROOT, "tools"))
from parley_runner import machine_file, multiprocessors  # noqa: E402

MODELLED = ("CLOCK=modelled", "MACHINE=enterprise")
POLLINGS = ("fixed", "fractional:16", "adaptive:4:64")
SHORT = "ARGS=--samples 3 --trips 5"
POLLS = """
/* Two nodes of each of two multiprocessors: those of one send each other Active Messages and csends, of which
 * nothing crosses, and tell how often they have looked into the interface; node 1 always looks while it is
 * asked. Then node 2 sends to node 0, which finds it although its own multiprocessor keeps it busy. */
#include "apps/support/am_job.h"

#include <nx.h>
#include <stdio.h>

enum { ask = 1, answer, call, rounds = 200, text = 7, stop = 8, from_far = 9 };

static int asked, answered, called;
static long polls;

static void says(void *token)
{
    asked++;
    am_must(AM_Reply0(token, answer));
}
static void hears(void *token)
{
    (void)token;
    answered++;
}
static void calls(void *token)
{
    (void)token;
    called++;
}

static void ask_partner(void)
{
    const int before = answered;
    am_must(AM_Request0(am_job.endpoint, (int)mynode() ^ 1, ask));
    for (; answered == before; polls++)
        am_must(AM_Poll(am_job.bundle));
}
/* The first may have asked before this begins. */
static void be_asked(int times)
{
    static int of_all;
    for (of_all += times; asked < of_all;)
        am_must(AM_Poll(am_job.bundle));
}
/* Receives from any node, so each is a poll. */
static void send_around(void)
{
    long number = mynode();
    for (int i = 0; i < rounds; i++) {
        csend(text, &number, sizeof number, mynode() ^ 1, 0);
        crecv(text, &number, sizeof number);
    }
}

static void tell(const char *what, const char *polling, long looks, long of)
{
    printf("node %ld, %s, %s: %ld looks in %ld polls\\n", mynode(), what, polling, looks, of);
    fflush(stdout);
}

static void count_looks(const char *polling)
{
    const char *const own = mynode() == 0 ? polling : "fixed";
    const long before = nx_polling(own);
    polls = 0;
    if (mynode() % 2 == 0)
        for (int i = 0; i < rounds; i++)
            ask_partner();
    else
        be_asked(rounds);
    const long between = nx_polling(polling);
    send_around();
    if (mynode() < 2) {
        tell("Active Messages", polling, between - before, polls);
        tell("csends", polling, nx_polling(0) - between, rounds);
    }
    am_job_meet();
}

static void hear_from_far(const char *polling)
{
    nx_polling(polling);
    called = 0;
    if (mynode() == 2) {
        am_must(AM_Request0(am_job.endpoint, 0, call));
        csend(from_far, 0, 0, 0, 0);
    }
    if (mynode() == 0) {
        while (!called)
            ask_partner();
        while (!iprobe(from_far))
            ask_partner();
        crecv(from_far, 0, 0);
        csend(stop, 0, 0, 1, 0);
        printf("under %s both came from afar\\n", polling);
        fflush(stdout);
    }
    if (mynode() == 1) {
        while (!iprobe(stop))
            am_must(AM_Poll(am_job.bundle));
        crecv(stop, 0, 0);
    }
    am_job_meet();
}

int main(void)
{
    static const char *const pollings[] = {"fixed", "fractional:16", "adaptive:4:64"};
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, ask, says));
    am_must(AM_SetHandler(am_job.endpoint, answer, hears));
    am_must(AM_SetHandler(am_job.endpoint, call, calls));
    am_job_meet();
    for (int i = 0; i < 3; i++)
        count_looks(pollings[i]);
    for (int i = 0; i < 3; i++)
        hear_from_far(pollings[i]);
    return 0;
}
"""

EMPTY_POLLS = """
#include "apps/support/am_job.h"

#include <nx.h>
#include <stdio.h>

enum { ask = 1, answer, times = 1000 };

static int answers;
static void says(void *token) { am_must(AM_Reply0(token, answer)); }
static void hears(void *token) { (void)token; answers++; }
static __attribute__((noinline)) int nothing(eb_t bundle)
{
    __asm__ volatile("" ::"r"(bundle));
    return AM_OK;
}
static unsigned long cycles_of(int (*call)(eb_t))
{
    const unsigned long since = nx_cycles();
    for (int i = 0; i < times; i++)
        call(am_job.bundle);
    return nx_cycles() - since;
}

int main(void)
{
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, ask, says));
    am_must(AM_SetHandler(am_job.endpoint, answer, hears));
    am_must(AM_Request0(am_job.endpoint, (int)mynode(), ask)); /* so that it has queues */
    while (!answers)
        am_must(AM_Poll(am_job.bundle));
    nx_polling("fractional:4096");
    AM_Poll(am_job.bundle); /* looks */
    const long looks = nx_polling(0);
    const unsigned long polls = cycles_of(AM_Poll), calls = cycles_of(nothing);
    if (mynode() == 0)
        printf("a poll takes %lu, %ld looks\\n", (polls - calls) / times, nx_polling(0) - looks);
    return 0;
}
"""

SHARING = """
/* Two nodes of each of two multiprocessors: node 0 sends to node 2, alone and then while node 1 sends to
 * node 3, and tells how long that takes; then a long message and a short one by turns. At last all are
 * killed, while messages are on their way. */
#include <nx.h>
#include <stdio.h>

enum { text = 1, heard, times = 20 };

static long message[2500];

static void stream(int size)
{
    const long partner = mynode() ^ 2;
    if (mynode() < 2) {
        for (long i = 0; i < times; i++) {
            message[0] = i;
            csend(text, message, i % 2 ? sizeof message[0] : size, partner, 0);
        }
        crecv(heard, 0, 0);
        return;
    }
    for (long i = 0; i < times; i++) {
        crecv(text, message, sizeof message);
        if (message[0] != i)
            printf("%ld came in place of %ld\\n", message[0], i);
    }
    csend(heard, 0, 0, partner, 0);
}
static void measure(const char *who, int takes_part)
{
    gsync();
    const double begin = dclock();
    if (takes_part)
        stream(sizeof message[0]);
    gsync();
    if (mynode() == 0)
        printf("%s: %.0f us\\n", who, 1e6 * (dclock() - begin));
}

int main(void)
{
    measure("one", mynode() % 2 == 0);
    measure("two", 1);
    stream(sizeof message);
    gsync();
    if (mynode() == 0) {
        for (int i = 0; i < times; i++)
            csend(text, message, sizeof message, 2, 0);
        fflush(stdout);
        killcube(-1, -1);
    }
    crecv(heard, 0, 0);
    return 1;
}
"""


class Multiprocessors(BootCase):
    def times(self, *words: str) -> dict:
        boot = self.boot_well("APP=am_ring", "DESIGN=native", SHORT, *words)
        return {row["name"]: row["median"] for row in boot.record["rows"]}

    def test_a_message_to_another_multiprocessor_takes_the_wires_time_and_one_within_does_not(self):
        counted = ("CLOCK=counted", "MULTIPROCESSORS=2")
        within = self.times("NODES=2")
        between = self.times("NODES=2", *counted)
        self.assertEqual(between.keys(), within.keys())
        self.assertEqual(between, self.times("NODES=2", *counted))
        least_us = 2 * (5 + 1)  # there and back, the latency and a message's time on a wire
        for name, time in between.items():
            self.assertGreater(time, least_us, name)

    def test_one_sender_has_all_interfaces_of_a_pool_and_one_alone_where_they_are_divided(self):
        """Twenty messages have a wire for 100 us each, and the first what follows take some more."""
        program = self.compile("nxcc", "sharing.c", SHARING)
        counted = ("MULTIPROCESSORS=2", "NODES=4", "DESIGN=native", "CLOCK=counted")
        for interfaces, one, two in (
            ("number=1", 2000, 4000),
            ("number=2", 1000, 2000),
            ("pools=2", 2000, 2000),
        ):
            with self.subTest(interfaces=interfaces):
                said = self.boot_well(
                    f"APP={program}", *counted, f"INTERFACE=message=100us,queue=20,{interfaces}"
                ).text
                self.assertNotIn("in place of", said)
                for who, wires in (("one", one), ("two", two)):
                    time = int(re.search(rf"^{who}: (\d+) us$", said, re.M)[1])
                    self.assertGreater(time, wires, who)
                    self.assertLess(time, wires + 800, who)

    @seldom
    @needs("model")
    def test_two_runs_on_a_modelled_machine_are_the_same(self):
        words = (*MODELLED, "MULTIPROCESSORS=2", "NODES=4")
        self.assertEqual(self.times(*words), self.times(*words))

    @seldom
    @needs("model")
    def test_processors_of_one_multiprocessor_wait_for_its_bus_alone(self):
        waits = {}
        for parts in (1, 2):
            boot = self.boot_well(
                *("APP=fft", "NODES=4", "DESIGN=native", *MODELLED),
                f"MULTIPROCESSORS={parts}",
            )
            waits[parts] = sum(one["bus_waiting"] for one in boot.record["model"]["processors"])
        self.assertLess(waits[2], waits[1])

    def test_the_shared_behaviours_hold_between_multiprocessors(self):
        self.hold("behaviours", "exp6")

    @extra
    def test_the_programs_of_both_protocols_hold_between_multiprocessors(self):
        for app in ("selftest", "am_selftest"):
            for design in ("exp4", "native"):
                with self.subTest(app=app, design=design):
                    self.hold(app, design)

    @extra
    def test_the_shared_behaviours_hold_where_buffers_are_lent_or_change_owner(self):
        for design in ("exp1", "exp2", "exp5", "nx2"):
            with self.subTest(design=design):
                self.hold("behaviours", design)

    def hold(self, app: str, design: str, *words: str) -> None:
        boot = self.boot("MULTIPROCESSORS=2", "NODES=4", f"APP={app}", f"DESIGN={design}", *words)
        self.assertEqual(boot.status, 0, boot.text[-3000:])
        self.assertRegex(boot.text, r"\n[1-9]\d* passed, 0 failed\n")

    def test_what_cannot_be_divided_so_is_refused_with_one_sentence(self):
        for words, sentence in (
            (("NODES=4", "PROCESSORS=3"), "3 processors cannot be divided into MULTIPROCESSORS=2"),
            (("NODES=1", "PROCESSORS=2"), "has 1 node for MULTIPROCESSORS=2: take at least 2"),
            (("NODES=3", "PROCESSORS=4"), "has 3 nodes for MULTIPROCESSORS=2, which have as many each"),
            ((*MODELLED, "NODES=2", "PROCESSORS=4"), "2 processes for 4 processors"),
            ((*MODELLED, "GANG=shared"), "keeps its processor: leave out GANG="),
            (("CLOCK=modelled", "MACHINE=cedar"), "has clusters of its own, which are one multiprocessor"),
            (("BOOTS=2", "NODES=4"), "BOOTS=2 boots several: leave out one of them"),
            (("DESIGN=exp6,transport=process",), "names another transport"),
            (("DESIGN=exp6,transport=interfaces:4",), "is transport=interfaces:2, and exp6"),
        ):
            with self.subTest(words=words):
                boot = self.boot("MULTIPROCESSORS=2", "APP=ring", *words)
                self.assertEqual(boot.status, 2, boot.text)
                self.assertIn(sentence, boot.text)
                self.assertEqual(boot.text.count("\n"), 1, boot.text)

    def test_what_no_interface_takes_is_refused_with_one_sentence(self):
        for words, sentence in (
            (("INTERFACE=look",), "'look' is not of the form NAME=VALUE, as look=2us."),
            (("INTERFACE=lok=2us",), "an interface has no 'lok'; did you mean look?"),
            (("INTERFACE=look=2",), "look is a time in ns, us or ms, as look=2us."),
            (("INTERFACE=look=2s",), "look is a time in ns, us or ms, as look=2us."),
            (("INTERFACE=latency=2000ms",), "latency is at most a second."),
            (("INTERFACE=queue=4us",), "queue is a number without a unit, as queue=8."),
            (("INTERFACE=queue=0",), "queue is 1 to 64."),
            (("INTERFACE=number=0",), "number is 1 to 16."),
            (("INTERFACE=number=17",), "number is 1 to 16."),
            (("INTERFACE=pools=2us",), "pools is a number without a unit, as pools=1."),
            (("INTERFACE=pools=4", "NODES=4"), "2 nodes in each multiprocessor for pools=4: take at most 2"),
            (("INTERFACE=rate=1,queue=2,rate=1",), "rate is said twice; say it once."),
            (("INTERFACE=look=2us", "DESIGN=exp6,transport=interfaces:2"), "leave out one of them."),
            (("INTERFACE=look=2us", "MULTIPROCESSORS=1"), "say MULTIPROCESSORS=2, too."),
            (("INTERFACE=number=2", "MULTIPROCESSORS=1"), "say MULTIPROCESSORS=2, too."),
        ):
            with self.subTest(words=words):
                boot = self.boot("MULTIPROCESSORS=2", "APP=ring", *words)
                self.assertEqual(boot.status, 2, boot.text)
                self.assertIn(sentence, boot.text)
                self.assertEqual(boot.text.count("\n"), 1, boot.text)

    def test_what_an_interface_takes_is_the_words_before_the_machines_files(self):
        values = {"multiprocessors": 2, "clock": "free", "machine": None, "interface": None}
        self.assertEqual(multiprocessors.transport(values), "transport=interfaces:2")
        values |= {"clock": "modelled", "machine": "enterprise"}
        of_machine = machine_file.read("enterprise").interface
        whole = "transport=interfaces:2:{latency}ns:{message}ns:{rate}:{queue}:{look}ns:{number}:{pools}"
        self.assertEqual(multiprocessors.transport(values), whole.format(**of_machine))
        values["interface"] = "look=3us,queue=2,number=4"
        self.assertEqual(
            multiprocessors.transport(values),
            whole.format(**{**of_machine, "look": 3000, "queue": 2, "number": 4}),
        )

    def test_each_look_takes_what_the_word_says(self):
        counted = ("NODES=2", "CLOCK=counted", "MULTIPROCESSORS=2")
        free, priced = self.times(*counted), self.times(*counted, "INTERFACE=look=50us")
        for name, time in free.items():
            self.assertGreater(priced[name], time + 2 * 50, name)  # each of both looks once, at least

    def test_processes_of_one_multiprocessor_look_where_nothing_comes(self):
        counted, design = ("NODES=2", "CLOCK=counted"), "DESIGN=native,transport=interfaces:1:0ns:0ns:1:1:"
        free, priced = self.times(*counted, f"{design}1ns"), self.times(*counted, f"{design}50us")
        for name, time in free.items():
            self.assertGreater(priced[name], time + 2 * 49, name)

    def test_a_process_looks_as_often_as_its_polling_says_and_hears_from_afar(self):
        """In user location and in the kernel's. Nobody else's polling has a say."""
        program = self.compile("nxcc", "polls.c", POLLS, f"-I{ROOT}")
        counted = ("MULTIPROCESSORS=2", "NODES=4", "INTERFACE=look=2us", "CLOCK=counted")
        for design in ("native", "exp6"):
            said = self.boot_well(f"APP={program}", f"DESIGN={design}", *counted).text
            told = re.findall(r"node (\d), ([\w ]+), ([\w:]+): (\d+) looks in (\d+) polls", said)
            looks = {
                (int(node), what, polling): (int(count), int(polls))
                for node, what, polling, count, polls in told
            }
            for what in ("Active Messages", "csends"):
                with self.subTest(design=design, what=what):
                    fixed, *fewer = (looks[0, what, polling] for polling in POLLINGS)
                    self.assertGreaterEqual(fixed[0], fixed[1])
                    for count, polls in fewer:
                        self.assertLess(8 * count, polls)
                        self.assertGreater(count, 0)
            for polling in POLLINGS:
                self.assertGreaterEqual(looks[1, "Active Messages", polling][0], 200)
                self.assertIn(f"under {polling} both came from afar\n", said)

    def test_near_active_messages_hold_up_no_far_one(self):
        """A poll takes four near ones; then it looks, or one does before so many more have been taken."""
        program = self.compile("nxcc", "near_and_far.c", near_and_far.PROGRAM, f"-I{ROOT}")
        for words, most in (
            (("DESIGN=native",), 4),
            (("DESIGN=exp6",), 4),
            (("DESIGN=native,polling=fractional:16", "INTERFACE=look=2us"), 4 + 16),
            (("DESIGN=exp6,polling=adaptive:4:64", "INTERFACE=look=2us"), 4 + 64),
        ):
            with self.subTest(words=words):
                said = self.boot_well(f"APP={program}", "NODES=4", "MULTIPROCESSORS=2", *words).text
                self.assertLessEqual(near_and_far.near_ones_before_the_far_one(said), most)

    def test_a_poll_of_active_messages_that_looks_nowhere_else_takes_few_instructions(self):
        program = self.compile("nxcc", "empty_polls.c", EMPTY_POLLS, "-O2", f"-I{ROOT}")
        counted = ("MULTIPROCESSORS=2", "NODES=2", "INTERFACE=look=2us", "CLOCK=counted", "DESIGN=native")
        said = self.boot_well(f"APP={program}", *counted).text
        takes, looks = map(int, re.search(r"a poll takes (\d+), (\d+) looks", said).groups())
        self.assertLessEqual(takes, 24 - 2)  # what it takes beside a function that returns at once
        self.assertEqual(looks, 0)

    def test_the_shared_behaviours_hold_under_each_polling(self):
        """And with many interfaces."""
        for polling, interfaces in ((POLLINGS[1], "number=3,pools=2"), (POLLINGS[2], "number=16,queue=64")):
            with self.subTest(polling=polling):
                self.hold("behaviours", f"exp6,polling={polling}", f"INTERFACE=look=2us,{interfaces}")

    @extra
    def test_active_messages_keep_their_promises_under_each_polling(self):
        for design in ("native", "exp6"):
            for polling in POLLINGS:
                with self.subTest(design=design, polling=polling):
                    self.hold("am_selftest", f"{design},polling={polling}", "INTERFACE=look=2us,number=3")

    def test_the_runner_and_the_transport_agree_on_what_there_may_be(self):
        listed = subprocess.run([f"{BUILD}/designs", "list"], capture_output=True, text=True, check=False)
        leaf = listed.stdout.partition("interfaces[:multiprocessors")[2].partition("\n  network")[0]
        self.assertTrue(leaf, listed.stdout[-2000:] + listed.stderr)
        told = re.findall(r"^ +([a-z]+)  .*: (\w+) to (\w+) \(default (\w+)\)$", leaf, re.M)
        units = {**multiprocessors.UNITS, "s": multiprocessors.LONGEST, "": 1}
        quantities = [
            (name, *(int(text.rstrip("nums")) * units[text.lstrip("0123456789")] for text in rest))
            for name, *rest in told
        ]
        ours = [
            (name, one.lowest, one.highest, one.default) for name, one in multiprocessors.QUANTITIES.items()
        ]
        self.assertEqual(quantities[1:], ours)
        self.assertEqual(quantities[0][2], multiprocessors.MOST)


if __name__ == "__main__":
    unittest.main()
