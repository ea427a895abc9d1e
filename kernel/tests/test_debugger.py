# SPDX-License-Identifier: MIT
"""The debugger's list of processes, by a gdb script against a booted kernel: stopped when the deadlock
is found."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from boot_case import RUNNER, BootCase, for_each
from test_deadlocks import STUCK

BUSY = """
#include <stdio.h>
int main(void)
{
    puts("away it goes");
    fflush(stdout);
    for (volatile long i = 0;; i++);
}
"""


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
@for_each(("exp4", "exp5", "exp6"), "processes_are_listed", sample=("exp4", "exp5"))
class Debugger(BootCase):
    def debug(self, *words: str) -> str:
        script = self.write(
            "script.gdb",
            "parley processes\n"
            "hbreak parley::kernel::Job::end\n"
            "continue\n"
            "parley processes\n"
            "kill\n",
        )
        command = [RUNNER, "debug", *words, "--", "-batch", "-x", script]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=100, cwd=self.folder
        )
        return done.stdout + done.stderr

    def processes_are_listed(self, design: str):
        program = self.compile("nxcc", "stuck.c", STUCK)
        text = self.debug(f"DESIGN={design}", "NODES=3", f"APP={program}")
        self.assertIn("No job runs:", text)
        state, processor = ("blocked", "-") if design == "exp4" else ("spinning", r"\d")
        self.assertRegex(text, rf"Job 0, {os.path.basename(program)}: {design}")
        for node, wait, queue in (
            (0, r"crecv\(selector 9, from any node\)", "0"),
            (
                1,
                r"crecv\(selector 5, from node 2\)",
                "2: type 7, 16 bytes, from node 0; type 5, 24 bytes, from node 0",
            ),
            (
                2,
                r"msgwait\(\d+\): irecv\(selector 11, from any node\)",
                "1: type 12, 8 bytes, from node 0",
            ),
        ):
            line = next(
                (line for line in text.splitlines() if re.match(rf" *{node} +0 ", line)), text[-3000:]
            )
            self.assertRegex(line, rf" *{node} +0 +{processor} +{state} +{wait} +{queue}$")

    def test_the_end_of_a_job_can_be_stopped_at_however_it_ends(self):
        for source, told in (
            ("int main(void) { return 0; }", "its job is over, and ended well."),
            ("int main(void) { return 3; }", "its job is over, and did not end well."),
            ("int main(void) { return *(volatile int *)8; }", "its job is over, and did not end well."),
        ):
            program = self.compile("nxcc", "ends.c", source)
            # Where the last process goes, the job is still listed; in Job::end it may be so no more.
            script = self.write(
                "ends.gdb",
                "hbreak parley::kernel::Job::process_gone\ncontinue\nparley processes\ncontinue\n",
            )
            command = [RUNNER, "debug", "NODES=1", f"APP={program}", "--", "-batch", "-x", script]
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=100, cwd=self.folder
            )
            with self.subTest(source=source):
                hits = re.findall(r"hit Breakpoint 1.*Job::process_gone", done.stdout)
                self.assertEqual(len(hits), 1, done.stdout)
                self.assertIn("Job 0, ends: ", done.stdout)
                self.assertIn(f"The machine has ended: {told}", done.stdout)

    def test_the_end_of_the_machine_is_told(self):
        for source, told in (
            ("int main(void) { return 0; }", "its job is over, and ended well."),
            ("int main(void) { return 3; }", "its job is over, and did not end well."),
        ):
            program = self.compile("nxcc", "ends.c", source)
            command = [RUNNER, "debug", "NODES=1", f"APP={program}", "--", "-batch", "-ex", "continue"]
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=100, cwd=self.folder
            )
            said = [line for line in done.stdout.splitlines() if line.startswith("The machine has ended")]
            self.assertEqual(
                said,
                [f"The machine has ended: {told} `quit' leaves gdb; `make debug' starts another."],
                done.stdout + done.stderr,
            )

    def test_control_c_stops_the_machine_and_not_the_session(self):
        program = self.compile("nxcc", "busy loop.c", BUSY)
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(RUNNER, [RUNNER, "debug", "NODES=1", f"APP={program}"])
        console = re.search(r"The console is in (\S+);", self.read_until(terminal, "runs."))[1]
        for wanted, typed in (
            ("(gdb) ", "hbreak main\n"),
            ("(gdb) ", "continue\n"),
            ("hit Breakpoint", "continue\n"),
            ("Continuing.", ""),
        ):
            self.answer(terminal, wanted, typed)
        self.await_text(console, b"away it goes")
        os.write(terminal, b"\x03")
        for wanted, typed in (
            ("received signal SIGINT", "print 1000 + 234\n"),
            ("= 1234", "kill\nquit\n"),
        ):
            self.answer(terminal, wanted, typed)
        self.read_until(terminal, "never")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)

    def answer(self, terminal: int, wanted: str, typed: str) -> None:
        self.assertIn(wanted, self.read_until(terminal, wanted))
        os.write(terminal, typed.encode())

    def await_text(self, path: str, text: bytes) -> None:
        """Until another process has written it."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with open(path, "rb") as file:
                if text in file.read():
                    return
            time.sleep(0.05)
        self.fail(f"{text!r} was not written to {path}")

    def read_until(self, terminal: int, wanted: str) -> str:
        """What the terminal shows up to `wanted`, or all that comes before it closes or falls silent."""
        text = ""
        while wanted not in text and select.select([terminal], [], [], 60)[0]:
            try:
                text += os.read(terminal, 4096).decode(errors="replace")
            except OSError:  # closed
                break
        return text


if __name__ == "__main__":
    unittest.main()
