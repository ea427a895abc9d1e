# SPDX-License-Identifier: MIT
"""The study on the modelled C.mmp as a page: its figures beside what is printed, and every verdict. Filled
and solid: booted on the modelled machine; hollow and dashed: printed, or by the equations."""

from cmmp import documents, harpy_documents, modelled_harpy, modelled_traces, theory, traced_costs
from cmmp.modelled_boots import BRIEF, FIVE, HARPY_PROCESSES, HARPY_VERSIONS, MOST, SEVEN, Form
from cmmp.modelled_results import Results
from cmmp.modelled_verdict import Verdict
from parley_report import drawing, page
from parley_report.charts import line_chart
from parley_report.drawing import Chart
from parley_study.tables import Table

NAME = "cmmp-modelled.html"
OPEN = 30  # lines of a table that is shown without being asked for
SUBTITLE = (
    "Oleinick and Fuller, The Implementation and Evaluation of a Parallel Algorithm on C.mmp (1978): this "
    "system's kernel, semaphores, rootfinder and HARPY, booted on a modelled C.mmp with all sources of "
    "perturbation together. What P, V and wake-ups take is not put in: it is what the kernel's own "
    "instructions take there."
)


def foot(form: Form) -> str:
    return f"clock modelled; MACHINE=cmmp, LOSSES=cmmp-1978; 50 roots; the same on every run"


def charts(results: Results, form: Form) -> list[Chart]:
    printed = {kind: {n: most} for kind, (most, n) in documents.AUTHENTIC.items()}
    below = foot(form)
    processes = {"x": "processes", "y": "speed-up", "foot": below, "zero": True}
    one = {1: 1.0}
    code = {"banks of their own": one | {9: results.private.mean}, "one bank": results.shared}
    code_printed = {
        "banks of their own": {documents.CODE["private"][1]: documents.CODE["private"][0]},
        "one bank": {documents.CODE["shared"][1]: documents.CODE["shared"][0]},
    }
    lengths = {
        f"constant, {kind}": one | {SEVEN: speedup.mean, MOST: results.at_nine[kind].mean}
        for kind, speedup in results.constant.items()
    }
    lengths |= {
        f"{name}, spin, {BRIEF:g} ms": one | {SEVEN: speedup.mean}
        for name, speedup in results.drawn.speedups.items()
        if name != "constant"
    }
    lengths_printed = {
        f"constant, {kind}": {n: most, MOST: documents.AT_NINE[kind]}
        for kind, (most, n) in documents.CONSTANT.items()
    }
    return [
        useful(results, below),
        line_chart("cmmp-modelled-4-2.svg", "Figure 4.2: authentic speed-up, mean 72 ms, deviation 18 ms",
                   "Printed are the peaks. The ninth processor is a slow one.",
                   {kind: one | {n: speedup.mean for n, speedup in curve.items()}
                    for kind, curve in results.speedups.items()}, printed,
                   other="printed", **processes),
        line_chart("cmmp-modelled-4-3.svg", "Figure 4.3: speed-up, lengths of 375 ms and drawn ones of 37.5",
                   "One and seven processes on fast processors; two of nine have slow ones. Printed are the"
                   " maxima and what is said of nine, of constant lengths.",
                   lengths, lengths_printed, other="printed", **processes),
        line_chart("cmmp-modelled-3-6.svg", "Figure 3.6: authentic speed-up by where code and data lie",
                   "Printed are the best.", code, code_printed, other="printed", **processes),
    ]  # fmt: skip


def useful(results: Results, below: str) -> Chart:
    ideal = theory.speedup("constant", FIVE)
    ours = {
        kind: {length / 1e6: ideal * share for length, share in sorted(curve.items())}
        for kind, curve in results.shares.items()
    }
    lengths = sorted({length for curve in ours.values() for length in curve})
    theirs = {
        **{kind: {printed: ideal / 2} for kind, printed in documents.THRESHOLDS.items()},
        "50 percent": {length: ideal / 2 for length in (lengths[0], lengths[-1])},
    }
    return line_chart("cmmp-modelled-4-5.svg", "Figure 4.5: useful range of each kind, five processes",
                      "A threshold is where a curve crosses the line of 50 percent; hollow marks on it are"
                      " the printed thresholds of table 4.2.", ours, theirs, "milliseconds", "speed-up",
                      foot=below, sizes=True, other="printed")  # fmt: skip


