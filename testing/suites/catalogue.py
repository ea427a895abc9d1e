# SPDX-License-Identifier: MIT
"""Every suite and every test, found and not listed: host programs as the make fragments declare them, with
the tests in their sources; each Python file test_*.py in the folders of tests, and in those of studies."""

import glob
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import list_leaves  # noqa: E402

CHILD = os.path.join(os.path.dirname(os.path.realpath(__file__)), "python_child.py")
TEXT = r'((?:"(?:\\.|[^"\\])*"\s*)+)'
TEST_CASE = re.compile(rf"^\s*(?:TEST_CASE|SCENARIO)\(\s*{TEXT}", re.M)
TEMPLATE_TEST_CASE = re.compile(rf"^\s*TEMPLATE_TEST_CASE\(\s*{TEXT},\s*{TEXT},([^)]*)\)", re.M)
STRING = re.compile(r'"((?:\\.|[^"\\])*)"')
FOLDERS = {"runner": "tools/tests", "boots": "kernel/tests", "native": "native/tests"}
GROUP_NEEDS = {"boots": ("system", "apps"), "native": ("native",)}


@dataclass
class Test:
    name: str
    file: str  # from the root
    needs: tuple[str, ...] = ()
    alone: bool = False
    extra: bool = False  # left out by `make test`
    samples: bool = False  # takes a sample of the designs in `make test`, and a larger one in test-all
    designs: tuple[str, ...] = ()
    factors: frozenset[str] = frozenset()  # it runs over every leaf of these; "design": over every design
    seldom: bool = False  # left out by test-rest as well


@dataclass
class Suite:
    name: str
    kind: str  # host or python
    path: str  # the program, or the Python file
    tests: list[Test] = field(default_factory=list)
    error: str = ""  # why it has no tests


def text_of(name: str) -> str:
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def case_names(text: str) -> list[str]:
    """As the program will call them: a template is a test for each of its types."""
    names = [joined(match) for match in TEST_CASE.findall(text)]
    for name, _, types in TEMPLATE_TEST_CASE.findall(text):
        names += [f"{joined(name)} - {one.strip()}" for one in types.split(",")]
    return names


def joined(strings: str) -> str:
    return "".join(STRING.findall(strings)).replace('\\"', '"').replace("\\\\", "\\")


def factors_of(text: str) -> frozenset[str]:
    """Which lists of leaves a source goes through: the factors by their class's name, and "design"."""
    found = {
        re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() for name in re.findall(r"\b([A-Z]\w*)Leaves\b", text)
    }
    if "every_design()" in text or "is_selected(" in text:
        found.add("design")
    return frozenset(found)


def host_suite(words: str) -> Suite:
    """words: NAME|PROGRAM|SOURCE,SOURCE...|HOW OFTEN, which is nothing or seldom."""
    name, program, sources, often = words.split("|")
    seldom = often == "seldom"
    suite = Suite(name, "host", program)
    for source in filter(None, sources.split(",")):
        text = text_of(source)
        for case in case_names(text):
            samples = "sample_stride()" in text or "testing::briefly(" in text
            factors = factors_of(text)
            suite.tests.append(
                Test(case, source, extra=seldom, samples=samples, factors=factors, seldom=seldom)
            )
    return suite


def python_suites() -> list[Suite]:
    files = {
        path: f"{group}/{os.path.basename(path)[len('test_'):-3]}"
        for group, folder in FOLDERS.items()
        for place in (folder, f"studies/*/{folder}")
        for path in sorted(glob.glob(os.path.join(ROOT, place, "test_*.py")))
    }
    line = [sys.executable, CHILD, "list", *files]
    listing = json.loads(subprocess.run(line, capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    suites = []
    for path, name in files.items():
        entry, always = listing[path], GROUP_NEEDS.get(name.split("/")[0], ())
        suite = Suite(name, "python", path, error=entry.get("error", ""))
        for test in entry.get("tests", ()):
            suite.tests.append(
                Test(
                    test["name"],
                    os.path.relpath(path, ROOT),
                    (*always, *test["needs"]),
                    test["alone"],
                    test["extra"] or test["seldom"],
                    designs=tuple(test["designs"]),
                    seldom=test["seldom"],
                )
            )
        suites.append(suite)
    return suites


def suites(host_words: list[str]) -> list[Suite]:
    return [*map(host_suite, host_words), *python_suites()]


def leaves() -> dict[str, str]:
    """Each leaf's name, as designs say it, and the first factor that has it."""
    return {name: factor for factor, name in reversed(list_leaves.all_leaves())}
