# SPDX-License-Identifier: MIT
"""The copy of the project in which mutants are planted, and the programs that are built of it."""

import hashlib
import os
import re
import subprocess
from collections.abc import Callable, Iterable

from . import planting
from . import source
from .rules import Mutant

FOLDERS = ("messaging", "sched", "native")
# Of native/, what ranks and nxrun do beside each other; the rest starts programs and writes files.
BESIDE_OTHERS = re.compile(
    r"native/(library/|nxrun/(turn|deadlock|wait_watch|place|trace_area|trace_part|machine_clock))"
)
# What says how designs are written, and what only tests use.
NOT_SHARED = re.compile(r"messaging/(design|behaviours)/|/simulated_|_(test|explored)\.[ch]pp$")
EXPLORED = "_explored.cpp"
TEST = re.compile(r"_(test|explored)\.[ch]pp$")
TESTED = (*FOLDERS, "base", "interface", "kernel", "arch", "testing")
ERROR = re.compile(r"^(?:\./)?([\w./-]+):(\d+):\d+: (?:fatal )?error:", re.M)
FROM = re.compile(r"^(?:\./)?([\w./-]+):(\d+):\d+:\s+(?:required|instantiated)", re.M)
MOST_BUILDS = 12
SHOWN_LINES = 30

RULES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "rules.py")

Numbered = list[tuple[int, Mutant]]


class CannotBuild(Exception):
    """The programs cannot be built; the sentence says which, and what the compiler said."""


def concerned(files: Iterable[str]) -> list[str]:
    """Those that the rules are for."""
    return [
        file
        for file in files
        if file.split("/")[0] in FOLDERS
        and file.endswith((".hpp", ".cpp"))
        and not NOT_SHARED.search(file)
        and (not file.startswith("native/") or BESIDE_OTHERS.search(file))
    ]


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


class Tree:
    def __init__(self, root: str, folder: str):
        self.root, self.folder = root, folder
        self.files = planting.tracked(root)
        self.texts: dict[str, str] = {}
        self.joined_texts: dict[str, str] = {}

    def text(self, file: str) -> str:
        """As it is in the project."""
        if file not in self.texts:
            self.texts[file] = source.text_of(self.root, file)
        return self.texts[file]

    def state(self, files: Iterable[str] | None = None) -> str:
        """Names the text of those files, or all that the programs are built of."""
        if files is None:
            files = (file for file in self.files if file.split("/")[0] in TESTED)
        digest = hashlib.sha256()
        for file in files:
            digest.update(file.encode() + b"\0" + self.text(file).encode("latin-1"))
        return digest.hexdigest()[:16]

    def file_of_test(self, name: str) -> str:
        """The source in which a test of that name, or one that is made of a template, stands; "" for none."""
        begins = '"' + name.split(" - ")[0].replace('"', '\\"')
        tests = (file for file in self.files if TEST.search(file))
        return next((file for file in tests if begins in self.joined(file)), "")

    def joined(self, file: str) -> str:
        """A text whose strings end where the last of their lines does."""
        if file not in self.joined_texts:
            self.joined_texts[file] = re.sub(r'"\s*\n\s*"', "", self.text(file))
        return self.joined_texts[file]

    def keep_plays(self, beginnings: list[str]) -> None:
        """Of the explorer's tests, those whose paths begin so."""
        starts = tuple(beginnings)
        self.files = [file for file in self.files if not file.endswith(EXPLORED) or file.startswith(starts)]

    def write(self, mutants: Numbered) -> None:
        planted: dict[str, Numbered] = {}
        for number, one in mutants:
            planted.setdefault(one.function.file, []).append((number, one))
        for file in self.files:
            text = self.text(file)
            if file in planted:
                text = planting.with_choices(text, planted[file])
            planting.write_if_new(os.path.join(self.folder, file), text)
        self.remove_others()

    def remove_others(self) -> None:
        """Sources that the copy has and should not: a test that has moved would be there twice."""
        files = set(self.files)
        for top in {file.split("/")[0] for file in self.files if "/" in file}:
            for folder, _, names in os.walk(os.path.join(self.folder, top)):
                for path in (os.path.join(folder, name) for name in names):
                    if os.path.relpath(path, self.folder) not in files:
                        os.unlink(path)

    def make(self, words: list[str]) -> tuple[bool, str]:
        processors = len(os.sched_getaffinity(0))
        line = ["make", f"-j{processors}", "-C", self.folder, "--keep-going", "--no-print-directory"]
        line += ["WERROR=", *words]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
        done = subprocess.run(
            line, capture_output=True, text=True, errors="replace", check=False, env=environment
        )
        return done.returncode == 0, done.stderr

    def build(self, mutants: Numbered, words: list[str], known: str, say: Callable[[str], None]) -> set[int]:
        """With all mutants that a choice can plant; answers the numbers of the others. `known`: a file that
        names them, so that they are not found out again."""
        names: list[str] = []
        if os.path.exists(known):
            with open(known, encoding="utf-8") as file:
                names = file.read().splitlines()
        lost = {number for number, one in mutants if self.as_planted(one) in names}
        for _ in range(MOST_BUILDS):
            left = [(number, one) for number, one in mutants if number not in lost]
            self.write(left)
            good, said = self.make(words)
            if good:
                return lost
            bad = self.named(left, ERROR, said) or self.named(left, FROM, said)
            if not bad:
                break
            # One that moves a statement may be what is wrong with others on its lines.
            moved = {number for number, one in left if number in bad and one.rule == "swapped"}
            bad = moved or bad
            say(f"{len(bad)} mutants do not compile as a choice.")
            lost |= bad
            with open(known, "w", encoding="utf-8") as file:
                file.writelines(f"{self.as_planted(one)}\n" for number, one in mutants if number in lost)
        raise CannotBuild(
            f"{' '.join(words)} cannot be built in {self.folder}:\n"
            + "\n".join(said.splitlines()[-SHOWN_LINES:])
        )

    def as_planted(self, one: Mutant) -> str:
        """Names it with the texts that decide how its choice is written: another may compile."""
        with open(RULES, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()[:16]
        return f"{self.state([one.function.file])} {digest} {one.name}"

    def named(self, mutants: Numbered, pattern: re.Pattern, said: str) -> set[int]:
        """The mutants on the lines that the compiler names."""
        lines: dict[str, set[int]] = {}
        for file, line in pattern.findall(said):
            lines.setdefault(file, set()).add(int(line))
        found = set()
        for number, one in mutants:
            text = self.text(one.function.file)
            for edit in one.choosing(number):
                first, last = line_of(text, edit.start), line_of(text, edit.end)
                if any(first <= line <= last for line in lines.get(one.function.file, ())):
                    found.add(number)
        return found

    def program(self, suite: str) -> str:
        return os.path.join(self.folder, "build", "tests", suite)
