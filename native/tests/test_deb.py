# SPDX-License-Identifier: MIT
"""The Debian package: built from the tree, unpacked into a scratch root, and used from there."""

import os
import subprocess
import unittest

from declarations import extra
from installed_case import HANDLER, RING_FORTRAN, ROOT, InstalledCase, make


# As it is by itself, a package of everything takes ten seconds to compress.
QUICKLY = {"DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"}


@extra
@unittest.skipUnless(os.path.exists("/usr/bin/dpkg-shlibdeps"), "dpkg-dev is not installed")
class Package(InstalledCase):
    @classmethod
    def install(cls):
        done = make("deb", **QUICKLY)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.file = os.path.join(ROOT, done.stdout.split()[-1])
        subprocess.run(["dpkg-deb", "-x", cls.file, f"{cls.top}/there"], check=True)
        cls.prefix = f"{cls.top}/there/usr"

    def field(self, name: str) -> str:
        return self.shell(f"dpkg-deb -f {self.file} {name}").strip()

    def test_what_it_says_of_itself(self):
        self.assertEqual(self.field("Package"), "parley-nx")
        self.assertIn(self.field("Version"), os.path.basename(self.file))
        self.assertRegex(self.field("Depends"), r"libc6 \(>= [\d.]+\).*libstdc\+\+6")
        listed = self.shell(f"dpkg-deb -c {self.file}")
        self.assertNotIn("lib/parley/installed", listed)
        self.assertIn("./usr/share/man/man3/_csend.3nx.gz -> csend.3nx.gz", listed)
        self.shell(f"dpkg-deb -I {self.file} md5sums > sums")
        sums = self.shell(f"md5sum -c --quiet {self.folder}/sums", cwd=f"{self.prefix}/..")
        self.assertEqual(sums, "")

    def test_programs_are_built_and_run_from_it(self):
        self.write("handler.c", HANDLER)
        self.write("ring.f", RING_FORTRAN)
        self.assertEqual(self.shell("nxf77 -o ring ring.f && nxrun -n 3 ./ring"), "sum 3\n")
        self.assertEqual(self.shell("nxcc -o handler handler.c && nxrun -n 2 ./handler"), "handled 42\n")
        self.require("pkg-config")
        self.shell("gcc -o shared handler.c $(pkg-config --cflags --libs nx)")
        self.assertEqual(self.shell("nxrun -n 2 ./shared"), "handled 42\n")

    def test_the_package_manager_installs_and_removes_it(self):
        if os.geteuid() != 0:
            self.skipTest("only root may install")
        os.makedirs(f"{self.folder}/system/var/lib/dpkg")
        dpkg = f"dpkg --root={self.folder}/system --force-depends --force-script-chrootless"
        self.shell("cd system/var/lib/dpkg && mkdir info updates && touch status")
        self.shell(f"{dpkg} -i {self.file}")
        self.assertEqual(self.shell("system/usr/bin/nxrun --version"), self.shell("nxrun --version"))
        self.shell(f"{dpkg} -r parley-nx")
        self.assertEqual(self.shell("find system -name 'nx*' -o -name 'libnx*'"), "")

    def test_the_same_tree_gives_the_same_package(self):
        with open(self.file, "rb") as file:
            first = file.read()
        self.assertEqual(make("deb", **QUICKLY).returncode, 0)
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(), first)


if __name__ == "__main__":
    unittest.main()
