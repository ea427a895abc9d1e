#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Plant faults in a copy of the tree, one at a time, and say whether the explorer's test finds each:
plant_faults.py [NAME ...]

A fault is a piece of source and what stands in its place. Source that is not there exactly once is an error:
then the code has changed, and the fault is to be written again. Status 1: a fault was not found."""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

EXPLORED = [
    "tools/testing/explored/dispatcher_explored.cpp",
    "tools/testing/explorer.cpp",
    "tools/testing/catch_main.cpp",
    "sched/dispatcher.cpp",
    "sched/server.cpp",
    "sched/wait_table.cpp",
]
# name -> file, source, what is planted
FAULTS = {
    "interrupt-without-second-look": (
        "sched/wait_table.cpp",
        """        if (process.waiting_in.load(std::memory_order_relaxed) != bucket)
            return;
""",
        "",
    ),
    "sleep-loses-kill": (
        "sched/wait_table.cpp",
        "    if (self.summons.killed()) {",
        "    if (false) {",
    ),
}


def test(tree: str) -> int:
    """The status of the explorer's test of this tree; a compiler's error ends everything."""
    program = os.path.join(tree, "explored_test")
    flags = ["-std=c++23", "-O1", "-Itools/testing/explored", "-I."]
    subprocess.run(["g++", *flags, *EXPLORED, "-o", program], cwd=tree, check=True)
    return subprocess.run([program], stdout=subprocess.DEVNULL, timeout=600, check=False).returncode


def copy_with(fault: tuple[str, str, str], tree: str) -> None:
    for folder in ("arch", "kernel", "messaging", "sched", "tools"):
        shutil.copytree(os.path.join(ROOT, folder), os.path.join(tree, folder))
    name, source, planted = fault
    path = os.path.join(tree, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(source) != 1:
        sys.exit(f"plant_faults: {name} does not have, exactly once:\n{source}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(source, planted))


def main() -> int:
    names = sys.argv[1:] or list(FAULTS)
    for name in names:
        if name not in FAULTS:
            sys.exit(f"plant_faults: there is no fault '{name}'; there are: {', '.join(FAULTS)}")
    missed = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="parley-fault-") as tree:
            copy_with(FAULTS[name], tree)
            found = test(tree) != 0
        print(f"{name}: {'found' if found else 'NOT FOUND'}", flush=True)
        missed += 0 if found else 1
    return 1 if missed else 0


sys.exit(main())
