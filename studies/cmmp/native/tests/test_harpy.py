# SPDX-License-Identifier: MIT
"""HARPY on Linux: the same answer in every way to share its work, with real processes; its files; what is
wrong with them; and the model, from work that it has told."""

import json
import os
import subprocess
import sys
import unittest

from native_case import ROOT, NativeCase, app, for_each

SHORT = ("--utterances", "2", "--names", "20")
GRAMMAR = """
word yes = y eh [s]
word no = n ow
begin A
arc A yes B
arc A no B
arc B no B
end B
"""
TABLE = """phonemes n ow y eh s
segment -9 -9 -1 -9 -9
segment -9 -9 -9 -1 -9
segment -1 -9 -9 -9 -9
segment -9 -1 -9 -9 -9
"""


def told(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith('harpy: "')]


@for_each(("spin", "kernel"), "one_answer_under")
class Harpy(NativeCase):
    def one_answer_under(self, kind):
        serial = told(self.well("-n", "1", app("harpy"), "--variant", "0", *SHORT).out)
        self.assertEqual(len(serial), 2)
        for variant in range(1, 6):
            for ranks in ("1", "2", "3"):
                if kind == "spin" and int(ranks) > (os.cpu_count() or 1):
                    continue  # who spins keeps the processor that another needs
                ran = self.well(
                    *("-n", ranks, "--semaphore", kind, app("harpy"), "--variant", str(variant), *SHORT)
                )
                self.assertEqual(told(ran.out), serial, f"variant {variant}, {ranks} ranks")

    def test_the_tool_measures_every_version_and_compares_their_answers(self):
        measured = self.tool("native", "--rounds", "1", "--utterances", "1")
        self.assertEqual(measured.returncode, 0, measured.stderr)
        for version in range(1, 6):
            self.assertRegex(measured.stdout, rf"\nV{version} +1 +\d+\.\d+ \(\S+ to \S+\) +1\.00 ")
        self.assertRegex(measured.stdout, r"\nholds: C05: V1 to V5 with 1 to \d+ processes find ")

    def test_the_record_has_what_the_tools_read(self):
        paths = []
        for ranks in ("1", "2"):
            _, record = self.record("-n", ranks, app("harpy"), "--variant", "4", "--units", "yes", *SHORT)
            paths.append(self.path(f"{ranks}.json"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(record, file)
        compared = self.tool("compare", *paths)
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertRegex(compared.stdout, r"V4 +1 +\S+ +\d+\.\d+ +1\.000 +- ")
        self.assertRegex(compared.stdout, r"V4 +2 +\S+ +\d+\.\d+ +\d+\.\d+ +- ")
        work = self.written("work")
        self.assertIn("A model, no measurement", self.tool("model", "--costs", paths[0], work).stdout)

    def test_the_model_has_the_documents_order(self):
        done = self.tool("model", self.written("work"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("holds: C23: time of 8 processes: V1 > V2 >= V3 > V4", done.stdout)

    def tool(self, *words: str) -> subprocess.CompletedProcess:
        line = [sys.executable, "-B", os.path.join(ROOT, "studies", "cmmp", "tools", "harpy.py"), *words]
        return subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)

    def written(self, what: str) -> str:
        ran = self.well("-n", "1", app("harpy"), "--variant", "0", "--utterances", "1", "--write", what)
        return self.file(f"{what}.txt", ran.out)

    def file(self, name: str, text: str) -> str:
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def test_grammar_and_table_are_read_from_files(self):
        files = ("--grammar", self.file("g", GRAMMAR), "--table", self.file("t", TABLE))
        self.assertEqual(told(self.well("-n", "2", app("harpy"), *files).out), ['harpy: "yes no", -4'])
        # What is written is read again, and says the same.
        own = ("--grammar", self.written("grammar"), "--table", self.written("table"))
        said = told(self.well("-n", "1", app("harpy"), "--utterances", "1").out)
        given = told(self.well("-n", "1", app("harpy"), *own).out)
        self.assertEqual(given[0], said[0].removesuffix(", which is not what was said"))

    def refused(self, *words: str, ranks: str = "2", budget: str = "10000000") -> str:
        ran = self.nxrun("-n", ranks, "--budget", budget, app("harpy"), *words)
        self.assertNotEqual(ran.status, 0)
        said = [line for line in ran.errors.splitlines() if line.startswith("harpy: ")]
        self.assertEqual(len(said), 1, ran.text)
        return said[0]

    def test_what_is_wrong_is_one_sentence(self):
        grammar, table = self.file("g", GRAMMAR), self.file("t", TABLE.replace(" s\n", " z\n"))
        self.assertEqual(
            self.refused("--grammar", grammar, "--table", table),
            f"harpy: {table}:1: there is no column for the phoneme 's', which the network has: add it",
        )
        cycle = self.file("c", GRAMMAR + "word um = [m]\narc B um A\narc A - B\n")
        self.assertIn("this arc closes a cycle of words without a phoneme", self.refused("--grammar", cycle))
        self.assertIn("no-such: No such file or directory", self.refused("--grammar", "no-such"))
        self.assertIn("--variant 7: a number from 0 to 5", self.refused("--variant", "7"))
        self.assertIn("--variant 0 is one process's search", self.refused("--variant", "0"))
        self.assertIn(
            "the network does not fit into the memory that all share", self.refused(budget="200000")
        )
        self.assertIn("at most 12 processes", self.refused(ranks="13"))


if __name__ == "__main__":
    unittest.main()
