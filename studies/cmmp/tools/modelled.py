#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The study of C.mmp by the booted kernel on the modelled machine, under LOSSES=cmmp-1978: thresholds,
speed-ups and losses beside what is printed.

modelled.py --records FOLDER [--full] [--at-once N] [--page FOLDER] [--compare]

Status 1: a verdict does not hold, and studies/cmmp/docs/cmmp.md does not list it with a reason; or one holds
that is listed.
"""

import argparse
import os
import sys

TOOLS = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [TOOLS, os.path.join(TOOLS, "..", "..", "..", "tools")]

from parley_study import closing  # noqa: E402 I001
from cmmp import documents, modelled_boots, modelled_reasons, modelled_report  # noqa: E402
from cmmp import modelled_results, modelled_roots, modelled_traces  # noqa: E402
from cmmp.kept_boots import Booter, Failed  # noqa: E402
from cmmp.modelled_boots import Length  # noqa: E402
from cmmp.modelled_results import Results  # noqa: E402
from parley_report import packages  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402


def around(wanted: dict[str, int]) -> dict[str, modelled_boots.Cell]:
    """Boots of five processes, by kind and steps."""
    return {
        f"threshold {kind} {steps}": modelled_boots.threshold(kind, steps)
        for kind, steps in wanted.items()
    }


def looked_at(form: modelled_boots.Form, length: Length, booter: Booter) -> dict[str, dict]:
    """Boots around thresholds: each kind's next length follows from what its last ones took."""
    looks: dict[str, dict[int, list[float]]] = {kind: {} for kind in documents.KINDS}
    wanted = {kind: modelled_boots.first_steps(kind, length) for kind in looks}
    half = {kind: modelled_boots.first_steps(kind, length, 0.5) for kind in looks}
    records: dict[str, dict] = {}
    for further in range(modelled_boots.LOOKS + 1):
        cells = around(wanted) | ({} if further else around(half))
        found = modelled_boots.run(cells, booter)
        for kind in looks:
            at = modelled_results.looks(found, kind)
            looks[kind] |= {steps: modelled_roots.stages(one) for steps, one in at.items()}
        records |= found
        wanted = {
            kind: steps
            for kind in wanted
            if (steps := modelled_boots.next_steps(looks[kind], length)) is not None
        }
    return records


Records = dict[str, dict]


def measure(form: modelled_boots.Form, booter: Booter) -> tuple[Results, Records, Records]:
    """What was found of the rootfinder, all records of which times count, and those with traces."""
    short, long = modelled_boots.run(modelled_boots.of_lengths(), booter).values()
    length = modelled_results.length_of(short, long, modelled_boots.STEPS)
    records = looked_at(form, length, booter)
    for cells in (*modelled_boots.of_study(form, length), modelled_reasons.boots(form, length)):
        records |= modelled_boots.run(cells, booter)
    traces = modelled_boots.run(modelled_traces.boots(), booter)
    return modelled_results.of(records, length, form, traces), records, traces


def say(line: str) -> None:
    print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help="all numbers of processes, 50 roots of long evaluations, 15 utterances and more beams",
    )
    parser.add_argument(
        "--at-once", type=int, default=len(os.sched_getaffinity(0)), help="boots at once (default: cores)"
    )
    parser.add_argument(
        "--records", required=True, metavar="FOLDER", help="where every boot's record is kept"
    )
    parser.add_argument("--page", metavar="FOLDER", default="", help="gets the page with its pictures")
    parser.add_argument(
        "--compare", action="store_true", help="says where the documentation's tables are not this run's"
    )
    asked = parser.parse_args()
    form = modelled_boots.FULL if asked.full else modelled_boots.QUICK
    if asked.compare and asked.full:
        parser.error("--compare: the documentation's tables are of the quick form; leave --full out.")
    if asked.at_once < 1:
        print("modelled: --at-once is at least 1.", file=sys.stderr)
        return 2
    booter = Booter(os.path.join(asked.records, form.name), asked.at_once, say)
    try:
        if asked.page:
            packages.need("matplotlib", "jinja2")
        results, records, traces = measure(form, booter)
        return modelled_report.report(results, records, form, asked.page, traces, asked.compare)
    except BadRequest as problem:
        print(f"modelled: {problem}", file=sys.stderr)
        return 2
    except Failed as problem:
        print(f"modelled: boots failed: {problem}\nThe same command makes these again.", file=sys.stderr)
        return 1
    except OSError as problem:
        what = f"{problem.filename}: " if problem.filename else ""
        print(f"modelled: {what}{problem.strerror}; boots that ended are kept.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            f"modelled: interrupted; the boots that ended are kept in {booter.folder}, and the same command"
            " goes on with the others.",
            file=sys.stderr,
        )
        return 130


if __name__ == "__main__":
    sys.exit(closing.of(main))
