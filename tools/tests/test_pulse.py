# SPDX-License-Identifier: MIT
"""What counts as a hang: a machine that is silent for long in its own time, never one that the host keeps
waiting."""

import os
import signal
import subprocess
import sys
import time
import unittest

from runner_case import TOOLS, RunnerCase

sys.path.insert(0, TOOLS)
from parley_runner import pulse, watch  # noqa: E402
from parley_runner.emulator_clock import EmulatorClock  # noqa: E402

SPIN = "while True: pass"
# Says when it has started, so that what Python needs for that is not measured.
READY = "import os, time; os.write(1, b'.')\n"


class Clock(unittest.TestCase):
    """Of a process that stands for the emulator."""

    def process(self, code: str) -> subprocess.Popen:
        process = subprocess.Popen([sys.executable, "-c", READY + code], stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.stdout.read(1)
        return process

    def seconds(self, clock: EmulatorClock, wall: float) -> float:
        """What the clock counts meanwhile, as the runner looks at it."""
        before, end = clock.tick(), time.monotonic() + wall
        while time.monotonic() < end:
            time.sleep(0.1)
            clock.tick()
        return clock.seconds - before

    def computed(self, process: subprocess.Popen) -> float:
        with open(f"/proc/{process.pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) / 1e9

    def test_what_it_computes_counts(self):
        process = self.process(SPIN)
        clock, before = EmulatorClock(process.pid), self.computed(process)
        counted = self.seconds(clock, 1)
        self.assertAlmostEqual(counted, self.computed(process) - before, delta=0.1)

    def test_sleep_of_its_own_accord_counts(self):
        self.assertGreater(self.seconds(EmulatorClock(self.process("time.sleep(60)").pid), 1), 0.8)

    def test_a_stopped_one_is_not_blamed(self):
        for code in (SPIN, "time.sleep(60)"):
            process = self.process(code)
            clock = EmulatorClock(process.pid)
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.2)
            clock.tick()
            self.assertLess(self.seconds(clock, 1), 0.05)

    def test_the_gap_in_which_the_runner_did_not_run_counts_once(self):
        clock = EmulatorClock(self.process("time.sleep(60)").pid)
        clock.at -= 3600
        self.assertLessEqual(clock.tick(), 1.0)

    def test_where_the_host_does_not_tell_all_time_counts(self):
        clock = EmulatorClock(1 << 30)
        self.assertGreater(self.seconds(clock, 0.5), 0.4)


class Patience(unittest.TestCase):
    def test_silence_is_measured_by_the_start(self):
        """A slow machine may be silent for longer, in proportion; a fast one for the least silence."""
        fast, slow, slower = (self.after(start) for start in (0.001, 20.0, 40.0))
        self.assertEqual(fast.patience, pulse.LEAST_SILENCE)
        self.assertEqual(slower.patience, 2 * slow.patience)
        self.assertTrue(fast.stopped(0.001 + pulse.LEAST_SILENCE * 1.01))
        self.assertFalse(slow.stopped(20 + 20 * (pulse.TIMES_THE_START - 1)))
        self.assertTrue(slow.stopped(20 + 20 * (pulse.TIMES_THE_START + 1)))

    def after(self, start: float, turns: float = 0) -> pulse.Pulse:
        result = pulse.Pulse(turns)
        result.beat(start)
        return result

    def test_a_beat_ends_a_silence(self):
        one = self.after(1.0)
        one.beat(1.0 + 0.9 * one.patience)
        self.assertFalse(one.stopped(1.0 + 1.8 * one.patience))
        self.assertAlmostEqual(one.longest, 0.9 * one.patience)

    def test_processors_that_take_turns_are_waited_for(self):
        turns = pulse.turns(65)
        self.assertGreaterEqual(turns, 65 * 0.1)
        self.assertGreaterEqual(self.after(0.1, turns=turns).patience, self.after(0.1).patience + turns)

    def test_a_fast_machine_that_is_modelled_is_waited_for_as_long_as_its_heartbeats_take(self):
        """10 ms of 10 processors that take 0.05 ns an instruction are two thousand million instructions."""
        self.assertGreater(pulse.turns(10, 0.05e-9), 2e9 / 1e7)
        self.assertEqual(pulse.turns(10, 1e-6), pulse.turns(10))

    def test_before_the_first_sign_of_life_the_firmware_has_its_time(self):
        self.assertFalse(pulse.Pulse(0).stopped(20 * pulse.LEAST_SILENCE))
        self.assertTrue(pulse.Pulse(0).stopped(40 * pulse.LEAST_SILENCE))


class Hangs(RunnerCase):
    """Through the whole runner, with the least silence of a second."""

    def test_a_machine_that_began_slowly_is_waited_for(self):
        done = self.run_fake(
            """
            while time.process_time() < 0.5: pass
            machine.plan(); time.sleep(4); machine.job(); machine.row(); machine.job_end(); machine.end()
            machine.exit(33)"""
        )
        self.assert_status(done, 0)

    def test_a_machine_that_began_slowly_and_then_stops_hangs_all_the_same(self):
        self.assert_status(
            self.run_fake("while time.process_time() < 0.1: pass\nmachine.plan(); time.sleep(60)"),
            5,
            "gave no heartbeat for",
        )

    def test_a_machine_that_never_begins_hangs(self):
        done = self.run_fake("time.sleep(60)", PARLEY_HANG_SECONDS="0.1")
        self.assert_status(done, 5, "gave no sign of life")

    def test_a_stopped_emulator_is_not_blamed(self):
        """SIGSTOP for many times the least silence, as a host that swaps or sleeps."""
        process = self.start(
            """
            machine.heartbeat(0); machine.plan(); machine.say(f'pid {os.getpid()}\\n'); time.sleep(0.5)
            machine.job(); machine.row(); machine.job_end(); machine.end(); machine.exit(33)""",
            PARLEY_HANG_SECONDS="0.2",
        )
        emulator = int(process.stdout.readline().split()[1])
        os.kill(emulator, signal.SIGSTOP)
        time.sleep(8)
        os.kill(emulator, signal.SIGCONT)
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, out + errors)

    def test_a_job_that_was_told_to_end_and_does_not_is_a_hang(self):
        script = """
            machine.plan(); machine.job()
            for tenth in range(3000): # far below the bound of the jobs' own limits
                machine.heartbeat(tenth * 10**7, overdue=tenth * 10**7); time.sleep(0.02)"""
        self.assert_status(self.run_fake(script), 5, "after a job was told to end")

    def test_a_job_that_takes_a_while_to_end_is_not(self):
        script = """
            machine.plan(); machine.job()
            for second in range(10):
                machine.heartbeat(second * 10**9, overdue=second * 10**9); time.sleep(0.02)
            machine.heartbeat(11 * 10**9)
            machine.row(); machine.job_end(); machine.end(); machine.exit(33)"""
        self.assert_status(self.run_fake(script), 0)


