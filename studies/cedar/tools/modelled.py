#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Five programs of parallel loops on the modelled Cedar, beside what Natarajan, Sharma and Iyer print.

modelled.py --records FOLDER --out FOLDER
    boots them on 1 to 32 processors, and draws a page of it; status 1 if a statement of the document does not
    hold that docs/cedar.md does not list with a reason, or one holds that it lists, or the runs do not bear
    a reason out
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "..", "tools"))

from cedar import memory_time, modelled_tables, reasons, system_time  # noqa: E402
from cedar.document import read as read_document  # noqa: E402
from cedar.modelled_runs import CLUSTERS, PROGRAMS, Instrument, Run, all_of  # noqa: E402
from cedar.modelled_statements import (  # noqa: E402
    LAST,
    Told,
    Watched,
    of_grain,
    of_instruments,
    of_programs,
    of_repeated,
)
from parley_report import packages  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from parley_study.kept_runs import RunFailed  # noqa: E402
from parley_study.statements import judge, listed  # noqa: E402

DOCUMENT = os.path.join(HERE, "..", "docs", "cedar.md")
LENGTH = 400  # percent: iterations of some milliseconds
GRAINS = (5, 10, 25, 50, 100, 200, LENGTH, 2 * LENGTH)
# Time steps of the two runs whose difference is what the system takes of them, and their length.
STEPS, STEP_LENGTH = (1, 3), 100
UNWATCHED = (("FLO52", 8), ("FLO52", LAST))


def study(records: str, out: str) -> int:
    again = Run("FLO52", 16, LENGTH, which=1)
    grid = {(name, n): Run(name, n, LENGTH) for name in PROGRAMS for n in CLUSTERS}
    grains = {
        length: (Run("FLO52", LAST, length), Run("FLO52", LAST, length, flat=True)) for length in GRAINS
    }
    bare = {(name, n): Run(name, n, LENGTH, instrument=Instrument.NONE) for name, n in UNWATCHED}
    accounted = {
        (name, n, scale): Run(name, n, STEP_LENGTH, instrument=Instrument.Q, scale=scale)
        for name in PROGRAMS
        for n in system_time.PROCESSORS
        for scale in STEPS
    }
    runs = {*grid.values(), again, *bare.values(), *accounted.values()}
    runs |= {run for pair in grains.values() for run in pair}
    found = all_of(sorted(runs, key=lambda run: run.name), records)
    told = {run: Told(entry) for run, entry in found.items() if run.instrument is Instrument.LOOPS}
    by_program = {name: {n: told[grid[name, n]] for n in CLUSTERS} for name in PROGRAMS}
    sweep = {length: (told[nested], told[flat]) for length, (nested, flat) in grains.items()}

    def spent(name: str, processors: int, scale: int) -> system_time.SystemTime:
        return system_time.of_accounts(found[accounted[name, processors, scale]]["accounts"])

    short, long = STEPS
    whole = {name: {n: spent(name, n, short) for n in system_time.PROCESSORS} for name in PROGRAMS}
    steps = {
        name: {n: spent(name, n, long) - run for n, run in whole[name].items()} for name in PROGRAMS
    }

    def memory(name: str, processors: int, scale: int) -> memory_time.MemoryTime:
        return memory_time.of_processors(found[accounted[name, processors, scale]]["memory"])

    in_memory = {
        name: {n: memory(name, n, long) - memory(name, n, short) for n in system_time.PROCESSORS}
        for name in PROGRAMS
    }
    elapsed = {name: {n: run.main.elapsed for n, run in runs.items()} for name, runs in steps.items()}
    watched = {
        f"{name} on {n}": Watched(by_program[name][n], found[run]["took_ns"])
        for (name, n), run in bare.items()
    }
    for lines in (
        modelled_tables.of_programs(by_program),
        modelled_tables.of_system(steps, whole),
        memory_time.lines(in_memory, elapsed),
        modelled_tables.of_grain(sweep),
        [*modelled_tables.of_instruments(watched), ""],
    ):
        print("\n".join(lines))
    verdicts = [
        *of_programs(by_program),
        *system_time.statements(steps, whole, list(read_document().system)),
        *of_grain(sweep),
        *of_instruments(watched),
        of_repeated(told[grid["FLO52", 16]], told[again]),
    ]
    known = listed(DOCUMENT)
    status = judge([(verdicts, "")], known, reasons.asked(by_program, steps, sweep))
    # It needs the packages that main() has asked for.
    from cedar import pictures

    print(pictures.write(out, by_program, steps, verdicts, known))
    return status


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--records", required=True, help="folder that keeps what runs have told")
    parser.add_argument("--out", required=True, help="folder of the page with pictures")
    asked = parser.parse_args()
    try:
        packages.need("matplotlib", "jinja2")
        return study(asked.records, asked.out)
    except RunFailed as failed:
        print(f"modelled.py: {failed}", file=sys.stderr)
        return 1
    except BadRequest as problem:
        print(f"modelled.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(closing.of(main))
