# SPDX-License-Identifier: MIT
"""make install and make uninstall, and programs outside the tree that are built with what was installed."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import unittest

from declarations import needs
from installed_case import BUILD, HANDLER, PACKAGING, RING, RING_FORTRAN, InstalledCase, make

NOBODY = 65534
CMAKE = """
cmake_minimum_required(VERSION 3.16)
project(Outside C Fortran)
find_package(Parley 1.0 REQUIRED)
add_executable(handler handler.c)
add_executable(ring ring.f)
target_link_libraries(handler PRIVATE Parley::nx)
target_link_libraries(ring PRIVATE Parley::nx)
enable_testing()
add_test(NAME handler COMMAND Parley::nxrun -n 2 $<TARGET_FILE:handler>)
add_test(NAME ring COMMAND Parley::nxrun -n 3 $<TARGET_FILE:ring>)
set_tests_properties(handler PROPERTIES PASS_REGULAR_EXPRESSION "handled 42")
set_tests_properties(ring PROPERTIES PASS_REGULAR_EXPRESSION "sum 3")
"""
# Both write to one unit; a statement in a statement would be the end.
FORTRAN_HANDLER = """
      program units
      include 'fnx.h'
      integer heard, value, i
      common /told/ heard, value
      external handle
      volatile heard
      heard = 0
      open (20, status='scratch')
      if (mynode() .eq. 0) call hrecv(7, value, 4, handle)
      call gsync()
      if (mynode() .eq. 1) then
          do i = 1, 50
              call csend(7, i, 4, 0, 0)
              call crecv(8, i, 4)
          end do
      else
          do while (heard .lt. 50)
              write (20, '(40i8)') (heard + i, i = 1, 40)
              rewind 20
          end do
          print '(a, i0)', 'handled ', heard
      end if
      end
      recursive subroutine handle(type, length, node, pid)
      integer type, length, node, pid, heard, value
      common /told/ heard, value
      heard = heard + 1
      write (20, *) heard, value
      call csend(8, value, 4, 1, 0)
      if (heard .lt. 50) call hrecv(7, value, 4, handle)
      end