class Limits(RunnerCase):
    def test_jobs_have_their_limits_one_by_one(self):
        """The second job is not too late because the first took long."""
        jobs = 'limit = 90\n[[job]]\napp = "ring"\n[[job]]\napp = "ring"\nlimit = 30\n'
        config = self.write("two.toml", jobs)
        story = """
            machine.plan(jobs=2)
            for job in range(2):
                machine.job(job); machine.heartbeat((60 + 50 * job) * 10**9); machine.row(job=job)
                machine.job_end(job)
            machine.end(jobs=2, rows=2); machine.exit(33)"""
        self.assert_status(self.run_fake(story, f"CONFIG={config}", "RECORD=record.json"), 0)
        self.assertEqual([job["limit"] for job in self.record()["asked"]["jobs"]], [90, 30])

    def test_a_machine_that_never_comes_to_an_end_is_a_time_out(self):
        endless = """
            machine.plan()
            for second in range(10**9): machine.heartbeat(second * 10**9); time.sleep(0.01)"""
        self.assert_status(self.run_fake(endless, "LIMIT=1"), 6, "long after the limits of its jobs")


class Loop(unittest.TestCase):
    """The loop over a process that stands for the emulator."""

    def test_whatever_goes_wrong_in_the_runner_the_emulator_ends(self):
        for problem in (ValueError, BrokenPipeError, MemoryError, SystemExit):
            with self.subTest(problem=problem):
                self.fail_with(problem)

    def fail_with(self, problem: type):
        def console(_data):
            raise problem

        machine = self.emulator()
        one = watch.Watch(machine, [60], 0, lambda frame: None, console, lambda seen: None)
        with self.assertRaises(problem):
            one.run()
        self.assertEqual(machine.process.returncode, -signal.SIGKILL)
        machine.close()

    def emulator(self):
        from parley_runner.emulator import Emulator

        results, errors, console = os.pipe(), os.pipe(), os.pipe()
        process = subprocess.Popen(
            [sys.executable, "-c", "import os, time; os.write(1, b'x'); time.sleep(60)"],
            stdout=console[1],
            stderr=errors[1],
            pass_fds=(results[1],),
            process_group=0,
        )
        for pipe in (results, errors, console):
            os.close(pipe[1])
        return Emulator(process, results[0], console[0], errors[0])


if __name__ == "__main__":
    unittest.main()
