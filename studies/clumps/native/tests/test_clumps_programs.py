# SPDX-License-Identifier: MIT
"""The programs of the study of clusters of multiprocessors, on Linux: what they tell is there and adds up,
under every claim of a queue."""

import re
import subprocess
import time

from clumps import native_runs
from clumps.native_runs import Job
from native_case import NATIVE, NXRUN, NativeCase, app, for_each

CLAIMS = (
    *("test-and-set", "test-and-test-and-set", "ticket-claim", "anderson"),
    *("lock-free", "fifo", "preemption-safe"),
)
NUMBER = r"(-?[0-9.]+) \+- ([0-9.]+)"


def figures(program: str, text: str) -> dict[str, tuple[float, float]]:
    """Of each line: the mean and half of its interval."""
    found = re.findall(rf"^{program}: (.+?) {NUMBER} \S+, sigma [0-9.]+$", text, re.M)
    return {name: (float(mean), float(half)) for name, mean, half in found}


class LogGP(NativeCase):
    def test_every_parameter_is_told_and_the_latency_is_what_the_others_leave(self):
        words = ("--samples", "3", "--trips", "20", "--burst", "20", "--blocks", "2")
        ran = self.well("-n", "2", app("loggp"), *words)
        self.assertIn("all messages right", ran.out)
        found = figures("loggp", ran.out)
        parameters = {"RTT", "o_s", "o_r", "o_s + o_r", "L", "g", "G"}
        transfers = {f"transfer, {bytes_}" for bytes_ in (256, 512, 1024, 2048, 4096, 8192, 16384)}
        self.assertEqual(set(found), parameters | transfers)
        for name in ("RTT", "o_s", "g", "G"):
            self.assertGreater(found[name][0], 0, name)
        for name, expected in (
            ("L", found["RTT"][0] / 2 - found["o_s + o_r"][0]),
            ("o_r", found["o_s + o_r"][0] - found["o_s"][0]),
        ):
            # Each is rounded to the digit of its interval, which is no narrower than those it comes from.
            self.assertAlmostEqual(found[name][0], expected, delta=max(0.01, 2 * found[name][1]))

    def test_it_serves_a_port_that_keeps_no_order(self):
        words = ("--samples", "2", "--trips", "5", "--burst", "5", "--blocks", "1")
        ran = self.well("-n", "2", "-d", "native,port=lock-free", app("loggp"), *words)
        self.assertIn("lock-free", ran.out)
        self.assertIn("all messages right", ran.out)

    def test_one_node_is_refused(self):
        ran = self.nxrun("-n", "1", app("loggp"))
        self.assertNotEqual(ran.status, 0)
        self.assertIn("so 2 nodes at least are wanted", ran.errors)


SORTING = (*(f"native,port={claim}" for claim in ("lock-free", "anderson")), "native", "exp2", "exp5")


@for_each(SORTING, "it_sorts_as_qsort_does_under")
class SampleSort(NativeCase):
    def told(self, nodes: int, *words: str, design: str = "native") -> tuple[str, int]:
        """The sum, and how many messages a node has sent."""
        ran = self.well("-n", str(nodes), "-d", design, app("sample_sort"), "--samples", "1", *words)
        (sum_,) = re.findall(r"^sample_sort: sum ([0-9a-f]{16})$", ran.out, re.M)
        (messages,) = re.findall(r"^sample_sort: (\d+) short messages of a node", ran.out, re.M)
        return sum_, int(messages)

    def it_sorts_as_qsort_does_under(self, design):
        wanted, none = self.told(1, "--keys", "1200", "--sequential", "1")
        self.assertEqual(none, 0)
        found, messages = self.told(3, "--keys", "400", "--warm", "70", design=design)
        self.assertEqual(found, wanted)
        # Requests and replies, six keys each, of the keys that belong to others; samples and ends are more.
        least = 2 * 400 * 2 / 3 / 6
        self.assertTrue(least <= messages <= least + 60, messages)

    def test_other_keys_have_another_sum(self):
        one, two = (self.told(2, "--keys", "100", "--seed", seed)[0] for seed in ("1", "2"))
        self.assertNotEqual(one, two)

    def test_one_node_alone_sorts_by_itself(self):
        words = ("--keys", "500")
        self.assertEqual(self.told(1, *words)[0], self.told(1, *words, "--sequential", "1")[0])

    def test_bad_arguments_end_in_a_sentence(self):
        for words, sentence in (
            (["--keys", "63"], "sample_sort: --keys: a whole number from 64 to 16777216 is wanted."),
            (["--sequential", "1"], "sample_sort: 1 to 256 nodes sort, and --sequential 1 is for one."),
        ):
            ran = self.nxrun("-n", "2", app("sample_sort"), *words)
            self.assertNotEqual(ran.status, 0)
            self.assertIn(sentence, ran.errors)