def harpy_charts(found: modelled_harpy.Results, form: Form) -> list[Chart]:
    below = f"clock modelled; MACHINE=cmmp, LOSSES=cmmp-1978; {form.utterances} utterances"
    speed = {
        version: {n: modelled_harpy.speedup(found, version, n) for n in form.versions_at}
        for version in HARPY_VERSIONS
    }
    used = {
        version: {n: found.searches[version, n].utilization for n in form.versions_at}
        for version in HARPY_VERSIONS
    }
    printed = harpy_documents.FORWARD
    return [
        line_chart("cmmp-modelled-harpy.svg", "HARPY: speed-up of the forward step, on V1's one process",
                   "The grammar and the utterances are synthetic.", speed,
                   {version: {HARPY_PROCESSES: one.on_v1} for version, one in printed.items()},
                   "processes", "speed-up", foot=below, zero=True, other="printed"),
        line_chart("cmmp-modelled-harpy-busy.svg", "HARPY: utilization in the forward step",
                   "Time at work over processes times time from barrier to barrier.", used,
                   {version: {HARPY_PROCESSES: one.utilization} for version, one in printed.items()},
                   "processes", "percent", foot=below, zero=True, other="printed"),
    ]  # fmt: skip


def trace_charts(records: dict[str, dict]) -> list[Chart]:
    """Figures 3.7 and 3.8, of what there is."""
    if not records:
        return []
    nine = modelled_traces.stage_of(traced_costs.trace_of(records[modelled_traces.NINE]), MOST)
    five = modelled_traces.stage_of(traced_costs.trace_of(records[modelled_traces.POLICY]), FIVE)
    first, last = documents.FIRST_AND_LAST
    return [
        trace_chart(
            "cmmp-modelled-3-7.svg",
            f"Figure 3.7: a stage of {MOST} processes with interrupts, kernel semaphores",
            "The device's service routines are processor 0's. The program's process there is interrupted by"
            " them, and no other.",
            nine,
        ),
        trace_chart(
            "cmmp-modelled-3-8.svg",
            f"Figure 3.8: a stage of {FIVE} processes under policy-0",
            "S1 and S2 are the policy processes, which stop and start the others; they sleep while they wait"
            f" for a disk. {modelled_traces.wake_ups(five)} Printed are some {first} and {last}.",
            five,
            " DEVICE=none",
        ),
    ]


POLICY, SERVICE, PROGRAM = 3, 1, 0  # colours
LEAST_NAMED = 0.03  # of the stage: what is shorter has no room for a number


