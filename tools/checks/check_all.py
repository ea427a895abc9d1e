#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make check: every mechanical rule, one line each, and a last line of counts."""

import argparse
import os
import sys

sys.dont_write_bytecode = True
CHECKS = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [CHECKS, os.path.dirname(CHECKS)]

import assertions  # noqa: E402
import class_names  # noqa: E402
import dispatch  # noqa: E402
import formatting  # noqa: E402
import layers  # noqa: E402
import leaves  # noqa: E402
import leaf_folders  # noqa: E402
import links  # noqa: E402
import standard_headers  # noqa: E402
import style  # noqa: E402
import thread_safety  # noqa: E402
from parley_runner import ending  # noqa: E402


def main() -> int:
    checks = {
        "layers": layers.check,
        "leaves": leaves.check,
        "leaf-folders": leaf_folders.check,
        "assertions": assertions.check,
        "style": style.check,
        "links": links.check,
        "class-names": class_names.check,
        "formatting": formatting.check,
        "standard-headers": standard_headers.check,
        "thread-safety": lambda: thread_safety.check(asked.build),
        "dispatch": lambda: dispatch.check(asked.build),
    }
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("build", nargs="?", default="build", metavar="BUILD", help="its folder (build)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"these alone, of {', '.join(checks)}")
    asked = parser.parse_args()
    if asked.build in checks:
        parser.error(f"the build's folder comes first: check_all.py build {asked.build}")
    for name in asked.names:
        if name not in checks:
            parser.error(f"there is no check '{name}'; there are {', '.join(checks)}")
    wanted = asked.names or list(checks)
    if "style" in wanted:
        style.sizes()
    results = [check() for name, check in checks.items() if name in wanted]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(ending.of(main))
