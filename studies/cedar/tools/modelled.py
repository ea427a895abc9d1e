#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Five programs of parallel loops on the modelled Cedar, beside what Natarajan, Sharma and Iyer print.

modelled.py --records FOLDER      boots them on 1 to 32 processors; status 1 if a statement of the document
                                  does not hold that docs/cedar.md does not list with a reason, or one holds
                                  that it lists
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "..", "tools"))

from cedar import document  # noqa: E402
from cedar.modelled_runs import CLUSTERS, PROGRAMS, Run, all_of  # noqa: E402
from cedar.modelled_statements import (  # noqa: E402
    LAST,
    Told,
    of_grain,
    of_instruments,
    of_programs,
    of_repeated,
)
from parley_runner import ending  # noqa: E402
from parley_study.kept_runs import RunFailed  # noqa: E402
from parley_study.statements import judge, listed  # noqa: E402
from parley_study.tables import table  # noqa: E402

DOCUMENT = os.path.join(HERE, "..", "docs", "cedar.md")
LENGTH = 400  # percent: iterations of some milliseconds
GRAINS = (50, 100, LENGTH)
UNWATCHED = ("FLO52",)


def beside(value: float, printed, digits: int = 2) -> str:
    """With the printed number in brackets."""
    middle = "-" if printed is None else f"{float(printed.low + printed.high) / 2:.{digits}f}"
    return f"{value:.{digits}f} ({middle})"


def tables(told: dict[str, dict[int, Told]]) -> list[str]:
    printed = document.read().programs
    many = [n for n in CLUSTERS if n > 1]
    head = ["program", "", "1 proc", *(f"{n} proc" for n in many)]
    speeds, shares, contention = [], [], []
    for name in PROGRAMS:
        one, runs = told[name][1], told[name]
        speeds += [
            [name, "ms", *(f"{runs[n].completion / 1e6:.1f}" for n in CLUSTERS)],
            ["", "speed-up", "-"]
            + [beside(one.completion / runs[n].completion, printed[name][n].speedup) for n in many],
            ["", "concurrency", "-"]
            + [beside(runs[n].concurrency, printed[name][n].concurrency) for n in many],
        ]
        contention += [
            [name, "actual, ms", *(f"{runs[n].loops / 1e6:.1f}" for n in CLUSTERS)],
            ["", "ideal, ms", "-", *(f"{runs[n].ideal(one) / 1e6:.1f}" for n in many)],
            ["", "contention, %", "-"]
            + [beside(runs[n].contention(one), printed[name][n].contention, 1) for n in many],
        ]
        for what, of in (
            ("serial", lambda run: run.share("serial")),
            ("XDOALLs handed out", lambda run: run.xdoall()),
            ("SDOALLs handed out", lambda run: run.sdoall()),
            ("finish barriers", lambda run: run.barrier()),
            ("helpers wait", lambda run: run.waiting(1) if len(run.leads()) > 1 else 0.0),
        ):
            shares.append(["" if what != "serial" else name, what, *(f"{of(runs[n]):.2f}" for n in CLUSTERS)])
    rows = [
        [f"{n} proc", "main" if at == 0 else f"helper {at}"]
        + [
            beside(told[name][n].loop_concurrency[at], printed[name][n].loop_concurrency[at])
            for name in PROGRAMS
        ]
        for n in many
        for at in range(CLUSTERS[n])
    ]
    return [
        *table("Table 1 (printed): completion times, speed-ups and average concurrency", head, speeds),
        *table("Table 3 (printed): average concurrency of parallel loops", ["", "", *PROGRAMS], rows),
        *table("Table 4 (printed): contention", head, contention),
        *table("Figures 5 to 9: percent of the completion time, of the main task and a helper", head, shares),
    ]


def grain_table(sweep: dict[int, tuple[Told, Told]]) -> list[str]:
    rows = []
    for length, (nested, flat) in sweep.items():
        inside = nested.share("cdoall_within/set_up", "cdoall_within/pick_up")
        rows.append(
            [f"{length} %", f"{nested.completion / 1e6:.1f}", f"{nested.sdoall():.2f}", f"{inside:.2f}"]
            + [f"{flat.completion / 1e6:.1f}", f"{flat.xdoall():.2f}"]
        )
    head = ["length", "SDOALL/CDOALL, ms", "SDOALL, %", "CDOALL, %", "XDOALL, ms", "XDOALL, %"]
    return table(f"FLO52 on {LAST}: what handing out takes of the main task's time", head, rows)


def study(records: str) -> int:
    again = Run("FLO52", 16, LENGTH, which=1)
    grid = {(name, n): Run(name, n, LENGTH) for name in PROGRAMS for n in CLUSTERS}
    grains = {
        length: (Run("FLO52", LAST, length), Run("FLO52", LAST, length, flat=True)) for length in GRAINS
    }
    bare = {Run(name, LAST, LENGTH): Run(name, LAST, LENGTH, watched=False) for name in UNWATCHED}
    runs = {*grid.values(), again, *bare.values(), *(run for pair in grains.values() for run in pair)}
    found = all_of(sorted(runs, key=lambda run: run.name), records)
    told = {run: Told(entry) for run, entry in found.items() if run.watched}
    by_program = {name: {n: told[grid[name, n]] for n in CLUSTERS} for name in PROGRAMS}
    sweep = {length: (told[nested], told[flat]) for length, (nested, flat) in grains.items()}
    print("\n".join([*tables(by_program), *grain_table(sweep), ""]))
    verdicts = [
        *of_programs(by_program),
        *of_grain(sweep),
        of_instruments(told, {run: found[other]["took_ns"] for run, other in bare.items()}),
        of_repeated(told[grid["FLO52", 16]], told[again]),
    ]
    return judge([(verdicts, "")], listed(DOCUMENT))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--records", required=True, help="folder that keeps what runs have told")
    asked = parser.parse_args()
    try:
        return study(asked.records)
    except RunFailed as failed:
        print(f"modelled.py: {failed}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(ending.of(main))
