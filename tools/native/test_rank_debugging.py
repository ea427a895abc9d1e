# SPDX-License-Identifier: MIT
"""Ranks under gdb: from outside, from the start, and by their core files. The message library's functions
have their names and lines everywhere, though no dynamic linker has mapped it."""

import glob
import os
import resource
import unittest

from installed_case import InstalledCase

# Node 1 ends by a signal inside the message library: its buffer is no memory.
CRASHING = """
#include <nx.h>
int main(void)
{
    long value = 5;
    if (mynode() == 0)
        csend(1, &value, sizeof value, 1, 0);
    if (mynode() == 1)
        crecv(1, (void *)8, sizeof value);
    gsync();
    return 0;
}
"""
WAITING = """
#include <nx.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    long value;
    if (mynode() == 0) {
        printf("%d\\n", (int)getpid());
        fflush(stdout);
    }
    while (mynode() == 1) flick(); /* or it were a deadlock, and ended */
    crecv(1, &value, sizeof value);
    return 0;
}
"""
GDB = "gdb -q -nx -batch -ex 'set confirm off' -ex 'set debuginfod enabled off' -ex 'set width 0'"
LIBRARY = r"in parley::messaging::.* at \./messaging/"


class Debugging(InstalledCase):
    def setUp(self):
        super().setUp()
        self.require("gdb")

    def compile(self, text: str, options: str = "-g") -> None:
        self.write("program.c", text)
        self.shell(f"nxcc {options} -o program program.c")

    def where_cores_go(self) -> str:
        """A pattern for the core files of programs in this folder, or a skipped test that says why."""
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
            name = file.read().strip()
        if name.startswith("|") or "/" in name:
            self.skipTest(f"core files go to {name}")
        if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
            self.skipTest("the limit of core files is 0")
        return os.path.join(self.folder, name.split("%")[0] + "*")

    def check_core(self, words: str) -> None:
        cores = self.where_cores_go()
        self.compile(CRASHING)
        said = self.shell(f"ulimit -S -c unlimited; nxrun -n 2 {words} ./program", 1)
        self.assertIn("node 1 was ended by signal 11 (Segmentation fault)", said)
        found = glob.glob(cores)
        self.assertEqual(len(found), 1, found)
        shown = self.shell(f"{GDB} -ex bt ./program {found[0]}")
        self.assertRegex(shown, LIBRARY)
        self.assertIn("main () at program.c:9", shown)

    def test_a_core_shows_where_the_rank_was(self):
        self.check_core("")

    def test_a_core_under_static_dispatch(self):
        self.check_core("--static")

    def test_a_waiting_rank_from_outside(self):
        self.compile(WAITING)
        shown = self.shell(
            f"coproc JOB {{ exec nxrun -n 2 --limit 100 ./program; }}; read -r rank <&${{JOB[0]}};"
            f"{GDB} -p $rank -ex bt; kill -INT $JOB_PID; wait $JOB_PID; true"
        )
        if "ptrace" in shown:
            self.skipTest("ptrace is not permitted here")
        self.assertRegex(shown, LIBRARY)
        self.assertRegex(shown, r"in main \(\) at program\.c:13")

    def test_a_rank_from_its_start(self):
        self.compile(WAITING.replace("while (mynode() == 1) flick();", "return 0;"))
        shown = self.shell(
            f"{GDB} -ex 'set follow-fork-mode child' -ex 'set breakpoint pending on' -ex 'break program.c:12'"
            " -ex run -ex 'print nx_process.node' -ex 'info line csend' -ex continue"
            " --args nxrun -n 2 ./program"
        )
        self.assertIn("$1 = 0", shown)
        self.assertRegex(shown, r'Line \d+ of "userlib/nx/send\.c"')
        self.assertIn("exited normally", shown)


if __name__ == "__main__":
    unittest.main()
