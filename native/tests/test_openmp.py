# SPDX-License-Identifier: MIT
"""OpenMP programs, compiled and linked by gcc and gfortran as anybody would: what they print over our libgomp
is what they print over gcc's, under every leaf."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from declarations import needs
from native_case import BUILD, LONGEST, ROOT

sys.path.insert(0, os.path.join(ROOT, "tools"))
import list_leaves  # noqa: E402

PROGRAMS = sorted(glob.glob(os.path.join(ROOT, "userlib", "loops", "tests", "programs", "*.*")))
SCHEDULED = os.path.join(ROOT, "userlib", "loops", "tests", "scheduled.c")
LEVELS = os.path.join(ROOT, "userlib", "loops", "tests", "levels.c")
LARGE_NEST = os.path.join(ROOT, "userlib", "loops", "tests", "large_nest.c")
CEDAR = os.path.join(ROOT, "userlib", "loops", "tests", "cedar.c")
REFUSED = os.path.join(ROOT, "userlib", "loops", "tests", "refused.c")
ENDED = "a thread has ended in a parallel region, where the others of its team wait for it"
REFUSALS = (
    ("loop", "a loop of the same team cannot be in the ordered region of another"),
    ("barrier", "a barrier cannot be in the ordered region of a loop, for which the others wait"),
    ("twice", "an iteration comes twice to the ordered region of its loop"),
    ("chunk", "the chunk of a loop's schedule is at least 1, not 0"),
    (
        "beyond",
        "the variable of a parallel loop goes beyond what its type can hold behind the last iteration",
    ),
    (
        "depend",
        "an iteration depends (depend(sink:)) on one that is not before it, or on one of its own chunk "
        "that is without depend(source)",
    ),
    ("reduction", "a task takes part in a reduction (in_reduction) that nobody has begun"),
    ("end 0", ENDED),
    ("end 2", ENDED),
)
TASKS = os.path.join(ROOT, "userlib", "loops", "tests", "cedar_tasks.c")
CLUSTERS = os.path.join(ROOT, "kernel", "tests", "programs", "clusters.c")
OURS = os.path.join(BUILD, "lib", "openmp")
COMPILERS = {".c": "gcc", ".f90": "gfortran"}
FACTORS = list_leaves.ROOTS["loops"]


def choices() -> list[str]:
    """Words in which each leaf stands once; a factor with fewer leaves has its own again."""
    leaves = {factor: sorted(list_leaves.leaves(factor, folder, ROOT)) for factor, folder in FACTORS.items()}
    most = max(len(names) for names in leaves.values())
    return [
        ",".join(f"{factor}={names[at % len(names)].replace('_', '-')}" for factor, names in leaves.items())
        for at in range(most)
    ]


@needs("loops")
class OpenMP(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="parley-openmp-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.programs = [cls.compiled(path) for path in PROGRAMS]
        cls.of_cedar = cls.compiled(CEDAR, f"-I{ROOT}/userlib/include", f"-L{OURS}", "-lgomp")

    @classmethod
    def compiled(cls, path: str, *words: str) -> str:
        program = os.path.join(cls.folder, re.sub(r"\W", "_", os.path.basename(path)))
        compiler = COMPILERS[os.path.splitext(path)[1]]
        subprocess.run([compiler, "-O1", "-fopenmp", "-o", program, path, *words], check=True, cwd=cls.folder)
        return program

    def ran(self, program: str, *words: str, **environment: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [program, *words],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )

    def over_ours(self, program: str, *words: str, **environment: str) -> subprocess.CompletedProcess:
        return self.ran(program, *words, LD_LIBRARY_PATH=OURS, **environment)

    def well(self, ran: subprocess.CompletedProcess) -> str:
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def test_programs_print_the_same_under_every_leaf(self):
        for program in self.programs:
            wanted = self.well(self.ran(program, OMP_NUM_THREADS="2"))
            for at, words in enumerate(choices()):
                with self.subTest(program=os.path.basename(program), words=words):
                    threads = str((2, 3, 1)[at % 3])
                    told = self.over_ours(program, OMP_NUM_THREADS=threads, PARLEY_LOOPS=words)
                    self.assertEqual(self.well(told), wanted)

    def test_programs_print_the_same_where_nothing_is_said(self):
        for program in self.programs:
            self.assertEqual(self.well(self.over_ours(program)), self.well(self.ran(program)))

    def test_loops_of_runtime_are_handed_out_as_omp_schedule_says(self):
        program = self.compiled(SCHEDULED)
        for schedule, wanted in (("static,1", "0 1 2 0 1 2 0 1"), ("static,2", "0 0 1 1 2 2 0 0")):
            told = self.well(self.over_ours(program, OMP_NUM_THREADS="3", OMP_SCHEDULE=schedule))
            lines = [
                f"{kind}{tasks}: {wanted}"
                for kind in ("runtime", "monotonic : runtime", "nonmonotonic : runtime")
                for tasks in ("", ", with tasks")
            ]
            self.assertEqual(told.splitlines(), lines)

    def test_omp_num_threads_has_a_number_for_each_level_of_teams(self):
        program = self.compiled(LEVELS)
        told = set()
        for threads, others in (
            ("3,2", {}),
            ("1,3,2", {}),
            ("2", {"OMP_NESTED": "true"}),
            ("2,3", {"OMP_NESTED": "false"}),
            ("2", {"OMP_PROC_BIND": "close,close"}),
        ):
            said = {"OMP_NUM_THREADS": threads, **others}
            ours, theirs = self.over_ours(program, **said), self.ran(program, **said)
            self.assertEqual(self.well(ours), self.well(theirs), said)
            (shown,) = re.findall(r"OMP_NUM_THREADS = '(.*)'", ours.stderr)
            self.assertEqual(shown, threads)
            told.add(ours.stdout)
        self.assertEqual(len(told), 4, "a level's number changes nothing")

    def test_iterations_that_depend_on_each_other_take_eight_bytes_each_when_they_are_done(self):
        mebibytes, count = 1024, 6 << 20
        ran = self.over_ours(self.compiled(LARGE_NEST), str(count), OMP_NUM_THREADS="4")
        first, last = map(int, self.well(ran).split())
        words = count * 8 // 1024
        self.assertTrue(0 < first < words // 3, f"{first} KiB when the first runs")
        self.assertTrue(words < last < words + 16 * mebibytes, f"{last} KiB when all are done")

    def test_every_version_of_gccs_library_is_there(self):
        """A program that is linked with gcc's library asks for names by their versions."""
        theirs = subprocess.run(
            ["gcc", "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True
        ).stdout.strip()

        def names(library: str) -> set[str]:
            line = ["nm", "-D", "--defined-only", library]
            said = subprocess.run(line, capture_output=True, text=True, check=True).stdout
            return set(re.findall(r" T (GOMP_\w+@@\S+)", said))

        missing = names(theirs) - names(os.path.join(OURS, "libgomp.so.1"))
        self.assertEqual(missing - self.of_plugins(missing), set())

    @staticmethod
    def of_plugins(names: set[str]) -> set[str]:
        """What a library for an accelerator calls."""
        return {name for name in names if re.match(r"GOMP_(PLUGIN_|offload_)", name)}

    def cedar(
        self, *words: str, clusters: int = 1, threads: int = 2, leaves: str = "", limit: int = 99
    ) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.of_cedar, *words],
            env={
                **os.environ,
                "LD_LIBRARY_PATH": OURS,
                "OMP_NUM_THREADS": str(threads),
                "OMP_THREAD_LIMIT": str(limit),
                "PARLEY_LOOPS": f"clusters={clusters}" + (f",{leaves}" if leaves else ""),
            },
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )

    def test_cedars_loops_do_each_iteration_once(self):
        wanted = "sdoall 1\nxdoall 1\ncdoall 1\ndoacross 301 0\nSDOALL 1\nXDOALL 1\nDOACROSS 101 0\n"
        for clusters, threads in ((1, 1), (1, 3), (2, 2), (2, 4)):
            self.assertEqual(self.well(self.cedar(clusters=clusters, threads=threads)), wanted)
        distributions = [words.partition(",")[0] for words in choices()]
        for leaves in ("distribution=chunk:7", *distributions):
            with self.subTest(leaves=leaves):
                self.assertEqual(self.well(self.cedar(clusters=2, threads=3, leaves=leaves)), wanted)

    def test_cedars_loops_lose_nothing_where_fewer_threads_are_allowed(self):
        told = self.well(self.cedar(clusters=2, threads=6, limit=2, leaves="distribution=static"))
        self.assertTrue(told.startswith("sdoall 1\nxdoall 1\ncdoall 1\ndoacross 301 0\n"), told)
        ran = self.cedar(clusters=2, threads=4, limit=1)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("OMP_THREAD_LIMIT", ran.stderr)
        for clusters, each in ((1, 3), (2, 1)):
            told = self.well(self.cedar("limits", clusters=clusters, threads=6, leaves="distribution=static"))
            wanted = f"1 of each\n{each} of each\nxdoall and sdoall 1\ndoacross 602 0\n"
            self.assertEqual(told, wanted, clusters)

    def test_clusters_of_the_machine_are_what_is_said(self):
        program = self.compiled(CLUSTERS, f"-I{ROOT}/userlib/include", f"-L{OURS}", "-lgomp")
        many = len(os.sched_getaffinity(0))
        told = self.well(self.over_ours(program, OMP_NUM_THREADS=str(many), PARLEY_CLUSTERS=str(many)))
        self.assertIn(f"{many} clusters of 1\n", told)
        bound = re.findall(r"from processor \d+: 1,", told)
        self.assertEqual(len(bound), many - (many > 1), "all threads but the first are bound")
        self.assertIn("1 clusters of 2", self.well(self.over_ours(program, OMP_NUM_THREADS="2")))
        for wrong in ("0", "2x", "", str(many + 1)):
            ran = self.over_ours(program, PARLEY_CLUSTERS=wrong)
            self.assertEqual((ran.returncode, ran.stderr.count("\n")), (2, 1))
            self.assertIn("PARLEY_CLUSTERS is 1 to as many clusters as there are processors", ran.stderr)

    def test_cedars_calls_that_do_not_fit_end_in_a_sentence(self):
        for word, sentence in (
            ("loop", "a loop cannot be in the ordered region of a DOACROSS"),
            ("no-end", "an iteration of a DOACROSS has ended between cedar_await() and cedar_advance()"),
            ("twice", "cedar_await() is called twice in an iteration"),
            ("outside", "cedar_await() is called outside of a DOACROSS"),
            ("advance", "cedar_advance() is called without cedar_await()"),
        ):
            ran = self.cedar(word)
            self.assertEqual((ran.returncode, ran.stderr), (2, f"loops: {sentence}.\n"))
        # An iteration that is not the last of its chunk has gone twice through the region when it ends.
        ran = self.cedar("again", leaves="distribution=chunk:4")
        self.assertIn("cedar_await() is called twice in an iteration", ran.stderr)

    def test_more_clusters_than_there_are_end_in_a_sentence(self):
        threads = "say 2 at most, or more threads (OMP_NUM_THREADS, OMP_THREAD_LIMIT)"
        sentence = f"loops: PARLEY_LOOPS: clusters=3: there are 2 threads for them; {threads}.\n"
        ran = self.cedar(clusters=3)
        self.assertEqual((ran.returncode, ran.stderr), (2, sentence))
        with mock.patch.dict(os.environ, PARLEY_CLUSTERS="1"):
            ran = self.cedar(clusters=2)
            self.assertEqual(
                (ran.returncode, ran.stderr),
                (
                    2,
                    "loops: PARLEY_LOOPS: clusters=2: there is 1 cluster of processors; say 1 at most, or "
                    "more of the machine's (PARLEY_CLUSTERS).\n",
                ),
            )
            self.well(self.cedar(clusters=1))

    def test_cluster_tasks_have_loops_of_their_own(self):
        program = self.compiled(TASKS, f"-I{ROOT}/userlib/include", f"-L{OURS}", "-lgomp")
        for clusters, threads in ((1, 2), (2, 4), (3, 3)):
            words = f"clusters={clusters}"
            told = self.well(self.over_ours(program, OMP_NUM_THREADS=str(threads), PARLEY_LOOPS=words))
            sums = [2 * sum(range(at, at + 500)) for at in range(clusters)]
            wanted = [f"task {at}: sum {one}, 0 wrong, table -1, stack -1" for at, one in enumerate(sums)]
            self.assertEqual(told.splitlines(), wanted)
        nobody = "cedar_await_task() takes the number of a task for which nobody has waited"
        for word, sentence in (
            ("cluster", "cedar_start_task() takes a cluster from 0 to one less than there are"),
            ("number", nobody),
            ("twice", nobody),
            (
                "spread",
                "SDOALL and XDOALL are for the main task: a cluster task has its own cluster's processors",
            ),
            ("self", "a cluster task cannot wait for itself"),
            ("many", "a program has at most 64 cluster tasks for which nobody has waited"),
            ("memory", "there is no room in the cluster's memory for what cedar_cluster_memory() is to have"),
            ("memory-of-none", "cedar_cluster_memory() takes a cluster from 0 to one less than there are"),
        ):
            ran = subprocess.run(
                [program, word],
                env={**os.environ, "LD_LIBRARY_PATH": OURS, "OMP_NUM_THREADS": "2"},
                capture_output=True,
                text=True,
                timeout=LONGEST,
                check=False,
            )
            self.assertEqual((ran.returncode, ran.stderr), (2, f"loops: {sentence}.\n"))

    def test_what_openmp_forbids_ends_in_a_sentence(self):
        program = self.compiled(REFUSED)
        self.assertEqual(self.well(self.over_ours(program, "none")), "none of these\n")
        for words, sentence in REFUSALS:
            with self.subTest(words):
                ran = self.over_ours(program, *words.split())
                self.assertEqual((ran.returncode, ran.stderr), (2, f"loops: {sentence}.\n"))

    def test_a_bad_word_ends_in_a_sentence(self):
        for environment, sentence in (
            ({"PARLEY_LOOPS": "distribution=chunk:0"}, "the chunk of distribution=chunk is 1 to "),
            ({"PARLEY_LOOPS": "barrier=wall"}, "there is no barrier 'wall'; there are "),
            ({"OMP_NUM_THREADS": "none"}, "OMP_NUM_THREADS=none: a whole number from 1 to 1024 is wanted."),
            ({"OMP_NUM_THREADS": "3,"}, "OMP_NUM_THREADS=3,: a whole number from 1 to 1024 is wanted."),
            (
                {"OMP_STACKSIZE": f"{1 << 40}G"},
                f"OMP_STACKSIZE={1 << 40}G: a whole number from 1 to {(1 << 34) - 1} is wanted.",
            ),
            ({"OMP_SCHEDULE": "by hand"}, "OMP_SCHEDULE=by hand: static, dynamic, guided or auto is wanted"),
            ({"OMP_WAIT_POLICY": "pasive"}, "OMP_WAIT_POLICY=pasive: active or passive is wanted"),
            ({"OMP_PROC_BIND": "close,flase"}, "OMP_PROC_BIND=close,flase: true, false, primary, close or"),
        ):
            ran = self.over_ours(self.programs[0], **environment)
            self.assertEqual(ran.returncode, 2)
            self.assertIn(sentence, ran.stderr)
            self.assertEqual(ran.stderr.count("\n"), 1)

    def test_bad_words_of_the_benchmarks_end_in_a_sentence(self):
        known = {"overheads": ("bench-loops", "ROUNDS= and OMP_NUM_THREADS="), "pick_ups": ("count-loops",)}
        for tool, (command, *names) in known.items():
            path = os.path.join(ROOT, "userlib", "loops", "bench", f"{tool}.py")
            for word, sentence in (
                ("FOO=1", f"'FOO=1' is no word here; there are {(*names, 'OMP_NUM_THREADS=')[0]}."),
                ("OMP_NUM_THREADS=none", "OMP_NUM_THREADS takes a whole number from 1 to 1024, not 'none'."),
                ("OMP_NUM_THREADS=1025", "OMP_NUM_THREADS takes a whole number from 1 to 1024, not '1025'."),
            ):
                line = [sys.executable, "-B", path, "program", "folder", word]
                ran = subprocess.run(line, capture_output=True, text=True, check=False)
                self.assertEqual((ran.returncode, ran.stderr), (2, f"{command}: {sentence}\n"))

    def test_what_is_not_served_says_so(self):
        path = os.path.join(self.folder, "detach.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#include <omp.h>\nint main(void)\n{\n    omp_event_handle_t done;\n")
            file.write("#pragma omp task detach(done)\n    omp_fulfill_event(done);\n    return 0;\n}\n")
        ran = self.over_ours(self.compiled(path))
        self.assertEqual((ran.returncode, ran.stderr), (2, "loops: a task with detach() is not served.\n"))


if __name__ == "__main__":
    unittest.main()
