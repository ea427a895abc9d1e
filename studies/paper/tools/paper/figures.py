# SPDX-License-Identifier: MIT
"""The paper's figures from what `make paper` measured: ours filled and solid, the published numbers hollow
and dashed. Of curves that have not survived only ours are drawn, and the caption says so."""

import json
import os

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
LOST = "The paper's own curve has not survived; its statement has."
SUBTITLE = (
    "Islam and Campbell, Design Considerations for Shared Memory Multiprocessor Message Systems: an Encore "
    "Multimax 320 beside this system in an emulator. Filled and solid: ours. Hollow and dashed: published."
)
POINT = 16  # bytes
SLICE_MS = 10.0


def measured_of(entries: list[dict]) -> dict:
    return {
        (entry["nodes"], entry["design"]): {(name, size): value for name, size, value in entry["rows"]}
        for entry in entries
    }


def read(folder: str) -> dict[str, dict]:
    found = {}
    for name in FILES:
        path = os.path.join(folder, f"{name}.json")
        if not os.path.exists(path):
            continue
        try:
            found[name] = json.loads(places.read_bounded(path, path, 1 << 24))
        except (ValueError, RecursionError):
            raise BadRequest(f"{path} is no JSON; {FILES[name]} --data {folder} writes it again.") from None
    if not found:
        raise BadRequest(f"{folder} has no measurements; `make paper' makes them.")
    return found


def make(folder: str) -> page.Page:
    found = read(folder)
    made = page.Page(
        title="The paper's figures, and ours",
        subtitle=SUBTITLE,
    )
    missing = [f"{name} ({command})" for name, command in FILES.items() if name not in found]
    if missing:
        made.warnings.append(f"Not measured: {'; '.join(missing)}.")
    draw = {"orderings": messages, "breakdown": null_message, "fft": fft, "simplex": simplex, "gangs": gangs}
    for number, (name, data) in enumerate(found.items()):
        try:
            charts, sentences = draw[name](data)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, StopIteration):
            raise BadRequest(
                f"{os.path.join(folder, name)}.json is not whole; {FILES[name]} --data {folder} writes it "
                "again."
            ) from None
        part = page.Chapter(TITLES[name], f"Measured by {FILES[name]}.", f"part-{number + 1}", sentences)
        for chart in charts:
            part.parts.append(page.Part(chart.title, [chart], [chart.table] if chart.table else []))
        made.sections.append(part)
    return made


TITLES = {
    "orderings": "Messages by size under the designs",
    "breakdown": "A null message taken apart",
    "fft": "The FFT",
    "simplex": "The simplex method",
    "gangs": "Gangs",
}


# The figures


