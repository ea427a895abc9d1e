# SPDX-License-Identifier: MIT
"""Every way a run can end has its own exit status, and no lie passes for success."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

from runner_case import TOOLS, RunnerCase

sys.path.insert(0, TOOLS)
from parley_runner import cluster, emulator, outcome, request, watch  # noqa: E402
from parley_runner.status import Status  # noqa: E402

SOAK = os.path.join(TOOLS, "soak", "soak.py")


class Statuses(RunnerCase):
    def test_a_soak_of_an_unknown_part_names_a_near_one_and_makes_nothing(self):
        for words, said in (
            (["killls"], "make soak ONLY=killls: there is no such part; did you mean kills?\n"),
            (["zz"], "there is no such part; there are calls, kills,"),
            (["calls", "mutants"], "make soak ONLY=mutants: this part runs alone.\n"),
        ):
            done = subprocess.run(
                [sys.executable, "-B", SOAK, *words],
                cwd=self.folder,
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertFalse(os.path.exists(self.path("build/soak")))
            self.assertIn(said, done.stderr)

    def test_a_whole_story_is_a_success(self):
        done = self.run_fake("machine.good(); machine.exit(33)", "RECORD=record.json")
        self.assert_status(done, 0, "round trip")
        self.assertIn("free running", done.stdout)
        record = self.record()
        self.assertEqual(
            (record["status"], record["design"], record["nodes"]), ("success", "location=kernel", 2)
        )
        self.assertEqual(record["rows"][0]["median"], 1500.0)

    def test_a_failed_job_is_a_failure(self):
        self.assert_status(
            self.run_fake("""
            machine.plan(); machine.job(); machine.job_end(status="failed"); machine.end(failed=1, rows=0)
            machine.exit(35)"""),
            1,
            "failed",
        )

    def test_a_failure_names_the_calls_that_do_not_exist_and_a_success_does_not(self):
        script = """
            machine.plan(); machine.job(); machine.job_end(status=STATUS, unknown_calls="435 57 9999 ")
            machine.end(failed=FAILED, rows=0); machine.exit(EXIT)"""
        bad = script.replace("STATUS", '"failed"').replace("FAILED", "1").replace("EXIT", "35")
        self.assert_status(self.run_fake(bad), 1, "got ENOSYS: clone3, fork, number 9999.")
        good = script.replace("STATUS", '"ok"').replace("FAILED", "0").replace("EXIT", "33")
        self.assertNotIn("ENOSYS", self.run_fake(good).stderr)

    def test_a_leak_is_a_failure(self):
        self.assert_status(
            self.run_fake("""
            machine.plan(); machine.job(); machine.job_end(frames_leaked=3); machine.end(rows=0)
            machine.exit(33)"""),
            1,
            "left 3 behind",
        )

    def test_a_panic_after_success_is_a_panic(self):
        self.assert_status(
            self.run_fake("machine.good(); machine.frame(8, b'too late'); machine.exit(37)"), 3, "too late"
        )

    def test_a_panic_is_believed_even_with_the_exit_status_of_success(self):
        self.assert_status(self.run_fake("machine.good(); machine.frame(8, b'oh'); machine.exit(33)"), 3)

    def test_a_reset_is_a_triple_fault(self):
        self.assert_status(self.run_fake("machine.plan(); machine.exit(0)"), 4, "triple fault")

    def test_a_reset_after_success_is_a_triple_fault(self):
        self.assert_status(self.run_fake("machine.good(); machine.exit(0)"), 4)

    def test_silence_is_a_hang(self):
        self.assert_status(self.run_fake("machine.plan(); time.sleep(60)"), 5, "heartbeat")

    def test_silence_after_success_is_a_hang(self):
        self.assert_status(self.run_fake("machine.good(); time.sleep(60)"), 5)

    def test_a_job_that_the_kernel_stopped_at_its_limit_is_a_time_out(self):
        self.assert_status(
            self.run_fake("""
            machine.plan(); machine.job(); machine.job_end(status="limit"); machine.end(failed=1, rows=0)
            machine.exit(35)"""),
            6,
            "limit",
        )

    def test_an_exit_without_frames_is_no_result(self):
        self.assert_status(self.run_fake("machine.exit(33)"), 7, "plan")

    def test_an_exit_without_the_last_record_is_no_result(self):
        self.assert_status(self.run_fake("machine.plan(); machine.job(); machine.exit(33)"), 7, "end")

    def test_a_run_of_no_job_is_no_result(self):
        self.assert_status(
            self.run_fake("machine.plan(jobs=0); machine.end(jobs=0, rows=0); machine.exit(33)"), 7
        )

    def test_a_fake_table_on_standard_output_is_no_result(self):
        self.assert_status(self.run_fake("machine.say('round trip 1 us: success\\n'); machine.exit(33)"), 7)

    def test_a_truncated_record_is_damage(self):
        self.assert_status(
            self.run_fake("machine.good(); machine.raw(b'PRLY' + bytes(7)); machine.exit(33)"),
            8,
            "middle of frame",
        )

    def test_a_wrong_checksum_is_damage(self):
        self.assert_status(
            self.run_fake("machine.raw(b'PRLY\\1\\0\\0\\0' + bytes(12)); machine.exit(33)"), 8, "checksum"
        )

    def test_a_missing_frame_is_damage(self):
        self.assert_status(
            self.run_fake("machine.plan(); machine.sequence = 2; machine.end(); machine.exit(33)"),
            8,
            "missing",
        )

    def test_results_of_another_version_are_refused(self):
        for version in ("2", "", "1x"):
            done = self.run_fake(f"machine.plan(version='{version}'); machine.exit(33)")
            self.assert_status(done, 8, f"of version {version or 'none'}, and this runner reads 1; build")

    def test_a_missing_measurement_is_damage(self):
        self.assert_status(
            self.run_fake("""
            machine.plan(); machine.job(); machine.job_end(); machine.end(rows=5); machine.exit(33)"""),
            8,
            "5 rows",
        )

    def test_success_with_a_failed_job_is_a_contradiction(self):
        self.assert_status(
            self.run_fake("""
            machine.plan(); machine.job(); machine.job_end(status="failed"); machine.end(failed=1, rows=0)
            machine.exit(33)"""),
            8,
            "contradict",
        )

    def test_an_emulator_that_refuses_is_said_with_its_words(self):
        done = self.run_fake("os.write(2, b'no such machine'); machine.exit(1)")
        self.assert_status(done, 9, "no such machine")

    def test_a_missing_emulator_is_said(self):
        done = self.run_fake("", PARLEY_EMULATOR="/nonexistent/qemu")
        self.assert_status(done, 9, "could not be started: /nonexistent/qemu: there is no such program")

    def test_interrupt_terminate_and_hangup_end_the_emulator(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number=number):
                self.interrupt(number)

    def interrupt(self, number: int):
        process = self.start(
            "machine.plan(); machine.say(f'pid {os.getpid()}\\n'); time.sleep(60)", PARLEY_HANG_SECONDS="50"
        )
        emulator = int(process.stdout.readline().split()[1])
        process.send_signal(number)
        process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130)
        self.assert_gone(emulator)

    def test_a_killed_runner_leaves_no_emulator(self):
        process = self.start("machine.plan(); machine.say(f'pid {os.getpid()}\\n'); time.sleep(60)")
        emulator = int(process.stdout.readline().split()[1])
        process.kill()
        process.communicate(timeout=10)
        self.assert_gone(emulator)

    def test_a_reader_that_goes_away_ends_the_run_and_the_emulator(self):
        process = self.start(
            "machine.plan(); machine.say(f'pid {os.getpid()}\\n')\n"
            "while True: machine.say('more\\n'); machine.heartbeat(); time.sleep(0.01)"
        )
        emulator = int(process.stdout.readline().split()[1])
        process.stdout.close()
        self.assertEqual(process.wait(timeout=20), -signal.SIGPIPE, process.stderr.read())
        process.stderr.close()
        self.assert_gone(emulator)

    def another_machine(self) -> tuple[cluster.Others, subprocess.Popen]:
        """One that ends by and by, when the first one has ended."""
        ends = [os.pipe() for _ in range(3)]
        process = subprocess.Popen(["sleep", "60"], pass_fds=[end for _, end in ends], process_group=0)
        for _, end in ends:
            os.close(end)
        machine = emulator.Emulator(process, *(end for end, _ in ends))
        others = cluster.Others(request.make(["BOOTS=2", "NODES=2"]), "", "", None, lambda lines: None)
        self.addCleanup(others.close)
        others.machines.append(cluster.Other(others.request, 1, machine, None, others.on_lines))
        others.machines[0].thread.start()
        return others, process

    def test_a_machine_that_long_outlasts_the_first_is_ended_with_a_sentence(self):
        others, _ = self.another_machine()
        with mock.patch.object(cluster, "PATIENCE", 0):
            (seen,) = others.finish(watch.Seen())
        status, sentence = outcome.judge(seen)
        self.assertEqual(status, Status.TIME_OUT, sentence)
        self.assertIn("still ran long after the first one had ended", sentence)

    def test_a_machine_for_which_the_host_has_no_time_is_not_late(self):
        others, process = self.another_machine()
        os.kill(process.pid, signal.SIGSTOP)
        looks = threading.Semaphore(0)
        tick = others.machines[0].watch.clock.tick

        def counted():
            looks.release()
            return tick()

        others.machines[0].watch.clock.tick = counted
        with mock.patch.object(cluster, "PATIENCE", 0.1):
            finishing = threading.Thread(target=others.finish, args=(watch.Seen(),))
            finishing.start()
            for _ in range(8):  # a quarter of a second each
                self.assertTrue(looks.acquire(timeout=20))
            self.assertTrue(finishing.is_alive())
            os.kill(process.pid, signal.SIGCONT)
            finishing.join(20)
        self.assertFalse(finishing.is_alive())
        self.assertEqual(others.machines[0].seen.ended_by, "late")

    def assert_gone(self, pid: int):
        for _ in range(50):
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return
            except OSError:
                return
            time.sleep(0.1)
        self.fail(f"the emulator {pid} is still there")


if __name__ == "__main__":
    unittest.main()
