# SPDX-License-Identifier: MIT
"""MULTIPROCESSORS: one booted machine, divided into several that simulated network interfaces join."""

import os
import re
import subprocess
import sys
import unittest

from boot_case import BUILD, ROOT, BootCase, extra, needs, seldom

sys.path.append(os.path.join(ROOT, "tools"))
from parley_runner import machine_file, multiprocessors  # noqa: E402

MODELLED = ("CLOCK=modelled", "MACHINE=enterprise")
SHORT = "ARGS=--samples 3 --trips 5"


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

    def hold(self, app: str, design: str) -> None:
        boot = self.boot("MULTIPROCESSORS=2", "NODES=4", f"APP={app}", f"DESIGN={design}")
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
            (("INTERFACE=rate=1,queue=2,rate=1",), "rate is said twice; say it once."),
            (("INTERFACE=look=2us", "DESIGN=exp6,transport=interfaces:2"), "leave out one of them."),
            (("INTERFACE=look=2us", "MULTIPROCESSORS=1"), "say MULTIPROCESSORS=2, too."),
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
        whole = "transport=interfaces:2:{latency}ns:{message}ns:{rate}:{queue}:{look}ns"
        self.assertEqual(multiprocessors.transport(values), whole.format(**of_machine))
        values["interface"] = "look=3us,queue=2"
        self.assertEqual(
            multiprocessors.transport(values), whole.format(**{**of_machine, "look": 3000, "queue": 2})
        )

    def test_each_look_takes_what_the_word_says(self):
        counted = ("NODES=2", "CLOCK=counted", "MULTIPROCESSORS=2")
        free, priced = self.times(*counted), self.times(*counted, "INTERFACE=look=50us")
        for name, time in free.items():
            self.assertGreater(priced[name], time + 2 * 50, name)  # each of both looks once, at least

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
