#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""draw.py DATA OUT: the paper's figures from the measurements in the folder DATA, as a page and SVG files in
the folder OUT. `make paper` measures and draws; this draws again."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools"))

from parley_report import packages  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        packages.need("matplotlib", "jinja2")
        from paper import figures
        from parley_report import page

        made = figures.make(sys.argv[1])
        path = page.write(made, sys.argv[2], "paper.html")
    except BadRequest as problem:
        print(f"paper: {problem}", file=sys.stderr)
        return 2
    print(f"{path} and {len(made.charts())} pictures (SVG) beside it")
    return 0


if __name__ == "__main__":
    sys.exit(closing.of(main))
