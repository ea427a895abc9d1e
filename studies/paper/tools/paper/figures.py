# SPDX-License-Identifier: MIT
"""The paper's figures from what `make paper` measured: ours filled and solid, the published numbers hollow
and dashed. Of curves that have not survived only ours are drawn, and the caption says so."""

import json
import os

from dataclasses import dataclass

from paper import published
from parley_report import drawing, page
from parley_report.charts import COUNTED, Curves, both, chart, line_chart
from parley_report.drawing import Chart
from parley_runner import places
from parley_runner.status import BadRequest

# A file of measurements each: which command writes it.
FILES = {
    "orderings": "tools/bench.py counted",
    "breakdown": "studies/paper/tools/where_time_goes.py",
    "fft": "studies/paper/tools/applications.py fft",
    "simplex": "studies/paper/tools/applications.py simplex",
    "gangs": "studies/paper/tools/gangs.py",
}
MODELLED_FILES = dict.fromkeys(
    (
        *("setting", "verdicts", "numbers", "access", "base", "breakdown", "fft", "simplex", "gangs"),
        "recommendations",
    ),
    "studies/paper/tools/modelled.py",
)
LOST = "The paper's own curve has not survived; its statement has."
SUBTITLE = (
    "Islam and Campbell, Design Considerations for Shared Memory Multiprocessor Message Systems: an Encore "
    "Multimax 320 beside this system {where}. Filled and solid: ours. Hollow and dashed: published."
)
POINT = 16  # bytes
SLICE_MS = 10.0


@dataclass(frozen=True)
class Setting:
    """What the measurements are of."""

    foot: str = COUNTED
    simulated: bool = False  # a machine whose processors run at once, rather than counted instructions
    here: str = "here, instruction-counted"


def setting_of(found: dict[str, dict]) -> Setting:
    if "setting" not in found:
        return Setting()
    machine, form = found["setting"]["machine"], found["setting"]["form"]
    foot = f"clock modelled: simulated time of the machine {machine}; {form} form"
    return Setting(foot, True, f"here, on the modelled {machine}")


def measured_of(entries: list[dict]) -> dict:
    return {
        (entry["nodes"], entry["design"]): {(name, size): value for name, size, value in entry["rows"]}
        for entry in entries
    }


def files_of(folder: str) -> dict[str, str]:
    modelled = os.path.exists(os.path.join(folder, "setting.json"))
    return MODELLED_FILES if modelled else FILES


def read(folder: str) -> dict[str, dict]:
    found = {}
    files = files_of(folder)
    for name in files:
        path = os.path.join(folder, f"{name}.json")
        if not os.path.exists(path):
            continue
        try:
            found[name] = json.loads(places.read_bounded(path, path, 1 << 24))
        except (ValueError, RecursionError):
            raise BadRequest(f"{path} is no JSON; {files[name]} --data {folder} writes it again.") from None
    if not found:
        raise BadRequest(f"{folder} has no measurements; `make paper' makes them.")
    return found


def make(folder: str) -> page.Page:
    found = read(folder)
    made = page.Page(
        title="The paper's figures, and ours",
        subtitle=SUBTITLE.format(
            where="on a modelled one" if "setting" in found else "in an emulator"
        ),
    )
    files = files_of(folder)
    missing = [f"{name} ({command})" for name, command in files.items() if name not in found]
    if missing:
        made.warnings.append(f"Not measured: {'; '.join(missing)}.")
    name, not_whole = "setting", (KeyError, TypeError, ValueError, IndexError, AttributeError, StopIteration)
    try:
        setting = setting_of(found)
        for number, (name, data) in enumerate(found.items()):
            if name == "setting":
                continue
            chapter = page.Chapter(TITLES[name], f"Measured by {files[name]}.", f"part-{number + 1}")
            if name in TABLES:
                chapter.parts = TABLES[name](data)
            else:
                charts, chapter.sentences = DRAW[name](data, setting)
                if name == "base":
                    chapter.parts.append(costs(data))
                for chart in charts:
                    tables = [chart.table] if chart.table else []
                    chapter.parts.append(page.Part(chart.title, [chart], tables))
            made.sections.append(chapter)
    except not_whole:
        path = os.path.join(folder, name)
        raise BadRequest(
            f"{path}.json is not whole; {files[name]} --data {folder} writes it again."
        ) from None
    return made


