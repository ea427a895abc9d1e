# SPDX-License-Identifier: MIT
"""What is measured on this host's own processors, of an nxrun that is made up: how jobs begin and end, which
batches are measured, and what tables say of batches made by hand."""

import contextlib
import io
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from collections.abc import Set

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..", "..")
sys.path[:0] = [
    *(os.path.join(HERE, ".."), os.path.join(ROOT, "tools"), os.path.join(ROOT, "native", "compare")),
]

import native  # noqa: E402
from clumps import document, native_kinds, native_runs, native_tables  # noqa: E402
from clumps.native_batches import Batches, Kept, fingerprint, turned  # noqa: E402
from clumps.native_kinds import Kind  # noqa: E402
from clumps.native_runs import Job  # noqa: E402
from clumps.native_tables import Column, Measured  # noqa: E402
from parley_study.kept_runs import RunFailed  # noqa: E402

CLAIMS = ("fifo", "lock-free", "anderson")
COMMAND = os.path.join(HERE, "..", "native.py")
# Behaves as its program's name says, and writes down what it does. Its program follows `--record FILE'.
NXRUN = """#!/usr/bin/python3
import json, os, signal, sys, time
at = sys.argv.index("--record") + 1
record, program, words = sys.argv[at], os.path.basename(sys.argv[at + 1]), sys.argv[at + 2:]
def note(what):
    with open(os.path.join(os.environ["NOTES"], "notes"), "a") as file:
        file.write(f"{program} {what} {os.getpid()}\\n")
note("starts")
if program == "late":
    print("late: something is wrong")
    sys.exit(0)
if "--together" in words:
    time.sleep(0.2 if program == "slow" else 0)
    note("is ready")
    print(f"{program}: ready", flush=True)
    sys.stdin.readline() or sys.exit(1)
    note("begins")
if program == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if program in ("endless", "sequential", "loggp", "stubborn"):
    time.sleep(60)
if program == "over":
    sys.exit(6)
if program == "wrong":
    print("wrong: one message was wrong")
    sys.exit(1)
rows = [{"name": "time", "median": 2e6 if program == "slow" else 1e6}]
with open(record, "w") as file:
    json.dump({"rows": rows}, file)
print("all messages right" if program != "silent" else "")
sys.exit(program == "failed")
"""


