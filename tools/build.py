#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""build.py TARGET...: makes them, shows how far it is, and says what compilers said. A target that could not
be made ends it with status 1."""

import os
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "testing"))

from suites import building  # noqa: E402
from suites.progress import Progress  # noqa: E402


def main() -> int:
    failed, said = building.build(sys.argv[1:], Progress(sys.stderr))
    if said.strip():
        print(said.rstrip(), file=sys.stderr)
    if failed:
        print("It could not be built, see above.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
