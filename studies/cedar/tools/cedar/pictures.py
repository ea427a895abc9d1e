# SPDX-License-Identifier: MIT
"""Figures 3 to 9 of the document, of the programs on the modelled Cedar, as a page: a bar for each program
and number of processors, made of what the time went into."""

from collections.abc import Mapping, Sequence

from cedar.modelled_runs import CLUSTERS, PROGRAMS
from cedar.modelled_statements import Told
from cedar.system_time import PROCESSORS, Steps
from parley_report import drawing, page
from parley_report.drawing import Chart
from parley_study.statements import Verdict

FOOT = "clock modelled: simulated time of the machine cedar"
SUBTITLE = (
    "Natarajan, Sharma and Iyer, Measurement-Based Characterization of Global Memory and Network Contention, "
    "Operating System and Parallelization Overheads (1994): five programs of those loop structures on the "
    "modelled machine. Of the document's own figures the text alone has survived."
)
COMMAND = "Measured by make paper STUDY=cedar CLOCK=modelled."
SYSTEM_PARTS = {"system": "system", "interrupt": "interrupts", "spin": "lock spin"}
# From a thread's activities, by the loop that they are of, to the words of figure 4.
USER_PARTS = {
    "serial code": ("serial",),
    "main cluster's own loops": tuple(
        f"one_cluster/{activity}" for activity in ("iterations", "set_up", "pick_up", "barrier")
    ),
    "s(x)doall iterations": (
        *("sdoall/iterations", "xdoall/iterations", "xdoall_within/iterations"),
        *("cdoall_within/iterations", "xdoall_within/barrier"),
    ),
    "handing out a CDOALL, and its barrier": tuple(
        f"cdoall_within/{activity}" for activity in ("set_up", "pick_up", "barrier")
    ),
    "loop set-up": ("sdoall/set_up", "xdoall/set_up", "xdoall_within/set_up"),
    "iteration pick-up": ("sdoall/pick_up", "xdoall/pick_up", "xdoall_within/pick_up"),
    "finish barrier": ("sdoall/barrier", "xdoall/barrier"),
    "wait for work": ("work_wait",),
}
FIGURES = {"FLO52": 5, "MDG": 6, "ARC2D": 7, "OCEAN": 8, "ADM": 9}
HATCHES = ("", "//", "\\\\", "..", "xx", "--", "++", "oo")


def bars(name: str, title: str, caption: str, parts: Mapping[str, Sequence[float]], labels: Sequence[str],
         what: str) -> Chart:  # fmt: skip
    """A bar for each label, made of the parts from below."""
    made, (axes,) = drawing.figure(3.6)
    below = [0.0] * len(labels)
    for place, (part, heights) in enumerate(parts.items()):
        colour = drawing.COLOURS[place % len(drawing.COLOURS)]
        look = {"color": colour, "hatch": HATCHES[place % len(HATCHES)], "edgecolor": "white"}
        axes.bar(range(len(labels)), heights, bottom=below, label=part, width=0.8, **look)
        below = [low + height for low, height in zip(below, heights)]
    axes.set_xticks(range(len(labels)), labels, fontsize=7.5)
    drawing.by_time(axes, [0.0, *below], what)
    drawing.legend(axes)
    names = [label.replace("\n", " ") for label in labels]
    words = "; ".join(
        f"{part}: " + ", ".join(f"{label} {height:.2f}" for label, height in zip(names, heights))
        for part, heights in parts.items()
    )
    drawn = drawing.pictures_of(made, title, FOOT)
    chart = Chart(drawing.file_name(name), title, caption, f"{title}; {words}", drawn)
    lines = [
        [page.Cell(label), *(page.Cell(f"{heights[at]:.2f}") for heights in parts.values())]
        for at, label in enumerate(names)
    ]
    chart.table = page.Table("The numbers", [what, *parts], lines)
    return chart


def of_system(steps: Steps) -> Chart:
    runs = [(f"{n}\n{name}" if n == 8 else str(n), steps[name][n]) for name in PROGRAMS for n in PROCESSORS]
    parts = {word: [run.share(what) for _, run in runs] for what, word in SYSTEM_PARTS.items()}
    caption = "Of the time steps alone; what is missing to 100 % is the program's own time. By processors."
    labels = [label for label, _ in runs]
    title, what = "Figure 3: completion time", "% of the main cluster's time"
    return bars("figure-3", title, caption, parts, labels, what)


def of_user(name: str, told: Mapping[int, Told]) -> Chart:
    tasks = [
        (f"{n}\n{'main' if at == 0 else f'helper {at}'}", told[n], at)
        for n, clusters in CLUSTERS.items()
        for at in range(clusters)
    ]
    parts = {
        word: [run.share(*names, cluster=at) for _, run, at in tasks] for word, names in USER_PARTS.items()
    }
    title = f"Figure {FIGURES[name]}: user time of {name}"
    caption = "Of each cluster's first thread, by processors; watched."
    labels = [label for label, _, _ in tasks]
    return bars(f"figure-{FIGURES[name]}", title, caption, parts, labels, "% of the completion time")


def verdict_table(verdicts: Sequence[Verdict], reasons: Mapping[str, str]) -> page.Part:
    lines = [
        [
            page.Cell(verdict.sentence),
            page.Cell("holds" if verdict.holds else "does not hold"),
            page.Cell("; ".join(f"{at}: {found}" for at, (so, found) in verdict.cells.items() if not so)),
            page.Cell(reasons.get(verdict.sentence, "")),
        ]
        for verdict in verdicts
    ]
    head = ["what the document says", "here", "where it does not", "why"]
    return page.Part("Statements", [], [page.Table("The table", head, lines, open=True, text=True)])


def write(folder: str, told: Mapping[str, Mapping[int, Told]], steps: Steps, verdicts: Sequence[Verdict],
          reasons: Mapping[str, str]) -> str:  # fmt: skip
    """The page's path; the pictures lie beside it."""
    made = page.Page(title="Cedar's parallel loops, modelled", subtitle=SUBTITLE)
    charts = [of_system(steps), *(of_user(name, told[name]) for name in FIGURES)]
    drawn = [page.Part(chart.title, [chart], [chart.table]) for chart in charts]
    made.sections = [
        page.Chapter("Where the time goes", COMMAND, "part-1", parts=drawn),
        page.Chapter("What the document says", COMMAND, "part-2", parts=[verdict_table(verdicts, reasons)]),
    ]
    return page.write(made, folder, "cedar.html")
