#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Write the list of the framework's leaves: list_leaves.py OUTPUT, in the project's top folder.

A leaf is a file <folder of its factor>/<name>.hpp with the class <Name><Factor>, derived from <Factor>;
nothing else names it. Other headers there are what leaves share. Leaves of `transfer` are templates over the
Location they work with."""

import pathlib
import re
import sys

FOLDERS = {
    "location": "messaging/location",
    "context_switch": "messaging/context_switch",
    "interaction": "messaging/interaction",
    "port": "messaging/port",
    "transport": "messaging/transport",
    "synchronization": "sched/synchronization",
    "transfer": "messaging/transfer",
}
NAMESPACES = {"synchronization": "sched::"}
TEMPLATES = {"transfer"}


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def leaves(factor):
    """The names of the leaves in a factor's folder, sorted."""
    names = []
    for path in sorted(pathlib.Path(FOLDERS[factor]).glob("*.hpp")):
        derived = rf"class (\w+) final\b[^{{;]*\bpublic {camel(factor)}\b"
        classes = re.findall(derived, path.read_text("utf-8"))
        wanted = camel(path.stem) + camel(factor)
        if wanted in classes:
            names.append(path.stem)
        elif classes:
            sys.exit(f"{path} must hold the class {wanted}, not {classes[0]}: its name is the file's")
    return names


def listing():
    includes, lists = [], []
    for factor, folder in FOLDERS.items():
        names = leaves(factor)
        includes += [f'#include "{folder}/{name}.hpp"' for name in names]
        argument = "<L>" if factor in TEMPLATES else ""
        namespace = NAMESPACES.get(factor, "")
        classes = ", ".join(f"{namespace}{camel(name)}{camel(factor)}{argument}" for name in names)
        prefix = "template <class L = Location>\n" if factor in TEMPLATES else ""
        lists.append(f"{prefix}using {camel(factor)}Leaves = LeafList<{classes}>;")
    head = [
        "// SPDX-License-Identifier: MIT",
        "// Written by tools/list_leaves.py from the files of each factor's folder.",
        "#pragma once",
        "",
        '#include "messaging/leaf_list.hpp"',
    ]
    body = ["", "namespace parley::messaging {", "", *lists, "", "} // namespace parley::messaging", ""]
    return "\n".join(head + includes + body)


def main():
    output = pathlib.Path(sys.argv[1])
    text = listing()
    output.parent.mkdir(parents=True, exist_ok=True)
    if not output.exists() or output.read_text() != text:  # an unchanged list rebuilds nothing
        output.write_text(text)


main()