# Words of each program, and of its sequential form with as many blocks.
SEQUENTIAL = {
    "con of a square": ("con", "--side 12 --edges 45"),
    "con of a cube": ("con", "--dimensions 3 --side 6 --edges 25"),
    "em3d": ("em3d", "--values 20 --degree 5 --steps 3"),
    "fft_3d": ("fft_3d", "--side 8"),
}
COUNTED = r"^{program}: {kind}: (\d+) short \((\d+) to (\d+)\), (\d+) bulk of (\d+) bytes, (\d+) %"


class Programs(NativeCase):
    def ran(self, nodes: int, program: str, words: str, port: str = "carrying"):
        design = f"native,synchronization=two-phase,port={port}"
        ran = self.well("-n", str(nodes), "-d", design, app(program), "--samples", "1", *words.split())
        self.assertIn("all messages right", ran.out)
        return ran

    def sum_of(self, program: str, text: str) -> str:
        (sum_,) = re.findall(rf"^{program}: sum ([0-9a-f]{{16}})$", text, re.M)
        return sum_

    def counted(self, program: str, text: str) -> list[list[int]]:
        """Local, then remote: short messages of a node, least, most, bulk, its bytes, and per cent of all."""
        return [
            [int(word) for word in re.findall(COUNTED.format(program=program, kind=kind), text, re.M)[0]]
            for kind in ("local", "remote")
        ]

    def blocks(self, program: str) -> str:
        return "" if program == "fft_3d" else " --blocks 4"


@for_each(SEQUENTIAL, "four_nodes_find_what_one_does")
class AgainstTheSequentialForm(Programs):
    def four_nodes_find_what_one_does(self, name):
        program, words = SEQUENTIAL[name]
        alone = self.ran(1, program, f"{words} --sequential 1{self.blocks(program)}").out
        told = {self.sum_of(program, alone)}
        for claim in ("carrying", "lock-free"):
            told.add(self.sum_of(program, self.ran(4, program, words, claim).out))
        self.assertEqual(len(told), 1, told)
        self.assertNotIn(self.sum_of(program, self.ran(1, program, words + " --seed 2").out), told)


class Counts(Programs):
    def test_each_row_of_a_cube_is_one_message_and_a_reply(self):
        local, remote = self.counted("fft_3d", self.ran(4, "fft_3d", "--side 8 --processors 2").out)
        # Twice (8 / 4)^2 rows of 8 numbers to each node: one shares a multiprocessor, two do not.
        self.assertEqual(local, [8, 8, 8, 8, 128, 33])
        self.assertEqual(remote, [16, 16, 16, 16, 128, 67])

    def test_a_good_layout_of_waves_keeps_more_inside_than_a_naive_one(self):
        words = "--processors 8 --values 20 --steps 1"
        naive, good = (
            self.counted("em3d", self.ran(32, "em3d", f"{words} --good {good}").out) for good in (0, 1)
        )
        # As the thesis has it (table 5.7): 38 % and 25 % leave, and nothing of some nodes.
        for (local, remote), per_cent in ((naive, 38), (good, 25)):
            self.assertAlmostEqual(remote[5], per_cent, delta=2)
            self.assertGreater(local[1], 0)
        self.assertGreater(naive[1][1], 0)
        self.assertEqual(good[1][1], 0)

    def test_components_inside_a_block_send_nothing(self):
        found = self.ran(2, "con", "--side 8 --edges 0").out
        self.assertIn("con: 128 components, the largest of 1 points", found)
        self.assertEqual([counts[0] for counts in self.counted("con", found)], [0, 0])
        found = self.ran(2, "con", "--side 8 --edges 100").out
        self.assertIn("con: 1 components, the largest of 128 points", found)
        self.assertGreater(self.counted("con", found)[0][0], 0)

    def test_bad_arguments_end_in_a_sentence(self):
        for program, words, sentence in (
            ("con", "--blocks 2", "--sequential 1 is for one node, and --blocks for --sequential 1."),
            ("con", "--side 2048 --dimensions 3", "the lattice has at most 2^30 points"),
            ("con", "--dimensions 4", "--dimensions: a whole number from 2 to 3 is wanted."),
            ("em3d", "--processors 3", "a multiprocessor of this mesh has a power of two of --processors."),
            ("em3d", "--sequential 1", "--sequential 1 is for one node, and --blocks for --sequential 1."),
            ("fft_3d", "--side 12", "--side: a power of two is wanted."),
            ("fft_3d", "--sequential 1", "--sequential 1 is for one node."),
        ):
            ran = self.nxrun("-n", "2", app(program), *words.split())
            self.assertNotEqual(ran.status, 0)
            self.assertIn(f"{program}: {sentence}", ran.errors)
        for program in ("con", "em3d"):
            ran = self.nxrun("-n", "3", app(program))
            self.assertIn("a power of two of blocks, one a node, and at most 256.", ran.errors)
        ran = self.nxrun("-n", "3", app("fft_3d"), "--side", "2")
        self.assertIn("so it wants at most 256 nodes, and no more than --side.", ran.errors)


