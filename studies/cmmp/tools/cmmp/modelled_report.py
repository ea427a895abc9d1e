# SPDX-License-Identifier: MIT
"""What the study on the modelled C.mmp prints and draws of what was found."""

from cmmp import (
    documents,
    modelled_boots,
    modelled_harpy,
    modelled_page,
    modelled_results,
    modelled_verdicts,
)
from cmmp.modelled_results import Results
from parley_study.tables import Table

INPUTS = {
    "Inputs, which nothing here can confirm": (
        "Processors and banks of tools/machines/cmmp.toml; LOSSES=cmmp-1978: slices, allotments and requests"
        " (3.4.4), service routines (3.4.2), disks (1.1). How often the device is asked, every 50 ms, is"
        " printed nowhere.",
        "Lengths of evaluations: constant ones as asked, authentic ones with figure 4.2's mean and"
        " deviation.",
        "HARPY's grammar and utterances, which are synthetic, and how long its units of work are (5.4.0.2).",
    ),
    "Calibrated": ("The time between two references of a PDP-11/40 and of an 11/20 (tables 3.1 and 3.3).",),
    "Predicted: all below": (
        "What P, V, wake-ups and policy processes take is this kernel's own work on that machine.",
    ),
}


def cell(value: float | None, form: str = "{:.3g}") -> str:
    return "-" if value is None else form.format(value)


def table_4_2(results: Results, form: modelled_boots.Form) -> Table:
    rows = []
    for kind, printed in documents.THRESHOLDS.items():
        ours = modelled_results.threshold(results.shares[kind])
        ours = ours and ours / 1e6
        words = modelled_results.threshold(results.computing[kind])
        rows.append(
            [kind, cell(ours), cell(words and words / 1e6), cell(printed), cell(ours and ours / printed)]
        )
    notes = ["abstract: where half of the time is not computing, however long that was made"]
    head = ["kind", "modelled", "abstract", "printed", "ratio"]
    return Table(f"Table 4.2: thresholds of five processes, ms ({form.name} form)", head, rows, notes)


def looks(results: Results) -> Table:
    rows = [
        [kind, cell(length / 1e6), f"{100 * share:.0f}", f"{100 * computing:.0f}"]
        for kind, shares in results.shares.items()
        for (length, share), computing in zip(shares.items(), results.computing[kind].values())
    ]
    return Table(
        "Table 4.2: the boots around thresholds, percent of the time",
        ["kind", "length, ms", "not overhead", "computing"],
        rows,
    )


def figure_4_2(results: Results) -> Table:
    rows = [
        [str(n), *(
            f"{curve[n].mean:.2f}" if n in curve else "-" for curve in results.speedups.values()
        )]
        for n in sorted({n for curve in results.speedups.values() for n in curve})
    ]  # fmt: skip
    printed = "; ".join(f"{kind} {most:g} at {n}" for kind, (most, n) in documents.AUTHENTIC.items())
    return Table(
        "Figure 4.2: speed-up of authentic evaluations of 72 ms",
        ["processes", *results.speedups],
        rows,
        [f"printed: {printed}"],
    )


def stages(results: Results) -> Table:
    rows = [
        [name, f"{stage / 1e6:.1f}", f"{results.evaluations[name] / 1e6:.1f}"]
        for name, stage in results.stages.items()
    ]
    return Table("Every boot, ms", ["boot", "mean stage", "a process's median evaluation"], rows)


def tables(results: Results, form: modelled_boots.Form) -> list[Table]:
    return [
        table_4_2(results, form),
        looks(results),
        figure_4_2(results),
        stages(results),
    ]


def inputs() -> list[str]:
    return [
        line
        for title, sentences in INPUTS.items()
        for line in ("", title, *(f"  {one}" for one in sentences))
    ]


def report(
    results: Results,
    records: dict[str, dict],
    form: modelled_boots.Form,
    folder: str,
    traces: dict[str, dict] | None = None,
    compares: bool = False,
) -> int:
    """Prints everything, and draws it, and stages of the traces, where there is a folder; the exit status.
    `compares`: says where the documentation's tables are not of these results."""
    searches = modelled_harpy.of(records, form, results.costs["spin"].v)
    judged = modelled_verdicts.judge(results) + modelled_harpy.judge(searches)
    known = modelled_verdicts.reasons()
    told = [*tables(results, form), *modelled_harpy.tables(searches)]
    lines = [line for one in told for line in one.lines()]
    print("\n".join([*inputs(), *lines, *modelled_verdicts.lines(judged, known)]))
    if folder:
        from cmmp import modelled_figures

        pictures = modelled_figures.charts(results, form) + modelled_figures.trace_charts(traces or {})
        pictures += modelled_figures.harpy_charts(searches, form)
        path = modelled_figures.write(folder, pictures, judged, known, INPUTS, told)
        print(f"\n{path} and {len(pictures)} pictures (SVG) beside it")
    if compares:
        print("\n".join(modelled_page.compared(results, searches, judged)))
    return modelled_verdicts.status(judged, known)
