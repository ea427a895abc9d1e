# SPDX-License-Identifier: MIT
"""Programs as they were written for the hypercubes, in the habits of their time."""

import os
import subprocess
import unittest

from boot_case import BUILD, ROOT, BootCase

PROGRAMS = os.path.join(ROOT, "tools", "boots", "programs", "history")
OLD_OPTIONS = ("-node", "-i860", "-OLM", "-Knoieee", "-Mvect", "-Mquad", "-X74", "-lnode")


class History(BootCase):
    def built(self, wrapper: str, source: str, *flags: str) -> str:
        with open(os.path.join(PROGRAMS, source), encoding="utf-8") as file:
            return self.compile(wrapper, source, file.read(), *flags)

    def test_addresses_fit_into_an_int(self):
        boot = self.boot_well(f"APP={self.built('nxcc', 'addresses.c')}", "NODES=1")
        self.assertIn("fits 1111\nThu 5 6", boot.text)

    def test_old_fortran_is_understood(self):
        program = self.built("nxf77", "habits.f", *OLD_OPTIONS)
        boot = self.boot_well(f"APP={program}", "NODES=1", f"INPUT={self.write('typed', '3 4')}")
        found = [line for line in boot.text.splitlines() if line.startswith(" ")]
        expected = [" OWN   42.0   4.5  0 NODE", " BLOCK   3  4", " CODED      7    17     7    17     0"]
        expected += [" KEPT  22 COMMON    9", " NX=7          ,", " NY=0          ,", " /", " DONE"]
        self.assertEqual([line for line in found if "boot " not in line], expected)

    def test_old_c_is_understood(self):
        boot = self.boot_well(f"APP={self.built('nxcc', 'habits.c', *OLD_OPTIONS)}", "NODES=1")
        self.assertIn("own 8 2.5 4 0 1 6 7", boot.text)

    def test_old_cxx_is_understood(self):
        boot = self.boot_well(f"APP={self.built('nxc++', 'shapes.C')}", "NODES=2")
        self.assertIn("area 5 count 8", boot.text)

    def test_a_program_of_two_languages_is_compiled_by_either_wrapper(self):
        main = self.write("main.f", "      CALL HELLO(7)\n      END\n")
        part = self.write("hello.c", '#include <stdio.h>\nhello_(n) int *n; { printf("got %d\\n", *n); }\n')
        for wrapper in ("nxf77", "nxcc"):
            program = os.path.join(self.folder, wrapper)
            subprocess.run([os.path.join(BUILD, wrapper), "-O", "-o", program, main, part], check=True)
            self.assertIn("got 7", self.boot_well(f"APP={program}", "NODES=1").text)

    def test_messages_name_the_line_of_the_file_as_it_was_written(self):
        source = (
            "      X = SECOND(1)\n      ENCODE (4, 10, I) X\n   10 FORMAT (F4.1)\n      Y = 1 +\n      END\n"
        )
        path = self.write("wrong.f", source + "      FUNCTION SECOND(I)\n      SECOND = I\n      END\n")
        done = subprocess.run(
            [os.path.join(BUILD, "nxf77"), path], capture_output=True, text=True, check=False
        )
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"{path}:4:", done.stderr)

    def test_what_became_of_an_old_option_is_told_on_request(self):
        path = self.write("empty.c", "int main(void) { return 0; }\n")
        command = [os.path.join(BUILD, "nxcc"), "-v", "-Knoieee", "-fast", "-o", path + ".out", path]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        self.assertIn("nxcc: -Knoieee: has no meaning here\nnxcc: -fast: -O3\n", told)
        refused = subprocess.run([command[0], "-onetrip", path], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("nxcc: -onetrip has no counterpart here: change the program", refused.stderr)


if __name__ == "__main__":
    unittest.main()