class TwoSources(NativeCase):
    def test_each_polling_is_told_and_a_look_takes_what_it_is_said_to(self):
        words = ("--samples", "2", "--trips", "50", "--price", "200000", "--warm", "20")
        ran = self.well("-n", "2", app("two_sources"), *words)
        self.assertIn("all messages right", ran.out)
        found = figures("two_sources", ran.out)
        self.assertEqual(set(found), {"a look", "never", "fixed", "fractional:16", "adaptive:4:64"})
        self.assertGreaterEqual(found["a look"][0] + found["a look"][1], 200)
        # Each of the two sends looks first, however busy the host is.
        self.assertGreaterEqual(sum(found["fixed"]), 2 * 200)
        looks = {
            name: float(count)
            for name, count in re.findall(r"^two_sources: (\S+): node 0 looks ([0-9.]+) times", ran.out, re.M)
        }
        self.assertEqual(looks["never"], 0)
        self.assertGreaterEqual(looks["fixed"], 2)

    def test_other_than_two_nodes_are_refused(self):
        ran = self.nxrun("-n", "3", app("two_sources"))
        self.assertNotEqual(ran.status, 0)
        self.assertIn("one node asks and another answers, so 2 nodes are wanted", ran.errors)


class Together(NativeCase):
    def test_a_job_begins_at_a_line(self):
        words = (NXRUN, "-n", "2", app("sample_sort"), "--samples", "1", "--together", "1")
        pipe = subprocess.PIPE
        with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as job:
            self.assertEqual(job.stdout.readline(), "sample_sort: ready\n")
            out, _ = job.communicate("\n", timeout=60)
        self.assertEqual(job.returncode, 0)
        self.assertIn("all messages right", out)

    def test_a_job_that_nobody_starts_ends_in_a_sentence(self):
        for program in ("sample_sort", "em3d", "sequential"):
            ran = self.nxrun("-n", "2", app(program), "--together", "1")
            self.assertEqual(ran.status, 1)
            self.assertEqual(ran.out, f"{program}: ready\n")
            self.assertIn(f"{program}: with --together 1 a line of standard input is wanted.", ran.errors)

    def test_sequential_processes_compute_as_long_as_they_are_told(self):
        took = {}
        for milliseconds in ("1", "400"):
            began = time.monotonic()
            ran = self.well("-n", "2", app("sequential"), "--milliseconds", milliseconds, "--kilobytes", "8")
            took[milliseconds] = time.monotonic() - began
            self.assertEqual(ran.out, "sequential: 2 processes, all words right\n")
        self.assertGreaterEqual(took["400"], 0.4)

    def test_parallel_jobs_are_timed_beside_others_which_end_with_them(self):
        how = {"pinned": False, "together": True}
        sort = Job("sample_sort", "fifo", 2, "--samples 1 --keys 200", sleeping=True, **how)
        beside = Job("sequential", "fifo", 2, "--milliseconds 3600000", endless=True, **how)
        with native_runs.started([sort, sort, beside], NATIVE) as jobs:
            found = native_runs.told(jobs)
        self.assertEqual(len(found), 2)
        self.assertGreater(native_runs.seconds(found, "time"), 0)
        for job in jobs:
            self.assertIsNotNone(job.process.returncode)


@for_each(CLAIMS, "all_messages_come_once_under")
class ManyToOne(NativeCase):
    def all_messages_come_once_under(self, claim):
        words = ("--samples", "2", "--messages", "61", "--warm", "30")
        ran = self.well("-n", "3", "-d", f"native,port={claim}", app("many_to_one"), *words)
        self.assertIn("all messages right", ran.out)
        self.assertEqual(set(figures("many_to_one", ran.out)), {"1 writer", "2 writers"})

    def test_a_queue_that_is_full_loses_nothing(self):
        words = ("--samples", "1", "--messages", "500", "--writers", "3")
        ran = self.well("-n", "4", "-d", "native,port=lock-free:16:1:0", app("many_to_one"), *words)
        self.assertIn("all messages right", ran.out)
        self.assertEqual(set(figures("many_to_one", ran.out)), {"3 writers"})

    def test_bad_arguments_end_in_a_sentence(self):
        for words, sentence in (
            (["--samples", "0"], "many_to_one: --samples: a whole number from 1 to 1000 is wanted."),
            (["--messages"], "many_to_one: --messages: a whole number from 1 to 10000000 is wanted."),
            (["--writers", "2x"], "many_to_one: --writers: a whole number from 0 to 1023 is wanted."),
            (["--words", "2"], "many_to_one: --words: it takes these, each with a number:"),
            (["--writers", "2"], "so it wants 2 to 1024 nodes, and more of them than writers."),
        ):
            ran = self.nxrun("-n", "2", app("many_to_one"), *words)
            self.assertNotEqual(ran.status, 0, ran.out)
            self.assertIn(sentence, ran.errors)
