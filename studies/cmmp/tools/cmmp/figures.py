# SPDX-License-Identifier: MIT
"""The study of C.mmp as a page: its figures and what was judged. Filled and solid: the simulated machine;
hollow and dashed: theory, or what the documents print."""

import statistics

from parley_report import page
from parley_report.charts import Curves, line_chart

SUBTITLE = (
    "Oleinick and Fuller, The Implementation and Evaluation of a Parallel Algorithm on C.mmp (1978): this "
    "system's semaphores and rootfinder on a simulated machine with a processor for each process, whose "
    "operations cost what the documents print. What is put in comes out again; what is to be seen is what "
    "follows from it."
)
FOOT = "clock simulated; profile cmmp-1978; 50 roots"
DRAWN = f"{FOOT}; seeds 1 to 10"


def means(runs: dict[int, list[float]], scale: float = 1.0) -> dict[float, float]:
    return {n: statistics.mean(values) / scale for n, values in runs.items()}


def charts(whole, study, documents, theory) -> list:
    made = [elapsed(whole, documents, theory), authentic(whole, study, documents)]
    for number, lengths, ending in (("4.3", "constant", "constant"), ("4.4", "exponential", "exponential")):
        ours = {kind: means(whole.speedups[kind, lengths]) for kind in ("spin", "kernel", "policy-0")}
        printed = documents.CONSTANT if lengths == "constant" else {}
        theirs: Curves = {kind: {n: speedup} for kind, (speedup, n) in printed.items()}
        made.append(
            line_chart(f"cmmp-{number.replace('.', '-')}.svg",
                       f"Figure {number}: speed-up, {ending} lengths of mean 375 ms",
                       "The printed maxima are of seven processes on fast processors." if theirs
                       else "No numbers are printed.", ours, theirs,
                       "processes", "speed-up", foot=DRAWN if lengths == "exponential" else FOOT, zero=True,
                       other="printed")
        )  # fmt: skip
    return [*made, useful(whole, study, theory), by_servers(whole)]


BANKS = "Banks are a model. "


def machine_charts(results, machine_study, documents) -> list:
    """What slowed C.mmp's processors down."""
    code = {name: machine_study.curve(answers) for name, answers in results.code.items()}
    printed = {name: {n: speedup} for name, (speedup, n) in documents.CODE.items()}
    mixed = {
        kind: machine_study.curve(answers)
        for (kind, machine), answers in results.speeds.items()
        if machine == "stealing"
    }
    same = {
        kind: machine_study.curve(answers)
        for (kind, machine), answers in results.speeds.items()
        if machine == "fast"
    }
    times = {
        "without": results.slices[1][0],
        "time slices": results.slices[1][1],
        "interrupts": results.interrupts[1][1],
    }
    shares = {name: shares_by_time(answer, machine_study.UNIT) for name, answer in times.items()}
    return [
        line_chart("cmmp-3-6.svg", "Figure 3.6: authentic speed-up by where code and data lie",
                   BANKS + "Printed are the best.", code, printed, "processes", "speed-up", foot=FOOT,
                   zero=True, other="printed"),
        line_chart("cmmp-3-9.svg", "Figure 3.9: time of an evaluation, one process",
                   "Percent of evaluations that take so long or longer.", shares, {}, "milliseconds",
                   "percent", foot=f"{FOOT}; normal lengths, seed 1"),
        line_chart("cmmp-4-2-slow.svg", "Figure 4.2's ninth processor: authentic speed-up",
                   "Eight fast processors and a slow one, beside nine fast ones.", mixed, same, "processes",
                   "speed-up", foot=FOOT, zero=True, other="9 fast"),
    ]  # fmt: skip


def shares_by_time(answer, unit: float) -> dict[float, float]:
    """Each tenth of a second's quarter -> percent of evaluations that take so long or longer."""
    times = answer["evaluations"][0]
    shares = {}
    for start in range(25, 275, 25):
        share = 100 * sum(time >= start * unit for time in times) / len(times)
        if share > 0:
            shares[start] = share
    return shares


def elapsed(whole, documents, theory):
    ours = {lengths: means(whole.elapsed["spin", lengths], 1e9) for lengths in theory.KINDS}
    unit = documents.LONG / 1000 * 50  # seconds of fifty roots in mean lengths
    theirs = {
        lengths: {n: unit * theory.runtime(lengths, n) for n in ours[lengths]} for lengths in theory.KINDS
    }
    return line_chart("cmmp-3-5.svg", "Figure 3.5: time to find 50 roots, spin lock",
                      "Theory is (3.5). There are no interrupts, time slices or banks here, "
                      "which the documents' program suffered from.", ours, theirs, "processes",
                      "seconds", foot=DRAWN, other="theory")  # fmt: skip


def authentic(whole, study, documents):
    ours = {kind: study.authentic_speedups(whole, kind) for kind in study.KINDS}
    theirs = {kind: {n: speedup} for kind, (speedup, n) in documents.AUTHENTIC.items()}
    return line_chart("cmmp-4-2.svg", "Figure 4.2: authentic speed-up, mean 72 ms, deviation 18 ms",
                      "Printed are the peaks.", ours, theirs, "processes", "speed-up", foot=FOOT,
                      zero=True, other="printed")  # fmt: skip


def useful(whole, study, theory):
    ideal = theory.speedup("constant", study.FIVE)
    lengths = list(whole.ranges["spin"])
    ours = dict(whole.ranges)
    theirs = {
        "no overhead": {length: ideal for length in lengths},
        "50 percent": {length: ideal / 2 for length in lengths},
    }
    return line_chart("cmmp-4-5.svg", "Figure 4.5: useful range of each kind, five processes",
                      "A threshold is where a curve crosses the line of 50 percent.", ours, theirs,
                      "milliseconds", "speed-up", foot=FOOT, sizes=True, other="theory")  # fmt: skip


def by_servers(whole):
    ours = {"found": {count: one.found / 1e6 for count, one in whole.servers.items()}}
    theirs = {"model": {count: one.predicted / 1e6 for count, one in whole.servers.items()}}
    return line_chart("cmmp-servers.svg", "Threshold of policy-1:0s by policy processes",
                      "Beyond the documents; the dashed line is the model.", ours, theirs, "policy processes",
                      "milliseconds", foot=FOOT, zero=True, other="model")  # fmt: skip


def write(folder: str, made: list, judged: list[tuple[str, list[str]]], tables: list[str]) -> str:
    """`judged`: a title and its sentences; `tables`: what was printed."""
    whole = page.Page(title="The study of C.mmp", subtitle=SUBTITLE)
    figures = page.Chapter("Figures", "Printed by `make paper STUDY=cmmp`.", "figures")
    for chart in made:
        figures.parts.append(page.Part(chart.title, [chart], [chart.table] if chart.table else []))
    whole.sections.append(figures)
    for place, (title, sentences) in enumerate(judged):
        whole.sections.append(page.Chapter(title, "Each with its evidence.", f"claims-{place}", sentences))
    lines = [[page.Cell(line)] for line in "\n".join(tables).split("\n") if line]
    whole.sections.append(
        page.Chapter("Tables", "As text.", "tables",
                     parts=[page.Part("Tables", tables=[page.Table("As printed", [""], lines, text=True)])])
    )  # fmt: skip
    return page.write(whole, folder, "cmmp.html")
