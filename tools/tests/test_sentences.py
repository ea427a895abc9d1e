# SPDX-License-Identifier: MIT
"""What a user reads when a program failed: who, how, and where in the program."""

import os
import re
import subprocess
import sys
import unittest

from runner_case import TOOLS, RunnerCase

sys.path.insert(0, TOOLS)
from parley_runner import addresses, outcome  # noqa: E402

PROGRAM = """
int inner(int value)
{
    return value + 1; /* line 4 */
}
int main(void) { return inner(2); }
"""
FAILED = """
machine.plan(); machine.job()
{processes}
machine.job_end(status="{status}", {more})
machine.end(failed=1, rows=0); machine.exit(35)"""


def process(node: int, status: int, reason: str = "", job: int = 0) -> str:
    fields = {"job": job, "node": node, "pid": 0, "status": status, "reason": reason}
    return f"machine.frame(6, {fields!r})"


class Sentences(RunnerCase):
    def failed(self, *processes: str, status: str = "failed", more: str = "", words=()) -> str:
        script = FAILED.format(processes="; ".join(processes), status=status, more=more)
        done = self.run_fake(script, "RECORD=record.json", *words)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_an_exit_status_is_told_with_its_node(self):
        said = self.failed(process(0, 0), process(2, 3))
        self.assertEqual(said, "exp6: failed: Job ring failed: node 2 exited with status 3.\n")

    def test_the_cause_is_told_and_not_what_ended_with_it(self):
        said = self.failed(process(0, 137, "ended with its job"), process(1, 128, "tried to read at 0x0"))
        self.assertIn("Job ring failed: node 1 tried to read at 0x0.", said)
        said = self.failed(process(1, 3), process(0, 4), process(2, 5))
        self.assertIn("node 1 exited with status 3 (and 2 other processes failed).", said)

    def test_the_host_is_called_so(self):
        script = FAILED.format(processes=process(2, 9), status="failed", more="")
        job = "machine.frame(3, {'job': 0, 'name': 'h', 'nodes': 2, 'host': 1, 'app': 'x', 'design': 'd'})"
        done = self.run_fake(script.replace("machine.job()", job))
        self.assertIn("Job h failed: the host exited with status 9.", done.stderr)

    def test_a_deadlock_and_a_refusal_say_so(self):
        self.assertIn("Job ring deadlocked: every process waits", self.failed(status="deadlock"))
        said = self.failed(status="refused", more="reason='there is too little memory'")
        self.assertIn("Job ring was refused: there is too little memory.", said)
        self.assertIn("Job ring was refused: the console says why.", self.failed(status="refused"))

    def test_with_the_console_hidden_no_sentence_is_empty(self):
        said = self.failed(
            process(3, 7), process(1, 137, "ended with its job"), words=("CONSOLE=hide", "NODES=4")
        )
        self.assertIn("exp6: node 3 exited with status 7\n", said)
        self.assertNotRegex(said, r"(?m): *$")
        self.assertNotIn("node 1", said)

    def compiled(self, *flags: str) -> tuple[str, int]:
        """A program, and where its function `inner` adds."""
        path, source = self.path("program"), self.write("bad.c", PROGRAM)
        line = ["gcc", "-g", "-O0", *flags, "-o", path, source]
        subprocess.run(line, check=True, capture_output=True)
        listing = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
        return path, int(re.search(r"^(\w+) T inner$", listing, re.M)[1], 16) + 4

    def test_addresses_become_function_file_and_line(self):
        for flags, start in (
            (("-static", "-no-pie"), 0),
            (("-static-pie",), addresses.LOW_SLOT),
            (("-static-pie",), addresses.DOMAIN_SLOTS_START + 3 * addresses.DOMAIN_SLOT_BYTES),
        ):
            with self.subTest(flags=flags):
                path, address = self.compiled(*flags)
                where = f"{address + start:#x}"
                reason = f"tried to read at 0x0, where it may not, in its instruction at {where}"
                said = self.failed(process(1, 128, reason), words=(f"APP={path}",))
                told = rf"node 1 tried to read at 0x0, .* not, in inner, bad\.c:[2-4] \(at {where}\)\."
                self.assertRegex(said, told)
                self.assertIn("inner, bad.c", self.record()["processes"][0]["reason"])

    def test_the_kernels_own_line_names_the_place_too(self):
        path, address = self.compiled("-static", "-no-pie")
        line = f"the program divided an integer by zero in its instruction at {address:#x}; its job ends"
        pieces = (
            "half a line of the program",
            f"\\nparley: job program, node 1: {line[:30]}",
            f"{line[30:]}\\nparley: what else at {address:#x}\\n",
        )
        say = "; ".join(f"machine.say('{piece}')" for piece in pieces)
        for words in (("CONSOLE=show",), ("CONSOLE=hide",)):
            script = FAILED.format(processes=say, status="failed", more="")
            told = self.run_fake(script, *words, f"APP={path}").stdout
            self.assertRegex(
                told,
                r"half a line of the program\nparley: job program, node 1: the program divided "
                rf"an integer by zero in inner, bad\.c:[2-4] \(at {address:#x}\); its job ends\n"
                rf"parley: what else at {address:#x}\n",
            )

    def test_programs_lie_where_the_kernel_puts_them(self):
        with open(os.path.join(TOOLS, "..", "kernel", "job", "domain_slots.hpp"), encoding="utf-8") as file:
            text = file.read()
        for name, value in (
            ("low_slot_start", addresses.LOW_SLOT),
            ("domain_slots_start", addresses.DOMAIN_SLOTS_START),
            ("domain_slot_bytes", addresses.DOMAIN_SLOT_BYTES),
        ):
            found = re.search(rf"uintptr_t {name} = (0x[\w']+);", text)[1]
            self.assertEqual(int(found.replace("'", ""), 16), value, name)

    def test_the_message_library_lies_where_the_kernel_maps_it(self):
        with open(os.path.join(TOOLS, "..", "interface", "start_info.h"), encoding="utf-8") as file:
            text = file.read()
        for name, value in (("LIBRARY", addresses.LIBRARY_START), ("SHARED", addresses.LIBRARY_END)):
            found = re.search(rf"#define PARLEY_{name}_BASE (0x\w+)UL", text)[1]
            self.assertEqual(int(found, 16), value, name)

    def test_an_address_that_the_program_does_not_know_stays(self):
        path, _ = self.compiled("-static-pie")
        reason = "divided an integer by zero in its instruction at 0x10"
        self.assertIn(f"node 1 {reason}.", self.failed(process(1, 128, reason), words=(f"APP={path}",)))

    def test_names(self):
        job = {"host": "1", "nodes": "4"}
        self.assertEqual(outcome.name_of({"node": "4"}, job), "the host")
        self.assertEqual(outcome.name_of({"node": "1", "pid": "2"}, job), "node 1, process 2")


if __name__ == "__main__":
    unittest.main()
