# SPDX-License-Identifier: MIT
"""Mutants that are none: a lemma says so, or the compiler makes the same code of both. The files called
equivalent.toml have the lemmas, each of them those of its own folder, and that of this folder the rest."""

import os
import re
import subprocess
import tempfile
import threading

from . import planting, told
from .rules import Edit, Mutant
from .tree import Tree

FILE = "equivalent.toml"
FIELDS = ("class", "function", "rule", "words", "into", "lemma")
SHORTEST_LEMMA = 40
# As the kernel and the message libraries are compiled; functions that nothing calls here are kept.
FLAGS = (
    *("-std=c++23", "-O2", "-g0", "-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing"),
    *("-fno-delete-null-pointer-checks", "-fkeep-inline-functions", "-w", "-S", "-o", "-"),
    *("-Iarch/hosted", "-I.", "-Ibase/unchecked", "-Inative/library", "-Iarch/linux", "-Itesting/explored"),
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
    """A lemma that cannot be used; the sentence says which."""


def lemmas(mutants: list[Mutant], paths: list[str]) -> dict[str, str]:
    """By the mutant's name. One of a mutant that there is not, is an error: its code has changed."""
    names, found = {one.name for one in mutants}, {}
    for path, entry in told.entries(paths, "equivalent", FIELDS, ("place",)):
        full = f"{entry['class']}::{entry['function']}" if entry["class"] else entry["function"]
        again = f" (place {entry['place']})" if "place" in entry else ""
        name = f"{full} | {entry['rule']} | {entry['words']} -> {entry['into']}{again}"
        if name not in names:
            raise BadLemma(
                f"{path}: there is no mutant '{name}'; its code has changed, so look at the lemma again."
            )
        if len(entry["lemma"]) < SHORTEST_LEMMA:
            raise BadLemma(f"{path}: the lemma of '{name}' is no argument: '{entry['lemma']}'.")
        if name in found:
            raise BadLemma(f"{path}: there is another lemma of '{name}'; keep one of them.")
        found[name] = entry["lemma"]
    return found


def mark(start: int, end: int) -> Edit:
    """Shows an order's place in what the compiler makes of it."""
    return Edit(start, end, lambda text: f'(({{ asm volatile("# {MARK} {start}"); }}), {text})')


class ObjectCode:
    """Compares what the compiler makes of a source with and without a mutant."""

    def __init__(self, tree: Tree, generated: str, mutants: list[Mutant]):
        """`mutants`: those that weaken an order."""
        self.tree, self.generated = tree, generated
        self.orders: dict[str, set[tuple[int, int]]] = {}
        for one in mutants:
            (order,) = one.direct
            self.orders.setdefault(one.function.file, set()).add((order.start, order.end))
        # Of each file: the code of its text, and that with a mark at each memory order.
        self.known: dict[str, tuple[str, str]] = {}
        self.locks: dict[str, threading.Lock] = {}
        self.lock = threading.Lock()

    def is_identical(self, mutant: Mutant) -> bool:
        """Of a mutant that weakens an order. Also that the place is compiled at all, which a mark shows."""
        file, text = mutant.function.file, self.tree.text(mutant.function.file)
        with self.lock:
            lock = self.locks.setdefault(file, threading.Lock())
        with lock:
            if file not in self.known:
                marks = [mark(start, end) for start, end in self.orders[file]]
                self.known[file] = self.code(file, text), self.code(file, planting.rewritten(text, marks))
        sound, marks = self.known[file]
        (order,) = mutant.direct
        return f"{MARK} {order.start}\n" in marks and sound == self.code(
            file, planting.rewritten(text, mutant.direct)
        )

    def unit(self, file: str) -> str:
        """The source that is compiled to see what becomes of a file's text; "" for a probe that includes it.
        Of templates the compiler makes something in a whole composition."""
        if file.endswith(".cpp"):
            return file
        return COMPOSITION if file not in INSTANCES and "template <class F>" in self.tree.text(file) else ""

    def code(self, file: str, text: str) -> str:
        """The assembly of its unit with this text of a file; "" when it does not compile."""
        unit = self.unit(file)
        # In angles, since what is quoted would be found in the project first.
        probe = f'#include <{file}>\n{INSTANCES.get(file, "")}\n'
        with tempfile.TemporaryDirectory(dir=os.path.dirname(self.tree.folder)) as folder:
            place = os.path.join(folder, file)
            os.makedirs(os.path.dirname(place))
            with open(place, "w", encoding="latin-1") as out:
                out.write(text)
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
        return done.stdout.replace(folder, "") if done.returncode == 0 else ""