def trace_chart(name: str, title: str, caption: str, shown: modelled_traces.Stage, more: str = "") -> Chart:
    """A row a processor: a bar while a process has it, with the process's number, S1 and S2 for the policy
    processes; P and V above it, context switches across it, and service routines in it."""
    processors = shown.processors()
    rows = {processor: row for row, processor in enumerate(processors)}
    made, (axes,) = drawing.figure(1.2 + 0.42 * len(processors))
    length = (shown.end - shown.begin) / 1e6
    named = set()

    def when(at: float) -> float:
        return (at - shown.begin) / 1e6

    def bar(row: int, begin: float, end: float, word: str, **how) -> None:
        label = None if word in named else word
        axes.barh(row, when(end) - when(begin), left=when(begin), label=label, **how)
        named.add(word)

    for run in shown.runs:
        policy = run.process >= shown.processes
        word = "policy process" if policy else "process of the program"
        colour = drawing.COLOURS[POLICY if policy else PROGRAM]
        bar(rows[run.processor], run.begin, run.end, word, height=0.55, alpha=0.75, color=colour,
            hatch="///" if policy else None)  # fmt: skip
        if run.end - run.begin > LEAST_NAMED * (shown.end - shown.begin):
            number = f"S{run.process - shown.processes + 1}" if policy else str(run.process + 1)
            axes.text(when((run.begin + run.end) / 2), rows[run.processor], number, ha="center",
                      va="center", fontsize=7)  # fmt: skip
    for begin, end, processor in modelled_traces.services(shown):
        bar(rows[processor], begin, end, "service routine [ ]", height=0.25, color=drawing.COLOURS[SERVICE])
    for sign in shown.signs:
        row, x = rows[sign.processor], when(sign.at)
        if sign.symbol in ("P", "V"):
            axes.text(x, row + 0.34, sign.symbol, ha="center", va="bottom", fontsize=7)
        elif sign.symbol == "CSW":
            word = "context switch (CSW)"
            axes.plot([x, x], [row - 0.36, row + 0.36], color="black", linewidth=1.1,
                      label=None if word in named else word)  # fmt: skip
            named.add(word)
    axes.set_xlim(0, length)
    axes.set_ylim(-0.6, len(processors) - 0.2)
    axes.set_yticks(range(len(processors)), [str(processor) for processor in processors])
    axes.set_ylabel("processor")
    axes.set_xlabel("milliseconds from the first V of the stage")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.16), ncols=4, fontsize=7.5, frameon=False)
    rows_of_table = modelled_traces.lines(shown)
    alternative = f"{title}; {caption} " + "; ".join(
        f"{at} ms: {who} on processor {processor}: {symbol} {about}".rstrip()
        for at, processor, who, symbol, about in rows_of_table
    )
    words = f"MACHINE=cmmp LOSSES=cmmp-1978{more} TRACE="
    foot = f"clock modelled; {words}; a stage in the middle of the first root"
    chart = Chart(name, title, caption, alternative, drawing.pictures_of(made, title, foot))
    head = ["ms", "processor", "process", "symbol", "about"]
    lines = [[page.Cell(text) for text in line] for line in rows_of_table]
    chart.table = page.Table("What the trace says of it", head, lines, text=True)
    return chart


def sentences(made: list[Verdict], known: dict[str, str]) -> list[str]:
    told = []
    for one in made:
        word = "holds" if one.holds else "open" if one.is_open else "does not hold"
        cause = f" {one.cause.text[0].upper()}{one.cause.text[1:]}." if one.cause else ""
        why = f" Why not: {known[one.said]}" if one.said in known else ""
        told.append(f"{one.said}: {word}: {one.evidence} [{one.boots}].{cause}{why}")
    return told


def drawn(table: Table) -> page.Part:
    lines = [[page.Cell(cell) for cell in row] for row in table.rows]
    shown = page.Table("The table", list(table.head), lines, open=len(lines) <= OPEN)
    return page.Part(table.title, tables=[shown], sentences=list(table.notes))


def write(
    folder: str,
    pictures: list[Chart],
    made: list[Verdict],
    known: dict[str, str],
    inputs: dict[str, tuple[str, ...]],
    tables: list[Table],
) -> str:
    """`inputs`: sentences by what they are of."""
    whole = page.Page(title="C.mmp on the modelled machine", subtitle=SUBTITLE)
    holding = sum(one.holds for one in made)
    about = f"{holding} of {len(made)} hold. Each is read from the records of the boots that it names."
    whole.sections.append(page.Chapter("Verdicts", about, "verdicts", sentences(made, known)))
    figures = page.Chapter("Figures", "Printed by `make paper STUDY=cmmp`.", "figures")
    for chart in pictures:
        figures.parts.append(page.Part(chart.title, [chart], [chart.table] if chart.table else []))
    whole.sections.append(figures)
    put_in = [page.Part(title, sentences=list(own)) for title, own in inputs.items()]
    about = "What was put in, and what was not."
    whole.sections.append(page.Chapter("Inputs", about, "inputs", parts=put_in))
    parts = [drawn(table) for table in tables]
    whole.sections.append(page.Chapter("Tables", "As the command prints them.", "tables", parts=parts))
    return page.write(whole, folder, NAME)
