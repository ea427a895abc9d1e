# SPDX-License-Identifier: MIT
"""Mutants that are none: a lemma says so (equivalent.toml), or the compiler makes the same code of both."""

import os
import subprocess
import tomllib

from . import planting
from .rules import Edit, Mutant
from .tree import Tree

LEMMAS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "equivalent.toml")
FIELDS = ("class", "function", "rule", "words", "into", "lemma")
SHORTEST_LEMMA = 40
# As the kernel and the message libraries are compiled; functions that nothing calls here are kept.
FLAGS = (
    *("-std=c++23", "-O2", "-g0", "-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing"),
    *("-fno-delete-null-pointer-checks", "-fkeep-inline-functions", "-w", "-S", "-o", "-"),
    *("-Iarch/hosted", "-I.", "-Ibase/unchecked", "-Inative/library", "-Itesting/explored"),
)
# Templates are made of these; what is made for no list of factors is seen in the whole composition.
INSTANCES = {
    "messaging/mailbox.hpp": "template class parley::messaging::Mailbox<>;",
    "messaging/waiter.hpp": "template class parley::messaging::Waiter<>;",
    "messaging/memory/budget.hpp": "template class parley::messaging::Budget<>;",
    "messaging/delivery.hpp": "template class parley::messaging::Delivery<>;",
}
COMPOSITION = "messaging/composition_virtual.cpp"
MARK = "parley_mutant"


class BadLemma(Exception):
    """The file of lemmas has one that cannot be read or used; the sentence says which."""


def lemmas(mutants: list[Mutant], path: str = LEMMAS) -> dict[str, str]:
    """By the mutant's name. One of a mutant that there is not, is an error: its code has changed."""
    try:
        with open(path, "rb") as file:
            entries = tomllib.load(file).get("equivalent", [])
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise BadLemma(f"{path} cannot be read: {problem}.") from None
    names, found = {one.name for one in mutants}, {}
    for entry in entries:
        missing = [field for field in FIELDS if not isinstance(entry.get(field), str)]
        if missing:
            raise BadLemma(f"{path}: an entry has no {' and no '.join(missing)}: {entry}.")
        full = f"{entry['class']}::{entry['function']}" if entry["class"] else entry["function"]
        again = f" (place {entry['place']})" if "place" in entry else ""
        name = f"{full} | {entry['rule']} | {entry['words']} -> {entry['into']}{again}"
        if name not in names:
            raise BadLemma(
                f"{path}: there is no mutant '{name}'; its code has changed, so look at the lemma again."
            )
        if len(entry["lemma"]) < SHORTEST_LEMMA:
            raise BadLemma(f"{path}: the lemma of '{name}' is no argument: '{entry['lemma']}'.")
        found[name] = entry["lemma"]
    return found


class ObjectCode:
    """Compares what the compiler makes of a source with and without a mutant."""

    def __init__(self, tree: Tree, generated: str):
        self.tree, self.generated = tree, generated
        self.sound: dict[str, str] = {}

    def is_identical(self, mutant: Mutant) -> bool:
        """Of a mutant that weakens an order. Also that the place is compiled at all, which a mark shows."""
        file, text = mutant.function.file, self.tree.text(mutant.function.file)
        unit = file if file.endswith(".cpp") else COMPOSITION if self.is_template(mutant) else ""
        # In angles, since what is quoted would be found in the project first.
        probe = f'#include <{file}>\n{INSTANCES.get(file, "")}\n'
        if file not in self.sound:
            self.sound[file] = self.code(file, text, unit, probe)
        planted = self.code(file, planting.rewritten(text, mutant.direct), unit, probe)
        if not planted or planted != self.sound[file]:
            return False
        (order,) = mutant.direct
        mark = Edit(order.start, order.end, lambda text: f'(({{ asm volatile("# {MARK}"); }}), {text})')
        return MARK in self.code(file, planting.rewritten(text, [mark]), unit, probe)

    def is_template(self, mutant: Mutant) -> bool:
        """Whether the compiler needs a whole composition to make something of it."""
        file = mutant.function.file
        return file not in INSTANCES and "template <class F>" in self.tree.text(file)

    def code(self, file: str, text: str, unit: str, probe: str) -> str:
        """The assembly of `unit`, or of a probe, over this text of a file; "" when it does not compile."""
        folder = os.path.join(os.path.dirname(self.tree.folder), "probe")
        place = os.path.join(folder, file)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="latin-1") as out:
            out.write(text)
        try:
            source = place if unit == file else unit or "-"
            line = ["g++", f"-I{folder}", *FLAGS, f"-I{self.generated}", "-x", "c++", source]
            done = subprocess.run(
                line,
                input=None if source != "-" else probe,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                cwd=self.tree.root,
            )
        finally:
            os.unlink(place)
        return done.stdout if done.returncode == 0 else ""
