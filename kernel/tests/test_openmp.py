# SPDX-License-Identifier: MIT
"""OpenMP programs as they are, linked with our libgomp: booted, they print what they print on Linux over
gcc's."""

import glob
import os
import subprocess
import unittest

from boot_case import BUILD, ROOT, BootCase, for_each, needs

PROGRAMS = sorted(glob.glob(os.path.join(ROOT, "userlib", "loops", "tests", "programs", "*.c")))
PROCESSORS = (1, 4)


@needs("system", "loops")
@for_each(PROCESSORS, "programs_print_the_same_on_so_many_processors", sample=PROCESSORS)
class OpenMP(BootCase):
    def linked(self, source: str, name: str, *words: str) -> str:
        program = os.path.join(self.folder, name)
        line = ["gcc", "-O1", "-fopenmp", "-o", program, source, *words]
        subprocess.run(line, check=True, cwd=self.folder)
        return program

    def programs_print_the_same_on_so_many_processors(self, processors):
        self.assertNotEqual(PROGRAMS, [])
        for source in PROGRAMS:
            name = os.path.splitext(os.path.basename(source))[0]
            with self.subTest(name):
                theirs = self.linked(source, f"{name}.linux")
                wanted = subprocess.run([theirs], capture_output=True, text=True, check=True).stdout
                ours = self.linked(source, name, "-static", f"-L{BUILD}/lib/openmp")
                with open(ours, "rb") as file:
                    self.assertIn(b"PARLEY_LOOPS", file.read(), "this is linked with another library")
                boot = self.boot_well(f"APP={ours}", "NODES=1", f"PROCESSORS={processors}")
                self.assertNotEqual(wanted, "")
                self.assertIn(wanted, boot.text)


if __name__ == "__main__":
    unittest.main()
