# SPDX-License-Identifier: MIT
"""Programs as they were written for the hypercubes, in the habits of their time."""

import os
import re
import shutil
import subprocess
import unittest

from boot_case import BUILD, ROOT, BootCase, for_each, newest, seldom

PROGRAMS = os.path.join(ROOT, "kernel", "tests", "programs", "history")
OLD_OPTIONS = ("-node", "-i860", "-OLM", "-Knoieee", "-Mvect", "-Mquad", "-X74", "-lnode")
WRAPPERS = {".f": "nxf77", ".c": "nxcc", ".C": "nxc++"}
# Designs whose messages are copied, so that any buffer will do; with the nodes to run on.
COPYING = (("exp6", 1), ("exp6", 8), ("exp6,location=user", 3), ("exp3", 4), ("exp4", 4), ("nx2", 4))
PROBLEMS = {
    "typed.txt": "A MATRIX OF MINIMA   \n  120    4\n",
    "files/sor.in": "* a problem\n* its size\n 40\n &METHOD OMEGA=1.85D0, EPS=1.0D-11,\n   MAXIT=2000 /\n",
}
# What each program says when its result is right.
PROGRAMS_SAY = {
    "cg.f": "CG CONVERGED IN 100 ITERATIONS ON",
    "tasks.c": "tasks: all loops agree on",
    "sor.f": "SOR RELAXED  40 COLUMNS IN  150 SWEEPS ON",
    "bodies.C": "springs of 24 bodies: balanced, 16545",
    "lu_host.f": "LU SOLVED  120 EQUATIONS ON",
}

MAKEFILE = """FC = if77
CC = icc
FFLAGS = -O4 -Knoieee -Mquad -node
prog: main.o own.o libmine.a
\t$(FC) $(FFLAGS) -o prog main.o own.o -L. -lmine -lnode
libmine.a: twice.o
\tar860 cr libmine.a twice.o
.SUFFIXES: .f .c .o
.f.o:
\t$(FC) $(FFLAGS) -c $<
.c.o:
\t$(CC) -O3 -node -Mreentrant -c $<
"""
# SECOND and SCALE, which lie in other files, are intrinsics of gfortran's.
ASK = """      IF (MYNODE() .EQ. 0) WRITE (6, 10) SCALE(X)
   10 FORMAT (' TOTAL', F5.1)
      END
"""


def installed(source: str) -> str:
    """A program of that folder, compiled once; programs of a run lie in one folder, where load finds
    them."""
    path, folder = os.path.join(PROGRAMS, source), os.path.join(BUILD, "tests", "nx_programs", "history")
    name, end = os.path.splitext(source)
    program, shared = os.path.join(folder, name), os.path.join(PROGRAMS, "sizes.inc")
    if not os.path.exists(program) or os.path.getmtime(program) <= newest(path, shared):
        os.makedirs(folder, exist_ok=True)
        options = ["-Mextend", "-node"] if end == ".f" else ["-node"]
        subprocess.run([os.path.join(BUILD, WRAPPERS[end]), *options, "-o", program, path], check=True)
    return program


