# SPDX-License-Identifier: MIT
"""The message system asks no leaf what it is: a leaf decides by its operations, names the type that does, or
is bound once. Only leaves, what composes them, and the table of designs (messaging/design/) may name leaves
or ask what they state."""

import os
import re
import sys
from typing import NamedTuple

import sources

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
import list_leaves  # noqa: E402

# What composes a system, and may see its leaves.
COMPOSITION = re.compile(r"messaging/(design/|assembly\.hpp|static_composition\.hpp|composition)")
# Locks are the message system's, and lie where leaves do.
CORE = re.compile(r"messaging/|sched/synchronization/(lock|event|synchronization)\.hpp$")
# A type that only static dispatch knows: a factor's, or the one that a template calls it by.
TYPE = r"(?:\b(?:[A-Z]|\w*Leaf|F::[A-Z]\w*)|\bdecltype\([^()]*\))"
# What is bound once, by the class where static dispatch knows it and else when a system is made: the one file
# of the core that asks, for all others.
BOUND_ONCE = {
    # Whether senders need not signal: asked at every message, and the port never changes its answer.
    "shows_draws": "messaging/port.hpp",
    # Whether a way is a number that is looked up or an address: it follows from who makes the calls.
    "checks_addresses": "messaging/location.hpp",
    # How locks are left, for which a lock makes no call.
    "marks_waiters": "sched/synchronization/lock.hpp",
}
# What a factor's interface answers of this moment, and not of what the leaf is.
OF_THE_MOMENT = {"is_under_way"}
PROPERTY = re.compile(r"\bvirtual (?:bool|unsigned|std::u?int\d+_t) (\w+)\(\) const")
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
OF_TYPES = {
    "asks what a factor's type is": re.compile(
        r"\bstd::(?:is_\w+|\w+_as|derived_from)<\s*(?:const\s+)?(?:[A-Z]|\w*Leaf|F::[A-Z]\w*)\s*[&,>]"
    ),
    "asks for a constant of a factor's type": re.compile(rf"{TYPE}::(?!template\b)[a-z]\w*\b(?!\s*[(<])"),
}


class Known(NamedTuple):
    classes: set[str]
    names: set[str]
    words: set[str]  # constants that leaves state
    properties: set[str]  # functions of theirs
    folders: tuple[str, ...]  # of leaves that the core does not include


def leaves() -> tuple[set[str], set[str], list[str]]:
    """The classes of all leaves, their names in designs, and the folders that hold them."""
    classes, names, folders = set(), set(), []
    for factor, folder in list_leaves.ROOTS["messaging"].items():
        folders.append(f"{folder}/")
        for name in list_leaves.leaves(factor, folder, sources.ROOT):
            classes.add(list_leaves.camel(name) + list_leaves.camel(factor))
            names.add(f'"{name.replace("_", "-")}"')
    return classes, names, folders


def constants(folders: list[str]) -> set[str]:
    """The names of what leaves state as constants for whoever composes them; types that they name are not."""
    text = sources.text("docs/adding-a-subclass.md")
    table = [line for line in text.split("\n") if any(f"`{folder}`" in line for folder in folders)]
    return {word for line in table for word in re.findall(r"`([a-z]\w*)`", line.split("|")[4])}


def properties() -> set[str]:
    """The functions of factors' interfaces by which a leaf answers what it is."""
    found = set()
    for factor, folder in list_leaves.ROOTS["messaging"].items():
        for name in (f"{folder}.hpp", f"{folder}/{factor}.hpp"):
            if os.path.exists(os.path.join(sources.ROOT, name)):
                _, _, after = sources.text(name).partition(f"\nclass {list_leaves.camel(factor)} {{\n")
                found.update(PROPERTY.findall(after.partition("\n};\n")[0]))
    return found - OF_THE_MOMENT


def without_comments(text: str) -> str:
    return COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)


def faults(name: str, known: "Known") -> list[tuple[int, str]]:
    """(line, what is wrong) for a file that may ask nothing."""
    found = []
    bound_here = [word for word, place in BOUND_ONCE.items() if place == name]
    for number, line in enumerate(without_comments(sources.text(name)).split("\n"), start=1):
        for word in bound_here:
            line = re.sub(rf"(?:::|\.){word}\b", "", line)
        found += [(number, question) for question, looks in OF_TYPES.items() if looks.search(line)]
        if re.match(r"\s*static constexpr ", line):  # what a leaf states that does not say so
            continue
        if include := INCLUDE.match(line):
            if include[1].startswith(known.folders):
                found.append((number, "includes a leaf"))
            continue
        named = [word for word in re.findall(r"\b[A-Z]\w+\b", line) if word in known.classes]
        named += [word for word in TEXT.findall(line) if word in known.names]
        found += [(number, "names a leaf") for _ in named]
        stated = [word for word in re.findall(r"::(\w+)\b", line) if word in known.words]
        found += [(number, f"asks for {word}") for word in stated]
        asked = [word for word in re.findall(r"(?:\.|->)(\w+)\(\)", line) if word in known.properties]
        found += [(number, f"asks a leaf for {word}()") for word in asked]
        found += [(number, question) for question, looks in QUESTIONS.items() if looks.search(line)]
    return found


def check() -> bool:
    report = sources.Report("questions about leaves")
    classes, names, folders = leaves()
    unseen = tuple(folder for folder in folders if folder.startswith("messaging/"))
    known = Known(classes, names, constants(folders), properties(), unseen)
    asked = 0
    for name in sources.files(*sources.CPP):
        if not CORE.match(name) or COMPOSITION.match(name) or TESTS.search(name):
            continue
        if name.startswith(unseen):
            continue
        asked += 1
        for line, fault in faults(name, known):
            report.wrong(f"{name}:{line}", fault)
    report.note(f"{len(report.problems)} in the {asked} files of the core")
    return report.finish()
