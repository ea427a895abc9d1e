#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Write the list of leaves that a composition root knows: list_leaves.py ROOT OUTPUT [FOLDER...].
list_leaves.py --check [FOLDER...] only says whether each FOLDER has leaves.

It runs in the project's top folder. ROOT is `messaging`; `kernel`: where jobs are made, by the factors
that decide something there; `sched`: the kinds of semaphores; or `loops`: how loops are run. With ROOT
`names` the list has the names alone, of all leaves that a test may be told to take.

A leaf is a file <folder of its factor>/<name>.hpp with the class <Name><Factor>, derived from <Factor> or
from a class whose name ends so, which several leaves share; or <name>/<name>.hpp where it brings more than
its class; nothing else names it. Other headers there are what leaves share. Leaves of `transfer` are
templates over the Location they work with; those of `context_switch` in messaging are constants only and
derive from nothing. Each FOLDER adds leaves of its own: it is laid out like the project,
FOLDER/messaging/port/<name>.hpp."""

import os
import pathlib
import re
import sys

ROOTS = {
    "messaging": {
        "location": "messaging/location",
        "context_switch": "messaging/context_switch",
        "interaction": "messaging/interaction",
        "port": "messaging/port",
        "transport": "messaging/transport",
        "synchronization": "sched/synchronization",
        "transfer": "messaging/transfer",
        "polling": "messaging/polling",
    },
    "sched": {"semaphore": "sched/semaphore"},
    "loops": {
        "distribution": "userlib/loops/distribution",
        "barrier": "userlib/loops/barrier",
        "wait": "userlib/loops/wait",
    },
    "kernel": {
        "system_home": "kernel/job/system_home",
        "residency": "kernel/job/residency",
    },
}
CONSTANTS_ONLY = {"messaging/context_switch"}
NAMESPACES = {"synchronization": "sched::"}
TEMPLATES = {"transfer"}


def all_leaves():
    """(factor, name), as designs say them, with those of the folders that `make LEAVES=' names."""
    more = folders(os.environ.get("LEAVES", ""))
    return [
        (factor.replace("_", "-"), name.replace("_", "-"))
        for factor, folder in ROOTS["messaging"].items()
        for name in leaves(factor, folder) | added_leaves(factor, folder, more)
    ]


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def leaves(factor, folder, top="."):
    """The names of the leaves in a factor's folder with their files, sorted."""
    names, place = {}, pathlib.Path(top, folder)
    own_folders = [path for path in place.glob("*/*.hpp") if path.parent.name == path.stem]
    for path in sorted([*place.glob("*.hpp"), *own_folders], key=lambda path: path.stem):
        derived = rf"class (\w+) final\b[^{{;]*\bpublic \w*{camel(factor)}\b"
        derived = r"struct (\w+) final\b" if folder in CONSTANTS_ONLY else derived
        classes = re.findall(derived, path.read_text("utf-8"))
        wanted = camel(path.stem) + camel(factor)
        if wanted in classes:
            names[path.stem] = path
        elif classes:
            sys.exit(f"{path} must hold the class {wanted}, not {classes[0]}: its name is the file's")
    return names


def added_leaves(factor, folder, more):
    """Those of the FOLDERs that are laid out like the project, as leaves() returns them."""
    own, added = leaves(factor, folder), {}
    for other in more:
        for name, path in leaves(factor, folder, other).items():
            if name in own or name in added:
                sys.exit(f"{path} has the name of {own.get(name, added.get(name))}: give it another")
            added[name] = path
    return added


def list_of(factor, names, what):
    argument = "<L>" if factor in TEMPLATES else ""
    namespace = NAMESPACES.get(factor, "")
    classes = ", ".join(f"{namespace}{camel(name)}{camel(factor)}{argument}" for name in names)
    prefix = "template <class L = Location>\n" if factor in TEMPLATES else ""
    return f"{prefix}using {what}{camel(factor)}Leaves = messaging::LeafList<{classes}>;"


def folders(words):
    """The FOLDERs that LEAVES names, each with leaves in it."""
    places = {place for factors in ROOTS.values() for place in factors.values()}
    for folder in words.split():
        if not os.path.isdir(folder):
            sys.exit(f"LEAVES={folder}: there is no such folder")
        if not any(pathlib.Path(folder, place).is_dir() for place in places):
            sys.exit(
                f"LEAVES={folder}: there are no leaves in it. It is laid out like the project: a port is "
                f"{folder}/messaging/port/<name>.hpp (docs/adding-a-subclass.md)"
            )
    return words.split()


def listing(root, more):
    """The tree's own leaves have lists of theirs in front of the added ones, which may be made of them."""
    own_files, added_files, own_lists, lists = [], [], [], []
    for factor, folder in ROOTS[root].items():
        own, added = leaves(factor, folder), added_leaves(factor, folder, more)
        own_files += own.values()
        added_files += added.values()
        own_lists.append(list_of(factor, own, "Tree"))
        lists += [list_of(factor, own | added, ""), list_of(factor, added, "Added")]

    def includes(files):
        return [f'#include "{path}"' for path in files]

    def of_namespace(lines):
        return ["", f"namespace parley::{root} {{", "", *lines, "", f"}} // namespace parley::{root}", ""]

    head = [
        "// SPDX-License-Identifier: MIT",
        "// Written by tools/list_leaves.py from the files of each factor's folder.",
        "#pragma once",
        "",
        '#include "messaging/design/leaf_list.hpp"',
    ]
    parts = [head, includes(own_files), of_namespace(own_lists), includes(added_files), of_namespace(lists)]
    return "\n".join(line for part in parts for line in part)


def names(more):
    """What PARLEY_LEAF may say (testing/selection.hpp)."""
    places = [item for root in ("messaging", "sched", "loops") for item in ROOTS[root].items()]
    found = {
        name.replace("_", "-")
        for factor, folder in places
        for name in leaves(factor, folder) | added_leaves(factor, folder, more)
    }
    head = ["// SPDX-License-Identifier: MIT", "// Written by tools/list_leaves.py.", "#pragma once", ""]
    includes = ["#include <string_view>", "", "namespace parley::testing {", ""]
    words = [f'    "{name}",' for name in sorted(found)]
    array = ["inline constexpr std::string_view leaf_names[] = {", *words, "};"]
    return "\n".join([*head, *includes, *array, "", "} // namespace parley::testing", ""])


def main():
    if sys.argv[1] == "--check":
        folders(" ".join(sys.argv[2:]))
        return
    root, output = sys.argv[1], pathlib.Path(sys.argv[2])
    more = folders(" ".join(sys.argv[3:]))
    text = names(more) if root == "names" else listing(root, more)
    output.parent.mkdir(parents=True, exist_ok=True)
    if not output.exists() or output.read_text() != text:  # an unchanged list rebuilds nothing
        output.write_text(text)


if __name__ == "__main__":
    main()