def messages(data: dict) -> tuple[list[Chart], list[str]]:
    ours = {
        design: {int(size): ns / 1000 for size, ns in curve.items()}
        for design, curve in data["curves"].items()
    }
    theirs = published.RING_US
    order = {name: place for place, name in enumerate(ours)}
    made, panels = drawing.figure(4.2, 2)
    for axes, curves, title, unit in (
        (panels[0], ours, "here, instruction-counted", "µs"),
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
    first = chart(made, "paper-messages.svg", "Round trips by size", caption, ours, theirs, COUNTED, "bytes")
    sentences = [
        f"{'Holds' if not problem else 'Does not hold here'}: {statement}"
        + (f": {problem}." if problem else ".")
        for statement, problem in data["statements"]
    ]
    return [first], sentences


def null_message(data: dict) -> tuple[list[Chart], list[str]]:
    bars = [("ours, instructions", [row["ours"] for row in data["activities"]]),
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
    caption = "Figure 16: where the time of a null message under exp6 goes, both ways."
    return [chart(made, "paper-16.svg", "Figure 16", caption, ours, theirs, COUNTED, "")], []


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


def speed_up(measured: dict, key: tuple) -> Curves:
    """At best: all processors share one clock, so time is work."""
    designs = {**published.TRANSFERS, "nx2": "NX/2"}
    return by_nodes(
        measured, designs, lambda rows, count, design: count * measured[1, design][key] / rows[key]
    )


RELATIVE = (
    "Our clock counts work on all processors together, so copies show there and caches do not: the paper's "
    "order from 4 nodes on comes from its caches."
)


def fft(data: dict) -> tuple[list[Chart], list[str]]:
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
                   theirs, "points", "bytes", sizes=True)
    ]  # fmt: skip
    key = ("fft time", 1024 * POINT)
    if any(design == "exp2" for _, design in measured):
        if all((1, design) in measured for design in (*published.TRANSFERS, "nx2")):
            charts.append(
                line_chart("paper-17.svg", "Figure 17: speed-up of the FFT at best", LOST,
                           speed_up(measured, key), {}, "nodes", "speed-up", zero=True)
            )  # fmt: skip
        charts.append(
            line_chart("paper-18.svg", "Figure 18: time of the FFT, 1024 points, pointer transfer = 1",
                       RELATIVE, *relative(measured, key, published.FFT_RELATIVE), "nodes",
                       "relative time")
        )  # fmt: skip
    most = max(nodes for nodes, _ in measured)
    names = {**published.TRANSFERS, "nx2": "NX/2"}
    shares = {
        names[design]: {size // POINT: value for (name, size), value in rows.items() if name == "share"}
        for (nodes, design), rows in measured.items()
        if nodes == most and design in names
    }
    title = f"Figure 19: percent of the time in the message system, {most} nodes"
    caption = f"Falls with the points. {LOST}"
    charts.append(
        line_chart("paper-19.svg", title, caption, shares, {}, "points", "percent", sizes=True, zero=True)
    )
    return charts, []


def simplex(data: dict) -> tuple[list[Chart], list[str]]:
    measured = measured_of(data["measured"])
    several = {nodes: rows for (nodes, design), rows in measured.items() if design == "exp6" and nodes > 1}
    total = {nodes: value_of(rows, "messages") for nodes, rows in several.items()}
    charts = [
        line_chart("paper-03.svg", "Figure 3: simplex messages", "The problems are not the same.",
                   {"messages": total}, {"messages": published.SIMPLEX_MESSAGES}, "nodes", "messages",
                   zero=True)
    ]  # fmt: skip
    small = sum(value_of(rows, "selection messages") for rows in several.values())
    large = sum(value_of(rows, "pivot messages") for rows in several.values())
    if small + large:
        pivot = next(size for rows in several.values() for name, size in rows if name == "pivot messages")
        charts.append(sizes_chart({128: 100 * small / (small + large), pivot: 100 * large / (small + large)},
                                  published.SIMPLEX_SIZES))  # fmt: skip
    key = ("simplex time", 0)
    if all((1, design) in measured for design in (*published.TRANSFERS, "nx2")):
        charts.append(
            line_chart("paper-20.svg", "Figure 20: speed-up of the simplex method at best", LOST,
                       speed_up(measured, key), {}, "nodes", "speed-up", zero=True)
        )  # fmt: skip
    charts.append(
        line_chart("paper-21.svg", "Figure 21: time of the simplex method, pointer transfer = 1", RELATIVE,
                   *relative(measured, key, published.SIMPLEX_RELATIVE), "nodes", "relative time")
    )  # fmt: skip
    designs = {**published.TRANSFERS, "nx2": "NX/2"}
    shares = by_nodes(measured, designs, lambda rows, *_: rows["share", 0])
    charts.append(
        line_chart("paper-22.svg", "Figure 22: percent of the time in the message system",
                   f"Rises with the nodes. {LOST}", shares, {}, "nodes", "percent", zero=True)
    )  # fmt: skip
    return charts, []


def value_of(rows: dict, name: str) -> float:
    return next(value for (each, _), value in rows.items() if each == name)


def sizes_chart(ours: dict, theirs: dict) -> Chart:
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
        made, "paper-04.svg", title, caption, {"percent": ours}, {"percent": theirs}, COUNTED, "bytes"
    )


def gangs(data: dict) -> tuple[list[Chart], list[str]]:
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
