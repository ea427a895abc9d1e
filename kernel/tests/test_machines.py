# SPDX-License-Identifier: MIT
"""BOOTS: jobs whose nodes are on several booted kernels, which the emulator's network joins."""

import os
import re
import signal
import subprocess
import sys
import unittest

from boot_case import ROOT, RUNNER, BootCase, extra, seldom

sys.path.append(os.path.join(ROOT, "tools"))
from parley_runner import wire  # noqa: E402

PROGRAMS = os.path.join(ROOT, "kernel", "tests", "programs")
FAULTY = "WIRE=5:5:10:7"  # of a hundred frames: lost, repeated, overtaken; and the seed
# One that ends badly on the second machine, while all others wait for ever.
LEAVING = (
    "#include <nx.h>\nint main(void) { char byte; if (mynode() == 3) return *(volatile int *)0;"
    " crecv(7, &byte, 1); return 0; }\n"
)
MEETING = (
    "#include <nx.h>\n#include <stdio.h>\nint main(void) { char byte; gsync();"
    ' if (mynode() == 0) { puts("met"); fflush(stdout); } crecv(7, &byte, 1); return 0; }\n'
)
# Node 0 waits for the end of node 3, which waits for a message.
AWAITING = (
    "#include <nx.h>\nint main(void) { char byte; if (mynode() == 0) waitall(3, 0);"
    " else crecv(7, &byte, 1); return 0; }\n"
)
# All wait for ever but node 1, which has left; node 3 has got what it does not ask for.
STUCK = (
    "#include <nx.h>\nint main(void) { char byte = 0; if (mynode() == 0) csend(9, &byte, 1, 3, 0);"
    " if (mynode() != 1) crecv(7, &byte, 1); return 0; }\n"
)
COMPUTING = "int main(void) { for (;;) __asm__ volatile(\"pause\"); }\n"


def emulator_of(runner: int, machine: int) -> int:
    """The process of that machine's emulator, which the runner has started."""
    with open(f"/proc/{runner}/task/{runner}/children", encoding="ascii") as file:
        children = [int(word) for word in file.read().split()]
    for child in children:
        with open(f"/proc/{child}/cmdline", "rb") as file:
            if f"machines=2:{machine}".encode() in file.read():
                return child
    raise AssertionError(f"machine {machine} has no emulator")


