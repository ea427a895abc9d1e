# SPDX-License-Identifier: MIT
"""Which tests run: the scope (test, test-rest, test-all), narrowed by ONLY.

ONLY is the name of a suite or of a group of them (boots, runner, asan, tsan), a file, a leaf or a row of
designs, a test, or a part of tests' names. A test that is named runs, whatever the scope.
"""

import difflib
import json
import os
import subprocess
from dataclasses import dataclass, field

from .catalogue import ROOT, Suite, Test

QUICK, REST, ALL = "test", "test-rest", "test-all"


class NothingFound(Exception):
    """ONLY names nothing; the sentence says what is near."""


@dataclass
class Selection:
    tests: dict[str, list[Test]]  # by suite
    left_out: dict[str, list[Test]]  # of the same suites, by the scope
    leaf: str = ""  # tests that go through leaves take this one
    preset: str = ""  # tests that go through presets take this one
    whole: set[str] = field(default_factory=set)  # names of tests that were asked for and take no sample


class Designs:
    """What the design tool says of designs and presets."""

    def __init__(self, tool: str):
        self.tool, self.known = tool, {}
        listing = subprocess.run([tool, "list", "--json"], capture_output=True, text=True, check=True).stdout
        self.presets = {one["name"]: self.words(one) for one in json.loads(listing)["presets"]}

    @staticmethod
    def words(design: dict) -> set[str]:
        return set(design["design"].split(",")) | {design.get("name", "")} - {""}

    def classes(self, design: str) -> set[str]:
        """The leaves of a design, and the name of its row."""
        if design not in self.known:
            line = [self.tool, "resolve", design, "--nodes", "2", "--processors", "8", "--json"]
            done = subprocess.run(line, capture_output=True, text=True, check=False)
            found = self.words(json.loads(done.stdout)) if done.returncode == 0 else set()
            self.known[design] = found | set(design.split(","))
        return self.known[design]


def in_suite(suite: Suite, word: str) -> bool:
    return word == suite.name or word in suite.name.split("/")


def in_file(suite: Suite, test: Test, word: str) -> bool:
    path = os.path.normpath(os.path.relpath(word, ROOT) if os.path.isabs(word) else word)
    known = (test.file, os.path.basename(test.file), os.path.splitext(os.path.basename(test.file))[0])
    return path in known or test.file.startswith(path.rstrip("/") + "/")


def is_named(suite: Suite, test: Test, word: str) -> bool:
    plain = test.name.rsplit(".", 1)[-1] if suite.kind == "python" else test.name
    return word in (test.name, plain, f"{suite.name}: {test.name}")


def concerns(suite: Suite, test: Test, leaf: str, factor: str, designs: Designs) -> bool:
    if suite.kind == "host":
        own = leaf.replace("-", "_")
        path = test.file.split("/")
        return (
            bool({factor, "design"} & test.factors) or own in path[:-1] or path[-1].startswith(f"{own}_test.")
        )
    return any(leaf in designs.classes(design) for design in test.designs)


def parts_of(suite: Suite, test: Test, word: str) -> bool:
    text = f"{suite.name}: {test.name}".lower()
    return word.lower() in text or word.lower().replace(" ", "_") in text


class Asked:
    """ONLY against a catalogue; `designs` makes the Designs when a leaf is asked for, which needs the tool
    built."""

    def __init__(self, suites: list[Suite], leaves: dict[str, str], presets: list[str], designs):
        self.suites, self.leaves, self.presets, self.designs = suites, leaves, presets, designs
        self.leaf, self.preset, self.named = "", "", False

    def find(self, word: str) -> list[tuple[Suite, Test]]:
        every = [(suite, test) for suite in self.suites for test in suite.tests]
        found = []
        if word in self.leaves or word in self.presets:
            self.leaf, self.preset = (word, "") if word in self.leaves else ("", word)
            known = self.designs()
            found = [(s, t) for s, t in every if concerns(s, t, word, self.leaves.get(word, "row"), known)]
        found += [(s, t) for s, t in every if in_suite(s, word) and word not in self.leaves]
        is_class = self.leaf or self.preset
        found += [(s, t) for s, t in every if not is_class and in_file(s, t, word)]
        if not found:
            self.named = True
            found = [(s, t) for s, t in every if is_named(s, t, word)]
            found = found or [(s, t) for s, t in every if parts_of(s, t, word)]
        if not found:
            raise NothingFound(self.refusal(word))
        return found

    def refusal(self, word: str) -> str:
        names = {part for suite in self.suites for part in (suite.name, *suite.name.split("/"))}
        names |= {*self.leaves, *self.presets}
        tests = {test.name.rsplit(".", 1)[-1] for suite in self.suites for test in suite.tests}
        near = difflib.get_close_matches(word, sorted(names), 3, 0.6)
        near = (near + difflib.get_close_matches(word, sorted(tests), 3, 0.6))[:3]
        suites = ", ".join(suite.name for suite in self.suites)
        hint = f"near are: {'; '.join(near)}" if near else f"the suites are {suites}"
        return f"There is no suite, file, leaf, preset or test '{word}'; {hint}."


def select(suites: list[Suite], scope: str, asked: Asked | None, word: str) -> Selection:
    chosen = None
    if asked is not None:
        chosen = {id(test) for _, test in asked.find(word)}
    result = Selection({}, {}, asked.leaf, asked.preset) if asked else Selection({}, {})
    for suite in suites:
        for test in suite.tests:
            if chosen is not None and id(test) not in chosen:
                continue
            if asked is not None and asked.named:
                result.whole.add(test.name)
                into = result.tests
            elif scope == QUICK:
                into = result.left_out if test.extra else result.tests
            elif scope == REST:
                into = result.tests if test.extra and not test.seldom else result.left_out
            else:
                into = result.tests
            into.setdefault(suite.name, []).append(test)
    return result
