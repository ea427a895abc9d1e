# SPDX-License-Identifier: MIT
"""The debugger's list of processes, by a gdb script against a booted kernel: stopped when the deadlock
is found."""

import os
import pty
import re
import select
import shutil
import subprocess
import unittest

from boot_case import RUNNER, BootCase, for_each
from test_deadlocks import STUCK


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
@for_each(("exp4", "exp5", "exp6"), "processes_are_listed")
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
            (2, r"msgwait\(\d+\)", "0"),
        ):
            line = next(
                (line for line in text.splitlines() if re.match(rf" *{node} +0 ", line)), text[-3000:]
            )
            self.assertRegex(line, rf" *{node} +0 +{processor} +{state} +{wait} +{queue}$")

    def test_control_c_stops_the_machine_and_not_the_session(self):
        program = self.compile("nxcc", "busy loop.c", "int main(void) { for (volatile long i = 0;; i++); }\n")
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(RUNNER, [RUNNER, "debug", "NODES=1", f"APP={program}"])
        for wanted, typed in (
            ("(gdb) ", "hbreak main\n"),
            ("(gdb) ", "continue\n"),
            ("hit Breakpoint", "continue\n"),
            ("Continuing.", "\x03"),
            ("received signal SIGINT", "print 1000 + 234\n"),
            ("= 1234", "kill\nquit\n"),
        ):
            seen = self.read_until(terminal, wanted)
            self.assertIn(wanted, seen)
            os.write(terminal, typed.encode())
        self.read_until(terminal, "never")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)

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
