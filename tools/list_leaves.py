#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Write the list of leaves that a composition root knows: list_leaves.py ROOT OUTPUT [FOLDER...].

It runs in the project's top folder. ROOT is `messaging`, or `kernel`: where jobs are made, by the factors
that decide something there.

A leaf is a file <folder of its factor>/<name>.hpp with the class <Name><Factor>, derived from <Factor>, or
<name>/<name>.hpp where it brings more than its class; nothing else names it. Other headers there are what
leaves share. Leaves of `transfer` are templates over the Location they work with; those of `context_switch`
in messaging are constants only and derive from nothing. Each FOLDER adds leaves of its own, in
FOLDER/<factor>/."""

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
    },
    "kernel": {
        "location": "kernel/job/location",
        "context_switch": "kernel/job/context_switch",
    },
}
CONSTANTS_ONLY = {"messaging/context_switch"}
NAMESPACES = {"synchronization": "sched::"}
TEMPLATES = {"transfer"}


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def leaves(factor, folder):
    """The names of the leaves in a factor's folder with their files, sorted."""
    names = {}
    own_folders = [path for path in pathlib.Path(folder).glob("*/*.hpp") if path.parent.name == path.stem]
    for path in sorted([*pathlib.Path(folder).glob("*.hpp"), *own_folders], key=lambda path: path.stem):
        derived = rf"class (\w+) final\b[^{{;]*\bpublic {camel(factor)}\b"
        derived = r"struct (\w+) final\b" if folder in CONSTANTS_ONLY else derived
        classes = re.findall(derived, path.read_text("utf-8"))
        wanted = camel(path.stem) + camel(factor)
        if wanted in classes:
            names[path.stem] = path
        elif classes:
            sys.exit(f"{path} must hold the class {wanted}, not {classes[0]}: its name is the file's")
    return names


def listing(root, more):
    includes, lists = [], []
    for factor, folder in ROOTS[root].items():
        names = leaves(factor, folder)
        for other in more:
            names |= leaves(factor, f"{other}/{factor}")
        includes += [f'#include "{path}"' for path in names.values()]
        argument = "<L>" if factor in TEMPLATES else ""
        namespace = NAMESPACES.get(factor, "")
        classes = ", ".join(f"{namespace}{camel(name)}{camel(factor)}{argument}" for name in names)
        prefix = "template <class L = Location>\n" if factor in TEMPLATES else ""
        lists.append(f"{prefix}using {camel(factor)}Leaves = messaging::LeafList<{classes}>;")
    head = [
        "// SPDX-License-Identifier: MIT",
        "// Written by tools/list_leaves.py from the files of each factor's folder.",
        "#pragma once",
        "",
        '#include "messaging/leaf_list.hpp"',
    ]
    body = ["", f"namespace parley::{root} {{", "", *lists, "", f"}} // namespace parley::{root}", ""]
    return "\n".join(head + includes + body)


def main():
    root, output = sys.argv[1], pathlib.Path(sys.argv[2])
    text = listing(root, sys.argv[3:])
    output.parent.mkdir(parents=True, exist_ok=True)
    if not output.exists() or output.read_text() != text:  # an unchanged list rebuilds nothing
        output.write_text(text)


if __name__ == "__main__":
    main()
