#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make check: every mechanical rule, one line each, and a last line of counts. check_all.py BUILD
[NAME...]"""

import os
import sys

sys.dont_write_bytecode = True
CHECKS = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [CHECKS, os.path.dirname(CHECKS)]

import assertions  # noqa: E402
import dispatch  # noqa: E402
import formatting  # noqa: E402
import layers  # noqa: E402
import leaves  # noqa: E402
import leaf_folders  # noqa: E402
import style  # noqa: E402
import thread_safety  # noqa: E402
from parley_runner import ending  # noqa: E402


def main() -> int:
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    checks = {
        "layers": layers.check,
        "leaves": leaves.check,
        "leaf-folders": leaf_folders.check,
        "assertions": assertions.check,
        "style": style.check,
        "formatting": formatting.check,
        "thread-safety": lambda: thread_safety.check(build),
        "dispatch": lambda: dispatch.check(build),
    }
    if len(sys.argv) <= 2 or "style" in sys.argv[2:]:
        style.sizes()
    results = [check() for name, check in checks.items() if name in sys.argv[2:] or len(sys.argv) <= 2]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(ending.of(main))
