# SPDX-License-Identifier: MIT
"""Programs and makefiles of the hypercubes' time, with the wrappers and the old names for this machine."""

import os
import shutil
import subprocess
import unittest

from native_case import BUILD, NATIVE, PROGRAMS, NativeCase

from declarations import needs

PORT = os.path.join(PROGRAMS, "history", "port")
PORT_SAYS = " PORT   9.0  32.0  30.0  41  16  64\n"
# SCAN and RANGE are intrinsics of today's Fortran, and EXIT is one of gfortran's.
MAIN = "      X = SCAN(2.0)\n      IF (X .EQ. 3.0) CALL EXIT(0)\n      STOP 1\n      END\n"
SCAN = "      FUNCTION SCAN(X)\n      SCAN = X + 1.0\n      END\n"
OTHER = "      SUBROUTINE EXIT(I)\n      CALL NOWHERE\n      END\n"
# A compiler that finds none of these libraries.
GCC_WITHOUT = """#!/bin/sh
for word; do
    case $word in
        -print-file-name=lib*blas.a | -print-file-name=libtirpc.a) echo "${word#*=}"; exit ;;
        -lblas) echo "cannot find -lblas" >&2; exit 1 ;;
    esac
done
exec gcc "$@"
"""


def without_make() -> dict:
    return {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


@needs("native")
class OldPrograms(NativeCase):
    def write(self, name: str, text: str) -> str:
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def shell(self, command: str, status: int = 0, names: str = "native/old-names", **more) -> str:
        path = f"{BUILD}/{names}:{NATIVE}/bin:{os.environ['PATH']}"
        environment = {**without_make(), "PATH": path, **more}
        done = subprocess.run(
            ["sh", "-ec", command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_same_makefile_builds_for_linux_by_path_alone(self):
        shutil.copytree(PORT, self.folder, dirs_exist_ok=True)
        self.shell("make")
        ran = self.nxrun("-n", "2", self.path("prog"))
        self.assertEqual((ran.status, ran.text), (0, PORT_SAYS))

    @needs("native", "system")
    def test_every_old_name_is_there_for_both(self):
        ours, native = (set(os.listdir(f"{BUILD}/{one}old-names")) for one in ("", "native/"))
        self.assertEqual(ours, native)
        self.assertLessEqual({"icc", "if77", "ar860", "cc", "f77", "ar", "iCC"}, native)

    def parts(self) -> None:
        for name, text in (("main.f", MAIN), ("scan.f", SCAN), ("other.f", OTHER)):
            self.write(name, text)

    def assert_the_program_s(self, name: str = "prog"):
        """It has the program's SCAN and Fortran's EXIT."""
        ran = self.nxrun("-n", "1", self.path(name))
        self.assertEqual(ran.status, 0, ran.text)

    def test_a_source_that_the_makefile_does_not_compile_does_not_count(self):
        compiled = "prog: main.o scan.o\n\tif77 -o prog main.o scan.o\n"
        rules = "all: prog\n" + compiled + "cray: main.o other.o\n.SUFFIXES: .f .o\n.f.o:\n\tif77 -c $<\n"
        for name, text, command in (
            ("Makefile", rules, "make"),
            ("Makefile", rules, "make -j2 -s prog"),
            ("old/port.mk", rules, "make -f old/port.mk"),
            ("Makefile", "all:\n\t@(cd . && $(MAKE) -f port)\n", "make"),
            ("Makefile", ".SHELLFLAGS = -e -c\n" + rules.replace("-c $<", "-c $< && true"), "make"),
            ("Makefile", "F=main.f scan.f\nprog: $(F)\n\tif77 -node -o prog $(F)\n", "make"),
            ("Makefile", rules.replace("if77", "cd . ; \\\n\tif77"), f"cd / && make -C {self.folder}"),
        ):
            with self.subTest(command=command, text=text):
                self.parts()
                self.write("port", rules)
                self.write(name, text)
                self.shell(command)
                self.assert_the_program_s()
                self.shell("rm -rf old *.o prog Makefile")

    def test_sources_in_another_folder_than_the_makefile_s(self):
        for name, text in (("main.f", MAIN), ("scan.f", SCAN), ("other.f", OTHER)):
            self.write(f"src/{name}", text)
        objects = "prog: main.o scan.o\n\tif77 -o prog main.o scan.o\n.SUFFIXES: .f .o\n"
        for rules in (
            f"VPATH = ../src\n{objects}.f.o:\n\tif77 -c $<\n",
            f"{objects}main.o: ../src/main.f\n\tif77 -c ../src/main.f\nscan.o: ../src/scan.f\n\tif77 -c $?\n",
        ):
            with self.subTest(rules=rules):
                self.write("obj/Makefile", rules)
                self.shell("cd obj; make; rm *.o")
                self.assert_the_program_s("obj/prog")
                self.shell("rm obj/prog")

    def test_what_an_earlier_make_has_compiled_counts(self):
        self.parts()
        rules = "lib: scan.o\n\tar cr libscan.a scan.o\nprog: main.o\n\tif77 -o prog main.o -L. -lscan\n"
        self.write("Makefile", f"{rules}.SUFFIXES: .f .o\n.f.o:\n\tif77 -c $<\n")
        self.shell("make lib; make prog")
        self.assert_the_program_s()

    def test_a_command_that_makes_the_whole_program_names_its_files(self):
        self.parts()
        self.shell("nxf77 -O2 -o prog main.f scan.f -lm")
        self.assert_the_program_s()

    def test_without_a_makefile_every_source_of_the_folder_counts(self):
        self.parts()
        self.shell("rm other.f; nxf77 -c main.f; nxf77 -c scan.f; nxf77 -o prog main.o scan.o")
        self.assert_the_program_s()
        # A makefile that runs a script says nothing of what the script compiles.
        self.write("build.sh", "nxf77 -c main.f; nxf77 -c scan.f; nxf77 -o prog main.o scan.o\n")
        self.write("Makefile", "prog: main.f scan.f\n\tsh build.sh\n")
        self.shell("rm *.o prog; make")
        self.assert_the_program_s()

    def test_vec_at_the_link_brings_what_the_libraries_bring(self):
        source = "      REAL*8 X(2), DSUM, DDOT\n      DATA X /1D0, 2D0/\n      PRINT *,\n"
        self.write("vector.f", source + "     1 INT(DSUM(2, X, 1) + DDOT(2, X, 1, X, 1))\n      END\n")
        source = "main() { double x[2], dsum(); dfill(2, 1.5, x, 1); return dsum(2, x, 1) != 3; }\n"
        self.write("vector.c", source)
        said = self.shell("if77 -c -vec vector.f; if77 -v -vec -o prog vector.o")
        self.assertIn("nxf77: -vec: -lkmath -lblas\n", said)
        self.assertEqual(self.nxrun("-n", "1", self.path("prog")).text.split(), ["8"])
        self.shell("icc -vec -node -o prog vector.c")
        self.assertEqual(self.nxrun("-n", "1", self.path("prog")).status, 0)

    def test_truth_is_known_without_a_header_of_nx_and_may_be_the_program_s_own(self):
        self.write("own/logic.h", "typedef enum { FALSE, TRUE } truth;\n")
        own = "#include <logic.h>\ntruth t = TRUE;\n"
        own += 'main() { printf("%d %d", mynode() + t, FALSE); return 0; }\n'
        for text, options, said in (
            ('main() { printf("%d %d %d", mynode() + TRUE, FALSE, NAMELEN); return 0; }\n', "", "1 0 16"),
            ('main() { printf("%d %d", mynode() + TRUE, FALSE); return 0; }\n', "-DTRUE=5", "5 0"),
            (own, "-Iown", "1 0"),
        ):
            self.write("truth.c", text)
            self.shell(f"icc {options} -o prog truth.c")
            self.assertEqual(self.nxrun("-n", "1", self.path("prog")).text, said)
        # A program that has nothing to do with NX is told what its compiler tells.
        self.write("truth.c", "main() { return TRUE; }\n")
        self.assertIn("TRUE", self.shell("icc -o prog truth.c", 1))

    def without_packages(self) -> dict[str, str]:
        self.write("without-gcc", GCC_WITHOUT)
        os.chmod(self.path("without-gcc"), 0o755)
        return {"CROSS": f"{self.folder}/without-"}

    def test_without_blas_vec_brings_what_there_is_and_says_what_is_missing(self):
        compiler = self.without_packages()
        call = "main() { double x[2], SUM(); dfill(2, 1.5, x, 1); return SUM(2, x, 1, x, 1) != WANTED; }\n"
        self.write("vector.c", call.replace("SUM", "dsum").replace("WANTED", "3"))
        self.shell("nxcc -vec -o prog vector.c", **compiler)
        self.assertEqual(self.nxrun("-n", "1", self.path("prog")).status, 0)
        self.write("vector.c", call.replace("SUM", "dgemm").replace("WANTED", "4.5"))
        told = "needs libblas.a, which is not installed (Debian: apt-get install libblas-dev)\n"
        self.assertIn(f"nxcc: -vec: BLAS {told}", self.shell("nxcc -vec -o prog vector.c", 1, **compiler))
        said = self.shell("nxcc -o prog vector.c -lkmath", 1, **compiler)
        self.assertEqual(said, f"nxcc: -lkmath {told}")

    def test_a_header_of_a_package_that_is_missing_is_told(self):
        compiler = self.without_packages()
        self.write("types.h", "#include <rpc/types.h>\n")
        sentence = "includes <rpc/...>, which is not installed (Debian: apt-get install libtirpc-dev)\n"
        for header in ("<rpc/rpc.h>", '"types.h"'):
            self.write("remote.c", f"#include {header}\nmain() {{ return 0; }}\n")
            said = self.shell("nxcc -c remote.c", 1, **compiler)
            self.assertEqual(said, f"nxcc: remote.c {sentence}")
        self.write("remote.c", "main() { return 0; }\n")
        self.shell("nxcc -c remote.c", **compiler)


if __name__ == "__main__":
    unittest.main()
