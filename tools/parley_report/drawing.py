# SPDX-License-Identifier: MIT
"""Pictures (SVG) with matplotlib: Okabe and Ito's colours, which colour-blind people tell apart, and a marker
of its own for each line, so that nothing depends on colour alone."""

import io
import math
import re
import statistics
import textwrap
from dataclasses import dataclass

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, LogLocator, NullFormatter, NullLocator

from .measurements import TIMES, Group, Row, Section, System
from .verdicts import UNTOLD, Verdict

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
LINES = ("-", "--", ":")
GREY, PALE = "#555555", "#dddddd"
WIDTH = 9.0  # inches
NARROW = 4.4  # inches, where a screen is too narrow for that: its letters are as large there
LEGEND_LINE = 15.0  # points, of a legend above its panel
LONG_LABEL = 26  # letters, of which two have no room beside each other where it is narrow
FOOT_LETTERS = 72  # of a line where it is narrow
PANELS = 0.72  # of the width that pictures beside each other have for their axes, without names and legend
A_LETTER = 6.0  # points, of a mark's label
DOTS = 30  # measurements in a picture of single values
STYLE = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "text.parse_math": False,  # a program may put dollars in a name
    "svg.fonttype": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.labelcolor": "#222222",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "xtick.color": GREY,
    "ytick.color": GREY,
    "legend.frameon": False,
    "figure.facecolor": "white",
}
matplotlib.rcParams.update(STYLE)


@dataclass
class Pictures:
    """One figure twice."""

    wide: str
    narrow: str


@dataclass
class Chart:
    name: str  # of the file
    title: str
    caption: str
    alternative: str  # what somebody reads who cannot see it
    pictures: Pictures
    table: object = None  # the numbers, where the page puts them under the picture


def file_name(*words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-")[:80] + ".svg"


def figure(height: float, columns: int = 1):
    made = Figure(figsize=(WIDTH, height), layout="constrained")
    return made, made.subplots(1, columns, squeeze=False)[0]


def pictures_of(made: Figure, name: str, foot: str) -> Pictures:
    """foot: what the numbers are of, so that a picture can stand alone. The figure is narrow afterwards."""
    line = made.supxlabel(foot, fontsize=7.5, color=GREY, x=0.01, ha="left")
    wide = svg_of(made, name)
    line.set_text(textwrap.fill(foot, FOOT_LETTERS))
    make_narrow(made)
    return Pictures(wide, svg_of(made, name))


def svg_of(made: Figure, name: str) -> str:
    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name}):
        made.savefig(buffer, format="svg", metadata={"Date": None, "Creator": "Parley", "Title": name})
    return buffer.getvalue()


def make_narrow(made: Figure) -> None:
    """Panels below each other, and legends above them."""
    panels = made.axes
    height = made.get_figheight() * len(panels)
    for axes, cell in zip(panels, made.add_gridspec(len(panels), 1)):
        axes.set_subplotspec(cell)
        shown = axes.get_legend()
        if shown is None:
            continue
        labels = [text.get_text() for text in shown.get_texts()]
        columns = 1 if max(map(len, labels), default=0) > LONG_LABEL else 2
        # Its name since Matplotlib 3.7, and the one before.
        handles = shown.legend_handles if hasattr(shown, "legend_handles") else shown.legendHandles
        lines = math.ceil(len(labels) / columns)
        where = {"loc": "lower left", "bbox_to_anchor": (0, 1.01), "borderaxespad": 0}
        axes.legend(handles, labels, **where, ncols=columns, fontsize=8.5, columnspacing=1.2)
        title = axes.title
        axes.set_title(title.get_text(), pad=6 + LEGEND_LINE * lines, fontweight=title.get_fontweight())
        height += LEGEND_LINE * lines / 72
    made.set_size_inches(NARROW, height)


