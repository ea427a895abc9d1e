# SPDX-License-Identifier: MIT
"""A study's charts: what was measured here filled and solid, what others print hollow and dashed."""

from . import drawing, page
from .drawing import Chart

COUNTED = "clock counted: every instruction of every processor takes 1 ns"
Curves = dict[str, dict[float, float]]


def both(
    axes, ours: Curves, theirs: Curves, places_: dict[str, int] | None = None, other: str = "paper"
) -> list[float]:
    """Curves of the same names, ours and the paper's, or what `other` says; what was drawn."""
    values = []
    for place, name in enumerate(dict.fromkeys([*ours, *theirs])):
        how = drawing.style(places_[name] if places_ else place)
        how["linestyle"] = "-"
        if name in ours:
            axes.plot(list(ours[name]), list(ours[name].values()), label=name, **how)
            values += ours[name].values()
        if name in theirs:
            hollow = {**how, "linestyle": "--", "markerfacecolor": "white", "linewidth": 1.1, "markersize": 6}
            axes.plot(list(theirs[name]), list(theirs[name].values()), label=f"{name}, {other}", **hollow)
            values += theirs[name].values()
    return values


def chart(
    made, name: str, title: str, caption: str, ours: Curves, theirs: Curves, foot: str, what: str,
    unit: str, other: str = "paper", other_unit: str = "",
) -> Chart:  # fmt: skip
    """other_unit: of theirs, where it is not ours; then there are no ratios."""
    sides = ("ours", other)
    if other_unit:
        sides, unit = (f"ours ({unit})", f"{other} ({other_unit})"), ""
    words = "; ".join(
        f"{who} {label}: " + ", ".join(f"{x:g} {y:.4g}" for x, y in curve.items())
        for who, curves in zip(sides, (ours, theirs))
        for label, curve in curves.items()
    )
    heading = f"{title}; {unit}" if unit else title
    result = Chart(name, title, caption, f"{heading}; {words}", drawing.pictures_of(made, title, foot))
    columns = [(f"{label}, {who}", curve) for who, curves in zip(sides, (ours, theirs))
               for label, curve in curves.items()]  # fmt: skip
    columns += [] if other_unit else ratios(ours, theirs)
    result.table = numbers(f"The numbers, {unit}" if unit else "The numbers", what, columns)
    return result


def numbers(title: str, what: str, columns: list[tuple[str, dict[float, float]]]) -> page.Table:
    lines = []
    for x in sorted({x for _, curve in columns for x in curve}):
        cells = [drawing.number(curve[x]) if x in curve else "-" for _, curve in columns]
        lines.append([page.Cell(text) for text in (f"{x:g}", *cells)])
    return page.Table(title, [what, *[label for label, _ in columns]], lines)


def ratios(ours: Curves, theirs: Curves) -> list[tuple[str, dict[float, float]]]:
    """Ours over the other's, where both have a number."""
    found = []
    for label, curve in ours.items():
        both_have = {x: y / theirs[label][x] for x, y in curve.items() if theirs.get(label, {}).get(x)}
        if both_have:
            found.append((f"{label}, ratio", both_have))
    return found


def line_chart(name: str, title: str, caption: str, ours: Curves, theirs: Curves, x: str, y: str,
               foot: str = COUNTED, sizes: bool = False, zero: bool = False,
               other: str = "paper") -> Chart:  # fmt: skip
    made, (axes,) = drawing.figure(3.9)
    values = both(axes, ours, theirs, other=other)
    every = sorted({int(at) for curve in [*ours.values(), *theirs.values()] for at in curve})
    if sizes:
        drawing.by_size(axes, every, x)
    else:
        drawing.by_size(axes, every, x)
        axes.set_xscale("linear")
        axes.set_xlim(min(every) - 0.4, max(every) + 0.4)
    drawing.by_time(axes, values, y)
    if zero:
        axes.set_yscale("linear")
        axes.set_ylim(0, max(values) * 1.1)
    drawing.legend(axes)
    return chart(made, name, title, caption, ours, theirs, foot, x, y, other)
