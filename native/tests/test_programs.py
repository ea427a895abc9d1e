# SPDX-License-Identifier: MIT
"""The programs of apps/ and those of the booted kernel's tests, on Linux: the same source gives the same
results."""

import os
import unittest

from native_case import DesignCase, app, for_each

PRESETS = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6", "exp2-user", "native", "native-pointer")
LEAVES = (
    *("exp6,transfer=adaptive", "exp6,synchronization=mcs", "exp6,synchronization=ticket"),
    *("exp6,port=locked", "exp6,port=reuse", "exp4,interaction=synchronous", "exp6,synchronization=backoff"),
)
COPYING = ("exp1", "exp3", "exp4", "exp6", "exp6,transfer=adaptive")


@for_each((*PRESETS, *LEAVES), "selftest_under")
@for_each(PRESETS, "behaviours_under")
@for_each(COPYING, "handlers_keep_their_promises_under")
@for_each(("exp3", "exp6"), "requests_and_small_calls_work_under")
@for_each(("exp4", "exp6"), "places_are_used_again_under")
class Programs(DesignCase):
    def requests_and_small_calls_work_under(self, design):
        ran = self.well("-n", "2", "--no-host", "-d", design, self.program("requests"))
        self.assertIn("0 failures", ran.out)

    def test_fortran_keeps_its_promises(self):
        ran = self.well("-n", "3", self.program("promises"))
        self.assertRegex(ran.out, r"PROMISES:\s+0 BROKEN")

    def test_a_fortran_server_is_interrupted(self):
        self.well("-n", "4", self.program("server"))

    def test_shared_files_keep_their_modes(self):
        ran = self.well("-n", "3", self.program("files"), cwd=self.folder)
        self.assertIn("files: 0 failures", ran.out)

    def test_hello_in_every_language(self):
        self.assertIn("hello from node 0 of 2", self.well("-n", "2", app("hello_c")).out)
        self.assertIn("hello from node 1 of 2", self.well("-n", "2", app("hello_cxx")).out)
        self.assertRegex(self.well("-n", "2", app("hello_fortran")).out, r"hello from node\s+1 of\s+2")

    def test_the_fft_and_simplex_check_their_results(self):
        self.well("-n", "4", app("fft"), "--points", "128,1024", "--samples", "2")
        self.well("-n", "4", app("simplex"))

    def test_what_warms_the_caches_up_is_neither_timed_nor_counted(self):
        programs = {
            "fft": ("--points", "128", "--samples", "2", "--check", "no"),
            "simplex": ("--samples", "2", "--steps", "4"),
        }
        for name, words in programs.items():
            rows = []
            for more in ("0", "3"):
                _, record = self.record("-n", "2", app(name), *words, "--warm-up", more)
                rows.append({row["name"]: (row["samples"], row["median"]) for row in record["rows"]})
            cold, warm = rows
            self.assertEqual((warm[f"{name} time"][0], warm["messages"]), (2, cold["messages"]), name)
            refused = self.nxrun("-n", "1", app(name), "--warm-up", "-1")
            self.assertIn(f"{name}: --warm-up -1: a number from 0 to 1000", refused.errors)

    def test_the_fft_checks_its_results_where_a_nodes_buffers_lie_together(self):
        for preset in ("exp1", "exp2-user", "exp6"):  # shared and with a spare one, handed over, private
            with self.subTest(preset):
                where = ("--points", "128,1024", "--samples", "2", "--layout", "together")
                ran = self.well("-n", "4", "-d", preset, app("fft"), *where)
                self.assertIn("together", ran.out)

    def test_more_ranks_than_processors_finish(self):
        many = str(4 * (os.cpu_count() or 1))
        ran = self.well("-n", many, app("selftest"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def test_a_crowd_sleeps_by_default(self):
        processors = len(os.sched_getaffinity(0))
        name = self.compiled("#include <nx.h>\nint main(void) { gsync(); return 0; }\n")
        for nodes, design in (
            (8 * processors, "native"),
            (8 * processors + 1, "native,synchronization=two-phase"),
        ):
            _, record = self.record("-n", str(nodes), name)
            self.assertEqual(record["asked"]["jobs"][0]["design"], design)

    def test_static_dispatch_runs_the_named_designs(self):
        words = ("--dispatch", "static", "-n", "2", app("ring"), "--sizes", "0,100", "--samples", "2")
        ran, record = self.record(*words)
        self.assertEqual(ran.status, 0, ran.text)
        self.assertEqual(record["dispatch"], "static")
        for design, dispatch in (("native", "static"), ("exp4", "static"), ("exp4,port=locked", "virtual")):
            _, record = self.record("-d", design, "-n", "2", app("ring"), "--sizes", "0", "--samples", "1")
            self.assertEqual(record["dispatch"], dispatch, design)
        _, record = self.record("--dispatch", "virtual", "-n", "2", app("ring"), "--sizes", "0")
        self.assertEqual(record["dispatch"], "virtual")

    def test_the_record_says_what_ran(self):
        ran, record = self.record("-n", "2", "-d", "exp6", app("ring"), "--sizes", "0,100", "--samples", "3")
        self.assertEqual(ran.status, 0, ran.text)
        self.assertEqual((record["format"], record["clock"]), ("parley-record-1", "native"))
        self.assertTrue(record["design"].startswith("user,heavy,"))
        self.assertEqual(record["asked"]["jobs"][0]["design"], "exp6")
        trips = [row for row in record["rows"] if row["name"] == "round trip"]
        self.assertEqual([row["bytes"] for row in trips], [0, 100])
        for row in trips:
            self.assertTrue(0 < row["minimum"] <= row["median"] <= row["maximum"])

    def test_node_0_reads_standard_input_and_no_other(self):
        program = self.compiled(
            """
            #include <nx.h>
            #include <stdio.h>
            int main(void)
            {
                char word[20] = "nothing";
                if (scanf("%19s", word) != 1 && mynode() == 0)
                    return 1;
                printf("node %ld read %s\\n", mynode(), word);
                return 0;
            }
            """
        )
        ran = self.well("-n", "2", program, given="hello\n")
        self.assertIn("node 0 read hello", ran.out)
        self.assertIn("node 1 read nothing", ran.out)

    def test_tagged_lines_say_who_wrote_them(self):
        program = self.compiled(
            '#include <nx.h>\n#include <stdio.h>\n'
            'int main(void) { printf("this is %ld\\nand no more", mynode()); return 0; }\n'
        )
        ran = self.well("-n", "3", "--tag", program)
        self.assertEqual(
            sorted(ran.out.splitlines()),
            [f"[{i}] {line}" for i in range(3) for line in ("and no more", f"this is {i}")],
        )


if __name__ == "__main__":
    unittest.main()
