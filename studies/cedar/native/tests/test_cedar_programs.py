# SPDX-License-Identifier: MIT
"""The five programs of the study of Cedar on Linux: over the loop runtime, spread over processors and
clusters, each computes to the last bit what plain loops compute."""

import os
import re

from native_case import NativeCase, app, for_each

PROGRAMS = ("flo52", "arc2d", "mdg", "ocean", "adm")
# Processors and clusters.
SPREAD = ((1, 1), (4, 1), (8, 1), (16, 2), (32, 4))


@for_each(PROGRAMS, "it_computes_what_plain_loops_compute")
class CedarPrograms(NativeCase):
    def sum_of(self, program: str, *words: str, processors: int = 1) -> str:
        environment = {**os.environ, "OMP_NUM_THREADS": str(processors)}
        ran = self.well("-n", "1", app(program), "--length", "20", *words, env=environment)
        (found,) = re.findall(rf"^{program.upper()}: sum (\S+)$", ran.out, re.M)
        return found

    def it_computes_what_plain_loops_compute(self, program):
        wanted = self.sum_of(program, "--scale", "3", "--sequential")
        self.assertNotEqual(wanted, self.sum_of(program, "--scale", "2", "--sequential"))
        for processors, clusters in SPREAD:
            with self.subTest(processors=processors):
                words = ("--scale", "3", "--clusters", str(clusters))
                self.assertEqual(self.sum_of(program, *words, processors=processors), wanted)
        self.assertEqual(self.sum_of(program, "--scale", "3", "--flat", processors=4), wanted)
        merged = self.sum_of(program, "--scale", "3", "--merged", "--sequential")
        # MDG's two loops are of two kinds.
        self.assertEqual(merged == wanted, program == "mdg")
        words = ("--scale", "3", "--merged", "--clusters", "2")
        self.assertEqual(self.sum_of(program, *words, processors=4), merged)

    def test_the_same_loops_by_messages_compute_the_same(self):
        for program, words in (("arc2d", ()), ("adm", ("--merged",))):
            wanted = self.sum_of(program, "--scale", "3", "--sequential", *words)
            for ranks in (1, 2, 3, 11):
                words_of_all = ("--length", "20", "--scale", "3", "--messages", *words)
                ran = self.well("-n", str(ranks), app(program), *words_of_all)
                self.assertEqual(re.findall(r"sum (\S+)$", ran.out, re.M), [wanted], ranks)

    def test_points_too_many_for_a_message_end_in_a_sentence(self):
        words = ("--budget", str(1 << 20), "-n", "2", app("adm"), "--messages", "--length", "20000")
        ran = self.nxrun(*words)
        self.assertNotEqual(ran.status, 0)
        self.assertIn("ADM: there is no memory for 896000 points.", ran.errors)

    def test_bad_arguments_end_in_a_sentence(self):
        for words, sentence in (
            (["--clusters", "0"], "FLO52: --clusters: a whole number from 1 to 1000000 is wanted."),
            (["--scale"], "FLO52: --scale: a whole number from 1 to 1000000 is wanted."),
            (["--scale", "2x"], "FLO52: --scale: a whole number from 1 to 1000000 is wanted."),
            (
                ["-x"],
                "FLO52: -x: --scale N, --length N, --clusters N, --flat, --merged, --sequential or "
                "--messages is wanted.",
            ),
            (
                ["--messages", "--clusters", "2"],
                "FLO52: --messages: none of --sequential, --flat and --clusters is wanted.",
            ),
            (
                ["--clusters", "9"],
                "loops: cedar_set_clusters(9): there are 8 threads for them; say 8 at most, or more threads "
                "(OMP_NUM_THREADS, OMP_THREAD_LIMIT).",
            ),
        ):
            ran = self.nxrun("-n", "1", app("flo52"), *words, env={**os.environ, "OMP_NUM_THREADS": "8"})
            self.assertNotEqual(ran.status, 0)
            self.assertIn(sentence, ran.errors)