@for_each(COPYING, "every_program_finds_its_result_under", sample=(COPYING[-1],))
class History(BootCase):
    @seldom
    def every_program_finds_its_result_under(self, value):
        design, nodes = value
        for name, content in PROBLEMS.items():
            self.write(name, content)
        installed("lu_node.f")
        files = (f"INPUT={self.folder}/typed.txt", f"FILES={self.folder}/files", f"OUT={self.folder}/out")
        for source, sentence in PROGRAMS_SAY.items():
            with self.subTest(program=source):
                words = (f"APP={installed(source)}", f"DESIGN={design}", f"NODES={nodes}", *files)
                self.assertIn(sentence, self.boot_well(*words).text)
        written = [name for name in os.listdir(self.folder + "/out") if name.startswith("sor.out.")]
        self.assertEqual(len(written), nodes)

    def built(self, wrapper: str, source: str, *flags: str) -> str:
        with open(os.path.join(PROGRAMS, source), encoding="utf-8") as file:
            return self.compile(wrapper, source, file.read(), *flags)

    def test_addresses_fit_into_an_int(self):
        boot = self.boot_well(f"APP={self.built('nxcc', 'addresses.c')}", "NODES=1")
        self.assertIn("fits 1111\nThu 5 6 2", boot.text)

    def test_old_fortran_is_understood(self):
        program = self.built("nxf77", "habits.f", *OLD_OPTIONS)
        boot = self.boot_well(f"APP={program}", "NODES=1", f"INPUT={self.write('typed', '3 4')}")
        found = [line for line in boot.text.splitlines() if line.startswith(" ")]
        expected = [" OWN   42.0   4.5  0 NODE", " BLOCK   3  4", " CODED      7    17     7    17     0"]
        expected += [
            " KEPT  22 COMMON    9",
            " DATE 01-Jan-70 70  1  1",
            " NX=7          ,",
            " NY=0          ,",
            " /",
            " DONE",
        ]
        self.assertEqual([line for line in found if "boot " not in line], expected)

    def test_integers_and_logicals_stand_for_each_other(self):
        text = self.boot_well(f"APP={self.built('nxf77', 'logic.f')}", "NODES=1").text
        found = [" ".join(line.split()) for line in text.splitlines() if line.startswith(" ")]
        first = "A LITERAL THAT IS LONG ENOUGH FOR TWO LINES .EQ. A .EQ. B"
        expected = [first, "ODD 1", "SECOND 3 3 42", "ODD 3", "NONE", "ALL"]
        self.assertEqual([line for line in found if not line.startswith("boot ")], expected)

    def test_blanks_in_fixed_form_mean_nothing(self):
        text = self.boot_well(f"APP={self.built('nxf77', 'blanks.f')}", "NODES=1").text
        expected = [" MIXED . AND.", " EQUAL", " IT'S  NE", " A  B.EQ.!DON'T!'!<>X"]
        expected += [" LAST ENDS", " 1000.0 2"]
        found = [line.rstrip() for line in text.splitlines() if line.startswith(" ")]
        self.assertEqual([line for line in found if "boot " not in line], expected)

    def test_formats_may_have_expressions_in_them(self):
        for option in ("-O2", "-Mextend"):
            text = self.boot_well(f"APP={self.built('nxf77', 'formats.f', option)}", "NODES=1").text
            first = ' IT\'S <N> "   1.00   2.50  -3.25"\n IT\'S <N> "  1.00  2.50"\n'
            self.assertIn(f"{first}      2              \n BACK 2\n", text)

    def test_old_c_is_understood(self):
        boot = self.boot_well(f"APP={self.built('nxcc', 'habits.c', *OLD_OPTIONS)}", "NODES=3")
        self.assertIn("own 8 2.5 4 0 1 6 7", boot.text)
        self.assertIn("error No such file or directory", boot.text)
        self.assertIn("narrow 3 -3 99 99 3 12", boot.text)
        self.assertIn("info 32 4 2 0 77, last 0\n", boot.text)
        self.assertNotRegex(boot.text, "iprobex|_gihigh")

    def test_headers_of_old_c_may_contradict_the_file(self):
        program = os.path.join(self.folder, "headers")
        path = os.path.join(PROGRAMS, "headers.c")
        subprocess.run([os.path.join(BUILD, "nxcc"), "-o", program, path], check=True, cwd=self.folder)
        text = self.boot_well(f"APP={program}", "NODES=2").text
        self.assertIn("table 5 8 1.50 2 16 a name node 1 of 2\n", text)

    def test_truth_that_a_program_defines_itself_stays(self):
        source = "#include <cube.h>\ntypedef enum { FALSE, TRUE } truth;\n#define NAMELEN 20\n"
        source += "main() { truth t = TRUE; char name[NAMELEN]; return !t || sizeof name != 20; }\n"
        self.boot_well(f"APP={self.compile('nxcc', 'truth.c', source)}", "NODES=1")

    def test_old_cxx_is_understood(self):
        boot = self.boot_well(f"APP={self.built('nxc++', 'shapes.C')}", "NODES=2")
        self.assertIn("area 5 count 167", boot.text)

    def test_a_program_of_two_languages_is_compiled_by_either_wrapper(self):
        main = self.write("main.f", "      TYPE *, 'A STATEMENT OF DEC'\n      CALL HELLO(7)\n      END\n")
        part = self.write("hello.c", '#include <stdio.h>\nhello_(n) int *n; { printf("got %d\\n", *n); }\n')
        for wrapper in ("nxf77", "nxcc"):
            program = os.path.join(self.folder, wrapper)
            subprocess.run([os.path.join(BUILD, wrapper), "-O", "-o", program, main, part], check=True)
            self.assertIn("got 7", self.boot_well(f"APP={program}", "NODES=1").text)

    def test_a_long_of_32_bits_is_fortran_s_integer(self):
        program = os.path.join(self.folder, "kit")
        sources = [os.path.join(PROGRAMS, name) for name in ("kit.f", "toolkit.c")]
        command = [os.path.join(BUILD, "nxf77"), "-long32", "-o", program, *sources]
        subprocess.run(command, check=True)
        self.assertIn("kit -42 4 -1     7 24 Thu 0", self.boot_well(f"APP={program}", "NODES=2").text)
        refused = subprocess.run(
            [os.path.join(BUILD, "nxc++"), "-long32", "x.C"], capture_output=True, text=True, check=False
        )
        self.assertIn("-long32 is for C: change the program's types", refused.stderr)

    def test_a_makefile_of_the_time_works_as_it_is(self):
        self.write("Makefile", MAKEFILE)
        self.write(
            "main.f",
            "      REAL*8 X, SCALE\n      X = MYNODE() + SECOND(1)\n      CALL GDSUM(X, 1, W)\n" + ASK,
        )
        own = "      SUBROUTINE GDSUM(X, N, W)\n      CALL GDPROD(X, N, W)\n      END\n"
        self.write("own.f", own + "      REAL FUNCTION SECOND(I)\n      SECOND = I\n      END\n")
        self.write("twice.c", "double scale_(x) double *x; { return 2.0 * *x; }\n")
        path = f"{BUILD}/old-names:{os.environ['PATH']}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        subprocess.run(
            ["make"], cwd=self.folder, env={**environment, "PATH": path}, check=True, capture_output=True
        )
        self.assertIn("TOTAL 12.0", self.boot_well(f"APP={self.folder}/prog", "NODES=3").text)

    def test_a_makefile_with_another_machine_s_part_beside_it(self):
        shutil.copytree(os.path.join(PROGRAMS, "port"), self.folder, dirs_exist_ok=True)
        path = f"{BUILD}/old-names:{os.environ['PATH']}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        command = ["make", "hypercube"]
        subprocess.run(
            command, cwd=self.folder, env={**environment, "PATH": path}, check=True, capture_output=True
        )
        boot = self.boot_well(f"APP={self.folder}/prog", "NODES=2")
        self.assertIn(" PORT   9.0  32.0  30.0  41  16  64\n", boot.text)

    def test_the_tools_of_the_ipsc_2_are_there_under_their_names(self):
        self.write("main.f", "      CALL HELLO(7)\n      END\n")
        self.write("hello.c", 'hello_(n) int *n; { printf("got %d\\n", *n); }\n')
        path = f"{BUILD}/old-names:{os.environ['PATH']}"
        commands = (
            "cc -node -vec -c hello.c; ar crvl libhello.a hello.o; ar -tl libhello.a;"
            " f77 -host -vec -o host main.f libhello.a -lhost; f77 -node -o prog main.f -L. -lhello -lnode"
        )
        environment = {**os.environ, "PATH": path}
        done = subprocess.run(
            ["sh", "-ec", commands], cwd=self.folder, env=environment, check=True, capture_output=True
        )
        self.assertIn(b"\nhello.o\n", done.stdout)
        for program in ("host", "prog"):
            self.assertIn("got 7", self.boot_well(f"APP={self.folder}/{program}", "NODES=1").text)

    def test_the_mathematical_library_has_blas_and_vector_calls(self):
        with open(os.path.join(PROGRAMS, "kmath.f"), encoding="utf-8") as file:
            path, program = self.write("kmath.f", file.read()), os.path.join(self.folder, "kmath")
        command = [os.path.join(BUILD, "nxf77"), "-node", "-o", program, path, "-lkmath", "-lnode"]
        subprocess.run(command, check=True)
        text = self.boot_well(f"APP={program}", "NODES=1").text
        found = [line.split() for line in text.splitlines() if line.startswith(" ") and "boot " not in line]
        expected = """42.00 9.00
            3.00 4.00 5.00 6.00 7.00 8.00
            -1.00 0.00 1.00 2.00 3.00 4.00
            10.00 6.00 2.00
            0.50 1.00 1.50 2.00 2.50 3.00
            -2.00 2.00 -3.00 4.00 -5.00 6.00
            -4.00 8.00 -7.00 14.00 -13.00 20.00
            -2.00 6.00 -4.00 10.00 -8.00 14.00 6.32
            6.00 6.00 6.00
            8.00 8.00
            6 6 10"""
        self.assertEqual(found, [line.split() for line in expected.splitlines()])

    def test_the_mathematical_library_is_called_by_value_in_c(self):
        source = """double ddot();
            main()
            {
                static double x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, z[3];
                dsvtvp(3, 2.0, x, 1, y, 1, z, 1);
                printf("c %.1f %.1f %d\\n", z[2], ddot(3, x, 1, y, 1), idmax(3, x, 1));
                return 0;
            }"""
        path = self.write("byvalue.c", source)
        command = [os.path.join(BUILD, "nxcc"), "-o", path[:-2], path, "-lkmath"]
        subprocess.run(command, check=True)
        self.assertIn("c 12.0 32.0 3\n", self.boot_well(f"APP={path[:-2]}", "NODES=1").text)

    def test_the_machine_s_name_is_known(self):
        source = """#include <netdb.h>
            #include <unistd.h>
            main()
            {
                char name[64];
                struct hostent *found;
                gethostname(name, sizeof name);
                found = gethostbyname(name);
                printf("%s at %d\\n", found ? found->h_name : "nobody", found ? found->h_addr_list[0][0] : 0);
                return 0;
            }"""
        program = self.compile("nxcc", "named.c", source)
        self.assertIn("parley at 127\n", self.boot_well(f"APP={program}", "NODES=1").text)
        self.write("files/etc/hosts", "10.0.0.1 parley.example.org parley\n")
        boot = self.boot_well(f"APP={program}", "NODES=1", f"FILES={self.folder}/files")
        self.assertIn("parley.example.org at 10\n", boot.text)

    def test_messages_name_the_line_of_the_file_as_it_was_written(self):
        coded = "      ENCODE (4, 10, I) X\n   10 FORMAT (F4.1)\n"
        for line, between in ((2, ""), (4, coded)):
            source = f"      X = SECOND(1)\n{between}      Y = 1 +\n      END\n"
            path = self.write("wrong.f", source + "      FUNCTION SECOND(I)\n      SECOND = I\n      END\n")
            done = subprocess.run(
                [os.path.join(BUILD, "nxf77"), path], capture_output=True, text=True, check=False
            )
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"{path}:{line}:", done.stderr)

    def test_dependencies_for_make_name_the_program_s_own_files(self):
        self.write("src/old.h", "extern int helper();\n")
        self.write("inc/plain.h", "#define TWO 2\n")
        source = '#include <nx.h>\n#include "old.h"\n#include "plain.h"\nmain() { return helper() - TWO; }\n'
        self.write("src/program.c", source + "static int helper() { return 2; }\n")
        os.mkdir(os.path.join(self.folder, "out"))
        for words, rules in (
            ("-MMD -MP -o out/program.o", "out/program.d"),
            ("-MD", "program.d"),
            ("-MMD -MF rules -o out/program.o", "rules"),
            ("-MMD -long32 -o out/program.o", "out/program.d"),
        ):
            line = [os.path.join(BUILD, "nxcc"), "-c", "-Iinc", *words.split(), "src/program.c"]
            done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(self.folder, rules), encoding="utf-8") as file:
                text = file.read()
            os.unlink(os.path.join(self.folder, rules))
            files = set(re.findall(r"[^\s:\\]+", text)) - {"out/program.o", "program.o"}
            self.assertLessEqual({"src/program.c", "src/old.h", "inc/plain.h"}, files, text)
            for name in files:
                self.assertTrue(os.path.exists(os.path.join(self.folder, name)), text)

    def test_what_became_of_an_old_option_is_told_on_request(self):
        path = self.write("empty.c", "int main(void) { return 0; }\n")
        command = [os.path.join(BUILD, "nxcc"), "-v", "-Knoieee", "-fast", "-o", path + ".out", path]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        self.assertIn("nxcc: -Knoieee: has no meaning here\nnxcc: -fast: -O3\n", told)
        refused = subprocess.run([command[0], "-onetrip", path], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("nxcc: -onetrip has no counterpart here: change the program", refused.stderr)

    def test_a_program_larger_than_the_machine_is_told_what_to_do(self):
        source = "      COMMON A(30000000)\n      DO 10 I = 1, 30000000, 1000\n   10 A(I) = 1\n      END\n"
        program = self.compile("nxf77", "large.f", source)
        boot = self.boot(f"APP={program}", "NODES=2", "MEMORY=128")
        self.assertEqual(boot.status, 1)
        self.assertIn("found no memory left for its job (give it more, JOB_MEMORY= or MEMORY=)", boot.text)
        self.boot_well(f"APP={program}", "NODES=2", "MEMORY=320")

    def test_host_and_node_0_read_what_is_typed_in_turn(self):
        node = """      CHARACTER*20 LINE
      IF (MYNODE() .EQ. 0) THEN
         READ (5, 10) LINE
         CALL CSEND(1, LINE, 20, MYHOST(), 0)
      ENDIF
   10 FORMAT (A)
      END
"""
        host = """#include <cube.h>
            #include <stdio.h>
            main()
            {
                char mine[20], its[20];
                setpid(0);
                fgets(mine, 20, stdin);
                load("reader", -1, 0);
                crecv(1, its, 20);
                waitall(-1, 0);
                printf("host %.5s node %.6s ", mine, its);
                printf("host %.5s\\n", fgets(mine, 20, stdin));
                return 0;
            }"""
        self.compile("nxf77", "reader.f", node)
        typed = self.write("typed", "first\nsecond\nthird\n")
        boot = self.boot_well(f"APP={self.compile('nxcc', 'host.c', host)}", "NODES=2", f"INPUT={typed}")
        self.assertIn("host first node second host third\n", boot.text)

    def test_the_host_says_what_is_wrong_with_its_input(self):
        installed("lu_node.f")
        typed = self.write("typed", "NO SIZE\n  999")
        boot = self.boot(f"APP={installed('lu_host.f')}", f"INPUT={typed}")
        self.assertIn("STOP N IS OUT OF RANGE", boot.text)

    def test_a_node_without_its_file_ends_the_program(self):
        boot = self.boot(f"APP={installed('sor.f')}", "NODES=2")
        self.assertEqual((boot.status, boot.record["jobs"][0]["status"]), (1, "failed"), boot.text[-2000:])
        self.assertIn("THERE IS NO SOR.IN, OR NOTHING IN IT", boot.text)


if __name__ == "__main__":
    unittest.main()
