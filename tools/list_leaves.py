#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Write the list of the framework's leaves: list_leaves.py MESSAGING-FOLDER OUTPUT.

A leaf is a file messaging/<factor>/<name>.hpp with the class <Name><Factor>; nothing else names it. Leaves of
`transfer` are templates over the Location they work with."""

import pathlib
import sys

FACTORS = ["location", "context_switch", "interaction", "port", "transport", "synchronization", "transfer"]
TEMPLATES = {"transfer"}


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def listing(folder):
    includes, lists = [], []
    for factor in FACTORS:
        names = sorted(path.stem for path in (folder / factor).glob("*.hpp"))
        includes += [f'#include "messaging/{factor}/{name}.hpp"' for name in names]
        argument = "<L>" if factor in TEMPLATES else ""
        classes = ", ".join(f"{camel(name)}{camel(factor)}{argument}" for name in names)
        prefix = "template <class L = Location>\n" if factor in TEMPLATES else ""
        lists.append(f"{prefix}using {camel(factor)}Leaves = LeafList<{classes}>;")
    head = [
        "// SPDX-License-Identifier: MIT",
        "// Written by tools/list_leaves.py from the files messaging/<factor>/*.hpp.",
        "#pragma once",
        "",
        '#include "messaging/leaf_list.hpp"',
    ]
    body = ["", "namespace parley::messaging {", "", *lists, "", "} // namespace parley::messaging", ""]
    return "\n".join(head + includes + body)


def main():
    folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    text = listing(folder)
    output.parent.mkdir(parents=True, exist_ok=True)
    if not output.exists() or output.read_text() != text:  # an unchanged list rebuilds nothing
        output.write_text(text)


main()