def is_there(process: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


class WithNxrun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(os.path.join(self.folder, "bin"))
        path = os.path.join(self.folder, "bin", "nxrun")
        with open(path, "w", encoding="utf-8") as file:
            file.write(NXRUN)
        os.chmod(path, 0o755)
        given = unittest.mock.patch.dict(os.environ, NOTES=self.folder)
        given.start()
        self.addCleanup(given.stop)

    def notes(self) -> list[list[str]]:
        with contextlib.suppress(FileNotFoundError):
            with open(os.path.join(self.folder, "notes"), encoding="utf-8") as file:
                return [line.rsplit(maxsplit=1) for line in file.read().splitlines()]
        return []

    def assert_all_ended(self) -> None:
        for what, process in self.notes():
            self.assertFalse(is_there(int(process)), what)

    def run_of(self, *programs: str, **more: bool) -> list[native_runs.Rows] | None:
        endless = ("endless",)
        jobs = [
            Job(program, "fifo", 2, "", **({"endless": program in endless} | more)) for program in programs
        ]
        return native_runs.run(jobs, self.folder)


class Runs(WithNxrun):
    def test_what_a_job_has_measured_is_read(self):
        self.assertEqual(self.run_of("quick"), [{"time": 1e6}])

    def test_jobs_begin_when_all_are_ready_and_all_of_them_end(self):
        found = self.run_of("quick", "slow", "endless", together=True)
        self.assertEqual(native_runs.seconds(found, "time"), 1.5)
        said = [what.split()[-1] for what, _ in self.notes()]
        self.assertEqual(sorted(said), ["begins"] * 3 + ["ready"] * 3 + ["starts"] * 3)
        self.assertLess(max(at for at, one in enumerate(said) if one == "ready"), said.index("begins"))
        self.assert_all_ended()

    def test_a_job_that_takes_too_long_is_no_failure(self):
        self.assertIsNone(self.run_of("over"))
        self.assertIsNone(self.run_of("quick", "over", "endless", together=True))
        self.assertEqual(native_runs.seconds(None, "time"), math.inf)
        self.assert_all_ended()

    def test_a_job_that_fails_is_told(self):
        for program, sentence in (
            ("wrong", "wrong: one message was wrong"),
            ("failed", "the run failed"),
            ("silent", "nxrun -n 2 -d native,port=fifo --no-pin --limit 20 silent: the run failed"),
        ):
            with self.assertRaisesRegex(RunFailed, sentence):
                self.run_of(program, "endless", pinned=False)
        with self.assertRaisesRegex(RunFailed, "late: something is wrong"):
            self.run_of("late", "endless", together=True)
        self.assert_all_ended()

    def test_what_does_not_end_when_it_is_asked_to_is_killed(self):
        with unittest.mock.patch.multiple(native_runs, PATIENCE=0.2):
            with self.assertRaisesRegex(RunFailed, "nxrun did not end it at its limit"):
                native_runs.run([Job("stubborn", "fifo", 2, "", limit=0)], self.folder)
        self.assert_all_ended()


class Kinds(unittest.TestCase):
    def test_the_latency_is_what_the_others_leave(self):
        rows = {"RTT": 10.0, "o_s": 1.0, "o_s + o_r": 3.0, "g": 4.0, "G": 5.0}
        found = native_kinds.of_loggp([rows])
        self.assertEqual(found, {"RTT": 10, "o_s": 1, "o_r": 2, "L": 2, "g": 4, "G": 5})

    def test_writers_go_as_far_as_processors_do_and_a_few_farther(self):
        self.assertEqual(native_kinds.numbers_of_writers(2), [1, 2, 3, 4])
        self.assertEqual(native_kinds.numbers_of_writers(8), [1, 2, 3, 4, 5, 6, 7])
        self.assertEqual(native_kinds.numbers_of_writers(24), [1, 2, 3, 4, 5, 6, 7, 8, 16, 23])

    def test_a_parallel_job_has_a_power_of_two_of_processes(self):
        self.assertEqual([native_kinds.parallel_processes(count) for count in (2, 6, 1000)], [2, 4, 256])

    def test_a_mix_is_of_unpinned_jobs_that_begin_together_and_its_time_is_by_job(self):
        kind = native_kinds.mix("EM3D", "1P+2S", 2, 512)
        parallel, *beside = kind.jobs("fifo")
        self.assertEqual((parallel.program, parallel.claim, parallel.endless), ("em3d", "fifo", False))
        self.assertEqual([(job.program, job.endless) for job in beside], [("sequential", True)] * 2)
        for job in (parallel, *beside):
            self.assertIn("--no-pin", job.command)
            self.assertTrue(job.command.endswith(" --together 1"))
        self.assertEqual(parallel.design, "native,port=fifo,synchronization=two-phase")
        looking = native_kinds.mix("EM3D", "1P", 2, 512, native_kinds.LOOKING)
        self.assertEqual(looking.jobs("fifo")[0].design, "native,port=fifo")
        self.assertEqual(kind.figures([{"time": 6e6}]), {"EM3D 1P+2S": 2.0})
        two = native_kinds.mix("SAMPLE", "2P", 2, 512)
        self.assertEqual(two.figures([{"time": 2e6}, {"time": 4e6}]), {"SAMPLE 2P": 1.5})


def fixed(name: str, rounds: int = 1) -> Kind:
    def figures(rows):
        return {name: rows[0]["time"]}

    return Kind(name, lambda claim: [Job("quick", claim, 2, "")], figures, rounds)


class Measuring(WithNxrun):
    def batches(self, measure, key: str = "key") -> Batches:
        kinds = [fixed("one"), fixed("other")]
        return Batches(os.path.join(self.folder, "records"), key, kinds, CLAIMS, measure)

    def all_of(self, count: int, measure, key: str = "key") -> list[Kept]:
        with contextlib.redirect_stderr(io.StringIO()):
            return self.batches(measure, key).all_of(count)

    def test_claims_take_turns_and_none_is_always_first(self):
        orders = [turned(CLAIMS, number) for number in range(6)]
        self.assertEqual({order[0] for order in orders}, set(CLAIMS))
        for order in orders:
            self.assertEqual(sorted(order), sorted(CLAIMS))

    def test_a_study_that_was_interrupted_goes_on_and_a_whole_one_begins_anew(self):
        asked = []

        def interrupted(kind, claim):
            asked.append((kind.name, claim))
            if len(asked) == 8:
                raise KeyboardInterrupt
            return [{"time": float(len(asked))}]

        with self.assertRaises(KeyboardInterrupt):
            self.all_of(2, interrupted)
        self.assertEqual(len(asked), 8)
        first = self.batches(interrupted).found(2)
        self.assertEqual([set(batch.figures) for batch in first], [{"one", "other"}])
        found = self.all_of(2, interrupted)
        self.assertEqual(found[0].figures, first[0].figures)
        self.assertEqual(len(asked), 8 + 6)
        self.assertEqual(len(self.batches(interrupted).found(2)), 2)
        self.all_of(2, interrupted)
        self.assertEqual(len(asked), 8 + 6 + 12)

    def test_a_batch_counts_if_all_before_it_are_there(self):
        self.all_of(2, lambda kind, claim: [{"time": 1.0}])
        os.remove(self.batches(None).kept.path("batch-0"))
        self.assertEqual(self.batches(None).found(2), [])

    def test_batches_of_another_build_are_not_taken(self):
        self.all_of(1, lambda kind, claim: [{"time": 1.0}])
        self.assertEqual(self.batches(None, "other").found(1), [])

    def test_each_round_has_all_claims_by_turns(self):
        asked = []

        def measure(kind, claim):
            asked.append(claim)
            return [{"time": float(len(asked))}]

        with contextlib.redirect_stderr(io.StringIO()):
            folder = os.path.join(self.folder, "records")
            (batch,) = Batches(folder, "key", [fixed("one", 2)], CLAIMS, measure).all_of(1)
        self.assertEqual(asked, ["fifo", "lock-free", "anderson", "anderson", "lock-free", "fifo"])
        self.assertEqual(batch.figures["one"]["fifo"], {"one": [1.0, 6.0]})

    def test_a_key_stands_for_jobs_programs_and_the_host(self):
        def key(kinds=(fixed("one"),), host="host") -> str:
            return fingerprint(self.folder, kinds, CLAIMS, host)

        first = key()
        self.assertEqual(key(), first)
        self.assertNotEqual(key(host="other"), first)
        self.assertNotEqual(key([native_kinds.loggp()]), first)
        with open(os.path.join(self.folder, "bin", "nxrun"), "a", encoding="utf-8") as file:
            file.write("#\n")
        self.assertNotEqual(key(), first)


def batches_of(**times: list[float]) -> Measured:
    """Of one kind; underlines stand for hyphens."""
    named = {claim.replace("_", "-"): each for claim, each in times.items()}
    figures = [
        {"one": {claim: {"one": [each[at]]} for claim, each in named.items()}}
        for at in range(len(next(iter(named.values()))))
    ]
    return Measured([Kept(batch, 0.1, 0) for batch in figures], list(named))


ONE = Column("one", "one", "one", {"fifo": 3.0, "lock-free": 2.0, "anderson": 4.0})


class Tables(unittest.TestCase):
    def test_ratios_are_round_by_round_beside_the_printed(self):
        measured = batches_of(fifo=[1, 10, 2, 4], lock_free=[2, 20, 4, 8])
        self.assertEqual(native_tables.beside(measured, ONE, "fifo"), "0.50, 0.50 to 0.50 (1.50)")
        self.assertEqual(native_tables.cell(measured, ONE, "fifo"), "3 (1 to 10)")
        unprinted = Column("one", "one", "one", {})
        self.assertEqual(native_tables.beside(measured, unprinted, "fifo"), "0.50, 0.50 to 0.50")

    def test_runs_that_did_not_end_count_as_the_longest(self):
        late = math.inf
        measured = batches_of(
            fifo=[1, 1, 1, late], lock_free=[1, 1, 1, late], anderson=[late, late, late, 1]
        )
        self.assertEqual(native_tables.cell(measured, ONE, "fifo"), "1 (1 to -), 1 late")
        self.assertEqual(native_tables.cell(measured, ONE, "anderson"), "- (1 to -), 3 late")
        self.assertEqual(native_tables.beside(measured, ONE, "fifo"), "1.00, 1.00 to 1.00 (1.50)")
        self.assertEqual(native_tables.beside(measured, ONE, "anderson"), "-, 0.00 to - (2.00)")
        self.assertEqual(measured.best(ONE)[0], "fifo")
        lines = native_tables.answer(measured, "", {"EM3D": [ONE]})
        self.assertRegex(lines[5], r"anderson +1 of 1 +-, EM3D one +3 of 4")

    def test_claims_are_level_where_the_spread_does_not_tell_them_apart(self):
        measured = batches_of(
            fifo=[1.0, 1.1, 1.0, 1.2], lock_free=[1.1, 1.0, 1.3, 1.3], anderson=[1.5, 1.4, 1.5, 1.6]
        )
        self.assertEqual(measured.best(ONE), ["fifo", "lock-free"])
        self.assertRegex(native_tables.best_of(measured, {"": [ONE]})[-1], "one +fifo +lock-free$")
        level = batches_of(fifo=[1, 1, 1, 1], lock_free=[1, 1, 1, 1], anderson=[1, 1, 1, 1])
        self.assertRegex(native_tables.best_of(level, {"": [ONE]})[-1], "one +fifo +all others$")

    def test_what_drifts_for_all_does_not_make_claims_level(self):
        measured = batches_of(fifo=[1, 2, 3, 4], lock_free=[1.1, 2.2, 3.3, 4.4])
        self.assertEqual(measured.best(ONE), ["fifo"])

    def test_the_answer_counts_mixes_and_leaves_out_a_job_alone(self):
        measured = batches_of(fifo=[1, 1, 1, 1], lock_free=[2, 2, 2, 2])
        mixes = [Column("one", "one", head, {}) for head in ("1P", "2P", "3P")]
        lines = native_tables.answer(measured, "", {"EM3D": mixes})
        self.assertRegex(lines[3], r"fifo +2 of 2 +1\.00, EM3D 3P +0 of 8")
        self.assertRegex(lines[4], r"lock-free +0 of 2 +2\.00, EM3D 3P +0 of 8")

    def test_processes_that_share_processors_are_said_to(self):
        printed = document.read()
        one, two = native_tables.many_to_one(["1 writer", "2 writers"], 2, printed)
        self.assertEqual(one.head, "1 writer")
        self.assertEqual(two.head, "2 writers, 3 processes share 2")


class Command(WithNxrun):
    def study(self, measure, *more: str, processors: Set[int] = frozenset({0, 1})) -> tuple[int, str, str]:
        words = ["native.py", "--native", self.folder, "--records", os.path.join(self.folder, "kept"), *more]
        out, errors = io.StringIO(), io.StringIO()
        with (
            unittest.mock.patch.object(sys, "argv", words),
            unittest.mock.patch.object(native, "run", measure),
            unittest.mock.patch.object(native.os, "sched_getaffinity", lambda _: processors),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(errors),
        ):
            return native.main(), out.getvalue(), errors.getvalue()

    @staticmethod
    def measured(jobs, folder):
        """Anderson is twice as slow, and does not come to an end beside a second parallel job."""
        parallel = [job for job in jobs if not job.endless]
        slow = 2.0 if jobs[0].claim == "anderson" else 1.0
        if slow > 1 and len(parallel) > 1:
            return None
        names = ("RTT", "o_s", "o_s + o_r", "g", "G", "time", "1 writer")
        rows = dict.fromkeys([*names, *(f"{count} writers" for count in range(2, 5))], slow)
        return [rows for _ in parallel]

    def test_the_whole_study_tells_its_tables_and_an_answer(self):
        status, out, _ = self.study(self.measured)
        self.assertEqual(status, 0)
        self.assertIn("2 processors, niceness", out)
        self.assertIn("medians of 4 batches, and in brackets what covers them in at least 88 % of cases", out)
        self.assertIn("& nxrun -n 2 -d native,port=lock-free --no-pin --limit 2 sequential", out)
        self.assertRegex(out, r"anderson .* - \(- to -\), 12 late")
        self.assertRegex(out, r"anderson +2\.00, 2\.00 to 2\.00 \(0\.99\)")
        self.assertRegex(out, r"anderson +0 of 8 +-, SAMPLE 3P +48 of 96")
        self.assertRegex(out, r"anderson +0 of 4 +-, SAMPLE, looking 3P +8 of 16")
        self.assertRegex(out, r"pull-based +8 of 8 +1\.00, \S+ \S+ +0 of 96")

    def test_tables_of_what_is_kept_run_nothing(self):
        status, _, errors = self.study(None, "--tables")
        self.assertEqual((status, errors), (1, "native.py: no batch of this build and host is kept.\n"))
        _, out, _ = self.study(self.measured)
        self.assertEqual(self.study(None, "--tables")[:2], (0, out))

    def test_what_batches_were_measured_under_is_told(self):
        batches = [Kept({}, 0.1, -10), Kept({}, None, 0), Kept({}, 0.3, 0)]
        said = native.about(batches, "a host")
        self.assertTrue(said.startswith("a host, niceness -10 and 0: medians of 3 batches"), said)
        self.assertIn("Others took 10 to 30 % of the processors' time", said)
        self.assertIn("Others took an unknown part of", native.about(batches[1:2], "a host"))

    def test_the_second_level_is_as_linux_tells_it_or_as_the_thesis_has_it(self):
        path = os.path.join(self.folder, "size")
        self.assertEqual(native.second_level(path), 512)
        with open(path, "w", encoding="ascii") as file:
            file.write("1024K\n")
        self.assertEqual(native.second_level(path), 1024)

    def test_one_processor_is_refused(self):
        status, _, errors = self.study(None, processors={0})
        sentence = "native.py: two processors at least are wanted, for one sends and another receives.\n"
        self.assertEqual((status, errors), (1, sentence))

    def test_a_program_that_fails_ends_the_study(self):
        def fails(jobs, folder):
            raise RunFailed("loggp: it failed.")

        status, _, errors = self.study(fails)
        self.assertEqual(status, 1)
        self.assertTrue(errors.endswith("native.py: loggp: it failed.\n"), errors)

    def ended_by(self, number: signal.Signals) -> tuple[int, str]:
        """A study while its first job is under way: the status, and the last line on standard error."""
        words = [sys.executable, "-B", COMMAND, "--native", self.folder, "--records", self.folder]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as study:
            while not self.notes():
                self.assertIsNone(study.poll())
                time.sleep(0.01)
            study.send_signal(number)
            _, errors = study.communicate(timeout=30)
        return study.returncode, errors.splitlines()[-1]

    def test_an_interrupted_study_leaves_no_process(self):
        self.assertEqual(self.ended_by(signal.SIGINT), (130, "native.py: interrupted."))
        self.assert_all_ended()

    def test_a_study_that_is_ended_leaves_no_process(self):
        self.assertEqual(self.ended_by(signal.SIGTERM), (130, "native.py: interrupted."))
        self.assert_all_ended()


if __name__ == "__main__":
    unittest.main()