TITLES = {
    "orderings": "Messages by size under the designs",
    "breakdown": "A null message taken apart",
    "fft": "The FFT",
    "simplex": "The simplex method",
    "gangs": "Gangs",
    "verdicts": "The paper's orderings",
    "numbers": "The paper's printed numbers",
    "access": "Round trips by size and access",
    "base": "Base costs",
    "recommendations": "The conclusion's recommendations",
}


# Tables of words


def words(title: str, head: list[str], lines: list[list[page.Cell]]) -> page.Part:
    return page.Part(title, [], [page.Table("The table", head, lines, open=True, text=True)])


def verdicts(data: dict) -> list[page.Part]:
    lines = []
    for said, is_open, why_not, evidence, measured, reason in data["statements"]:
        word = page.Cell("open: too few samples") if is_open else page.Cell(*WORD_OF[not why_not])
        why = f"{why_not}: {evidence}" if why_not else evidence
        long = f"{why}."
        if measured:
            long += f" Measured: {measured}."
        if reason:
            long += f" {reason}"
        lines.append([page.Cell(said, "long"), word, page.Cell(long, "long")])
    holding = sum(not is_open and not why_not for _, is_open, why_not, *_ in data["statements"])
    title = f"{holding} of {len(lines)} hold"
    return [words(title, ["the paper", "here", "evidence, from this run"], lines)]


def costs(data: dict) -> page.Part:
    lines = [
        [page.Cell(name), page.Cell(drawing.number(ours)), page.Cell(drawing.number(printed)),
         page.Cell(f"{ours / printed:.2f}"), page.Cell("an input: calibrated" if calibrated else "predicted")]
        for name, ours, printed, calibrated in data["costs"]
    ]  # fmt: skip
    return words("What the text prints, in µs", ["", "here", "paper", "ratio", ""], lines)


def recommended(data: dict) -> list[page.Part]:
    parts = []
    for machine, examined in data["machines"].items():
        lines = []
        for number, advice, holds, evidence in examined:
            word, kind = ("no number tells", "") if holds is None else WORD_OF[holds]
            lines.append([page.Cell(f"{number}. {advice}", "long"), page.Cell(word, kind),
                          page.Cell(evidence, "long")])  # fmt: skip
        parts.append(words(f"On {machine}", ["the paper", "here", "evidence, from this run"], lines))
    return parts


WORD_OF = {True: ("holds", "faster"), False: ("does not hold", "slower")}
TABLES = {"verdicts": verdicts, "numbers": verdicts, "recommendations": recommended}


# The figures


def messages(data: dict, setting: Setting) -> tuple[list[Chart], list[str]]:
    ours = {
        design: {int(size): ns / 1000 for size, ns in curve.items()}
        for design, curve in data["curves"].items()
    }
    theirs = published.RING_US
    order = {name: place for place, name in enumerate(ours)}
    made, panels = drawing.figure(4.2, 2)
    for axes, curves, title, unit in (
        (panels[0], ours, setting.here, "µs"),
        (panels[1], theirs, "what the text prints of the Multimax", "µs"),
    ):
        solid = curves is ours
        values = both(axes, curves if solid else {}, {} if solid else curves, order)
        drawing.by_size(axes, sorted({x for curve in curves.values() for x in curve}), "bytes")
        drawing.by_time(axes, values, f"round trip, {unit}")
        axes.set_title(title, fontweight="normal")
    drawing.legend(panels[0])
    drawing.legend(panels[1])
    caption = (
        "Of the paper's curves (figures 5 to 15) the text gives these points; its orderings are judged above."
    )
    title = "Round trips by size"
    first = chart(made, "paper-messages.svg", title, caption, ours, theirs, setting.foot, "bytes",
                  "µs, counted", other_unit="µs")  # fmt: skip
    sentences = [
        f"{'Holds' if not problem else 'Does not hold here'}: {statement}"
        + (f": {problem}." if problem else ".")
        for statement, problem in data["statements"]
    ]
    return [first], sentences


