# SPDX-License-Identifier: MIT
"""MULTIPROCESSORS: one booted machine, divided into several that simulated network interfaces join."""

import os
import re
import subprocess
import sys
import unittest

from boot_case import BUILD, ROOT, BootCase, extra, seldom

sys.path.append(os.path.join(ROOT, "tools"))
from parley_runner import multiprocessors  # noqa: E402

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
    def test_two_runs_on_a_modelled_machine_are_the_same(self):
        words = ("CLOCK=modelled", "MACHINE=enterprise", "MULTIPROCESSORS=2", "NODES=4")
        self.assertEqual(self.times(*words), self.times(*words))

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
            (("NODES=1", "PROCESSORS=2"), "has 1 nodes for MULTIPROCESSORS=2: take at least 2"),
            (("NODES=3", "PROCESSORS=4"), "has 3 nodes for MULTIPROCESSORS=2, which have as many each"),
            (("BOOTS=2", "NODES=4"), "BOOTS=2 boots several: leave out one of them"),
            (("DESIGN=exp6,transport=process",), "names another transport"),
            (("DESIGN=exp6,transport=interfaces:4",), "is transport=interfaces:2, and exp6"),
        ):
            with self.subTest(words=words):
                boot = self.boot("MULTIPROCESSORS=2", "APP=ring", *words)
                self.assertEqual(boot.status, 2, boot.text)
                self.assertIn(sentence, boot.text)
                self.assertEqual(boot.text.count("\n"), 1, boot.text)

    def test_the_runner_and_the_transport_agree_how_many_there_may_be(self):
        listed = subprocess.run([f"{BUILD}/designs", "list"], capture_output=True, text=True, check=False)
        found = re.search(r"multiprocessors\D*(\d+) to (\d+)", listed.stdout)
        self.assertIsNotNone(found, listed.stdout[-2000:] + listed.stderr)
        self.assertEqual(int(found[2]), multiprocessors.MOST)


if __name__ == "__main__":
    unittest.main()
