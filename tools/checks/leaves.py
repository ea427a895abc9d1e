# SPDX-License-Identifier: MIT
"""The message system asks no leaf what it is: a leaf decides by its operations, or is bound once. Only
leaves, what composes them, and the table of designs (messaging/design/) may name leaves or ask what they
state."""

import os
import re
import sys

import sources

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
import list_leaves  # noqa: E402

# What composes a system, and may see its leaves.
COMPOSITION = re.compile(r"messaging/(design/|assembly\.hpp|static_composition\.hpp|composition)")
TESTS = re.compile(r"(_test\.cpp|_explored\.cpp)$|/behaviours/")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
QUESTIONS = {
    "asks what a type states": re.compile(r"\brequires\s*(?:\([^)]*\)\s*)?\{"),
    "asks for capabilities": re.compile(r"\bcapabilities\w*\b|\bNX_[A-Z]\w*\b"),
    "asks for a design's traits": re.compile(r"\bDesignTraits\b|\btraits(?:_of)?\b"),
    "branches by a factor's type": re.compile(r"\bif\s+constexpr\s*\([^;{]*\b(?:[A-Z]|Leaf|\w+Leaf)::"),
    "compares types": re.compile(r"\bstd::is_(?:base_of|same)_v<[^;]*\b[A-Z]::"),
}


def leaves() -> tuple[set[str], set[str], list[str]]:
    """The classes of all leaves, their names in designs, and the folders that hold them."""
    classes, names, folders = set(), set(), []
    for factor, folder in list_leaves.ROOTS["messaging"].items():
        folders.append(f"{folder}/")
        for name in list_leaves.leaves(factor, folder, sources.ROOT):
            classes.add(list_leaves.camel(name) + list_leaves.camel(factor))
            names.add(f'"{name.replace("_", "-")}"')
    return classes, names, folders


def stated(folders: list[str]) -> set[str]:
    """The names of what leaves state as constants for whoever composes them."""
    text = sources.text("docs/adding-a-subclass.md")
    table = [line for line in text.split("\n") if any(f"`{folder}`" in line for folder in folders)]
    return {word for line in table for word in re.findall(r"`(\w+)`", line.split("|")[4])} - {
        "LockState",
        "PartyState",
        "Helper",
        "TransportParts",
    }


def without_comments(text: str) -> str:
    return COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)


def faults(text: str, classes: set[str], names: set[str], words: set[str], folders: list[str]) -> list:
    """(line, what is wrong) for the text of a file that may ask nothing."""
    found = []
    for number, line in enumerate(without_comments(text).split("\n"), start=1):
        if re.match(r"\s*static constexpr ", line):  # what a leaf states that does not say so
            continue
        if include := INCLUDE.match(line):
            if any(include[1].startswith(folder) for folder in folders if folder.startswith("messaging/")):
                found.append((number, "includes a leaf"))
            continue
        found += [(number, "names a leaf") for word in re.findall(r"\b[A-Z]\w+\b", line) if word in classes]
        found += [(number, "names a leaf") for word in TEXT.findall(line) if word in names]
        found += [(number, f"asks for {word}") for word in re.findall(r"::(\w+)\b", line) if word in words]
        found += [(number, question) for question, looks in QUESTIONS.items() if looks.search(line)]
    return found


def check() -> bool:
    report = sources.Report("questions about leaves")
    classes, names, folders = leaves()
    words = stated(folders)
    asked = 0
    for name in sources.files(*sources.CPP):
        if not name.startswith("messaging/") or COMPOSITION.match(name) or TESTS.search(name):
            continue
        if any(name.startswith(folder) for folder in folders):
            continue
        asked += 1
        for line, fault in faults(sources.text(name), classes, names, words, folders):
            report.wrong(f"{name}:{line}", fault)
    report.note(f"{len(report.problems)} in the {asked} files of the core")
    return report.finish()
