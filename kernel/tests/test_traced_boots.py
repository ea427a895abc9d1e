# SPDX-License-Identifier: MIT
"""Traces of booted machines: every message has its arrow, wherever the message system lives."""

import json
import os
import sys
import unittest
import xml.etree.ElementTree

from boot_case import ROOT, BootCase, for_each, needs

sys.path.insert(0, os.path.join(ROOT, "tools"))
from parley_runner import trace_command  # noqa: E402
from parley_trace import reading  # noqa: E402

COLLECTIVE = """#include <nx.h>
int main(void)
{
    double sum = mynode(), work;
    gdsum(&sum, 1, &work);
    return sum == numnodes() * (numnodes() - 1) / 2 ? 0 : 1;
}
"""
# With 40 messages each way between two nodes.
TALK = """#include <nx.h>
int main(void)
{
    char *block = nx_alloc(64);
    for (int i = 0; i < 40; i++)
        if (mynode() == 0)
            csend(i, block, 64, 1, 0), crecv(i, block, 64);
        else
            crecv(i, block, 64), csend(i, block, 64, 0, 0);
    return 0;
}
"""
OWN_EVENTS = """#include <nx.h>
#include <nx_semaphores.h>
int main(void)
{
    long semaphore = nx_semaphore(3, 1);
    for (int i = 0; i < 4; i++) {
        nx_event(372, -i);
        P(semaphore);
        V(semaphore);
    }
    return 0;
}
"""
SLEEPER = """#include <unistd.h>
int main(void) { return usleep(300000); }
"""
JOBS = """
nodes = 2
processors = 4
jobs = "together"
app = "fft"
args = "--points 128 --samples 2 --check no"
[[job]]
name = "first"
design = "exp4"
[[job]]
name = "second"
design = "exp5"
"""


@for_each(
    ("exp1", "exp3", "exp4", "exp5", "exp6", "exp3,location=user", "exp6,port=reuse"),
    "every_message_has_an_arrow",
    sample=("exp1", "exp3,location=user"),
)
@needs("traced")
@for_each((4, 8), "a_collective_is_no_longer_than_it_must_be")
class Tracing(BootCase):
    def trace(self, *words: str, name: str = "t.json"):
        path = os.path.join(self.folder, name)
        boot = self.boot_well(f"TRACE={path}", *words)
        with open(path, "rb") as file:
            return boot, file.read()

    def every_message_has_an_arrow(self, design: str):
        program = self.compile("nxcc", "talk.c", TALK)
        _, content = self.trace(f"DESIGN={design}", f"APP={program}", "NODES=2")
        data = json.loads(content)
        self.assertEqual(data["otherData"]["lost_records"], 0)
        phases = {phase: [e for e in data["traceEvents"] if e["ph"] == phase] for phase in "sf"}
        self.assertEqual((len(phases["s"]), len(phases["f"])), (80, 80))
        starts = {e["id"]: e["ts"] for e in phases["s"]}
        self.assertEqual(len(starts), 80)
        self.assertTrue(all(starts[e["id"]] <= e["ts"] for e in phases["f"]))
        how = {e["cat"] for e in data["traceEvents"] if e["name"].startswith("wait")}
        if design.startswith(("exp3", "exp4")):
            # A wait whose signal came before the process could go to sleep did not block.
            self.assertIn("blocked", how)
        else:
            self.assertEqual(how, {"spinning"})

    def a_collective_is_no_longer_than_it_must_be(self, nodes: int):
        program = self.compile("nxcc", "collective.c", COLLECTIVE)
        boot, _ = self.trace(f"APP={program}", f"NODES={nodes}", "CLOCK=counted")
        found = int(boot.text.split("longest chain ")[1].split(":")[0])
        self.assertLessEqual(found, (nodes - 1).bit_length() + 1)

    def test_a_program_s_own_events_p_and_v_stand_in_the_trace_wherever_it_is_written(self):
        program = self.compile("nxcc", "own.c", OWN_EVENTS)
        for design in ("exp4", "exp3,location=user"):
            self.trace(f"DESIGN={design}", f"APP={program}", "NODES=2", name="t.trace")
            kept = trace_command.load(os.path.join(self.folder, "t.trace"))
            for node in (0, 1):
                own = [(r.event, r.type, reading.signed(r.length)) for r in kept.trace.records
                       if r.process == node and r.event in ("event", "P", "V")]  # fmt: skip
                expected = [[("event", 372, -i), ("P", 3, 0), ("V", 3, 0)] for i in range(4)]
                self.assertEqual(own, sum(expected, []), design)
            self.assertGreater(kept.jobs[0]["record_picoseconds"], 0)

    def test_who_sleeps_is_dispatched_once_when_its_time_is_over(self):
        program = self.compile("nxcc", "sleeper.c", SLEEPER)
        self.trace(f"APP={program}", "NODES=2", "PROCESSORS=1", "CLOCK=counted", name="t.trace")
        kept = trace_command.load(os.path.join(self.folder, "t.trace"))
        woken = [r for r in kept.trace.records if (r.process, r.event) == (1, "wake")]
        self.assertEqual(len(woken), 1)

    def test_a_picture_is_well_formed(self):
        program = self.compile("nxcc", "talk.c", TALK)
        _, content = self.trace(f"APP={program}", name="t.svg")
        root = xml.etree.ElementTree.fromstring(content)
        self.assertEqual(sum(e.get("class") == "arrow" for e in root.iter()), 80)

    def test_records_for_which_there_is_no_room_are_counted(self):
        program = self.compile("nxcc", "talk.c", TALK)
        boot, content = self.trace(f"APP={program}", "TRACE_RECORDS=50")
        self.assertGreater(json.loads(content)["otherData"]["lost_records"], 100)
        self.assertIn("records were lost", boot.text)

    def test_a_profile_says_where_the_time_went(self):
        program = self.compile("nxcc", "talk.c", TALK)
        for design in ("exp5", "exp6"):
            boot = self.boot_well("PROFILE=1", f"DESIGN={design}", f"APP={program}", "CLOCK=counted")
            for entry in boot.record["times"][:2]:
                self.assertGreaterEqual(entry["calls"], 80)
                self.assertLess(0, entry["waiting"])
                self.assertLess(entry["waiting"], entry["inside"])
                self.assertLess(entry["inside"], entry["life"])

    @needs("traced-static")
    def test_static_dispatch_can_be_traced(self):
        program = self.compile("nxcc", "talk.c", TALK)
        boot, content = self.trace(f"APP={program}", "DISPATCH=static", "PROFILE=1")
        self.assertEqual(boot.record["dispatch"], "static")
        self.assertEqual(sum(e["ph"] == "f" for e in json.loads(content)["traceEvents"]), 80)

    def test_jobs_and_gangs_are_traced_together(self):
        path = self.write("jobs.toml", JOBS)
        _, content = self.trace(f"CONFIG={path}")
        events = json.loads(content)["traceEvents"]
        tracks = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
        jobs = {e["args"]["name"] for e in events if e["name"] == "process_name"}
        self.assertTrue(any("first" in name for name in jobs | tracks), jobs | tracks)
        self.assertTrue(any("second" in name for name in jobs | tracks), jobs | tracks)
        sends, receives = ({e["id"] for e in events if e["ph"] == phase} for phase in "sf")
        self.assertEqual(sends, receives)
        self.assertGreater(len(sends), 50)


if __name__ == "__main__":
    unittest.main()
