# SPDX-License-Identifier: MIT
"""Programs in Cedar Fortran, booted: on several processors, and on the modelled Cedar in whose clusters'
memories their threads' stacks lie, they compute what plain loops compute."""

import glob
import os
import re
import subprocess

from boot_case import BUILD, ROOT, BootCase, needs, seldom

FOLDER = os.path.join(ROOT, "studies", "cedar", "fortran")
EXAMPLES = sorted(glob.glob(os.path.join(FOLDER, "*.f")))
# What those share that call PERFECT.
SHARED = os.path.join(FOLDER, "support", "perfect.f")
# Where each cluster's copy of a block lies: the number of a window of clusters' memories.
PLACES = """      INTEGER I, HERE, NOW, CEDAR_CLUSTER
      INTEGER*8 AT(0:1), WINDOWS, BYTES
      GLOBAL AT, HERE
      CLUSTER COMMON /OWN/ X(100)
      DATA WINDOWS, BYTES / Z'320000000000', Z'2000000000' /
      HERE = 0
      SDOALL I = 1, 2
         INTEGER NOW
!$OMP ATOMIC
         HERE = HERE + 1
         NOW = 0
         DO WHILE (NOW .LT. 2)
!$OMP ATOMIC READ
            NOW = HERE
         END DO
         AT(CEDAR_CLUSTER()) = (LOC(X) - WINDOWS) / BYTES
      END SDOALL
      PRINT 10, AT
   10 FORMAT ('copies in windows', 2I4)
      END
"""
JOB = '[[job]]\napp = "{program}"\nname = "{name}"\nnodes = 1\n'


@needs("system", "loops")
class CedarFortran(BootCase):
    def programs(self) -> dict[str, str]:
        """The examples, compiled, by their names."""
        found = {}
        for path in EXAMPLES:
            name = os.path.splitext(os.path.basename(path))[0]
            found[name] = os.path.join(self.folder, name)
            with open(path, encoding="utf-8") as file:
                more = [SHARED] * ("CALL PERFECT(" in file.read())
            line = [os.path.join(BUILD, "cedarf77"), "-o", found[name], path, *more]
            subprocess.run(line, check=True)
        return found

    def compute_well(self, *words: str, limit: int = 120) -> None:
        programs = self.programs()
        text = "".join(JOB.format(program=path, name=name) for name, path in programs.items())
        boot = self.boot_well(f"CONFIG={self.write('jobs.toml', text)}", *words, limit=limit)
        told = re.findall(r"^(\w+): +\d+ \w+, +0 wrong$", boot.text, re.M)
        self.assertEqual(sorted(told), sorted(programs))

    @seldom
    def test_they_compute_what_plain_loops_compute(self):
        self.compute_well("PROCESSORS=4", "LOOPS=clusters=2")

    @seldom
    @needs("system", "loops", "model")
    def test_cluster_common_lies_in_its_clusters_memory(self):
        program = os.path.join(self.folder, "places")
        compiler = os.path.join(BUILD, "cedarf77")
        subprocess.run([compiler, "-o", program, self.write("places.f", PLACES)], check=True)
        words = ("CLOCK=modelled", "MACHINE=cedar", "LOOPS=clusters=2")
        boot = self.boot_well(f"APP={program}", "NODES=1", "PROCESSORS=16", *words, limit=300)
        self.assertIn("copies in windows   0   1", boot.text)

    @seldom
    @needs("system", "loops", "model")
    def test_they_compute_it_on_the_modelled_cedar(self):
        words = ("CLOCK=modelled", "MACHINE=cedar", "LOOPS=clusters=1,distribution=hierarchical:8:1")
        self.compute_well("PROCESSORS=8", *words, limit=300)
