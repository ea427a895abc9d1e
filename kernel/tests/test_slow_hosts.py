# SPDX-License-Identifier: MIT
"""A slow machine is waited for, whatever makes it slow; one that is stuck is found."""

import os
import signal
import subprocess
import threading
import time
import unittest

from boot_case import RUNNER, BootCase, extra, seldom

# Some of the dearest instructions that an emulator knows.
SLOW = """int main(void)
{
    for (int i = 0; i < 300000; i++)
        __asm__ volatile("fld1\\n fldl2e\\n fyl2x\\n fldpi\\n fpatan\\n fsincos\\n fpatan\\n fstp %st(0)");
    return 0;
}
"""
ENDLESS = "int main(void) { for (;;) { } }\n"
# A large image, in a part that is copied when the program is loaded.
LARGE = """volatile int data[MEBIBYTES << 18] = {1, 2, 3};
int main(void) { return data[0] - 1; }
"""


class SlowHosts(BootCase):
    def least_silence(self, seconds: float):
        """So that what depends on it only shows at once."""
        os.environ["PARLEY_HANG_SECONDS"] = str(seconds)
        self.addCleanup(os.environ.pop, "PARLEY_HANG_SECONDS")

    def assert_beats_all_the_time(self, boot):
        """Of a counted boot, whose guest time repeats: every tick, which comes in 10 ms, is a heartbeat, but
        for the start of the processors; and silence was far from the 150 times that are allowed."""
        host = boot.record["host"]
        self.assertLess(host["longest_gap"], 0.06)
        self.assertLess(host["longest_silence"], 45 * host["start_seconds"])

    def test_slow_instructions_are_waited_for_when_instructions_are_counted(self):
        self.least_silence(1)
        program = self.compile("nxcc", "slow.c", SLOW)
        self.assert_beats_all_the_time(self.boot_well(f"APP={program}", "NODES=1", "CLOCK=counted"))

    @extra
    def test_a_program_that_only_computes_is_ended_at_its_limit_when_instructions_are_counted(self):
        program = self.compile("nxcc", "endless.c", ENDLESS)
        boot = self.boot(f"APP={program}", "NODES=2", "CLOCK=counted", limit=1)
        self.assertEqual((boot.status, boot.record["jobs"][0]["status"]), (6, "limit"), boot.text[-2000:])
        self.assert_beats_all_the_time(boot)

    def test_building_large_jobs_does_not_keep_the_heart_from_beating(self):
        program = self.compile("nxcc", "large.c", LARGE, "-DMEBIBYTES=24")
        boot = self.boot_well(f"APP={program}", "NODES=16", "MEMORY=1024", "PROCESSORS=1", "CLOCK=counted")
        self.assert_beats_all_the_time(boot)

    @extra
    def test_a_host_that_gives_the_emulator_a_tenth_of_its_time(self):
        self.least_silence(1)
        boot = self.slowed(0.02, 0.18, "ARGS=--sizes 0 --trips 4 --samples 5", "LIMIT=600")
        self.assertEqual(boot.returncode, 0, boot.stdout + boot.stderr)

    def slowed(self, running: float, stopped: float, *words: str) -> subprocess.CompletedProcess:
        """A run whose emulator is stopped and continued all the time."""
        process = subprocess.Popen(
            [RUNNER, "run", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
        )
        thread = threading.Thread(target=hold_up, args=(process, running, stopped))
        thread.start()
        out, errors = process.communicate(timeout=600)
        thread.join()
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)

    @seldom
    def test_a_processor_that_is_lost_in_the_kernel_is_found(self):
        self.least_silence(1)
        boot = self.boot("PLANT=hang-at-exit", "ARGS=--sizes 0 --trips 4 --samples 5", limit=1)
        self.assertEqual(boot.status, 5, boot.text[-2000:])
        self.assertIn("a processor is lost in the kernel", boot.text)


def children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def hold_up(runner: subprocess.Popen, running: float, stopped: float) -> None:
    while runner.poll() is None:
        for number, pause in ((signal.SIGSTOP, stopped), (signal.SIGCONT, running)):
            for child in children(runner.pid):
                try:
                    os.kill(child, number)
                except OSError:
                    pass
            time.sleep(pause)


if __name__ == "__main__":
    unittest.main()
