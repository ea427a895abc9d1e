# SPDX-License-Identifier: MIT
"""The files that the checks look at: everything that git knows or would add, below the project's own
folders."""

import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CODE = (".hpp", ".cpp", ".h", ".c", ".cc", ".def", ".S")
CPP = (".hpp", ".cpp", ".h", ".c", ".cc")


def files(*endings: str) -> list[str]:
    """Paths from the root. Generated files are under build/, which git ignores."""
    listing = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    return sorted(
        name
        for name in set(listing)
        if name and name.endswith(endings or "") and os.path.isfile(os.path.join(ROOT, name))
    )


def text(name: str) -> str:
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


class Report:
    """Collects what is wrong and says it in the end; a check is one that passed or failed."""

    def __init__(self, title: str):
        self.title, self.problems, self.notes = title, [], []

    def wrong(self, place: str, sentence: str) -> None:
        self.problems.append(f"{place}: {sentence}")

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)

    def finish(self) -> bool:
        verdict = f"{len(self.problems)} problems" if self.problems else "ok"
        print(f"{self.title}: {verdict}" + (f" ({'; '.join(self.notes)})" if self.notes else ""))
        for problem in self.problems:
            print(f"  {problem}")
        return not self.problems
