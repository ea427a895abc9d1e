# SPDX-License-Identifier: MIT
"""The tables of the study of the modelled Cedar: what runs have told, with what the document prints in
brackets."""

from collections.abc import Mapping, Sequence

from cedar import document
from cedar.intervals import Interval
from cedar.modelled_runs import CLUSTERS, PROGRAMS
from cedar.modelled_statements import (
    LAST,
    MUCH,
    SOME,
    Sweep,
    Told,
    Watched,
    flat_reaches,
    nested_stays,
)
from cedar.system_time import ACTIVITIES, Steps
from parley_study.tables import table


def beside_text(cell: str, printed: Interval | None, digits: int = 2) -> str:
    """With the printed number in brackets."""
    middle = "-" if printed is None else f"{float(printed.low + printed.high) / 2:.{digits}f}"
    return f"{cell} ({middle})"


def beside(value: float, printed: Interval | None, digits: int = 2) -> str:
    return beside_text(f"{value:.{digits}f}", printed, digits)


def of_programs(told: Mapping[str, Mapping[int, Told]]) -> list[str]:
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


def of_grain(sweep: Sweep) -> list[str]:
    rows = []
    for length in sorted(sweep):
        nested, flat = sweep[length]
        inside = nested.share("cdoall_within/set_up", "cdoall_within/pick_up")
        rows.append(
            [f"{length} %", f"{nested.completion / 1e6:.1f}", f"{nested.sdoall():.2f}"]
            + [f"{nested.of_loops(nested.sdoall()):.2f}", f"{nested.of_loops(inside):.2f}"]
            + [f"{flat.completion / 1e6:.1f}", f"{flat.xdoall():.2f}", f"{flat.of_loops(flat.xdoall()):.2f}"]
        )
    head = ["length", "SDOALL/CDOALL, ms", "SDOALL, %", "of loops", "CDOALL, of loops", "XDOALL, ms"]
    title = f"FLO52 on {LAST}: what handing out takes of the main task's time, and of its time in loops"
    reached, stays = flat_reaches(sweep), nested_stays(sweep)
    return [
        *table(title, [*head, "XDOALL, %", "of loops"], rows),
        f"Flat comes to {MUCH:g} % of the loops' time "
        + ("nowhere" if reached is None else f"up to a length of {reached} %")
        + f", and between clusters it stays under {SOME:g} % "
        + ("nowhere." if stays is None else f"from {stays} % on."),
    ]


def of_instruments(watched: Mapping[str, Watched]) -> list[str]:
    rows = [
        [at, f"{run.unwatched / 1e6:.2f}", f"{run.told.run['took_ns'] / 1e6:.2f}", f"{run.cost:.2f}"]
        + [f"{run.told.run['note_ns'] / 1e3:.2f}", f"{run.told.completion / 1e6:.2f}", f"{run.left:+.2f}"]
        for at, run in watched.items()
    ]
    head = ["", "unwatched, ms", "watched, ms", "more, %", "an event, us", "told, ms", "beside unwatched, %"]
    return table("What the event monitor costs, and what is told with that taken out", head, rows)


def of_system(steps: Steps, whole: Steps) -> list[str]:
    """steps: of the time steps alone; whole: of a run from its start to its end."""
    rows = [
        [name if n == 1 else "", str(n), f"{run.main.elapsed / 1e6:.1f}"]
        + [f"{run.share(what):.2f}" for what in ("user", "system", "interrupt", "spin")]
        + [f"{whole[name][n].main.elapsed / 1e6:.1f}", f"{whole[name][n].overhead:.2f}"]
        for name in PROGRAMS
        for n, run in steps[name].items()
    ]
    head = ["program", "processors", "steps, ms", "user", "system", "interrupts", "lock spin"]
    title = "Figure 3: percent of the main cluster's time in the time steps; and what a whole run takes"
    return [
        *table(title, [*head, "whole run, ms", "system, interrupts, spin"], rows),
        *activities(steps, whole, document.read().system),
    ]


def activities(steps: Steps, whole: Steps, printed: Mapping[str, Sequence[document.Activity]]) -> list[str]:
    def both(program: str, *names: str) -> str:
        return f"{steps[program][LAST].spent(*names):.2f} {whole[program][LAST].spent(*names):.2f}"

    rows = []
    for place, (activity, names) in enumerate(ACTIVITIES.items()):
        row = [activity]
        for name in PROGRAMS:
            percent = printed[name][place].percent if name in printed else None
            row.append(beside_text(both(name, *names), percent) if names else "-")
        rows.append(row)
    for activity, name in (("(clock and devices)", "tick"), ("(waiting for locks)", "lock_wait")):
        rows.append([activity, *(both(program, name) for program in PROGRAMS)])
    title = f"Table 2 (printed): percent of {LAST} processors' time, in the time steps and in whole runs"
    return table(title, ["", *PROGRAMS], rows)
