# SPDX-License-Identifier: MIT
"""Faults that were thought of by hand, by name: those of the files called named.toml, of which each tells
what lies in its folder, and that of this folder the rest."""

from collections.abc import Callable
from typing import NamedTuple

from . import told
from .rules import Edit, Mutant, planted
from .source import Function

RULE = "named fault"
FILE = "named.toml"
FIELDS = ("name", "file", "source", "chosen")


class Fault(NamedTuple):
    told_in: str
    file: str
    source: str
    chosen: str


class Lost(Exception):
    """A fault that is none, or whose source is not there; the sentence says which."""


def faults(paths: list[str]) -> dict[str, Fault]:
    """Those of files like named.toml, by their names."""
    found: dict[str, Fault] = {}
    for path, entry in told.entries(paths, "named", FIELDS):
        fault = Fault(path, *(entry[field] for field in FIELDS[1:]))
        if entry["name"] in found:
            raise Lost(f"{path}: there is another fault {entry['name']}; give one of them another name.")
        if not fault.source.strip() or "PLANTED" not in fault.chosen:
            raise Lost(f"{path}: the fault {entry['name']} needs a source, and PLANTED in what is chosen.")
        found[entry["name"]] = fault
    return found


def mutants(
    some: dict[str, Fault], functions: list[Function], text_of: Callable[[str], str]
) -> list[Mutant]:
    found = []
    for name, fault in some.items():
        try:
            text = text_of(fault.file)
        except OSError:
            raise Lost(f"{fault.told_in}: the fault {name} is in {fault.file}, which is not there.") from None
        if text.count(fault.source) != 1:
            raise Lost(
                f"the fault {name} ({fault.told_in}) is to be written again: {fault.file} does not "
                f"have its source exactly once, which begins with: {fault.source.splitlines()[0].strip()}"
            )
        start = text.index(fault.source)
        end = start + len(fault.source)
        inside = [one for one in functions if one.file == fault.file and one.start <= start < one.end]
        if not inside:
            raise Lost(f"the fault {name} ({fault.told_in}) is in no function of {fault.file}.")

        def edits(condition: str, start: int = start, end: int = end, fault: Fault = fault) -> list[Edit]:
            # No line may come or go; a guard at the end keeps what follows apart.
            lines = fault.source.count("\n")
            chosen = " ".join(fault.chosen.replace("PLANTED", condition).split())
            return [Edit(start, end, lambda text: chosen + "\n" * lines)]

        found.append(
            Mutant(
                RULE,
                inside[-1],
                name,
                "planted",
                edits("true"),
                lambda number, edits=edits: edits(planted(number)),
            )
        )
    return found
