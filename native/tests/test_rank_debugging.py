# SPDX-License-Identifier: MIT
"""Ranks under gdb, by the lines of docs/native.md: from outside, from the start, and by their core files. The
message library's functions have their names and lines everywhere, though no dynamic linker has mapped it."""

import glob
import os
import re
import resource
import unittest

from installed_case import HANDLER, ROOT, InstalledCase

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
    while (mynode() == 1)
        flick(); /* or it were a deadlock, and ended */
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
        with open(os.path.join(ROOT, "docs", "native.md"), encoding="utf-8") as file:
            self.page = file.read()

    def told(self, pattern: str, *commands: str) -> str:
        """The page's line, with commands for gdb where a user would type them."""
        line = re.search(rf"^    (.*{pattern}.*)$", self.page, re.M)[1]
        typed = " ".join(f"-ex '{command}'" for command in commands)
        line = line.replace(" --args", f" {typed} --args") if " --args" in line else f"{line} {typed}"
        return re.sub(r"\bgdb\b", lambda _: GDB, line)

    def compile(self, text: str, line: str = "nxcc -g -o program program.c") -> None:
        self.write("program.c", text)
        self.shell(line)

    def where_cores_go(self) -> str:
        """A pattern for the core files of programs in this folder, or a skipped test that says why."""
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
            name = file.read().strip()
        if name.startswith("|") or "/" in name:
            self.skipTest(f"core files go to {name}")
        if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
            self.skipTest("the limit of core files is 0")
        return os.path.join(self.folder, name.split("%")[0] + "*")

    def check_core(self, words: str = "") -> None:
        cores = self.where_cores_go()
        said = self.shell(f"ulimit -S -c unlimited; nxrun -n 2 {words} ./program", 1)
        self.assertIn("node 1 gave the message system a buffer at 0x8: the buffer is not memory", said)
        found = glob.glob(cores)
        self.assertEqual(len(found), 1, found)
        shown = self.shell(f"{GDB} -ex bt ./program {found[0]}")
        self.assertRegex(shown, LIBRARY)
        self.assertIn("main () at program.c:9", shown)

    def test_a_core_shows_where_the_rank_was(self):
        self.compile(CRASHING)
        self.check_core()

    def test_a_core_under_virtual_dispatch(self):
        self.compile(CRASHING)
        self.check_core("--dispatch virtual")

    def test_a_core_of_a_program_with_the_shared_libnx(self):
        self.require("pkg-config")
        self.compile(CRASHING, "gcc -g -o program program.c $(pkg-config --cflags --libs nx)")
        self.check_core()

    def test_the_page_s_core(self):
        if os.path.basename(self.where_cores_go()) != "core*":
            self.skipTest("core files have another name here")
        text = re.search(r"^```c abort\.c\n(.*?)^```", self.page, re.M | re.S)[1]
        self.compile(text, "nxcc -g -o abort program.c")
        shown = self.shell(self.told("gdb ./abort core", "bt").replace("ulimit -c", "ulimit -S -c"))
        self.assertRegex(shown, r"Program terminated with signal SIGABRT(.|\n)* in main \(.*\) at program\.c")

    def test_a_waiting_rank_from_outside(self):
        self.compile(WAITING)
        line = self.told("gdb -p PID", "bt").replace(" PID", " $PID")
        shown = self.shell(
            "coproc JOB { exec nxrun -n 2 --limit 100 ./program; }; read -r PID <&${JOB[0]};"
            f"{line}; kill -INT $JOB_PID; wait $JOB_PID; true"
        )
        if "ptrace" in shown:
            self.skipTest("ptrace is not permitted here")
        self.assertRegex(shown, LIBRARY)
        self.assertRegex(shown, r"in main \(\) at program\.c:14")

    def test_a_rank_from_its_start(self):
        self.compile(
            WAITING.replace("mynode() == 1", "mynode() < 0").replace("crecv", "if (mynode() < 0) crecv")
        )
        commands = ("set breakpoint pending on", "break program.c:12", "run", "print nx_process.node",
                    "info line csend", "continue")  # fmt: skip
        shown = self.shell(self.told("gdb .*follow-fork-mode child", *commands))
        self.assertIn("$1 = 0", shown)
        self.assertRegex(shown, r'Line \d+ of "userlib/nx/send\.c"')
        self.assertIn("exited normally", shown)

    def test_a_rank_with_handlers(self):
        self.compile(HANDLER)
        handle = re.search(r"`(handle SIG[^`]+)`", self.page)[1]
        shown = self.shell(self.told("gdb .*follow-fork-mode child", handle, "run"))
        self.assertIn("handled 42", shown)
        self.assertIn("exited normally", shown)


if __name__ == "__main__":
    unittest.main()
