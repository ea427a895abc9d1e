# SPDX-License-Identifier: MIT
"""Every example of docs/native.md, of README and of the manual, built and run as it stands."""

import os
import re
import shlex
import unittest

from installed_case import BUILD, PACKAGING, RING, ROOT, InstalledCase

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def text_of(*path: str) -> str:
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what is shown behind it; not those for other machines."""
    parts = re.split(r"^\$ (.+)\n", text, flags=re.M)
    return [(line, shown) for line, shown in zip(parts[1::2], parts[2::2]) if "--hosts" not in line]


def pattern(shown: str) -> str:
    """An output with `...` for any text."""
    return ".*".join(map(re.escape, shown.split("...")))


class Documents(InstalledCase):
    def setUp(self):
        super().setUp()
        self.write("program.c", RING)

    def try_console(self, text: str) -> int:
        listed = commands(text)
        for line, shown in listed:
            said = self.shell(line)
            if shown:
                self.assertRegex(said, re.compile(rf"\A{pattern(shown)}\Z", re.S), line)
        return len(listed)

    def test_the_page(self):
        self.require("pkg-config", "cmake")
        tried = 0
        for kind, name, text in BLOCK.findall(text_of("docs", "native.md")):
            if name:
                self.write(name, text)
            else:
                self.assertEqual(kind, "console")
                tried += self.try_console(text)
        self.assertGreater(tried, 10)

    def test_every_command_line_of_the_page_is_known(self):
        """Those that are not run here: make's targets, and gdb's, which test_rank_debugging.py runs."""
        text = BLOCK.sub("", text_of("docs", "native.md"))
        for line in re.findall(r"^    (\S.*)$", text, re.M):
            word = shlex.split(line)[0]
            self.assertIn(word, ("make", "gdb", "ulimit", "mpiexec.mpich", "mpirun", "nxrun"), line)
            if word == "make":
                self.shell(
                    f"make -C {ROOT} BUILD={os.path.relpath(BUILD, ROOT)} --dry-run "
                    + line.split("  ")[0][5:]
                )

    def test_the_manual(self):
        self.require("pkg-config")
        self.shell("nxcc -o program program.c")
        tried = 0
        for name in ("nxcc.1.in", "nxrun.1.in", "nxtrace.1.in"):
            with open(os.path.join(PACKAGING, name), encoding="utf-8") as file:
                examples = re.findall(r"^\.EX\n(.*?)^\.EE$", file.read(), re.M | re.S)
            tried += sum(self.try_console(text.replace("\\-", "-")) for text in examples)
        self.assertEqual(tried, 13)

    def test_the_readme(self):
        """Its lines with nxrun and nxcc, in a folder that has build/ and apps/ as the project's."""
        os.symlink(BUILD, os.path.join(self.folder, "build"))
        os.symlink(os.path.join(ROOT, "apps"), os.path.join(self.folder, "apps"))
        lines = re.findall(r"^    (?:make native && )?(build/native/bin/.*)$", text_of("README.md"), re.M)
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.shell(line)


if __name__ == "__main__":
    unittest.main()
