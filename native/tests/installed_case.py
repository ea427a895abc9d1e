# SPDX-License-Identifier: MIT
"""Tests of the native library as users have it: installed somewhere, used from elsewhere."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "testing", "suites"))
from declarations import needs  # noqa: E402

BUILD = os.environ.get("PARLEY_BUILD", os.path.join(ROOT, "build"))
PACKAGING = os.path.join(ROOT, "native", "packaging")
SECONDS = 120

RING = """
#include <nx.h>
#include <stdio.h>
int main(void)
{
    long told = mynode(), heard;
    csend(1, &told, sizeof told, (mynode() + 1) % numnodes(), 0);
    crecv(1, &heard, sizeof heard);
    gisum(&heard, 1, &told);
    if (mynode() == 0)
        printf("sum %ld\\n", heard);
    return 0;
}
"""
RING_FORTRAN = """
      program ring
      include 'fnx.h'
      integer told, heard, work
      told = mynode()
      call csend(1, told, 4, mod(mynode() + 1, numnodes()), 0)
      call crecv(1, heard, 4)
      call gisum(heard, 1, work)
      if (mynode() .eq. 0) print '(a, i0)', 'sum ', heard
      end
"""
# Node 0 computes until the handler has run.
HANDLER = """
#include <nx.h>
#include <stdio.h>
static volatile long told;
static long value;
static void handle(long type, long length, long node, long pid) { told = value + length + pid; }
int main(void)
{
    if (mynode() == 0)
        hrecv(7, &value, sizeof value, handle);
    gsync();
    value = mynode() == 0 ? value : 34;
    if (mynode() == 1)
        csend(7, &value, sizeof value, 0, 0);
    while (mynode() == 0 && told == 0)
        ;
    if (mynode() == 0)
        printf("handled %ld\\n", told);
    return 0;
}
"""


def make(*words: str, **exported: str) -> subprocess.CompletedProcess:
    """make as a user calls it, from a shell of his own, where so much is exported."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment |= exported
    build = os.path.relpath(BUILD, ROOT)
    line = ["make", f"BUILD={build}", *words]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)


def version() -> str:
    line = [os.path.join(BUILD, "native", "bin", "nxrun"), "--version"]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()[1]


def stage(root: str, prefix: str = "/usr") -> None:
    """The files of an installation, without a list of them."""
    script = os.path.join(PACKAGING, "install.py")
    words = ["--build", f"{BUILD}/native", "--version", version(), "--prefix", prefix, "--destination", root]
    subprocess.run([sys.executable, "-B", script, "stage", *words], check=True)


@needs("native-share")
class InstalledCase(unittest.TestCase):
    """A folder for each class, with what is installed in `prefix`, and a folder for each test, in which
    commands run."""

    prefix = ""

    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="parley-test-")
        cls.addClassCleanup(shutil.rmtree, cls.top, True)
        os.chmod(cls.top, 0o755)
        cls.install()

    @classmethod
    def install(cls):
        stage(cls.top)
        cls.prefix = os.path.join(cls.top, "usr")

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def require(self, *commands: str):
        missing = [name for name in commands if not shutil.which(name)]
        if missing:
            self.skipTest(f"{', '.join(missing)} not installed")

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PATH": f"{self.prefix}/bin:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": f"{self.prefix}/lib/pkgconfig",
            "CMAKE_PREFIX_PATH": self.prefix,
            "LD_LIBRARY_PATH": f"{self.prefix}/lib",
            "LC_ALL": "C",
        }

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def shell(self, line: str, status: int = 0, **more) -> str:
        """What the commands wrote, both ways, in their order."""
        words = {"cwd": self.folder, "env": self.environment(), "timeout": SECONDS, **more}
        done = subprocess.run(
            ["bash", "-c", line],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            **words,
        )
        self.assertEqual(done.returncode, status, f"{line}\n{done.stdout}")
        return done.stdout
