# SPDX-License-Identifier: MIT
"""Programs with parallel loops under nxrun --trace: each thread's time is told apart, and what it did counts
up to what the program says. No time is asserted."""

import json
import os
import re
import subprocess
import sys
import unittest
from unittest import mock

from declarations import needs
from native_case import BUILD, NATIVE, ROOT, NativeCase

sys.path.insert(0, os.path.join(ROOT, "tools"))
from parley_runner import trace_command  # noqa: E402
from parley_trace import loops  # noqa: E402

OURS = os.path.join(BUILD, "lib", "openmp")
WITH_LOOPS = os.path.join(ROOT, "userlib", "loops", "tests", "messages.c")
# 3 loops of 40 iterations, one at a time, each with a barrier of its own behind that of the loop.
PROCESSORS = """
#include <omp.h>
#include <stdio.h>
int main(void)
{
    printf("%d\\n", omp_get_num_procs());
    return 0;
}
"""
LOOPS = """
#include <stdio.h>
int main(void)
{
    double sum = 0;
#pragma omp parallel
    for (int round = 0; round < 3; round++) {
#pragma omp for schedule(monotonic: dynamic, 1) reduction(+ : sum)
        for (int i = 0; i < 40; i++)
            sum += i;
#pragma omp barrier
    }
    printf("%g\\n", sum);
    return 0;
}
"""
# 6 iterations for clusters, each with 10 for a cluster's processors; a DOACROSS has 5 turns.
CEDAR = """
#include <cedar.h>
static void inner(long i, void *data) { (void)i, (void)data; }
static void outer(long i, void *data) { (void)i; cedar_cdoall(1, 10, inner, data); }
static void turn(long i, void *data) { (void)i, (void)data; cedar_await(); cedar_advance(); }
int main(void)
{
    cedar_sdoall(1, 6, outer, 0);
    cedar_doacross(1, 5, turn, 0);
    return 0;
}
"""
MESSAGES = LOOPS.replace("#include <stdio.h>", "#include <nx.h>\n#include <stdio.h>").replace(
    "    return 0;", "    gsync();\n    return mynode() == 2;"
)