"""


def contents(folder: str) -> dict[str, str]:
    """Every file and folder, with what is in it and who may what."""
    found = {}
    for path, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            whole = os.path.join(path, name)
            status = os.lstat(whole)
            held = b""
            if os.path.isfile(whole) and not os.path.islink(whole):
                with open(whole, "rb") as file:
                    held = file.read()
            found[os.path.relpath(whole, folder)] = f"{status.st_mode:o} {hashlib.sha256(held).hexdigest()}"
    return found


class Installed(InstalledCase):
    @classmethod
    def install(cls):
        done = make("install", f"DESTDIR={cls.top}/there", "prefix=/opt/parley")
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.prefix = f"{cls.top}/there/opt/parley"

    def test_everything_is_where_a_system_looks_for_it(self):
        there = contents(self.prefix)
        for name in (
            *(f"bin/{one}" for one in ("nxrun", "nxtrace", "nxcc", "nxc++", "nxf77", "cedarf77")),
            *(f"lib/{one}" for one in ("libnx.so", "libnx.so.1", "libnx.a", "libkmath.a")),
            *("lib/parley/old-names/if77", "lib/parley/old-names/ar860"),
            *("lib/parley/messages", "lib/parley/messages-static", "lib/pkgconfig/nx.pc"),
            *("include/parley/nx.h", "include/parley/cube.h", "include/parley/fcube.h"),
            *("share/man/man1/nxrun.1", "share/man/man3/csend.3nx", "share/man/man7/nx.7"),
            *("share/bash-completion/completions/nxrun", "share/doc/parley-nx/native.md"),
        ):
            self.assertIn(name, there)
        self.assertEqual(os.readlink(f"{self.prefix}/lib/libnx.so"), "libnx.so.1")
        self.assertIn("libnx.so.1]", self.shell(f"readelf -d {self.prefix}/lib/libnx.so | grep SONAME"))

    def test_wrappers_need_no_write_access_and_leave_no_trace(self):
        self.write("ring.c", RING)
        self.write("ring.f", RING_FORTRAN)
        self.write("ring.cc", RING)
        before = contents(self.prefix)
        as_nobody = {}
        if os.geteuid() == 0:
            shutil.chown(self.folder, NOBODY, NOBODY)
            as_nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        sources = {"nxcc": "ring.c", "nxc++": "ring.cc", "nxf77": "ring.f", "cedarf77": "ring.f"}
        for wrapper, source in sources.items():
            line = f"{wrapper} -o {wrapper}.out {source} && nxrun -n 3 ./{wrapper}.out"
            self.assertEqual(self.shell(line, **as_nobody), "sum 3\n", wrapper)
        self.assertEqual(contents(self.prefix), before)

    def test_old_names_build_as_they_did(self):
        self.write("ring.f", RING_FORTRAN)
        rules = "ring: ring.f\n\tif77 -c -node ring.f\n\tar cr l.a ring.o\n\tif77 -o ring l.a\n"
        self.write("Makefile", rules)
        self.shell(f"PATH={self.prefix}/lib/parley/old-names:$PATH make ring")
        self.assertEqual(self.shell("nxrun -n 3 ./ring"), "sum 3\n")

    def test_a_program_by_pkg_config_has_everything_handlers_too(self):
        self.require("pkg-config")
        self.write("handler.c", HANDLER)
        line = "gcc -o handler handler.c $(pkg-config --cflags --libs nx) && nxrun -n 2 ./handler"
        self.assertEqual(self.shell(line), "handled 42\n")
        self.assertIn("libnx.so.1 => " + self.prefix, self.shell("ldd handler").replace("/../..", ""))

    def test_a_fortran_program_by_pkg_config(self):
        self.require("pkg-config")
        self.write("ring.f", RING_FORTRAN)
        rpath = "-Wl,-rpath,$(pkg-config --variable=libdir nx)"
        line = f"gfortran -o ring ring.f $(pkg-config --cflags --libs nx) {rpath}; unset LD_LIBRARY_PATH;"
        self.assertEqual(self.shell(line + "nxrun -n 3 ./ring"), "sum 3\n")

    def test_fortran_statements_of_program_and_handler_do_not_meet(self):
        self.require("pkg-config")
        self.write("units.f", FORTRAN_HANDLER)
        self.shell("gfortran -w -o units units.f $(pkg-config --cflags --libs nx)")
        self.assertEqual(self.shell("nxrun -n 2 ./units"), "handled 50\n")

    def test_programs_by_cmake(self):
        self.require("cmake")
        for name, text in (("CMakeLists.txt", CMAKE), ("handler.c", HANDLER), ("ring.f", RING_FORTRAN)):
            self.write(name, text)
        said = self.shell(
            "unset LD_LIBRARY_PATH; cmake -S . -B out && cmake --build out && ctest --test-dir out"
        )
        self.assertIn("100% tests passed, 0 tests failed out of 2", said)

    def test_cmake_refuses_another_version(self):
        self.require("cmake")
        self.write("CMakeLists.txt", CMAKE.replace("Parley 1.0", "Parley 2.0").replace("C Fortran", "C"))
        self.assertRegex(self.shell("cmake -S . -B out", 1), r'compatible\s+with requested version "2.0"')

    def test_a_static_program_says_that_handlers_need_the_wrappers(self):
        self.require("pkg-config")
        self.write("handler.c", HANDLER)
        line = (
            "gcc -o handler handler.c $(pkg-config --cflags nx) $(pkg-config --variable=libdir nx)/libnx.a;"
        )
        self.assertIn("link it with one of these, or", self.shell(line + "nxrun -n 1 ./handler", 1))


@needs("native-share")
class Uninstalled(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def make(self, what: str, *words: str, status: int = 0) -> str:
        done = make(what, *(words or (f"DESTDIR={self.folder}/a", "prefix=/usr")))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_nothing_stays_but_what_was_there(self):
        os.makedirs(f"{self.folder}/a/usr/share/man/man3")
        with open(f"{self.folder}/a/usr/share/man/man3/others.3", "w", encoding="utf-8"):
            pass
        os.makedirs(f"{self.folder}/a/usr/bin")
        before = contents(self.folder)
        self.make("install")
        self.make("install")  # over itself
        self.assertGreater(len(contents(self.folder)), 250)
        self.make("uninstall")
        self.assertEqual(contents(self.folder), before)
        self.assertIn("Nothing of Parley is installed under", self.make("uninstall", status=2))

    def test_what_an_older_version_had_goes(self):
        self.make("install")
        old = f"{self.folder}/a/usr/lib/libnx.so.0.9"
        with open(old, "w", encoding="utf-8"), open(
            f"{self.folder}/a/usr/lib/parley/installed", "a", encoding="utf-8"
        ) as names:
            names.write("file lib/libnx.so.0.9\n")
        self.make("install")
        self.assertFalse(os.path.exists(old))
        self.make("uninstall")
        self.assertEqual(contents(self.folder), {})

    def test_bad_words_end_in_a_sentence(self):
        self.assertIn(
            "make install knows no word 'PREFIX'", self.make("install", "PREFIX=/nowhere", status=2)
        )
        self.assertIn("the whole path of a folder, not 'here'", self.make("install", "prefix=here", status=2))

    @unittest.skipIf(os.geteuid() != 0, "only root can become somebody else")
    def test_on_a_full_disk_nothing_is_installed_and_what_was_there_stays(self):
        """The third file that is written finds no room."""
        packing = os.path.join(PACKAGING, "install.py")
        place = os.path.join(self.folder, "place")
        kept = os.path.join(place, "usr", "bin", "nxrun")
        os.makedirs(os.path.dirname(kept))
        with open(kept, "w", encoding="utf-8") as file:
            file.write("the one before")
        words = ["--build", os.path.join(BUILD, "native"), "--version", "1.0", "--prefix", "/usr"]
        full = f"""
import errno, runpy, shutil, sys
whole, copied = shutil.copyfile, []
def copy(source, path):
    copied.append(path)
    if len(copied) == 3:
        whole(source, path)
        raise OSError(errno.ENOSPC, "No space left on device", source)
    return whole(source, path)
shutil.copyfile = copy
sys.argv = {["install.py", "install", *words, "--destination", place]!r}
runpy.run_path({packing!r}, run_name="__main__")
"""
        done = subprocess.run(
            ["/usr/bin/python3", "-B", "-c", full], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{place}/usr: No space left on device. Nothing was installed; make room", done.stderr)
        found = [os.path.join(where, name) for where, _, names in os.walk(place) for name in names]
        self.assertEqual(found, [kept])
        with open(kept, encoding="utf-8") as file:
            self.assertEqual(file.read(), "the one before")

    def test_a_folder_that_may_not_be_written_is_named(self):
        script = os.path.join(PACKAGING, "install.py")
        words = ["--build", f"{BUILD}/native", "--version", "1.0", "--prefix", "/usr", "--destination", ""]
        done = subprocess.run(["/usr/bin/python3", "-B", script, "check", *words], capture_output=True,
                              text=True, check=False, user=NOBODY, group=NOBODY)  # fmt: skip
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("/usr: Permission denied. Say prefix= for a folder of your own", done.stderr)


if __name__ == "__main__":
    unittest.main()