def null_message(data: dict, setting: Setting) -> tuple[list[Chart], list[str]]:
    unit = "microseconds" if setting.simulated else "instructions"
    bars = [(f"ours, {unit}", [row["ours"] for row in data["activities"]]),
            ("paper, microseconds", [row["paper"] for row in data["activities"]])]  # fmt: skip
    names = [row["activity"] for row in data["activities"]]
    made, (axes,) = drawing.figure(2.4)
    ours, theirs = {}, {}
    for y, (who, values) in enumerate(bars):
        left, total = 0.0, sum(values)
        for place, (name, value) in enumerate(zip(names, values)):
            width = 100 * value / total
            axes.barh(
                y, width, left=left, height=0.6, color=drawing.COLOURS[place], edgecolor="white",
                hatch=("", "//", "..", "xx")[place % 4], label=name if y == 0 else None,
            )  # fmt: skip
            if width > 4:
                axes.text(
                    left + width / 2, y, f"{width:.0f} %", ha="center", va="center", fontsize=8,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85},
                )  # fmt: skip
            left += width
            (ours if y == 0 else theirs).setdefault(name, {})[1] = value
    axes.set_yticks(range(2), [f"{who}: {sum(values):.0f}" for who, values in bars])
    axes.set_ylim(1.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("percent of the round trip of a null message")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.01), ncols=4, borderaxespad=0, fontsize=8.5)
    caption = "Where the time of a null message under exp6 goes, both ways."
    if setting.simulated:
        caption += " What a proxy call and a virtual call take is calibrated, their number is not."
    other = "" if setting.simulated else "microseconds"
    return [chart(made, "paper-16.svg", "Figure 16", caption, ours, theirs, setting.foot, "", unit,
                  other_unit=other)], []  # fmt: skip


def by_nodes(measured: dict, designs: dict[str, str], value) -> Curves:
    """name of a design's transfer -> nodes -> value(rows, nodes, design)"""
    nodes = sorted({count for count, _ in measured})
    return {
        name: {
            count: value(measured[count, design], count, design)
            for count in nodes
            if (count, design) in measured
        }
        for design, name in designs.items()
    }


def relative(measured: dict, key: tuple, published_relative: dict) -> tuple[Curves, Curves]:
    """Times with pointer transfer at 1."""
    ours = by_nodes(
        measured, published.TRANSFERS, lambda rows, count, _: rows[key] / measured[count, "exp2"][key]
    )
    names = list(published.TRANSFERS.values())
    theirs = {
        name: {count: values[place] for count, values in published_relative.items()}
        for place, name in enumerate(names)
    }
    return ours, theirs


def speed_up(measured: dict, key: tuple, setting: Setting) -> Curves:
    """Where all processors share one clock time is work, and this the speed-up at best."""

    def of(rows: dict, count: int, design: str) -> float:
        return (1 if setting.simulated else count) * measured[1, design][key] / rows[key]

    return by_nodes(measured, designs_in(measured), of)


def designs_in(measured: dict) -> dict[str, str]:
    names = {**published.TRANSFERS, "nx2": "NX/2"}
    return {design: name for design, name in names.items() if any(design == found for _, found in measured)}


SIMULATED = "Hollow: the paper's figure. What differs has its reasons in docs/machine-model.md."
RELATIVE = (
    "Our clock counts work on all processors together, so copies show there and caches do not: the paper's "
    "order from 4 nodes on comes from its caches."
)


def speed_up_chart(number: int, program: str, measured, key, setting):
    return line_chart(
        f"paper-{number}.svg",
        f"Figure {number}: speed-up of {program}{at_best(setting)}",
        LOST,
        speed_up(measured, key, setting),
        {},
        "nodes",
        "speed-up",
        foot=setting.foot,
        zero=True,
    )


def relative_chart(number: int, program: str, measured, key, printed, setting):
    return line_chart(
        f"paper-{number}.svg",
        f"Figure {number}: time of {program}, pointer transfer = 1",
        SIMULATED if setting.simulated else RELATIVE,
        *relative(measured, key, printed),
        "nodes",
        "relative time",
        foot=setting.foot,
    )


