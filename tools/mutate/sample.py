# SPDX-License-Identifier: MIT
"""A few mutants for `make test`: those of the functions that a change touches, or a fixed few, under one
source of the explorer's tests, which is built with them alone."""

import glob
import os
import re
import shutil
import subprocess
import time

from .ledger import NOT_REACHED, Entry
from .named import RULE
from .rules import Mutant
from .source import Function
from .tree import EXPLORED, Numbered, Tree
from .trials import FailsSound, Trials

# Without a change: faults of what every wait and every signal goes through.
FIXED = (
    *("announce-looks-too-early", "signal-looks-too-early", "status-without-compare-and-swap"),
    "late-put-is-left",
)
MOST = 24
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.M)

def git(root: str, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def changed_lines(root: str) -> dict[str, set[int]]:
    """Since the branch left the one that it is pushed to; else what is not committed."""
    base = git(root, "merge-base", "HEAD", "@{upstream}").strip() or "HEAD"
    lines: dict[str, set[int]] = {}
    for part in git(root, "diff", "--unified=0", "--no-prefix", base).split("\n+++ ")[1:]:
        name, rest = part.split("\n", 1)
        for first, count in HUNK.findall(rest):
            start, many = int(first), int(count or 1)
            lines.setdefault(name, set()).update(range(start, start + max(many, 1)))
    return lines


def touched(functions: list[Function], lines: dict[str, set[int]]) -> set[tuple[str, int]]:
    return {
        (one.file, one.start)
        for one in functions
        if lines.get(one.file, set()) & set(range(one.first_line, one.last_line + 1))
    }


def apart(mutants: list[Mutant]) -> list[Mutant]:
    """Without those that overlap with a named fault, so that one text has them all."""
    kept: list[Mutant] = []
    for one in mutants:
        if one.rule == RULE or not any(
            other.rule == RULE and other.function.file == one.function.file and overlap(one, other)
            for other in kept
        ):
            kept.append(one)
    return kept


def overlap(one: Mutant, other: Mutant) -> bool:
    return any(a.start < b.end and b.start < a.end for a in one.choosing(1) for b in other.choosing(1))


def choose(by_rule: list[Mutant], by_name: list[Mutant], functions: list[Function], lines) -> list[Mutant]:
    places = touched(functions, lines)
    named = [one for one in by_name if (one.function.file, one.function.start) in places]
    some = [one for one in by_rule if (one.function.file, one.function.start) in places]
    if not some and not named:
        return [one for one in by_name if one.words in FIXED]
    return apart([*named, *some[:: max(1, -(-len(some) // MOST))]])


def explored_source(build: str, mutants: list[Mutant]) -> str:
    """The source of the explorer's tests that has most of them in it, as the last build knows."""
    top, best = os.path.join(build, "tests", "explored", "objects"), ("", 0)
    for path in sorted(glob.glob(f"{top}/**/*{EXPLORED[:-4]}.d", recursive=True)):
        with open(path, encoding="utf-8") as file:
            seen = set(file.read().split())
        count = sum(one.function.file in seen for one in mutants)
        if count > best[1]:
            best = (f"{os.path.relpath(path, top)[:-2]}.cpp", count)
    return best[0]


def seed(tree: Tree, build: str, planted: set[str]) -> None:
    """Objects that no mutant is in need not be built again."""
    for part in ("catch_main.o", "explored/objects"):
        top = os.path.join(build, "tests", part)
        for folder, _, names in os.walk(top) if os.path.isdir(top) else [(os.path.dirname(top), (), [part])]:
            for name in names:
                path = os.path.join(folder, name)
                dependencies = f"{path[:-2]}.d"
                if not name.endswith(".o") or not os.path.exists(path):
                    continue
                if os.path.exists(dependencies):
                    with open(dependencies, encoding="utf-8") as file:
                        if planted & set(file.read().split()):
                            continue
                elif name != "catch_main.o":
                    continue
                to = os.path.join(tree.folder, "build", os.path.relpath(path, build))
                os.makedirs(os.path.dirname(to), exist_ok=True)
                for one in (path, dependencies):
                    if os.path.exists(one) and not os.path.exists(to):
                        shutil.copyfile(one, os.path.join(os.path.dirname(to), os.path.basename(one)))


def run(tree: Tree, build: str, mutants: list[Mutant], state: str, seconds: float, say):
    """Answers the mutants that were tried, and what came of each; the time bounds what is tried."""
    source = explored_source(build, mutants)
    if not source:
        return []  # no exploration has them
    numbered: Numbered = list(enumerate(mutants, 1))
    tree.keep_plays([source])
    end = time.monotonic() + seconds
    tree.write(numbered)
    seed(tree, build, {one.function.file for one in mutants})
    lost = tree.build(numbered, ["build/tests/explorer"], f"{tree.folder}.unchosen", say)
    trials = Trials(tree.folder, [("explorer", tree.program("explorer"))], len(mutants), tree.folder)
    for test in trials.tests:
        why = trials.measure(test)
        if why:
            raise FailsSound(f"{test.full_name} fails without a mutant: {why}.")
    trials.measured.forget()
    results = []
    for number, one in numbered:
        if number in lost or (one.words not in FIXED and time.monotonic() > end):
            continue
        verdict, by, how, used = trials.attempt(number, one.function.full_name, "")
        if verdict != NOT_REACHED:
            results.append((one, Entry(one.name, verdict, state, by, how, used)))
    return results
