#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How long a gang collects its processors on the modelled Multimax from others that compute for times at
random, beside Collect(TS,N,p).

collection.py [--at-once N] [--records FOLDER]

Status 1: a verdict does not hold.
"""

import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools"))

from paper import batch, collection, kept, modelled_boots  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from parley_study.tables import show  # noqa: E402

MACHINE = "multimax"


def report(found: list[collection.Collected]) -> int:
    lines = []
    for one in found:
        exact = collection.expected_ms(one.members)
        printed = one.expected
        line = [one.members, collection.SAMPLES[one.members], f"{one.mean:.3f}", f"{printed:.3f}"]
        line += [f"{one.ratio:.2f} ± {one.apart:.2f}", f"{exact:.3f}", f"{one.mean / exact:.2f}"]
        lines.append(line)
    heads = ["members", "times", "here, ms", "Collect(TS,N,p)", "ratio", "uniform times", "ratio"]
    title = f"Collecting a gang from {modelled_boots.PROCESSORS} processors whose load gives way at random"
    show(f"{title}; {MACHINE}", heads, lines)
    verdicts = collection.verdicts(found)
    for said, word in verdicts:
        print(f"  {word}: {said}")
    return int(any(word == collection.FAILS for _, word in verdicts))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument(
        "--at-once", type=int, default=len(os.sched_getaffinity(0)), help="boots at once (default: cores)"
    )
    parser.add_argument(
        "--records", default="", help="folder that keeps every boot's record, so that a later run goes on"
    )
    arguments = parser.parse_args()
    if arguments.at_once < 1:
        parser.error("--at-once is at least 1")
    records = kept.Records(arguments.records)
    try:
        made = modelled_boots.run(MACHINE, collection.boots(), arguments.at_once, records)
        return report(collection.of(made))
    except batch.Failed as problem:
        print(problem, file=sys.stderr)
        return 1
    except BadRequest as problem:
        print(f"collection: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        kept_in = f"the boots that ended are kept in {records.folder}, and the same command goes on"
        told = kept_in if records.folder else "nothing was kept"
        print(f"collection: interrupted; {told}.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(closing.of(main))
