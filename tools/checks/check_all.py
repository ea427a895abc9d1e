#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make check: every mechanical rule, one line each, and a last line of counts."""

import argparse
import importlib
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from parley_runner import ending  # noqa: E402

# Each is a module beside this one with a function check(), which is read where it is asked for.
CHECKS = (
    *("layers", "leaves", "leaf-folders", "assertions", "style", "links", "class-names", "formatting"),
    *("standard-headers", "thread-safety", "dispatch"),
)
# They look at what was built, too.
OF_BUILD = ("thread-safety", "dispatch")


def check(name: str, build: str) -> bool:
    module = importlib.import_module(name.replace("-", "_"))
    return module.check(build) if name in OF_BUILD else module.check()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("build", nargs="?", default="build", metavar="BUILD", help="its folder (build)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"these alone, of {', '.join(CHECKS)}")
    asked = parser.parse_args()
    if asked.build in CHECKS:
        parser.error(f"the build's folder comes first: check_all.py build {asked.build}")
    for name in asked.names:
        if name not in CHECKS:
            parser.error(f"there is no check '{name}'; there are {', '.join(CHECKS)}")
    wanted = [name for name in CHECKS if name in (asked.names or CHECKS)]
    if "style" in wanted:
        importlib.import_module("style").sizes()
    results = [check(name, asked.build) for name in wanted]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(ending.of(main))