class Machines(BootCase):
    def program(self, name: str) -> str:
        with open(os.path.join(PROGRAMS, f"{name}.c"), encoding="utf-8") as file:
            return self.compile("nxcc", f"{name}.c", file.read())

    def on_two(self, app: str, *words: str, design: str = "exp4", nodes: int = 4, limit: int = 60):
        return self.boot("BOOTS=2", f"NODES={nodes}", f"APP={app}", f"DESIGN={design}", *words, limit=limit)

    def cross(self, messages: int, limit: int) -> None:
        boot = self.on_two(self.program("crossing"), f"ARGS={messages}", FAULTY, limit=limit)
        self.assertEqual(boot.status, 0, boot.text[-3000:])
        self.assertIn(f"crossing: {12 * messages} messages crossed", boot.text)
        nodes = sorted(process["node"] for process in boot.record["processes"])
        self.assertEqual(nodes, [0, 1, 2, 3])  # of both machines, in one record

    def test_nothing_is_lost_doubled_or_reordered_over_a_wire_that_does_all_three(self):
        self.cross(30, limit=60)

    @seldom
    def test_nothing_is_in_ten_thousand_messages(self):
        self.cross(834, limit=300)

    def test_a_program_that_fails_on_one_machine_ends_the_job_on_all(self):
        boot = self.on_two(self.compile("nxcc", "leaving.c", LEAVING))
        self.assertEqual(boot.record["jobs"][0]["status"], "failed", boot.text[-3000:])
        sentence = "On machine 1: Job leaving failed: node 3 tried to read at 0x0"
        self.assertIn(sentence, boot.record["sentence"])
        self.assertIn("it has ended on machine 1 (failed), so it ends here", boot.text)

    @seldom
    def test_a_machine_that_is_lost_ends_the_job_with_one_sentence(self):
        app = self.compile("nxcc", "meeting.c", MEETING)
        words = ["BOOTS=2", "NODES=2", f"APP={app}", "DESIGN=exp4", "LIMIT=300", "QUIET=1"]
        with subprocess.Popen(
            [RUNNER, "run", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as running:
            self.assertEqual(running.stdout.readline(), "met\n")
            os.kill(emulator_of(running.pid, machine=1), signal.SIGKILL)
            text = running.stdout.read()
        self.assertIn("machine 1 is lost: nothing was heard of it for 10 s; the job ends", text)
        self.assertIn("On machine 1: The emulator ended by signal SIGKILL", text)

    @seldom
    def test_a_machine_that_is_behind_hears_that_a_job_has_failed_whatever_comes_after(self):
        text = "".join(
            f'[[job]]\nname = "{what}{number}"\nargs = "{what}"\n'
            for number, what in enumerate(("write", "fail", "write", "fail"))
        )
        config = self.write("behind.toml", f'nodes = 16\napp = "{self.program("behind")}"\n{text}')
        design, out = "DESIGN=exp6,synchronization=two-phase", os.path.join(self.folder, "out")
        boot = self.boot("BOOTS=2", design, f"OUT={out}", f"CONFIG={config}")
        statuses = [job["status"] for job in boot.record["jobs"]]
        self.assertEqual(statuses, ["ok", "failed", "ok", "failed"], boot.text[-3000:])
        for job in ("fail1", "fail3"):
            self.assertIn(f"job {job}: it has ended on machine 0 (failed), so it ends here", boot.text)
        self.assertNotIn("is lost", boot.text)

    @extra
    def test_a_deadlock_ends_the_job_on_all_machines_and_each_tells_who_waits_for_what(self):
        boot = self.on_two(self.compile("nxcc", "stuck.c", STUCK))
        self.assertEqual(boot.record["jobs"][0]["status"], "deadlock", boot.text[-3000:])
        waits = "crecv(selector 7, from any node) waits for a message\n"
        here = f"  node 0: {waits}  node 1 left before, with status 0\n"
        there = f"  node 2: {waits}  node 3: {waits}    unmatched: type 9, 1 byte, from node 0"
        head = "parley: deadlock in job stuck: every process waits, so none can ever go on\n"
        follows = "parley: job stuck: it has ended on machine 0 (deadlock), so it ends here\n"
        self.assertIn(head + here, boot.text)
        self.assertIn(follows + there, boot.text)

    def test_programs_end_each_other_and_await_ends_over_machines_as_on_one(self):
        boot = self.on_two(self.program("ending"))
        told = re.findall(r"^ending: .*", boot.text, re.M)
        ends = ["ending: node 2 has ended with status 6", "ending: all have ended, and all were awaited"]
        self.assertEqual(told, ends, boot.text[-3000:])
        reasons = {process["node"]: process["reason"] for process in boot.record["processes"]}
        by_its_job = "ended by its own job"
        self.assertEqual(reasons, {0: "", 1: by_its_job, 2: "", 3: by_its_job})

    def test_the_shared_behaviours_hold_over_machines(self):
        self.hold("behaviours")

    @extra
    def test_the_programs_of_both_protocols_hold_over_machines(self):
        for app in ("selftest", "am_selftest"):
            with self.subTest(app=app):
                self.hold(app)

    @extra
    def test_the_shared_behaviours_hold_where_buffers_are_lent_or_change_owner(self):
        for design in ("exp1", "exp2", "exp1,context-switch=light"):
            with self.subTest(design=design):
                self.hold("behaviours", design)

    @extra
    def test_the_shared_behaviours_hold_on_three_machines(self):
        self.held(self.boot("BOOTS=3", "NODES=6", "APP=behaviours", "DESIGN=exp4", FAULTY, limit=120))

    def hold(self, app: str, design: str = "exp4") -> None:
        self.held(self.on_two(app, FAULTY, design=design))

    def held(self, boot) -> None:
        self.assertEqual(boot.status, 0, boot.text[-3000:])
        self.assertRegex(boot.text, r"\n[1-9]\d* passed, 0 failed\n")

    @seldom
    def test_who_awaits_the_end_of_one_that_waits_for_ever_deadlocks(self):
        boot = self.on_two(self.compile("nxcc", "awaiting.c", AWAITING))
        self.assertEqual(boot.record["jobs"][0]["status"], "deadlock", boot.text[-3000:])
        self.assertIn("node 0: waitall waits for programs to end", boot.text)

    @extra
    def test_the_limit_ends_the_job_on_all_machines(self):
        boot = self.on_two(self.compile("nxcc", "computing.c", COMPUTING), nodes=2, limit=1)
        self.assertEqual(boot.record["jobs"][0]["status"], "limit", boot.text[-3000:])

    def test_designs_and_words_that_do_not_work_over_it_are_refused_with_one_sentence(self):
        for words, sentence in (
            (("DESIGN=exp6", "CLOCK=counted"), "CLOCK=free only"),
            (("DESIGN=exp6", "NODES=1"), "has 1 node for BOOTS=2 machines"),
            (("DESIGN=exp6,transport=buffered",), "this transport keeps to one machine"),
            (("WIRE=1:2",), "is not LOST:REPEATED:OVERTAKEN"),
            (("BOOT=iso",), "exclude each other"),
        ):
            with self.subTest(words=words):
                boot = self.boot("BOOTS=2", "APP=ring", *words)
                self.assertEqual(boot.status, 2, boot.text)
                self.assertIn(sentence, boot.text)
                self.assertEqual(boot.text.count("\n"), 1, boot.text)

    @extra
    def test_what_the_kernel_cannot_carry_is_refused(self):
        for design in ("nx2", "exp4,location=user"):
            with self.subTest(design=design):
                boot = self.on_two("ring", design=design, nodes=2)
                self.assertEqual(boot.record["jobs"][0]["status"], "refused", boot.text[-2000:])
                self.assertRegex(boot.record["sentence"], "its nodes are on several machines")

    def test_the_runner_and_the_kernel_agree_how_many_machines_there_may_be(self):
        with open(os.path.join(ROOT, "kernel", "program", "configuration.hpp"), encoding="utf-8") as file:
            most = re.search(r"struct MachineTable {\s+static constexpr unsigned most = (\d+);", file.read())
        self.assertEqual(int(most[1]), wire.MOST_MACHINES)


if __name__ == "__main__":
    unittest.main()