def fft(data: dict, setting: Setting) -> tuple[list[Chart], list[str]]:
    measured = measured_of(data["measured"])
    ours: Curves = {}
    for (nodes, design), rows in measured.items():
        if design == "exp6" and nodes > 1:
            ours[f"{nodes} nodes"] = {
                size // POINT: rows["bytes sent", size] / rows["messages", size]
                for name, size in rows
                if name == "messages"
            }
    theirs = {f"{nodes} nodes": sizes for nodes, sizes in published.FFT_MESSAGE_BYTES.items()}
    charts = [
        line_chart("paper-02.svg", "Figure 2: FFT messages", "Bytes of a message by points and nodes.", ours,
                   theirs, "points", "bytes", foot=setting.foot, sizes=True)
    ]  # fmt: skip
    key = ("fft time", 1024 * POINT)
    if any(design == "exp2" for _, design in measured):
        if all((1, design) in measured for design in designs_in(measured)):
            charts.append(speed_up_chart(17, "the FFT", measured, key, setting))
        charts.append(
            relative_chart(18, "the FFT, 1024 points", measured, key, published.FFT_RELATIVE, setting)
        )
    most = 4 if setting.simulated else max(nodes for nodes, _ in measured)  # the paper has it for 4
    names = designs_in(measured)
    shares = {
        names[design]: {size // POINT: value for (name, size), value in rows.items() if name == "share"}
        for (nodes, design), rows in measured.items()
        if nodes == most and design in names
    }
    title = f"Figure 19: percent of the time in the message system, {most} nodes"
    caption = f"Falls with the points. {LOST}"
    charts.append(
        line_chart("paper-19.svg", title, caption, shares, {}, "points", "percent", foot=setting.foot,
                   sizes=True, zero=True)
    )
    return charts, []


def at_best(setting: Setting) -> str:
    return "" if setting.simulated else " at best"


def simplex(data: dict, setting: Setting) -> tuple[list[Chart], list[str]]:
    measured = measured_of(data["measured"])
    several = {nodes: rows for (nodes, design), rows in measured.items() if design == "exp6" and nodes > 1}
    title, caption = "Figure 3: simplex messages", "The problems are not the same."
    total = {nodes: value_of(rows, "messages") for nodes, rows in several.items()}
    theirs = published.SIMPLEX_MESSAGES
    if setting.simulated:  # of a problem that is not solved to its end
        title, caption = f"{title} of a step", "Hollow: the printed number for the whole steps next to it."
        total = {nodes: count / value_of(several[nodes], "pivots") for nodes, count in total.items()}
        theirs = {nodes: count / round(count / (nodes + 1)) for nodes, count in theirs.items()}
    charts = [
        line_chart("paper-03.svg", title, caption, {"messages": total}, {"messages": theirs}, "nodes",
                   "messages", foot=setting.foot, zero=True)
    ]  # fmt: skip
    small = sum(value_of(rows, "selection messages") for rows in several.values())
    large = sum(value_of(rows, "pivot messages") for rows in several.values())
    if small + large:
        pivot = next(size for rows in several.values() for name, size in rows if name == "pivot messages")
        charts.append(sizes_chart({128: 100 * small / (small + large), pivot: 100 * large / (small + large)},
                                  published.SIMPLEX_SIZES, setting))  # fmt: skip
    key = ("simplex time", 0)
    if all((1, design) in measured for design in designs_in(measured)):
        charts.append(speed_up_chart(20, "the simplex method", measured, key, setting))
    charts.append(
        relative_chart(21, "the simplex method", measured, key, published.SIMPLEX_RELATIVE, setting)
    )
    shares = by_nodes(measured, designs_in(measured), lambda rows, *_: rows["share", 0])
    charts.append(
        line_chart("paper-22.svg", "Figure 22: percent of the time in the message system",
                   f"Rises with the nodes. {LOST}", shares, {}, "nodes", "percent", foot=setting.foot,
                   zero=True)
    )  # fmt: skip
    return charts, []


def value_of(rows: dict, name: str) -> float:
    return next(value for (each, _), value in rows.items() if each == name)


def sizes_chart(ours: dict, theirs: dict, setting: Setting) -> Chart:
    made, (axes,) = drawing.figure(2.6)
    for y, (who, values, hollow) in enumerate((("ours", ours, False), ("paper", theirs, True))):
        for place, (size, percent) in enumerate(values.items()):
            face = "white" if hollow else drawing.COLOURS[place]
            axes.barh(
                y + 0.24 * (place - 1), percent, height=0.2, color=face, edgecolor=drawing.COLOURS[place],
            )  # fmt: skip
            axes.text(
                percent + 0.8,
                y + 0.24 * (place - 1),
                f"{size} bytes: {percent:.4g} %",
                va="center",
                fontsize=8,
            )
    axes.set_yticks([0, 1], ["ours", "paper"])
    axes.set_ylim(1.5, -0.5)
    axes.set_xlim(0, 112)
    axes.set_xlabel("percent of all messages")
    title = "Figure 4: sizes of simplex messages"
    caption = "Over 2 to 8 nodes."
    return chart(
        made, "paper-04.svg", title, caption, {"messages": ours}, {"messages": theirs}, setting.foot,
        "bytes", "percent of all messages",
    )  # fmt: skip


def gangs(data: dict, setting: Setting) -> tuple[list[Chart], list[str]]:
    if setting.simulated:
        return simulated_gangs(data, setting), []
    rows = {(name, size): value for name, size, value in data["counted"]}
    flooded = {(name, size): value for name, size, value in data["free"]}
    ours, theirs = {}, {}
    for place, name in enumerate(data["stations"]):
        members = sorted(size for each, size in rows if each == name)
        ours[name] = {count: rows[name, count] / rows[name, 2] for count in members}
        theirs[name] = {
            count: values[place] / published.GANG_MS[2][place] for count, values in published.GANG_MS.items()
        }
    charts = [
        line_chart("paper-23.svg", "Figure 23: a gang on an idle machine", "As multiples of the gang of two.",
                   ours, theirs, "members", "times the gang of two", zero=True)
    ]  # fmt: skip
    processors = data["processors"]
    collected = {size: value / 1e6 for (name, size), value in flooded.items() if name == "collect, flooded"}
    model = {count: SLICE_MS * (count - 1) / (2 * (processors - 1)) for count in collected}
    slices = {count: SLICE_MS * (count - 1) / (processors + 1) for count in collected}
    if collected:
        charts.append(
            line_chart("paper-24.svg", f"Figure 24: collecting from {processors} flooded processors",
                       "Hollow: the model Collect(TS,N,p), which takes processes to give way at random; our "
                       "load computes for whole slices.",
                       {"measured": collected, "whole slices": slices}, {"Collect(TS,N,p)": model},
                       "members", "ms", foot="clock free: depends on the host; the model does not", zero=True)
        )  # fmt: skip
    return charts, []


def simulated_gangs(data: dict, setting: Setting) -> list[Chart]:
    rows = {(name, size): value / 1e6 for name, size, value in data["counted"]}
    ours, theirs = {}, {}
    for place, name in enumerate(data["stations"]):
        ours[name] = {size: value for (each, size), value in rows.items() if each == name}
        theirs[name] = {count: values[place] for count, values in published.GANG_MS.items()}
    processors = data["processors"]
    collected = {size: value for (name, size), value in rows.items() if name == "mean collect, flooded"}
    model = {count: SLICE_MS * (count - 1) / (2 * (processors - 1)) for count in collected}
    title = f"Figure 24: collecting from {processors} processors whose load gives way at random"
    return [
        line_chart("paper-23.svg", "Figure 23: a gang on an idle machine", SIMULATED, ours, theirs, "members",
                   "ms", foot=setting.foot),
        line_chart("paper-24.svg", title, "Hollow: the paper's model Collect(TS,N,p).",
                   {"collect": collected}, {"collect": model}, "members", "ms", foot=setting.foot, zero=True,
                   other="Collect(TS,N,p)"),
    ]  # fmt: skip


def by_access(data: dict, setting: Setting) -> tuple[list[Chart], list[str]]:
    def curves_of(access: str) -> Curves:
        return {
            design: {int(size): time for size, time in curve.items()}
            for design, curve in data["ring"][access].items()
        }

    none = curves_of("none")
    touched = {
        f"{design} {access}": curve
        for access in ("none", "read", "write")
        for design, curve in curves_of(access).items()
        if design in published.TRANSFERS
    }
    printed = {
        "exp2 none": published.RING_US["exp2"],
        "exp6 none": published.RING_US["exp6"],
        "exp2 read": {4096: published.RING_OTHERS_US["exp2, read access, 4096 bytes"]},
        "exp6 write": {4096: published.RING_OTHERS_US["exp6, write access, 4096 bytes"]},
    }
    cube = {f"exp6 {access}": sizes for access, sizes in published.HYPERCUBE_US.items()}
    text = "Of the paper's curves the text prints these points."
    beside = "Hollow: what the text prints of the hypercube, another machine; no verdict."
    foot = setting.foot
    return [
        line_chart("paper-06.svg", "Figure 6: round trips by size", text, none, published.RING_US, "bytes",
                   "µs", foot=foot, sizes=True),
        line_chart("paper-07.svg", "Figure 7: exp6 beside the hypercube", beside, {"exp6": none["exp6"]},
                   {"exp6": published.HYPERCUBE_US["none"]}, "bytes", "µs", foot=foot, sizes=True,
                   other="hypercube"),
        line_chart("paper-12.svg", "Figure 12: round trips whose messages are accessed", text, touched,
                   printed, "bytes", "µs", foot=foot, sizes=True),
        line_chart("paper-13.svg", "Figure 13: the hypercube with access", beside,
                   {name: touched[name] for name in cube}, cube, "bytes", "µs", foot=foot, sizes=True,
                   other="hypercube"),
    ], []  # fmt: skip


def base_costs(data: dict, setting: Setting) -> tuple[list[Chart], list[str]]:
    loops = {
        name: {int(size): time for size, time in curve.items()} for name, curve in data["buffers"].items()
    }
    printed = {name: {4096: published.BASE_US[name]} for name in loops}
    charts = [
        line_chart("paper-09.svg", "Figure 9: reading, writing and copying a buffer",
                   "Reading and writing 4096 bytes are what the machine is calibrated on; copying is not.",
                   loops, printed, "bytes", "µs", foot=setting.foot, sizes=True)
    ]  # fmt: skip
    return [*charts, strings_chart(data["operations"], setting)], []


def strings_chart(ours: dict[str, dict[str, float]], setting: Setting) -> Chart:
    """Counts of operations: bars beside each other, the paper's hollow."""
    made, (axes,) = drawing.figure(3.0)
    names = [f"{design}: {what}" for design, strings in ours.items() for what in strings]
    counted = {place: ours[name.split(": ")[0]][name.split(": ")[1]] for place, name in enumerate(names)}
    stated = {
        place: published.OPERATIONS[name.split(": ")[0]][name.split(": ")[1]]
        for place, name in enumerate(names)
    }
    for offset, values, face in ((-0.2, counted, drawing.COLOURS[0]), (0.2, stated, "white")):
        axes.barh([place + offset for place in values], list(values.values()), height=0.36, color=face,
                  edgecolor=drawing.COLOURS[0])  # fmt: skip
        for place, value in values.items():
            axes.text(value + 0.05, place + offset, f"{value:.3g}", va="center", fontsize=8)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel("for each word of a message, there and back")
    caption = "Filled: counted by the model, in a message of 4096 bytes. Hollow: the paper's strings (5.1.1)."
    title = "Figure 10: cache and memory operations"
    by_name = ({name: {1: values[place] for place in (names.index(name),)} for name in names}
               for values in (counted, stated))  # fmt: skip
    return chart(made, "paper-10.svg", title, caption, *by_name, setting.foot, "", "for each word")


DRAW = {
    "orderings": messages,
    "breakdown": null_message,
    "fft": fft,
    "simplex": simplex,
    "gangs": gangs,
    "access": by_access,
    "base": base_costs,
}
