#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What was proposed for Cedar and not built, each beside the same without it, on the modelled machine.

effects.py --records FOLDER
    boots what is not kept there yet, and prints a table of what each proposal changes
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "..", "tools"))

from cedar import proposals  # noqa: E402
from cedar.modelled_runs import all_of  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from parley_study.kept_runs import RunFailed  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--records", required=True, help="folder that keeps what runs have told")
    asked = parser.parse_args()
    try:
        found = all_of(proposals.runs(), asked.records)
    except RunFailed as failed:
        print(f"effects.py: {failed}", file=sys.stderr)
        return 1
    except BadRequest as problem:
        print(f"effects.py: {problem}", file=sys.stderr)
        return 2
    print("\n".join(proposals.lines({run: entry["took_ns"] for run, entry in found.items()})))
    return 0


if __name__ == "__main__":
    sys.exit(closing.of(main))
