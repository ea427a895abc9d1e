# SPDX-License-Identifier: MIT
"""OpenMP programs as they are, linked with our libgomp: booted, they print what they print on Linux over
gcc's."""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from boot_case import BUILD, ROOT, RUNNER, BootCase, Job, for_each, needs, seldom

PROGRAMS = sorted(glob.glob(os.path.join(ROOT, "userlib", "loops", "tests", "programs", "*.c")))
MESSAGES = os.path.join(ROOT, "userlib", "loops", "tests", "messages.c")
REFUSED = os.path.join(ROOT, "userlib", "loops", "tests", "refused.c")
PROCESSORS = (1, 4)


@needs("system", "loops")
@for_each(PROCESSORS, "programs_print_the_same_on_so_many_processors", sample=PROCESSORS)
class OpenMP(BootCase):
    @classmethod
    def setUpClass(cls):
        cls.common = tempfile.mkdtemp(prefix="parley-boot-")
        cls.addClassCleanup(shutil.rmtree, cls.common, True)

    def linked(self, source: str, name: str, *words: str) -> str:
        """Once for all tests of the class."""
        program = os.path.join(self.common, name)
        if not os.path.exists(program):
            line = ["gcc", "-O1", "-fopenmp", "-o", program, source, *words]
            subprocess.run(line, check=True, cwd=self.common)
        return program

    def programs_print_the_same_on_so_many_processors(self, processors):
        """All are jobs of one boot."""
        self.assertNotEqual(PROGRAMS, [])
        wanted, jobs = {}, ""
        for source in PROGRAMS:
            name = os.path.splitext(os.path.basename(source))[0]
            theirs = self.linked(source, f"{name}.linux")
            wanted[name] = subprocess.run([theirs], capture_output=True, text=True, check=True).stdout
            self.assertNotEqual(wanted[name], "")
            ours = self.linked(source, name, "-static", f"-L{BUILD}/lib/openmp")
            with open(ours, "rb") as file:
                self.assertIn(b"PARLEY_LOOPS", file.read(), "this is linked with another library")
            jobs += f'[[job]]\nname = "{name}"\napp = "{ours}"\n'
        config = self.write("programs.toml", f"nodes = 1\nprocessors = {processors}\n{jobs}")
        boot = self.boot_well(f"CONFIG={config}")
        self.assertEqual([job["name"] for job in boot.record["jobs"]], list(wanted))
        for entry in boot.record["jobs"]:
            with self.subTest(entry["name"]):
                self.assertIn(wanted[entry["name"]], Job(entry, boot).text)

    def test_the_wrapper_links_a_program_of_messages_and_loops_with_them(self):
        with open(MESSAGES, encoding="utf-8") as file:
            program = self.compile("nxcc", "messages.c", file.read(), "-fopenmp")
        words = ("NODES=2", "PROCESSORS=4", "SCHEDULE=timeshared", "LOOPS=distribution=guided")
        self.assertIn("2 nodes have 1498500", self.boot_well(f"APP={program}", *words).text)

    def test_the_leaves_are_those_that_the_boot_is_told(self):
        program = self.linked(PROGRAMS[0], "told", "-static", f"-L{BUILD}/lib/openmp")
        boot = self.boot(f"APP={program}", "NODES=1", "PROCESSORS=2", "LOOPS=barrier=wall")
        self.assertEqual(boot.record["jobs"][0]["status"], "failed")
        self.assertIn("loops: LOOPS: there is no barrier 'wall'; there are central,", boot.text)
        boot = self.boot(f"APP={program}", "NODES=1", "PROCESSORS=2", "LOOPS=clusters=3")
        self.assertIn(
            "loops: LOOPS: clusters=3: there are 2 threads for them; say 2 at most, or more PROCESSORS.",
            boot.text,
        )
        self.boot_well(f"APP={program}", "NODES=1", "PROCESSORS=2", "LOOPS=barrier=tree,wait=sleeping")

    @seldom
    def test_what_openmp_forbids_ends_in_a_sentence(self):
        program = self.linked(REFUSED, "refused", "-static", f"-L{BUILD}/lib/openmp")
        for words, sentence in (
            ("loop", "a loop of the same team cannot be in the ordered region of another"),
            (
                "depend",
                "an iteration depends (depend(sink:)) on one that is not before it, or on one of its own "
                "chunk that is without depend(source)",
            ),
            ("reduction", "a task takes part in a reduction (in_reduction) that nobody has begun"),
            ("end 1", "a thread has ended in a parallel region, where the others of its team wait for it"),
        ):
            boot = self.boot(f"APP={program}", "NODES=1", "PROCESSORS=3", f"ARGS={words}", "LIMIT=20")
            self.assertEqual(boot.record["jobs"][0]["status"], "failed")
            self.assertIn(f"loops: {sentence}.", boot.text)


# 3 loops of 40 iterations, one at a time.
LOOPS = """int main(void)
{
    for (int round = 0; round < 3; round++)
#pragma omp parallel for schedule(monotonic: dynamic, 1)
        for (int i = 0; i < 40; i++)
            __asm__ volatile("");
    return 0;
}
"""


@needs("traced", "loops")
@for_each(("exp6", "exp4,location=user"), "loops_are_told_apart", sample=("exp6",))
class Told(BootCase):
    """Where the time of loops went. No time is asserted."""

    def loops_are_told_apart(self, design):
        source, program = self.write("loops.c", LOOPS), os.path.join(self.folder, "loops")
        line = ["gcc", "-O1", "-fopenmp", "-static", "-o", program, source, f"-L{BUILD}/lib/openmp"]
        subprocess.run(line, check=True)
        words = [f"APP={program}", f"DESIGN={design}", "NODES=1", "PROCESSORS=2", "QUIET=1", "JSON=1"]
        line = [RUNNER, "loops", *words, "LIMIT=60", "REMEASURE=0"]
        told = subprocess.run(line, capture_output=True, text=True, check=False, timeout=600)
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
        found = json.loads(told.stdout[told.stdout.index("{") :])
        (process,) = found["processes"]
        self.assertEqual(found["lost_records"], 0)
        self.assertTrue(process["whole"])
        threads = process["threads"]
        self.assertEqual(len(threads), 2)
        self.assertEqual(sum(thread["pick_ups"] - thread["in_vain"] for thread in threads), 120)
        self.assertEqual([thread["posted"] for thread in threads], [3, 0])
        self.assertGreater(threads[0]["ns"]["serial"], 0)
        self.assertEqual(threads[1]["ns"]["serial"], 0)


if __name__ == "__main__":
    unittest.main()
