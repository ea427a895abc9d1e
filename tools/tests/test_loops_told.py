# SPDX-License-Identifier: MIT
"""Where the time of parallel loops went, from traces made by hand, whose answers were computed by hand."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
sys.path[:0] = [TOOLS, os.path.dirname(os.path.realpath(__file__))]

from parley_runner import frames  # noqa: E402
from parley_trace import loops, reading  # noqa: E402
from parley_trace.naming import Names  # noqa: E402
from test_tracing import NUMBER, frame, record  # noqa: E402

NAMES = Names([{"job": 0, "name": "loops", "nodes": 1, "pids": 1}])
# The main thread: 100 ns serial, 10 set-up, 4 pick-ups of 5 each before 20 of iterations, but for the last,
# which finds none; 15 at the barrier, 20 serial. Its helper: comes at 50, waits until 120, 10 set-up, 2
# pick-ups of 5, 50 and 10 of iterations, waits from 205 on.
MAIN = (
    (0, "serial", 0),
    (100, "set-up", 5),
    (110, "iterations", 0),
    *((110, "pick-up", 0), (115, "iterations", 1), (135, "pick-up", 0), (140, "iterations", 1)),
    *((160, "pick-up", 0), (165, "iterations", 1), (185, "pick-up", 0), (190, "iterations", 0)),
    (190, "barrier", 0),
    (205, "serial", 0),
)
HELPER = (
    (50, "work-wait", 0),
    (120, "set-up", 0),
    *((130, "pick-up", 0), (135, "iterations", 2), (185, "pick-up", 0), (190, "iterations", 0)),
    (200, "work-wait", 0),
)
END = 225
# Two clusters of two processors, 400 ns: by thread its numbers, and what it has spent of which loop.
CLUSTERS = (
    (
        0,
        {
            "other/serial": 100,
            **{"sdoall/set-up": 10, "sdoall/pick-up": 20, "sdoall/iterations": 10, "sdoall/barrier": 20},
            **{"cdoall-within/set-up": 10, "cdoall-within/pick-up": 10},
            **{"cdoall-within/iterations": 120, "cdoall-within/barrier": 20, "one-cluster/iterations": 80},
        },
    ),
    (1, {"other/work-wait": 200, "sdoall/pick-up": 40, "xdoall-within/iterations": 160}),
    (
        0 | 1 << 16,
        {
            **{"cdoall-within/iterations": 150, "cdoall-within/pick-up": 10, "cdoall-within/barrier": 20},
            **{"one-cluster/iterations": 60, "other/work-wait": 160},
        },
    ),
    (1 | 1 << 16, {"xdoall-within/iterations": 120, "other/work-wait": 280}),
)


def written(steps, thread: int, numbers: int = 0) -> list[bytes]:
    return [
        record(1000 + at, event, 0, thread, message=numbers, length=length) for at, event, length in steps
    ]


def sums(thread: int, numbers: int = 0, what: str = "spent", **ns: int) -> list[bytes]:
    return [
        record(1000 + END, what, 0, thread, numbers, NUMBER[name.replace("_", "-")], cycles)
        for name, cycles in ns.items()
    ]


def cedars(threads=CLUSTERS) -> bytes:
    return frame(
        *(
            record(1000, "spent", 0, thread, numbers, reading.LOOP_PARTS.index(part) << 8 | NUMBER[what], ns)
            for thread, (numbers, spent) in enumerate(threads)
            for (part, what), ns in ((name.split("/"), ns) for name, ns in spent.items())
        )
    )


def one_loop() -> bytes:
    ended = record(1000 + END, "ended", 0)
    return frame(*written(MAIN, 0), *written(HELPER, 1, 1), ended)


class Loops(unittest.TestCase):
    def of(self, *payloads: bytes) -> loops.Process:
        (process,) = loops.processes(reading.read(list(payloads)))
        return process

    def ns(self, thread: loops.Thread) -> dict[str, float]:
        return {name: ns for name, ns in thread.ns.items() if ns}

    def test_each_threads_time_is_told_apart(self):
        main, helper = self.of(one_loop()).threads
        self.assertEqual(
            self.ns(main), {"serial": 120, "set-up": 10, "pick-up": 20, "iterations": 60, "barrier": 15}
        )
        self.assertEqual(
            self.ns(helper), {"work-wait": 95, "set-up": 10, "pick-up": 10, "iterations": 60}
        )
        self.assertEqual((main.posted, main.events["pick-up"], main.in_vain), (1, 4, 1))
        self.assertEqual((helper.posted, helper.events["pick-up"], helper.in_vain), (0, 2, 1))

    def test_concurrency_follows_by_the_formula_of_the_study(self):
        """(120 + 10 + 20 + 60 + 80) / 225 are active; 105 ns are in loops, where (90 + 80) / 105 are."""
        process = self.of(one_loop())
        self.assertEqual(process.completion, 225)
        self.assertAlmostEqual(process.average, 290 / 225)
        (cluster,) = process.clusters
        self.assertAlmostEqual(cluster.loop_concurrency(225), 170 / 105)

    def test_what_the_program_has_summed_up_counts_where_records_are_lost(self):
        process = self.of(
            frame(
                *written(MAIN[:4], 0),
                *written(HELPER[:1], 1, 1),
                *sums(0, serial=120, set_up=10, pick_up=20, iterations=60, barrier=15),
                *sums(1, 1, work_wait=95, set_up=10, pick_up=10, iterations=60),
                lost=14,
            )
        )
        self.assertTrue(process.whole)
        self.assertAlmostEqual(process.average, 290 / 225)
        self.assertAlmostEqual(process.clusters[0].loop_concurrency(225), 170 / 105)

    def test_what_watching_took_is_taken_out(self):
        """A note takes 192 / 64 = 3 ns: twice for iterations; of a pick-up of 2 ns no more than that."""
        process = self.of(
            frame(
                *sums(0, serial=120, pick_up=2, iterations=60),
                *sums(0, what="noted", pick_up=1, iterations=2),
                record(1000 + END, "note-price", 0, 0, 0, 64, 192),
            )
        )
        self.assertEqual(process.price, 3)
        self.assertEqual(self.ns(process.main), {"serial": 120, "iterations": 54})
        self.assertEqual((process.main.watching, process.completion), (8, 174))
        self.assertIn(
            "Taken out: what writing this down took, 3 ns each time, 4.40 % of the main thread's time",
            loops.table(process, NAMES, 0),
        )

    def test_where_the_price_was_not_measured_nothing_is_taken_out(self):
        process = self.of(frame(*sums(0, serial=120), *sums(0, what="noted", serial=1)))
        self.assertEqual((process.price, process.completion), (None, 120))
        self.assertNotIn("Taken out", "\n".join(loops.table(process, NAMES, 0)))

    def test_a_team_within_a_team_is_a_cluster(self):
        """Cluster 0: its first is serial for 100 of 400 ns, then 300 active, its second 150; so
        (300 + 150) / 300 in loops. Cluster 1 waits 200 of 400 for its loop, and is there 200 + 100 active."""
        process = self.of(
            frame(
                *sums(0, 0, serial=100, iterations=300),
                *sums(1, 1, work_wait=200, iterations=200),
                *sums(2, 0 | 1 << 16, work_wait=250, iterations=150),
                *sums(3, 1 | 1 << 16, work_wait=300, iterations=100),
            )
        )
        self.assertEqual([len(cluster.threads) for cluster in process.clusters], [2, 2])
        self.assertAlmostEqual(process.clusters[0].loop_concurrency(400), 450 / 300)
        self.assertAlmostEqual(process.clusters[1].loop_concurrency(400), 300 / 200)
        self.assertAlmostEqual(process.average, 850 / 400)

    def test_times_of_cedars_loops_are_taken_as_the_study_takes_them(self):
        """Main cluster: 160 + 10 ns in spread loops, 80 in its own; its first thread is active but for 20 ns
        at the cluster's barrier, its second for 220: (380 + 220) / 400 on average, 0.5 * 400 / 250 + 1 in
        loops. The other: 160 ns in loops, (400 + 120) / 400 on average, 0.3 * 400 / 160 + 1 in loops."""
        process = self.of(cedars())
        main, other = process.clusters
        self.assertEqual((main.spread, main.alone, other.spread, other.alone), (170, 80, 160, 0))
        self.assertAlmostEqual(process.average, 1.5 + 1.3)
        self.assertAlmostEqual(main.loop_concurrency(400), 1.8)
        self.assertAlmostEqual(other.loop_concurrency(400), 1.75)

    def test_contention_follows_by_the_formula_of_the_study(self):
        """Ideally 90 / 1.8 + 500 / (1.8 + 1.75) of 170 + 80 ns."""
        found = loops.contention(self.of(cedars()), 500, 90)
        self.assertAlmostEqual(found.ideal, 50 + 500 / 3.55)
        self.assertEqual(found.actual, 250)
        self.assertAlmostEqual(found.percent, (200 - 500 / 3.55) / 4)
        self.assertIsNone(loops.contention(self.of(one_loop()), 500, 90))

    def test_a_run_on_one_processor_is_known_from_what_was_told_of_it(self):
        alone = (0, {"other/serial": 5, "cdoall-within/iterations": 500, "one-cluster/iterations": 90})
        told = loops.as_json(reading.read([cedars([alone])]), NAMES)
        run = loops.alone_of("Building.\n" + told)
        printed = 'a set {1, 2}, {"schema": "mine", "own": {"processes": []}}\n{'
        self.assertEqual(loops.alone_of(printed + told + "{}\n"), run)
        self.assertEqual((run["clusters"][0]["spread_ns"], run["clusters"][0]["alone_ns"]), (500, 90))
        (process,) = json.loads(loops.as_json(reading.read([cedars()]), NAMES, run))["processes"]
        self.assertAlmostEqual(process["contention"]["percent"], (200 - 500 / 3.55) / 4)
        lines = loops.told(reading.read([cedars()]), NAMES, alone=run)
        self.assertIn("speed-up 1.49; loops took 0.000 ms, ideally 0.000 ms: contention 14.8 %", lines[-1])
        with self.assertRaisesRegex(ValueError, "of no run of Cedar's loops on one processor"):
            loops.alone_of(loops.as_json(reading.read([cedars()]), NAMES))
        for text in ("", printed, '["schema"]', "{" * 5000, '{"a":' * 5000):
            with self.assertRaisesRegex(ValueError, "no JSON in it that tells of loops"):
                loops.alone_of(text)
        for rest in ("", ', "processes": [{}]', ', "processes": 3', ', "processes": [[]]'):
            with self.assertRaisesRegex(ValueError, "is not as it was written"):
                loops.alone_of(f'{{"schema": "{loops.SCHEMA}"{rest}}}')
        with self.assertRaisesRegex(ValueError, "of the loops of one process"):
            loops.alone_of(told + told)

    def test_a_program_without_a_loop_has_no_concurrency_of_loops(self):
        process = self.of(frame(*sums(0, serial=100)))
        self.assertIsNone(process.clusters[0].loop_concurrency(100))
        self.assertIn("1.00 of 1 active on average, - in parallel loops", loops.table(process, NAMES, 0))


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def told(self, payload: bytes, *words: str, status: int = 0) -> str:
        path = os.path.join(self.folder, "a.trace")
        parts = [(frames.JOB, b"job=0\nname=loops\nnodes=1\npids=1\nhost=0\n"), (frames.TRACE, payload)]
        with open(path, "wb") as file:
            file.writelines(frames.encode(kind, i, part) for i, (kind, part) in enumerate(parts))
        line = [os.path.join(TOOLS, "parley"), "trace", path, *words]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def test_a_table_says_it(self):
        lines = self.told(one_loop(), "--loops").splitlines()
        self.assertEqual(
            lines[0],
            "node 0: 0.000 ms, of it 0.000 ms in parallel loops; 1.29 processors active on average",
        )
        self.assertEqual(lines[1], "1.29 of 2 active on average, 1.62 in parallel loops")
        shares = "0 53.33 % 26.67 % 4.44 % 8.89 % 6.67 % 0.00 % 0.00 % 0.000 1 4 1"
        self.assertEqual(lines[3].split(), shares.split())

    def test_json_has_the_same_numbers(self):
        (process,) = json.loads(self.told(one_loop(), "--loops", "--json"))["processes"]
        self.assertEqual(process["completion_ns"], 225)
        self.assertAlmostEqual(process["clusters"][0]["loop_concurrency"], 170 / 105)
        self.assertEqual(process["threads"][1]["ns"]["work_wait"], 95)

    def test_the_time_line_and_the_dump_have_the_events(self):
        self.assertIn("  SET-UP 5 (0)", self.told(one_loop(), "--time-line"))
        dump = self.told(one_loop(), "--by-process")
        self.assertIn("         0.115  iterations thread 0, 1 iterations", dump)

    def test_what_does_not_fit_is_a_sentence(self):
        nothing = frame(record(1100, "switch", 0))
        self.assertIn("No program of this run has written down", self.told(nothing, "--loops"))
        ended_at_once = frame(record(1000, "serial", 0, peer=0))
        self.assertIn("No program of this run has written down", self.told(ended_at_once, "--loops"))
        self.assertEqual(self.told(one_loop(), "--json", status=2), "parley: --json is for --loops.\n")
        for words, sentence in (
            (["LOPS=1"], "There is no key 'LOPS'. Did you mean loops?"),
            ([], "`loops' runs a program: say which, APP=./program."),
            (["JSON=2"], "JSON is 0 or 1, not '2'."),
            (["ALONE=nowhere"], "ALONE=nowhere: No such file or directory."),
            (
                [f"ALONE={__file__}"],
                f"ALONE={__file__}: there is no JSON in it that tells of loops; `make loops ... PROCESSORS=1 "
                "JSON=1 > file' makes one.",
            ),
        ):
            done = subprocess.run(
                [os.path.join(TOOLS, "parley"), "loops", *words], capture_output=True, text=True, check=False
            )
            self.assertEqual((done.returncode, done.stderr), (2, f"parley: {sentence}\n"))


if __name__ == "__main__":
    unittest.main()