def style(place: int) -> dict:
    return {
        "color": COLOURS[place % len(COLOURS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": LINES[place // len(COLOURS) % len(LINES)],
        "markersize": 4.5,
        "linewidth": 1.5,
    }


def size_words(size: float) -> str:
    for unit, word in ((1 << 20, " Mi"), (1 << 10, " Ki")):
        if size >= unit and size % unit == 0:
            return f"{int(size) // unit}{word}"
    return f"{size:g}"


def number(value: float, digits: int = 4) -> str:
    large = 10**digits <= abs(value) < 1e7
    return f"{value:.0f}" if large else f"{value:.{digits}g}"


# Sizes and times


def by_size(axes, sizes: list[int], what: str) -> None:
    """A logarithmic axis with the sizes themselves as its marks; 0 has a place of its own to the left."""
    positive = [size for size in sizes if size > 0]
    small = max(sizes) <= 16 and what != "bytes"
    if not small and positive:
        if min(sizes) <= 0:
            axes.set_xscale("symlog", base=2, linthresh=min(positive), linscale=0.7)
            axes.set_xlim(-0.2 * min(positive), max(sizes) * 1.3)
        else:
            axes.set_xscale("log", base=2)
            axes.set_xlim(min(sizes) / 1.2, max(sizes) * 1.2)
    axes.xaxis.set_major_locator(SizeMarks(sizes))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: size_words(size)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(what)
    axes.grid(True, axis="x", color=PALE, linewidth=0.6)


class SizeMarks(Locator):
    """Of all sizes those whose labels have room, in whatever width the figure has when it is drawn."""

    def __init__(self, sizes: list[int]):
        self.sizes = sizes

    def __call__(self) -> list[int]:
        return marks(self.axis.axes, self.sizes)


def marks(axes, sizes: list[int]) -> list[int]:
    """The largest size, the smallest, and of the others those whose labels have room between them."""
    columns = axes.get_subplotspec().get_gridspec().ncols
    points = axes.get_figure().get_figwidth() * 72 * PANELS / columns  # as wide as the axis is, about
    low, high = axes.transData.transform([(edge, 1) for edge in axes.get_xlim()])[:, 0]
    middles = axes.transData.transform([(size, 1) for size in sizes])[:, 0]
    edges = {
        size: (points * (middle - low) / (high - low), A_LETTER * (len(size_words(size)) + 1) / 2)
        for size, middle in zip(sizes, middles)
    }

    def is_free(size: int, kept: list[int]) -> bool:
        place, half = edges[size]
        return all(abs(place - edges[other][0]) >= half + edges[other][1] for other in kept)

    kept: list[int] = []
    for size in dict.fromkeys((max(sizes), min(sizes), *sorted(sizes, reverse=True))):
        if is_free(size, kept):
            kept.append(size)
    return sorted(kept)


def by_time(axes, values: list[float], label: str, whole: bool = False) -> None:
    """Logarithmic when the values range over more than fourfold; `whole`: percent of a whole."""
    axes.set_ylabel(label)
    axes.grid(True, axis="y", color=PALE, linewidth=0.6)
    low, high = min(values), max(values)
    if whole:
        axes.set_ylim(0, 100 if high <= 100 else high * 1.05)
    elif low > 0 and high / low > 4:
        axes.set_yscale("log")
        logarithmic(axes.yaxis, high / low)
    elif low >= 0:
        axes.set_ylim(0, high * 1.08 or 1)


def logarithmic(axis, span: float) -> None:
    """Plain numbers at 1, 2 and 5 of every power of ten, as far as there is room."""
    axis.set_major_locator(LogLocator(10, (1, 2, 5) if span < 1e3 else (1,), numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.7g}".replace(",", " ")))
    axis.set_minor_formatter(NullFormatter())


def unit_of(unit: str, values: list[float]) -> tuple[float, str]:
    """A factor and a name that make a time readable."""
    if unit not in TIMES:
        return 1.0, unit
    middle = statistics.median(values) * TIMES[unit] if values else 1.0
    name, seconds = next(
        ((n, s) for n, s in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)) if middle >= s * 0.5),
        ("ns", 1e-9),
    )
    return TIMES[unit] / seconds, name


@dataclass
class Point:
    x: float
    middle: float
    low: float
    high: float
    boots: list[float]
    unsteady: bool


def point(x: float, rows: list[tuple], scale) -> Point:
    """scale(column, row): what a figure of the row is multiplied by"""
    middles = [row.median * scale(column, row) for column, row in rows]
    return Point(
        x,
        statistics.median(middles),
        statistics.median(row.lower * scale(column, row) for column, row in rows),
        statistics.median(row.upper * scale(column, row) for column, row in rows),
        middles,
        any(row.unsteady or (row.is_time and column.is_busy) for column, row in rows),
    )


def points(system: System, group: Group, scale) -> list[Point]:
    found = [(x, system.rows(key)) for x, key in sorted(group.at.items())]
    return [point(x, rows, scale) for x, rows in found if rows]


def draw_curve(axes, curve: list[Point], label: str, place: int) -> None:
    if not curve:
        return
    how = style(place)
    x, ink = [p.x for p in curve], how["color"]
    axes.plot(x, [p.middle for p in curve], label=label, **how, zorder=3)
    axes.fill_between(x, [p.low for p in curve], [p.high for p in curve], color=ink, alpha=0.18, linewidth=0)
    for p in curve:
        axes.plot([p.x, p.x], [p.low, p.high], color=ink, linewidth=0.9, alpha=0.7)
        if len(p.boots) > 1:
            axes.plot([p.x] * len(p.boots), p.boots, "_", color=ink, markersize=6, alpha=0.7, zorder=2)
        if p.unsteady:
            axes.plot(
                [p.x], [p.middle], "o", markersize=11, markerfacecolor="none", color="#B00000", zorder=4
            )


def legend(axes, unsteady: bool = False) -> None:
    """To the right of the last panel."""
    handles, labels = axes.get_legend_handles_labels()
    if unsteady:
        from matplotlib.lines import Line2D

        ring = Line2D([], [], color="#B00000", marker="o", linestyle="", markersize=9, markerfacecolor="none")
        handles, labels = [*handles, ring], [*labels, "unsteady: the host was busy"]
    axes.legend(
        handles,
        labels,
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        borderaxespad=0,
        fontsize=8.5,
        handlelength=3,
    )


def curves(section: Section, group: Group, foot: str) -> Chart:
    """Medians by size with the quartiles as a band; free-running times also in units of the boot's own
    ping-pong."""
    rows = [row for system in section.systems for key in group.at.values() for _, row in system.rows(key)]
    factor, unit = unit_of(group.unit, [row.median for row in rows])
    divided = has_yardstick(section, rows)
    made, panels = figure(4.3, 2 if divided else 1)
    panel(section, group, panels[0], lambda column, row: factor, f"{group.title}, {unit}")
    if divided:
        panel(section, group, panels[1], lambda column, row: 1 / column.yardstick, "times the bare ping-pong")
        panels[0].set_title("as measured", fontweight="normal")
        panels[1].set_title("in units of the same boot's ping-pong", fontweight="normal")
    unsteady = any(
        p.unsteady for system in section.systems for p in points(system, group, lambda column, row: 1.0)
    )
    legend(panels[-1], unsteady)
    by = "by " + group.x
    title = f"{section.program}: {group.title}, {by}"
    name = file_name(section.program, group.title, section.clock)
    caption = "Line: median. Band: lower to upper quartile of the samples."
    if any(len(system.columns) > 1 for system in section.systems):
        caption += " With several boots the line is the median of their medians, which are the small dashes."
    alternative = f"{title}; " + "; ".join(
        ends(system, group, factor, unit) for system in section.systems if points(system, group, one)
    )
    return Chart(name, title, caption, alternative, pictures_of(made, title, foot))


def one(column, row) -> float:
    return 1.0


def ends(system: System, group: Group, factor: float, unit: str) -> str:
    curve = points(system, group, lambda column, row: factor)
    first, last = curve[0], curve[-1]
    return (
        f"{system.label} from {number(first.middle)} {unit} at {size_words(first.x)} "
        f"to {number(last.middle)} {unit} at {size_words(last.x)}"
    )


def has_yardstick(section: Section, rows: list[Row]) -> bool:
    columns = [column for system in section.systems for column in system.columns]
    if section.is_counted or any(row.is_of_crowd for row in rows):
        return False
    return rows[0].is_time and all(column.yardstick > 0 for column in columns)


def panel(section: Section, group: Group, axes, scale, label: str) -> None:
    values = []
    for place, system in enumerate(section.systems):
        curve = points(system, group, scale)
        draw_curve(axes, curve, system.label, place)
        values += [figure for p in curve for figure in (p.middle, p.low, p.high)]
    by_size(axes, sorted(group.at), group.x)
    by_time(axes, values, label, group.unit == "percent")


# A design beside another


@dataclass
class Beside:
    """Verdicts of a system beside the section's first, by x."""

    label: str
    place: int  # of the system in its section
    at: dict[float, Verdict]


def beside(section: Section, group: Group, found: list[Beside], foot: str) -> Chart:
    reference = section.systems[0].label
    made, (axes,) = figure(3.6)
    values = [1.0]
    for entry in found:
        how = style(entry.place)
        told = [(x, verdict) for x, verdict in entry.at.items() if verdict.ratio]  # 0 has no logarithm
        if not told:
            continue
        axes.plot(
            [x for x, _ in told], [v.ratio for _, v in told], label=entry.label, **{**how, "markersize": 6}
        )
        for x, verdict in told:
            if not verdict.differs:
                hollow = {"color": how["color"], "marker": how["marker"], "markerfacecolor": "white"}
                axes.plot([x], [verdict.ratio], **hollow, markersize=6, zorder=3)
            if verdict.low is not None and verdict.low < verdict.high:
                low, high = max(verdict.low, 1e-6), min(verdict.high, 1e6)
                axes.plot([x, x], [low, high], color=how["color"], linewidth=1.2, alpha=0.8)
                values += [low, high]
            values.append(verdict.ratio)
    axes.axhline(1, color="#222222", linewidth=1)
    by_size(axes, sorted(group.at), group.x)
    ratio_axis(axes, values, reference, group)
    legend(axes)
    title = f"{section.program}: {group.title} beside {reference}"
    caption = (
        f"The ratio to {reference}: below 1 is {'faster' if group.unit in TIMES else 'lower'}. Filled: "
        "differs beyond the noise; hollow: the same, or not to be told. "
    )
    caption += (
        "This clock repeats exactly, so every difference counts." if section.is_counted else "Bars: 95 %."
    )
    name = file_name(section.program, group.title, "beside", reference, section.clock)
    alternative = f"{title}; " + "; ".join(
        f"{entry.label}: "
        + ", ".join(
            f"{size_words(x)} {'untold' if v.kind == UNTOLD or v.ratio is None else f'x{v.ratio:.2f}'}"
            for x, v in entry.at.items()
        )
        for entry in found
    )
    return Chart(name, title, caption, alternative, pictures_of(made, title, foot))


def ratio_axis(axes, values: list[float], reference: str, group: Group) -> None:
    low, high = min(values), max(values)
    good = "faster" if group.unit in TIMES else "lower"
    axes.set_ylabel(f"ratio to {reference}\n(below 1: {good})")
    axes.grid(True, axis="y", color=PALE, linewidth=0.6)
    axes.set_yscale("log")
    logarithmic(axes.yaxis, high / low)
    edge = 1.08
    axes.set_ylim(min(low / edge, 1 / 1.15), max(high * edge, 1.15))
    if high / low < 4:
        axes.yaxis.set_major_locator(FixedLocator([0.25, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4]))


# Single values, and shares of time


def dots(section: Section, unit: str, keys: list[tuple], part: str, foot: str) -> Chart:
    """Single values: a line a measurement, a dot a system, its quartiles, and its extremes thinner."""
    rows = [row for system in section.systems for key in keys for _, row in system.rows(key)]
    factor, word = unit_of(unit, [row.median for row in rows])
    systems = section.systems
    made, (axes,) = figure(1.4 + (0.30 + 0.10 * len(systems)) * len(keys))
    values, unsteady = [], False
    for line, key in enumerate(keys):
        for place, system in enumerate(systems):
            found = system.rows(key)
            if not found:
                continue
            p = point(0, found, lambda column, row: factor)
            y = line + (place - (len(systems) - 1) / 2) * 0.7 / max(len(systems), 1)
            how = style(place)
            least = min(row.least for _, row in found) * factor
            most = max(row.most for _, row in found) * factor
            axes.plot([least, most], [y, y], color=how["color"], linewidth=0.8, alpha=0.6)
            axes.plot([p.low, p.high], [y, y], color=how["color"], linewidth=4, alpha=0.35)
            label = (
                system.label if line == 0 or not any(system.rows(before) for before in keys[:line]) else None
            )
            axes.plot([p.middle], [y], label=label, **{**how, "linestyle": ""})
            if p.unsteady:
                axes.plot([p.middle], [y], "o", markersize=11, markerfacecolor="none", color="#B00000")
                unsteady = True
            values += [p.middle, least, most]
    axes.set_yticks(range(len(keys)), [section.name_of(key) for key in keys])
    axes.set_ylim(len(keys) - 0.5, -0.5)
    axes.grid(True, axis="x", color=PALE, linewidth=0.6)
    low, high = min(values), max(values)
    if unit == "percent" and 0 <= low and high <= 100:
        axes.set_xlim(0, 100)
    elif low > 0 and high / low > 20:
        axes.set_xscale("log")
        logarithmic(axes.xaxis, high / low)
    elif low >= 0:
        axes.set_xlim(0, high * 1.06 or 1)
    axes.set_xlabel(word)
    legend(axes, unsteady)
    title = f"{section.program}: single measurements, {word}{part}"
    caption = "Mark: median. Thick: lower to upper quartile. Thin: least to most."
    name = file_name(section.program, "single", word, part, section.clock)
    alternative = f"{title}; " + "; ".join(
        f"{system.label} {section.name_of(key)} {number(point(0, found, lambda c, r: factor).middle)}"
        for key in keys[:8]
        for system in systems
        if (found := system.rows(key))
    )
    return Chart(name, title, caption, alternative, pictures_of(made, title, foot))


PARTS = (
    ("working in the message system", "#0072B2", ""),
    ("waiting there", "#E69F00", "///"),
    ("outside it: the program", "#BBBBBB", ""),
)
MOST_PROCESSES = 64


def shares(section: Section, foot: str) -> Chart | None:
    """Where each process's time went (PROFILE=1): three parts of its life."""
    bars = []
    for system in section.systems:
        for column in system.columns[:1]:
            for entry in column.times:
                if entry["life"] == 0:
                    continue
                inside = min(entry["inside"], entry["life"])
                waiting = min(entry["waiting"], inside)
                life = entry["life"]
                parts = [100 * part / life for part in (inside - waiting, waiting, life - inside)]
                bars.append((f"{system.label}: {process(column, entry['endpoint'])}", parts))
    if not bars:
        return None
    shown = bars[:MOST_PROCESSES]
    made, (axes,) = figure(1.3 + 0.26 * len(shown))
    left = [0.0] * len(shown)
    for place, (word, colour, hatch) in enumerate(PARTS):
        widths = [parts[place] for _, parts in shown]
        axes.barh(
            range(len(shown)), widths, left=left, color=colour, hatch=hatch, edgecolor="white", height=0.72,
            label=word, linewidth=0.5,
        )  # fmt: skip
        for y, (start, width) in enumerate(zip(left, widths)):
            if width >= 6:
                axes.text(
                    start + width / 2, y, f"{width:.0f} %", ha="center", va="center", fontsize=7.5,
                    color="white" if place == 0 else "black",
                    bbox={"facecolor": colour, "edgecolor": "none", "pad": 1},
                )  # fmt: skip
        left = [start + width for start, width in zip(left, widths)]
    axes.set_yticks(range(len(shown)), [name for name, _ in shown])
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("percent of the process's life")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.01), ncols=3, borderaxespad=0, fontsize=8.5)
    title = f"{section.program}: where each process's time went"
    caption = "From PROFILE=1: a traced kernel counts cycles, so the shares include the watching."
    if len(bars) > len(shown):
        caption += f" The first {len(shown)} of {len(bars)} processes; the table has all."
    alternative = f"{title}; " + "; ".join(
        f"{name}: working {parts[0]:.0f} %, waiting {parts[1]:.0f} %, outside {parts[2]:.0f} %"
        for name, parts in shown
    )
    return Chart(file_name(section.program, "time", section.clock), title, caption, alternative,
                 pictures_of(made, title, foot))  # fmt: skip


def process(column, endpoint: int) -> str:
    nodes = column.conditions["nodes"]
    count = int(nodes) if nodes.isdecimal() else 0
    return f"node {endpoint}" if not count or endpoint < count else f"process {endpoint}"
