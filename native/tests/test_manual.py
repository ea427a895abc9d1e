# SPDX-License-Identifier: MIT
"""The manual has every call, its pages are well formed, and nxrun's completion offers what nxrun takes."""

import glob
import os
import re
import shutil
import subprocess
import unittest

from installed_case import PACKAGING, ROOT, InstalledCase


class Manual(InstalledCase):
    def pages(self) -> list[str]:
        return sorted(glob.glob(f"{self.prefix}/share/man/man*/*"))

    def shown(self, *words: str) -> str:
        """As `man` shows it, without overstriking."""
        environment = {**os.environ, "MANPATH": f"{self.prefix}/share/man", "MANWIDTH": "100", "LC_ALL": "C",
                       "MANOPT": "", "PAGER": "cat"}  # fmt: skip
        done = subprocess.run(["man", "--warnings", *words], capture_output=True, text=True, check=False,
                              env=environment)  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return re.sub(".\b", "", done.stdout)

    def test_every_call_has_a_page(self):
        nm = ["nm", "-g", "--defined-only", f"{self.prefix}/lib/libnx.a"]
        names = subprocess.run(nm, capture_output=True, text=True, check=True).stdout
        defined = set(re.findall(r" [TW] (\w+)$", names, re.M))
        with open(f"{ROOT}/docs/nx2-calls.md", encoding="utf-8") as file:
            told = {name for row in re.findall(r"^\| (`\w+\(.*?) \|", file.read(), re.M)
                    for name in re.findall(r"`(\w+)\(", row)}  # fmt: skip
        there = {os.path.basename(page).rsplit(".", 1)[0] for page in self.pages()}
        self.assertGreater(len(told), 120)
        self.assertEqual(sorted(told - there), [])
        twins = {f"_{name}" for name in told} & defined
        self.assertGreater(len(twins), 90)
        self.assertEqual(sorted(twins - there - {"_handler"}), [])

    def test_no_page_has_a_formatter_s_warning(self):
        self.require("groff")
        bodies = []
        for page in self.pages():
            self.assertTrue(os.path.isfile(page), f"{page} leads nowhere")
            if not os.path.islink(page):
                bodies.append(page)
        self.assertGreater(len(bodies), 90)
        line = ["groff", "-ww", "-mandoc", "-Tascii", *bodies]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        if shutil.which("mandoc"):
            line = ["mandoc", "-Tlint", "-Wwarning", *bodies]
            done = subprocess.run(line, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_pages_say_what_the_sources_say(self):
        self.require("man")
        csend = self.shown("3", "csend")
        self.assertIn("void csend(long type, const void *buffer, long length, long node,", csend)
        self.assertIn("CALL csend(type, buffer, length, node, pid)", csend)
        self.assertIn("INTEGER FUNCTION irecv(typesel, buffer, maximum)", self.shown("_irecv"))
        self.assertIn("the buffer may be used again when it returns", csend)
        self.assertIn("CALL gopen(unit, path, mode)", self.shown("gopen"))
        run = self.shown("nxrun")
        self.assertRegex(run, r"-d, --design DESIGN\n +The +message +system")
        self.assertRegex(self.shown("nx"), r"EQNODE\n? +No such process on that node")
        self.assertIn("-lkmath", self.shown("nxf77"))

    def test_a_call_that_the_page_does_not_tell_is_no_manual(self):
        folder = os.path.join(self.folder, "tree")
        self.shell(f"mkdir -p {folder}/docs {folder}/native/nxrun && cp -r {ROOT}/userlib {folder}/ && "
                   f"cp -r {PACKAGING} {folder}/native/ && cd {folder} && "
                   f"cp {ROOT}/native/nxrun/version.hpp native/nxrun && "
                   f"grep -v '^| `msgcancel' {ROOT}/docs/nx2-calls.md > docs/nx2-calls.md")  # fmt: skip
        line = f"python3 -B {folder}/native/packaging/manual.py {self.prefix}/bin {self.folder}/man"
        self.assertIn("docs/nx2-calls.md does not have _msgcancel, msgcancel.", self.shell(line, 1))


class Completion(InstalledCase):
    def offered(self, line: str) -> list[str]:
        """What bash would offer at the end of this line."""
        script = f"""
            source {self.prefix}/share/bash-completion/completions/nxrun
            COMP_LINE=$1 COMP_POINT=${{#1}} COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
            _nxrun
            printf '%s\\n' "${{COMPREPLY[@]}}" """
        words = ["bash", "-c", script, "bash", line]
        done = subprocess.run(
            words, capture_output=True, text=True, check=True, env=self.environment(), cwd=self.folder
        )
        self.assertEqual(done.stderr, "")
        return sorted(filter(None, done.stdout.split("\n")))

    def test_every_option_of_the_help_is_offered(self):
        told = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", self.shell("nxrun --help")))
        self.assertGreater(len(told), 10)
        self.assertEqual(set(self.offered("nxrun --")), told)
        self.assertIn("-n", self.offered("nxrun -"))
        self.assertEqual(self.offered("nxrun -n 2 --rec"), ["--record"])

    def test_designs_are_offered_by_name_and_by_class(self):
        self.assertEqual(self.offered("nxrun -d exp2"), ["exp2", "exp2-user"])
        self.assertEqual(self.offered("nxrun --design=exp6,transfer=ad"), ["adaptive"])
        self.assertEqual(self.offered("nxrun --design exp6,port=locked,interaction=s"), ["synchronous"])
        self.assertNotIn("transfer=adaptive", self.offered("nxrun -d "))
        self.assertIn("exp4", self.offered("nxrun --design "))

    def test_files_are_offered_where_files_are_meant(self):
        self.write("data.txt", "")
        os.chmod(self.write("data-program", ""), 0o755)
        self.assertEqual(self.offered("nxrun --record da"), ["data-program", "data.txt"])
        self.assertEqual(self.offered("nxrun -n 2 ./da"), ["./data-program"])
        self.assertEqual(self.offered("nxrun -n 2 ./data-program --file da"), ["data-program", "data.txt"])
        self.assertEqual(self.offered("nxrun -n "), [])


if __name__ == "__main__":
    unittest.main()
