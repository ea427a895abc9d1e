# SPDX-License-Identifier: MIT
"""make path: the README tells the path of a message with exactly the files whose code runs."""

import os
import re
import subprocess
import sys
import unittest

from boot_case import ROOT, extra

TOOL = os.path.join(ROOT, "tools", "profile", "path_of_message.py")
LISTED = re.compile(r"^ *([\d,]+|-)  +\d+  (\S+)", re.MULTILINE)
FOLDERS = ("arch", "base", "interface", "kernel", "messaging", "sched", "userlib")
COMMENT = re.compile(r"The path of a message \(README\), (\d+)")


def path(*words: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-B", TOOL, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def readme_steps() -> dict[str, str]:
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        section = file.read().split("## The path of one message\n")[1].split("\n## ")[0]
    steps = re.split(r"^(\d+)\. ", section, flags=re.MULTILINE)[1:]
    return {
        name: number
        for number, text in zip(steps[::2], steps[1::2])
        for name in re.findall(r"\]\((.*?)\)", text)
    }


class PathOfMessage(unittest.TestCase):
    @extra
    def test_the_steps_name_the_files_whose_code_runs(self):
        done = path()
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = {name: steps for steps, name in LISTED.findall(done.stdout)}
        self.assertEqual(sorted(listed), sorted(readme_steps()))
        self.assertEqual(listed, readme_steps())
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            told = re.search(r"last: (\d+) without bytes, (\d+) with 100", file.read()).groups()
        self.assertEqual(told, tuple(re.findall(r"instructions in (\d+) files", done.stdout)))

    def test_comments_carry_the_readmes_numbers(self):
        steps, found = readme_steps(), {}
        for folder in FOLDERS:
            for place, _, names in os.walk(os.path.join(ROOT, folder)):
                for name in (os.path.join(place, name) for name in names):
                    with open(name, encoding="utf-8", errors="replace") as file:
                        for number in COMMENT.findall(file.read()):
                            found.setdefault(number, []).append(os.path.relpath(name, ROOT))
        self.assertEqual(sorted(found), sorted(set(steps.values())))
        for number, names in found.items():
            for name in names:
                self.assertIn(name, steps)
                # crecv's way through the endpoint is told in 6
                self.assertTrue(
                    steps[name] == number or (number == "6" and name.endswith("endpoint.hpp")), name
                )

    def test_what_it_does_not_take_it_says(self):
        for word, sentence in (
            ("NODES=3", "make path takes DESIGN, BYTES, DISPATCH, not NODES"),
            ("BYTES=many", "say lengths from 0 to 65536"),
            ("BYTES=65537", "say lengths from 0 to 65536"),
            ("DESIGN=all", "one design at a time"),
            ("DESIGN=exp66", "exp66"),
            ("DISPATCH=some", "virtual or static"),
        ):
            with self.subTest(word=word):
                done = path(word)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main()
