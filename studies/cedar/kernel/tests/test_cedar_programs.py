# SPDX-License-Identifier: MIT
"""The five programs of the study of Cedar, booted: spread over processors and clusters, each computes to the
last bit what plain loops compute."""

import re

from boot_case import BootCase, for_each, needs, rows

PROGRAMS = ("flo52", "arc2d", "mdg", "ocean", "adm")
CLUSTERS = {1: 1, 4: 1, 8: 1, 16: 2, 32: 4}  # by processors
JOB = '[[job]]\napp = "{program}"\nname = "{program}{words}"\nnodes = 1\nargs = "--length 20{words}"\n'


@for_each(tuple(CLUSTERS), "they_compute_what_plain_loops_compute_on", sample=(16,))
class CedarPrograms(BootCase):
    def they_compute_what_plain_loops_compute_on(self, processors):
        ways = (" --sequential", f" --clusters {CLUSTERS[processors]}")
        text = "".join(JOB.format(program=name, words=words) for name in PROGRAMS for words in ways)
        config = self.write("jobs.toml", text)
        boot = self.boot_well(f"CONFIG={config}", f"PROCESSORS={processors}", limit=300)
        for name in PROGRAMS:
            plain, spread = re.findall(rf"^{name.upper()}: sum (\S+)$", boot.text, re.M)
            self.assertEqual(spread, plain)


MESSAGES = (
    '[[job]]\napp = "adm"\nname = "alone"\nnodes = 1\nargs = "--length 20 --sequential"\n'
    '[[job]]\napp = "adm"\nname = "three"\nnodes = 3\nargs = "--length 20 --messages"\n'
)


@for_each(sorted(rows()), "they_compute_the_same_by_messages_under", sample=("exp1",))
class ByMessages(BootCase):
    def they_compute_the_same_by_messages_under(self, design):
        config = self.write("messages.toml", MESSAGES)
        boot = self.boot_well(f"CONFIG={config}", f"DESIGN={design}", "PROCESSORS=3")
        plain, shared = re.findall(r"^ADM: sum (\S+)$", boot.text, re.M)
        self.assertEqual(shared, plain)


@needs("model")
class OnTheModelledMachine(BootCase):
    def test_two_boots_take_the_same_to_the_nanosecond(self):
        words = ("APP=adm", "NODES=1", "PROCESSORS=10", "ARGS=--clusters 2 --length 20", "CLOCK=modelled")
        took = set()
        for _ in range(2):
            boot = self.boot_well(*words, "MACHINE=cedar", limit=300)
            took |= set(re.findall(r"^ADM: (\d+) ns$", boot.text, re.M))
        self.assertEqual(len(took), 1, took)
