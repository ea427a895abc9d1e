#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""paper.py DATA OUT: the paper's figures from the measurements in the folder DATA, as a page and SVG files in
the folder OUT. `make paper` measures and draws; this draws again."""

import os
import sys

TOOLS = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [TOOLS, os.path.join(TOOLS, "applications")]

import published  # noqa: E402
from parley_report import packages  # noqa: E402
from parley_runner import ending  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        packages.need("matplotlib", "jinja2")
        from parley_report import figures, page

        made = figures.make(sys.argv[1], published)
        path = page.write(made, sys.argv[2], "paper.html")
    except BadRequest as problem:
        print(f"paper: {problem}", file=sys.stderr)
        return 2
    print(f"{path} and {len(made.charts())} pictures (SVG) beside it")
    return 0


if __name__ == "__main__":
    sys.exit(ending.of(main))
