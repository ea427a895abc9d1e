# SPDX-License-Identifier: MIT
"""A leaf that has a folder needs nothing outside it: no file elsewhere includes a file of the folder, names a
class of it, or has its path, so that the folder can be deleted and the rest builds. That a design names the
leaf by its word is no such need, and neither are pages of docs."""

import os
import re
from typing import NamedTuple

import leaves
import list_leaves
import sources

BUILD = (".mk", ".cmake", ".py", "Makefile", "CMakeLists.txt")
DEFINITION = re.compile(
    r"^(?:template <.*> )?(?:class|struct|enum class|enum|union|concept|using)\s+"
    r"(?:alignas\([^)]*\)\s*)?(\w+)\b(?!\s*;|::)",
    re.M,
)

INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]*)"')
# Whoever brings a leaf what is not the message system's: the network over which transport=network carries.
BRINGS = {
    "messaging/transport/network/": re.compile(
        r"kernel/network/|native/(network/|nxrun/network_connection\.)"
    )
}
# These checks and their own tests.
CHECKS = re.compile(r"tools/(checks|tests)/[^/]*\.py$")


def folders() -> list[str]:
    """The folders that hold one leaf each, with a slash."""
    found = []
    for factor, folder in list_leaves.ROOTS["messaging"].items():
        for path in list_leaves.leaves(factor, folder, sources.ROOT).values():
            name = os.path.relpath(path.parent, sources.ROOT)
            found += [f"{name}/"] if name != folder else []
    return found


def included(name: str, line: str) -> str:
    """The path from the root of what a line of this file includes from where the file lies."""
    found = INCLUDE.match(line) if name.endswith(sources.CPP) else None
    return os.path.normpath(os.path.join(os.path.dirname(name), found[1])) if found else ""


class File(NamedTuple):
    """Its text, of C and C++ without comments, and the words in that."""

    text: str
    words: frozenset[str]

    def may_need(self, folder: str, words: set[str]) -> bool:
        """Whether it is worth a look at each line: who is outside says the folder's own name in any path."""
        return os.path.basename(folder[:-1]) + "/" in self.text or not self.words.isdisjoint(words)


def read(name: str) -> File:
    text = sources.text(name)
    if name.endswith(sources.CPP):
        text = leaves.without_comments(text)
    return File(text, frozenset(re.findall(r"\w+", text)))


def needs(name: str, text: str, folder: str, words: set[str]) -> list[tuple[int, str]]:
    """(line, what is wrong) for a file outside of a folder in which those words are defined."""
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if folder in line or included(name, line).startswith(folder):
            found.append((number, f"has the path of {folder}"))
        elif name.endswith(sources.CPP):
            named = words.intersection(re.findall(r"\w+", leaves.TEXT.sub("", line)))
            found += [(number, f"names {word} of {folder}") for word in sorted(named)]
    return found


def check() -> bool:
    report = sources.Report("what folders of leaves need outside")
    files = {name: read(name) for name in sources.files(*sources.CPP, *BUILD)}
    own, bringing, outside = folders(), set(), set()
    for folder in own:
        inside = [name for name in files if name.startswith(folder) and name.endswith(".hpp")]
        words = {word for name in inside for word in DEFINITION.findall(sources.text(name))}
        for name, file in files.items():
            if name.startswith(folder) or CHECKS.match(name) or not file.may_need(folder, words):
                continue
            found = needs(name, file.text, folder, words)
            if found and folder in BRINGS and BRINGS[folder].match(name):
                bringing.add(name)
                continue
            outside.update([name] if found else [])
            for line, fault in found:
                report.wrong(f"{name}:{line}", fault)
    report.note(f"{len(own)} folders, {len(outside)} files outside; {len(bringing)} bring a network")
    return report.finish()
