# SPDX-License-Identifier: MIT
"""What programs compute in the booted kernel is what they compute on Linux over MPI."""

import os
import sys

from boot_case import ROOT, BootCase, extra, needs

sys.path.insert(0, os.path.join(ROOT, "native", "tests"))
import oracle  # noqa: E402

NODES = 2
DESIGN = "exp6"


@needs("oracle")
class KernelAndOracle(BootCase):
    def job(self, program: str) -> str:
        path = program
        if program == "talk":
            source = os.path.join(ROOT, "kernel", "tests", "programs", "talk.c")
            with open(source, encoding="utf-8") as file:
                path = self.compile("nxcc", "talk.c", file.read())
        words = " ".join(oracle.RUNS[program])
        return f'[[job]]\nname = "{program}"\napp = "{path}"\nargs = "{words}"\n'

    @extra
    def test_programs_compute_what_they_compute_over_mpi(self):
        mpis = oracle.installed()
        if not mpis:
            self.skipTest(oracle.MISSING)
        head = f'design = "{DESIGN}"\nnodes = {NODES}\n'
        path = self.write("oracle.toml", head + "".join(self.job(program) for program in oracle.RUNS))
        boot = self.boot_well(f"CONFIG={path}", limit=120)
        for number, program in enumerate(oracle.RUNS):
            rows = [row for row in boot.record["rows"] if row["job"] == number]
            right, said = oracle.over_mpi(mpis[0], NODES, program, self.folder)
            self.assertTrue(right, f"{program}: {said}")
            self.assertEqual(oracle.results(rows), right, program)
