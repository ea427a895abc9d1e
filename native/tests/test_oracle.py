# SPDX-License-Identifier: MIT
"""The same programs compute the same over MPI, with a few hundred lines of NX/2 in between (native/oracle),
as over this message system: the FFT's spectrum to its last bit, Simplex's way and answer, what the ring
carries, and what each of many drawn receives takes."""

import unittest

import oracle
from native_case import NativeCase, app
from declarations import extra, needs

SHIPPED = "native"


@needs("oracle")
class Oracle(NativeCase):
    def setUp(self):
        super().setUp()
        self.mpis = oracle.installed()
        if not self.mpis:
            self.skipTest(oracle.MISSING)

    def native(self, nodes: int, program: str, design: str) -> dict:
        path = self.program(program) if program == "talk" else app(program)
        ran, record = self.record("-n", str(nodes), "-d", design, path, *oracle.RUNS[program])
        self.assertEqual(ran.status, 0, ran.text)
        return oracle.results(record["rows"])

    def agree(self, program: str, nodes: int, *designs: str):
        right = None
        for mpi in self.mpis:
            found, said = oracle.over_mpi(mpi, nodes, program, self.folder)
            self.assertTrue(found, f"{program} over {mpi}: {said}")
            right = right or found
            self.assertEqual(found, right, f"{program} over {mpi} and over {self.mpis[0]}")
        for design in designs:
            self.assertEqual(self.native(nodes, program, design), right, f"{program} under {design}")

    def test_the_fft_has_the_spectrum_that_it_has_over_mpi(self):
        self.agree("fft", 2, SHIPPED, "exp4")

    def test_simplex_takes_the_way_that_it_takes_over_mpi(self):
        self.agree("simplex", 2, SHIPPED, "exp4")

    def test_the_ring_carries_what_it_carries_over_mpi(self):
        self.agree("ring", 2, SHIPPED)

    def test_drawn_receives_take_what_they_take_over_mpi(self):
        self.agree("talk", 2, SHIPPED, "exp4", "exp6,transfer=adaptive")

    @extra
    def test_more_nodes_compute_what_they_compute_over_mpi(self):
        self.agree("fft", 4, SHIPPED)
        self.agree("simplex", 3, SHIPPED)
        self.agree("talk", 4, SHIPPED)


if __name__ == "__main__":
    unittest.main()