@needs("loops")
class LoopsTraced(NativeCase):
    def built_by(self, *line: str, text: str) -> str:
        source, program = self.path("loops.c"), self.path("loops")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        words = ["-fopenmp", "-O1", "-o", program, source, f"-L{OURS}"]
        subprocess.run([*line, *words], check=True)
        return program

    def told(self, program: str, *words: str, **environment: str) -> list[loops.Process]:
        path = self.path("run.trace")
        self.well(
            *("--trace", path, *words, program),
            env={**os.environ, "LD_LIBRARY_PATH": OURS, "OMP_NUM_THREADS": "3", **environment},
        )
        kept = trace_command.load(path)
        self.assertEqual(kept.trace.lost, 0)
        return loops.processes(kept.trace)

    def sums_agree(self, process: loops.Process) -> None:
        """What the program has summed up lies within what its events say, to the end of its process."""
        self.assertTrue(process.whole)
        self.assertGreater(process.price, 0)
        for thread in process.threads:
            self.assertGreater(thread.life, 0)
            self.assertLessEqual(thread.active, process.completion)

    def test_the_wrapper_links_a_program_of_messages_and_loops_with_them(self):
        program = self.built(WITH_LOOPS, "messages", "-fopenmp")
        own = {**os.environ, "OMP_NUM_THREADS": "3"}
        self.assertEqual(self.well("-n", "2", program, env=own).out, "2 nodes have 1498500\n")
        ran = self.nxrun("-n", "2", program, env={**own, "PARLEY_LOOPS": "barrier=wall"})
        self.assertIn("loops: PARLEY_LOOPS: there is no barrier 'wall'", ran.errors)

    def test_an_openmp_program_is_told_apart(self):
        (process,) = self.told(self.built_by("gcc", text=LOOPS), "-n", "1")
        self.sums_agree(process)
        main, *helpers = process.threads
        self.assertEqual([thread.outer for thread in process.threads].count(0), 1)
        self.assertEqual(len(helpers), 2)
        picked = sum(thread.events["pick-up"] - thread.in_vain for thread in process.threads)
        self.assertEqual((picked, main.posted), (120, 3))
        for thread in process.threads:
            self.assertEqual(thread.in_vain, 3)
            self.assertEqual(thread.events["barrier"], 3 + 3 + 1)
        self.assertGreater(main.ns["serial"], 0)
        self.assertEqual([thread.ns["serial"] for thread in helpers], [0, 0])

    def test_so_is_one_that_has_our_library_in_itself(self):
        program = self.built_by("gcc", "-static", text=LOOPS)
        (process,) = self.told(program, "-n", "1")
        self.assertEqual(sum(t.events["pick-up"] - t.in_vain for t in process.threads), 120)

    def test_clusters_of_a_cedar_program_are_told_apart(self):
        program = self.built_by("gcc", f"-I{ROOT}/userlib/include", text=CEDAR)
        (process,) = self.told(program, "-n", "1", PARLEY_LOOPS="clusters=2", OMP_NUM_THREADS="4")
        picked = sum(thread.events["pick-up"] - thread.in_vain for thread in process.threads)
        self.assertEqual(picked, 6 + 6 * 10 + 5)
        self.assertEqual({thread.outer for thread in process.threads if thread.inner} - {0, 1}, set())
        self.assertEqual(sum(thread.posted for thread in process.threads), 1 + 6 + 1)
        self.sums_agree(process)
        self.assertEqual(len(process.threads), 4)
        self.assertTrue(process.is_cedars)
        main = process.clusters[0].main
        self.assertGreater(main.spent(("xdoall-within",)), 0)
        self.assertEqual(main.spent(("cdoall-within",)) > 0, main.spent(("sdoall",), ("iterations",)) > 0)
        self.assertEqual(main.spent(("one-cluster",)), 0)

    def test_what_counts_begins_and_ends_where_a_program_says(self):
        text = CEDAR.replace("    cedar_sdoall(1, 6, outer, 0);\n", "    cedar_cdoall(1, 6, inner, 0);\n")
        text = text.replace("    cedar_doacross", "    cedar_begin();\n    cedar_doacross")
        after = "    cedar_end();\n    cedar_sdoall(1, 6, outer, 0);\n    return 0;"
        text = text.replace("    return 0;", after)
        program = self.built_by("gcc", f"-I{ROOT}/userlib/include", text=text)
        (process,) = self.told(program, "-n", "1", PARLEY_LOOPS="clusters=2", OMP_NUM_THREADS="4")
        # A helper may still be on its way out of the loop before, where it has no iteration to pick up.
        parts = {part for thread in process.threads for part, _ in thread.parts}
        self.assertEqual(parts - {"one-cluster"}, {"other", "xdoall", "xdoall-within"})
        for thread in process.threads:
            self.assertEqual(thread.spent(("one-cluster",), ("set-up", "pick-up")), 0)
            self.assertEqual(thread.noted["one-cluster", "pick-up"], 0)

    def test_each_rank_of_a_program_with_messages_has_its_own_loops(self):
        found = self.told(self.built_by(os.path.join(NATIVE, "bin", "nxcc"), text=MESSAGES), "-n", "2")
        self.assertEqual([process.endpoint for process in found], [0, 1])
        for process in found:
            self.assertEqual(sum(t.events["pick-up"] - t.in_vain for t in process.threads), 120)

    def test_threads_have_the_processors_that_they_have_without_nxrun(self):
        program = self.built_by("gcc", text=PROCESSORS)
        for folder in (OURS, ""):
            with mock.patch.dict(os.environ, LD_LIBRARY_PATH=folder):
                alone = subprocess.run([program], capture_output=True, text=True, check=True).stdout
                self.assertEqual(self.well("-n", "1", program).out, alone, folder)

    def test_nxrun_says_whose_library_serves(self):
        by_gcc, by_ours = self.built_by("gcc", text=LOOPS), self.path("static")
        subprocess.run(
            ["gcc", "-static", "-fopenmp", "-o", by_ours, self.path("loops.c"), f"-L{OURS}"], check=True
        )
        with_gccs = self.path("static-gcc")
        subprocess.run(["gcc", "-static", "-fopenmp", "-o", with_gccs, self.path("loops.c")], check=True)
        served = "OpenMP is served by "
        said = {"parley": f"{served}Parley's loop runtime, in ", "gcc": f"{served}gcc's libgomp, in "}
        library = os.path.join(OURS, "libgomp.so.1")
        listed = subprocess.run(["ldd", by_gcc], capture_output=True, text=True, check=True).stdout
        (their_library,) = re.findall(r"libgomp\.so\.1 => (\S+)", listed)
        for program, folder, runtime, file in (
            (by_gcc, OURS, "parley", library),
            (by_gcc, "", "gcc", their_library),
            (by_ours, "", "parley", by_ours),
            (with_gccs, OURS, "gcc", with_gccs),
        ):
            with (
                self.subTest(program=os.path.basename(program), folder=folder),
                mock.patch.dict(os.environ, LD_LIBRARY_PATH=folder, OMP_NUM_THREADS="2"),
            ):
                ran, record = self.record("-n", "1", program)
                self.assertEqual(record["openmp"], {"runtime": runtime, "file": file})
                self.assertEqual(ran.errors.count("OpenMP"), 1)
                self.assertIn(said[runtime] + file, ran.errors)
                self.assertIn(file, self.well("--profile", "-n", "1", program).errors)
                self.assertEqual(self.well("-n", "1", program).errors, "")

    def test_of_a_program_without_openmp_nothing_is_said(self):
        ran, record = self.record("-n", "1", self.compiled("int main(void) { return 0; }\n"))
        self.assertEqual((ran.status, ran.errors), (0, ""))
        self.assertNotIn("openmp", record)

    def test_times_add_up_where_records_had_no_room(self):
        path = self.path("run.trace")
        # Iterations that take longer than it costs to be watched, which is taken out of what is told.
        busy = LOOPS.replace("sum += i;", "{ for (volatile int turn = 0; turn < 200; turn++) {} sum += i; }")
        program = self.built_by("gcc", text=busy.replace("round < 3", "round < 300"))
        self.well(
            *("--trace", path, "--trace-records", "100", "-n", "1", program),
            env={**os.environ, "LD_LIBRARY_PATH": OURS, "OMP_NUM_THREADS": "2"},
        )
        line = [os.path.join(NATIVE, "bin", "nxtrace"), "--loops", "--json", path]
        told = json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)
        self.assertGreater(told["lost_records"], 1000)
        (process,) = told["processes"]
        self.assertTrue(process["whole"])
        self.assertEqual(len(process["threads"]), 2)
        self.assertAlmostEqual(sum(process["threads"][0]["ns"].values()), process["completion_ns"], delta=10)
        self.assertGreater(process["threads"][0]["ns"]["iterations"], 0)


if __name__ == "__main__":
    unittest.main()
