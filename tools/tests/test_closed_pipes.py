# SPDX-License-Identifier: MIT
"""Commands whose output nobody reads any more, as behind `| head`: they end as other programs do, by SIGPIPE
and without a word."""

import os
import signal
import subprocess
import sys
import unittest

import made_records
from runner_case import RUNNER, TOOLS, RunnerCase

ROOT = os.path.dirname(TOOLS)
RECORD = "RECORD"  # stands for the path of a record
# What each command is asked that it can answer at once.
COMMANDS = (
    ("tools/parley", "help"),
    ("tools/parley", "--version"),
    ("tools/parley", "designs", "list", "--json"),
    ("tools/parley", "completion", "bash"),
    ("tools/parley", "record", "show", RECORD),
    ("tools/parley", "compare-runs", RECORD, RECORD),
    ("tools/parley", "trace", "--help"),
    ("native/nxtrace.py", "--help"),
    ("native/compare/compare.py", "--help"),
    ("tools/bench.py", "--help"),
    ("studies/cmmp/tools/rootfinder.py", "--help"),
    ("studies/cmmp/tools/harpy.py", "--help"),
    ("tools/soak/soak.py", "--help"),
    ("studies/paper/tools/applications.py", "--help"),
    ("studies/paper/tools/gangs.py", "--help"),
    ("studies/paper/tools/check_simplex.py", "--help"),
)
# The commands that print only what takes them long, or nothing; their last line is looked at instead.
LONG = (
    "studies/paper/tools/draw.py",
    "tools/profile/path_of_message.py",
    "studies/paper/tools/where_time_goes.py",
    "tools/checks/check_all.py",
    "testing/test_all.py",
)


class ClosedPipes(RunnerCase):
    def test_a_command_runs_without_standard_files(self):
        for how in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            command = ["sh", "-c", f'exec "$0" -B "$@" {how}', sys.executable, RUNNER, "--version"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), how)
            self.assertEqual(done.stdout.startswith("Parley"), ">&-" not in how.replace("2>&-", ""), how)

    def ended(self, line: list[str], **environment) -> tuple[int, str]:
        """The status of a command whose output goes to a pipe that nobody reads, and its complaints."""
        buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = subprocess.run(
                [sys.executable, "-B", *line],
                stdout=writer,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                cwd=self.folder,
                timeout=120,
                env={**buffered, "PARLEY_BUILD": self.build, **environment},
            )
        finally:
            os.close(writer)
        return done.returncode, done.stderr

    def test_every_command_ends_by_the_signal_and_without_a_word(self):
        self.write("build/designs", "#!/bin/sh\nwhile echo exp6; do :; done\n")
        record = made_records.written(self.path("a.json"), made_records.boot(made_records.ring()))
        # nxtrace finds its parts where they are installed.
        parts = os.path.join(self.folder, "lib", "parley")
        os.makedirs(parts)
        os.symlink(TOOLS, os.path.join(parts, "nxtrace"))
        os.makedirs(os.path.join(self.folder, "bin"))
        nxtrace = os.path.join(self.folder, "bin", "nxtrace")
        with open(os.path.join(ROOT, "native", "nxtrace.py"), encoding="utf-8") as file:
            self.write("bin/nxtrace", file.read())
        for program, *words in COMMANDS:
            with self.subTest(program=program, words=words):
                path = nxtrace if program == "native/nxtrace.py" else os.path.join(ROOT, program)
                line = [path, *(record if word == RECORD else word for word in words)]
                self.assertEqual(self.ended(line), (-signal.SIGPIPE, ""))

    def test_so_does_every_other_that_users_run(self):
        for name in (*LONG, *{program for program, *_ in COMMANDS} - {"tools/parley", "native/nxtrace.py"}):
            with open(os.path.join(ROOT, name), encoding="utf-8") as file:
                self.assertRegex(file.read(), r"sys\.exit\((ending|closing)\.of\(main\)\)\n", name)

    def test_a_run_ends_its_machine_first(self):
        script = """
            machine.plan(); machine.job()
            open("pid", "w").write(str(os.getpid()))
            while True: machine.say("still here\\n" * 100); time.sleep(0.01)"""
        environment = self.environment(script)
        status, said = self.ended([RUNNER, "run", "REMEASURE=0"], **environment)
        self.assertEqual((status, said), (-signal.SIGPIPE, ""))
        with open(self.path("pid"), encoding="utf-8") as file:
            machine = int(file.read())
        with self.assertRaises(ProcessLookupError):
            os.kill(machine, 0)

    def test_one_that_is_read_ends_with_its_own_status(self):
        done = subprocess.run(
            [sys.executable, RUNNER, "help"], capture_output=True, text=True, check=False, timeout=60
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
